/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libtaskrt: a thread reads its own counters.
 *
 * A thread calls taskrt_self_open() once, during set-up.  From then on, it and all
 * other threads of its process can read its counters from a mapping that the module
 * writes.  A read copies the counters and reads the clock.
 *
 * "Real-time safe" means: no system call, no lock, no allocation, no page fault in
 * the library's own memory, and a bounded number of instructions.  This requires that
 * taskrt_self_mapped() is 1; that the system clock can be read without a system call,
 * which is the case if the clock source in /sys/devices/system/clocksource is tsc,
 * kvm-clock, hyperv or arch_sys_counter; and that the caller's own memory (its stack
 * and the arguments) is present.  mlockall(2) ensures the last.
 *
 * The structures declared here are memory of the caller, and need not be freed.
 * Each may be used by one thread at a time.  A mapped struct taskrt_self may be read
 * by any number of threads at once.
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

/* The counters of one thread. */
struct taskrt_self;

/* A flag of taskrt_self_open(): fail instead of using netlink, which is not real-time safe. */
#define TASKRT_SELF_MAPPED	1u

/**
 * taskrt_self_open() - open the counters of the calling thread
 * @self: set to the new handle, or to NULL on failure
 * @flags: 0, or TASKRT_SELF_MAPPED
 *
 * The handle always refers to the thread that opened it, including when another thread
 * reads it, and after the thread has ended.  exec(3) removes it.  In a child after
 * fork(2) all functions fail with -ECHILD; the child has to open its own handle.
 *
 * If /dev/taskrt cannot be opened or mapped (ENOENT, EACCES, EPERM, ENXIO, ENODEV,
 * EOPNOTSUPP), the library reads the counters over netlink instead, unless @flags forbids it.
 * taskrt_self_mapped() returns which of the two is used.
 *
 * Return: 0; -ENOENT: neither /dev/taskrt nor the module exists; -EACCES: the caller
 * may not open /dev/taskrt; -EPERM: exact times may not be mapped (parameter
 * coarse_ns); -ENODATA: accounting is switched off, or the thread is not tracked;
 * -EOPNOTSUPP: the module cannot detect exec on this kernel, so mapping is not safe;
 * -EUSERS: the user has mapped the counters of too many threads (parameter
 * mappings_per_user); -ENOSPC: all users together have (mappings_max);
 * -EPROTO: the library does not support this module; -EINVAL: an argument is invalid;
 * -ENOMEM; other errors of open(2) and mmap(2).
 *
 * Real time: no.  This is for set-up: it makes system calls, allocates, and needs about
 * 20 KiB of stack.  It faults in all memory and code that the functions below access,
 * and locks the library's own memory as far as RLIMIT_MEMLOCK allows.  Only
 * mlockall(2) keeps the code in memory.
 */
int taskrt_self_open(struct taskrt_self **self, unsigned int flags);

/**
 * taskrt_self_close() - unmap the counters and free the handle, which may be NULL
 * Any thread may call this, once no thread uses the handle.  In a child after
 * fork(2) it frees the child's copy and does not affect the parent.
 *
 * Real time: no, it makes system calls.
 */
void taskrt_self_close(struct taskrt_self *self);

/**
 * taskrt_self_mapped() - check whether the counters are mapped
 * Return: 1: reads are real-time safe; 0: each read uses netlink, or this is a child
 * after fork(2).
 *
 * Real time: safe; a few instructions.
 */
int taskrt_self_mapped(const struct taskrt_self *self);

/**
 * taskrt_self_measured() - get which elements of the times are measured
 * @measured: filled with the masks, see linux/taskrt.h
 * @size: sizeof(*measured)
 * The bit of TASKRT_TIMER_STEAL is set as soon as the kernel has reported stolen time.
 * Return: 0; -EINVAL: an argument is invalid; -ECHILD: after fork(2), in the child.
 * Real time: safe.
 */
int taskrt_self_measured(const struct taskrt_self *self, struct taskrt_measured *measured,
			 size_t size);

