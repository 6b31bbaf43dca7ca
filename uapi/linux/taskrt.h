/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * taskrt: why was this thread not running when it should have been?
 *
 * This header defines the generic-netlink family "taskrt".  uapi/taskrt.yaml
 * defines the same family for programs that read netlink specifications;
 * tests/unit/check_spec compares the two.
 *
 * Everything here only grows, by the rules of docs/developer/uapi.md.  Numbers are never
 * reused.  Reserved members read 0.  A client that was built against version 1
 * keeps working.
 */
#ifndef _UAPI_LINUX_TASKRT_H
#define _UAPI_LINUX_TASKRT_H

#include <linux/types.h>

#define TASKRT_GENL_NAME	"taskrt"
#define TASKRT_GENL_VERSION	1

/*
 * The states of a thread.  A thread is in exactly one state at any instant, so
 * the times of all states sum to the time tracked, to the nanosecond.  If more
 * than one reason for being off the CPU applies, the state is the first that
 * applies in this order of precedence: THROTTLED; YIELDED; PREEMPTED, WOKEN;
 * BLOCKED_LOCK; BLOCKED_FAULT; STOPPED; BLOCKED_IO; BLOCKED_OTHER; SLEEPING_*.
 * The numbers do not express this order.
 *
 * A state that is added later has a parent among the earlier states.  INFO and
 * the page of /dev/taskrt contain the parent of each state.  A reader that does
 * not know a state adds its time to the time of the parent.
 */
enum taskrt_state {
	TASKRT_STATE_RUNNING,		/* on a CPU, user or kernel */
	TASKRT_STATE_PREEMPTED,		/* switched out while runnable */
	TASKRT_STATE_WOKEN,		/* woken, waiting for a CPU */
	TASKRT_STATE_BLOCKED_LOCK,	/* asleep, waiting for a contended kernel lock */
	TASKRT_STATE_BLOCKED_FAULT,	/* asleep inside a page fault */
	TASKRT_STATE_BLOCKED_IO,	/* asleep, waiting for I/O (in_iowait); or in fsync(2) */
	TASKRT_STATE_BLOCKED_OTHER,	/* in any other uninterruptible sleep */
	TASKRT_STATE_SLEEPING_FUTEX,	/* asleep in futex(2): user-space lock or condition */
	TASKRT_STATE_SLEEPING_POLL,	/* poll, select, epoll_wait, io_uring_enter, io_getevents */
	TASKRT_STATE_SLEEPING_TIMER,	/* nanosleep; a deadline thread that has yielded */
	TASKRT_STATE_SLEEPING,		/* any other sleep; kernel threads */
	TASKRT_STATE_STOPPED,		/* stopped, traced, or in a frozen cgroup */
	TASKRT_STATE_THROTTLED,		/* runnable, but it or its group has used up its CPU time */
	TASKRT_STATE_SLEEPING_FILE,	/* asleep in read, write, ioctl, any call on files, paths */
	TASKRT_STATE_SLEEPING_SOCKET,	/* asleep in recv, send, accept, connect, msgrcv */
	TASKRT_STATE_SLEEPING_WAIT,	/* asleep in wait4 or waitid; the parent of a vfork child */
	TASKRT_STATE_SLEEPING_PAUSE,	/* asleep in sigsuspend, sigtimedwait or pause */
	TASKRT_STATE_YIELDED,		/* runnable, but it gave its CPU away by sched_yield(2) */
};

/* A thread that has ended: only ever a value of taskrt_stats.state, and never an index. */
#define TASKRT_STATE_EXITED	31

/*
 * Inclusive timers.  A timer measures whole intervals of one kind, regardless of
 * the thread's state during the interval.  Timers therefore overlap the states
 * and each other.  taskrt_stats.measured contains those that are measured.
 *
 * RECLAIM to WPCOPY are as the kernel's delay accounting counts them, since creation,
 * and have no longest interval.  They are measured for tasks that were created while
 * delay accounting was on, and for sums of such tasks.
 *
 * HARDIRQ, SOFTIRQ, STEAL, RECLAIM_CPU and FAULT_CPU are parts of the state RUNNING.
 * FAULT_CPU has no time of the other four, no longest interval, and no events.
 */
enum taskrt_timer {
	TASKRT_TIMER_FAULT,		/* page faults, see taskrt_stats(3) */
	TASKRT_TIMER_LOCK,		/* from first contention to acquisition */
	TASKRT_TIMER_HARDIRQ,		/* hard interrupts while the thread was running */
	TASKRT_TIMER_SOFTIRQ,		/* softirqs while it was, without hard interrupts */
	TASKRT_TIMER_STEAL,		/* while it was, the hypervisor did not let the CPU run */
	TASKRT_TIMER_RECLAIM,		/* memory reclaim */
	TASKRT_TIMER_COMPACT,		/* memory compaction */
	TASKRT_TIMER_THRASHING,		/* waits for pages that had been evicted recently */
	TASKRT_TIMER_SWAPIN,		/* waits for pages from swap */
	TASKRT_TIMER_WPCOPY,		/* copy-on-write */
	TASKRT_TIMER_EXPIRY,		/* from the expiry of a timer to the wake-up by it */
	TASKRT_TIMER_RECLAIM_CPU,	/* reclaim and compaction, while it was running */
	TASKRT_TIMER_FAULT_CPU,		/* page faults, while it was running; see below */
};

