/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libtaskrt: a thread asks itself where its time went.
 *
 * A thread opens itself once, while it sets up.  From then on it, and all other
 * threads of its process, read its counters from memory that the module writes:
 * a read is a copy and one look at the clock.
 *
 * What "real-time safe" means here, word for word: no system call, no lock, no
 * allocation, no page fault of the library's own memory, and a bounded number
 * of instructions.  It holds where taskrt_self_mapped() is 1, the clock of the
 * system can be read without a system call (it can, unless
 * /sys/devices/system/clocksource says neither tsc, kvm-clock, hyperv nor
 * arch_sys_counter), and the caller's own memory (stack, what it passes) is
 * there.  A program that has called mlockall(2) has done all that is its part.
 *
 * Structures declared here belong to the caller, who may keep them anywhere.
 * Nothing in them needs to be freed.  Each is used by one thread at a time; a
 * struct taskrt_self, mapped, is read by any number at once.
 *
 * Included by taskrt.h.  C and C++.
 */
#ifndef TASKRT_SELF_H
#define TASKRT_SELF_H

#include <stddef.h>
#include <stdint.h>
#include <linux/taskrt.h>
#include <linux/taskrt_page.h>
#include "taskrt_reading.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One thread's own counters. */
struct taskrt_self;

/* taskrt_self_open(): fail rather than go through netlink, which is not real-time safe. */
#define TASKRT_SELF_MAPPED	1u

/**
 * taskrt_self_open() - open the calling thread
 * @self: where the handle goes; NULL on failure
 * @flags: 0, or TASKRT_SELF_MAPPED
 *
 * The handle stays this thread's: read by another thread, it tells of this one.
 * When the thread has ended, or calls exec, it tells of nobody else.  A child
 * after fork(2) does not have it: there everything answers -ECHILD, and the
 * child opens itself anew.
 *
 * Where /dev/taskrt cannot be had (ENOENT, EACCES, ENXIO, ENODEV) the thread is asked about over
 * netlink instead, unless @flags forbids it; taskrt_self_mapped() tells which.
 *
 * Return: 0; -ENOENT: no /dev/taskrt (and no module); -EACCES: it may not be
 * opened; -EPERM: the module gives coarse times only (parameter coarse_ns);
 * -ENODATA: accounting is switched off, or the thread is not tracked; -EPROTO:
 * a module that this library does not understand; -EINVAL; -ENOMEM; others of open(2) and mmap(2).
 *
 * Real time: no.  For set-up: system calls, allocation, some 20 KiB of stack.  It makes
 * present all that the functions below touch, code as well, and locks its own memory as far as
 * RLIMIT_MEMLOCK lets it.  That code stays in memory is for mlockall(2) to see to.
 */
int taskrt_self_open(struct taskrt_self **self, unsigned int flags);

/**
 * taskrt_self_close() - give everything back; NULL is allowed
 * By any thread, when none uses it any more.  In a child after fork(2) it frees
 * what the child has of it, and nothing of the parent's.
 *
 * Real time: no: system calls.
 */
void taskrt_self_close(struct taskrt_self *self);

/**
 * taskrt_self_mapped() - 1: reads are real-time safe; 0: each asks over netlink
 * In a child after fork(2): 0.
 *
 * Real time: safe; a handful of instructions.
 */
int taskrt_self_mapped(const struct taskrt_self *self);

/**
 * taskrt_self_measured() - what of the times is measured
 * @size: sizeof(*measured)
 * Return: 0; -EINVAL.
 * Real time: safe.
 */
int taskrt_self_measured(const struct taskrt_self *self, struct taskrt_measured *measured,
			 size_t size);

/* What a thread went through until an instant, the interval in progress included. */
struct taskrt_snapshot {		/* 400 bytes, for ever */
	uint64_t at_ns;			/* CLOCK_MONOTONIC of the initial time namespace */
	uint64_t flags;			/* TASKRT_FINAL */
	struct taskrt_times times;
};