/* The times of a thread at an instant, including the intervals in progress. */
struct taskrt_snapshot {		/* 400 bytes, never changes */
	uint64_t at_ns;			/* CLOCK_MONOTONIC of the initial time namespace */
	uint64_t flags;			/* TASKRT_FINAL */
	struct taskrt_times times;
};

/**
 * taskrt_self_read() - read the times of the thread
 * @self: an open handle; it is not checked for NULL
 * @now: filled with the times; undefined after an error
 *
 * The sample is taken as of 64 ns ago if the thread itself reads, and as of 1000 ns
 * ago if another thread reads, so that no time ever decreases from one read to the
 * next.  One exception, before Linux 6.18: if the thread waits for a CPU in a control group
 * with a quota, another thread learns only at the end of that wait which part of it was
 * throttled.  The sum of states_ns[] always equals at_ns minus the time at which tracking
 * started, to the nanosecond.
 *
 * Return: 0, with TASKRT_FINAL in flags if the values are final; -EAGAIN: the counters
 * changed during each of 64 attempts (never observed for a thread that reads itself);
 * -ECHILD: in a child after fork(2).  Over netlink, also the errors of taskrt_get().
 *
 * Real time: safe if mapped, also in a signal handler.  A read takes about as long as
 * reading the clock twice.  Over netlink: no; it makes system calls, takes a lock and
 * allocates.
 */
int taskrt_self_read(struct taskrt_self *self, struct taskrt_snapshot *now);

/**
 * taskrt_self_get() - read the thread as taskrt_get() does
 * @groups: TASKRT_GROUP_* to return in addition to the statistics
 * @reading: filled with the totals; undefined after an error
 * @size: sizeof(*reading)
 *
 * If the counters are mapped, the CPU, the cgroup, user and system time, cycles,
 * instructions and the stalls for memory are missing.
 *
 * tid, tgid and ppid are ids of the thread's own pid namespace.  Identity and name
 * date from the time at which the oldest of the thread's open handles was opened.
 *
 * Return: as taskrt_self_read(), with TASKRT_FINAL in reading->flags; -EINVAL: @size is
 * smaller than in version 1.0, bit 31 of @groups is set, or @self is NULL.
 *
 * Real time: as taskrt_self_read().  It writes about 2000 bytes.
 */
int taskrt_self_get(struct taskrt_self *self, uint32_t groups,
		    struct taskrt_reading *reading, size_t size);

/**
 * taskrt_self_alert() - report that this thread was late
 * @self: any mapped handle of the process; the alert is always about the calling thread
 * @tag: free text, truncated to 63 bytes; NULL: none
 * @begin_ns: when the late cycle started, as taskrt_window.begin_ns; 0: not said
 *
 * The events in the thread's flight recorder are sent to the collectors, and not to the
 * caller.  The calling thread must have been armed, see taskrt_recorder_arm().
 *
 * Return: 0; -ENODATA: the calling thread is not armed, or accounting is switched off; -EAGAIN:
 * there were too many alerts, or the previous one of the thread is still being sent, and
 * this one is counted as lost; or one of the module's parameters enabled, interrupts and
 * cycles is being written; -EOPNOTSUPP: the counters are not mapped; -ECHILD: in a child
 * after fork(2); -EINVAL: @self is NULL; other errors of ioctl(2).
 *
 * Real time: one system call, which does not sleep and does not allocate.
 */
int taskrt_self_alert(struct taskrt_self *self, const char *tag, uint64_t begin_ns);

/*
 * Windows: the times of one thread between two instants.
 *
 *	taskrt_window_begin(&w, self);
 *	work();
 *	if (!taskrt_window_end(&w) && w.elapsed_ns > deadline)
 *		taskrt_window_explain(&w, &explanation, sizeof(explanation));
 */
struct taskrt_window {			/* 1024 bytes, never changes */
	uint64_t begin_ns;		/* CLOCK_MONOTONIC, as taskrt_snapshot.at_ns */
	uint64_t end_ns;
	uint64_t elapsed_ns;		/* end_ns - begin_ns */
	int32_t status;			/* return value of the last function on it */
	uint32_t flags;			/* TASKRT_FINAL; TASKRT_WINDOW_ENDED */
	struct taskrt_times spent;	/* states_ns[] sum to elapsed_ns */
	uint64_t private_[76];		/* for the library only */
};

