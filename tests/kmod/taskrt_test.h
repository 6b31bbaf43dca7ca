/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /dev/taskrt_test: make a thread late for one chosen reason.
 *
 * Every time is in nanoseconds and a lower bound, however slow the machine: a
 * sleep is counted from when the sleeper has left its CPU, a hold from when
 * somebody waits for the lock.  What is set by an ioctl belongs to the open file
 * and ends with it.
 */
#ifndef TASKRT_TEST_H
#define TASKRT_TEST_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* How to let time pass. */
enum taskrt_test_how {
	TASKRT_TEST_UNINTERRUPTIBLE,	/* sleep, as msleep() does */
	TASKRT_TEST_INTERRUPTIBLE,	/* sleep; a signal ends it early */
	TASKRT_TEST_IO,			/* sleep, as if for a disk (in_iowait) */
	TASKRT_TEST_BUSY,		/* stay on the CPU */
	TASKRT_TEST_LOCKED,		/* wait for TASKRT_TEST_MUTEX; ns is not used */
	TASKRT_TEST_ABOUT_TO_SLEEP,	/* as BUSY, in the state of who sleeps, or until killed */
	TASKRT_TEST_NR_HOWS,
};

/* One lock of each kind in the module; the two rwsems are one, and so are the two rwlocks. */
enum taskrt_test_lock {
	TASKRT_TEST_MUTEX,
	TASKRT_TEST_RWSEM_READ,
	TASKRT_TEST_RWSEM_WRITE,
	TASKRT_TEST_RT_MUTEX,
	TASKRT_TEST_SEMAPHORE,
	TASKRT_TEST_SPINLOCK,		/* held busy; on PREEMPT_RT it sleeps */
	TASKRT_TEST_RWLOCK_READ,	/* as the spinlock */
	TASKRT_TEST_RWLOCK_WRITE,
	TASKRT_TEST_NR_LOCKS,
};

/*
 * UNINTERRUPTIBLE for DELAY, HOLD and SET_FAULT: until RELEASE, or for 100 s if
 * that does not come.
 */
#define TASKRT_TEST_FOR_EVER	(~0ULL)

struct taskrt_test_delay {
	__u32 how;
	__u32 major;	/* TASKRT_TEST_SET_FAULT only: call it a major fault */
	__u64 ns;
};

struct taskrt_test_hold {
	__u32 lock;
	__u32 how;	/* UNINTERRUPTIBLE or BUSY */
	__u64 ns;
};

/*
 * rounds acquisitions by a second thread while the caller holds the lock: on
 * one CPU each costs the same two wake-ups and four switches.  FREE takes a
 * mutex that nobody holds; NOTHING does the wake-ups and switches and takes no
 * lock.
 */
enum taskrt_test_bench_what {
	TASKRT_TEST_BENCH_NOTHING = TASKRT_TEST_NR_LOCKS,
	TASKRT_TEST_BENCH_FREE,
};

struct taskrt_test_bench {
	__u32 what;	/* enum taskrt_test_lock or enum taskrt_test_bench_what */
	__u32 rounds;
	__u64 ns;	/* out: the time of all rounds */
};

/* Where a thread dies: with both, in a wait for a lock inside a fault. */
#define TASKRT_TEST_DIE_IN_FAULT	1
#define TASKRT_TEST_DIE_IN_LOCK		2	/* EOPNOTSUPP before 6.7 */

struct taskrt_test_die {
	__u64 address;	/* IN_FAULT: in a mapping of the device, where nobody has touched it */
	__u32 where;
	__u32 tid;	/* out: who died */
};

/* How the caller is interrupted, on its own CPU. */
enum taskrt_test_interrupts {
	TASKRT_TEST_HARD,
	TASKRT_TEST_SOFT,		/* on PREEMPT_RT a thread does it */
	TASKRT_TEST_HARD_IN_SOFT,	/* each takes the time */
	TASKRT_TEST_NR_INTERRUPTS,
};

struct taskrt_test_interrupt {
	__u32 how;
	__u32 rounds;
	__u64 ns;	/* of each: at most a second */
};

/* A processor that a hypervisor does not let run. */
struct taskrt_test_steal {
	__u32 cpu;
	__u32 reserved;
	__u64 stand_ns;	/* it stands still for so long: at most a second */
	__u64 told_ns;	/* so much is the kernel told: likewise */
};

