/* SPDX-License-Identifier: GPL-2.0-only */
/* Many threads of the fake libtaskrt, that do something from one look to the next. */
#ifndef TESTS_CLI_FAKE_TOP_H
#define TESTS_CLI_FAKE_TOP_H

#include <taskrt.h>

#define FAKE_TOP_TID	1000	/* of the first */
#define FAKE_TOP_UID	4000001	/* of two of three; the others are root's */
#define FAKE_TOP_SECOND	1000000000ULL	/* passes from one look to the next */

/* The number of threads: $FAKE_TOP; 0: the threads are those of fake_tasks.c. */
unsigned int fake_top(void);

/*
 * Begins anew with count threads, before the first look.  then: $FAKE_TOP_THEN; NULL:
 * nothing goes wrong.
 */
void fake_top_begin(unsigned int count, const char *then);

/* taskrt_each() for these threads. */
int fake_top_each(struct taskrt *handle, const struct taskrt_query *query, taskrt_each_fn fn,
		  void *arg);

/* The time that a thread spends in a state each second. */
uint64_t fake_top_spends(unsigned int thread, unsigned int state);

/* How often the class of a thread was requested. */
extern unsigned int fake_top_classes;

/* For taskrt_open() and taskrt_get_info(). */
int fake_top_absent(void);
int fake_top_off(void);

#endif
