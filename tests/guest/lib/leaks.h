/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory that the module has allocated, and that nothing points to (kmemleak). */
#ifndef LEAKS_H
#define LEAKS_H

/* Checks that there is none; is skipped on a kernel without kmemleak.  Takes some seconds. */
void leaks_check(const char *name);

#endif
