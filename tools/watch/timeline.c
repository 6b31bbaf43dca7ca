// SPDX-License-Identifier: GPL-2.0-only
/*
 * The timeline of an alert, as a person reads it: which thread, when and why; what it went through
 * before, with the times counted back from the alert; and the summary.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "common/units.h"
#include "watch/view.h"

#define TAG_MAX		128
#define INDENT		49	/* where details start */
#define WIDTH		120	/* where they continue on the next line */

/* The details of one event, separated by commas. */
struct details {
	FILE *out;
	size_t column;
	int any;
};

__attribute__((format(printf, 2, 3)))
static void detail(struct details *details, const char *format, ...)
{
	char raw[1024], text[1024];
	va_list arguments;
	size_t length;

	va_start(arguments, format);
	vsnprintf(raw, sizeof(raw), format, arguments);
	va_end(arguments);
	text_safe(text, sizeof(text), raw, sizeof(raw));
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
	char buffer[HOLDER_MAX];
	const char *holder = event_holder(buffer, event);

	if (item->caller)
		detail(details, "%s at %s", event_lock_name(event), item->caller);
	else
		detail(details, "%s", event_lock_name(event));
	if (holder)
		detail(details, "held %s", holder);
}

/* "major write of a file's page at 0x1000"; only a whole fault is known to be major or minor. */
static void print_fault(struct details *details, const struct taskrt_event *event)
{
	int whole = event_is_whole(event, TASKRT_TIMER_FAULT) &&
		    !(event->flags & TASKRT_EVENT_PRESENT);

	detail(details, "%s%s%s of %s at 0x%" PRIx64,
	       event_is_caused(event, TASKRT_STATE_BLOCKED_LOCK) ? "in the fault for a " : "",
	       !whole ? "" : event->flags & TASKRT_EVENT_MAJOR ? "major " : "minor ",
	       event->flags & TASKRT_EVENT_WRITE ? "write" : "read",
	       event->flags & TASKRT_EVENT_FILE ? "a file's page" : "anonymous memory",
	       (uint64_t)event->address);
}

/* Without a known holder it may be a condition, or a lock of another library. */
static void print_futex(struct details *details, const struct taskrt_event *event)
{
	char buffer[HOLDER_MAX];
	const char *holder = event_holder(buffer, event), *op = event_futex_op(event);

	detail(details, "%s at 0x%" PRIx64 "%s%s%s", holder ? "user lock" : "futex",
	       (uint64_t)event->futex, op ? " (" : "", op ? op : "", op ? ")" : "");
	if (holder)
		detail(details, "held %s", holder);
}

static void print_details(struct details *details, const struct taskrt_alert_event *item)
{
	const struct taskrt_event *event = &item->event;
	char person[PERSON_MAX], name[SYSCALL_MAX], time[UNITS_MAX];
	const char *waker, *syscall = event_syscall(name, event);

	if (syscall && !event_has_futex(event))
		detail(details, "in %s%s", isdigit(*syscall) ? "system call " : "", syscall);
	if (event_has_lock(event))
		print_lock(details, item);
	if (event_has_fault(event))
		print_fault(details, event);
	if (event_has_futex(event))
		print_futex(details, event);
	if (event->count)
		detail(details, "%" PRIu32 " of them, the longest %s", event->count,
		       units_time(time, event->longest_ns));
	if (event_person(person, event->other_comm, event->other_tid))
		detail(details, "%s had the CPU%s%s", person, event->other_ns ? " for " : "",
		       event->other_ns ? units_time(time, event->other_ns) : "");
	if (event_slack(event))
		detail(details, "timer slack up to %s", units_time(time, event_slack(event)));
	waker = event_waker(person, event);
	if (waker)
		detail(details, "woken by %s", waker);
	if (event->flags & TASKRT_EVENT_PRESENT && !event_is_in(event, TASKRT_STATE_RUNNING))
		detail(details, "not over yet");
	if (event_is_early(event) && !event_is_in(event, TASKRT_STATE_RUNNING))
		detail(details, "armed during it");
}

/* Is its stack shown already?  A whole wait has the stack of the state that it was spent in. */
static int is_shown_again(const struct record *record, const struct taskrt_event *whole)
{
	for_each_event(item, record) {
		const struct taskrt_event *event = &item->event;

		if (event_is_caused(event, TASKRT_STATE_BLOCKED_LOCK) &&
		    item->nr_frames && event->at_ns >= whole->at_ns &&
		    event_end(event) <= event_end(whole))
			return event_is_whole(whole, TASKRT_TIMER_LOCK);
	}
	return 0;
}

/*
 * Print the stack, but not for the usual waits, which occur in each period, and without the
 * functions of the scheduler.  The names of the kernel's symbols and modules are safe to print.
 */
static void print_frames(FILE *out, const struct record *record,
			 const struct taskrt_alert_event *item, const struct culprit *culprit)
{
	size_t i = 0;

	if (culprit->longest != item &&
	    (event_is_in(&item->event, culprit->usual) || is_shown_again(record, &item->event)))
		return;
	while (i < item->nr_frames && (!strncmp(item->frames[i], "__schedule", 10) ||
				       !strncmp(item->frames[i], "schedule", 8)))
		i++;
	for (; i < item->nr_frames; i++)
		fprintf(out, "%*s%s\n", INDENT + 2, "", item->frames[i]);
}

