/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * /dev/taskrt: a thread's own counters, mapped into its process.
 *
 *	fd = open("/dev/taskrt", O_RDONLY | O_CLOEXEC);
 *	page = mmap(NULL, one page, PROT_READ, MAP_SHARED, fd, 0);
 *	size = page->map_size;
 *	munmap(page, one page);
 *	page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
 *
 * The mapping contains the counters of the thread that calls mmap().  All threads
 * of its process can read them.  Any number of whole pages up to map_size can be
 * mapped.  All pages are present when mmap() returns, so that reads cause no page
 * faults.  A child process does not inherit the mapping, and exec removes it.  The
 * mapping always belongs to the same thread: after the thread has ended, it
 * contains the last values of that thread, and never values of another one.
 *
 * To read without a system call:
 *
 *	do {
 *		count = changes; repeat while one of the two is odd
 *		copy
 *		now = CLOCK_MONOTONIC - clock_offset_ns
 *	} while (changes != count);
 *
 * Then add the interval in progress: if now is later than since_ns, add
 * now - since_ns to the time of the state.  Do the same for each timer in
 * in_progress, with its element of timers_since.
 */
#ifndef _UAPI_LINUX_TASKRT_PAGE_H
#define _UAPI_LINUX_TASKRT_PAGE_H

#include <linux/ioctl.h>
#include <linux/taskrt.h>

#define TASKRT_DEVICE		"/dev/taskrt"

/*
 * The finished intervals of one state or timer.  buckets[n] is the number of
 * intervals that took 2^n to 2^(n+1) - 1 ns; the last bucket also counts all longer
 * ones.
 *
 * peaks[] contains the longest interval, then the longest of those that ended after
 * it, and so on up to the latest one.  The longest interval that ended at or after
 * an instant is therefore the first element whose end (at_ns + ns) is not before
 * that instant.  If the array is full, the oldest element is dropped and its end is
 * stored in dropped_ns.  The result is exact for instants after dropped_ns.  For
 * earlier instants, a longer interval may have been dropped.
 */
#define TASKRT_BUCKETS		48
#define TASKRT_PEAKS		16

struct taskrt_intervals {
	__u64	dropped_ns;		/* end of the last dropped peak; 0: none dropped */
	struct taskrt_longest longest;	/* since tracking started; all else since mapped_since_ns */
	__u32	nr_peaks;
	__u32	reserved;
	__u64	reserved2[4];
	__u32	buckets[TASKRT_BUCKETS];
	struct taskrt_longest peaks[TASKRT_PEAKS];
};

/* taskrt_page.status */
enum taskrt_page_status {
	TASKRT_PAGE_LIVE,
	TASKRT_PAGE_ENDED,		/* the thread has ended, or has executed another program */
	TASKRT_PAGE_STOPPED,		/* accounting was switched off; map again when it is on */
	TASKRT_PAGE_REVOKED,		/* coarse_ns was set: exact times are no longer permitted */
};

/*
 * The location of an array: element i, which is less than nr, starts at byte
 * offset + i * stride of the mapping.  In later versions the stride and the number
 * of elements may be larger.  If offset is 0, the array does not exist.
 */
struct taskrt_page_array {
	__u32	offset;
	__u32	stride;
	__u32	nr;
	__u32	reserved;
};

/* taskrt_page.waker_kind */
enum taskrt_waker_kind {
	TASKRT_WAKER_UNKNOWN,
	TASKRT_WAKER_TIMER,		/* the one of expiry_ns */
	TASKRT_WAKER_INTERRUPT,		/* or a softirq; perhaps for a task on another processor */
	TASKRT_WAKER_TASK,		/* see struct taskrt_waker, which is old otherwise */
	TASKRT_WAKER_OTHER,		/* a task that the thread must not know, or cannot see */
};

/*
 * The task that has ended the wait.  It has a tid in the pid namespace of the thread.  It is of
 * the same process, or a kernel thread, or of the same user, dumpable and not ending.
 */
struct taskrt_waker {
	__u32	tid;
	/*
	 * With TASKRT_WAKER_TIMER, after SLEEPING_TIMER: how much later than asked for the timer
	 * slack of the thread permits the wake-up, in microseconds
	 */
	__u32	slack_us;
	char	comm[16];
};

#define TASKRT_PAGE_VERSION	1
#define TASKRT_PAGE_SIZE	704	/* size of the fixed part */

/*
 * The fixed part of the mapping.  To read the times, a program only needs the
 * offsets of changes and times, which never change.
 */
