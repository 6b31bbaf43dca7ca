// SPDX-License-Identifier: GPL-2.0-only
/* libFuzzer: the payloads of ALERT messages, one or several of an alert. */
#include <errno.h>

#include "fake_kernel.h"
#include "input.h"
#include "taskrt.h"

#define LONGEST	16000	/* as the fake kernel has room for */

static void tell_info(struct nlmsghdr *request)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_INFO, 0);
	struct nlattr *nest = nla_nest_start(message, TASKRT_A_INFO);

	nla_put_u32(message, TASKRT_INFO_A_INITIAL, TASKRT_INITIAL_NET | TASKRT_INITIAL_PID);
	nla_nest_end(message, nest);
	fake_send(message);
	fake_verdict(request, 0, NULL, true);
}

/* Every string ends within its memory, which strlen() has AddressSanitizer check. */
static size_t check_event(const struct taskrt_alert_event *event)
{
	size_t length = strlen(event->event.owner_comm) + strlen(event->event.waker_comm) +
			strlen(event->event.other_comm);
	uint32_t i;

	if (event->caller)
		length += strlen(event->caller);
	for (i = 0; i < event->nr_frames; i++)
		length += strlen(event->frames[i]);
	return length;
}

static void check_alert(const struct taskrt_alerts *alerts, const struct taskrt_alert *alert)
{
	struct taskrt_alert_event event;
	uint32_t i;

	if (strlen(alert->comm) >= sizeof(alert->comm) || strlen(alert->tag) >= sizeof(alert->tag))
		abort();
	for (i = 0; i < alert->nr_events; i++)
		if (taskrt_alerts_event(alerts, i, &event, sizeof(event)) ||
		    check_event(&event) > LONGEST * 64)
			abort();
	if (taskrt_alerts_event(alerts, i, &event, sizeof(event)) != -ENOENT)
		abort();
}

static void read_all(struct taskrt_alerts *alerts)
{
	struct taskrt_alert alert;
	int found;

	while ((found = taskrt_alerts_next(alerts, 0, &alert, sizeof(alert))) == 1)
		check_alert(alerts, &alert);
	if (found && found != -EBADMSG)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct input input = { data, length };
	struct taskrt_alerts *alerts;

	if (length > LONGEST)
		return 0;
	fake_reset(tell_info);
	if (taskrt_alerts_open(&alerts))
		abort();
	while (input.left) {
		fake_notify(input_payload(fake_message(TASKRT_CMD_ALERT, 0), input_chunk(&input)));
		read_all(alerts);
	}
	taskrt_alerts_close(alerts);
	fake_reset(NULL);
	return 0;
}
