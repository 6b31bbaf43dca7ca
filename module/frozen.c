// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layouts of the uapi never change.  This file repeats them as numbers, so that a change breaks
 * the build.
 */
#include <linux/build_bug.h>
#include <linux/stddef.h>
#include <linux/taskrt.h>
#include <linux/taskrt_page.h>

#define AT(type, member, offset, bytes)						\
	static_assert(offsetof(struct type, member) == (offset) &&		\
		      sizeof_field(struct type, member) == (bytes))
#define SIZE(type, bytes)	static_assert(sizeof(struct type) == (bytes))

SIZE(taskrt_measured, 32);
AT(taskrt_measured, states, 0, 4);
AT(taskrt_measured, timers, 4, 4);
AT(taskrt_measured, locks, 8, 4);
AT(taskrt_measured, reserved, 12, 4);
AT(taskrt_measured, values, 16, 8);
AT(taskrt_measured, reserved2, 24, 8);

SIZE(taskrt_longest, 16);
AT(taskrt_longest, ns, 0, 8);
AT(taskrt_longest, at_ns, 8, 8);

SIZE(taskrt_times, 384);
AT(taskrt_times, states_ns, 0, 192);
AT(taskrt_times, timers_ns, 192, 128);
AT(taskrt_times, locks_ns, 320, 64);

SIZE(taskrt_counts, 704);
AT(taskrt_counts, states, 0, 192);
AT(taskrt_counts, timers, 192, 128);
AT(taskrt_counts, locks, 320, 64);
AT(taskrt_counts, values, 384, 320);

SIZE(taskrt_longests, 640);
AT(taskrt_longests, states, 0, 384);
AT(taskrt_longests, timers, 384, 256);

SIZE(taskrt_stats, 256);
AT(taskrt_stats, version, 0, 4);
AT(taskrt_stats, size, 4, 4);
AT(taskrt_stats, valid, 8, 8);
AT(taskrt_stats, cpu_time_ns, 16, 8);
AT(taskrt_stats, queue_time_ns, 24, 8);
AT(taskrt_stats, page_fault_time_ns, 32, 8);
AT(taskrt_stats, lock_contention_time_ns, 40, 8);
AT(taskrt_stats, measured, 48, 32);
AT(taskrt_stats, sample_time_ns, 80, 8);
AT(taskrt_stats, tracked_since_ns, 88, 8);
AT(taskrt_stats, tracked_time_ns, 96, 8);
AT(taskrt_stats, start_time_ns, 104, 8);
AT(taskrt_stats, entity, 112, 4);
AT(taskrt_stats, flags, 116, 4);
AT(taskrt_stats, tid, 120, 4);
AT(taskrt_stats, tgid, 124, 4);
AT(taskrt_stats, ppid, 128, 4);
AT(taskrt_stats, uid, 132, 4);
AT(taskrt_stats, gid, 136, 4);
AT(taskrt_stats, cpu, 140, 4);
AT(taskrt_stats, state, 144, 4);
AT(taskrt_stats, exit_code, 148, 4);
AT(taskrt_stats, cgroup, 152, 8);
AT(taskrt_stats, threads, 160, 8);
AT(taskrt_stats, threads_gone, 168, 8);
AT(taskrt_stats, comm, 176, 16);
AT(taskrt_stats, reserved, 192, 64);

SIZE(taskrt_event, 160);
AT(taskrt_event, at_ns, 0, 8);
AT(taskrt_event, ns, 8, 8);
AT(taskrt_event, type, 16, 2);
AT(taskrt_event, which, 18, 2);
AT(taskrt_event, cpu, 20, 4);
AT(taskrt_event, flags, 24, 4);
AT(taskrt_event, kind, 28, 4);
AT(taskrt_event, object, 32, 8);
AT(taskrt_event, address, 40, 8);
AT(taskrt_event, owner_tid, 48, 4);
AT(taskrt_event, waker_tid, 52, 4);
AT(taskrt_event, other_tid, 56, 4);
AT(taskrt_event, syscall, 60, 4);
AT(taskrt_event, owner_comm, 64, 16);
AT(taskrt_event, waker_comm, 80, 16);
AT(taskrt_event, other_comm, 96, 16);
AT(taskrt_event, futex, 112, 8);
AT(taskrt_event, futex_op, 120, 4);
AT(taskrt_event, count, 124, 4);
AT(taskrt_event, longest_ns, 128, 8);
AT(taskrt_event, end_ns, 136, 8);
AT(taskrt_event, other_ns, 144, 8);
AT(taskrt_event, slack_ns, 152, 8);

