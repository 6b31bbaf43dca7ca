// SPDX-License-Identifier: GPL-2.0-only
/* The packets of a Perfetto trace, as far as we need them. */
#include "common/clock.h"
#include "watch/packet.h"

/* Trace */
enum { TRACE_PACKET = 1 };

/* TracePacket */
enum {
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,	/* trusted_packet_sequence_id */
	PACKET_TRACK_EVENT = 11,
	PACKET_TIMESTAMP_CLOCK_ID = 58,
	PACKET_TRACK_DESCRIPTOR = 60,
};

/* ClockSnapshot, its Clock, and BuiltinClock */
enum { SNAPSHOT_CLOCKS = 1, SNAPSHOT_PRIMARY_TRACE_CLOCK = 2 };
enum { CLOCK_ID = 1, CLOCK_TIMESTAMP = 2 };
enum { BUILTIN_REALTIME = 1, BUILTIN_MONOTONIC = 3, BUILTIN_BOOTTIME = 6 };

/* TrackDescriptor, ProcessDescriptor, ThreadDescriptor */
enum {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT_UUID = 5,
	TRACK_SIBLING_MERGE_BEHAVIOR = 15,
};
enum { MERGE_NONE = 2 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };

/* TrackEvent */
enum {
	EVENT_DEBUG_ANNOTATIONS = 4,
	EVENT_TYPE = 9,
	EVENT_TRACK_UUID = 11,
	EVENT_CATEGORIES = 22,
	EVENT_NAME = 23,
};

/* DebugAnnotation */
enum {
	ANNOTATION_STRING = 6,
	ANNOTATION_NAME = 10,
	ANNOTATION_ARRAY = 12,
};

/* Write what all packets have in common, and start the message of this packet. */
static void begin(struct packet *packet, uint32_t inner)
{
	struct protobuf *trace = packet->trace;

	packet->begin = protobuf_begin(trace, TRACE_PACKET);
	protobuf_number(trace, PACKET_TIMESTAMP, packet->at_ns);
	protobuf_number(trace, PACKET_TIMESTAMP_CLOCK_ID, BUILTIN_MONOTONIC);
	protobuf_number(trace, PACKET_SEQUENCE_ID, packet->sequence);
	packet->inner = protobuf_begin(trace, inner);
}

void packet_close(struct packet *packet)
{
	protobuf_end(packet->trace, packet->inner);
	protobuf_end(packet->trace, packet->begin);
}

static void put_clock(struct protobuf *trace, uint32_t id, uint64_t ns)
{
	size_t begin = protobuf_begin(trace, SNAPSHOT_CLOCKS);

	protobuf_number(trace, CLOCK_ID, id);
	protobuf_number(trace, CLOCK_TIMESTAMP, ns);
	protobuf_end(trace, begin);
}

void packet_clocks(struct packet *packet, int with_boottime)
{
	begin(packet, PACKET_CLOCK_SNAPSHOT);
	put_clock(packet->trace, BUILTIN_MONOTONIC, packet->at_ns);
	if (with_boottime)
		put_clock(packet->trace, BUILTIN_BOOTTIME, clock_read_ns(CLOCK_BOOTTIME));
	put_clock(packet->trace, BUILTIN_REALTIME, clock_read_ns(CLOCK_REALTIME));
	protobuf_number(packet->trace, SNAPSHOT_PRIMARY_TRACE_CLOCK, BUILTIN_MONOTONIC);
	packet_close(packet);
}

void packet_task(struct packet *packet, uint64_t track, int32_t pid, int32_t tid, const char *name)
{
	struct protobuf *trace = packet->trace;
	size_t task;

	begin(packet, PACKET_TRACK_DESCRIPTOR);
	protobuf_number(trace, TRACK_UUID, track);
	task = protobuf_begin(trace, tid ? TRACK_THREAD : TRACK_PROCESS);
	protobuf_number(trace, tid ? THREAD_PID : PROCESS_PID, (uint32_t)pid);
	if (tid)
		protobuf_number(trace, THREAD_TID, (uint32_t)tid);
	if (*name)
		protobuf_text(trace, tid ? THREAD_NAME : PROCESS_NAME, name);
	protobuf_end(trace, task);
	packet_close(packet);
}

void packet_track(struct packet *packet, uint64_t track, uint64_t parent, const char *name)
{
	begin(packet, PACKET_TRACK_DESCRIPTOR);
	protobuf_number(packet->trace, TRACK_UUID, track);
	protobuf_number(packet->trace, TRACK_PARENT_UUID, parent);
	protobuf_text(packet->trace, TRACK_NAME, name);
	/* Other threads have a track of this name, too. */
	protobuf_number(packet->trace, TRACK_SIBLING_MERGE_BEHAVIOR, MERGE_NONE);
	packet_close(packet);
}

void packet_event(struct packet *packet, enum packet_event event, uint64_t track,
		  const char *category, const char *name)
{
	struct protobuf *trace = packet->trace;

	begin(packet, PACKET_TRACK_EVENT);
	protobuf_number(trace, EVENT_TYPE, event);
	protobuf_number(trace, EVENT_TRACK_UUID, track);
	if (!name)
		return;
	protobuf_text(trace, EVENT_CATEGORIES, category);
	protobuf_text(trace, EVENT_NAME, name);
}

void packet_annotate(struct packet *packet, const char *name, enum packet_value kind,
		     uint64_t value)
{
	size_t begin = protobuf_begin(packet->trace, EVENT_DEBUG_ANNOTATIONS);

	protobuf_text(packet->trace, ANNOTATION_NAME, name);
	protobuf_number(packet->trace, kind, value);
	protobuf_end(packet->trace, begin);
}

void packet_annotate_text(struct packet *packet, const char *name, const char *text)
{
	size_t begin = protobuf_begin(packet->trace, EVENT_DEBUG_ANNOTATIONS);

	protobuf_text(packet->trace, ANNOTATION_NAME, name);
	protobuf_text(packet->trace, ANNOTATION_STRING, text);
	protobuf_end(packet->trace, begin);
}

void packet_annotate_texts(struct packet *packet, const char *name, const char * const *texts,
			   size_t count)
{
	size_t i, element, begin = protobuf_begin(packet->trace, EVENT_DEBUG_ANNOTATIONS);

	protobuf_text(packet->trace, ANNOTATION_NAME, name);
	for (i = 0; i < count; i++) {
		element = protobuf_begin(packet->trace, ANNOTATION_ARRAY);
		protobuf_text(packet->trace, ANNOTATION_STRING, texts[i]);
		protobuf_end(packet->trace, element);
	}
	protobuf_end(packet->trace, begin);
}
