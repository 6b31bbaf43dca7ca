/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * /dev/taskrt: a thread's own counters in its memory.
 *
 *	fd = open("/dev/taskrt", O_RDONLY | O_CLOEXEC);
 *	mmap(NULL, TASKRT_PAGE_SIZE, PROT_READ, MAP_SHARED, fd, 0);
 *
 * maps those of the thread that calls mmap(), for all threads of its process
 * to read.  They are there at once and cause no page fault later.  A child
 * does not inherit them, an exec drops them.  What was mapped is this thread's
 * for ever: when it has ended it shows the last values, never another's.
 *
 * Reading, without a system call:
 *
 *	do {
 *		count = changes, until none of the two is odd
 *		copy
 *		now = CLOCK_MONOTONIC - clock_offset_ns
 *	} while (changes != count);
 *
 * and the interval in progress is added: now - since_ns to the state, if
 * now is later; and, if one is being waited for, likewise for fault and lock.
 */
#ifndef _UAPI_LINUX_TASKRT_PAGE_H
#define _UAPI_LINUX_TASKRT_PAGE_H

#include <linux/ioctl.h>
#include <linux/taskrt.h>

#define TASKRT_DEVICE		"/dev/taskrt"

/* All that is summed of one thread, since it is tracked.  Only grows. */
struct taskrt_totals {
	__u64	states_ns[TASKRT_NR_STATES];
	__u64	page_fault_time_ns;	/* whole faults, whatever happens inside */
	__u64	lock_contention_time_ns;
	__u64	minor_fault_time_ns;	/* finished ones */
	__u64	major_fault_time_ns;
	__u64	lock_time_ns[TASKRT_NR_LOCKS];
	__u64	lock_count[TASKRT_NR_LOCKS];
	__u64	voluntary_switches;	/* these, and the two of faults, since creation */
	__u64	involuntary_switches;
	__u64	wakeups;
	__u64	minor_faults;
	__u64	major_faults;
};

/* What has intervals: each state, and the two inclusive timers. */
enum taskrt_timer {
	TASKRT_TIMER_FAULT = TASKRT_NR_STATES,
	TASKRT_TIMER_LOCK,
	TASKRT_NR_TIMERS,
};

/*
 * The finished intervals of one timer.  counts[n] are those of 2^n to
 * 2^(n+1) - 1 ns, of the last one also all that are longer.
 *
 * peaks[]: the longest, then the longest of those that ended after that, and so
 * on to the last one: the first that ended (at_ns + ns) not before some instant
 * is the longest since that instant.  When there is no room the oldest is
 * dropped, and dropped_ns says when that ended: since an instant after that the
 * answer is exact, since an earlier one it may have been longer.
 */
#define TASKRT_NR_BUCKETS	40
#define TASKRT_NR_PEAKS		15

struct taskrt_intervals {
	__u32	counts[TASKRT_NR_BUCKETS];
	__u32	nr_peaks;
	__u32	reserved;
	__u64	dropped_ns;		/* 0: none was */
	struct taskrt_longest peaks[TASKRT_NR_PEAKS];
};

/* taskrt_page.status */
enum taskrt_page_status {
	TASKRT_PAGE_LIVE,
	TASKRT_PAGE_ENDED,		/* the thread has ended, or runs another program */
	TASKRT_PAGE_STOPPED,		/* accounting was switched off: map again when it is on */
	TASKRT_PAGE_REVOKED,		/* parameter coarse_ns was set, and it may not see exact times */
};

/* taskrt_page.in_progress */
#define TASKRT_IN_FAULT		(1U << 0)
#define TASKRT_IN_LOCK		(1U << 1)

#define TASKRT_PAGE_VERSION	1
#define TASKRT_PAGE_SIZE	8192	/* to map, rounded up to whole pages */

struct taskrt_page {
	__u32	version;		/* TASKRT_PAGE_VERSION; later ones only append */
	__u32	size;			/* of this structure */

	/* As of the mapping. */
	__u64	valid;			/* TASKRT_VALID_* */
	__u64	clock_offset_ns;	/* CLOCK_MONOTONIC here is later by this (time namespaces) */
	__u64	tracked_since_ns;
	__u64	start_time_ns;
	__u64	cpu_before_ns;		/* before it was tracked, of */
	__u64	queue_before_ns;	/* taskrt_stats.cpu_time_ns and queue_time_ns */
	__u32	tid;			/* as its process sees it */
	__u32	tgid;
	__u32	ppid;
	__u32	uid;
	__u32	gid;
	__u32	flags;			/* TASKRT_FLAG_* */
	char	comm[16];

	__u32	status;			/* enum taskrt_page_status; anything but LIVE stays */
	__u32	reserved;
	__u64	mapped_since_ns;	/* the first mapping of those that there are now */
	__u32	reserved2[4];

	/* On a cache line of its own, with what each read needs. */
	__u32	changes[2];		/* by the scheduler; by the thread itself */
	__u32	state;			/* enum taskrt_state, or EXITED */
	__u32	in_progress;		/* TASKRT_IN_* */
	__u64	since_ns;		/* the state was entered */
	__u64	fault_since_ns;
	__u64	lock_since_ns;
	__u32	lock;			/* enum taskrt_lock, of the one in progress */
	__u32	reserved3[5];

	struct taskrt_totals totals;	/* finished intervals */
	__u64	reserved4;		/* what follows begins a line, too */

	struct taskrt_longest longest[TASKRT_NR_TIMERS];	/* since tracked */
	struct taskrt_intervals intervals[TASKRT_NR_TIMERS];	/* since mapped_since_ns */
};

/*
 * ioctl(fd, TASKRT_IOC_ALERT, &alert): the calling thread, which must be armed
 * (TASKRT_CMD_ARM), was late: what its flight recorder holds goes to who listens
 * on the multicast group.  No data comes back.  0, or ENODATA: it is not armed;
 * EAGAIN: too many, this one is counted as lost; or accounting is just being switched.
 */
#define TASKRT_TAG_MAX		64

struct taskrt_alert_request {
	char	tag[TASKRT_TAG_MAX];	/* the reporter's words; ends with a NUL */
};

#define TASKRT_IOC_ALERT	_IOW(0xF7, 1, struct taskrt_alert_request)

#endif /* _UAPI_LINUX_TASKRT_PAGE_H */