SIZE(taskrt_intervals, 512);
AT(taskrt_intervals, dropped_ns, 0, 8);
AT(taskrt_intervals, longest, 8, 16);
AT(taskrt_intervals, nr_peaks, 24, 4);
AT(taskrt_intervals, reserved, 28, 4);
AT(taskrt_intervals, reserved2, 32, 32);
AT(taskrt_intervals, buckets, 64, 192);
AT(taskrt_intervals, peaks, 256, 256);

SIZE(taskrt_page_array, 16);
AT(taskrt_page_array, offset, 0, 4);
AT(taskrt_page_array, stride, 4, 4);
AT(taskrt_page_array, nr, 8, 4);
AT(taskrt_page_array, reserved, 12, 4);

SIZE(taskrt_waker, 24);
AT(taskrt_waker, tid, 0, 4);
AT(taskrt_waker, slack_us, 4, 4);
AT(taskrt_waker, comm, 8, 16);

SIZE(taskrt_page, 704);
AT(taskrt_page, version, 0, 4);
AT(taskrt_page, size, 4, 4);
AT(taskrt_page, map_size, 8, 4);
AT(taskrt_page, flags, 12, 4);
AT(taskrt_page, measured, 16, 32);
AT(taskrt_page, clock_offset_ns, 48, 8);
AT(taskrt_page, tracked_since_ns, 56, 8);
AT(taskrt_page, start_time_ns, 64, 8);
AT(taskrt_page, mapped_since_ns, 72, 8);
AT(taskrt_page, cpu_before_ns, 80, 8);
AT(taskrt_page, queue_before_ns, 88, 8);
AT(taskrt_page, tid, 96, 4);
AT(taskrt_page, tgid, 100, 4);
AT(taskrt_page, ppid, 104, 4);
AT(taskrt_page, uid, 108, 4);
AT(taskrt_page, gid, 112, 4);
AT(taskrt_page, reserved, 116, 4);
AT(taskrt_page, comm, 120, 16);
AT(taskrt_page, parent, 136, 24);
AT(taskrt_page, timers_since, 160, 16);
AT(taskrt_page, counts, 176, 16);
AT(taskrt_page, state_intervals, 192, 16);
AT(taskrt_page, timer_intervals, 208, 16);
AT(taskrt_page, held_states, 224, 16);
AT(taskrt_page, waker, 240, 16);
AT(taskrt_page, changes, 256, 8);
AT(taskrt_page, state, 264, 4);
AT(taskrt_page, in_progress, 268, 4);
AT(taskrt_page, since_ns, 272, 8);
AT(taskrt_page, expiry_ns, 280, 8);
AT(taskrt_page, wait_ns, 288, 8);
AT(taskrt_page, woken_ns, 296, 8);
AT(taskrt_page, queued_ns, 304, 8);
AT(taskrt_page, waited, 312, 1);
AT(taskrt_page, queued_as, 313, 1);
AT(taskrt_page, held, 314, 1);
AT(taskrt_page, waker_kind, 315, 1);
AT(taskrt_page, lock, 316, 1);
AT(taskrt_page, status, 317, 1);
AT(taskrt_page, reserved2, 318, 2);
AT(taskrt_page, times, 320, 384);

SIZE(taskrt_alert_request, 80);
AT(taskrt_alert_request, tag, 0, 64);
AT(taskrt_alert_request, begin_ns, 64, 8);
AT(taskrt_alert_request, end_ns, 72, 8);

/* The size of each version of the statistics. */
static_assert(TASKRT_STATS_SIZE_V1 == 32);
static_assert(TASKRT_STATS_SIZE_V2 == 48);
static_assert(TASKRT_STATS_SIZE_V3 == 256);

/* Numbers that are compiled into programs. */
static_assert(TASKRT_PAGE_SIZE == 704);