#define TASKRT_WINDOW_ENDED	2u	/* taskrt_window_end() was successful */

/**
 * taskrt_window_begin() - start a window
 * A started window starts again, even if it was not ended.
 * Return: as taskrt_self_read(); -EINVAL: @self is NULL.
 * Real time: as taskrt_self_read().
 */
int taskrt_window_begin(struct taskrt_window *w, struct taskrt_self *self);

/**
 * taskrt_window_end() - end a window, and fill end_ns, elapsed_ns and spent
 * It may be called again, for a longer window with the same start.  If another thread
 * ends the window, the end is 1 us earlier, but not before the start.
 * Return: 0, with TASKRT_FINAL in flags if the last part of the window was not measured;
 * -EINVAL: the window was not started, whatever it holds, or its start failed; else as
 * taskrt_self_read().  After an error, elapsed_ns and spent are zero.
 * Real time: as taskrt_self_read(), and about 200 instructions more.
 */
int taskrt_window_end(struct taskrt_window *w);

/*
 * Stages: a stage accumulates the times of all runs of a named part of the work.
 *
 * A stage contains no pointers between runs.  It may then be copied, sent to another
 * process with the same ABI, and merged there.
 */
#define TASKRT_STAGE_NAME	32

struct taskrt_stage {			/* 1024 bytes, never changes */
	char name[TASKRT_STAGE_NAME];
	uint64_t count;			/* number of runs that ended */
	uint64_t failed;		/* number of runs not measured, excluded from all else */
	uint64_t wall_ns;		/* total duration of all runs */
	struct taskrt_longest longest;	/* the longest run */
	struct taskrt_times spent;	/* total times of all runs */
	uint64_t private_[71];		/* for the library only */
};

/**
 * taskrt_stage_init() - initialise an empty stage
 * @name: copied, and truncated to 31 bytes
 * Real time: safe.
 */
void taskrt_stage_init(struct taskrt_stage *stage, const char *name);

/**
 * taskrt_stage_begin() - start a run
 * Return: as taskrt_self_read(); -EINVAL: @self is NULL.  After an error the run is
 * counted as failed, and ending it has no effect.
 * Real time: as taskrt_self_read().
 */
int taskrt_stage_begin(struct taskrt_stage *stage, struct taskrt_self *self);

/**
 * taskrt_stage_end() - end a run, and add its times to the stage
 * Any thread may call this, see taskrt_window_end().  The times are times of the thread
 * that was passed to taskrt_stage_begin().
 * Return: as taskrt_self_read(); -EINVAL: no run was started.
 * Real time: as taskrt_window_end().
 */
int taskrt_stage_end(struct taskrt_stage *stage);

/**
 * taskrt_stage_merge() - add the accumulated times of another stage
 * @into: the stage to add to, which keeps its name
 * @from: for example a stage of another CPU or process; its name may differ
 * Runs in progress are not affected.
 * Real time: safe; about 100 instructions.
 */
void taskrt_stage_merge(struct taskrt_stage *into, const struct taskrt_stage *from);

/**
 * taskrt_stage_format() - format the sums over all runs as one line
 * @line: filled with the line, and always ends with a NUL unless @size is 0
 * @size: the size of @line
 *
 * An example is "mix: wall 12.345 ms, cpu 3.100 ms, queue 0.000 ms, page fault
 * 0.120 ms, lock 9.000 ms".  Page fault and lock are inclusive timers, which overlap
 * cpu, queue and each other, so the parts may sum to more than the wall time.
 * Return: the length of the whole line; if it is not less than @size, the line was
 * truncated.
 * Real time: safe; bounded by the lengths of the name and the line.
 */
int taskrt_stage_format(const struct taskrt_stage *stage, char *line, size_t size);

/*
 * The causes among which the time of a window is divided.  Each instant has exactly one
 * cause.  A state that the library does not know has the cause of its parent.
 */
