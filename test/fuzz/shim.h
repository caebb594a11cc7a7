/*
 * shim.h
 *	  What a fuzz target needs of the server.
 */
#ifndef SA_FUZZ_SHIM_H
#define SA_FUZZ_SHIM_H

/* Free all that the code under test took; between two inputs. */
extern void shim_reset(void);

/* End the process with a report: the code under test broke a promise. */
#define CHECK(condition)                                                       \
	do                                                                         \
	{                                                                          \
		if (!(condition))                                                      \
			abort();                                                           \
	} while (0)

#endif /* SA_FUZZ_SHIM_H */
