// SPDX-License-Identifier: GPL-2.0-only
/* Alerts that a thread raises by itself, because it waited for too long. */
#include <semaphore.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alert.h"
#include "ask.h"
#include "bell.h"
#include "clock.h"
#include "device.h"
#include "recorder.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define OVER	(100 * MS)
#define LONG	(250 * MS)

static struct alert_listener listener;
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

/* The next alert of the calling thread, or the end of the test. */
static const struct alert *next_own(void)
{
	const struct alert *alert = alert_of(&listener, gettid());

	if (!alert)
		tap_bail("no alert came");
	return alert;
}

static int is_about(const struct alert *alert, unsigned int states)
{
	uint32_t state;

	if (alert->reason != TASKRT_REASON_OVER || !alert->nr_events)
		return 0;
	state = alert->events[alert->nr_events - 1].event.which;
	if (alert->events[alert->nr_events - 1].event.type == TASKRT_EVENT_STATE &&
	    1U << state & states)
		return 1;
	tap_diag("another one: %s", taskrt_state_name(state));
	return 0;
}

/*
 * Returns an alert that the module has raised for this thread until now, for one of those
 * states and at least that long; a busy host causes others.  Returns NULL if there is
 * none: all of them are delivered before the mark, which is raised later.
 */
static const struct alert *automatic(unsigned int states, uint64_t least)
{
	const struct alert *alert;
	static struct alert found;
	int is_found = 0;

	recorder_must_tell("mark");
	while (strcmp((alert = next_own())->tag, "mark"))
		if (is_about(alert, states) &&
		    alert->events[alert->nr_events - 1].event.ns >= least) {
			found = *alert;
			is_found = 1;
		}
	return is_found ? &found : NULL;
}

static const struct alert_event *last_event(const struct alert *alert)
{
	return &alert->events[alert->nr_events - 1];
}

/*
 * A wait inside the kernel.  On a busy host it may be over before it has begun; then it is
 * repeated.
 */
static const struct alert *alert_by_delay(uint32_t how, uint32_t state)
{
	uint64_t patience = clock_now() + CLOCK_PATIENCE;
	const struct alert *alert;

	do {
		device_delay(device, how, LONG);
		alert = automatic(1U << state, OVER);
	} while (!alert && clock_now() < patience);
	return alert;
}

static void by_itself(void)
{
	const struct alert_event *event;
	const struct alert *alert;

	arm(16, 0, OVER);
	alert = alert_by_delay(TASKRT_TEST_UNINTERRUPTIBLE, TASKRT_STATE_BLOCKED_OTHER);
	tap_ok(alert != NULL, "a long wait alerts by itself");
	if (!alert)
		return;
	event = last_event(alert);
	tap_at_least(event->event.ns, OVER, "its last event is the long wait");
	tap_ok(!(event->event.flags & TASKRT_EVENT_PRESENT), "which is over");
	tap_ok(!(event->event.flags & TASKRT_EVENT_EARLY), "and started when it was armed");
	tap_equal(event->event.at_ns + event->event.ns, alert->at_ns,
		  "the alert is raised at that instant");
	tap_ok(!alert->tag[0], "it has no tag");
	tap_at_least(event->nr_frames, 1, "a stack says where");
}

static void not_by_itself(void)
{
	arm(16, 0, OVER);
	device_delay(device, TASKRT_TEST_UNINTERRUPTIBLE, OVER / 50);
	bell_sleep(LONG);
	tap_ok(!automatic(1U << TASKRT_STATE_SLEEPING_TIMER, 0),
	       "a voluntary sleep raises no alert");
	arm(16, 1U << TASKRT_STATE_SLEEPING_TIMER, OVER);
	bell_sleep(LONG);
	tap_ok(automatic(1U << TASKRT_STATE_SLEEPING_TIMER, OVER) != NULL,
	       "unless its state was requested");
	device_delay(device, TASKRT_TEST_UNINTERRUPTIBLE, LONG);
	tap_ok(!automatic(1U << TASKRT_STATE_BLOCKED_OTHER, 0), "then no other state does");
	arm(16, 0, 0);
	device_delay(device, TASKRT_TEST_UNINTERRUPTIBLE, LONG);
	tap_ok(!automatic(1U << TASKRT_STATE_BLOCKED_OTHER, 0),
	       "without a limit nothing does");
}

static sem_t queue_go;

static void queue_behind(void *unused)
{
	(void)unused;
	thread_pin(0);
	thread_fifo(60);
	sem_wait(&queue_go);
	clock_spin(LONG);
}

