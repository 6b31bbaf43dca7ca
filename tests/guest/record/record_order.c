// SPDX-License-Identifier: GPL-2.0-only
/*
 * Alerts are delivered in the order in which they were raised, whichever CPUs raised
 * them: a listener may hold an alert to be older than the next.
 */
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "alert.h"
#include "clock.h"
#include "raw.h"
#include "recorder.h"
#include "tap.h"
#include "thread.h"

#define ROUNDS	5

static struct alert_listener listener;
static _Atomic int armed, first_told, second_told;

/*
 * The caller closes the socket when all is told, which disarms the thread.  Nobody sleeps
 * after that: on PREEMPT_RT a timer may be served on the other CPU, by a thread to which the
 * other one leaves no time.
 */
static void arm_self(struct raw *raw, unsigned int cpu)
{
	const struct recorder_arm arm = { .depth = 8 };

	thread_pin(cpu);
	if (raw_open(raw) || recorder_arm(raw, &arm, NULL))
		tap_bail("arming");
	armed++;
	while (armed < 2)
		sched_yield();
	thread_fifo(60);
}

/*
 * The worker that delivers alerts gets no CPU between the two: both are real-time
 * threads that do not sleep.  The CPU with the higher number raises its alert first.
 */
static void tell_first(void *unused)
{
	struct raw raw;

	(void)unused;
	arm_self(&raw, 1);
	recorder_must_tell("first");
	first_told = 1;
	clock_spin_until(second_told);
	thread_other();
	raw_close(&raw);
}

static void tell_second(void *unused)
{
	struct raw raw;

	(void)unused;
	arm_self(&raw, 0);
	clock_spin_until(first_told);
	recorder_must_tell("second");
	second_told = 1;
	thread_other();
	raw_close(&raw);
}

static void check_next(const char *tag)
{
	const struct alert *alert = alert_next(&listener, CLOCK_PATIENCE_MS);

	if (!alert)
		tap_bail("%s: no alert came", tag);
	if (!tap_ok(!strcmp(alert->tag, tag), "%s", tag))
		alert_print(alert);
}

static void in_order(void)
{
	struct thread first, second;

	armed = first_told = second_told = 0;
	thread_start(&first, tell_first, NULL);
	thread_start(&second, tell_second, NULL);
	thread_join(&first);
	thread_join(&second);
	check_next("first");
	check_next("second");
}

int main(void)
{
	unsigned int round;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		tap_skip("alerts of two processors", "needs two processors");
		return tap_done();
	}
	alert_open(&listener);
	for (round = 0; round < ROUNDS; round++)
		in_order();
	tap_equal(listener.wrong, 0, "every promise of the header is kept");
	alert_close(&listener);
	return tap_done();
}
