// SPDX-License-Identifier: GPL-2.0-only
/* What most of the time before an alert went to, and what is to blame, in one sentence. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "common/names.h"
#include "common/state.h"
#include "common/units.h"
#include "watch/culprit.h"

/* A text that grows, and is cut off when it is full. */
struct text {
	char *bytes;
	size_t used;
};

__attribute__((format(printf, 2, 3)))
static void add(struct text *text, const char *format, ...)
{
	size_t room = SUMMARY_MAX - text->used;
	va_list arguments;
	int bytes;

	va_start(arguments, format);
	bytes = vsnprintf(text->bytes + text->used, room, format, arguments);
	va_end(arguments);
	if (bytes > 0)
		text->used += (size_t)bytes < room ? (size_t)bytes : room - 1;
}

/* A state without words is shown by its name, with its cause. */
static void add_state(struct text *text, unsigned int state)
{
	unsigned int cause = state_cause(state);
	const char *phrase = state_phrase(cause);

	if (state == SHARE_OF_FAULTS) {
		add(text, "handling page faults");
		return;
	}
	if (cause == state && phrase)
		add(text, "%s", phrase);
	else
		add(text, "in %s", names_state(state));
	if (cause != state && phrase)
		add(text, ", that is %s", phrase);
}

static void add_lock(struct text *text, const struct taskrt_alert_event *longest)
{
	const struct taskrt_event *event = &longest->event;
	char buffer[HOLDER_MAX];
	const char *holder = event_holder(buffer, event);

	if (!event_has_lock(event)) {
		add(text, ", which one is not known");
		return;
	}
	add(text, " (%s", event_lock_name(event));
	if (longest->caller)
		add(text, " at %s", longest->caller);
	add(text, ")");
	if (holder)
		add(text, " held %s", holder);
	else
		add(text, ", whose holder is not known");
}

/* The whole fault that contains a wait; NULL: it was overwritten. */
static const struct taskrt_event *whole_fault(const struct taskrt_event *part,
					      const struct record *record)
{
	for_each_event(item, record) {
		const struct taskrt_event *event = &item->event;

		if (event_is_whole(event, TASKRT_TIMER_FAULT) && event->at_ns <= part->at_ns &&
		    event_end(event) >= event_end(part))
			return event;
	}
	return NULL;
}

static void add_fault(struct text *text, const struct taskrt_event *event,
		      const struct record *record)
{
	const struct taskrt_event *whole = whole_fault(event, record);

	if (!event_has_fault(event)) {
		add(text, ", where is not known");
		return;
	}
	add(text, " (");
	if (whole && !(whole->flags & TASKRT_EVENT_PRESENT))
		add(text, "%s, ", whole->flags & TASKRT_EVENT_MAJOR ? "major" : "minor");
	add(text, "%s at 0x%" PRIx64 ")", event->flags & TASKRT_EVENT_FILE ?
	    "a file's page" : "anonymous memory", (uint64_t)event->address);
}

/* What keeps a thread that is running from its own work. */
static const char *kept_by(const struct taskrt_event *event)
{
	switch (event->which) {
	case TASKRT_TIMER_HARDIRQ:
		return "in an interrupt";
	case TASKRT_TIMER_SOFTIRQ:
		return "in a soft interrupt";
	case TASKRT_TIMER_STEAL:
		return "stolen by the hypervisor";
	case TASKRT_TIMER_RECLAIM_CPU:
		return "to make memory free";
	default:
		return NULL;
	}
}

static void add_inside(struct text *text, const struct culprit *culprit,
		       const struct record *record)
{
	const struct taskrt_alert_event *inside = culprit->inside;
	const char *keeper;
	char time[UNITS_MAX];

	if (!inside)
		return;
	keeper = kept_by(&inside->event);
	add(text, ", of that %s ", units_time(time, culprit->inside_ns));
	if (event_is_whole(&inside->event, TASKRT_TIMER_FAULT) && inside->event.count) {
		add(text, "in %" PRIu32 " page faults", inside->event.count);
	} else if (event_is_whole(&inside->event, TASKRT_TIMER_FAULT)) {
		add(text, "in a page fault");
		add_fault(text, &inside->event, record);
	} else if (event_is_whole(&inside->event, TASKRT_TIMER_LOCK)) {
		add(text, "spinning for a kernel lock");
		add_lock(text, inside);
	} else if (keeper) {
		add(text, "%s", keeper);
	} else {
		add(text, "in %s", event_name(&inside->event));
	}
}

/* Was it a wait that another task has ended?  For a lock the holder is shown instead. */
static int is_wait(const struct taskrt_event *event)
{
	enum share share = state_share(event->which);

	return share >= SHARE_FAULT && share <= SHARE_SLEEP;
}

/* The holder of a user-space lock is known for some kinds only: see futex_owner.h of the module. */
static void add_futex(struct text *text, const struct taskrt_event *event)
{
	char buffer[HOLDER_MAX];
	const char *holder = event_holder(buffer, event);

	if (!event_has_futex(event))
		return;
	add(text, ": %s at 0x%" PRIx64, holder ? "a lock" : "one", (uint64_t)event->futex);
	if (holder)
		add(text, ", held %s", holder);
}

/* A wait for a futex or a timer already has its system call in its state. */
static void add_syscall(struct text *text, const struct taskrt_event *event)
{
	char name[SYSCALL_MAX];
	const char *syscall = event_syscall(name, event);

	if (syscall && state_share(event->which) != SHARE_QUEUE &&
	    !event_is_caused(event, TASKRT_STATE_SLEEPING_FUTEX) &&
	    !event_is_caused(event, TASKRT_STATE_SLEEPING_TIMER))
		add(text, ", in the system call %s", syscall);
}

