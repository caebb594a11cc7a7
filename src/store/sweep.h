/*
 * sweep.h
 *	  What is left over from workers that ended in the middle of a run.
 */
#ifndef SA_SWEEP_H
#define SA_SWEEP_H

/*
 * Inside a worker's first writing transaction, and then once a minute at most:
 * runs that are still called running, of workers that are no more, become
 * failed ones, and what nobody decided on in time expires.
 */
extern void sa_sweep_runs(void);

#endif /* SA_SWEEP_H */