/* By what a CPU is interrupted, many times. */
enum taskrt_test_storms {
	TASKRT_TEST_CALLS,	/* function calls of the caller, on another CPU */
	TASKRT_TEST_TIMERS,	/* a timer of high resolution */
	TASKRT_TEST_NR_STORMS,
};

/* One interrupt may serve so many function calls, but no more. */
#define TASKRT_TEST_CALLS_AT_ONCE	8

struct taskrt_test_storm {
	__u32 how;
	__u32 cpu;
	__u32 rounds;
	__u32 reserved;
	__u64 each_ns;	/* of each round: all of them take at most a second */
};

struct taskrt_test_packets {
	__u32 tid;	/* in the first pid namespace */
	__u32 reserved;
	__u64 each_ns;	/* at most 10 ms; 0: no longer */
};

/* A deep idle state of one CPU. */
struct taskrt_test_idle {
	__u32 cpu;
	__u32 reserved;
	/* An exit takes so long: at most a second, as do all of them together; 0: no longer. */
	__u64 exit_ns;
};

#define TASKRT_TEST_DEVICE	"/dev/taskrt_test"

/* The caller lets time pass inside the kernel. */
#define TASKRT_TEST_DELAY	_IOW('t', 1, struct taskrt_test_delay)
/*
 * A kernel thread on another CPU holds the lock; returns once it is held.  The ns
 * begin when a TAKE or a fault that is LOCKED waits for it; 0: nobody is waited for.
 */
#define TASKRT_TEST_HOLD	_IOW('t', 2, struct taskrt_test_hold)
/* The caller takes the lock, holds it for ns and releases it. */
#define TASKRT_TEST_TAKE	_IOW('t', 3, struct taskrt_test_hold)
/* What each fault on a mapping of this file does before it gives a page. */
#define TASKRT_TEST_SET_FAULT	_IOW('t', 4, struct taskrt_test_delay)
#define TASKRT_TEST_BENCH	_IOWR('t', 5, struct taskrt_test_bench)
/*
 * Whatever waits FOR_EVER on this file goes on, now and later; returns when the
 * lock that HOLD took is free.
 */
#define TASKRT_TEST_RELEASE	_IO('t', 6)
/* A kernel thread dies, as by an oops; returns when it begins to exit. */
#define TASKRT_TEST_DIE		_IOWR('t', 7, struct taskrt_test_die)
/* The caller is interrupted; returns after the last time. */
#define TASKRT_TEST_INTERRUPT	_IOW('t', 8, struct taskrt_test_interrupt)
/* Time of that CPU is stolen, whatever runs there. */
#define TASKRT_TEST_STEAL	_IOW('t', 9, struct taskrt_test_steal)
/* That CPU is interrupted, whatever runs there; returns after the last time. */
#define TASKRT_TEST_STORM	_IOW('t', 10, struct taskrt_test_storm)
/* The IPv4 packets that the loopback device receives from now on take longer. */
#define TASKRT_TEST_PACKETS	_IOW('t', 11, struct taskrt_test_packets)
/* So many of them were received at the expense of the thread, by softirqs on its CPU. */
#define TASKRT_TEST_TAKEN	_IOR('t', 12, __u32)
/*
 * That CPU, when it has nothing to do from now on, sleeps in a state whose exit takes long:
 * until the next call, or until all exits together have taken their second.
 */
#define TASKRT_TEST_IDLE	_IOW('t', 13, struct taskrt_test_idle)
/* So many exits have taken long, since a CPU of this file got such a state. */
#define TASKRT_TEST_SLEPT	_IOR('t', 14, __u32)
/*
 * taskrt is not told which tasks are freed, until SHOW, or until the file is closed.  It must
 * stay inserted, and on, meanwhile.
 */
#define TASKRT_TEST_HIDE_FREE	_IO('t', 15)
#define TASKRT_TEST_SHOW_FREE	_IO('t', 16)
/*
 * From now on a kernel thread on another CPU reads under RCU, so that nothing is freed that
 * waits for readers: until END, or for 15 s.  END fails with ETIME if that was over before.
 */
#define TASKRT_TEST_READ	_IO('t', 17)
#define TASKRT_TEST_READ_END	_IO('t', 18)

#endif
