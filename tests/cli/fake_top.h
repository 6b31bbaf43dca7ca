/* SPDX-License-Identifier: GPL-2.0-only */
/* Many threads of the fake libtaskrt, that do something from one look to the next. */
#ifndef TESTS_CLI_FAKE_TOP_H
#define TESTS_CLI_FAKE_TOP_H

#include <taskrt.h>

#define FAKE_TOP_TID	1000	/* of the first */
#define FAKE_TOP_UID	4000001	/* of two of three; the others are root's */
#define FAKE_TOP_SECOND	1000000000ULL	/* passes from one look to the next */

/* How many there are: $FAKE_TOP; 0: the threads are those of fake.c. */
unsigned int fake_top(void);

/* From now on so many, at the first look; NULL: nothing goes wrong then. */
void fake_top_begin(unsigned int count, const char *then);

/* taskrt_each() where there are. */
int fake_top_each(struct taskrt *handle, const struct taskrt_query *query, taskrt_each_fn fn,
		  void *arg);

/* What one spends in a state, in a second. */
uint64_t fake_top_spends(unsigned int thread, unsigned int state);

/* How often somebody has asked for the class of a thread. */
extern unsigned int fake_top_classes;

/* Asked by taskrt_open() and taskrt_get_info(). */
int fake_top_absent(void);
int fake_top_off(void);

#endif