/* The kinds of kernel locks.  Their times sum to TASKRT_TIMER_LOCK. */
enum taskrt_lock {
	TASKRT_LOCK_MUTEX,
	TASKRT_LOCK_RWSEM_READ,
	TASKRT_LOCK_RWSEM_WRITE,
	TASKRT_LOCK_RT_MUTEX,		/* on PREEMPT_RT this includes every mutex */
	TASKRT_LOCK_OTHER,		/* semaphore, percpu-rwsem, RT's sleeping spinlock */
};

/*
 * Other counters.  "Since creation" means that the kernel's own count from the
 * time before tracking started is included.
 */
enum taskrt_value {
	TASKRT_VALUE_VOLUNTARY_SWITCHES,	/* since creation */
	TASKRT_VALUE_INVOLUNTARY_SWITCHES,	/* since creation */
	TASKRT_VALUE_WAKEUPS,			/* that ended a wait, since tracking started */
	TASKRT_VALUE_MINOR_FAULTS,		/* since creation */
	TASKRT_VALUE_MAJOR_FAULTS,		/* since creation */
	TASKRT_VALUE_MINOR_FAULT_NS,		/* finished minor faults, since tracking started */
	TASKRT_VALUE_MAJOR_FAULT_NS,		/* finished major faults, since tracking started */
	TASKRT_VALUE_USER_NS,		/* since creation; as the kernel divides the CPU time */
	TASKRT_VALUE_SYSTEM_NS,		/* since creation; likewise, see taskrt_stats(3) */
	TASKRT_VALUE_CYCLES,		/* while they were counted, see taskrt_stats(3) */
	TASKRT_VALUE_INSTRUCTIONS,	/* likewise */
	TASKRT_VALUE_CYCLES_NS,		/* the running time in which both were counted */
};

/*
 * The number of elements in the arrays below.  The numbers above use a part of
 * them.  These sizes never change, except for the values.
 */
#define TASKRT_STATES_ROOM	24
#define TASKRT_TIMERS_ROOM	16
#define TASKRT_LOCKS_ROOM	8
#define TASKRT_VALUES_ROOM	40	/* a later version may need more */

/*
 * What is measured: bit n of a mask stands for element n of the arrays with the
 * same name.  If the bit is clear, the element is not measured, and reads 0.
 */
struct taskrt_measured {
	__u32	states;
	__u32	timers;
	__u32	locks;
	__u32	reserved;
	__u64	values;
	__u64	reserved2;
};

/* The longest single interval of one kind. */
struct taskrt_longest {
	__u64	ns;		/* duration; 0: there was no interval yet */
	__u64	at_ns;		/* CLOCK_MONOTONIC when it started */
};

/*
 * Groups of measurements that are sent in addition to struct taskrt_stats.
 * TASKRT_A_GROUPS requests them by a mask of these bits.  Each group has an
 * attribute (TASKRT_AGGR_A_*) and, except SITES, a structure of 64-bit words.  A group that was
 * not requested is not computed.  Bits that the module does not know are ignored,
 * and the answer lacks their groups.  Bits 24 to 30 are for experiments; a request
 * with bit 31 fails with EINVAL.
 */
#define TASKRT_GROUP_TIMES	(1U << 0)	/* struct taskrt_times */
#define TASKRT_GROUP_COUNTS	(1U << 1)	/* struct taskrt_counts */
#define TASKRT_GROUP_LONGEST	(1U << 2)	/* struct taskrt_longests */
#define TASKRT_GROUP_SITES	(1U << 3)	/* TASKRT_SITES_A_*, from Linux 6.10 on */
#define TASKRT_GROUPS_REFUSED	(1U << 31)

/*
 * Times in nanoseconds since tracking started, including the intervals that are
 * still in progress.  All TASKRT_STATES_ROOM elements of states_ns[] sum to
 * taskrt_stats.tracked_time_ns, including the states that the reader does not know.
 */
struct taskrt_times {
	__u64	states_ns[TASKRT_STATES_ROOM];
	__u64	timers_ns[TASKRT_TIMERS_ROOM];
	__u64	locks_ns[TASKRT_LOCKS_ROOM];	/* waits for contended locks */
};

/* The number of intervals that have finished since tracking started, and other counters. */
struct taskrt_counts {
	__u64	states[TASKRT_STATES_ROOM];
	__u64	timers[TASKRT_TIMERS_ROOM];
	__u64	locks[TASKRT_LOCKS_ROOM];	/* contended acquisitions */
	__u64	values[TASKRT_VALUES_ROOM];	/* by enum taskrt_value; the array may grow */
};

/* The longest intervals since tracking started, including those still in progress. */
struct taskrt_longests {
	struct taskrt_longest	states[TASKRT_STATES_ROOM];
	struct taskrt_longest	timers[TASKRT_TIMERS_ROOM];
};

/* The kinds of objects that statistics describe. */
enum taskrt_entity {
	TASKRT_ENTITY_THREAD,
	TASKRT_ENTITY_PROCESS,
	TASKRT_ENTITY_CHILDREN,		/* a process's waited-for children and their descendants */
	TASKRT_ENTITY_CGROUP,
	TASKRT_ENTITY_CPU,
};