struct taskrt_page {
	__u32	version;		/* TASKRT_PAGE_VERSION */
	__u32	size;			/* size of this structure */
	__u32	map_size;		/* size of the whole mapping, in whole pages */
	__u32	flags;			/* TASKRT_FLAG_* */
	struct taskrt_measured measured;

	/* The members up to waker are set when the thread is mapped. */
	__u64	clock_offset_ns;	/* this time namespace's offset of CLOCK_MONOTONIC */
	__u64	tracked_since_ns;
	__u64	start_time_ns;
	__u64	mapped_since_ns;	/* creation of the oldest of the existing mappings */
	__u64	cpu_before_ns;		/* the part of cpu_time_ns from before tracking started */
	__u64	queue_before_ns;	/* the same for queue_time_ns */
	__u32	tid;			/* ids in the pid namespace of the thread */
	__u32	tgid;
	__u32	ppid;
	__u32	uid;
	__u32	gid;
	__u32	reserved;
	char	comm[16];
	__u8	parent[TASKRT_STATES_ROOM];	/* the parent of each state, as in INFO */

	/* __u64: start of the interval in progress, for the timers that may be in progress */
	struct taskrt_page_array timers_since;
	struct taskrt_page_array counts;	/* struct taskrt_counts, one element */
	struct taskrt_page_array state_intervals;	/* struct taskrt_intervals */
	struct taskrt_page_array timer_intervals;
	/*
	 * __u64 for each state but RUNNING: the finished intervals since woken_ns, without the
	 * one of queued_ns
	 */
	struct taskrt_page_array held_states;
	struct taskrt_page_array waker;	/* struct taskrt_waker, one element */

	/* The members that every read needs, on a cache line of their own. */
	__u32	changes[2];		/* sequence counts: scheduler; the thread itself */
	__u32	state;			/* enum taskrt_state; EXITED unless status is LIVE */
	__u32	in_progress;		/* 1 << enum taskrt_timer each */
	__u64	since_ns;		/* when the state was entered */
	/* The last wait that ended while it was mapped, but for a kernel lock or a page fault. */
	__u64	expiry_ns;		/* the time for which a timer was set; 0: none ended it */
	__u64	wait_ns;		/* when the wait started */
	__u64	woken_ns;		/* when it ended; 0: there was none yet */
	__u64	queued_ns;		/* from then until it got a CPU; ~0: not yet */
	__u8	waited;			/* enum taskrt_state of the wait */
	__u8	queued_as;		/* enum taskrt_state that started at woken_ns */
	__u8	held;			/* 0: held_states are 0 */
	__u8	waker_kind;		/* enum taskrt_waker_kind */
	__u8	lock;			/* enum taskrt_lock, if TASKRT_TIMER_LOCK is in progress */
	__u8	status;			/* enum taskrt_page_status; final unless LIVE */
	__u8	reserved2[2];

	struct taskrt_times times;	/* finished intervals */
};

/*
 * ioctl(fd, TASKRT_IOC_ALERT, &alert) reports that the calling thread was late.
 * The events in its flight recorder are sent to the multicast group
 * TASKRT_GENL_ALERTS.  Nothing is returned to the caller.  It does not sleep.
 *
 * Return: 0; or -1 with errno set to ENODATA: the thread is not armed
 * (TASKRT_CMD_ARM), or accounting is switched off; EAGAIN: there were too many
 * alerts, or the previous one of the thread is still being sent, and this one is counted
 * as lost; or one of the parameters enabled, interrupts and cycles is being written; EINVAL:
 * the tag does not end with a NUL; E2BIG: see below; EFAULT.
 *
 * The module identifies a command by its number (_IOC_NR) alone, and its structure
 * may grow.  The size may differ from the module's if all bytes that one side does
 * not know are 0, else the command fails with E2BIG.  Number 2 is reserved for
 * mapping another thread of the same process.
 */
#define TASKRT_TAG_MAX		64

struct taskrt_alert_request {
	char	tag[TASKRT_TAG_MAX];	/* free text of the caller, ends with a NUL */
	__u64	begin_ns;		/* CLOCK_MONOTONIC, start of the late cycle; 0: none */
	__u64	end_ns;			/* and when it ended; 0: now */
};

#define TASKRT_IOC_ALERT	_IOW(0xF7, 1, struct taskrt_alert_request)

#endif /* _UAPI_LINUX_TASKRT_PAGE_H */
