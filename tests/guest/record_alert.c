// SPDX-License-Identifier: GPL-2.0-only
/* Alerts that nobody asked for, too many of them, and more events than there is room for. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alert.h"
#include "ask.h"
#include "clock.h"
#include "device.h"
#include "modinfo.h"
#include "recorder.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define OVER	(100 * MS)
#define LONG	(250 * MS)
#define BURST	300

static struct alert_ear ear;
static struct raw raw;
static int device;

static void arm(uint32_t depth, uint32_t states, uint64_t over_ns)
{
	const struct recorder_arm how = {
		.depth = depth, .states = states, .over_ns = over_ns,
	};
	struct raw_answer answer;
	int err = recorder_arm(&raw, &how, &answer);

	if (err)
		tap_bail("arming: %s (%s)", strerror(-err), answer.text);
}

/* An alert of this thread by itself, for that state; a busy host makes others. */
static const struct alert_event *automatic(uint32_t state, int ms)
{
	const struct alert_event *event;
	const struct alert *alert;

	while ((alert = alert_next(&ear, ms))) {
		if (alert->tid != (uint32_t)gettid() || alert->reason != TASKRT_REASON_OVER ||
		    !alert->nr_events)
			continue;
		event = &alert->events[alert->nr_events - 1];
		if (event->event.what == state)
			return event;
		tap_diag("another one: %s", taskrt_state_name(event->event.what));
	}
	return NULL;
}

static void by_itself(void)
{
	const struct alert_event *event;

	arm(16, 0, OVER);
	device_delay(device, TASKRT_TEST_UNINTERRUPTIBLE, LONG);
	event = automatic(TASKRT_STATE_BLOCKED_OTHER, 5000);
	tap_ok(event != NULL, "a long wait alerts by itself");
	if (!event)
		return;
	tap_at_least(event->event.ns, OVER, "its last event is what took so long");
	tap_ok(!(event->event.flags & TASKRT_EVENT_PRESENT), "which is over");
	tap_equal(event->event.at_ns + event->event.ns, ear.alert.at_ns, "at that very instant");
	tap_ok(!ear.alert.tag[0], "nobody says a word");
	tap_at_least(event->nr_frames, 1, "a stack says where");
}

static void not_by_itself(void)
{
	arm(16, 0, OVER);
	device_delay(device, TASKRT_TEST_UNINTERRUPTIBLE, OVER / 50);
	clock_sleep(LONG);
	tap_ok(!automatic(TASKRT_STATE_SLEEPING_TIMER, 300),
	       "who sleeps because he wants to does not");
	arm(16, 1U << TASKRT_STATE_SLEEPING_TIMER, OVER);
	clock_sleep(LONG);
	tap_ok(automatic(TASKRT_STATE_SLEEPING_TIMER, 5000) != NULL, "unless that is asked for");
	device_delay(device, TASKRT_TEST_UNINTERRUPTIBLE, LONG);
	tap_ok(!automatic(TASKRT_STATE_BLOCKED_OTHER, 300), "then nothing else does");
	arm(16, 0, 0);
	device_delay(device, TASKRT_TEST_UNINTERRUPTIBLE, LONG);
	tap_ok(!automatic(TASKRT_STATE_BLOCKED_OTHER, 300), "nor anything, if it is not asked for");
}

static void queue_behind(void *unused)
{
	(void)unused;
	thread_pin(0);
	thread_fifo(60);
	clock_spin(LONG);
}

/* While it does not run somebody else has to raise it. */
static void for_the_queue(void)
{
	const struct alert_event *event = NULL;
	struct thread hog;
	int tries = 5;

	thread_pin(0);
	/* Nothing of the kernel's comes between two real-time threads. */
	thread_fifo(10);
	arm(64, 0, OVER);
	while (!event && tries--) {
		thread_start(&hog, queue_behind, NULL);
		clock_burn(20 * MS);
		thread_join(&hog);
		event = automatic(TASKRT_STATE_PREEMPTED, 1000) ?:
			automatic(TASKRT_STATE_WOKEN, 1000);
	}
	tap_ok(event != NULL, "a long wait for a CPU alerts by itself");
	if (event)
		tap_equal(event->event.other_tid, hog.tid, "and says who had it");
	thread_other();
	thread_unpin();
}

