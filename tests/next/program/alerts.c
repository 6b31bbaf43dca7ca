// SPDX-License-Identifier: GPL-2.0-only
/* An alert, with one event of the new state: of 160 bytes or of 176. */
#include <errno.h>

#include "check.h"
#include "parts.h"
#include "scenario.h"
#include "told.h"
#include "world.h"

static void event_check(const struct taskrt_alert_event *e)
{
	EQUAL(e->event.type, TASKRT_EVENT_STATE);
	EQUAL(e->event.which, next_module ? NEW_STATE : OLD_STATE);
	EQUAL(e->event.at_ns, TURN + RAN_NS);
	EQUAL(e->event.ns, NEW_STATE_NS);
	EQUAL(e->event.cpu, CPU);
	EQUAL(e->event.kind, OLD_LOCK);
	EQUAL(e->event.address, 0x1234);
	EQUAL(e->event.waker_tid, TGID);
	CHECK(!strcmp(e->event.waker_comm, COMM));
#ifdef TASKRT_GROUP_SLICES
	EQUAL(e->event.waiters, next_library && next_module ? NEW_WAITERS : 0);
#endif
}

void alerts_check(void)
{
	struct taskrt_alert_event *event = guarded(sizeof(*event));
	struct taskrt_alert *alert = guarded(sizeof(*alert));
	static char bytes[16384];
	struct taskrt_alerts *alerts;

	checking = "alerts";
	EQUAL(taskrt_alerts_open(&alerts), 0);
	world_tell(bytes, world->alert(bytes, sizeof(bytes)));
	EQUAL(taskrt_alerts_next(alerts, 0, alert, sizeof(*alert)), 1);
	EQUAL(alert->seq, 0);
	EQUAL(alert->gap, 0);
	EQUAL(alert->tid, TID);
	EQUAL(alert->reason, next_module ? NEW_REASON : TASKRT_REASON_OVER);
	CHECK(!strcmp(alert->comm, COMM));
	EQUAL(alert->nr_events, 1);
	EQUAL(taskrt_alerts_event(alerts, 0, event, sizeof(*event)), 0);
	event_check(event);
	guarded_check(event, sizeof(*event));
	guarded_check(alert, sizeof(*alert));
	EQUAL(taskrt_alerts_next(alerts, 0, &(struct taskrt_alert){ 0 }, sizeof(*alert)), 0);
	taskrt_alerts_close(alerts);
}
