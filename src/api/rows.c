/*
 * rows.c
 *	  ask_rows(): the rows of the answering statement as a set of objects.
 */
#include "postgres.h"

#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "api/request.h"
#include "base/export.h"

SA_FUNCTION(sqlagent_ask_rows);

static JsonbContainer *
member(Jsonb *object, const char *name)
{
	JsonbValue value;

	if (getKeyJsonValueFromContainer(&object->root, name, (int) strlen(name),
									 &value) == NULL ||
		value.type != jbvBinary)
		elog(ERROR, "the answer has no member \"%s\"", name);
	return value.val.binary.data;
}

/* An object keeps one member of a name: further columns get a number. */
static char *
unique_name(char **names, int count, const char *name)
{
	char *unique = pstrdup(name);
	int number = 1;

	for (int i = 0; i < count; i++)
		if (strcmp(names[i], unique) == 0)
		{
			unique = psprintf("%s_%d", name, ++number);
			i = -1;
		}
	return unique;
}

static char **
column_names(Jsonb *answer, int *count)
{
	JsonbContainer *columns = member(answer, "columns");
	char **names;

	*count = JsonContainerSize(columns);
	names = palloc(sizeof(char *) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
	{
		JsonbValue *column = getIthJsonbValueFromContainer(columns, i);
		JsonbValue name;

		(void) getKeyJsonValueFromContainer(column->val.binary.data, "name", 4,
											&name);
		names[i] = unique_name(
			names, i, pnstrdup(name.val.string.val, name.val.string.len));
	}
	return names;
}

static Datum
row_object(JsonbContainer *row, char **names, int count)
{
	JsonbParseState *state = NULL;
	JsonbValue *object;

	(void) pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	for (int i = 0; i < count; i++)
	{
		JsonbValue key;

		key.type = jbvString;
		key.val.string.val = names[i];
		key.val.string.len = (int) strlen(names[i]);
		(void) pushJsonbValue(&state, WJB_KEY, &key);
		(void) pushJsonbValue(&state, WJB_VALUE,
							  getIthJsonbValueFromContainer(row, i));
	}
	object = pushJsonbValue(&state, WJB_END_OBJECT, NULL);
	return JsonbPGetDatum(JsonbValueToJsonb(object));
}

Datum
sqlagent_ask_rows(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *set = (ReturnSetInfo *) fcinfo->resultinfo;
	Jsonb *answer;
	JsonbContainer *rows;
	char **names;
	int count;

	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	answer = DatumGetJsonbP(sa_request_jsonb(
		sa_request_question(fcinfo, SA_REQUEST_RUN, SA_VERB_ASK_ROWS)));
	names = column_names(answer, &count);
	rows = member(answer, "rows");
	for (uint32 i = 0; i < JsonContainerSize(rows); i++)
	{
		JsonbValue *row = getIthJsonbValueFromContainer(rows, i);
		Datum value = row_object(row->val.binary.data, names, count);
		bool isnull = false;

		tuplestore_putvalues(set->setResult, set->setDesc, &value, &isnull);
	}
	return (Datum) 0;
}
