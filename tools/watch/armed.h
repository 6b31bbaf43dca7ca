/* SPDX-License-Identifier: GPL-2.0-only */
/* The threads that taskrt watch has armed, for as long as it runs. */
#ifndef TOOLS_WATCH_ARMED_H
#define TOOLS_WATCH_ARMED_H

#include <taskrt.h>

#include "common/error.h"
#include "common/target.h"
#include "watch/waiting.h"

struct armed_thread {
	pid_t tid, tgid;
	char comm[16];
	struct waiting waiting;
	int report;		/* the last check has found a wait to report */
	uint64_t start_time_ns, tracked_since_ns;
	int seen;		/* it has not ended */
	int unread;		/* it cannot be read now, which was reported */
};

/* Starts all zero, except for options. */
struct armed {
	struct taskrt_recorder_options options;
	struct taskrt *owner;		/* armed them; closing it disarms */
	struct taskrt *asker;
	struct target_ids processes;	/* with all of their threads */
	int several;			/* threads that share a name were given */
	struct armed_thread *threads;
	size_t count, room;
	int full;			/* no more can be armed, which was reported */
	int unarmed;			/* at the last check none could be, which was reported */
	int refused;			/* in this check: do not try others */
	char error[ERROR_MAX];		/* why one of these failed */
};

/* Return: 0; a negative errno, and armed->error says why. */
int armed_open(struct armed *armed);
int armed_processes(struct armed *armed, const struct target *target);
int armed_threads(struct armed *armed, const struct target *target);

/*
 * Arm new threads of the processes, and all threads again if accounting was off.  A process that
 * may not be read counts as live.
 * Return: 0: all have ended; 1: some have not; a negative errno, as above.
 */
int armed_refresh(struct armed *armed);

/*
 * Is an alert about one of them, or about one that has ended since?  Alerts have ids of the initial
 * PID namespace, in which we must run.
 */
int armed_is(const struct armed *armed, const struct taskrt_alert *alert);

void armed_close(struct armed *armed);

#endif
