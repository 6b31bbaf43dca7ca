/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the fake libtaskrt share. */
#ifndef TESTS_CLI_FAKE_H
#define TESTS_CLI_FAKE_H

#include <taskrt.h>

#define FAKE_VALID	((1ULL << 10) - 1)
#define FAKE_GROUPS	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST)

/* Numbers that the library does not know.  The module has a name for each but one. */
#define FAKE_NEW_STATE		20	/* "blocked_gate", a kind of blocked_lock */
#define FAKE_NAMELESS_STATE	21
#define FAKE_NEW_TIMER		14	/* "drawbridge" */
#define FAKE_NEW_LOCK		7	/* "portcullis" */
#define FAKE_NEW_VALUE		23	/* "arrows" */

/* Does $FAKE name this? */
int fake(const char *what);

/* Return error, which taskrt_error() explains from now on. */
int fake_answer(struct taskrt *handle, int error);

/* Now is a good time for a signal, if there is one to be sent. */
void fake_signal(void);

/* Note that somebody asked for these groups. */
void fake_asked(const char *what, uint32_t groups);

/* What is measured; the same without locks; and whether cycles are part of it. */
void fake_measure(struct taskrt_measured *measured);
void fake_forget_locks(struct taskrt_measured *measured);
int fake_counts_cycles(void);

/* The totals of a process were read: a child that has ended is the command of run. */
void fake_read_process(uint32_t tgid);

/* Are exits of that command or its descendants still to come? */
int fake_family_is_pending(void);

/* Fills a reading, all zero before, with what each reading has. */
void fake_begin(struct taskrt_reading *reading, int thread);

/* Changes a reading in the way that $FAKE names. */
void fake_spoil(struct taskrt_reading *reading);

/* Removes the groups that were not requested. */
void fake_keep(struct taskrt_reading *reading, uint32_t groups);

/* The reading of a task that has ended. */
void fake_ended(struct taskrt_reading *reading, uint32_t tid, uint32_t tgid, uint32_t exit_code);

#endif