/**
 * taskrt_self_read() - the times now
 * @self: is open; nothing here looks whether it is NULL
 * @now: is filled; its content is undefined after an error
 *
 * "Now" is 64 ns behind the clock for the thread itself and 1000 ns for others, so
 * that no time ever decreases from one read to the next.  The sum of states_ns[] is
 * at_ns less the instant when tracking began, always, to the nanosecond.
 *
 * Return: 0, with TASKRT_FINAL in flags once nothing moves any more; -EAGAIN: the counters
 * were changed in each of 64 tries (never seen of a thread that reads itself); -ECHILD:
 * in a child after fork(2).  Over netlink also as taskrt_get().
 *
 * Real time: safe.  About as long as two looks at the clock; at most 64 tries.
 * Safe in a signal handler.
 * Over netlink: no; system calls, a lock, allocation.
 */
int taskrt_self_read(struct taskrt_self *self, struct taskrt_snapshot *now);

/**
 * taskrt_self_get() - all that taskrt_get() tells of a thread, the same way
 * @groups: TASKRT_GROUP_* beside the statistics
 * @size: sizeof(*reading)
 *
 * tid, tgid and ppid are as the thread's own pid namespace has them; identity and
 * name are those of when it was opened, by the first of the handles that it has now.
 *
 * Return: as taskrt_self_read(), TASKRT_FINAL is in reading->flags; -EINVAL: size is shorter than
 * version 1.0's, or @self is NULL.
 *
 * Real time: safe, as taskrt_self_read().  Some 2000 bytes are written.
 */
int taskrt_self_get(struct taskrt_self *self, uint32_t groups,
		    struct taskrt_reading *reading, size_t size);

/**
 * taskrt_self_alert() - this thread was late: what its flight recorder holds goes to the collectors
 * @tag: the caller's words, cut off after 63 bytes; NULL: none
 *
 * Of the calling thread, which is to be the one that opened @self, and which
 * somebody has armed, see taskrt_recorder_arm().  The caller learns nothing of what was recorded.
 *
 * Return: 0; -ENODATA: it is not armed; -EAGAIN: too many alerts, this one is
 * counted as lost, or accounting is just being switched on or off; -EOPNOTSUPP: not mapped;
 * -ECHILD: in a child after fork(2); others of ioctl(2).
 *
 * Real time: one system call that does not sleep, no allocation; nothing else.
 */
int taskrt_self_alert(struct taskrt_self *self, const char *tag);

/*
 * Windows: what happened between two instants of one thread.
 *
 *	taskrt_window_begin(&w, self);
 *	work();
 *	if (!taskrt_window_end(&w) && w.elapsed_ns > deadline)
 *		taskrt_window_explain(&w, &explanation, sizeof(explanation));
 */
struct taskrt_window {			/* 1024 bytes, for ever */
	uint64_t begin_ns;		/* CLOCK_MONOTONIC, as taskrt_snapshot.at_ns */
	uint64_t end_ns;
	uint64_t elapsed_ns;		/* end_ns - begin_ns */
	int32_t status;			/* as the last function on it returned */
	uint32_t flags;			/* TASKRT_FINAL; TASKRT_WINDOW_ENDED */
	struct taskrt_times spent;	/* states_ns[] sum to elapsed_ns */
	uint64_t private_[76];		/* the library's */
};

#define TASKRT_WINDOW_ENDED	2u	/* it has ended well */

/**
 * taskrt_window_begin() - from now on; also begins one anew that was not ended
 * Return: as taskrt_self_read(); -EINVAL: @self is NULL.
 * Real time: as taskrt_self_read().
 */
int taskrt_window_begin(struct taskrt_window *w, struct taskrt_self *self);

/**
 * taskrt_window_end() - until now; fills end_ns, elapsed_ns and spent
 * May be called again, for a longer window with the same begin.  Where another thread
 * ends it, the end is a microsecond earlier, but not before the begin.
 * Return: 0, with TASKRT_FINAL in flags if nothing was measured for the last part of it; -EINVAL:
 * it was not begun, or beginning failed; else as taskrt_self_read().  After an error spent is
 * all zero.
 * Real time: as taskrt_self_read(), and some 200 instructions more.
 */
