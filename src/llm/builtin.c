/*
 * builtin.c
 *	  The provider that needs no model; it does not understand anything yet.
 */
#include "postgres.h"

#include "llm/builtin.h"

SaReply *
sa_builtin_complete(const SaRequest *request)
{
	SaReply *reply = palloc0(sizeof(SaReply));

	reply->stop = SA_STOP_REFUSED;
	reply->content = pstrdup("I understand no question yet. Set "
							 "sqlagent.provider to use a language model.");
	return reply;
}