enum taskrt_cause {
	TASKRT_CAUSE_COMPUTING,		/* on a CPU, and not interrupted */
	TASKRT_CAUSE_QUEUED,		/* runnable, waiting for a CPU: preempted or woken */
	TASKRT_CAUSE_FAULT,		/* asleep inside a page fault */
	TASKRT_CAUSE_LOCK,		/* asleep, waiting for a kernel lock */
	TASKRT_CAUSE_IO,		/* asleep, waiting for I/O */
	TASKRT_CAUSE_BLOCKED,		/* in any other uninterruptible sleep */
	TASKRT_CAUSE_FUTEX,		/* asleep in futex(2): user-space lock or condition */
	TASKRT_CAUSE_POLL,		/* asleep in poll, select, epoll or io_uring_enter */
	TASKRT_CAUSE_TIMER,		/* asleep in nanosleep or clock_nanosleep */
	TASKRT_CAUSE_ASLEEP,		/* any other sleep */
	TASKRT_CAUSE_STOPPED,		/* stopped by a signal or a debugger */
	TASKRT_CAUSE_UNEXPLAINED,	/* the remaining time */
	TASKRT_CAUSE_HARDIRQ,		/* on a CPU, interrupted by hardware or another CPU */
	TASKRT_CAUSE_SOFTIRQ,		/* on a CPU, interrupted by a softirq */
	TASKRT_CAUSE_EXPIRY,		/* asleep, although a timer should have fired */
	TASKRT_CAUSE_THROTTLED,		/* runnable, but its CPU time was used up */
	TASKRT_CAUSE_FILE,		/* asleep in read, write, ioctl, calls on files, paths */
	TASKRT_CAUSE_SOCKET,		/* asleep in recv, send, accept or connect */
	TASKRT_CAUSE_WAIT,		/* asleep in wait4, waitid or vfork */
	TASKRT_CAUSE_PAUSE,		/* asleep in sigsuspend, sigtimedwait or pause */
	TASKRT_CAUSE_STOLEN,		/* on a CPU that the hypervisor did not let run */
	TASKRT_CAUSE_RECLAIM_CPU,	/* on a CPU, reclaiming or compacting memory */
	TASKRT_CAUSE_YIELDED,		/* runnable, but it gave its CPU away by sched_yield(2) */
	TASKRT_CAUSE_FAULT_CPU,		/* on a CPU, handling page faults */
};

/** taskrt_cause_name() - "computing", "kernel lock"...; NULL: unknown cause.  Real time: safe. */
const char *taskrt_cause_name(unsigned int cause);

struct taskrt_share {
	uint64_t ns;
	uint32_t cause;			/* enum taskrt_cause */
	uint32_t reserved;
};

#define TASKRT_CAUSES_ROOM	32

/* How the time of a window divides.  The structure only grows. */
struct taskrt_explanation {
	uint64_t at_ns;			/* when the window started, CLOCK_MONOTONIC */
	uint64_t elapsed_ns;
	uint32_t nr;			/* number of shares that are not 0, and UNEXPLAINED */
	uint32_t lock;			/* enum taskrt_lock waited for longest; or TASKRT_NONE */
	/*
	 * The longest single interval of the largest cause, clipped to the window.  It is
	 * not known, and state is TASKRT_NONE, if the counters are read over netlink, if the
	 * largest cause is UNEXPLAINED or FAULT_CPU, if there was a longer interval of the same cause
	 * after the end of the window, or if the list of longest intervals was full.
	 * For EXPIRY, state is the one that took most of the time, of those that a timer
	 * may end.
	 */
	uint32_t state;			/* enum taskrt_state of that interval */
	uint32_t reserved;
	struct taskrt_longest longest;
	struct taskrt_share shares[TASKRT_CAUSES_ROOM];	/* in descending order */
	/*
	 * For a window that started when it was due, if the thread was still waiting then: when
	 * it was woken, and by which task.  For any other: the same about its longest interval, if
	 * that was a wait and the thread's last one.  Otherwise 0.
	 */
	uint64_t woken_ns;
	uint32_t waker_kind;		/* enum taskrt_waker_kind */
	uint32_t waker_tid;		/* of TASKRT_WAKER_TASK */
	char waker_comm[16];
	/*
	 * If a timer has ended a wait in TASKRT_STATE_SLEEPING_TIMER in the window, and the
	 * thread has not waited since: how much later than asked for the timer slack of the
	 * thread permits that (PR_SET_TIMERSLACK of prctl(2)).  Otherwise 0.
	 */
	uint64_t slack_ns;
};

