/* SPDX-License-Identifier: GPL-2.0-only */
/* What a thread went through, as slices on its tracks in a Perfetto trace. */
#ifndef TOOLS_WATCH_SLICES_H
#define TOOLS_WATCH_SLICES_H

#include "watch/event.h"
#include "watch/packet.h"

/*
 * A thread has two tracks: its own with the states, one after the other, and the
 * alerts; and one beside it with whole page faults, waits for locks, interrupts and the
 * like.  These may be inside each other, but not inside a state, as a fault begins and ends
 * while the thread runs.
 */
enum { SLICES_STATES, SLICES_WAITS, SLICES_TRACKS };

/* The slices of a track that have begun and not ended, the innermost last. */
struct slices_track {
	uint64_t id;
	uint64_t ends[TASKRT_DEPTH_MAX];
	size_t depth;
};

struct slices {
	struct protobuf *trace;
	uint32_t sequence;
	uint64_t traced_ns;	/* up to here it is in the trace */
	struct slices_track tracks[SLICES_TRACKS];
};

/* A packet of this thread's, to begin with. */
struct packet slices_packet(const struct slices *slices, uint64_t at_ns);

/*
 * Put the part of an event that is not in the trace yet: an interval that was going on when
 * the alert before was raised begins there.  Events come in the order of event_order().
 */
void slices_put(struct slices *slices, const struct taskrt_alert_event *item, uint64_t until_ns);

/* All of them are over by until_ns. */
void slices_end(struct slices *slices, uint64_t until_ns);

#endif