/* While the thread does not run, another task has to raise the alert. */
static void for_the_queue(void)
{
	const unsigned int queued = 1U << TASKRT_STATE_PREEMPTED | 1U << TASKRT_STATE_WOKEN;
	uint64_t patience = clock_now() + CLOCK_PATIENCE;
	const struct alert *alert;
	struct thread hog;

	sem_init(&queue_go, 0, 0);
	thread_pin(0);
	/* With two real-time threads, no kernel thread runs between them. */
	thread_fifo(10);
	arm(64, 0, OVER);
	do {
		thread_start(&hog, queue_behind, NULL);
		thread_await(hog.tid, "S");
		sem_post(&queue_go);
		clock_burn(20 * MS);
		thread_join(&hog);
		/*
		 * Other intervals, however long the host made them, are shorter than the
		 * hog's whole time.
		 */
		alert = automatic(queued, LONG - MS);
	} while (!alert && clock_now() < patience);
	tap_ok(alert != NULL, "a long wait for a CPU alerts by itself");
	if (alert)
		tap_equal(last_event(alert)->event.other_tid, hog.tid, "and says who had it");
	thread_other();
	thread_unpin();
}

/* A user's process that waits for a disk whenever it is told to. */
static void wait_when_told(const int *go, const int *done)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
	char byte;

	close(go[1]);
	ask_become(&user);
	while (read(go[0], &byte, 1) == 1) {
		device_delay(device, TASKRT_TEST_IO, LONG);
		if (write(done[1], "x", 1) != 1)
			break;
	}
	_exit(0);
}

/* Is one of the thread's alerts about its wait for a disk? */
static int is_told_of(pid_t tid)
{
	const struct alert *alert;
	int told = 0;

	recorder_must_tell("mark");
	do {
		alert = alert_next(&listener, CLOCK_PATIENCE_MS);
		if (!alert)
			tap_bail("no alert came");
		told |= alert->tid == (uint32_t)tid && alert->reason == TASKRT_REASON_OVER &&
			alert_longest(alert, TASKRT_STATE_BLOCKED_IO);
	} while (strcmp(alert->tag, "mark"));
	return told;
}

/* A privileged task arms the thread of another user. */
static void of_another(void)
{
	uint64_t patience = clock_now() + CLOCK_PATIENCE;
	struct recorder_arm how = { .depth = 16, .over_ns = OVER };
	int go[2], done[2], status, told;
	pid_t pid;
	char byte;

	if (pipe(go) || pipe(done))
		tap_bail("pipe");
	arm(16, 0, 0);
	pid = fork();
	if (!pid)
		wait_when_told(go, done);
	how.tid = pid;
	tap_errno(recorder_arm(&raw, &how, NULL), 0, "root arms a user's thread");
	do {
		if (write(go[1], "x", 1) != 1 || read(done[0], &byte, 1) != 1)
			tap_bail("pipe");
		told = is_told_of(pid);
	} while (!told && clock_now() < patience);
	tap_ok(told, "and receives its alert");
	close(go[0]);
	close(go[1]);
	close(done[0]);
	close(done[1]);
	waitpid(pid, &status, 0);
}

static void take_mutex(void *unused)
{
	(void)unused;
	device_take(device, TASKRT_TEST_MUTEX, 0);
}

/* A thread that is armed amid a wait: the alert says so, as nobody knows what that was for. */
static void armed_amid(void)
{
	struct recorder_arm how = { .depth = 16, .over_ns = OVER };
	struct taskrt *handle = window_open();
	const struct alert *alert = NULL;
	struct bell_culprit culprit;
	struct thread late;

	arm(16, 0, 0);
	bell_take(&culprit, device, TASKRT_TEST_MUTEX);
	thread_start(&late, take_mutex, NULL);
	window_await(handle, late.tid, TASKRT_STATE_BLOCKED_LOCK);
	how.tid = late.tid;
	tap_errno(recorder_arm(&raw, &how, NULL), 0, "a thread is armed amid a wait");
	bell_drop_after(&culprit, late.tid, LONG);
	alert = alert_of(&listener, late.tid);
	tap_ok(alert && alert->reason == TASKRT_REASON_OVER &&
	       last_event(alert)->event.which == TASKRT_STATE_BLOCKED_LOCK,
	       "the wait alerts when it is over");
	if (!tap_ok(alert && last_event(alert)->event.flags & TASKRT_EVENT_EARLY,
		    "and says that it started before") && alert)
		alert_print(alert);
	thread_join(&late);
	bell_end(&culprit);
	taskrt_close(handle);
}

int main(void)
{
	device = device_open();
	alert_open(&listener);
	if (raw_open(&raw))
		tap_bail("no family");
	by_itself();
	not_by_itself();
	for_the_queue();
	of_another();
	armed_amid();
	tap_equal(listener.wrong, 0, "%llu alerts: every promise of the header is kept",
		  (unsigned long long)listener.received);
	return tap_done();
}