/* taskrt_stats.valid: the fields that are known.  All others read 0. */
#define TASKRT_VALID_CPU_TIME		(1ULL << 0)
#define TASKRT_VALID_QUEUE_TIME		(1ULL << 1)
#define TASKRT_VALID_PAGE_FAULT_TIME	(1ULL << 2)
#define TASKRT_VALID_LOCK_TIME		(1ULL << 3)
#define TASKRT_VALID_CLOCK		(1ULL << 4)	/* sample_time_ns to start_time_ns */
#define TASKRT_VALID_IDENTITY		(1ULL << 5)	/* tid to gid, exit_code, comm */
#define TASKRT_VALID_STATE		(1ULL << 6)	/* state; a thread */
#define TASKRT_VALID_THREADS		(1ULL << 7)	/* threads, threads_gone; a process */
#define TASKRT_VALID_CPU		(1ULL << 8)	/* cpu; a thread, or an exit */
#define TASKRT_VALID_CGROUP		(1ULL << 9)	/* cgroup */

/* taskrt_stats.flags */
#define TASKRT_FLAG_KTHREAD	(1U << 0)	/* a kernel thread */
#define TASKRT_FLAG_EXITED	(1U << 1)	/* ended: the totals are final */
#define TASKRT_FLAG_PREEXISTING	(1U << 2)	/* created before tracking started */
#define TASKRT_FLAG_COARSE	(1U << 3)	/* times rounded down (parameter coarse_ns); sums
						 * are sums of rounded times
						 */
#define TASKRT_FLAG_INCOMPLETE	(1U << 4)	/* threads were not tracked, or waits not timed */
#define TASKRT_FLAG_PENDING	(1U << 5)	/* children: not all are added yet, ask again */

/*
 * struct taskrt_stats - identity, time stamps, and the totals of versions 1 and 2
 *
 * Times are in nanoseconds and include the intervals still in progress.  Time
 * stamps are CLOCK_MONOTONIC of the initial time namespace.  The totals of a
 * process are the sums over its threads, both live and ended; its longest
 * intervals are the longest of any of its threads.  The comments below show where
 * each version ends; a message of version N contains exactly the bytes of
 * versions 1 to N.
 */
struct taskrt_stats {
	__u32	version;
	__u32	size;			/* size of this structure in this version, in bytes */
	__u64	valid;			/* TASKRT_VALID_* */

	__u64	cpu_time_ns;		/* since creation: time on a CPU */
	__u64	queue_time_ns;		/* since creation: runnable but not running */
	/* end of version 1 */

	/* Whole intervals, which may overlap the states and each other. */
	__u64	page_fault_time_ns;	/* page faults, see taskrt_stats(3) */
	__u64	lock_contention_time_ns;/* from first contention to acquisition */
	/* end of version 2 */

	struct taskrt_measured	measured;	/* for all groups, requested or not */

	__u64	sample_time_ns;		/* when the sample was taken; EXITED: when it ended */
	__u64	tracked_since_ns;	/* when tracking started; process: its earliest thread */
	__u64	tracked_time_ns;	/* == sum of states_ns[]; thread, exact times:
					 * also sample_time_ns - tracked_since_ns
					 */
	__u64	start_time_ns;		/* creation; (tid, start_time_ns) is unique, except that
					 * a thread that executes a program takes over both from
					 * the main thread; tracked_since_ns differs then
					 */

	__u32	entity;			/* enum taskrt_entity */
	__u32	flags;			/* TASKRT_FLAG_* */
	__u32	tid;			/* 0 for a process */
	__u32	tgid;
	__u32	ppid;
	__u32	uid;
	__u32	gid;
	__u32	cpu;			/* the CPU it runs on, or last ran on */
	__u32	state;			/* the present enum taskrt_state */
	__u32	exit_code;		/* as reported by wait(2); 0 before it ends */

	__u64	cgroup;			/* id of its cgroup in the v2 hierarchy */
	__u64	threads;		/* live threads */
	__u64	threads_gone;		/* threads that have ended since tracking started */

	char	comm[16];
	__u64	reserved[8];
	/* end of version 3 */
};

#define TASKRT_STATS_VERSION	3	/* the newest */
#define TASKRT_STATS_SIZE_V1	32
#define TASKRT_STATS_SIZE_V2	48
#define TASKRT_STATS_SIZE_V3	256

