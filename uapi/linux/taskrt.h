/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * taskrt: why was this thread not running when it should have been?
 *
 * The generic-netlink family "taskrt", described once here and once, for
 * programs that read specs, in taskrt.yaml.  A test holds one against the other.
 *
 * Everything here only grows, by the rules of docs/uapi.md.  Numbers are never
 * reused.  Room that is left in a structure reads 0.  A client built against
 * version 1 keeps working.
 */
#ifndef _UAPI_LINUX_TASKRT_H
#define _UAPI_LINUX_TASKRT_H

#include <linux/types.h>

#define TASKRT_GENL_NAME	"taskrt"
#define TASKRT_GENL_VERSION	1

/*
 * The states of a thread.  At every instant it is in exactly one of them, so
 * the times in the states sum to the time tracked, to the nanosecond.  Where
 * two reasons for being off the CPU hold, the state is the first of: THROTTLED;
 * PREEMPTED, WOKEN; BLOCKED_LOCK; BLOCKED_FAULT; STOPPED; BLOCKED_IO;
 * BLOCKED_OTHER; the sleeps.  The numbers say nothing of that order.
 *
 * A later state has a parent among the earlier ones, which INFO and the page
 * tell: who does not know it adds its time to the parent's.
 */
enum taskrt_state {
	TASKRT_STATE_RUNNING,		/* on a CPU, user or kernel */
	TASKRT_STATE_PREEMPTED,		/* taken off the CPU, still runnable */
	TASKRT_STATE_WOKEN,		/* woken, waiting for a CPU */
	TASKRT_STATE_BLOCKED_LOCK,	/* asleep for a contended kernel lock */
	TASKRT_STATE_BLOCKED_FAULT,	/* asleep inside a page fault */
	TASKRT_STATE_BLOCKED_IO,	/* asleep for I/O (in_iowait) */
	TASKRT_STATE_BLOCKED_OTHER,	/* uninterruptible, none of the above */
	TASKRT_STATE_SLEEPING_FUTEX,	/* futex(2): user-space lock, condition */
	TASKRT_STATE_SLEEPING_POLL,	/* poll, select, epoll, io_uring_enter */
	TASKRT_STATE_SLEEPING_TIMER,	/* nanosleep, clock_nanosleep */
	TASKRT_STATE_SLEEPING,		/* anything else: read, wait, kernel threads */
	TASKRT_STATE_STOPPED,		/* stopped or traced */
	TASKRT_STATE_THROTTLED,		/* runnable, its group has used up its share */
	/* Only ever a value of taskrt_stats.state, and never an index: */
	TASKRT_STATE_EXITED = 31,
};

/*
 * Inclusive timers: whole intervals of one kind, whatever the thread's state is
 * meanwhile, so that they overlap the states and each other.
 */
enum taskrt_timer {
	TASKRT_TIMER_FAULT,		/* from entry to exit of handle_mm_fault */
	TASKRT_TIMER_LOCK,		/* from first contention to acquisition */
	TASKRT_TIMER_HARDIRQ,
	TASKRT_TIMER_SOFTIRQ,
	TASKRT_TIMER_STEAL,
	TASKRT_TIMER_RECLAIM,
	TASKRT_TIMER_COMPACT,
	TASKRT_TIMER_THRASHING,
	TASKRT_TIMER_SWAPIN,
	TASKRT_TIMER_WPCOPY,
	TASKRT_TIMER_EXPIRY,
};

/* Kinds of kernel locks, into which TASKRT_TIMER_LOCK divides. */
enum taskrt_lock {
	TASKRT_LOCK_MUTEX,
	TASKRT_LOCK_RWSEM_READ,
	TASKRT_LOCK_RWSEM_WRITE,
	TASKRT_LOCK_RT_MUTEX,		/* and on PREEMPT_RT every mutex */
	TASKRT_LOCK_OTHER,		/* semaphore, percpu-rwsem, RT's sleeping spinlock */
};

