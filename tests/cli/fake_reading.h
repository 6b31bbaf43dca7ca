/* SPDX-License-Identifier: GPL-2.0-only */
/* What the fake libtaskrt reads of a task. */
#ifndef TESTS_CLI_FAKE_READING_H
#define TESTS_CLI_FAKE_READING_H

#include <taskrt.h>

#define FAKE_VALID	((1ULL << 10) - 1)
#define FAKE_GROUPS	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST)

/* Numbers that the library does not know.  The module has a name for each but one. */
#define FAKE_NEW_STATE		20	/* "blocked_gate", a kind of blocked_lock */
#define FAKE_NAMELESS_STATE	21
#define FAKE_NEW_TIMER		14	/* "drawbridge" */
#define FAKE_NEW_LOCK		7	/* "portcullis" */
#define FAKE_NEW_VALUE		23	/* "arrows" */

/* What is measured; the same without locks; and whether cycles are part of it. */
void fake_measure(struct taskrt_measured *measured);
void fake_forget_locks(struct taskrt_measured *measured);
int fake_counts_cycles(void);

/* Fills a reading, all zero before, with what each reading has. */
void fake_begin(struct taskrt_reading *reading, int thread);

/* The reading of a task; tid 0: of the process. */
void fake_fill(struct taskrt_reading *reading, uint32_t tid, uint32_t tgid);

/* Changes a reading in the way that $FAKE names. */
void fake_spoil(struct taskrt_reading *reading);

/* Removes the groups that were not requested. */
void fake_keep(struct taskrt_reading *reading, uint32_t groups);

/* The reading of a task that has ended. */
void fake_ended(struct taskrt_reading *reading, uint32_t tid, uint32_t tgid, uint32_t exit_code);

#endif
