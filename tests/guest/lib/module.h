/* SPDX-License-Identifier: GPL-2.0-only */
/* Modules and their parameters; errors are negative errno values. */
#ifndef MODULE_H
#define MODULE_H

/* File names, under $TASKRT_MODULES, usually /lib/taskrt. */
#define MODULE_TASKRT	"taskrt"
#define MODULE_TEST	"taskrt_test"

/* parameters: as on insmod's command line */
int module_insert(const char *name, const char *parameters);
/* Tries again while somebody still uses it, for CLOCK_PATIENCE at most. */
int module_remove(const char *name);
/* Tries once: -EAGAIN while somebody uses it. */
int module_try_remove(const char *name);
int module_loaded(const char *name);
/* The taskrt module's own parameters. */
int module_set(const char *parameter, const char *value);
/* The same, or the end of the test. */
void module_must_set(const char *parameter, const char *value);
int module_get(const char *parameter, char *value, unsigned int size);
/* Inserts taskrt anew with these parameters; bails out if it cannot. */
void module_again(const char *parameters);

#endif