/* Other counters. */
enum taskrt_value {
	TASKRT_VALUE_VOLUNTARY_SWITCHES,	/* since creation */
	TASKRT_VALUE_INVOLUNTARY_SWITCHES,	/* since creation */
	TASKRT_VALUE_WAKEUPS,			/* that ended a wait, since tracked */
	TASKRT_VALUE_MINOR_FAULTS,		/* since creation */
	TASKRT_VALUE_MAJOR_FAULTS,		/* since creation */
	TASKRT_VALUE_MINOR_FAULT_NS,		/* finished faults, as the kernel counts them */
	TASKRT_VALUE_MAJOR_FAULT_NS,
	TASKRT_VALUE_USER_NS,
	TASKRT_VALUE_SYSTEM_NS,
	TASKRT_VALUE_CYCLES,
	TASKRT_VALUE_INSTRUCTIONS,
};

/* Room, of which the numbers above fill a part.  It never changes. */
#define TASKRT_STATES_ROOM	24
#define TASKRT_TIMERS_ROOM	16
#define TASKRT_LOCKS_ROOM	8
#define TASKRT_VALUES_ROOM	24	/* the only one that may be exceeded, one day */

/*
 * What is measured: bit n stands for element n of the arrays of that name.  An
 * element whose bit is clear reads 0 and means "not measured", which is another answer than 0.
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
	__u64	ns;		/* its length; 0: there was none yet */
	__u64	at_ns;		/* CLOCK_MONOTONIC when it began */
};

/*
 * Groups: what is told of a thread or a process beside struct taskrt_stats, as
 * asked for by TASKRT_A_GROUPS, a mask of these.  Each has an attribute
 * (TASKRT_AGGR_A_*) and a structure of 64-bit words.  Nobody pays for a group that
 * he did not ask for.  Bits that the module does not know are ignored, and their
 * group is absent in the answer; bits 24 to 30 are for experiments; bit 31 is refused.
 */
#define TASKRT_GROUP_TIMES	(1U << 0)	/* struct taskrt_times */
#define TASKRT_GROUP_COUNTS	(1U << 1)	/* struct taskrt_counts */
#define TASKRT_GROUP_LONGEST	(1U << 2)	/* struct taskrt_longests */
#define TASKRT_GROUPS_REFUSED	(1U << 31)

/*
 * Nanoseconds, since tracked.  An interval still in progress is included.  The
 * states sum to tracked_time_ns: all that there is room for, also those unknown to the reader.
 */
struct taskrt_times {
	__u64	states_ns[TASKRT_STATES_ROOM];
	__u64	timers_ns[TASKRT_TIMERS_ROOM];
	__u64	locks_ns[TASKRT_LOCKS_ROOM];	/* finished waits and the present one */
};

/* How many intervals have finished, since tracked; and what else is counted. */
struct taskrt_counts {
	__u64	states[TASKRT_STATES_ROOM];
	__u64	timers[TASKRT_TIMERS_ROOM];
	__u64	locks[TASKRT_LOCKS_ROOM];	/* contended acquisitions */
	__u64	values[TASKRT_VALUES_ROOM];	/* enum taskrt_value; may lengthen */
};

/* The longest intervals since tracked, also one still in progress. */
struct taskrt_longests {
	struct taskrt_longest	states[TASKRT_STATES_ROOM];
	struct taskrt_longest	timers[TASKRT_TIMERS_ROOM];
};

/* What is told of. */
enum taskrt_entity {
	TASKRT_ENTITY_THREAD,
	TASKRT_ENTITY_PROCESS,
	TASKRT_ENTITY_CHILDREN,		/* of a process, all that it has waited for, and theirs */
	TASKRT_ENTITY_CGROUP,
	TASKRT_ENTITY_CPU,
};

/* taskrt_stats.valid: which of its fields are known.  Another reads 0. */
#define TASKRT_VALID_CPU_TIME		(1ULL << 0)
#define TASKRT_VALID_QUEUE_TIME		(1ULL << 1)
#define TASKRT_VALID_PAGE_FAULT_TIME	(1ULL << 2)
#define TASKRT_VALID_LOCK_TIME		(1ULL << 3)
#define TASKRT_VALID_CLOCK		(1ULL << 4)	/* sample_time .. start_time */
#define TASKRT_VALID_IDENTITY		(1ULL << 5)	/* tid .. gid, exit_code, comm */
#define TASKRT_VALID_STATE		(1ULL << 6)	/* state; a thread's only */
#define TASKRT_VALID_THREADS		(1ULL << 7)	/* threads, threads_gone; a process's only */
#define TASKRT_VALID_CPU		(1ULL << 8)	/* cpu; a thread's, or where it ended */
#define TASKRT_VALID_CGROUP		(1ULL << 9)	/* cgroup */

