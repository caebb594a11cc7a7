/*
 * approval.h
 *	  Statements that wait for a person, and what was decided.
 */
#ifndef SA_APPROVAL_H
#define SA_APPROVAL_H

/* What is to be stored of a statement that has to wait. */
typedef struct SaApprovalRequest
{
	int64 run;
	const char *asker;
	const char *question;
	const char *sql;
	double cost;
	double rows;
	int64 requested_at; /* TimestampTz */
	int64 expires_at;
	const char *state; /* JSON text */
} SaApprovalRequest;

typedef struct SaApproval
{
	int64 id;
	int64 run;
	char *asker;
	char *sql;
	char *decision;	  /* "approved", "rejected", or NULL */
	char *edited_sql; /* or NULL */
	char *reason;	  /* or NULL */
	char *state;
	bool expired;
	char *question; /* of the run */
	int64 thread;
	int64 started_at; /* TimestampTz, of the run */
} SaApproval;

extern void sa_approval_add(const SaApprovalRequest *request);

/*
 * The statement that a run waits for, if the role may decide on it: its asker,
 * or whoever was granted UPDATE on the table.  Raises when there is none.
 */
extern SaApproval *sa_approval_find(int64 run, const char *role);

/* Record a decision, if there is none; false when there was. */
extern bool sa_approval_decide(const SaApproval *approval, const char *decision,
							   const char *role, const char *edited_sql,
							   const char *reason);

/*
 * Take the run out of the waiting ones, with this status ("running" or
 * "cancelled"); false when somebody else was faster.
 */
extern bool sa_approval_take(const SaApproval *approval, const char *status);

#endif /* SA_APPROVAL_H */
