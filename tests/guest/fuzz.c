// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random messages, well-formed and not: each is answered, and no answer exceeds the
 * sender's rights.
 * TASKRT_TEST_MESSAGES: how many (100000); TASKRT_TEST_SEED: repeats the same ones.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "raw.h"
#include "tap.h"
#include "window.h"

static struct raw raw;
static uint64_t seed;

static uint32_t any(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 16) % below;
}

static uint32_t interesting(void)
{
	static const uint32_t values[] = {
		0, 1, 2, 3, 99, 0x7fffffff, 0x80000000, 0xffffffff, 4194304, 32768,
	};

	return any(3) ? values[any(sizeof(values) / sizeof(*values))] : any(UINT32_MAX);
}

static void add_attribute(struct raw_message *message, unsigned int kinds)
{
	uint32_t bytes[16];
	unsigned int i;

	for (i = 0; i < 16; i++)
		bytes[i] = interesting();
	raw_put(message, any(20) ? any(kinds) : any(65536), bytes,
		any(4) ? 4 : any(sizeof(bytes) + 1));
}

/* Conditions, each of which may be anything. */
static void add_filter(struct raw_message *message)
{
	size_t nest = raw_nest(message, TASKRT_A_FILTER);
	unsigned int i;

	for (i = any(4); i; i--)
		add_attribute(message, __TASKRT_FILTER_A_MAX + 1);
	raw_nest_end(message, nest);
}

/* The header stays valid, so that there is an answer; everything behind it may be damaged. */
static void rot(struct raw_message *message)
{
	char *bytes = (char *)message;
	unsigned int i;

	for (i = any(4); i; i--)
		bytes[NLMSG_HDRLEN + any(message->nl.nlmsg_len - NLMSG_HDRLEN)] = any(256);
	if (!any(3))
		message->nl.nlmsg_len -= any(message->nl.nlmsg_len - NLMSG_HDRLEN);
}

static void make(struct raw_message *message)
{
	uint16_t flags = any(8) ? NLM_F_ACK : NLM_F_DUMP;
	unsigned int i;

	raw_begin(&raw, message, any(10) ? any(__TASKRT_CMD_MAX + 1) : any(256), flags);
	for (i = any(4); i; i--)
		add_attribute(message, __TASKRT_A_MAX + 1);
	if (!any(8))
		add_filter(message);
	if (!any(2))
		rot(message);
}

int main(void)
{
	unsigned long count = tap_setting("TASKRT_TEST_MESSAGES", 100000), i;
	unsigned long silent = 0, good = 0, speechless = 0;
	struct raw_message message;
	struct raw_answer answer;
	struct window window;
	struct taskrt *handle;

	seed = tap_setting("TASKRT_TEST_SEED", clock_now() | 1);
	tap_diag("seed %llu", (unsigned long long)seed);
	if (raw_open(&raw))
		tap_bail("no family");
	for (i = 0; i < count; i++) {
		make(&message);
		raw_ask(&raw, &message, &answer, NULL, NULL);
		silent += !answer.answered;
		good += answer.answered && !answer.error;
		speechless += answer.error == -EINVAL && !answer.text[0] &&
			      message.nl.nlmsg_len >= NLMSG_HDRLEN + GENL_HDRLEN;
	}
	raw_close(&raw);
	tap_equal(silent, 0, "every message is answered");
	tap_at_least(good, count / 1000, "some are good");
	tap_at_most(good, count / 2, "most are not");
	tap_equal(speechless, 0, "every EINVAL says why");
	handle = window_open();
	window_thread(handle, 0, &window.after);
	tap_ok(window_adds_up(&window.after), "and the module still counts");
	taskrt_close(handle);
	return tap_done();
}