/* Somebody else's thread, by who may. */
static void of_another(void)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
	struct recorder_arm how = { .depth = 16, .over_ns = OVER };
	const struct alert *alert;
	int go[2], status;
	pid_t pid;
	char byte;

	if (pipe(go))
		tap_bail("pipe");
	pid = fork();
	if (!pid) {
		ask_become(&user);
		if (read(go[0], &byte, 1) == 1)
			device_delay(device, TASKRT_TEST_IO, LONG);
		_exit(0);
	}
	how.tid = pid;
	tap_errno(recorder_arm(&raw, &how, NULL), 0, "root arms a user's thread");
	if (write(go[1], "x", 1) != 1)
		tap_bail("pipe");
	waitpid(pid, &status, 0);
	alert = alert_of(&ear, pid);
	tap_ok(alert && alert->reason == TASKRT_REASON_OVER &&
	       alert_longest(alert, TASKRT_STATE_BLOCKED_IO), "and is told when it was late");
	close(go[0]);
	close(go[1]);
}

static void sleep_often(unsigned int times)
{
	while (times--)
		clock_sleep(50 * US);
}

static void more_than_fits(uint32_t depth)
{
	uint64_t first;

	arm(depth, 0, 0);
	sleep_often(100);
	tap_errno(recorder_tell("wrap"), 0, "depth %u: alert", depth);
	if (!alert_of(&ear, gettid()))
		tap_bail("no alert came");
	tap_at_least(ear.alert.recorded, 200, "depth %u: all events were counted", depth);
	tap_at_most(ear.alert.nr_events, depth + 1, "depth %u: no more than the last ones", depth);
	tap_at_least(ear.alert.nr_events, depth < 200 ? depth : 200, "depth %u: but these", depth);
	first = ear.alert.recorded;
	clock_sleep(300 * MS);
	tap_errno(recorder_tell("after"), 0, "depth %u: another one", depth);
	if (!alert_of(&ear, gettid()))
		tap_bail("no alert came");
	tap_at_most(ear.alert.recorded, first - 1, "depth %u: begins after the one before", depth);
}

static void default_depth(void)
{
	arm(0, 0, 0);
	sleep_often(100);
	recorder_tell("default");
	if (!alert_of(&ear, gettid()))
		tap_bail("no alert came");
	tap_ok(ear.alert.nr_events == 64 || ear.alert.nr_events == 65,
	       "the usual depth is 64: %u events", ear.alert.nr_events);
}

/* What is told and what is lost is all there was, by whoever counts. */
static void check_count(uint64_t alerts, uint64_t lost, uint64_t refused, uint64_t received,
			uint64_t missed)
{
	uint64_t raised = modinfo(TASKRT_INFO_A_ALERTS) - alerts;
	uint64_t now_lost = modinfo(TASKRT_INFO_A_ALERTS_LOST) - lost;

	tap_equal(raised, BURST + 1, "INFO counts all that were raised");
	tap_equal(now_lost, refused, "lost are those that were refused");
	tap_equal(ear.received - received + now_lost, raised, "received and lost are all");
	tap_equal(ear.missed - missed, now_lost, "the gaps in SEQ are what was lost");
	tap_equal(ear.alert.lost - lost, now_lost, "and the last one's LOST says so");
}

