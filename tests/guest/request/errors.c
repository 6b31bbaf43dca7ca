// SPDX-License-Identifier: GPL-2.0-only
/* Every malformed message is answered with an error that says why, and changes nothing. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "module.h"
#include "raw.h"
#include "tap.h"
#include "totals.h"
#include "window.h"

#define NOBODY	0x7fffffff	/* no pid is ever this large */

static struct raw raw;

static struct raw_message *get(uint16_t flags)
{
	static struct raw_message message;

	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_ACK | flags);
	return &message;
}

/* A dump that the module itself refuses has a text only if the kernel has room for it. */
static int dumps_have_texts(void)
{
	unsigned int major, minor;
	struct utsname name;

	uname(&name);
	if (sscanf(name.release, "%u.%u", &major, &minor) != 2)
		tap_bail("a kernel without a version: %s", name.release);
	return major > 6 || (major == 6 && minor >= 12);
}

/* allowed: an error that is as right as the expected one, or 0. */
static void refused_as(struct raw_message *message, int error, int allowed, const char *name)
{
	const int dump = (message->nl.nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
	struct raw_answer answer;

	raw_ask(&raw, message, &answer, NULL, NULL);
	tap_ok(answer.answered, "%s: answered", name);
	tap_ok(!answer.done, "%s: by an error, not at the end of a dump", name);
	if (!allowed || -answer.error != allowed)
		tap_errno(answer.error, -error, "%s: error", name);
	if (!dump || dumps_have_texts())
		tap_ok(answer.text[0], "%s: says why: %s", name, answer.text);
	tap_equal(answer.messages, 0, "%s: and nothing else", name);
}

static void refused(struct raw_message *message, int error, const char *name)
{
	refused_as(message, error, 0, name);
}

/* The kernel's own generic netlink code answers these, without a text. */
static void refused_by_core(struct raw_message *message, int error, const char *name)
{
	struct raw_answer answer;

	raw_ask(&raw, message, &answer, NULL, NULL);
	tap_ok(answer.answered, "%s: answered", name);
	tap_errno(answer.error, -error, "%s: error", name);
	tap_equal(answer.messages, 0, "%s: and nothing else", name);
}

static void commands(void)
{
	static const uint8_t unknown[] = { TASKRT_CMD_UNSPEC, __TASKRT_CMD_MAX, 77, 255 };
	struct raw_message message;
	unsigned int i;

	for (i = 0; i < sizeof(unknown); i++) {
		raw_begin(&raw, &message, unknown[i], NLM_F_ACK);
		raw_put_u32(&message, TASKRT_A_TID, 0);
		refused_by_core(&message, EOPNOTSUPP, "unknown command");
		raw_begin(&raw, &message, unknown[i], NLM_F_DUMP);
		refused_by_core(&message, EOPNOTSUPP, "dump of an unknown command");
	}
	raw_begin(&raw, &message, TASKRT_CMD_INFO, NLM_F_DUMP);
	refused_by_core(&message, EOPNOTSUPP, "dump of INFO");
	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_ACK);
	message.nl.nlmsg_len = NLMSG_HDRLEN;
	refused_by_core(&message, EINVAL, "no generic header");
}

static void which_task(void)
{
	struct raw_message *message = get(0);

	refused(message, EINVAL, "neither TID nor TGID");
	message = get(0);
	raw_put_u32(message, TASKRT_A_TID, 0);
	raw_put_u32(message, TASKRT_A_TGID, 0);
	refused(message, EINVAL, "both TID and TGID");
	message = get(0);
	raw_put_u32(message, TASKRT_A_VERSION, 3);
	refused(message, EINVAL, "VERSION alone");
	message = get(NLM_F_DUMP);
	raw_put_u32(message, TASKRT_A_TID, 0);
	refused(message, EINVAL, "dump of a TID");
	message = get(NLM_F_DUMP);
	raw_put_u32(message, TASKRT_A_TGID, NOBODY);
	refused(message, ESRCH, "dump of nobody's TGID");
}