/*
 * Commands.
 *
 * GET do: returns one thread or one process.  The request has either TID (0: the
 * requesting thread) or TGID (0: its process), and optionally VERSION and GROUPS.
 * The answer is AGGR_TID or AGGR_TGID.  If a request with TGID also has CHILDREN,
 * the answer also has AGGR_CHILDREN: the sum over all children that the process
 * has waited for, and their waited-for descendants (as RUSAGE_CHILDREN of
 * getrusage(2)).  The totals of a child are added some time after the wait, at least
 * an RCU grace period.  Until then the answer, which never waits for that, has
 * TASKRT_FLAG_PENDING; versions 1 and 2 have no flags.  Requires the right to read
 * the task, see libtaskrt(3).
 *
 * GET dump: returns the threads that the requester may read and that match FILTER,
 * or the threads of TGID, in ascending order of their ids.  VERSION and GROUPS are
 * as above.  ENTITIES has exactly one bit, by default THREAD; others are refused.
 * A bad request is refused with an error before anything is dumped.
 *
 * Without VERSION, the version is 3.  Without GROUPS, the groups are TIMES for
 * version 3, and none for versions 1 and 2.
 *
 * INFO: returns what this module measures on this kernel.  No privilege is required.
 * THREADS is MADE less GONE.
 *
 * REGISTER: requests EXIT notifications on this socket for tasks that end on a CPU
 * of CPUMASK.  A socket has one registration.  The first REGISTER makes it.  Each
 * further one adds CPUs, and replaces ENTITIES (THREAD and PROCESS), FILTER, VERSION
 * and GROUPS.  These are optional: an attribute that is absent has its default again.
 * Each exit meets either the former conditions or the new ones.  SEQ and LOST continue.
 * The last REGISTER sets the rights, the first one the pid namespace of the ids.  The
 * answer contains the mask that was accepted.  Requires CAP_NET_ADMIN unless FILTER contains OWN.
 *
 * DEREGISTER: removes the CPUs of CPUMASK from the registration of this socket, and ends
 * the registration with its last CPU.  The answer contains the mask.  Closing the socket ends
 * the registration at once.
 *
 * LIST: returns SEQ, LOST and BACKLOG of this socket, and its REGISTRATION, if any.
 *
 * EXIT: a notification with any number of AGGR_TID and AGGR_TGID.  Tasks that ended on
 * the same CPU are in the order in which they ended; there is no promise for different
 * CPUs.  The record of a process directly follows the record of the thread that is
 * delivered last.  To let readers sort, taskrt_stats.sample_time_ns of each record is
 * the time when the task ended; a process ends with its last thread.  SEQ and LOST are
 * described below, before TASKRT_CPUMASK_MAX.
 *
 * ARM: attaches a flight recorder to thread TID (0: the requesting thread).  The
 * module keeps the last DEPTH events of the thread, and the kernel stack of each
 * wait that takes at least THRESHOLD.  With ALERT_OVER the module raises an alert
 * when an interval in one of STATES, or in a state whose parent is one of them,
 * takes that long; WOKEN includes THROTTLED as well.  Arming a thread again discards the
 * recorded events.  Arming a thread that another socket has armed fails with EBUSY, unless
 * the requester has CAP_PERFMON in the initial user namespace: then it takes the thread
 * over, and the last alert of the former recorder has the reason DISARMED.  The recorder
 * is removed when the thread ends or when the socket that armed it is closed.  Requires
 * the right to read the thread.
 *
 * ARM, INFO, REGISTER, GET of a process and dumps may take long.  They are refused with
 * EINVAL if another request follows them in the same datagram, because all of a datagram
 * is served in one system call.
 *
 * DISARM: removes the flight recorder of thread TID.  Requires the right to read the
 * thread; and if another socket has armed it, CAP_PERFMON in the initial user namespace.
 * Then the last alert of the recorder has the reason DISARMED.
 *
 * ALERT: a notification to the multicast group TASKRT_GENL_ALERTS, in the initial
 * network namespace only: a thread was late, and these are its last events.  An
 * alert may need several messages, see TASKRT_ALERT_A_LAST.  For the right to receive
 * it see TASKRT_GENL_ALERTS.
 */
enum taskrt_cmd {
	TASKRT_CMD_UNSPEC,
	TASKRT_CMD_GET,
	TASKRT_CMD_INFO,
	TASKRT_CMD_REGISTER,
	TASKRT_CMD_DEREGISTER,
	TASKRT_CMD_LIST,
	TASKRT_CMD_EXIT,
	TASKRT_CMD_ARM,
	TASKRT_CMD_DISARM,
	TASKRT_CMD_ALERT,
	__TASKRT_CMD_MAX,
	TASKRT_CMD_MAX = __TASKRT_CMD_MAX - 1,
};

/* Attributes of a message. */
enum taskrt_attr {
	TASKRT_A_UNSPEC,
	TASKRT_A_TID,			/* u32 */
	TASKRT_A_TGID,			/* u32 */
	TASKRT_A_VERSION,		/* u32: newest version that the requester knows */
	TASKRT_A_AGGR_TID,		/* nest of TASKRT_AGGR_A_TID, _STATS and groups */
	TASKRT_A_AGGR_TGID,		/* nest of TASKRT_AGGR_A_TGID, _STATS and groups */
	TASKRT_A_INFO,			/* nest of TASKRT_INFO_A_* */
	TASKRT_A_PAD,
	TASKRT_A_CPUMASK,		/* string: "0-3,7" or "all", with its NUL */
	TASKRT_A_ENTITIES,		/* u32: TASKRT_ENTITIES_* */
	TASKRT_A_FILTER,		/* nest of TASKRT_FILTER_A_* */
	TASKRT_A_GROUPS,		/* u32: TASKRT_GROUP_* */
	TASKRT_A_SEQ,			/* u64: see below */
	TASKRT_A_LOST,			/* u64: see below */
	TASKRT_A_BACKLOG,		/* u64: bytes waiting for room in the socket */
	TASKRT_A_REGISTRATION,		/* nest of CPUMASK, ENTITIES, VERSION, GROUPS, FILTER */
	TASKRT_A_CHILDREN,		/* flag: request the children's totals, too */
	TASKRT_A_AGGR_CHILDREN,		/* nest of TASKRT_AGGR_A_TGID, _STATS and groups */
	TASKRT_A_DEPTH,			/* u32: events, TASKRT_DEPTH_MIN to _MAX; default 64 */
	TASKRT_A_THRESHOLD,		/* u64: ns; default 1 ms */
	TASKRT_A_ALERT_OVER,		/* u64: ns, not 0; default: no limit */
	TASKRT_A_STATES,		/* u32: 1 << enum taskrt_state; default _ALERT_STATES */
	TASKRT_A_ALERT,			/* nest of TASKRT_ALERT_A_* */
	/* Kept for a later version, and refused by this one: */
	TASKRT_A_CGROUP,		/* u64: GET of a v2 cgroup, by its id */
	TASKRT_A_CPU,			/* u32: GET of a CPU */
	TASKRT_A_AGGR_CGROUP,		/* nest of TASKRT_AGGR_A_CGROUP, _PART, _JOB, _STATS, groups */
	TASKRT_A_AGGR_CPU,		/* nest of TASKRT_AGGR_A_CPU, _STATS and groups */
	TASKRT_A_AFTER,			/* u64: a dump continues behind this id */
	TASKRT_A_CGROUP_FD,		/* u32: GET of a v2 cgroup, by a descriptor of its folder */
	TASKRT_A_STREAM,		/* u32: ARM: ms after which recorded events are sent */
	__TASKRT_A_MAX,
	TASKRT_A_MAX = __TASKRT_A_MAX - 1,
};