int taskrt_window_end(struct taskrt_window *w);

/*
 * Stages: a named part of the work, run again and again, that accumulates.
 *
 * Plain memory, without a pointer that outlives a run: a finished stage may be
 * copied, sent to another process of the same kind, and merged there.
 */
#define TASKRT_STAGE_NAME	32

struct taskrt_stage {			/* 1024 bytes, for ever */
	char name[TASKRT_STAGE_NAME];
	uint64_t count;			/* runs that ended */
	uint64_t failed;		/* runs that could not be read, and are in nothing else */
	uint64_t wall_ns;		/* all runs together */
	struct taskrt_longest longest;	/* run */
	struct taskrt_times spent;
	uint64_t private_[71];		/* the library's: of the run in progress */
};

/** taskrt_stage_init() - empty, and called @name (cut off after 31 bytes). Real time: safe. */
void taskrt_stage_init(struct taskrt_stage *stage, const char *name);

/**
 * taskrt_stage_begin() - a run begins
 * Return: as taskrt_self_read(), -EINVAL: @self is NULL; after an error the run counts as failed,
 * and ending it is a no-op.
 * Real time: as taskrt_self_read().
 */
int taskrt_stage_begin(struct taskrt_stage *stage, struct taskrt_self *self);

/**
 * taskrt_stage_end() - the run ends and is added
 * By whichever thread, see taskrt_window_end(); it is the time of the thread that was begun with.
 * Return: as taskrt_self_read(); -EINVAL: no run had begun.
 * Real time: as taskrt_window_end().
 */
int taskrt_stage_end(struct taskrt_stage *stage);

/**
 * taskrt_stage_merge() - add what another one accumulated, e.g. on another CPU or in a process
 * Names may differ; @into keeps its own.  A run in progress stays where it is.
 * Real time: safe, some 100 instructions.
 */
void taskrt_stage_merge(struct taskrt_stage *into, const struct taskrt_stage *from);

/**
 * taskrt_stage_format() - "mix: wall 12.345 ms, cpu 3.100 ms, queue 0.000 ms, page fault 0.120 ms, lock 9.000 ms"
 * Sums over all runs.  Page fault and lock are whole intervals, which overlap
 * cpu, queue and each other, so the parts may exceed the wall time.
 * Return: the length of the whole line; if it is not less than @size, what is in
 * @line was cut off.  It ends with a NUL whenever size is not 0.
 * Real time: safe; bounded by the lengths of name and line.
 */
int taskrt_stage_format(const struct taskrt_stage *stage, char *line, size_t size);

/*
 * Where the time of a window went: each instant has one cause.  A state that the library does
 * not know has the cause of its parent.
 */
enum taskrt_cause {
	TASKRT_CAUSE_COMPUTING,		/* on a CPU, user or kernel */
	TASKRT_CAUSE_QUEUED,		/* others had the CPU: preempted, or woken and waiting */
	TASKRT_CAUSE_FAULT,		/* asleep inside a page fault */
	TASKRT_CAUSE_LOCK,		/* asleep for a kernel lock */
	TASKRT_CAUSE_IO,
	TASKRT_CAUSE_BLOCKED,		/* uninterruptible, none of the above */
	TASKRT_CAUSE_FUTEX,		/* a user-space lock or condition */
	TASKRT_CAUSE_POLL,
	TASKRT_CAUSE_TIMER,		/* nanosleep and the like */
	TASKRT_CAUSE_ASLEEP,		/* any other sleep */
	TASKRT_CAUSE_STOPPED,		/* by a signal or a debugger */
	TASKRT_CAUSE_UNEXPLAINED,	/* what remains */
};

/** taskrt_cause_name() - "computing", "kernel lock"...; NULL: no such one. Real time: safe. */
const char *taskrt_cause_name(unsigned int cause);

