/*
 * cppcheck.h
 *	  What cppcheck has to know of the server's macros; included before each
 *	  file that it looks at.
 */
#define foreach(cell, list)                                                    \
	for (ListCell *cell##_ = list_head(list); (cell = cell##_) != NULL;        \
		 cell##_ = lnext(list, cell##_))
#define forboth(cell1, list1, cell2, list2)                                    \
	for (cell1 = list_head(list1), cell2 = list_head(list2); cell1 && cell2;   \
		 cell1 = lnext(list1, cell1), cell2 = lnext(list2, cell2))

/* An error does not return. */
#define LOG 15
#define NOTICE 18
#define WARNING 19
#define ERROR 21
#define FATAL 22
#define ereport(level, ...)                                                    \
	do                                                                         \
	{                                                                          \
		if ((level) >= ERROR)                                                  \
			exit(1);                                                           \
	} while (0)
#define elog(level, ...) ereport(level, __VA_ARGS__)