static void add_occupant(struct text *text, const struct culprit *culprit)
{
	const struct occupant *occupant = &culprit->occupant;
	char person[PERSON_MAX], time[UNITS_MAX];

	if (!event_person(person, occupant->comm, occupant->tid))
		return;
	add(text, "%s while %s had the CPU", culprit->count > 1 ? "," : "", person);
	if (occupant->ns)
		add(text, " for %s of that", units_time(time, occupant->ns));
}

static void add_details(struct text *text, const struct culprit *culprit,
			const struct record *record)
{
	const struct taskrt_event *event = &culprit->longest->event;
	char person[PERSON_MAX], time[UNITS_MAX];
	const char *waker;

	if (event_is_caused(event, TASKRT_STATE_BLOCKED_LOCK))
		add_lock(text, culprit->longest);
	else if (event_is_caused(event, TASKRT_STATE_BLOCKED_FAULT))
		add_fault(text, event, record);
	else if (event_is_caused(event, TASKRT_STATE_SLEEPING_FUTEX))
		add_futex(text, event);
	else
		add_occupant(text, culprit);
	add_syscall(text, event);
	if (event_slack(event))
		add(text, ", timer slack up to %s", units_time(time, event_slack(event)));
	add_inside(text, culprit, record);
	waker = event_waker(person, event);
	if (waker && is_wait(event))
		add(text, ", until %s woke it", waker);
	if (event->flags & TASKRT_EVENT_PRESENT && !event_is_in(event, TASKRT_STATE_RUNNING))
		add(text, ", and not over yet");
	if (event_is_early(event) && !event_is_in(event, TASKRT_STATE_RUNNING))
		add(text, ": it was armed during this wait");
}

static unsigned int permille(uint64_t ns, const struct culprit *culprit)
{
	return (unsigned int)((double)ns * 1000 / (double)culprit->window_ns + 0.5);
}

#define SHARE_LEAST	10	/* of 1000: smaller ones are left out */

/* The other shares of the cycle, the largest first. */
static void add_shares(struct text *text, const struct culprit *culprit)
{
	uint64_t below = culprit->shares_ns[culprit->most];
	char time[UNITS_MAX], share[UNITS_MAX];
	uint32_t i, last = culprit->most;
	const char *between = "; then";

	if (!culprit->cycle_ns)
		return;
	for (;;) {
		uint32_t next = TASKRT_NONE;

		for (i = 0; i < SHARES; i++) {
			uint64_t ns = culprit->shares_ns[i];

			if ((ns < below || (ns == below && i > last)) &&
			    (next == TASKRT_NONE || ns > culprit->shares_ns[next]))
				next = i;
		}
		if (next == TASKRT_NONE ||
		    permille(culprit->shares_ns[next], culprit) < SHARE_LEAST)
			return;
		last = next;
		below = culprit->shares_ns[next];
		add(text, "%s %s (%s %%) ", between, units_time(time, below),
		    units_share(share, permille(below, culprit)));
		add_state(text, next);
		between = ",";
	}
}

static void add_window(struct text *text, const struct culprit *culprit)
{
	uint64_t ns = culprit->shares_ns[culprit->most];
	const char *share = ns > culprit->window_ns / 2 ? "most of" :
			    "more than anything else in";
	char time[UNITS_MAX];

	if (!culprit->cycle_ns || culprit->window_ns < culprit->cycle_ns)
		add(text, "%s the last %s", share, units_time(time, culprit->window_ns));
	else
		add(text, "%s", share);
	if (culprit->cycle_ns)
		add(text, "%s its cycle of %s", culprit->window_ns < culprit->cycle_ns ? " of" : "",
		    units_time(time, culprit->cycle_ns));
	add(text, ": ");
}

static void add_most(struct text *text, const struct culprit *culprit)
{
	uint64_t ns = culprit->shares_ns[culprit->most];
	char time[UNITS_MAX], share[UNITS_MAX];

	if (!culprit->cycle_ns) {
		add(text, "%s ", units_time(time, culprit->ns));
		return;
	}
	add(text, "%s (%s %%) ", units_time(time, ns), units_share(share, permille(ns, culprit)));
}

static void add_intervals(struct text *text, const struct culprit *culprit)
{
	int faults = culprit->most == SHARE_OF_FAULTS;
	uint32_t count = faults ? culprit->faults : culprit->count;
	char time[UNITS_MAX];

	if (count > 1)
		add(text, ", in %" PRIu32 " %s, the longest %s", count,
		    faults ? "faults" : "intervals",
		    units_time(time, faults ? culprit->longest_fault_ns : culprit->longest_ns));
}

static void put_text(struct text *text, const struct culprit *culprit, const struct record *record)
{
	if (record->alert.reason == TASKRT_REASON_DISARMED) {
		add(text, "another program has disarmed it, or has armed it for itself: no more alerts");
		return;
	}
	if (!culprit->longest) {
		add(text, "no event shows why");
		return;
	}
	if (record->alert.reason == TASKRT_REASON_OVER)
		add(text, "too long: ");
	else
		add_window(text, culprit);
	add_most(text, culprit);
	add_state(text, culprit->most);
	add_intervals(text, culprit);
	if (culprit->most != SHARE_OF_FAULTS)
		add_details(text, culprit, record);
	add_shares(text, culprit);
}

void summary_make(struct summary *summary, const struct record *record, uint64_t window_ns)
{
	struct text text = { .bytes = summary->text };

	culprit_find(&summary->culprit, record, window_ns);
	put_text(&text, &summary->culprit, record);
}
