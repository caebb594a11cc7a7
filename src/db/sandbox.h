/* placeholder until the guard lands */
#ifndef SA_SANDBOX_H
#define SA_SANDBOX_H
#include "port/atomics.h"
extern pg_atomic_uint64 *sa_sandbox_deadline;
extern void sa_sandbox_init(void);
#endif
