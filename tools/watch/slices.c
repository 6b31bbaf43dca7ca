// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a thread went through, as slices on its tracks in a Perfetto trace.
 *
 * The slices of a track must be nested or apart, and the packets of a sequence must be in the order
 * of their times.  So the end of a slice is written when its time has come.
 */
#include <string.h>

#include "watch/slices.h"

struct packet slices_packet(const struct slices *slices, uint64_t at_ns)
{
	return (struct packet){ .trace = slices->trace, .sequence = slices->sequence,
				.at_ns = at_ns };
}

static void annotate_person(struct packet *packet, const char *name, const char comm[16],
			    uint32_t tid)
{
	char text[PERSON_MAX];

	if (event_person(text, comm, tid))
		packet_annotate_text(packet, name, text);
}

static void annotate_lock(struct packet *packet, const struct taskrt_alert_event *item)
{
	packet_annotate_text(packet, "lock", event_lock_name(&item->event));
	packet_annotate(packet, "lock_id", PACKET_NUMBER, item->event.object);
	if (item->caller)
		packet_annotate_text(packet, "caller", item->caller);
	if (item->event.flags & TASKRT_EVENT_READER)
		packet_annotate(packet, "reader", PACKET_BOOL, 1);
}

/* Only a whole fault is known to be major or minor. */
static void annotate_fault(struct packet *packet, const struct taskrt_event *event)
{
	packet_annotate(packet, "fault_address", PACKET_POINTER, event->address);
	if (event_is_whole(event, TASKRT_TIMER_FAULT) && !(event->flags & TASKRT_EVENT_PRESENT))
		packet_annotate(packet, "major", PACKET_BOOL, !!(event->flags & TASKRT_EVENT_MAJOR));
	packet_annotate(packet, "write", PACKET_BOOL, !!(event->flags & TASKRT_EVENT_WRITE));
	packet_annotate(packet, "file", PACKET_BOOL, !!(event->flags & TASKRT_EVENT_FILE));
}

static void annotate_futex(struct packet *packet, const struct taskrt_event *event)
{
	packet_annotate(packet, "futex_address", PACKET_POINTER, event->futex);
	if (event_futex_op(event))
		packet_annotate_text(packet, "futex_op", event_futex_op(event));
}

static void annotate(struct packet *packet, const struct taskrt_alert_event *item)
{
	const struct taskrt_event *event = &item->event;
	char name[SYSCALL_MAX];
	const char *syscall = event_syscall(name, event);

	packet_annotate(packet, "cpu", PACKET_NUMBER, event->cpu);
	if (syscall)
		packet_annotate_text(packet, "syscall", syscall);
	if (event_has_lock(event))
		annotate_lock(packet, item);
	if (event_has_fault(event))
		annotate_fault(packet, event);
	if (event_has_futex(event))
		annotate_futex(packet, event);
	annotate_person(packet, "owner", event->owner_comm, event->owner_tid);
	annotate_person(packet, "other", event->other_comm, event->other_tid);
	if (event->other_ns)
		packet_annotate(packet, "other_ns", PACKET_NUMBER, event->other_ns);
	if (event->slack_ns)
		packet_annotate(packet, "slack_ns", PACKET_NUMBER, event->slack_ns);
	if (event->count) {
		packet_annotate(packet, "count", PACKET_NUMBER, event->count);
		packet_annotate(packet, "sum_ns", PACKET_NUMBER, event->ns);
		packet_annotate(packet, "longest_ns", PACKET_NUMBER, event->longest_ns);
	}
	if (event_is_early(event))
		packet_annotate(packet, "early", PACKET_BOOL, 1);
	annotate_person(packet, "waker", event->waker_comm, event->waker_tid);
	if (event->flags & TASKRT_EVENT_PRESENT)
		packet_annotate(packet, "present", PACKET_BOOL, 1);
	if (item->nr_frames)
		packet_annotate_texts(packet, "stack", item->frames, item->nr_frames);
}

static uint64_t *innermost(struct slices_track *track)
{
	return track->depth ? &track->ends[track->depth - 1] : NULL;
}

/* The track whose innermost slice ends first; NULL: none is open. */
static struct slices_track *first_to_end(struct slices *slices)
{
	struct slices_track *first = NULL;
	int i;

	for (i = 0; i < SLICES_TRACKS; i++) {
		struct slices_track *track = &slices->tracks[i];

		if (track->depth && (!first || *innermost(track) < *innermost(first)))
			first = track;
	}
	return first;
}

void slices_end(struct slices *slices, uint64_t until_ns)
{
	struct slices_track *track;

	while ((track = first_to_end(slices)) && *innermost(track) <= until_ns) {
		struct packet packet = slices_packet(slices, *innermost(track));

		packet_event(&packet, PACKET_SLICE_END, track->id, NULL, NULL);
		packet_close(&packet);
		track->depth--;
	}
}

static void begin(struct slices *slices, struct slices_track *track, uint64_t at_ns,
		  uint64_t end_ns, const struct taskrt_alert_event *item)
{
	struct packet packet = slices_packet(slices, at_ns);

	if (track->depth == TASKRT_DEPTH_MAX)
		return;
	track->ends[track->depth++] = end_ns;
	packet_event(&packet, PACKET_SLICE, track->id,
		     event_is_state(&item->event) ? "state" : "wait", event_name(&item->event));
	annotate(&packet, item);
	packet_close(&packet);
}

void slices_put(struct slices *slices, const struct taskrt_alert_event *item, uint64_t until_ns)
{
	int is_state = event_is_state(&item->event);
	struct slices_track *track = &slices->tracks[is_state ? SLICES_STATES : SLICES_WAITS];
	uint64_t at_ns = item->event.at_ns, end_ns = event_end(&item->event);

	if (at_ns < slices->traced_ns)
		at_ns = slices->traced_ns;
	if (end_ns > until_ns)
		end_ns = until_ns;
	if (at_ns >= end_ns)
		return;
	/* A state ends where the next one starts, despite rounding. */
	if (is_state && track->depth && *innermost(track) > at_ns)
		*innermost(track) = at_ns;
	slices_end(slices, at_ns);
	/* A nested slice ends no later than the outer one. */
	if (track->depth && end_ns > *innermost(track))
		end_ns = *innermost(track);
	begin(slices, track, at_ns, end_ns, item);
}