/* taskrt_stats.flags */
#define TASKRT_FLAG_KTHREAD	(1U << 0)	/* a kernel thread */
#define TASKRT_FLAG_EXITED	(1U << 1)	/* closed: nothing moves any more */
#define TASKRT_FLAG_PREEXISTING	(1U << 2)	/* existed before it was tracked */
#define TASKRT_FLAG_COARSE	(1U << 3)	/* times rounded down (parameter coarse_ns) */
#define TASKRT_FLAG_INCOMPLETE	(1U << 4)	/* threads of it are or were untracked */

/*
 * struct taskrt_stats - who, when, and the totals of versions 1 and 2
 *
 * Times are nanoseconds, instants CLOCK_MONOTONIC as seen by the host's
 * initial time namespace.  An interval still in progress is included.
 * A process is the sum of its threads, gone and live; its longest intervals are
 * the longest of them.  A version ends where its comment says; a message of
 * version N is exactly the bytes of versions 1 to N.
 */
struct taskrt_stats {
	__u32	version;
	__u32	size;			/* bytes of this structure in this version */
	__u64	valid;			/* TASKRT_VALID_* */

	__u64	cpu_time_ns;		/* since creation: time on a CPU */
	__u64	queue_time_ns;		/* since creation: runnable, not running */
	/* end of version 1 */

	/* These may overlap each other and the states: whole intervals. */
	__u64	page_fault_time_ns;	/* from entry to exit of handle_mm_fault */
	__u64	lock_contention_time_ns;/* from first contention to acquisition */
	/* end of version 2 */

	struct taskrt_measured	measured;	/* in the groups, asked for or not */

	__u64	sample_time_ns;		/* the instant these totals are for */
	__u64	tracked_since_ns;	/* tracking began; of a process: the earliest */
	__u64	tracked_time_ns;	/* == sum of states_ns[]; of a thread also
					 * == sample_time_ns - tracked_since_ns
					 */
	__u64	start_time_ns;		/* creation; with tid, names a thread for ever */

	__u32	entity;			/* enum taskrt_entity */
	__u32	flags;			/* TASKRT_FLAG_* */
	__u32	tid;			/* 0 for a process */
	__u32	tgid;
	__u32	ppid;
	__u32	uid;
	__u32	gid;
	__u32	cpu;			/* that it is on, or was on last */
	__u32	state;			/* enum taskrt_state, now */
	__u32	exit_code;		/* as wait(2) reports it; 0 while it lives */

