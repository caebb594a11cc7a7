/*
 * main.h
 *	  The session worker's entry point.
 */
#ifndef SA_MAIN_H
#define SA_MAIN_H

extern PGDLLEXPORT void sqlagent_worker_main(Datum arg);

#endif /* SA_MAIN_H */
