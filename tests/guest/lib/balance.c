// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <unistd.h>

#include "balance.h"
#include "clock.h"
#include "modinfo.h"
#include "patience.h"
#include "recorder.h"
#include "tap.h"

/*
 * Raises an alert of the caller that is certain to be delivered.  Alerts that were lost
 * before it show as a gap before it.
 */
static void mark(struct balance *balance, const char *tag)
{
	struct raw raw;

	if (raw_open(&raw))
		tap_bail("no family");
	recorder_must_arm(&raw, &(struct recorder_arm){ .depth = 8 });
	if (recorder_tell(tag))
		tap_bail("%s: the thread cannot alert", tag);
	do {
		if (!alert_of(&balance->listener, gettid()))
			tap_bail("%s: its alert never arrived", tag);
	} while (strcmp(balance->listener.alert.tag, tag));
	/* An alert is delivered a moment before it is counted. */
	while (modinfo(TASKRT_INFO_A_ALERTS) < balance->listener.alert.seq + 1 && patience_lasts())
		clock_sleep(MS);
	raw_close(&raw);
}

static void listen(void *arg)
{
	struct balance *balance = arg;

	while (!balance->stop)
		alert_next(&balance->listener, 20);
}

void balance_begin(struct balance *balance)
{
	alert_open(&balance->listener);
	mark(balance, "before");
	balance->raised = modinfo(TASKRT_INFO_A_ALERTS);
	balance->lost = modinfo(TASKRT_INFO_A_ALERTS_LOST);
	balance->received = balance->listener.received;
	balance->missed = balance->listener.missed;
	balance->stop = 0;
	thread_start(&balance->thread, listen, balance);
}

void balance_end(struct balance *balance, uint64_t wanted, const char *name)
{
	struct alert_listener *listener = &balance->listener;
	uint64_t raised, lost;

	balance->stop = 1;
	thread_join(&balance->thread);
	mark(balance, "after");
	/* Alerts that were raised on another CPU may be delivered later than the mark. */
	do {
		alert_drain(listener);
		raised = modinfo(TASKRT_INFO_A_ALERTS) - balance->raised;
		lost = modinfo(TASKRT_INFO_A_ALERTS_LOST) - balance->lost;
	} while ((listener->received - balance->received + lost != raised ||
		  (wanted && raised < wanted + 1)) && patience_lasts());
	tap_diag("%s: %llu raised, of these %llu lost", name, (unsigned long long)raised,
		 (unsigned long long)lost);
	if (wanted)
		tap_equal(raised, wanted + 1, "%s: INFO counts them all", name);
	tap_equal(listener->received - balance->received + lost, raised,
		  "%s: received plus lost is all of them", name);
	tap_equal(listener->missed - balance->missed, lost, "%s: the gaps in SEQ are what was lost",
		  name);
	tap_equal(listener->alert.lost, lost + balance->lost, "%s: LOST says the same", name);
	tap_equal(listener->overrun, 0, "%s: the listener has room for them", name);
	alert_close(listener);
}