struct taskrt_share {
	uint64_t ns;
	uint32_t cause;			/* enum taskrt_cause */
	uint32_t reserved;
};

#define TASKRT_CAUSES_ROOM	24

/* Only grows. */
struct taskrt_explanation {
	uint64_t at_ns;			/* the window's begin */
	uint64_t elapsed_ns;
	uint32_t nr;			/* of shares: those that are not 0, and UNEXPLAINED */
	uint32_t lock;			/* enum taskrt_lock: the kind waited for longest; TASKRT_NONE */
	/*
	 * The longest single interval of the largest cause, the part of it that is inside the window.
	 * Not known (state is TASKRT_NONE) over netlink, of UNEXPLAINED, when the thread went through
	 * longer ones of that kind after the window's end, and when the record of them had no room.
	 */
	uint32_t state;			/* that it was in, enum taskrt_state */
	uint32_t reserved;
	struct taskrt_longest longest;
	struct taskrt_share shares[TASKRT_CAUSES_ROOM];	/* the largest first */
};

/**
 * taskrt_window_explain() - where the time of an ended window went
 * @size: sizeof(*e)
 * The shares sum to elapsed_ns, exactly.  To be called soon after the window's end.
 * Return: 0; -EINVAL: the window has not ended well, or size is shorter than version 1.0's.
 * Real time: safe; some thousand instructions.
 */
int taskrt_window_explain(const struct taskrt_window *w, struct taskrt_explanation *e, size_t size);

/**
 * taskrt_explanation_format() - the same in one line
 * @size: sizeof(*e)
 *
 * "late by 4.102 ms of 10.000: kernel lock 9.871 ms (70.0 %, rwsem_write, longest
 * 9.870 ms from 1234.567891), computing 4.001 ms (28.4 %), ..., unexplained 0.000 ms (0.0 %)";
 * "in time, 9.871 ms of 10.000: ..."; with a deadline of 0 "9.871 ms: ...".
 *
 * Return: as taskrt_stage_format(); -EINVAL: size is shorter than version 1.0's, the line is empty.
 * Real time: safe; bounded by the length of the line, which is under 600 bytes.
 */
int taskrt_explanation_format(const struct taskrt_explanation *e, size_t size,
			      uint64_t deadline_ns, char *line, size_t line_size);

/*
 * Series: how long windows took, over many of them.  16 KiB, for ever.
 *
 * Jitter is that of the beginnings: how much later (or, negative, earlier) than
 * one period after the one before each window began.
 */
struct taskrt_series {
	uint64_t deadline_ns;		/* 0: none, nothing is missed */
	uint64_t period_ns;		/* 0: none, there is no jitter */
	uint64_t count;
	uint64_t misses;		/* windows longer than deadline_ns */
	uint64_t min_ns;
	uint64_t max_ns;
	uint64_t sum_ns;
	uint64_t last_begin_ns;
	uint64_t jitter_count;
	int64_t jitter_min_ns;
	int64_t jitter_max_ns;
	uint64_t jitter_abs_sum_ns;
	uint64_t private_[2036];	/* the library's */
};

/** taskrt_series_init() - empty. Real time: safe; it writes the whole structure. */
void taskrt_series_init(struct taskrt_series *s, uint64_t deadline_ns, uint64_t period_ns);

/**
 * taskrt_series_add() - count an ended window
 * Return: 0; -EINVAL: it has not ended well, nothing was counted.
 * Real time: safe, some 60 instructions.
 */
int taskrt_series_add(struct taskrt_series *s, const struct taskrt_window *w);

/* Each is 0 of an empty series.  Real time: safe; a handful of instructions. */
static inline uint64_t taskrt_series_count(const struct taskrt_series *s)
{
	return s->count;
}

static inline uint64_t taskrt_series_misses(const struct taskrt_series *s)
{
	return s->misses;
}

static inline uint64_t taskrt_series_min(const struct taskrt_series *s)
{
	return s->min_ns;
}

