/*
 * settings.h
 *	  The settings of the asker's session, as they go along with each request.
 */
#ifndef SA_SETTINGS_H
#define SA_SETTINGS_H

#include "lib/stringinfo.h"

extern void sa_settings_write(StringInfo out);
extern void sa_settings_apply(StringInfo in);

#endif /* SA_SETTINGS_H */
