/* SPDX-License-Identifier: GPL-2.0-only */
/* What a thread went through, as slices on its tracks in a Perfetto trace. */
#ifndef TOOLS_WATCH_SLICES_H
#define TOOLS_WATCH_SLICES_H

#include "watch/event.h"
#include "watch/packet.h"

/*
 * A thread has two tracks: one with its states and the alerts, and one with whole page faults,
 * waits for locks, interrupts and the like.  These may be nested, but not in a state, because a
 * fault starts and ends while the thread runs.
 */
enum { SLICES_STATES, SLICES_WAITS, SLICES_TRACKS };

/* The open slices of a track, the innermost last. */
struct slices_track {
	uint64_t id;
	uint64_t ends[TASKRT_DEPTH_MAX];
	size_t depth;
};

struct slices {
	struct protobuf *trace;
	uint32_t sequence;
	uint64_t traced_ns;	/* the trace is complete up to here */
	struct slices_track tracks[SLICES_TRACKS];
};

/* A new packet of this thread. */
struct packet slices_packet(const struct slices *slices, uint64_t at_ns);

/*
 * Add the part of an event that is not in the trace yet: an interval that was in progress at the
 * previous alert starts there.  Events come in the order of event_order().
 */
void slices_put(struct slices *slices, const struct taskrt_alert_event *item, uint64_t until_ns);

/* End the slices that are over by until_ns. */
void slices_end(struct slices *slices, uint64_t until_ns);

#endif