	__u64	cgroup;			/* id of its v2 cgroup */
	__u64	threads;		/* live */
	__u64	threads_gone;		/* ended, and in the totals */

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
 * GET do: TID (0: the asking thread) or TGID (0: its process), and optionally
 * VERSION and GROUPS; answers AGGR_TID or AGGR_TGID.  With TGID and CHILDREN it
 * answers AGGR_CHILDREN beside that: the sum over all children, and theirs, that
 * the process has waited for (as RUSAGE_CHILDREN).  GET dump: all threads that
 * the asker may read and that fit FILTER, or those of TGID, in ascending order of
 * their ids; VERSION and GROUPS as above, ENTITIES only as THREAD.
 *
 * No VERSION means 3.  No GROUPS means TIMES, and with VERSION 1 or 2 none.
 *
 * INFO: what this module measures on this kernel.
 *
 * REGISTER: from now on EXITs come to this socket, of tasks that end on a CPU
 * of CPUMASK.  Optionally ENTITIES (THREAD and PROCESS), FILTER, VERSION, GROUPS.
 * A socket may register several times, each mask with its own conditions: a task
 * that fits any of them is told once.  VERSION and GROUPS of the last one hold for
 * all.  Answers the mask as it was understood.
 *
 * DEREGISTER: takes the CPUs of CPUMASK out of all masks of this socket.
 * Answers the mask.  Closing the socket does it too, at once.
 *
 * LIST: what this socket has registered: SEQ, LOST and BACKLOG, and a
 * REGISTRATION for each.
 *
 * EXIT: a notification, with what is told in the order in which tasks ended:
 * AGGR_TID and AGGR_TGID, one after the other, any number of them.  The last
 * thread's is followed by its process's.  See TASKRT_A_SEQ.
 *
 * ARM: from now on the module keeps the last events of thread TID (0: the
 * asking one): DEPTH of them, with the kernel stack of waits that take
 * THRESHOLD at least.  With ALERT_OVER it raises an alert by itself, when an
 * interval in one of STATES takes so long.  Arming again begins anew; what another
 * socket has armed is EBUSY.  DISARM: no longer, whoever armed it.  It ends with
 * the thread, and with the socket that armed.
 *
 * ALERT: a notification on the multicast group TASKRT_GENL_ALERTS, of the
 * initial network namespace only: a thread was late, and this is what it had
 * been through.  One alert may take several messages, see TASKRT_ALERT_A_LAST.
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
	TASKRT_A_VERSION,		/* u32: newest version of the statistics that the asker knows */
	TASKRT_A_AGGR_TID,		/* nest of TASKRT_AGGR_A_TID, _STATS and groups */
	TASKRT_A_AGGR_TGID,		/* nest of TASKRT_AGGR_A_TGID, _STATS and groups */
	TASKRT_A_INFO,			/* nest of TASKRT_INFO_A_* */
	TASKRT_A_PAD,
	TASKRT_A_CPUMASK,		/* string: "0-3,7" or "all", with its NUL */
	TASKRT_A_ENTITIES,		/* u32: 1 << enum taskrt_entity each */
	TASKRT_A_FILTER,		/* nest of TASKRT_FILTER_A_* */
	TASKRT_A_GROUPS,		/* u32: TASKRT_GROUP_* */
	TASKRT_A_SEQ,			/* u64: see below */
	TASKRT_A_LOST,			/* u64: see below */
	TASKRT_A_BACKLOG,		/* u64: bytes that wait for room in the socket */
	TASKRT_A_REGISTRATION,		/* nest of CPUMASK, ENTITIES, FILTER */
	TASKRT_A_CHILDREN,		/* flag: the children's totals as well */
	TASKRT_A_AGGR_CHILDREN,		/* nest of TASKRT_AGGR_A_TGID, _STATS and groups */
	TASKRT_A_DEPTH,			/* u32: events, TASKRT_DEPTH_MIN to _MAX; default 64 */
	TASKRT_A_THRESHOLD,		/* u64: ns; default 1 ms */
	TASKRT_A_ALERT_OVER,		/* u64: ns, not 0; default: never by itself */
	TASKRT_A_STATES,		/* u32: 1 << enum taskrt_state each; default _ALERT_STATES */
	TASKRT_A_ALERT,			/* nest of TASKRT_ALERT_A_* */
	/*
	 * The next five numbers are kept for CGROUP (u64), CPU (u32), AGGR_CGROUP,
	 * AGGR_CPU, and AFTER, with which a dump goes on.
	 */
	__TASKRT_A_MAX,
	TASKRT_A_MAX = __TASKRT_A_MAX - 1,
};

/*
 * Conditions on what is told, all of which hold, the same for GET dump and
 * REGISTER.  One that is not known is refused: to ignore it would tell of more.
 */
enum taskrt_filter_attr {
	TASKRT_FILTER_A_UNSPEC,
	TASKRT_FILTER_A_PAD,
	TASKRT_FILTER_A_OWN,		/* flag: only what the asker's user may read */
	TASKRT_FILTER_A_TGID,		/* u32: of this process; 0: of the asker's */
	TASKRT_FILTER_A_CGROUP,		/* u64: id of a v2 cgroup, and those below it */
	__TASKRT_FILTER_A_MAX,
	TASKRT_FILTER_A_MAX = __TASKRT_FILTER_A_MAX - 1,
};