/* An older kernel sends only a text with an error of a dump. */
static int dumps_point_at(void)
{
	struct utsname name;
	int major, minor;

	if (uname(&name) || sscanf(name.release, "%d.%d", &major, &minor) != 2)
		tap_bail("uname");
	return major > 6 || (major == 6 && minor >= 13);
}

/* The last attribute of the request is the one at which the answer points. */
static void points_at_last(struct raw_message *message, uint16_t length, const char *name)
{
	struct raw_answer answer;

	raw_ask(&raw, message, &answer, NULL, NULL);
	if (dumps_point_at())
		tap_equal(answer.offset, message->nl.nlmsg_len - length, "%s: which attribute",
			  name);
	else
		tap_skip(name, "this kernel does not point at attributes of a dump");
}

static void offsets_of_dumps(void)
{
	struct raw_message *message = get(NLM_F_DUMP);

	raw_put_u32(message, TASKRT_A_VERSION, 3);
	raw_put_u32(message, TASKRT_A_TGID, NOBODY);
	points_at_last(message, NLA_HDRLEN + sizeof(uint32_t), "dump of nobody's TGID");
	message = get(NLM_F_DUMP);
	raw_put_u32(message, TASKRT_A_VERSION, 3);
	raw_put_u32(message, TASKRT_A_ENTITIES, TASKRT_ENTITIES_PROCESSES);
	points_at_last(message, NLA_HDRLEN + sizeof(uint32_t), "dump of processes");
}

static void nobody(uint16_t type, uint32_t id, const char *name)
{
	struct raw_message *message = get(0);

	raw_put_u32(message, type, id);
	refused_as(message, ESRCH, EINVAL, name);
}

static void ids(void)
{
	nobody(TASKRT_A_TID, NOBODY, "TID of nobody");
	nobody(TASKRT_A_TGID, NOBODY, "TGID of nobody");
	nobody(TASKRT_A_TID, UINT32_MAX, "TID of -1");
	nobody(TASKRT_A_TGID, UINT32_MAX, "TGID of -1");
	nobody(TASKRT_A_TID, 1U << 31, "TID beyond all");
	nobody(TASKRT_A_TGID, (1U << 31) + getpid(), "TGID with a bit too many");
}

static void lengths(uint16_t type, const char *name)
{
	static const uint16_t wrong[] = { 0, 1, 2, 3, 5, 8, 600 };
	static const char bytes[600];
	unsigned int i;

	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct raw_message *message = get(0);

		if (type == TASKRT_A_VERSION || type == TASKRT_A_GROUPS)
			raw_put_u32(message, TASKRT_A_TID, 0);
		raw_put(message, type, bytes, wrong[i]);
		refused_as(message, EINVAL, ERANGE, name);
	}
}

/* Attributes that only answers have are refused in a request. */
static void strangers(void)
{
	static const uint16_t types[] = {
		TASKRT_A_UNSPEC, TASKRT_A_AGGR_TID, TASKRT_A_AGGR_TGID, TASKRT_A_INFO,
		TASKRT_A_SEQ, TASKRT_A_REGISTRATION, TASKRT_A_AGGR_CHILDREN, TASKRT_A_ALERT,
		TASKRT_A_CGROUP, TASKRT_A_CPU, TASKRT_A_AGGR_CGROUP, TASKRT_A_AGGR_CPU,
		TASKRT_A_AFTER, TASKRT_A_CGROUP_FD, TASKRT_A_STREAM,
		__TASKRT_A_MAX, 100, 0x3fff, TASKRT_A_TID | NLA_F_NESTED,
	};
	unsigned int i;

	for (i = 0; i < sizeof(types) / sizeof(*types); i++) {
		struct raw_message *message = get(0);

		raw_put_u32(message, TASKRT_A_TID, 0);
		raw_put_u32(message, types[i], 0);
		if ((types[i] & NLA_TYPE_MASK) == TASKRT_A_TID) {
			message = get(0);
			raw_put_u32(message, types[i], 0);
		}
		refused(message, EINVAL, "unknown attribute");
	}
}

