/*
 * fuzz_json.c
 *	  The JSON parser in front of everything that a model says: what it takes
 *	  can be printed and parsed again.
 */
#include "postgres.h"

#include "base/json.h"
#include "shim.h"

extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = palloc(size + 1);
	const char *problem;
	SaJson *json;

	memcpy(text, data, size);
	text[size] = '\0';
	json = sa_json_parse(text, size, &problem);
	CHECK((json == NULL) == (problem != NULL));
	if (json)
	{
		const char *printed = sa_json_print(json);

		CHECK(sa_json_parse(printed, strlen(printed), &problem) != NULL);
	}
	shim_reset();
	return 0;
}