/*
 * The conditions of a GET dump and of a REGISTER.  A task matches if all of them
 * hold.  A condition that the module does not know or does not serve fails with EINVAL,
 * because ignoring it would return more than was requested.  INFO_A_FILTERS contains
 * those that it serves.
 */
enum taskrt_filter_attr {
	TASKRT_FILTER_A_UNSPEC,
	TASKRT_FILTER_A_PAD,
	TASKRT_FILTER_A_OWN,		/* flag: only tasks that the requester's user may read */
	TASKRT_FILTER_A_TGID,		/* u32: only this process; 0: the requester's process;
					 * may repeat: any of these, TASKRT_FILTER_TGIDS_MAX
					 */
	TASKRT_FILTER_A_CGROUP,		/* u64: id of a v2 cgroup, and those below it */
	/* Kept for a later version, and refused by this one: */
	TASKRT_FILTER_A_UID,		/* u32: only tasks with this real user id */
	TASKRT_FILTER_A_STATES,		/* u32: only threads in one of these states, 1 << state */
	TASKRT_FILTER_A_POLICY,		/* u32: only threads with one of these, 1 << SCHED_* */
	TASKRT_FILTER_A_COMM,		/* string: only tasks with this name */
	TASKRT_FILTER_A_CHANGED_SINCE,	/* u64: only threads that may have changed since then,
					 * CLOCK_MONOTONIC; only in a dump
					 */
	__TASKRT_FILTER_A_MAX,
	TASKRT_FILTER_A_MAX = __TASKRT_FILTER_A_MAX - 1,
};

/* The maximum number of TASKRT_FILTER_A_TGID. */
#define TASKRT_FILTER_TGIDS_MAX	64

/*
 * TASKRT_A_ENTITIES: a mask of 1 << enum taskrt_entity.  REGISTER takes these two; a dump
 * takes exactly one bit, and in this version THREADS.  A process ends when its last thread
 * ends, even if it never had more than one.
 */
#define TASKRT_ENTITIES_THREADS		(1U << TASKRT_ENTITY_THREAD)
#define TASKRT_ENTITIES_PROCESSES	(1U << TASKRT_ENTITY_PROCESS)

/*
 * TASKRT_A_SEQ and TASKRT_A_LOST: how a listener finds out about lost records.
 * A record is lost if the listener's socket is full and its backlog has no room, if there
 * is no memory for it, if so many records wait to be delivered that they leave little room
 * to new threads, or if accounting is switched off before the task has ended.  LOST is the
 * number of records lost since the listener registered.  SEQ is the sequence number of the
 * first record in this message, which also counts the lost records.  Therefore it is always
 * true that
 *
 *	SEQ == records received before this message + LOST
 *
 * If no task ends after a loss, a message without a record reports the loss.
 * TASKRT_AGGR_A_SEQ is the sequence number of the record that contains it.
 */

/* The maximum length of TASKRT_A_CPUMASK, including its NUL. */
#define TASKRT_CPUMASK_MAX	4096

/* Attributes of an aggregate.  STATS and the groups are aligned to 8 bytes in the message. */
enum taskrt_aggr_attr {
	TASKRT_AGGR_A_UNSPEC,
	TASKRT_AGGR_A_PAD,
	TASKRT_AGGR_A_TID,		/* u32 */
	TASKRT_AGGR_A_TGID,		/* u32 */
	TASKRT_AGGR_A_STATS,		/* struct taskrt_stats */
	TASKRT_AGGR_A_CPU,		/* u32: the CPU on which the task ended; only in an EXIT */
	TASKRT_AGGR_A_SEQ,		/* u64: sequence number, from 0; only in an EXIT */
	TASKRT_AGGR_A_TIMES,		/* struct taskrt_times */
	TASKRT_AGGR_A_COUNTS,		/* struct taskrt_counts */
	TASKRT_AGGR_A_LONGEST,		/* struct taskrt_longests */
	TASKRT_AGGR_A_SITES,		/* nest of TASKRT_SITES_A_* */
	/* Kept for AGGR_CGROUP of a later version: */
	TASKRT_AGGR_A_CGROUP,		/* u64: the id of the cgroup */
	TASKRT_AGGR_A_PART,		/* u32: which of its tasks: 1 its own, 2 tasks of removed
					 * cgroups below it, 3 all of its subtree
					 */
	TASKRT_AGGR_A_JOB,		/* numbers of the cgroup itself */
	__TASKRT_AGGR_A_MAX,
	TASKRT_AGGR_A_MAX = __TASKRT_AGGR_A_MAX - 1,
};