/* What a request may ask for, and what it may not. */
static void wants(void)
{
	static const uint32_t refused_groups[] = {
		TASKRT_GROUPS_REFUSED, TASKRT_GROUPS_REFUSED | EVERY_GROUP, UINT32_MAX,
	};
	static const uint32_t others[] = {
		TASKRT_ENTITIES_PROCESSES, 1U << TASKRT_ENTITY_CHILDREN, 1U << TASKRT_ENTITY_CGROUP,
		1U << TASKRT_ENTITY_CPU, 1U << 31,
	};
	static const uint32_t not_one[] = {
		0, TASKRT_ENTITIES_THREADS | TASKRT_ENTITIES_PROCESSES,
		TASKRT_ENTITIES_THREADS | 1U << 20, UINT32_MAX,
	};
	struct raw_message *message;
	unsigned int i;

	for (i = 0; i < sizeof(refused_groups) / sizeof(*refused_groups); i++) {
		message = get(0);
		raw_put_u32(message, TASKRT_A_TID, 0);
		raw_put_u32(message, TASKRT_A_GROUPS, refused_groups[i]);
		refused_as(message, EINVAL, ERANGE, "GROUPS with the bit that is refused");
		message = get(NLM_F_DUMP);
		raw_put_u32(message, TASKRT_A_GROUPS, refused_groups[i]);
		refused_as(message, EINVAL, ERANGE, "dump, GROUPS with the bit that is refused");
	}
	for (i = 0; i < sizeof(others) / sizeof(*others); i++) {
		message = get(NLM_F_DUMP);
		raw_put_u32(message, TASKRT_A_ENTITIES, others[i]);
		refused(message, EOPNOTSUPP, "dump of others than threads");
	}
	for (i = 0; i < sizeof(not_one) / sizeof(*not_one); i++) {
		message = get(NLM_F_DUMP);
		raw_put_u32(message, TASKRT_A_ENTITIES, not_one[i]);
		refused(message, EINVAL, "dump of not exactly one kind");
	}
	message = get(0);
	raw_put_u32(message, TASKRT_A_TID, 0);
	raw_put_u32(message, TASKRT_A_ENTITIES, TASKRT_ENTITIES_THREADS);
	refused(message, EINVAL, "ENTITIES beside a TID");
	message = get(0);
	raw_put_u32(message, TASKRT_A_TID, 0);
	raw_nest_end(message, raw_nest(message, TASKRT_A_FILTER));
	refused(message, EINVAL, "FILTER beside a TID");
}

static struct raw_message *filtered(uint16_t type, const void *payload, uint16_t length)
{
	struct raw_message *message = get(NLM_F_DUMP);
	size_t nest = raw_nest(message, TASKRT_A_FILTER);

	raw_put(message, type, payload, length);
	raw_nest_end(message, nest);
	return message;
}

