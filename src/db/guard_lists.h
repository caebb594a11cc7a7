/*
 * guard_lists.h
 *	  The lists of the guard's policy: names of built-ins and system relations.
 */
#ifndef SA_GUARD_LISTS_H
#define SA_GUARD_LISTS_H

/* Volatile built-ins that may be called. */
extern bool sa_list_volatile_allowed(const char *name);
/* Built-ins called pg_* that may be called. */
extern bool sa_list_pg_allowed(const char *name);
/* Stable and immutable built-ins that do harm or tell too much. */
extern bool sa_list_harmful(const char *name);
/* Extensions that the setting cannot allow: they run SQL, programs, or read
 * files and pages. */
extern bool sa_list_extension_never(const char *name);
/* What a view or a policy may ask and a model may not. */
extern bool sa_list_tolerated(const char *name);
/* System relations that may be read; schema pg_catalog or information_schema.
 */
extern bool sa_list_system_relation(const char *name, bool information_schema);
/* Whether the comma-separated list of a setting holds the name. */
extern bool sa_list_setting_has(const char *setting, const char *name);

#endif /* SA_GUARD_LISTS_H */