/*
 * Where the thread was in the longest interval of a state in which it waited: the kernel
 * function that called the scheduler or waited for the lock, as /proc/PID/wchan has it, with
 * " [module]" after a function of a module.  A state has no SITE if it is not known, if the
 * interval was shorter than a millisecond, or if it is still in progress.  Only GET of one
 * thread or process has this group: neither a dump, nor CHILDREN, nor an EXIT.
 */
enum taskrt_sites_attr {
	TASKRT_SITES_A_UNSPEC,
	TASKRT_SITES_A_PAD,
	TASKRT_SITES_A_SITE,		/* nest of TASKRT_SITE_A_*, one for each state that has one */
	__TASKRT_SITES_A_MAX,
	TASKRT_SITES_A_MAX = __TASKRT_SITES_A_MAX - 1,
};

enum taskrt_site_attr {
	TASKRT_SITE_A_UNSPEC,
	TASKRT_SITE_A_PAD,
	TASKRT_SITE_A_STATE,		/* u32: enum taskrt_state */
	TASKRT_SITE_A_NAME,		/* string: "pipe_read"; it may be truncated */
	__TASKRT_SITE_A_MAX,
	TASKRT_SITE_A_MAX = __TASKRT_SITE_A_MAX - 1,
};

/* The limits of TASKRT_A_DEPTH. */
#define TASKRT_DEPTH_MIN	2
#define TASKRT_DEPTH_MAX	256

/* The default of TASKRT_A_STATES: involuntary waits, for a CPU or in the kernel. */
#define TASKRT_ALERT_STATES	((1U << TASKRT_STATE_PREEMPTED) | (1U << TASKRT_STATE_WOKEN) | \
				 (1U << TASKRT_STATE_BLOCKED_LOCK) | \
				 (1U << TASKRT_STATE_BLOCKED_FAULT) | \
				 (1U << TASKRT_STATE_BLOCKED_IO) | \
				 (1U << TASKRT_STATE_BLOCKED_OTHER))

/*
 * The multicast group of alerts.  Joining it requires CAP_NET_ADMIN.  A socket whose opener
 * lacks that or CAP_PERFMON in the initial user namespace receives nothing.  On Linux 5.16
 * to 6.5 a module cannot leave out sockets.  There, joining requires CAP_SYS_ADMIN as well,
 * if the kernel lets a group require it, as stable versions of 6.1 do.
 */
#define TASKRT_GENL_ALERTS	"alerts"

/*
 * An event is a whole interval in a state or of a timer, recorded when it ends.  Page faults
 * shorter than THRESHOLD, with the same flags, share an event if the thread did not leave the
 * CPU from the start of the first until the end of the last; so do waits for one lock.  SOFTIRQ and
 * RECLAIM_CPU are recorded with the interrupts and waits in them.  HARDIRQ, SOFTIRQ, STEAL
 * and RECLAIM_CPU are recorded only if they take at least THRESHOLD and at least 100 us.
 */
enum taskrt_event_type {
	TASKRT_EVENT_STATE,		/* which: enum taskrt_state */
	TASKRT_EVENT_TIMER,		/* which: enum taskrt_timer */
};

/* taskrt_event.flags */
#define TASKRT_EVENT_PRESENT	(1U << 0)	/* still in progress when the alert was raised */
#define TASKRT_EVENT_MAJOR	(1U << 1)	/* fault: a major fault */
#define TASKRT_EVENT_WRITE	(1U << 2)	/* fault: a write access */
#define TASKRT_EVENT_FILE	(1U << 3)	/* fault: a file mapping; clear: anonymous memory */
#define TASKRT_EVENT_INTERRUPT	(1U << 4)	/* woken by an interrupt, or by a task that is not
						 * known: the hook sched_waking is not attached
						 */
#define TASKRT_EVENT_READER	(1U << 5)	/* the lock was held for reading, possibly by many;
						 * the owner is the last reader to acquire it,
						 * and may have released it already
						 */
#define TASKRT_EVENT_SYSCALL	(1U << 6)	/* syscall is valid */
#define TASKRT_EVENT_FUTEX_OP	(1U << 7)	/* futex_op is valid */
#define TASKRT_EVENT_EARLY	(1U << 8)	/* it started before the thread was armed: what it
						 * was about is not known
						 */

/*
 * struct taskrt_event - one event of an armed thread
 *
 * Ids are in the initial pid namespace.  A tid of 0 with an empty comm
 * means that there is no such task, or that it is not known.
 */