/* If the module ignored a condition, it would answer with more than was requested. */
static void conditions(void)
{
	static const uint16_t unknown[] = {
		TASKRT_FILTER_A_UNSPEC, __TASKRT_FILTER_A_MAX, 64, 0x3fff,
	};
	static const uint32_t nobody = NOBODY, zero;
	uint64_t cgroup = ~0ULL;
	struct raw_message *message;
	unsigned int i;

	for (i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
		refused(filtered(unknown[i], &zero, sizeof(zero)), EINVAL,
			"a condition that is not known");
	refused_as(filtered(TASKRT_FILTER_A_TGID, &nobody, sizeof(nobody)), ESRCH, EINVAL,
		   "FILTER of nobody's TGID");
	refused_as(filtered(TASKRT_FILTER_A_TGID, &zero, 2), EINVAL, ERANGE,
		   "FILTER with a TGID of a wrong length");
	refused_as(filtered(TASKRT_FILTER_A_OWN, &zero, sizeof(zero)), EINVAL, ERANGE,
		   "FILTER with OWN that is not a flag");
	refused(filtered(TASKRT_FILTER_A_CGROUP, &cgroup, sizeof(cgroup)), ENOENT,
		"FILTER of a CGROUP that does not exist");
	refused_as(filtered(TASKRT_FILTER_A_CGROUP, &cgroup, 4), EINVAL, ERANGE,
		   "FILTER with a CGROUP of a wrong length");
	message = filtered(TASKRT_FILTER_A_TGID, &zero, sizeof(zero));
	raw_put_u32(message, TASKRT_A_TGID, 0);
	refused(message, EINVAL, "FILTER of a TGID, and a TGID beside it");
	message = get(NLM_F_DUMP);
	raw_put_u32(message, TASKRT_A_FILTER, 0);
	refused(message, EINVAL, "FILTER that is not a nest");
}

static void info_attributes(void)
{
	struct raw_message message;

	raw_begin(&raw, &message, TASKRT_CMD_INFO, NLM_F_ACK);
	raw_put_u32(&message, TASKRT_A_TID, 0);
	refused(&message, EINVAL, "INFO with a TID");
	raw_begin(&raw, &message, TASKRT_CMD_INFO, NLM_F_ACK);
	raw_put_u32(&message, 99, 0);
	refused(&message, EINVAL, "INFO with an unknown attribute");
}

static void versions(void)
{
	struct raw_message *message = get(0);

	raw_put_u32(message, TASKRT_A_TID, 0);
	raw_put_u32(message, TASKRT_A_VERSION, 0);
	refused_as(message, EINVAL, ERANGE, "VERSION 0");
	message = get(NLM_F_DUMP);
	raw_put_u32(message, TASKRT_A_VERSION, 0);
	refused_as(message, EINVAL, ERANGE, "dump in VERSION 0");
}

/* The lengths in the attribute and in the message disagree. */
static void truncated(void)
{
	struct raw_message *message = get(0);
	struct nlattr *attr = (void *)message->attrs;

	raw_put_u32(message, TASKRT_A_TID, 0);
	attr->nla_len = 64;
	refused(message, EINVAL, "attribute longer than its message");
	message = get(0);
	raw_put_u32(message, TASKRT_A_TID, 0);
	attr->nla_len = 2;
	refused(message, EINVAL, "attribute shorter than its header");
	message = get(0);
	raw_put_u32(message, TASKRT_A_TID, 0);
	message->nl.nlmsg_len += 3;
	refused(message, EINVAL, "bytes left over");
}

/* Checks that nothing has changed: the parameters stay, and totals only grow. */
static void check_unchanged(const struct taskrt_info *before, const struct taskrt_reading *mine)
{
	struct taskrt *handle = window_open();
	struct taskrt_info after;
	struct taskrt_reading now;

	window_info(handle, &after);
	window_process(handle, 0, &now);
	taskrt_close(handle);
	tap_ok(after.enabled == before->enabled && after.coarse_ns == before->coarse_ns &&
	       after.threads_max == before->threads_max &&
	       after.enabled_since_ns == before->enabled_since_ns &&
	       after.valid == before->valid && after.groups == before->groups &&
	       !memcmp(&after.measured, &before->measured, sizeof(after.measured)),
	       "nothing was switched");
	tap_ok(totals_exceed(mine, &now, "own process") < 0, "no total was touched");
}

int main(void)
{
	struct taskrt *handle = window_open();
	struct taskrt_info info;
	struct taskrt_reading mine;

	window_info(handle, &info);
	window_process(handle, 0, &mine);
	taskrt_close(handle);
	if (raw_open(&raw))
		tap_bail("no family");
	commands();
	which_task();
	offsets_of_dumps();
	ids();
	lengths(TASKRT_A_TID, "TID of a wrong length");
	lengths(TASKRT_A_TGID, "TGID of a wrong length");
	lengths(TASKRT_A_VERSION, "VERSION of a wrong length");
	lengths(TASKRT_A_GROUPS, "GROUPS of a wrong length");
	strangers();
	wants();
	conditions();
	info_attributes();
	versions();
	truncated();
	raw_close(&raw);
	check_unchanged(&info, &mine);
	return tap_done();
}
