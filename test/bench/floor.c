/*
 * floor.c
 *	  Times questions against the same work done by a bare loop.
 *
 *	  floor warm ROUNDS CONNINFO QUESTION URL SCRIPT
 *	  floor first ROUNDS CONNINFO QUESTION
 *
 * "warm" alternates one question in an open session with one pass over the
 * script on another session and one kept-alive connection, so that both meet
 * the same load.  A line of the script is "post FILE", whose content is sent to
 * the URL, or "sql STATEMENT".  "first" times the first question of new
 * sessions, and the second one beside it.  Both print one line for each kind:
 * its name and the milliseconds of each round.
 */
#include <curl/curl.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_STEPS 64

typedef struct Step
{
	char *sql; /* or a body to post */
	char *body;
} Step;

static Step steps[MAX_STEPS];
static int nsteps;
static CURL *curl;

static void
die(const char *what, const char *detail)
{
	fprintf(stderr, "floor: %s: %s\n", what, detail);
	exit(1);
}

static double
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000.0 + now.tv_nsec / 1e6;
}

static PGconn *
connect_to(const char *conninfo)
{
	PGconn *connection = PQconnectdb(conninfo);

	if (PQstatus(connection) != CONNECTION_OK)
		die("connect", PQerrorMessage(connection));
	return connection;
}

static void
ignore_notice(void *arg, const PGresult *result)
{
}

static void
query(PGconn *connection, const char *sql)
{
	PGresult *result = PQexec(connection, sql);

	if (PQresultStatus(result) != PGRES_TUPLES_OK &&
		PQresultStatus(result) != PGRES_COMMAND_OK)
		die(sql, PQerrorMessage(connection));
	PQclear(result);
}

static double
ask(PGconn *connection, const char *question)
{
	const char *values[1];
	double start = now_ms();
	PGresult *result;

	values[0] = question;
	result = PQexecParams(connection, "SELECT sqlagent.ask($1)", 1, NULL,
						  values, NULL, NULL, 0);
	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		die("ask", PQerrorMessage(connection));
	PQclear(result);
	return now_ms() - start;
}

static char *
read_file(const char *name)
{
	FILE *file = fopen(name, "rb");
	char *text;
	long size;

	if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0)
	{
		die("cannot read", name);
		return NULL;
	}
	rewind(file);
	text = malloc(size + 1);
	if (!text || fread(text, 1, size, file) != (size_t) size)
		die("cannot read", name);
	else
		text[size] = '\0';
	fclose(file);
	return text;
}

static void
read_script(const char *name)
{
	char *text = read_file(name);
	char *save = NULL;

	for (char *line = strtok_r(text, "\n", &save); line && nsteps < MAX_STEPS;
		 line = strtok_r(NULL, "\n", &save))
	{
		if (strncmp(line, "post ", 5) == 0)
			steps[nsteps++].body = read_file(line + 5);
		else if (strncmp(line, "sql ", 4) == 0)
			steps[nsteps++].sql = line + 4;
	}
}

/* The reply is read and dropped. */
static size_t
drop(char *data, size_t size, size_t count, void *arg)
{
	return size * count;
}

static void
prepare_posts(const char *url)
{
	struct curl_slist *headers =
		curl_slist_append(NULL, "Content-Type: application/json");

	curl = curl_easy_init();
	curl_easy_setopt(curl, CURLOPT_URL, url);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop);
	curl_easy_setopt(curl, CURLOPT_PROXY, "");
}

static double
pass_over_script(PGconn *connection)
{
	double start = now_ms();

	for (int i = 0; i < nsteps; i++)
	{
		CURLcode code;
		long status = 0;

		if (steps[i].sql)
		{
			query(connection, steps[i].sql);
			continue;
		}
		curl_easy_setopt(curl, CURLOPT_POSTFIELDS, steps[i].body);
		code = curl_easy_perform(curl);
		if (code != CURLE_OK)
			die("post", curl_easy_strerror(code));
		curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
		if (status != 200)
			die("post", "the model did not answer with status 200");
	}
	return now_ms() - start;
}

static void
print_times(const char *name, const double *times, int count)
{
	printf("%s", name);
	for (int i = 0; i < count; i++)
		printf(" %.3f", times[i]);
	printf("\n");
}

int
main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[2]) : 0;
	double *a = calloc(rounds + 1, sizeof(double));
	double *b = calloc(rounds + 1, sizeof(double));
	int warm_up = 10;

	if (argc == 7 && strcmp(argv[1], "warm") == 0)
	{
		PGconn *asking = connect_to(argv[3]);
		PGconn *bare = connect_to(argv[3]);

		PQsetNoticeReceiver(asking, ignore_notice, NULL);
		prepare_posts(argv[5]);
		read_script(argv[6]);
		for (int i = -warm_up; i < rounds; i++)
		{
			double asked = ask(asking, argv[4]);
			double passed = pass_over_script(bare);

			if (i >= 0)
			{
				a[i] = asked;
				b[i] = passed;
			}
		}
		print_times("ask", a, rounds);
		print_times("bare", b, rounds);
		PQfinish(asking);
		PQfinish(bare);
	}
	else if (argc == 5 && strcmp(argv[1], "first") == 0)
	{
		for (int i = 0; i < rounds; i++)
		{
			PGconn *connection = connect_to(argv[3]);

			PQsetNoticeReceiver(connection, ignore_notice, NULL);
			query(connection, "SELECT 1");
			a[i] = ask(connection, argv[4]);
			b[i] = ask(connection, argv[4]);
			PQfinish(connection);
		}
		print_times("first", a, rounds);
		print_times("second", b, rounds);
	}
	else
	{
		fprintf(stderr, "usage: see the head of floor.c\n");
		return 2;
	}
	free(a);
	free(b);
	return 0;
}