struct taskrt_event {
	__u64	at_ns;			/* CLOCK_MONOTONIC when it started */
	__u64	ns;			/* duration */
	__u16	type;			/* enum taskrt_event_type */
	__u16	which;			/* see enum taskrt_event_type */
	__u32	cpu;			/* the CPU that the thread was on, or left */
	__u32	flags;			/* TASKRT_EVENT_* */
	__u32	kind;			/* wait for a lock: enum taskrt_lock */
	__u64	object;			/* identifies the lock; not an address */
	__u64	address;		/* the faulting address, in a fault or a wait inside one */
	__u32	owner_tid;		/* the task that held the lock when the wait started; for a
					 * futex, as far as the memory of the process shows it
					 */
	__u32	waker_tid;		/* the task that ended the wait */
	__u32	other_tid;		/* PREEMPTED, WOKEN: the task that had the CPU longest */
	__u32	syscall;		/* the system call in which the thread left the CPU, as
					 * asm/unistd.h of its architecture numbers them, if flags
					 * has SYSCALL; not of a 32-bit program on a 64-bit kernel
					 */
	char	owner_comm[16];
	char	waker_comm[16];
	char	other_comm[16];
	__u64	futex;			/* SLEEPING_FUTEX: the address that is waited on, in the
					 * memory of the process; 0: several, or not known
					 */
	__u32	futex_op;		/* the operation of that wait, as linux/futex.h numbers
					 * them, without its flags, if flags has FUTEX_OP
					 */
	__u32	count;			/* intervals of one kind that share the event; 0: one */
	/* Of several: ns is the sum of their durations, with the details of the longest. */
	__u64	longest_ns;		/* duration of the longest */
	__u64	end_ns;			/* when the last one ended */
	__u64	other_ns;		/* of ns, for how long other had the CPU; 0: not known */
	__u64	slack_ns;		/* SLEEPING_TIMER: how much later than asked for the timer
					 * slack of the thread permits the wake-up; 0: not at all
					 */
};

/* Why an alert was raised. */
enum taskrt_reason {
	TASKRT_REASON_REQUESTED,	/* the thread raised it itself (TASKRT_IOC_ALERT) */
	TASKRT_REASON_OVER,		/* the last event took at least ALERT_OVER */
	TASKRT_REASON_DISARMED,		/* a privileged task disarmed the thread, or took it over */
};

/*
 * Attributes of an alert.  SEQ and TID are in each message of the alert.  EVENTs
 * are in as many messages as they need, the oldest first.  LAST is in the last
 * message, and all others are in the first one.  Alerts are sent in the order in
 * which they were raised.  Those that could not be delivered leave a gap in SEQ:
 * SEQ == alerts delivered before this one + LOST.
 */
enum taskrt_alert_attr {
	TASKRT_ALERT_A_UNSPEC,
	TASKRT_ALERT_A_PAD,
	TASKRT_ALERT_A_SEQ,		/* u64: sequence number of the alert, from 0 */
	TASKRT_ALERT_A_LOST,		/* u64: alerts of all threads lost before this one */
	TASKRT_ALERT_A_TID,		/* u32: in the initial pid namespace */
	TASKRT_ALERT_A_TGID,		/* u32 */
	TASKRT_ALERT_A_COMM,		/* string */
	TASKRT_ALERT_A_REASON,		/* u32: enum taskrt_reason */
	TASKRT_ALERT_A_TAG,		/* string: the tag of TASKRT_IOC_ALERT, if any */
	TASKRT_ALERT_A_AT,		/* u64: CLOCK_MONOTONIC when it was raised */
	TASKRT_ALERT_A_RECORDED,	/* u64: events since arming or since the previous alert,
					 * including overwritten ones
					 */
	TASKRT_ALERT_A_EVENT,		/* nest of TASKRT_EVENT_A_* */
	TASKRT_ALERT_A_LAST,		/* flag: this is the last message of the alert */
	TASKRT_ALERT_A_BEGIN,		/* u64: begin_ns of TASKRT_IOC_ALERT, if it was not 0 */
	TASKRT_ALERT_A_END,		/* u64: end_ns, likewise */
	__TASKRT_ALERT_A_MAX,
	TASKRT_ALERT_A_MAX = __TASKRT_ALERT_A_MAX - 1,
};

/* Attributes of an event. */
enum taskrt_event_attr {
	TASKRT_EVENT_A_UNSPEC,
	TASKRT_EVENT_A_PAD,
	TASKRT_EVENT_A_EVENT,		/* struct taskrt_event */
	TASKRT_EVENT_A_CALLER,		/* string: the lock's caller, "symbol+0x12/0x34 [module]" */
	TASKRT_EVENT_A_FRAME,		/* string: one stack frame, as CALLER; innermost first */
	__TASKRT_EVENT_A_MAX,
	TASKRT_EVENT_A_MAX = __TASKRT_EVENT_A_MAX - 1,
};

/* The maximum number of TASKRT_EVENT_A_FRAME in an event. */
#define TASKRT_FRAMES_MAX	16

