/*
 * key.c
 *	  The key of the provider, and headers that may be as secret.
 *
 * Called by client.c for each request, so that a new key needs no restart.
 * The key is never a setting, never an argument, in no message; what is read
 * here is overwritten when the request's context goes.
 */
#include "postgres.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "utils/memutils.h"

#include "base/guc.h"
#include "llm/key.h"

#define KEY_VARIABLE "SQLAGENT_API_KEY"
#define MAX_KEY_FILE 4096
#define MAX_HEADERS_FILE (16 * 1024)
#define MIN_SECRET 8

typedef struct Secret
{
	MemoryContextCallback callback;
	char *text;
	size_t len;
} Secret;

static void
wipe(void *arg)
{
	Secret *secret = arg;

	explicit_bzero(secret->text, secret->len);
}

/* len + 1 bytes of CurrentMemoryContext, overwritten when it goes. */
static char *
secret_alloc(size_t len)
{
	Secret *secret = palloc(sizeof(Secret));

	secret->text = palloc0(len + 1);
	secret->len = len + 1;
	secret->callback.func = wipe;
	secret->callback.arg = secret;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &secret->callback);
	return secret->text;
}

static void
refuse_file(int fd, const char *setting, const char *detail, const char *hint)
{
	close(fd);
	ereport(ERROR, (errcode(ERRCODE_CONFIG_FILE_ERROR),
					errmsg("the file of %s cannot be used", setting),
					errdetail("%s", detail), hint ? errhint("%s", hint) : 0));
}

/*
 * Who else may read a secret?  Root's files may be open to the server's group,
 * since the server could not read them otherwise: the rule that PostgreSQL has
 * for private TLS keys.
 */
static void
check_file(int fd, const char *setting, size_t max_bytes)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		refuse_file(fd, setting, "It could not be examined.", NULL);
	if (!S_ISREG(st.st_mode))
		refuse_file(fd, setting, "It is not a regular file.", NULL);
	if (st.st_uid != geteuid() && st.st_uid != 0)
		refuse_file(fd, setting,
					"It belongs neither to the server's user nor to root.",
					NULL);
	if (st.st_mode & (st.st_uid == geteuid() ? 077 : 037))
		refuse_file(
			fd, setting, "Others may read or change it.",
			"Set its mode to 0600, or to 0640 when it belongs to root.");
	if (st.st_size > (off_t) max_bytes)
		refuse_file(fd, setting, "It is too long.", NULL);
}

/* The content of a secret file; *len without the terminating NUL. */
static char *
read_secret_file(const char *path, const char *setting, size_t max_bytes,
				 size_t *len)
{
	char *text;
	ssize_t n;
	int fd;

	if (path[0] != '/')
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("the file of %s cannot be used", setting),
						errdetail("Its name is not an absolute path.")));
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
	{
		bool is_link = errno == ELOOP;

		ereport(ERROR,
				(errcode(ERRCODE_CONFIG_FILE_ERROR),
				 errmsg("could not open the file of %s: %m", setting),
				 is_link ? errdetail("Symbolic links are not followed.") : 0));
	}
	check_file(fd, setting, max_bytes);
	text = secret_alloc(max_bytes + 1);
	n = read(fd, text, max_bytes + 1);
	if (n < 0 || n > (ssize_t) max_bytes)
		refuse_file(fd, setting, "It could not be read as a whole.", NULL);
	close(fd);
	*len = n;
	return text;
}

static bool
is_visible(const char *text, size_t len, bool blanks)
{
	for (size_t i = 0; i < len; i++)
		if (!((text[i] > ' ' && text[i] < 0x7F) ||
			  (blanks && (text[i] == ' ' || text[i] == '\t'))))
			return false;
	return true;
}

static char *
key_from_environment(void)
{
	const char *value = getenv(KEY_VARIABLE);
	char *key;

	if (value == NULL || value[0] == '\0')
		return NULL;
	if (!is_visible(value, strlen(value), false))
		ereport(ERROR, (errcode(ERRCODE_CONFIG_FILE_ERROR),
						errmsg("the environment variable %s cannot be used",
							   KEY_VARIABLE),
						errdetail("A key consists of visible ASCII "
								  "characters.")));
	key = secret_alloc(strlen(value));
	memcpy(key, value, strlen(value));
	return key;
}

char *
sa_key_load(void)
{
	const char *setting = "sqlagent.api_key_file";
	size_t len;
	char *key;

	if (sa_guc_api_key_file == NULL || sa_guc_api_key_file[0] == '\0')
		return key_from_environment();
	key = read_secret_file(sa_guc_api_key_file, setting, MAX_KEY_FILE, &len);
	if (len > 0 && key[len - 1] == '\n')
		key[--len] = '\0';
	if (len == 0 || !is_visible(key, len, false))
		ereport(ERROR, (errcode(ERRCODE_CONFIG_FILE_ERROR),
						errmsg("the file of %s cannot be used", setting),
						errdetail("It must hold one line of visible ASCII "
								  "characters.")));
	return key;
}

/* "Name: value", with a name that cannot end the header early. */
static bool
is_header(const char *line)
{
	const char *colon = strchr(line, ':');

	return colon != NULL && colon > line &&
		   strcspn(line, " \t\"(),/;<=>?@[\\]{}") > (size_t) (colon - line) &&
		   is_visible(line, strlen(line), true);
}

List *
sa_key_headers(void)
{
	const char *setting = "sqlagent.headers_file";
	List *headers = NIL;
	size_t len;
	char *text;
	char *line;
	int number = 0;

	if (sa_guc_headers_file == NULL || sa_guc_headers_file[0] == '\0')
		return NIL;
	text =
		read_secret_file(sa_guc_headers_file, setting, MAX_HEADERS_FILE, &len);
	if (memchr(text, '\0', len) != NULL)
		ereport(ERROR, (errcode(ERRCODE_CONFIG_FILE_ERROR),
						errmsg("the file of %s cannot be used", setting),
						errdetail("It holds a NUL byte.")));
	while ((line = strsep(&text, "\n")) != NULL)
	{
		number++;
		if (line[0] == '\0' || line[0] == '#')
			continue;
		if (!is_header(line))
			ereport(ERROR, (errcode(ERRCODE_CONFIG_FILE_ERROR),
							errmsg("the file of %s cannot be used", setting),
							errdetail("Its line %d is not a header of the form "
									  "\"Name: value\".",
									  number)));
		headers = lappend(headers, line);
	}
	return headers;
}

char *
sa_key_header(const char *prefix, const char *key)
{
	size_t prefix_len = strlen(prefix);
	char *header = secret_alloc(prefix_len + strlen(key));

	memcpy(header, prefix, prefix_len);
	memcpy(header + prefix_len, key, strlen(key));
	return header;
}

void
sa_key_redact(char *text, size_t len, const char *secret)
{
	size_t secret_len = secret ? strlen(secret) : 0;
	char *end = text + len;

	if (secret_len < MIN_SECRET)
		return;
	while ((text = memmem(text, end - text, secret, secret_len)) != NULL)
	{
		memset(text, '*', secret_len);
		text += secret_len;
	}
}
