// SPDX-License-Identifier: GPL-2.0-only
/*
 * The story of a missed deadline, as a person reads it: who, when and why; what
 * the thread went through before, with the times counted back from the alert; and
 * what of that took the most time.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "culprit.h"
#include "story.h"
#include "text.h"
#include "units.h"

#define INDENT		49	/* where details begin */
#define WIDTH		120	/* where they go on in the next line */
#define TAG_MAX		128

/* The details of one event, separated by commas. */
struct details {
	FILE *out;
	size_t column;
	int any;
};

__attribute__((format(printf, 2, 3)))
static void detail(struct details *details, const char *format, ...)
{
	char text[1024];
	va_list arguments;
	size_t length;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	length = strlen(text);
	for (; !details->any && details->column < INDENT - 2; details->column++)
		fputc(' ', details->out);
	if (details->any && details->column + 2 + length > WIDTH) {
		fprintf(details->out, ",\n%*s%s", INDENT, "", text);
		details->column = INDENT + length;
	} else {
		fprintf(details->out, "%s%s", details->any ? ", " : "  ", text);
		details->column += 2 + length;
	}
	details->any = 1;
}

static void print_lock(struct details *details, const struct taskrt_alert_event *item)
{
	const struct taskrt_event *event = &item->event;
	char person[PERSON_MAX];

	if (item->caller)
		detail(details, "%s at %s", event_lock_name(event), item->caller);
	else
		detail(details, "%s", event_lock_name(event));
	if (event_person(person, event->owner_comm, event->owner_tid))
		detail(details, "held by %s", person);
}

/* "major write of a file's page at 0x1000"; whether it was major is known of a whole one. */
static void print_fault(struct details *details, const struct taskrt_event *event)
{
	int whole = event->what == TASKRT_EVENT_FAULT && !(event->flags & TASKRT_EVENT_PRESENT);

	detail(details, "%s%s%s of %s at 0x%" PRIx64,
	       event->what == TASKRT_STATE_BLOCKED_LOCK ? "in the fault for a " : "",
	       !whole ? "" : event->flags & TASKRT_EVENT_MAJOR ? "major " : "minor ",
	       event->flags & TASKRT_EVENT_WRITE ? "write" : "read",
	       event->flags & TASKRT_EVENT_FILE ? "a file's page" : "anonymous memory",
	       (uint64_t)event->fault_address);
}

static void print_details(struct details *details, const struct taskrt_alert_event *item)
{
	const struct taskrt_event *event = &item->event;
	char person[PERSON_MAX];
	const char *waker;

	if (event_has_lock(event))
		print_lock(details, item);
	if (event_has_fault(event))
		print_fault(details, event);
	if (event_person(person, event->other_comm, event->other_tid))
		detail(details, "%s had the CPU", person);
	waker = event_waker(person, event);
	if (waker)
		detail(details, "woken by %s", waker);
	if (event->flags & TASKRT_EVENT_PRESENT && event->what != TASKRT_STATE_RUNNING)
		detail(details, "not over yet");
}

/* A whole wait has the stack of the state that it was spent in. */
static int is_told_again(const struct taskrt_alert *alert, const struct taskrt_event *whole)
{
	size_t i;

	for (i = 0; i < alert->nr_events; i++) {
		const struct taskrt_event *event = &alert->events[i].event;

		if (event->what == TASKRT_STATE_BLOCKED_LOCK && alert->events[i].nr_frames &&
		    event->at_ns >= whole->at_ns && event_end(event) <= event_end(whole))
			return whole->what == TASKRT_EVENT_LOCK;
	}
	return 0;
}

/*
 * Not of its usual waits, of which it has one in each period.  They are safe to print as
 * they are: of the kernel's own symbols and modules.
 */
static void print_frames(FILE *out, const struct taskrt_alert *alert,
			 const struct taskrt_alert_event *item, const struct culprit *culprit)
{
	size_t i;

	if (culprit->longest != item && (item->event.what == culprit->usual ||
					 is_told_again(alert, &item->event)))
		return;
	for (i = 0; i < item->nr_frames; i++)
		fprintf(out, "%*s%s\n", INDENT + 2, "", item->frames[i]);
}

static void print_event(FILE *out, const struct taskrt_alert *alert,
			const struct taskrt_alert_event *item)
{
	struct details details = { .out = out };
	const struct taskrt_event *event = &item->event;
	uint64_t us = alert->at_ns > event->at_ns ? (alert->at_ns - event->at_ns + 500) / 1000 : 0;
	char began[UNITS_MAX + 8], time[UNITS_MAX];

	snprintf(began, sizeof(began), "%s%" PRIu64 ".%03" PRIu64 " ms", us ? "-" : "", us / 1000,
		 us % 1000);
	details.column = (size_t)fprintf(out, "%14s  %8s  %3u  %s", began,
					 units_time(time, event->ns), event->cpu,
					 event_name(event));
	print_details(&details, item);
	fprintf(out, "\n");
}

static void print_head(FILE *out, const struct taskrt_alert *alert)
{
	char comm[PERSON_MAX], tag[TAG_MAX], at[UNITS_MAX];

	text_safe(comm, sizeof(comm), alert->comm, sizeof(alert->comm));
	text_safe(tag, sizeof(tag), alert->tag, sizeof(alert->tag));
	units_instant(at, alert->at_ns);
	fprintf(out, "alert %" PRIu64 ": %s (%d) of process %d ", alert->seq, comm, alert->tid,
		alert->tgid);
	if (alert->reason == TASKRT_REASON_OVER)
		fprintf(out, "waited too long, until %s", at);
	else
		fprintf(out, "was late at %s", at);
	fprintf(out, "%s%s\n", *tag ? ": " : "", tag);
}

static void print_events(FILE *out, const struct taskrt_alert *alert,
			 const struct culprit *culprit)
{
	const struct taskrt_alert_event **order = event_order(alert);
	size_t i;

	if (alert->recorded > alert->nr_events)
		fprintf(out, "  the last %zu of %" PRIu64 " events\n", alert->nr_events,
			alert->recorded);
	if (order)
		fprintf(out, "%14s  %8s  %3s  %-16s  %s\n", "BEGAN", "TOOK", "CPU", "STATE",
			"DETAILS");
	for (i = 0; i < alert->nr_events; i++) {
		print_event(out, alert, order[i]);
		print_frames(out, alert, order[i], culprit);
	}
	free(order);
}

void story_print(FILE *out, const struct taskrt_alert *alert, uint64_t window_ns)
{
	char text[CULPRIT_MAX];
	struct culprit culprit;

	if (alert->missed_seq)
		fprintf(out, "%" PRIu64 " alerts before the next one were lost\n\n",
			alert->missed_seq);
	culprit_find(&culprit, alert, window_ns);
	print_head(out, alert);
	print_events(out, alert, &culprit);
	fprintf(out, "  %s\n\n", culprit_text(text, &culprit, alert));
}
