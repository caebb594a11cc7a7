/*
 * wait.c
 *	  Wait events and the check that every long loop makes.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/compat.h"
#include "base/wait.h"

void (*sa_wait_hook)(void) = NULL;

void
sa_wait_check(void)
{
	CHECK_FOR_INTERRUPTS();
	if (sa_wait_hook)
		sa_wait_hook();
}

uint32
sa_wait_event_http(void)
{
	static uint32 event = 0;

	return sa_wait_event(&event, "SqlagentHttp");
}

uint32
sa_wait_event_worker(void)
{
	static uint32 event = 0;

	return sa_wait_event(&event, "SqlagentWorker");
}

uint32
sa_wait_event_idle(void)
{
	static uint32 event = 0;

	return sa_wait_event(&event, "SqlagentIdle");
}
