// SPDX-License-Identifier: GPL-2.0-only
/* Alerts as they come: printed, written into a trace, and counted. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "common/clock.h"
#include "common/text.h"
#include "watch/alerts.h"
#include "watch/view.h"

#define DELAY		(100 * CLOCK_MS)	/* until an alert that was raised is delivered */
#define INTERVAL	(250 * CLOCK_MS)	/* between two checks for new threads */

int alerts_begin(struct alerts *alerts)
{
	int error = writer_begin(&alerts->writer);

	if (error || !alerts->writer.file_name)
		return error;
	return writer_file_error(&alerts->writer,
				 perfetto_create(&alerts->trace, alerts->writer.fd));
}

/* Print one alert, and flush it. */
static int print(struct alerts *alerts, const struct summary *summary)
{
	struct json json = { .out = stdout };

	errno = 0;
	if (alerts->writer.form == WRITER_TEXT)
		timeline_print(stdout, &alerts->record, summary);
	else if (alerts->writer.form == WRITER_JSON)
		json_alert(&json, &alerts->record, summary);
	return writer_flush(&alerts->writer);
}

/* Was it raised by a wait in which the thread was armed, so that little is known of the wait? */
static int is_early(const struct record *record, const struct culprit *culprit)
{
	return record->alert.reason == TASKRT_REASON_OVER && culprit->longest &&
	       event_is_early(&culprit->longest->event);
}

static int take(struct alerts *alerts)
{
	struct summary summary;
	int error = 0;

	summary_make(&summary, &alerts->record, alerts->window_ns);
	alerts->record.number = ++alerts->delivered;
	alerts->counted += !is_early(&alerts->record, &summary.culprit);
	if (alerts->trace)
		error = writer_file_error(&alerts->writer,
					  perfetto_take(alerts->trace, &alerts->record, &summary));
	return error ? error : print(alerts, &summary);
}

static struct alerts *alerts_of(struct event_loop *loop)
{
	return event_loop_owner(loop, struct alerts, loop);
}

static int loop_read(struct event_loop *loop)
{
	struct alerts *alerts = alerts_of(loop);
	int more = record_next(&alerts->record, alerts->listener);

	if (more <= 0)
		return more;
	/* The threads of missed alerts are not known. */
	alerts->missed += alerts->record.alert.gap;
	if (!alerts->armed || armed_is(alerts->armed, &alerts->record.alert))
		loop->write_error = take(alerts);
	loop->read_count = alerts->counted;
	return more;
}

static int loop_drained(struct event_loop *loop)
{
	return !loop->more && loop->now_ns - loop->stopped_ns >= DELAY;
}

static void print_wait(const struct alerts *alerts, const struct armed_thread *thread)
{
	char text[WAITING_MAX], comm[PERSON_MAX];
	struct json json = { .out = stdout };

	waiting_text(text, &thread->waiting, thread->tgid, thread->tid);
	if (alerts->writer.form == WRITER_JSON)
		json_wait(&json, thread, text);
	else if (alerts->writer.form == WRITER_TEXT)
		text_line(stdout, "%s of process %d: %s",
			  event_person(comm, thread->comm, (uint32_t)thread->tid), thread->tgid,
			  text);
}

/* Print the waits that have not ended for long, each again when its length has doubled. */
static int print_waits(struct alerts *alerts)
{
	size_t i, printed = 0;

	errno = 0;
	for (i = 0; i < alerts->armed->count; i++) {
		if (!alerts->armed->threads[i].report)
			continue;
		print_wait(alerts, &alerts->armed->threads[i]);
		printed++;
	}
	return printed ? writer_flush(&alerts->writer) : 0;
}

/* Arm new threads; without any thread no more alerts come. */
static int loop_refresh(struct event_loop *loop)
{
	struct alerts *alerts = alerts_of(loop);
	int more;

	if (alerts->workload)
		workload_reap(alerts->workload);
	more = armed_refresh(alerts->armed);
	if (more >= 0)
		loop->write_error = print_waits(alerts);
	return more;
}

int alerts_receive(struct alerts *alerts, struct taskrt_alerts *listener,
		   const struct alerts_query *query)
{
	static const struct event_loop_ops ops = {
		.read = loop_read,
		.drained = loop_drained,
		.refresh = loop_refresh,
	};
	int error;

	alerts->listener = listener;
	alerts->armed = query->armed;
	alerts->workload = query->workload;
	alerts->loop = (struct event_loop){
		.ops = &ops,
		.writer = &alerts->writer,
		.fd = taskrt_alerts_fd(listener),
		.stop_fd = query->stop_fd,
		.command_fd = query->workload ? query->workload->fd : -1,
		.count = query->count,
		.seconds_ns = query->seconds_ns,
		.refresh_ns = query->armed ? INTERVAL : 0,
	};
	error = event_loop_run(&alerts->loop);
	record_free(&alerts->record);
	return error;
}

int alerts_end(struct alerts *alerts, int status)
{
	char counts[64];

	perfetto_close(alerts->trace);
	alerts->trace = NULL;
	snprintf(counts, sizeof(counts), "alerts: %" PRIu64 " delivered, %" PRIu64 " lost",
		 alerts->delivered, alerts->missed);
	return writer_end(&alerts->writer, alerts->loop.write_error, status, counts);
}
