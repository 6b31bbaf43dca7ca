/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The wire as it was released, in numbers of its own: never changed, only
 * added to.  layout.c holds the headers against them, on 64 and on 32 bits.
 */
#ifndef TASKRT_FROZEN_H
#define TASKRT_FROZEN_H

/* version 1 */
#define FROZEN_VERSION			0
#define FROZEN_SIZE			4
#define FROZEN_VALID			8
#define FROZEN_CPU_TIME			16
#define FROZEN_QUEUE_TIME		24
#define FROZEN_END_V1			32
/* version 2 */
#define FROZEN_PAGE_FAULT_TIME		32
#define FROZEN_LOCK_CONTENTION_TIME	40
#define FROZEN_END_V2			48
/* version 3 */
#define FROZEN_SAMPLE_TIME		48
#define FROZEN_TRACKED_SINCE		56
#define FROZEN_TRACKED_TIME		64
#define FROZEN_START_TIME		72
#define FROZEN_TID			80
#define FROZEN_TGID			84
#define FROZEN_PPID			88
#define FROZEN_UID			92
#define FROZEN_GID			96
#define FROZEN_STATE			100
#define FROZEN_FLAGS			104
#define FROZEN_EXIT_CODE		108
#define FROZEN_COMM			112
#define FROZEN_THREADS			128
#define FROZEN_THREADS_GONE		136
#define FROZEN_STATES			144	/* 12 of 8 */
#define FROZEN_VOLUNTARY_SWITCHES	240
#define FROZEN_INVOLUNTARY_SWITCHES	248
#define FROZEN_WAKEUPS			256
#define FROZEN_MINOR_FAULTS		264
#define FROZEN_MAJOR_FAULTS		272
#define FROZEN_MINOR_FAULT_TIME		280
#define FROZEN_MAJOR_FAULT_TIME		288
#define FROZEN_LOCK_TIME		296	/* 5 of 8 */
#define FROZEN_LOCK_COUNT		336	/* 5 of 8 */
#define FROZEN_LONGEST_STATE		376	/* 12 of 16 */
#define FROZEN_LONGEST_FAULT		568
#define FROZEN_LONGEST_LOCK		584
#define FROZEN_END_V3			600

#endif /* TASKRT_FROZEN_H */