/* A time in milliseconds: "-14.097". */
static const char *in_ms(char text[UNITS_MAX], const char *sign, uint64_t ns)
{
	const uint64_t us = (ns + 500) / 1000;

	snprintf(text, UNITS_MAX, "%s%" PRIu64 ".%03" PRIu64, us ? sign : "", us / 1000, us % 1000);
	return text;
}

/* Return: the column where details may start. */
static size_t print_times(FILE *out, const struct record *record, const struct taskrt_event *event,
			  uint64_t ns)
{
	const uint64_t at_ns = record->alert.at_ns;
	char began[UNITS_MAX], took[UNITS_MAX];

	in_ms(began, "-", at_ns > event->at_ns ? at_ns - event->at_ns : 0);
	return (size_t)fprintf(out, "%12s  %10s  %3u  %s", began, in_ms(took, "", ns), event->cpu,
			       event_name(event));
}

static void print_columns(FILE *out)
{
	fprintf(out, "%12s  %10s  %3s  %-16s  %s\n", "BEGAN, ms", "TOOK, ms", "CPU", "STATE",
		"DETAILS");
}

/* Print a line, and the stack below it. */
static void print_event(FILE *out, const struct record *record,
			const struct taskrt_alert_event *item, const struct culprit *culprit)
{
	struct details details = { .out = out };

	details.column = print_times(out, record, &item->event, item->event.ns);
	print_details(&details, item);
	fprintf(out, "\n");
	print_frames(out, record, item, culprit);
}

/* Every thread has minor faults, and a new thread has nothing else. */
static int is_trifle(const struct taskrt_event *event, const struct culprit *culprit)
{
	return event_is_whole(event, TASKRT_TIMER_FAULT) &&
	       event_longest(event) < culprit->window_ns / 200 &&
	       !(event->flags & (TASKRT_EVENT_MAJOR | TASKRT_EVENT_PRESENT));
}

/*
 * Print the short minor faults at the start of @order, which has @left events, in one line.
 * Return: how many events were printed; 0 if there are fewer than two, so that the caller prints
 * each.
 */
static size_t print_trifles(FILE *out, const struct record *record,
			    const struct taskrt_alert_event **order, size_t left,
			    const struct culprit *culprit)
{
	struct details details = { .out = out };
	uint64_t sum = 0, longest = 0, faults = 0;
	char time[UNITS_MAX];
	size_t count;

	for (count = 0; count < left && is_trifle(&order[count]->event, culprit); count++) {
		sum += order[count]->event.ns;
		faults += event_count(&order[count]->event);
		if (event_longest(&order[count]->event) > longest)
			longest = event_longest(&order[count]->event);
	}
	if (faults < 2)
		return 0;
	details.column = print_times(out, record, &order[0]->event, sum);
	detail(&details, "%" PRIu64 " minor ones, the longest %s", faults,
	       units_time(time, longest));
	fprintf(out, "\n");
	return count;
}

static void print_head(FILE *out, const struct record *record)
{
	const struct taskrt_alert *alert = &record->alert;
	char comm[PERSON_MAX], tag[TAG_MAX], at[UNITS_MAX];

	text_safe(comm, sizeof(comm), alert->comm, sizeof(alert->comm));
	text_safe(tag, sizeof(tag), alert->tag, sizeof(alert->tag));
	units_instant(at, alert->at_ns);
	fprintf(out, "alert %" PRIu64 ": %s (%d) of process %d ", record->number, comm,
		alert->tid, alert->tgid);
	switch (alert->reason) {
	case TASKRT_REASON_REQUESTED:
		fprintf(out, "was late at %s", at);
		break;
	case TASKRT_REASON_OVER:
		fprintf(out, "waited too long, until %s", at);
		break;
	case TASKRT_REASON_DISARMED:
		fprintf(out, "was disarmed at %s", at);
		break;
	default:
		fprintf(out, "at %s, for %s", at, event_reason(alert));
	}
	fprintf(out, "%s%s\n", *tag ? ": " : "", tag);
}

static void print_events(FILE *out, const struct record *record,
			 const struct culprit *culprit)
{
	const struct taskrt_alert_event **order = event_order(record);
	size_t i = 0;

	if (record->alert.recorded > record->alert.nr_events)
		fprintf(out, "  the last %u of %" PRIu64 " events\n", record->alert.nr_events,
			record->alert.recorded);
	if (order)
		print_columns(out);
	while (i < record->alert.nr_events) {
		size_t trifles =
			print_trifles(out, record, order + i, record->alert.nr_events - i, culprit);

		if (!trifles)
			print_event(out, record, order[i], culprit);
		i += trifles ? trifles : 1;
	}
	free(order);
}

void timeline_print(FILE *out, const struct record *record, const struct summary *summary)
{
	if (record->alert.gap)
		fprintf(out, "alerts lost before the next one: %" PRIu64 "\n\n",
			record->alert.gap);
	print_head(out, record);
	print_events(out, record, &summary->culprit);
	text_line(out, "  %s", summary->text);
	fprintf(out, "\n");
}