/*
 * TASKRT_A_ENTITIES of REGISTER.  A process ends with its last thread, also
 * one that never had a second.
 */
#define TASKRT_ENTITIES_THREADS		(1U << TASKRT_ENTITY_THREAD)
#define TASKRT_ENTITIES_PROCESSES	(1U << TASKRT_ENTITY_PROCESS)

/*
 * What becomes of the records that a listener is owed.  LOST counts those that
 * found its socket and its backlog full, since it registered.  SEQ is the
 * number of all before the first one of this message, told and lost: so
 *
 *	SEQ == records received before this message + LOST
 *
 * always.  Where nobody else ends after a loss, a message with no record
 * reports it.  SEQ in a record's own nest is that record's.
 */

/* TASKRT_A_CPUMASK is at most so long, with its NUL. */
#define TASKRT_CPUMASK_MAX	4096

/* Attributes of an aggregate.  STATS and the groups are aligned to 8 in their message. */
enum taskrt_aggr_attr {
	TASKRT_AGGR_A_UNSPEC,
	TASKRT_AGGR_A_PAD,
	TASKRT_AGGR_A_TID,		/* u32 */
	TASKRT_AGGR_A_TGID,		/* u32 */
	TASKRT_AGGR_A_STATS,		/* struct taskrt_stats */
	TASKRT_AGGR_A_CPU,		/* u32: where it ended; in an EXIT */
	TASKRT_AGGR_A_SEQ,		/* u64: number of this record, from 0 on; in an EXIT */
	TASKRT_AGGR_A_TIMES,		/* struct taskrt_times */
	TASKRT_AGGR_A_COUNTS,		/* struct taskrt_counts */
	TASKRT_AGGR_A_LONGEST,		/* struct taskrt_longests */
	__TASKRT_AGGR_A_MAX,
	TASKRT_AGGR_A_MAX = __TASKRT_AGGR_A_MAX - 1,
};

/* Of an armed thread. */
#define TASKRT_DEPTH_MIN	2
#define TASKRT_DEPTH_MAX	256

/* Waits that nobody asks for: queued, or blocked in the kernel. */
#define TASKRT_ALERT_STATES	((1U << TASKRT_STATE_PREEMPTED) | (1U << TASKRT_STATE_WOKEN) | \
				 (1U << TASKRT_STATE_BLOCKED_LOCK) | \
				 (1U << TASKRT_STATE_BLOCKED_FAULT) | \
				 (1U << TASKRT_STATE_BLOCKED_IO) | \
				 (1U << TASKRT_STATE_BLOCKED_OTHER))

/* The multicast group of alerts.  To join it takes CAP_NET_ADMIN. */
#define TASKRT_GENL_ALERTS	"alerts"

/* What an event was: a whole interval, as it ended, in a state or of a timer. */
enum taskrt_event_type {
	TASKRT_EVENT_STATE,		/* which: enum taskrt_state */
	TASKRT_EVENT_TIMER,		/* which: enum taskrt_timer */
};

/* taskrt_event.flags */
#define TASKRT_EVENT_PRESENT	(1U << 0)	/* not over yet when the alert was raised */
#define TASKRT_EVENT_MAJOR	(1U << 1)	/* of a fault */
#define TASKRT_EVENT_WRITE	(1U << 2)	/* of a fault */
#define TASKRT_EVENT_FILE	(1U << 3)	/* of a fault: a file's page; else anonymous */
#define TASKRT_EVENT_INTERRUPT	(1U << 4)	/* the waker was an interrupt: a timer, a device, or
						 * the wake-up of another CPU, whose task is not known
						 */
#define TASKRT_EVENT_READER	(1U << 5)	/* the lock was held for reading, perhaps by many: the
						 * owner is who took it last, and may have let go of it
						 */

/*
 * struct taskrt_event - something that an armed thread went through
 *
 * Ids are those of the initial pid namespace; 0 with an empty comm: nobody, or
 * not known.
 */
