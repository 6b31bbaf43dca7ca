/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The packets of a Perfetto trace, as far as we need them.  A trace is a sequence of packets.
 * Events are on tracks, which have an id and are described before.  The numbers of the fields are
 * those in Perfetto's trace_packet.proto, clock_snapshot.proto, track_descriptor.proto,
 * process_descriptor.proto, thread_descriptor.proto, track_event.proto and debug_annotation.proto.
 */
#ifndef TOOLS_WATCH_PACKET_H
#define TOOLS_WATCH_PACKET_H

#include <stddef.h>
#include <stdint.h>

/*
 * Messages in the wire format of protocol buffers: a sequence of fields, each after its number and
 * its type.
 */

/* Empty if all zero. */
struct protobuf {
	unsigned char *bytes;
	size_t used, size;
};

/* Fields of every integer type but sint and fixed, of bool and of enum. */
void protobuf_number(struct protobuf *to, uint32_t field, uint64_t value);

/* A string, made safe by text_utf8(). */
void protobuf_text(struct protobuf *to, uint32_t field, const char *text);

/* A nested message, which contains all that is written between these two calls. */
size_t protobuf_begin(struct protobuf *to, uint32_t field);
void protobuf_end(struct protobuf *to, size_t begin);

/* Empty the buffer, and keep its memory; free it. */
void protobuf_clear(struct protobuf *buffer);
void protobuf_free(struct protobuf *buffer);

/* The sequence of a packet, and its time, on CLOCK_MONOTONIC of the initial time namespace. */
struct packet {
	struct protobuf *trace;
	uint32_t sequence;
	uint64_t at_ns;

	size_t begin, inner;	/* private */
};

/*
 * A snapshot of the clocks at at_ns, so that the trace can be merged with others.
 * with_boottime: CLOCK_BOOTTIME is also the clock of the initial time namespace
 */
void packet_clocks(struct packet *packet, int with_boottime);

/* Describe a process (tid 0) or one of its threads; describe another track beside a thread's. */
void packet_task(struct packet *packet, uint64_t track, int32_t pid, int32_t tid,
		 const char *name);
void packet_track(struct packet *packet, uint64_t track, uint64_t parent, const char *name);

/* The types of TrackEvent: start a slice; end the last open slice of the track; an instant. */
enum packet_event { PACKET_SLICE = 1, PACKET_SLICE_END = 2, PACKET_INSTANT = 3 };

/* An event with a name is annotated after this.  Every event is closed. */
void packet_event(struct packet *packet, enum packet_event event, uint64_t track,
		  const char *category, const char *name);
void packet_close(struct packet *packet);

/* The fields of DebugAnnotation. */
enum packet_value { PACKET_BOOL = 2, PACKET_NUMBER = 3, PACKET_POINTER = 7 };

void packet_annotate(struct packet *packet, const char *name, enum packet_value kind,
		     uint64_t value);
void packet_annotate_text(struct packet *packet, const char *name, const char *text);
void packet_annotate_texts(struct packet *packet, const char *name, const char * const *texts,
			   size_t count);

#endif
