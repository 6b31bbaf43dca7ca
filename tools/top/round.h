/* SPDX-License-Identifier: GPL-2.0-only */
/* Updates: what each thread did between two readings of all threads. */
#ifndef TOOLS_TOP_ROUND_H
#define TOOLS_TOP_ROUND_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <taskrt.h>

#include "common/list.h"
#include "common/state.h"

/* The scheduling class of a thread, which the module does not report. */

struct top_class {
	int asked;	/* 0: it was not read yet */
	int policy;	/* SCHED_*; -1: not known, because the thread has ended */
	int priority;	/* 1 to 99 of FIFO and RR, else 0 */
};

/* Read the class, with two system calls.  That a thread has ended is no error. */
void top_class_ask(struct top_class *class, pid_t tid);

/* FIFO, RR or DEADLINE. */
int top_class_is_rt(const struct top_class *class);

/* The order in which classes run: the highest runs first.  -1: not known. */
int top_class_rank(const struct top_class *class);

/* As ps(1) names it: "FF", "TS"; "?" if it is not known. */
const char *top_class_name(const struct top_class *class);

/* The names of users. */

#define TOP_USER_MAX	32

/* The name in valid UTF-8, or the number of a user without a name; it is cached. */
const char *top_user_name(uint32_t uid);

/* A name or a number. Return: 0; -1: there is no such user. */
int top_user_find(const char *text, uint32_t *uid);

/* A thread in a round. */
struct top_row {
	uint32_t tid, tgid, uid;
	uint32_t state;
	char comm[16];
	uint64_t start_time_ns;
	int kernel;		/* it is a kernel thread */
	struct top_class class;

	int known;		/* it was there before, or is new: the rest is valid */
	uint64_t base_ns;	/* the time that is 100 % */
	__u64 states_ns[TASKRT_STATES_ROOM];
	uint32_t states;	/* that were measured: bits of enum taskrt_state */
	__u64 values[TASKRT_VALUES_ROOM];
	uint64_t counted;	/* bits of enum taskrt_value; 0 if not requested */
};

struct top_round {
	struct top_row *rows;	/* in ascending order of tid, each once */
	size_t count;
	uint64_t time_ns;	/* its start, on CLOCK_MONOTONIC */
	uint64_t elapsed_ns;	/* since the round before; 0: there was none */
	size_t born, gone;	/* threads, since then */
	int incomplete;		/* ids were reused again and again: a thread may be missing */
	unsigned int number;

	struct list list;	/* of this round, for the next */
};

/*
 * Read the threads of tgid (0: all threads) with these TASKRT_GROUP_*, which must include TIMES.  A
 * round starts all zero, and is unchanged after a failure.
 * Return: 0; as taskrt_each(), but never -EINTR.
 */
int top_round_next(struct top_round *round, struct taskrt *handle, pid_t tgid,
		   uint32_t groups);

/* Read the classes of all threads: of new ones now, of others once in a few rounds. */
void top_round_ask_classes(struct top_round *round);

/* Free all; the next round is a first one again. */
void top_round_forget(struct top_round *round);

/* The time in the states of one share, and whether it was measured at all. */
uint64_t top_row_share_ns(const struct top_row *row, enum share share, int *measured);

/* Has it slept all the time, and is that known? */
int top_row_is_asleep(const struct top_row *row);

/* Tenths of a percent of base_ns.  They sum to 1000 if the thread lived for all of it. */
void top_row_permille(const struct top_row *row, unsigned int permille[NR_SHARES]);

#endif
