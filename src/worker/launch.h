/*
 * launch.h
 *	  The asker's side: its session worker, and one request to it.
 */
#ifndef SA_LAUNCH_H
#define SA_LAUNCH_H

#include "worker/ipc.h"

/*
 * Have the session's worker serve a request, starting one where there is none,
 * and give its answer in CurrentMemoryContext.  Notices of the worker are
 * raised as they come, its error is raised at the end.
 */
extern char *sa_launch_request(SaAskRequest *request);

#endif /* SA_LAUNCH_H */