static void too_many(void)
{
	uint64_t alerts, lost, refused = 0, other = 0, received, missed;
	unsigned int i;
	int err;

	arm(8, 0, 0);
	clock_sleep(2 * SEC);
	recorder_tell("before");
	if (!alert_of(&ear, gettid()))
		tap_bail("no alert came");
	alerts = modinfo(TASKRT_INFO_A_ALERTS);
	lost = modinfo(TASKRT_INFO_A_ALERTS_LOST);
	received = ear.received;
	missed = ear.missed;
	for (i = 0; i < BURST; i++) {
		err = recorder_tell("burst");
		refused += err == -EAGAIN;
		other += err && err != -EAGAIN;
		clock_sleep(100 * US);
	}
	tap_equal(other, 0, "a burst: told, or not for now");
	tap_at_least(refused, 1, "some are too many");
	tap_at_most(refused, BURST - 1, "and some are not");
	clock_sleep(2 * SEC);
	tap_errno(recorder_tell("after"), 0, "later it may again");
	while (strcmp(ear.alert.tag, "after"))
		if (!alert_of(&ear, gettid()))
			tap_bail("it never came");
	check_count(alerts, lost, refused, received, missed);
}

/* Who does not read is nobody else's trouble, and hears that he has missed something. */
static void deaf(void)
{
	static struct alert_ear second;
	int small = 1;
	unsigned int i;

	alert_open(&second);
	setsockopt(second.raw.fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	clock_sleep(SEC);
	arm(TASKRT_DEPTH_MAX, 0, 0);
	for (i = 0; i < 5; i++) {
		sleep_often(100);
		clock_sleep(200 * MS);
		if (recorder_tell("deaf") || !alert_of(&ear, gettid()))
			break;
	}
	tap_equal(i, 5, "who listens hears them all, whoever else does not read");
	alert_drain(&second);
	tap_at_least(second.overrun, 1, "who does not is told that there was more");
	tap_at_most(second.received, 4, "and does not take pieces for the whole");
	alert_close(&second);
}

struct alerter {
	struct thread thread;
	unsigned int told;
};

static void alert_now_and_then(void *arg)
{
	const struct recorder_arm how = { .depth = 8 };
	struct alerter *alerter = arg;
	struct raw mine;
	int i;

	if (raw_open(&mine) || recorder_arm(&mine, &how, NULL))
		tap_bail("arming");
	for (i = 0; i < 20; i++) {
		alerter->told += !recorder_tell("one of many");
		clock_sleep(20 * MS);
	}
	raw_close(&mine);
}

/* Several at a time: each is numbered, in the order in which they come. */
static void of_many(void)
{
	uint64_t received, lost, missed, told = 0;
	struct alerter alerters[6] = { 0 };
	unsigned int i;

	recorder_disarm(&raw, 0);
	alert_drain(&ear);
	received = ear.received;
	missed = ear.missed;
	lost = modinfo(TASKRT_INFO_A_ALERTS_LOST);
	for (i = 0; i < 6; i++)
		thread_start(&alerters[i].thread, alert_now_and_then, &alerters[i]);
	for (i = 0; i < 6; i++) {
		thread_join(&alerters[i].thread);
		told += alerters[i].told;
	}
	arm(8, 0, 0);
	recorder_tell("the last one");
	if (!alert_of(&ear, gettid()))
		tap_bail("no alert came");
	lost = modinfo(TASKRT_INFO_A_ALERTS_LOST) - lost;
	tap_equal(ear.received - received, told + 1, "several threads: all that was told came");
	tap_equal(ear.missed - missed, lost, "several threads: the gaps are what was lost");
}

int main(void)
{
	device = device_open();
	alert_open(&ear);
	if (raw_open(&raw))
		tap_bail("no family");
	by_itself();
	not_by_itself();
	for_the_queue();
	of_another();
	more_than_fits(TASKRT_DEPTH_MIN);
	more_than_fits(TASKRT_DEPTH_MAX);
	clock_sleep(SEC);
	default_depth();
	too_many();
	deaf();
	of_many();
	tap_equal(ear.wrong, 0, "%llu alerts: every promise of the header is kept",
		  (unsigned long long)ear.received);
	return tap_done();
}
