// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "clock.h"
#include "flight.h"
#include "recorder.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

/* CLOCK_MONOTONIC's fast copy in the kernel may differ by a few ns. */
#define SLACK_NS	MS

struct job {
	struct flight *flight;
	flight_fn fn;
	void *arg;
};

static struct alert_listener listener;

void flight_open(void)
{
	alert_open(&listener);
}

void flight_close(void)
{
	tap_equal(listener.wrong, 0, "%llu alerts: every promise of the header is kept",
		  (unsigned long long)listener.received);
	tap_equal(listener.missed, 0, "and none is missing");
	alert_close(&listener);
}

static void fly(void *arg)
{
	const struct recorder_arm arm = {
		.depth = TASKRT_DEPTH_MAX, .threshold_ns = FLIGHT_THRESHOLD,
	};
	struct job *job = arg;
	struct flight *flight = job->flight;
	struct taskrt *handle = window_open();
	struct taskrt_reading before, after;
	struct raw_answer answer;
	unsigned int i;
	struct raw raw;
	int err;

	prctl(PR_SET_NAME, flight->name);
	flight->tid = gettid();
	if (raw_open(&raw))
		tap_bail("no family");
	err = recorder_arm(&raw, &arm, &answer);
	if (err)
		tap_bail("arming: %s (%s)", strerror(-err), answer.text);
	window_thread(handle, 0, &before);
	flight->waits = clock_waits();
	flight->begin_ns = clock_now();
	job->fn(job->arg);
	flight->end_ns = clock_now();
	flight->waits = clock_waits() - flight->waits;
	err = recorder_tell(flight->name);
	if (err)
		tap_bail("alerting: %s", strerror(-err));
	window_thread(handle, 0, &after);
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		flight->states_ns[i] = after.times.states_ns[i] - before.times.states_ns[i];
	taskrt_close(handle);
	raw_close(&raw);
}

static void check_alert(const struct flight *flight)
{
	const struct alert *alert = flight->alert;

	if (!tap_ok(alert->tid == flight->tid && alert->tgid == (uint32_t)getpid() &&
		    !strcmp(alert->comm, flight->name) && !strcmp(alert->tag, flight->name) &&
		    alert->reason == TASKRT_REASON_REQUESTED &&
		    alert->at_ns + SLACK_NS >= flight->end_ns && alert->nr_events,
		    "%s: the alert says who, what and when", flight->name))
		alert_print(alert);
}

void flight_observe(struct flight *flight, const char *name, flight_fn fn, void *arg)
{
	struct job job = { flight, fn, arg };
	struct thread thread;

	memset(flight, 0, sizeof(*flight));
	flight->name = name;
	thread_start(&thread, fly, &job);
	thread_join(&thread);
	/* A thread that another socket has armed anew has one alert more, whenever that comes. */
	do
		flight->alert = alert_of(&listener, flight->tid);
	while (flight->alert && flight->alert->reason == TASKRT_REASON_DISARMED);
	if (!flight->alert)
		tap_bail("%s: no alert came", name);
	check_alert(flight);
}

int flight_again(const struct flight *flight, uint32_t state, uint64_t least, uint64_t *until)
{
	if (!*until)
		*until = clock_now() + CLOCK_PATIENCE;
	return (flight->states_ns[state] < least || flight->waits != 1) && clock_now() < *until;
}

const struct alert_event *flight_find_at(const struct flight *flight, uint32_t kind,
					 uint64_t from_ns, uint64_t until_ns)
{
	const struct alert *alert = flight->alert;
	unsigned int i;

	for (i = 0; i < alert->nr_events; i++) {
		const struct taskrt_event *event = &alert->events[i].event;

		if (alert_kind(event) == kind && event->at_ns <= from_ns + SLACK_NS &&
		    event->at_ns + event->ns + SLACK_NS >= until_ns) {
			tap_ok(1, "%s: it covers that time", flight->name);
			return &alert->events[i];
		}
	}
	tap_ok(0, "%s: there is a %s from %llu until %llu", flight->name, alert_kind_name(kind),
	       (unsigned long long)from_ns, (unsigned long long)until_ns);
	alert_print(alert);
	return NULL;
}

/* An earlier event does not count, because arming waits, too. */
static const struct alert_event *longest_since(const struct flight *flight, uint32_t kind)
{
	const struct alert *alert = flight->alert;
	const struct alert_event *longest = NULL;
	unsigned int i;

	for (i = 0; i < alert->nr_events; i++) {
		const struct alert_event *event = &alert->events[i];

		if (alert_kind(&event->event) == kind &&
		    event->event.at_ns + SLACK_NS >= flight->begin_ns &&
		    (!longest || event->event.ns > longest->event.ns))
			longest = event;
	}
	return longest;
}

const struct alert_event *flight_find(const struct flight *flight, uint32_t kind,
				      uint64_t least)
{
	const struct alert_event *event = longest_since(flight, kind);

	if (event && event->event.ns >= least &&
	    tap_ok(event->event.at_ns + event->event.ns <= flight->end_ns + SLACK_NS,
		   "%s: it was within that time", flight->name))
		return event;
	tap_ok(0, "%s: there is a %s of %llu ns", flight->name, alert_kind_name(kind),
	       (unsigned long long)least);
	alert_print(flight->alert);
	return NULL;
}