/**
 * taskrt_window_explain() - divide the time of an ended window by cause
 * @e: filled with the shares, which sum exactly to elapsed_ns
 * @size: sizeof(*e)
 * It should be called soon after the end of the window, because it reads the thread's
 * list of longest intervals.
 * Return: 0; -EINVAL: the window was not ended successfully, or @size is smaller than in
 * version 1.0.
 * Real time: safe if mapped; a few thousand instructions.
 */
int taskrt_window_explain(const struct taskrt_window *w, struct taskrt_explanation *e, size_t size);

/**
 * taskrt_explanation_format() - format an explanation as one line
 * @size: sizeof(*e)
 * @deadline_ns: the deadline of the window; 0: none
 * @line: filled with the line; 1100 bytes with its NUL are enough
 * @line_size: the size of @line
 *
 * If the window was longer than the deadline, the line is, for example, "late by
 * 4.102 ms of 10.000: kernel lock 9.871 ms (70.0 %, rwsem_write, longest 9.870 ms from
 * 1234.567891), computing 4.001 ms (28.4 %), ..., unexplained 0.000 ms (0.0 %)".
 * Otherwise it starts with "in time, 9.871 ms of 10.000: ".  Without a deadline it
 * starts with "9.871 ms: ".  If the thread was woken late, and not by a timer, the line
 * ends with, for example, "; woken 3.125 ms late by jackd (812)", or, if an interrupt has
 * woken it, perhaps on behalf of a task, "; woken 3.125 ms late"; if the waker of its longest
 * wait is known, with "; woken by jackd (812)".
 *
 * Return: as taskrt_stage_format(); -EINVAL: @size is smaller than in version 1.0, and
 * the line is empty.
 * Real time: safe; bounded by the length of the line.
 */
int taskrt_explanation_format(const struct taskrt_explanation *e, size_t size,
			      uint64_t deadline_ns, char *line, size_t line_size);

/*
 * Series: the distribution of the durations of many windows.  A series has 16 KiB, and
 * its size never changes.
 *
 * The jitter of a window is its start minus the expected start, which is one period after
 * the start of the previous window.
 */
struct taskrt_series {
	uint64_t deadline_ns;		/* 0: none, and no misses are counted */
	uint64_t period_ns;		/* 0: none, and no jitter is computed */
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
	uint64_t private_[2036];	/* for the library only */
};

/**
 * taskrt_series_init() - initialise an empty series
 * @deadline_ns: windows that are longer count as misses; 0: no deadline
 * @period_ns: the nominal time between the starts of windows; 0: no jitter
 * Real time: safe; it writes the whole structure.
 */
void taskrt_series_init(struct taskrt_series *s, uint64_t deadline_ns, uint64_t period_ns);

/**
 * taskrt_series_add() - add an ended window to the series
 * Return: 0; -EINVAL: the window was not ended successfully, and was not added.
 * Real time: safe; about 60 instructions.
 */
int taskrt_series_add(struct taskrt_series *s, const struct taskrt_window *w);

/* Each of these returns 0 for an empty series.  Real time: safe; a few instructions. */
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
 * taskrt_series_percentile() - get a percentile of the durations
 * @percent: 0 to 100, for example 99.9; below 0 counts as 0, above 100 and NaN as 100
 * The result is exact below 32 ns, and at most 1/32 too high above.  The result for 100
 * is the maximum.
 * Return: a duration in ns, which @percent percent of the windows did not exceed; 0 for
 * an empty series.
 * Real time: safe; it reads up to 2000 numbers.
 */
