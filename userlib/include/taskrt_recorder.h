/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libtaskrt: the flight recorder.
 *
 * A thread is armed: from then on the module keeps the last events of it.  When
 * it was late, it says so (taskrt_self_alert()) or the module notices by itself,
 * and all that is kept goes to the collectors, who need CAP_NET_ADMIN.  The
 * thread itself gets nothing back.
 *
 * Nothing here is real-time safe but where it says so: the functions allocate,
 * make system calls and may sleep.  A handle is used by one thread at a time.
 *
 * Included by taskrt.h.  C and C++.
 */
#ifndef TASKRT_RECORDER_H
#define TASKRT_RECORDER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <linux/taskrt.h>
#include <linux/taskrt_page.h>

#ifdef __cplusplus
extern "C" {
#endif

struct taskrt;

/* How to arm.  0 in a field: the default.  Only grows. */
struct taskrt_recorder_options {
	uint32_t depth;		/* events kept, TASKRT_DEPTH_MIN to _MAX; 64 */
	uint32_t states;	/* for alert_over_ns: 1 << enum taskrt_state each; TASKRT_ALERT_STATES */
	uint64_t threshold_ns;	/* waits that take so long have their kernel stack kept; 1 ms */
	uint64_t alert_over_ns;	/* alert by itself when an interval takes so long; never */
};

/**
 * taskrt_recorder_arm() - arm a thread, or arm it anew
 * @tid: 0: the calling thread
 * @options: NULL: all defaults; @size: sizeof(*options); of longer ones the rest must be zero
 *
 * For as long as the handle is open and the thread lives.  Whoever may read a
 * thread may arm it.  The arming belongs to the handle's connection, which ends with
 * taskrt_close(), and early when a call on it fails with -ENOBUFS, -ENOMEM or -EBADMSG.
 *
 * Return: 0; -EINVAL a bad option, and taskrt_error() says which; -EBUSY: another connection has
 * armed it, disarm it first; -EUSERS: the user has armed too many; -ENOSPC: too many are armed;
 * -EOPNOTSUPP: the module is older than the recorder; -E2BIG: the options have more than this library
 * knows; and as taskrt_get().
 */
int taskrt_recorder_arm(struct taskrt *handle, pid_t tid,
			const struct taskrt_recorder_options *options, size_t size);

/**
 * taskrt_recorder_disarm() - no longer, whoever armed it
 * @tid: 0: the calling thread
 * Return: as taskrt_recorder_arm(); -ENODATA: it is not armed.
 */
int taskrt_recorder_disarm(struct taskrt *handle, pid_t tid);

/* A collector of alerts. */
struct taskrt_alerts;

/* One thread that was late.  Only grows. */
struct taskrt_alert {
	uint64_t seq;			/* number of the alert, from 0 on; told + lost */
	uint64_t gap;			/* alerts between the one handed out before and this one */
	uint64_t lost;			/* alerts that the module could not tell, so far */
	uint64_t at_ns;			/* CLOCK_MONOTONIC when it was raised */
	uint64_t recorded;		/* events since armed or since the alert before, also overwritten ones */
	pid_t tid;			/* in the initial pid namespace */
	pid_t tgid;
	uint32_t reason;		/* enum taskrt_reason */
	uint32_t nr_events;		/* see taskrt_alerts_event() */
	char comm[16];
	char tag[TASKRT_TAG_MAX];	/* the thread's own words; "": none */
};

/* One event, and what the module could tell of where it happened.  Only grows. */
struct taskrt_alert_event {
	const char *caller;		/* who wanted the lock, "symbol+0x12/0x34 [module]"; or NULL */
	const char *const *frames;	/* the kernel stack, innermost first */
	size_t nr_frames;
	size_t reserved;
	struct taskrt_event event;
};

/**
 * taskrt_alerts_open() - collect from now on
 * Return: 0; -EPERM: it takes CAP_NET_ADMIN, and this is to be the initial network namespace
 * (taskrt_info.initial);
 * -EOPNOTSUPP: the module is older than the recorder; and as taskrt_open().
 */
int taskrt_alerts_open(struct taskrt_alerts **alerts);

/** taskrt_alerts_close() - stop and free, the last alert with it; NULL is allowed. */
void taskrt_alerts_close(struct taskrt_alerts *alerts);

/** taskrt_alerts_error() - as taskrt_error() */
const char *taskrt_alerts_error(const struct taskrt_alerts *alerts);

/** taskrt_alerts_fd() - to poll for reading, then call taskrt_alerts_next() with 0 until it returns 0 */
int taskrt_alerts_fd(const struct taskrt_alerts *alerts);

/**
 * taskrt_alerts_next() - the next alert, whole
 * @timeout_ms: wait so long for it at most; 0: do not wait; negative: for ever
 * @size: sizeof(*alert), of which at most this library's is filled, and the rest zeroed
 *
 * An alert of which a part may have been lost on the way (this reader was too slow) is not
 * handed out: it shows in the gap of the next one.  The module's own losses
 * show there, too, and in lost.
 *
 * Return: 1: *alert was filled; 0: none came in time; -EINTR: a signal came first; -ENODEV: the
 * module was removed; -EBADMSG: a message that makes no sense (it was skipped); -ENOMEM;
 * others of recvmsg(2).
 */
int taskrt_alerts_next(struct taskrt_alerts *alerts, int timeout_ms,
		       struct taskrt_alert *alert, size_t size);

/**
 * taskrt_alerts_event() - an event of the alert that was handed out last
 * @index: below its nr_events; 0 is the oldest
 * @size: sizeof(*event); what it points to is valid until the next taskrt_alerts_next()
 * Return: 0; -ENOENT: there are not so many; -EINVAL.
 */
int taskrt_alerts_event(const struct taskrt_alerts *alerts, uint32_t index,
			struct taskrt_alert_event *event, size_t size);

/** taskrt_reason_name() - "told", "over"; NULL: no such one. Real-time safe. */
const char *taskrt_reason_name(unsigned int reason);

#ifdef __cplusplus
}
#endif

#endif /* TASKRT_RECORDER_H */
