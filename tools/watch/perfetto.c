// SPDX-License-Identifier: GPL-2.0-only
/*
 * Alerts as a trace that the Perfetto viewer opens.  Each thread is a sequence of its own, because
 * the packets of a sequence are in the order of their times, and an alert is about the past.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/memory.h"
#include "common/text.h"
#include "watch/slices.h"
#include "watch/view.h"

struct thread {
	pid_t tid, tgid;
	struct slices slices;
	struct thread *next;
};

struct perfetto {
	int fd;
	struct protobuf buffer;
	uint64_t next_track;
	uint32_t next_sequence;
	int foreign_clocks;		/* our time namespace is not the initial one */
	struct thread *threads;		/* the newest first */
};

static int write_all(int fd, const unsigned char *bytes, size_t length)
{
	while (length) {
		ssize_t written = write(fd, bytes, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		bytes += written;
		length -= (size_t)written;
	}
	return 0;
}

/* Always a whole number of packets. */
static int flush(struct perfetto *trace)
{
	int error = write_all(trace->fd, trace->buffer.bytes, trace->buffer.used);

	protobuf_clear(&trace->buffer);
	return error;
}

/* Describe each process once. */
static void describe_process(struct perfetto *trace, struct packet *packet, pid_t tgid)
{
	const struct thread *other = trace->threads->next;
	char name[32];

	while (other && other->tgid != tgid)
		other = other->next;
	if (other)
		return;
	/* Empty if it has ended. */
	text_read_line(name, sizeof(name), "/proc/%d/comm", tgid);
	packet_task(packet, trace->next_track++, tgid, 0, name);
}

static void describe(struct perfetto *trace, struct thread *thread, const char comm[16])
{
	struct slices_track *tracks = thread->slices.tracks;
	struct packet packet = slices_packet(&thread->slices, thread->slices.traced_ns);
	char name[17];

	describe_process(trace, &packet, thread->tgid);
	tracks[SLICES_STATES].id = trace->next_track++;
	tracks[SLICES_WAITS].id = trace->next_track++;
	snprintf(name, sizeof(name), "%.16s", comm);
	packet_task(&packet, tracks[SLICES_STATES].id, thread->tgid, thread->tid, name);
	packet_track(&packet, tracks[SLICES_WAITS].id, tracks[SLICES_STATES].id,
		     "page faults, kernel locks, interruptions");
}

static struct thread *find(struct perfetto *trace, const struct record *record)
{
	struct thread *thread = trace->threads;

	while (thread && (thread->tid != record->alert.tid || thread->tgid != record->alert.tgid))
		thread = thread->next;
	return thread;
}

/* since: nothing before it is traced */
static struct thread *add(struct perfetto *trace, const struct record *record,
			  uint64_t since)
{
	const struct taskrt_alert *alert = &record->alert;
	struct thread *thread = memory_new(1, sizeof(*thread));

	thread->tid = alert->tid;
	thread->tgid = alert->tgid;
	thread->slices.trace = &trace->buffer;
	thread->slices.sequence = trace->next_sequence++;
	thread->slices.traced_ns = since;
	thread->next = trace->threads;
	trace->threads = thread;
	describe(trace, thread, alert->comm);
	return thread;
}

static const char *title(const struct taskrt_alert *alert)
{
	switch (alert->reason) {
	case TASKRT_REASON_REQUESTED:
		return "late";
	case TASKRT_REASON_OVER:
		return "waited too long";
	case TASKRT_REASON_DISARMED:
		return "disarmed";
	default:
		return event_reason(alert);
	}
}

static void put_alert(const struct perfetto *trace, const struct slices *slices,
		      const struct record *record, const struct summary *summary)
{
	const struct taskrt_alert *alert = &record->alert;
	struct packet packet = slices_packet(slices, alert->at_ns);
	char tag[sizeof(alert->tag) + 1];

	snprintf(tag, sizeof(tag), "%.*s", (int)sizeof(alert->tag), alert->tag);
	packet_event(&packet, PACKET_INSTANT, slices->tracks[SLICES_STATES].id, "alert",
		     title(alert));
	packet_annotate(&packet, "seq", PACKET_NUMBER, alert->seq);
	if (*tag)
		packet_annotate_text(&packet, "tag", tag);
	packet_annotate_text(&packet, "summary", summary->text);
	packet_annotate(&packet, "recorded", PACKET_NUMBER, alert->recorded);
	packet_annotate(&packet, "lost", PACKET_NUMBER, alert->lost);
	if (trace->foreign_clocks)
		packet_annotate_text(&packet, "clock",
				     "CLOCK_MONOTONIC of the initial time namespace");
	packet_close(&packet);
}

int perfetto_take(struct perfetto *trace, const struct record *record,
		  const struct summary *summary)
{
	const struct taskrt_alert_event **order = event_order(record);
	struct thread *thread = find(trace, record);
	size_t i;

	if (!thread)
		thread = add(trace, record, order ? order[0]->event.at_ns : record->alert.at_ns);
	for (i = 0; i < record->alert.nr_events; i++)
		slices_put(&thread->slices, order[i], record->alert.at_ns);
	free(order);
	slices_end(&thread->slices, record->alert.at_ns);
	put_alert(trace, &thread->slices, record, summary);
	thread->slices.traced_ns = record->alert.at_ns;
	return flush(trace);
}

/* How far our CLOCK_MONOTONIC is ahead of the time stamps of alerts; 0 also if it is not known. */
static int64_t clock_ahead_ns(void)
{
	struct taskrt_info info;
	struct taskrt *handle;
	int error;

	if (taskrt_open(&handle))
		return 0;
	error = taskrt_get_info(handle, &info, sizeof(info));
	taskrt_close(handle);
	return error ? 0 : info.monotonic_offset_ns;
}

/* Each clock of a time namespace has an offset of its own.  The inode is TIME_NS_INIT_INO. */
static int has_foreign_clocks(int64_t ahead_ns)
{
	char name[32] = "";

	return ahead_ns || (readlink("/proc/self/ns/time", name, sizeof(name) - 1) > 0 &&
			    strcmp(name, "time:[4026531834]"));
}

static int begin(struct perfetto *trace, int fd)
{
	const int64_t ahead_ns = clock_ahead_ns();
	struct packet packet;

	trace->fd = fd;
	trace->foreign_clocks = has_foreign_clocks(ahead_ns);
	/* Tracks of other traces must not have the same ids. */
	if (getrandom(&trace->next_track, sizeof(trace->next_track), 0) < 0)
		return -errno;
	trace->next_track = trace->next_track >> 1 | 1;
	trace->next_sequence = 1;
	packet = (struct packet){
		.trace = &trace->buffer,
		.sequence = trace->next_sequence++,
		.at_ns = clock_now_ns() - (uint64_t)ahead_ns,
	};
	packet_clocks(&packet, !trace->foreign_clocks);
	return flush(trace);
}

int perfetto_create(struct perfetto **trace, int fd)
{
	int error;

	*trace = memory_new(1, sizeof(**trace));
	error = begin(*trace, fd);
	if (error) {
		perfetto_close(*trace);
		*trace = NULL;
	}
	return error;
}

void perfetto_close(struct perfetto *trace)
{
	if (!trace)
		return;
	while (trace->threads) {
		struct thread *next = trace->threads->next;

		free(trace->threads);
		trace->threads = next;
	}
	protobuf_free(&trace->buffer);
	free(trace);
}
