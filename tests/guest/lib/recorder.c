// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <linux/taskrt_page.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "clock.h"
#include "recorder.h"
#include "tap.h"

static void put_u64(struct raw_message *message, uint16_t type, uint64_t value)
{
	if (value)
		raw_put(message, type, &value, sizeof(value));
}

static void put_u32(struct raw_message *message, uint16_t type, uint32_t value)
{
	if (value)
		raw_put_u32(message, type, value);
}

int recorder_arm(struct raw *raw, const struct recorder_arm *arm, struct raw_answer *answer)
{
	struct raw_message message;
	struct raw_answer ignored;

	answer = answer ?: &ignored;
	raw_begin(raw, &message, TASKRT_CMD_ARM, NLM_F_ACK);
	raw_put_u32(&message, TASKRT_A_TID, arm->tid);
	put_u32(&message, TASKRT_A_DEPTH, arm->depth);
	put_u32(&message, TASKRT_A_STATES, arm->states);
	put_u64(&message, TASKRT_A_THRESHOLD, arm->threshold_ns);
	put_u64(&message, TASKRT_A_ALERT_OVER, arm->over_ns);
	raw_ask(raw, &message, answer, NULL, NULL);
	return answer->answered ? answer->error : answer->error ?: -EPROTO;
}

void recorder_must_arm(struct raw *raw, const struct recorder_arm *arm)
{
	int err;

	/* Recorders that were disarmed before may not have been freed yet. */
	clock_await((err = recorder_arm(raw, arm, NULL)) != -ENOSPC && err != -EAGAIN,
		    "no room for a recorder");
	if (err)
		tap_bail("arming: %s", strerror(-err));
}

int recorder_disarm(struct raw *raw, uint32_t tid)
{
	struct raw_message message;
	struct raw_answer answer;

	raw_begin(raw, &message, TASKRT_CMD_DISARM, NLM_F_ACK);
	raw_put_u32(&message, TASKRT_A_TID, tid);
	raw_ask(raw, &message, &answer, NULL, NULL);
	return answer.answered ? answer.error : answer.error ?: -EPROTO;
}

int recorder_tell(const char *tag)
{
	struct taskrt_alert_request request = { .tag = "" };
	int fd = open(TASKRT_DEVICE, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	snprintf(request.tag, sizeof(request.tag), "%s", tag);
	err = ioctl(fd, TASKRT_IOC_ALERT, &request) ? -errno : 0;
	close(fd);
	return err;
}

int recorder_insist(const char *tag, uint64_t *refused)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE;
	int err;

	while ((err = recorder_tell(tag)) == -EAGAIN && clock_now() < end) {
		if (refused)
			++*refused;
		clock_sleep(50 * MS);
	}
	return err;
}

void recorder_must_tell(const char *tag)
{
	int err = recorder_insist(tag, NULL);

	if (err)
		tap_bail("alerting: %s", strerror(-err));
}