struct taskrt_event {
	__u64	at_ns;			/* CLOCK_MONOTONIC when it began */
	__u64	ns;
	__u16	type;			/* enum taskrt_event_type */
	__u16	which;
	__u32	cpu;			/* that the thread was on, or left */
	__u32	flags;			/* TASKRT_EVENT_* */
	__u32	kind;			/* enum taskrt_lock, of a wait for a lock */
	__u64	object;			/* tells locks apart; not an address */
	__u64	address;		/* of a fault, or of a wait in one */
	__u32	owner_tid;		/* who had the lock when the wait began */
	__u32	waker_tid;		/* who ended the wait */
	__u32	other_tid;		/* queued: who had the CPU instead */
	__u32	syscall;		/* reserved */
	char	owner_comm[16];
	char	waker_comm[16];
	char	other_comm[16];
	__u64	reserved[2];
};

/* Why an alert was raised. */
enum taskrt_reason {
	TASKRT_REASON_TOLD,		/* the thread itself said so */
	TASKRT_REASON_OVER,		/* the last event took longer than ALERT_OVER */
};

/*
 * Attributes of an alert.  SEQ and TID are in each of its messages, the others
 * in the first; EVENTs in as many as it takes, the oldest first.  Alerts that
 * were not told leave a gap in SEQ: SEQ == alerts told before + LOST.
 */
enum taskrt_alert_attr {
	TASKRT_ALERT_A_UNSPEC,
	TASKRT_ALERT_A_PAD,
	TASKRT_ALERT_A_SEQ,		/* u64: number of the alert, from 0 on */
	TASKRT_ALERT_A_LOST,		/* u64: alerts not told until then, of all threads */
	TASKRT_ALERT_A_TID,		/* u32: initial pid namespace */
	TASKRT_ALERT_A_TGID,		/* u32 */
	TASKRT_ALERT_A_COMM,		/* string */
	TASKRT_ALERT_A_REASON,		/* u32: enum taskrt_reason */
	TASKRT_ALERT_A_TAG,		/* string: the reporter's words, if any */
	TASKRT_ALERT_A_AT,		/* u64: CLOCK_MONOTONIC when it was raised */
	TASKRT_ALERT_A_RECORDED,	/* u64: events since armed or since the alert before, also
					 * those that were overwritten
					 */
	TASKRT_ALERT_A_EVENT,		/* nest of TASKRT_EVENT_A_* */
	TASKRT_ALERT_A_LAST,		/* flag: its last message */
	__TASKRT_ALERT_A_MAX,
	TASKRT_ALERT_A_MAX = __TASKRT_ALERT_A_MAX - 1,
};

/* Attributes of an event. */
enum taskrt_event_attr {
	TASKRT_EVENT_A_UNSPEC,
	TASKRT_EVENT_A_PAD,
	TASKRT_EVENT_A_EVENT,		/* struct taskrt_event */
	TASKRT_EVENT_A_CALLER,		/* string: who wanted the lock, "symbol+0x12/0x34 [module]" */
	TASKRT_EVENT_A_FRAME,		/* string, as that, one a frame of the stack, innermost first */
	__TASKRT_EVENT_A_MAX,
	TASKRT_EVENT_A_MAX = __TASKRT_EVENT_A_MAX - 1,
};

#define TASKRT_FRAMES_MAX	16

