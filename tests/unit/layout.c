// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nothing to run: if this compiles, for 64 and for 32 bits, the released
 * layouts and numbers are what they were.
 */
#include <stddef.h>
#include <linux/taskrt.h>
#include <linux/taskrt_page.h>

#include "frozen.h"

#define AT(member, offset, bytes)							\
	_Static_assert(offsetof(struct taskrt_stats, member) == (offset) &&		\
		       sizeof(((struct taskrt_stats *)0)->member) == (bytes),		\
		       "taskrt_stats." #member " moved")
#define IS(name, value)	_Static_assert((name) == (value), #name " changed")

_Static_assert(sizeof(struct taskrt_stats) == FROZEN_END_V3, "a version grew");
_Static_assert(_Alignof(struct taskrt_stats) <= 8, "more than a message can give");
IS(TASKRT_STATS_VERSION, 3);
IS(TASKRT_STATS_SIZE_V1, FROZEN_END_V1);
IS(TASKRT_STATS_SIZE_V2, FROZEN_END_V2);
IS(TASKRT_STATS_SIZE_V3, FROZEN_END_V3);

AT(version, FROZEN_VERSION, 4);
AT(size, FROZEN_SIZE, 4);
AT(valid, FROZEN_VALID, 8);
AT(cpu_time_ns, FROZEN_CPU_TIME, 8);
AT(queue_time_ns, FROZEN_QUEUE_TIME, 8);
AT(page_fault_time_ns, FROZEN_PAGE_FAULT_TIME, 8);
AT(lock_contention_time_ns, FROZEN_LOCK_CONTENTION_TIME, 8);
AT(sample_time_ns, FROZEN_SAMPLE_TIME, 8);
AT(tracked_since_ns, FROZEN_TRACKED_SINCE, 8);
AT(tracked_time_ns, FROZEN_TRACKED_TIME, 8);
AT(start_time_ns, FROZEN_START_TIME, 8);
AT(tid, FROZEN_TID, 4);
AT(tgid, FROZEN_TGID, 4);
AT(ppid, FROZEN_PPID, 4);
AT(uid, FROZEN_UID, 4);
AT(gid, FROZEN_GID, 4);
AT(state, FROZEN_STATE, 4);
AT(flags, FROZEN_FLAGS, 4);
AT(exit_code, FROZEN_EXIT_CODE, 4);
AT(comm, FROZEN_COMM, 16);
AT(threads, FROZEN_THREADS, 8);
AT(threads_gone, FROZEN_THREADS_GONE, 8);
AT(states_ns, FROZEN_STATES, 12 * 8);
AT(voluntary_switches, FROZEN_VOLUNTARY_SWITCHES, 8);
AT(involuntary_switches, FROZEN_INVOLUNTARY_SWITCHES, 8);
AT(wakeups, FROZEN_WAKEUPS, 8);
AT(minor_faults, FROZEN_MINOR_FAULTS, 8);
AT(major_faults, FROZEN_MAJOR_FAULTS, 8);
AT(minor_fault_time_ns, FROZEN_MINOR_FAULT_TIME, 8);
AT(major_fault_time_ns, FROZEN_MAJOR_FAULT_TIME, 8);
AT(lock_time_ns, FROZEN_LOCK_TIME, 5 * 8);
AT(lock_count, FROZEN_LOCK_COUNT, 5 * 8);
AT(longest_state, FROZEN_LONGEST_STATE, 12 * 16);
AT(longest_fault, FROZEN_LONGEST_FAULT, 16);
AT(longest_lock, FROZEN_LONGEST_LOCK, 16);
_Static_assert(offsetof(struct taskrt_longest, at_ns) == 8, "taskrt_longest changed");

IS(TASKRT_GENL_VERSION, 1);
IS(TASKRT_STATE_RUNNING, 0);
IS(TASKRT_STATE_PREEMPTED, 1);
IS(TASKRT_STATE_WOKEN, 2);
IS(TASKRT_STATE_BLOCKED_LOCK, 3);
IS(TASKRT_STATE_BLOCKED_FAULT, 4);
IS(TASKRT_STATE_BLOCKED_IO, 5);
IS(TASKRT_STATE_BLOCKED_OTHER, 6);
IS(TASKRT_STATE_SLEEPING_FUTEX, 7);
IS(TASKRT_STATE_SLEEPING_POLL, 8);
IS(TASKRT_STATE_SLEEPING_TIMER, 9);
IS(TASKRT_STATE_SLEEPING, 10);
IS(TASKRT_STATE_STOPPED, 11);
IS(TASKRT_STATE_EXITED, 12);
IS(TASKRT_LOCK_MUTEX, 0);
IS(TASKRT_LOCK_RWSEM_READ, 1);
IS(TASKRT_LOCK_RWSEM_WRITE, 2);
IS(TASKRT_LOCK_RT_MUTEX, 3);
IS(TASKRT_LOCK_OTHER, 4);
IS(TASKRT_VALID_CPU_TIME, 0x1);
IS(TASKRT_VALID_QUEUE_TIME, 0x2);
IS(TASKRT_VALID_PAGE_FAULT_TIME, 0x4);
IS(TASKRT_VALID_LOCK_TIME, 0x8);
IS(TASKRT_VALID_CLOCK, 0x10);
IS(TASKRT_VALID_IDENTITY, 0x20);
IS(TASKRT_VALID_STATE, 0x40);
IS(TASKRT_VALID_STATES, 0x80);
IS(TASKRT_VALID_SWITCHES, 0x100);
IS(TASKRT_VALID_WAKEUPS, 0x200);
IS(TASKRT_VALID_FAULTS, 0x400);
IS(TASKRT_VALID_FAULT_TIMES, 0x800);
IS(TASKRT_VALID_LOCKS, 0x1000);
IS(TASKRT_VALID_LONGEST_STATE, 0x2000);
IS(TASKRT_VALID_LONGEST_FAULT, 0x4000);
IS(TASKRT_VALID_LONGEST_LOCK, 0x8000);
IS(TASKRT_VALID_THREADS, 0x10000);
IS(TASKRT_FLAG_KTHREAD, 0x1);
IS(TASKRT_FLAG_EXITED, 0x2);
IS(TASKRT_FLAG_LATE, 0x4);
IS(TASKRT_FLAG_COARSE, 0x8);
IS(TASKRT_FLAG_INCOMPLETE, 0x10);
IS(TASKRT_CMD_GET, 1);
IS(TASKRT_CMD_INFO, 2);
IS(TASKRT_CMD_REGISTER, 3);
IS(TASKRT_CMD_DEREGISTER, 4);
IS(TASKRT_CMD_LIST, 5);
IS(TASKRT_CMD_EXIT, 6);
IS(TASKRT_WHAT_THREADS, 0x1);
IS(TASKRT_WHAT_PROCESSES, 0x2);
IS(TASKRT_CPUMASK_MAX, 4096);
IS(TASKRT_A_TID, 1);
IS(TASKRT_A_TGID, 2);
IS(TASKRT_A_VERSION, 3);
IS(TASKRT_A_AGGR_TID, 4);
IS(TASKRT_A_AGGR_TGID, 5);
IS(TASKRT_A_INFO, 6);
IS(TASKRT_A_PAD, 7);
IS(TASKRT_A_CPUMASK, 8);
IS(TASKRT_A_WHAT, 9);
IS(TASKRT_A_OWN, 10);
IS(TASKRT_A_CGROUP, 11);
IS(TASKRT_A_SEQ, 12);
IS(TASKRT_A_LOST, 13);
IS(TASKRT_A_BACKLOG, 14);
IS(TASKRT_A_REGISTRATION, 15);
IS(TASKRT_A_CHILDREN, 16);
IS(TASKRT_A_AGGR_CHILDREN, 17);
IS(TASKRT_AGGR_A_PAD, 1);
IS(TASKRT_AGGR_A_TID, 2);
IS(TASKRT_AGGR_A_TGID, 3);
IS(TASKRT_AGGR_A_STATS, 4);
IS(TASKRT_AGGR_A_CPU, 5);
IS(TASKRT_INFO_A_PAD, 1);
IS(TASKRT_INFO_A_MODULE_VERSION, 2);
IS(TASKRT_INFO_A_STATS_VERSION, 3);
IS(TASKRT_INFO_A_ENABLED, 4);
IS(TASKRT_INFO_A_VALID, 5);
IS(TASKRT_INFO_A_COARSE_NS, 6);
IS(TASKRT_INFO_A_ENABLED_SINCE, 7);
IS(TASKRT_INFO_A_THREADS_MAX, 8);
IS(TASKRT_INFO_A_THREADS_MADE, 9);
IS(TASKRT_INFO_A_THREADS_GONE, 10);
IS(TASKRT_INFO_A_THREADS, 11);
IS(TASKRT_INFO_A_PROCESSES, 12);
IS(TASKRT_INFO_A_REFUSED, 13);
IS(TASKRT_INFO_A_NO_MEMORY, 14);
IS(TASKRT_INFO_A_REPAIRED, 15);
IS(TASKRT_INFO_A_MEMORY, 16);
IS(TASKRT_INFO_A_RECORD_SIZE, 17);
IS(TASKRT_INFO_A_PROCESS_SIZE, 18);
IS(TASKRT_INFO_A_HOOK, 19);
IS(TASKRT_INFO_A_LISTENERS, 20);
IS(TASKRT_INFO_A_EXITS_TOLD, 21);
IS(TASKRT_INFO_A_EXITS_LOST, 22);
IS(TASKRT_INFO_A_BACKLOG, 23);
IS(TASKRT_INFO_A_BACKLOG_MAX, 24);
IS(TASKRT_HOOK_A_PAD, 1);
IS(TASKRT_HOOK_A_NAME, 2);
IS(TASKRT_HOOK_A_KIND, 3);
IS(TASKRT_HOOK_A_STATUS, 4);
IS(TASKRT_HOOK_A_HITS, 5);
IS(TASKRT_HOOK_A_MISSES, 6);

/* The page: version 1, which later ones only append to. */
#define PAGE_AT(member, offset)								\
	_Static_assert(offsetof(struct taskrt_page, member) == (offset),		\
		       "taskrt_page." #member " moved")

IS(TASKRT_PAGE_VERSION, 1);
IS(TASKRT_PAGE_SIZE, 8192);
IS(TASKRT_PAGE_LIVE, 0);
IS(TASKRT_IN_FAULT, 1);
IS(TASKRT_IN_LOCK, 2);
IS(TASKRT_NR_TIMERS, 14);
PAGE_AT(version, 0);
PAGE_AT(size, 4);
PAGE_AT(valid, 8);
PAGE_AT(clock_offset_ns, 16);
PAGE_AT(tracked_since_ns, 24);
PAGE_AT(start_time_ns, 32);
PAGE_AT(cpu_before_ns, 40);
PAGE_AT(queue_before_ns, 48);
PAGE_AT(tid, 56);
PAGE_AT(tgid, 60);
PAGE_AT(ppid, 64);
PAGE_AT(uid, 68);
PAGE_AT(gid, 72);
PAGE_AT(flags, 76);
PAGE_AT(comm, 80);
PAGE_AT(status, 96);
PAGE_AT(changes, 128);
PAGE_AT(state, 136);
PAGE_AT(in_progress, 140);
PAGE_AT(since_ns, 144);
PAGE_AT(fault_since_ns, 152);
PAGE_AT(lock_since_ns, 160);
PAGE_AT(lock, 168);
PAGE_AT(totals, 192);
PAGE_AT(longest, 448);
PAGE_AT(intervals, 672);
_Static_assert(sizeof(struct taskrt_totals) == 31 * 8, "taskrt_totals changed");
_Static_assert(sizeof(struct taskrt_intervals) == 416, "taskrt_intervals changed");
_Static_assert(offsetof(struct taskrt_intervals, peaks) == 176, "taskrt_intervals changed");
_Static_assert(sizeof(struct taskrt_page) == 672 + 14 * 416, "taskrt_page changed");
_Static_assert(sizeof(struct taskrt_page) <= TASKRT_PAGE_SIZE, "more than is mapped");
_Static_assert(TASKRT_IOC_ALERT == 0x4040f701, "the ioctl's number changed");

/* An event, as alerts have it. */
_Static_assert(sizeof(struct taskrt_event) == TASKRT_EVENT_SIZE_V1, "taskrt_event changed");
IS(TASKRT_EVENT_SIZE_V1, 112);
IS(TASKRT_EVENT_FAULT, 12);
IS(TASKRT_EVENT_LOCK, 13);
IS(TASKRT_TIMER_FAULT, 12);
IS(TASKRT_TIMER_LOCK, 13);
