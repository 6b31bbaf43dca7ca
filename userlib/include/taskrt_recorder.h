/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libtaskrt: the flight recorder.
 *
 * After a thread has been armed, the module keeps its last events.  An alert is
 * raised by the thread itself (taskrt_self_alert()) or by the module, when an
 * interval exceeds a limit.  The alert sends the recorded events to all collectors,
 * which need CAP_NET_ADMIN and CAP_PERFMON.  The thread itself does not receive them.
 *
 * Unless stated otherwise, these functions are not real-time safe: they allocate
 * memory, make system calls and may sleep.  A handle may be used by one thread at a
 * time.
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

/* The options of a flight recorder.  A field of 0 selects the default.  It only grows. */
struct taskrt_recorder_options {
	uint32_t depth;		/* events to keep, TASKRT_DEPTH_MIN to _MAX; default 64 */
	uint32_t states;	/* for alert_over_ns, 1 << enum taskrt_state; see _ALERT_STATES */
	uint64_t threshold_ns;	/* keep the kernel stack of waits this long; default 1 ms */
	uint64_t alert_over_ns;	/* raise an alert if an interval takes this long; default: never */
};

/**
 * taskrt_recorder_arm() - attach a flight recorder to a thread
 * @tid: the thread; 0: the calling thread
 * @options: NULL: all defaults
 * @size: sizeof(*options); if the library knows fewer bytes, the rest must be zero
 *
 * Requires the right to read the thread.  The thread remains armed until it ends, is
 * disarmed, or the handle's connection to the kernel ends.  taskrt_close() ends the
 * connection, unless a child after fork(2) has a copy of the handle, and so does a call on
 * the handle that fails with -ENOBUFS, -ENOMEM or -EBADMSG.  Arming a thread again discards the recorded events.
 *
 * Return: 0; -EINVAL: an option is invalid (taskrt_error() contains the details);
 * -EBUSY: another connection has armed the thread, and the caller lacks CAP_PERFMON, with
 * which it takes the thread over;
 * -EUSERS: the user has armed too many threads; -ENOSPC: too many threads are armed;
 * -EOPNOTSUPP: the module is older than the recorder; -E2BIG: the options have fields
 * that this library does not know; -ENOENT: the module is just being inserted; or an
 * error of taskrt_get().
 */
int taskrt_recorder_arm(struct taskrt *handle, pid_t tid,
			const struct taskrt_recorder_options *options, size_t size);

/**
 * taskrt_recorder_disarm() - remove the flight recorder of a thread
 * @tid: the thread; 0: the calling thread
 * Requires the right to read the thread; and CAP_PERFMON, if another connection has armed
 * it: then the last alert of the thread has the reason TASKRT_REASON_DISARMED.
 * Return: as taskrt_recorder_arm(); -ENODATA: the thread is not armed; -EPERM: also if another
 * connection has armed it.
 */
int taskrt_recorder_disarm(struct taskrt *handle, pid_t tid);

/* A collector of alerts. */
struct taskrt_alerts;

/* An alert: one thread was late.  The structure only grows. */
struct taskrt_alert {
	uint64_t seq;			/* sequence number: alerts delivered and lost before */
	uint64_t gap;			/* alerts missing between the previous one and this one */
	uint64_t lost;			/* alerts that the module could not deliver so far */
	uint64_t at_ns;			/* CLOCK_MONOTONIC when the alert was raised */
	uint64_t begin_ns;		/* start of the late cycle, if the thread said it; or 0 */
	uint64_t end_ns;		/* and when it ended; 0: it did not say */
	uint64_t recorded;		/* events since the previous alert, or since arming */
	pid_t tid;			/* ids in the initial pid namespace */
	pid_t tgid;
	uint32_t reason;		/* enum taskrt_reason */
	uint32_t nr_events;		/* see taskrt_alerts_event() */
	char comm[16];
	char tag[TASKRT_TAG_MAX];	/* the tag of taskrt_self_alert(); "": none */
};

/* One event, with the code location if it is known.  The structure only grows. */
struct taskrt_alert_event {
	const char *caller;		/* lock's caller, "symbol+0x12/0x34 [module]"; or NULL */
	const char *const *frames;	/* frames of the kernel stack, innermost first */
	size_t nr_frames;
	size_t reserved;
	struct taskrt_event event;
};

/**
 * taskrt_alerts_open() - open a collector, which receives all alerts from now on
 * @alerts: set to the new collector, or to NULL on failure
 * Return: 0; -EPERM: the caller lacks CAP_NET_ADMIN or CAP_PERFMON, or is not in the
 * initial network namespace (taskrt_info.initial); -EOPNOTSUPP: the module is older than the
 * recorder; or an error of taskrt_open().
 */
int taskrt_alerts_open(struct taskrt_alerts **alerts);

/** taskrt_alerts_close() - free the collector, which may be NULL, and its last alert */
void taskrt_alerts_close(struct taskrt_alerts *alerts);

/** taskrt_alerts_error() - describe the last error, as taskrt_error() */
const char *taskrt_alerts_error(const struct taskrt_alerts *alerts);

/**
 * taskrt_alerts_fd() - get the file descriptor to poll for reading
 * When it is readable, call taskrt_alerts_next() with a timeout of 0 until it returns 0, or
 * fails with another error than -EBADMSG.  The descriptor must not be read from or closed.
 */
int taskrt_alerts_fd(const struct taskrt_alerts *alerts);

/**
 * taskrt_alerts_next() - receive the next complete alert
 * @timeout_ms: the maximum time to wait for it; 0: do not wait; negative: no limit
 * @alert: filled with the fields that the library knows; the rest of @size is zeroed
 * @size: sizeof(*alert)
 *
 * If this reader was too slow and a part of an alert may have been lost, the alert is
 * not returned, and is counted in the gap of the next one.  The gap also counts the
 * alerts that the module itself has lost, which are in lost, too.
 *
 * Return: 1: *alert was filled; 0: the timeout expired; -EINTR: interrupted by a
 * signal; -ENODEV: the module was removed; -EBADMSG: a malformed message was skipped;
 * -ENOMEM; -EINVAL: an argument is invalid; other errors of recvmsg(2).
 */
int taskrt_alerts_next(struct taskrt_alerts *alerts, int timeout_ms,
		       struct taskrt_alert *alert, size_t size);

/**
 * taskrt_alerts_event() - get an event of the alert that was returned last
 * @index: less than its nr_events; 0 is the oldest event
 * @event: filled with the event; its pointers are valid until the next
 * taskrt_alerts_next()
 * @size: sizeof(*event)
 * Return: 0; -ENOENT: @index is out of range; -EINVAL: an argument is invalid.
 */
int taskrt_alerts_event(const struct taskrt_alerts *alerts, uint32_t index,
			struct taskrt_alert_event *event, size_t size);

/** taskrt_reason_name() - "requested", "over"; NULL: unknown reason.  Real-time safe. */
const char *taskrt_reason_name(unsigned int reason);

#ifdef __cplusplus
}
#endif

#endif /* TASKRT_RECORDER_H */