uint64_t taskrt_series_percentile(const struct taskrt_series *s, double percent);

/* The jitter of a series.  The structure only grows. */
struct taskrt_jitter {
	uint64_t count;		/* number of windows with a previous window */
	int64_t min_ns;		/* the smallest jitter; negative: too early */
	int64_t max_ns;		/* the largest jitter */
	uint64_t mean_abs_ns;	/* mean of the absolute values */
};

/**
 * taskrt_series_jitter() - get the jitter of the series
 * @jitter: filled; all zero if there is none; the rest of @size is zeroed
 * @size: sizeof(*jitter)
 * Real time: safe.
 */
void taskrt_series_jitter(const struct taskrt_series *s, struct taskrt_jitter *jitter, size_t size);

/*
 * Histograms: the durations of the single intervals between two reads.
 *
 * A histogram reads the counters of the calling thread or of another one.  Several
 * histograms of the same thread are independent.  A histogram may be used by one thread
 * at a time, and must be closed before the handle that it was opened with.
 */
struct taskrt_histogram;

/**
 * taskrt_histogram_open() - create a histogram
 * @histogram: set to the new handle, or to NULL on failure
 * @self: the counters, which must be mapped
 * Return: 0; -EOPNOTSUPP: the counters are not mapped; -EINVAL: an argument is invalid;
 * -ENOMEM; -ECHILD: in a child after fork(2).
 * Real time: no.  It allocates memory, and locks it as far as RLIMIT_MEMLOCK allows.
 */
int taskrt_histogram_open(struct taskrt_histogram **histogram, struct taskrt_self *self);

/**
 * taskrt_histogram_close() - free the histogram, which may be NULL
 * In a child after fork(2) it frees the child's copy and does not affect the parent.
 * Real time: no.
 */
void taskrt_histogram_close(struct taskrt_histogram *histogram);

/* The time between two reads of a histogram.  The structure only grows. */
struct taskrt_histogram_span {
	uint64_t from_ns;		/* the previous read; for the first read, when the oldest
					 * of the thread's open handles was opened
					 */
	uint64_t to_ns;			/* this read */
	uint32_t flags;			/* TASKRT_FINAL */
	uint32_t reserved;
};

/**
 * taskrt_histogram_read() - read the intervals since the previous read
 * @span: if not NULL, filled with the time between the two reads
 * @size: sizeof(*span)
 *
 * Afterwards taskrt_histogram_state() and taskrt_histogram_timer() return the intervals
 * between the previous read and this one.
 * Return: as taskrt_self_read(); after an error the histogram is unchanged.
 * Real time: safe if mapped.  It copies up to 14 KiB, so a read of another thread's counters may
 * need several attempts.
 */
int taskrt_histogram_read(struct taskrt_histogram *histogram,
			  struct taskrt_histogram_span *span, size_t size);

/* The durations of the intervals in one state or of one timer.  The structure only grows. */
struct taskrt_distribution {
	struct taskrt_longest longest;	/* may be still in progress; ns is 0 if there was none */
	uint32_t exact;			/* 0: the list was full, and longest is one nearby */
	uint32_t in_progress;		/* 1: longest is still in progress */
	uint32_t counts[TASKRT_BUCKETS];	/* [n]: finished, 2^n to 2^(n+1) - 1 ns long */
};

/**
 * taskrt_histogram_state() - get the intervals in one state between the last two reads
 * @state: enum taskrt_state
 * @size: sizeof(*distribution)
 * Return: 0; -ENODATA: the state is not measured; -EINVAL: an argument is invalid;
 * -ECHILD: in a child after fork(2).
 * Real time: safe.
 */
int taskrt_histogram_state(const struct taskrt_histogram *histogram, unsigned int state,
			   struct taskrt_distribution *distribution, size_t size);

/** taskrt_histogram_timer() - the same for one timer, enum taskrt_timer */
int taskrt_histogram_timer(const struct taskrt_histogram *histogram, unsigned int timer,
			   struct taskrt_distribution *distribution, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* TASKRT_SELF_H */
