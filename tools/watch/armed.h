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
	int report;		/* by the last look, its wait is to be reported */
	uint64_t start_time_ns, tracked_since_ns;
	int seen;		/* it has not ended */
	int unread;		/* it may not be read at the moment, and that has been said */
};

/* All zero but options: none yet. */
struct armed {
	struct taskrt_recorder_options options;
	struct taskrt *owner;		/* armed them; closing it disarms */
	struct taskrt *asker;
	struct target_ids processes;	/* with all of their threads */
	int several;			/* threads were named that share a name */
	struct armed_thread *threads;
	size_t count, room;
	int full;			/* no more may be armed, and that has been said */
	int unarmed;			/* at the last look none could be, and that has been said */
	int refused;			/* in this look: no further one is tried */
	char error[ERROR_MAX];		/* why one of these failed */
};

/* Return: 0; a negative errno, and armed->error says why. */
int armed_open(struct armed *armed);
int armed_processes(struct armed *armed, const struct target *target);
int armed_threads(struct armed *armed, const struct target *target);

/*
 * Arm threads that the processes have now and had not before, and all of them anew if
 * accounting was off.  A process that may not be read has not ended.
 * Return: 0: all of them have ended; 1: not so; a negative errno, as above.
 */
int armed_refresh(struct armed *armed);

/*
 * Is an alert about one of them, or one that has ended since?  It has the ids of the initial
 * pid namespace, where we are to be as well.
 */
int armed_is(const struct armed *armed, const struct taskrt_alert *alert);

void armed_close(struct armed *armed);

#endif