/* Attributes of INFO. */
enum taskrt_info_attr {
	TASKRT_INFO_A_UNSPEC,
	TASKRT_INFO_A_PAD,
	TASKRT_INFO_A_MODULE_VERSION,	/* string */
	TASKRT_INFO_A_STATS_VERSION,	/* u32: newest struct taskrt_stats */
	TASKRT_INFO_A_ENABLED,		/* u32: 1 if accounting is on, else 0 */
	TASKRT_INFO_A_VALID,		/* u64: mask of the TASKRT_VALID_* on this kernel */
	TASKRT_INFO_A_COARSE_NS,	/* u64: parameter coarse_ns */
	TASKRT_INFO_A_ENABLED_SINCE,	/* u64: accounting switched on, CLOCK_MONOTONIC ns */
	TASKRT_INFO_A_THREADS_MAX,	/* u64: parameter max_threads */
	TASKRT_INFO_A_THREADS_MADE,	/* u64: thread records created since ENABLED_SINCE */
	TASKRT_INFO_A_THREADS_GONE,	/* u64: of these, added to their process and freed */
	TASKRT_INFO_A_THREADS,		/* u64: existing thread records */
	TASKRT_INFO_A_PROCESSES,	/* u64: existing process records */
	TASKRT_INFO_A_REFUSED,		/* u64: thread records not created because of max_threads */
	TASKRT_INFO_A_NO_MEMORY,	/* u64: records not created for lack of memory */
	TASKRT_INFO_A_REPAIRED,		/* u64: records created later, after such a failure */
	TASKRT_INFO_A_MEMORY,		/* u64: memory allocated, in bytes */
	TASKRT_INFO_A_RECORD_SIZE,	/* u32: size of a thread record, in bytes */
	TASKRT_INFO_A_PROCESS_SIZE,	/* u32: size of a process record, in bytes */
	TASKRT_INFO_A_HOOK,		/* nest of TASKRT_HOOK_A_*, one for each hook */
	TASKRT_INFO_A_LISTENERS,	/* u32: sockets that are registered for exits */
	TASKRT_INFO_A_EXITS_DELIVERED,	/* u64: exit records sent or in a backlog, all listeners */
	TASKRT_INFO_A_EXITS_LOST,	/* u64: exit records lost, all listeners */
	TASKRT_INFO_A_BACKLOG,		/* u64: bytes in the backlogs of all listeners */
	TASKRT_INFO_A_BACKLOG_MAX,	/* u64: bytes for each listener: backlog_kib; half with OWN */
	TASKRT_INFO_A_MAPPED,		/* u32: threads whose counters are mapped */
	TASKRT_INFO_A_ARMED,		/* u32: threads that are armed */
	TASKRT_INFO_A_ALERTS,		/* u64: alerts raised */
	TASKRT_INFO_A_ALERTS_LOST,	/* u64: of these, not delivered */
	TASKRT_INFO_A_INITIAL,		/* u32: TASKRT_INITIAL_*, for the requester's namespaces */
	TASKRT_INFO_A_MEASURED,		/* struct taskrt_measured: on this kernel; delays of memory
					 * (RECLAIM to WPCOPY): for the requesting task
					 */
	TASKRT_INFO_A_GROUPS,		/* u32: mask of TASKRT_GROUP_* that it can send here */
	TASKRT_INFO_A_STATE,		/* nest of TASKRT_NAME_A_*, one for each state */
	TASKRT_INFO_A_TIMER,		/* the same for each timer, kind of lock and value */
	TASKRT_INFO_A_LOCK,
	TASKRT_INFO_A_VALUE,
	TASKRT_INFO_A_KIND,		/* kept for the kinds of CPUs: NUMBER, NAME, CPUMASK, CAPACITY */
	TASKRT_INFO_A_JOBS,		/* kept: u64: records of cgroups */
	TASKRT_INFO_A_FILTERS,		/* u32: mask of 1 << TASKRT_FILTER_A_* that it serves here */
	TASKRT_INFO_A_MONOTONIC_OFFSET,	/* s64: ns to add to time stamps for CLOCK_MONOTONIC in the
					 * requester's time namespace; absent if the kernel has
					 * no time namespaces
					 */
	__TASKRT_INFO_A_MAX,
	TASKRT_INFO_A_MAX = __TASKRT_INFO_A_MAX - 1,
};

/*
 * Attributes of a name.  INFO has one for each state, timer, kind of lock and value
 * that this module knows, whether or not it is measured on this kernel.
 */
enum taskrt_name_attr {
	TASKRT_NAME_A_UNSPEC,
	TASKRT_NAME_A_PAD,
	TASKRT_NAME_A_NUMBER,		/* u32 */
	TASKRT_NAME_A_NAME,		/* string: "blocked_lock" */
	TASKRT_NAME_A_PARENT,		/* u32: of a state; its own number if it has no parent */
	__TASKRT_NAME_A_MAX,
	TASKRT_NAME_A_MAX = __TASKRT_NAME_A_MAX - 1,
};

/*
 * The requester is in the initial network namespace, to which alerts are sent, or in
 * the initial pid namespace, whose ids they contain.
 */
#define TASKRT_INITIAL_NET	(1U << 0)
#define TASKRT_INITIAL_PID	(1U << 1)

/* Attributes of a hook. */
enum taskrt_hook_attr {
	TASKRT_HOOK_A_UNSPEC,
	TASKRT_HOOK_A_PAD,
	TASKRT_HOOK_A_NAME,		/* string: its name in the kernel */
	/* string: "tracepoint", "kprobe", "kretprobe", "ftrace", "counter" or "hotplug" */
	TASKRT_HOOK_A_KIND,
	TASKRT_HOOK_A_STATUS,		/* s32: 0 if attached, else a negative errno */
	TASKRT_HOOK_A_HITS,		/* u64: number of calls */
	TASKRT_HOOK_A_MISSES,		/* u64: number of calls that could not be accounted */
	__TASKRT_HOOK_A_MAX,
	TASKRT_HOOK_A_MAX = __TASKRT_HOOK_A_MAX - 1,
};

#endif /* _UAPI_LINUX_TASKRT_H */
