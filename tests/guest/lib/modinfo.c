// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "clock.h"
#include "modinfo.h"
#include "raw.h"
#include "tap.h"

struct number {
	uint16_t type;
	int found;
	uint64_t value;
};

static void if_wanted(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	struct number *number = arg;
	uint32_t small;

	if ((attr->nla_type & NLA_TYPE_MASK) != number->type)
		return;
	number->found = 1;
	if (length == sizeof(number->value)) {
		memcpy(&number->value, payload, length);
	} else {
		memcpy(&small, payload, sizeof(small));
		number->value = small;
	}
}

uint64_t modinfo(uint16_t type)
{
	struct number number = { .type = type };
	struct raw_message message;
	struct raw_answer answer;
	const void *nest;
	struct raw raw;
	size_t length;

	if (raw_open(&raw))
		tap_bail("no family");
	raw_begin(&raw, &message, TASKRT_CMD_INFO, NLM_F_ACK);
	raw_ask(&raw, &message, &answer, NULL, NULL);
	raw_close(&raw);
	nest = raw_find(&answer, TASKRT_A_INFO, &length);
	if (!nest)
		tap_bail("INFO: %s", strerror(-answer.error));
	raw_walk(nest, length, if_wanted, &number);
	if (!number.found)
		tap_bail("INFO has no attribute %u", type);
	return number.value;
}

uint64_t modinfo_await(uint16_t type, uint64_t wanted)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE, value;

	while ((value = modinfo(type)) != wanted && clock_now() < end)
		clock_sleep(5 * MS);
	return value;
}

uint64_t modinfo_await_at_most(uint16_t type, uint64_t most)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE, value;

	while ((value = modinfo(type)) > most && clock_now() < end)
		clock_sleep(5 * MS);
	return value;
}