/* Attributes of INFO. */
enum taskrt_info_attr {
	TASKRT_INFO_A_UNSPEC,
	TASKRT_INFO_A_PAD,
	TASKRT_INFO_A_MODULE_VERSION,	/* string */
	TASKRT_INFO_A_STATS_VERSION,	/* u32: newest struct taskrt_stats */
	TASKRT_INFO_A_ENABLED,		/* u32: accounting is on */
	TASKRT_INFO_A_VALID,		/* u64: TASKRT_VALID_* known here */
	TASKRT_INFO_A_COARSE_NS,	/* u64: parameter coarse_ns */
	TASKRT_INFO_A_ENABLED_SINCE,	/* u64: CLOCK_MONOTONIC, ns */
	TASKRT_INFO_A_THREADS_MAX,	/* u64: parameter max_threads */
	TASKRT_INFO_A_THREADS_MADE,	/* u64: records made since enabled */
	TASKRT_INFO_A_THREADS_GONE,	/* u64: of these, folded and freed */
	TASKRT_INFO_A_THREADS,		/* u64: records there are, counted one by one */
	TASKRT_INFO_A_PROCESSES,	/* u64 */
	TASKRT_INFO_A_REFUSED,		/* u64: records refused, max_threads reached */
	TASKRT_INFO_A_NO_MEMORY,	/* u64: records not made for want of memory */
	TASKRT_INFO_A_REPAIRED,		/* u64: records made later after such a failure */
	TASKRT_INFO_A_MEMORY,		/* u64: bytes held */
	TASKRT_INFO_A_RECORD_SIZE,	/* u32: bytes of one thread's record */
	TASKRT_INFO_A_PROCESS_SIZE,	/* u32: bytes of one process's record */
	TASKRT_INFO_A_HOOK,		/* nest of TASKRT_HOOK_A_*, one a hook */
	TASKRT_INFO_A_LISTENERS,	/* u32: sockets that are told of exits */
	TASKRT_INFO_A_EXITS_TOLD,	/* u64: records told, or waiting to be, of all listeners */
	TASKRT_INFO_A_EXITS_LOST,	/* u64: records lost, of all listeners */
	TASKRT_INFO_A_BACKLOG,		/* u64: bytes that wait for room, of all listeners */
	TASKRT_INFO_A_BACKLOG_MAX,	/* u64: parameter backlog_kib, of each, in bytes */
	TASKRT_INFO_A_MAPPED,		/* u32: threads that have their counters mapped */
	TASKRT_INFO_A_ARMED,		/* u32: threads that are armed */
	TASKRT_INFO_A_ALERTS,		/* u64: alerts raised */
	TASKRT_INFO_A_ALERTS_LOST,	/* u64: of these, not told */
	TASKRT_INFO_A_INITIAL,		/* u32: TASKRT_INITIAL_*, of the asker's namespaces */
	TASKRT_INFO_A_MEASURED,		/* struct taskrt_measured: measured here */
	TASKRT_INFO_A_GROUPS,		/* u32: TASKRT_GROUP_* that there are */
	TASKRT_INFO_A_STATE,		/* nest of TASKRT_NAME_A_*, one a state */
	TASKRT_INFO_A_TIMER,		/* and so on */
	TASKRT_INFO_A_LOCK,
	TASKRT_INFO_A_VALUE,
	__TASKRT_INFO_A_MAX,
	TASKRT_INFO_A_MAX = __TASKRT_INFO_A_MAX - 1,
};

/* Of a state, timer, kind of lock or value that this module knows, measured here or not. */
enum taskrt_name_attr {
	TASKRT_NAME_A_UNSPEC,
	TASKRT_NAME_A_PAD,
	TASKRT_NAME_A_NUMBER,		/* u32 */
	TASKRT_NAME_A_NAME,		/* string: "blocked_lock" */
	TASKRT_NAME_A_PARENT,		/* u32: of a state, whose cause it shares; itself: it has none */
	__TASKRT_NAME_A_MAX,
	TASKRT_NAME_A_MAX = __TASKRT_NAME_A_MAX - 1,
};

/* The asker's is the initial namespace: alerts are told there, and have its ids. */
#define TASKRT_INITIAL_NET	(1U << 0)
#define TASKRT_INITIAL_PID	(1U << 1)

/* Attributes of a hook. */
enum taskrt_hook_attr {
	TASKRT_HOOK_A_UNSPEC,
	TASKRT_HOOK_A_PAD,
	TASKRT_HOOK_A_NAME,		/* string: as the kernel calls it */
	TASKRT_HOOK_A_KIND,		/* string: "tracepoint", "kprobe" or "kretprobe" */
	TASKRT_HOOK_A_STATUS,		/* s32: 0 attached, else a negative errno */
	TASKRT_HOOK_A_HITS,		/* u64: calls */
	TASKRT_HOOK_A_MISSES,		/* u64: calls that could not be accounted */
	__TASKRT_HOOK_A_MAX,
	TASKRT_HOOK_A_MAX = __TASKRT_HOOK_A_MAX - 1,
};

#endif /* _UAPI_LINUX_TASKRT_H */
