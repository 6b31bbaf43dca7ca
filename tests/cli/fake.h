/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the fake libtaskrt share. */
#ifndef TESTS_CLI_FAKE_H
#define TESTS_CLI_FAKE_H

#include <taskrt.h>

#define FAKE_VALID	((1ULL << 10) - 1)
#define FAKE_GROUPS	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST)

/* What no library knows of, and the module only by name, but for one. */
#define FAKE_NEW_STATE		20	/* "blocked_gate", a kind of blocked_lock */
#define FAKE_NAMELESS_STATE	21
#define FAKE_NEW_TIMER		14	/* "drawbridge" */
#define FAKE_NEW_LOCK		7	/* "portcullis" */
#define FAKE_NEW_VALUE		23	/* "arrows" */

/* Is this what goes wrong? */
int fake(const char *what);

/* Return error, which taskrt_error() explains from now on. */
int fake_answer(struct taskrt *handle, int error);

/* Now is a good time for a signal, if there is one to be sent. */
void fake_signal(void);

/* Note that somebody asked for these groups. */
void fake_asked(const char *what, uint32_t groups);

/* What is measured; and what where locks are not. */
void fake_measure(struct taskrt_measured *measured);
void fake_forget_locks(struct taskrt_measured *measured);

/* A reading, all zero before, gets what each has. */
void fake_begin(struct taskrt_reading *reading, int thread);

/* Make a reading what it is where something goes wrong. */
void fake_spoil(struct taskrt_reading *reading);

/* Nothing is left of it but what was asked for. */
void fake_keep(struct taskrt_reading *reading, uint32_t groups);

/* The reading of a task that has ended. */
void fake_ended(struct taskrt_reading *reading, uint32_t tid, uint32_t tgid, uint32_t exit_code);

#endif