static inline uint64_t taskrt_series_max(const struct taskrt_series *s)
{
	return s->max_ns;
}

static inline uint64_t taskrt_series_mean(const struct taskrt_series *s)
{
	return s->count ? s->sum_ns / s->count : 0;
}

/**
 * taskrt_series_percentile() - so many percent of the windows took no longer
 * @percent: 0 to 100, e.g. 99.9
 * Exact for those under 32 ns, at most 1/32 too high for others; that of 100 is the maximum.
 * Return: ns; 0 of an empty series.
 * Real time: safe; it looks at up to 2000 numbers.
 */
uint64_t taskrt_series_percentile(const struct taskrt_series *s, double percent);

/* Only grows. */
struct taskrt_jitter {
	uint64_t count;		/* of beginnings that had one before */
	int64_t min_ns;		/* the earliest */
	int64_t max_ns;		/* the latest */
	uint64_t mean_abs_ns;	/* mean of the absolute values */
};

/** taskrt_series_jitter() - fill at most size bytes of *jitter; all zero where there is none. Real time: safe. */
void taskrt_series_jitter(const struct taskrt_series *s, struct taskrt_jitter *jitter, size_t size);

/*
 * Histograms: how long the single intervals were, since this reader's last look.
 *
 * Others with their own histogram are not disturbed.  It is used by one thread at a time, of
 * this or another thread's counters, and does not outlive the handle that it was opened with.
 */
struct taskrt_histogram;

/**
 * taskrt_histogram_open() - of these counters, which are mapped
 * Return: 0; -EOPNOTSUPP: not mapped; -EINVAL; -ENOMEM; -ECHILD.  *histogram is NULL on failure.
 * Real time: no: it allocates its memory, and locks it as far as RLIMIT_MEMLOCK lets it.
 */
int taskrt_histogram_open(struct taskrt_histogram **histogram, struct taskrt_self *self);

/** taskrt_histogram_close() - free it; NULL is allowed. Real time: no. */
void taskrt_histogram_close(struct taskrt_histogram *histogram);

/* Only grows. */
struct taskrt_histogram_span {
	uint64_t from_ns;		/* the last look; at first, when the thread was opened, by
					 * the first of the handles that it has now
					 */
	uint64_t to_ns;			/* this one */
	uint32_t flags;			/* TASKRT_FINAL */
	uint32_t reserved;
};

/**
 * taskrt_histogram_read() - look: what taskrt_histogram_state() and _timer() tell is now since the last look
 * @span: is filled, if not NULL; @size: sizeof(*span)
 * Return: as taskrt_self_read(); after an error all is as before.
 * Real time: safe.  Some 8 KiB are copied, so another thread's may need several tries.
 */
int taskrt_histogram_read(struct taskrt_histogram *histogram,
			  struct taskrt_histogram_span *span, size_t size);

/* Only grows. */
struct taskrt_distribution {
	struct taskrt_longest longest;	/* also one still in progress; ns is 0: there was none */
	uint32_t exact;			/* of longest; 0: the record had no room; it is one nearby */
	uint32_t in_progress;		/* 1: longest is the one in progress */
	uint32_t counts[TASKRT_BUCKETS];	/* [n]: finished ones of 2^n to 2^(n+1) - 1 ns */
};

/**
 * taskrt_histogram_state() - the intervals in one state, between the last two looks
 * @size: sizeof(*distribution)
 * Return: 0; -ENODATA: not measured; -EINVAL.
 * Real time: safe.
 */
int taskrt_histogram_state(const struct taskrt_histogram *histogram, unsigned int state,
			   struct taskrt_distribution *distribution, size_t size);

/** taskrt_histogram_timer() - those of one timer, enum taskrt_timer; else as taskrt_histogram_state() */
int taskrt_histogram_timer(const struct taskrt_histogram *histogram, unsigned int timer,
			   struct taskrt_distribution *distribution, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* TASKRT_SELF_H */
