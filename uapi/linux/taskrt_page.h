/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * /dev/taskrt: a thread's own counters in its memory.
 *
 *	fd = open("/dev/taskrt", O_RDONLY | O_CLOEXEC);
 *	page = mmap(NULL, one page, PROT_READ, MAP_SHARED, fd, 0);
 *	size = page->map_size;
 *	munmap(page, one page);
 *	page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
 *
 * maps those of the thread that calls mmap(), for all threads of its process
 * to read.  Any number of whole pages may be mapped, up to map_size.  They are
 * there at once and cause no page fault later.  A child does not inherit them, an
 * exec drops them.  What was mapped is this thread's for ever: when it has ended it
 * shows the last values, never another's.
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
 * now is later; and likewise to each timer of in_progress.
 */
#ifndef _UAPI_LINUX_TASKRT_PAGE_H
#define _UAPI_LINUX_TASKRT_PAGE_H

#include <linux/ioctl.h>
#include <linux/taskrt.h>

#define TASKRT_DEVICE		"/dev/taskrt"

/*
 * The finished intervals of one state or timer.  buckets[n] counts those of 2^n
 * to 2^(n+1) - 1 ns, the last one also all that are longer.
 *
 * peaks[]: the longest, then the longest of those that ended after that, and so
 * on to the last one: the first that ended (at_ns + ns) not before some instant
 * is the longest since that instant.  When there is no room the oldest is
 * dropped, and dropped_ns says when that ended: since an instant after that the
 * answer is exact, since an earlier one it may have been longer.
 */
#define TASKRT_BUCKETS		48
#define TASKRT_PEAKS		16

struct taskrt_intervals {
	__u64	dropped_ns;		/* 0: none was */
	struct taskrt_longest longest;	/* since tracked; the others since mapped_since_ns */
	__u32	nr_peaks;
	__u32	reserved;
	__u64	reserved2[4];
	__u32	buckets[TASKRT_BUCKETS];
	struct taskrt_longest peaks[TASKRT_PEAKS];
};

/* taskrt_page.status */
enum taskrt_page_status {
	TASKRT_PAGE_LIVE,
	TASKRT_PAGE_ENDED,		/* the thread has ended, or runs another program */
	TASKRT_PAGE_STOPPED,		/* accounting was switched off: map again when it is on */
	TASKRT_PAGE_REVOKED,		/* parameter coarse_ns was set, and it may not see exact times */
};

/*
 * Where an array is: element i of nr is at offset + i * stride from the page's
 * beginning.  Elements may lengthen, and more may follow; offset 0: there is none.
 */
struct taskrt_page_array {
	__u32	offset;
	__u32	stride;
	__u32	nr;
	__u32	reserved;
};

#define TASKRT_PAGE_VERSION	1
#define TASKRT_PAGE_SIZE	704	/* of the fixed part */

/*
 * The fixed part.  A read of the times needs to know nothing but the offsets of
 * changes and times, which never move.
 */
struct taskrt_page {
	__u32	version;		/* TASKRT_PAGE_VERSION */
	__u32	size;			/* of this structure */
	__u32	map_size;		/* all there is to map: whole pages */
	__u32	flags;			/* TASKRT_FLAG_* */
	struct taskrt_measured measured;

	/* As of the mapping. */
	__u64	clock_offset_ns;	/* CLOCK_MONOTONIC here is later by this (time namespaces) */
	__u64	tracked_since_ns;
	__u64	start_time_ns;
	__u64	mapped_since_ns;	/* the first mapping of those that there are now */
	__u64	cpu_before_ns;		/* before it was tracked, of */
	__u64	queue_before_ns;	/* taskrt_stats.cpu_time_ns and queue_time_ns */
	__u32	tid;			/* as its process sees it */
	__u32	tgid;
	__u32	ppid;
	__u32	uid;
	__u32	gid;
	__u32	reserved;
	char	comm[16];
	__u8	parent[TASKRT_STATES_ROOM];	/* of each state, as INFO tells it */

	struct taskrt_page_array timers_since;	/* __u64 each: valid while in progress */
	struct taskrt_page_array counts;	/* struct taskrt_counts, one */
	struct taskrt_page_array state_intervals;	/* struct taskrt_intervals each */
	struct taskrt_page_array timer_intervals;
	__u64	reserved2[4];

	/* On a cache line of its own, with what each read needs. */
	__u32	changes[2];		/* by the scheduler; by the thread itself */
	__u32	state;			/* enum taskrt_state; EXITED unless status is LIVE */
	__u32	in_progress;		/* 1 << enum taskrt_timer each */
	__u64	since_ns;		/* the state was entered */
	__u32	status;			/* enum taskrt_page_status; anything but LIVE stays */
	__u32	lock;			/* enum taskrt_lock, while TASKRT_TIMER_LOCK is in progress */
	__u64	reserved3[4];

	struct taskrt_times times;	/* finished intervals */
};

/*
 * ioctl(fd, TASKRT_IOC_ALERT, &alert): the calling thread, which must be armed
 * (TASKRT_CMD_ARM), was late: what its flight recorder holds goes to who listens
 * on the multicast group.  No data comes back.  0, or ENODATA: it is not armed;
 * EAGAIN: too many, this one is counted as lost; or accounting is just being switched.
 *
 * Commands go by their number; their structures may lengthen.  A structure of another
 * size than the module's is accepted if what one of the two does not know is
 * zero, else E2BIG.  Number 2 is kept: to map another thread of one's process.
 */
#define TASKRT_TAG_MAX		64

struct taskrt_alert_request {
	char	tag[TASKRT_TAG_MAX];	/* the reporter's words; ends with a NUL */
};

#define TASKRT_IOC_ALERT	_IOW(0xF7, 1, struct taskrt_alert_request)

#endif /* _UAPI_LINUX_TASKRT_PAGE_H */
