// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the module measures on this kernel: the command INFO. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>
#include <netlink/genl/genl.h>

#include "internal.h"
#include "netlink/connection.h"
#include "netlink/message.h"
#include "sized.h"

/* The lists that the accessors return items of.  They are allocated in one piece. */
struct taskrt_info_items {
	uint32_t nr_hooks;
	uint32_t nr_names;
	struct taskrt_hook *hooks;
	struct taskrt_name *names;
};

struct answer {
	struct taskrt_info info;
	struct taskrt_info_items *items;
};

enum kind { STRING, U32, U64, WORDS };

/* Where the value of an attribute is stored.  An attribute whose size is 0 is not a plain value. */
struct field {
	enum kind kind;
	size_t offset;
	size_t size;
};

#define FIELD(kind_, type, member)	{					\
	.kind = kind_, .offset = offsetof(struct type, member),			\
	.size = sizeof(((struct type *)0)->member),				\
}

static const struct field info_fields[TASKRT_INFO_A_MAX + 1] = {
	[TASKRT_INFO_A_MODULE_VERSION]	= FIELD(STRING, taskrt_info, module_version),
	[TASKRT_INFO_A_STATS_VERSION]	= FIELD(U32, taskrt_info, stats_version),
	[TASKRT_INFO_A_ENABLED]		= FIELD(U32, taskrt_info, enabled),
	[TASKRT_INFO_A_VALID]		= FIELD(U64, taskrt_info, valid),
	[TASKRT_INFO_A_COARSE_NS]	= FIELD(U64, taskrt_info, coarse_ns),
	[TASKRT_INFO_A_ENABLED_SINCE]	= FIELD(U64, taskrt_info, enabled_since_ns),
	[TASKRT_INFO_A_THREADS_MAX]	= FIELD(U64, taskrt_info, threads_max),
	[TASKRT_INFO_A_THREADS_MADE]	= FIELD(U64, taskrt_info, threads_made),
	[TASKRT_INFO_A_THREADS_GONE]	= FIELD(U64, taskrt_info, threads_gone),
	[TASKRT_INFO_A_THREADS]		= FIELD(U64, taskrt_info, threads),
	[TASKRT_INFO_A_PROCESSES]	= FIELD(U64, taskrt_info, processes),
	[TASKRT_INFO_A_REFUSED]		= FIELD(U64, taskrt_info, refused),
	[TASKRT_INFO_A_NO_MEMORY]	= FIELD(U64, taskrt_info, no_memory),
	[TASKRT_INFO_A_REPAIRED]	= FIELD(U64, taskrt_info, repaired),
	[TASKRT_INFO_A_MEMORY]		= FIELD(U64, taskrt_info, memory_bytes),
	[TASKRT_INFO_A_RECORD_SIZE]	= FIELD(U32, taskrt_info, record_size),
	[TASKRT_INFO_A_PROCESS_SIZE]	= FIELD(U32, taskrt_info, process_size),
	[TASKRT_INFO_A_LISTENERS]	= FIELD(U32, taskrt_info, listeners),
	[TASKRT_INFO_A_EXITS_DELIVERED]	= FIELD(U64, taskrt_info, exits_delivered),
	[TASKRT_INFO_A_EXITS_LOST]	= FIELD(U64, taskrt_info, exits_lost),
	[TASKRT_INFO_A_BACKLOG]		= FIELD(U64, taskrt_info, backlog_bytes),
	[TASKRT_INFO_A_BACKLOG_MAX]	= FIELD(U64, taskrt_info, backlog_max_bytes),
	[TASKRT_INFO_A_MAPPED]		= FIELD(U32, taskrt_info, mapped),
	[TASKRT_INFO_A_ARMED]		= FIELD(U32, taskrt_info, armed),
	[TASKRT_INFO_A_ALERTS]		= FIELD(U64, taskrt_info, alerts),
	[TASKRT_INFO_A_ALERTS_LOST]	= FIELD(U64, taskrt_info, alerts_lost),
	[TASKRT_INFO_A_INITIAL]		= FIELD(U32, taskrt_info, initial),
	[TASKRT_INFO_A_MEASURED]	= FIELD(WORDS, taskrt_info, measured),
	[TASKRT_INFO_A_GROUPS]		= FIELD(U32, taskrt_info, groups),
	[TASKRT_INFO_A_FILTERS]		= FIELD(U32, taskrt_info, filters),
	[TASKRT_INFO_A_MONOTONIC_OFFSET] = FIELD(U64, taskrt_info, monotonic_offset_ns),
};

static const struct field hook_fields[TASKRT_HOOK_A_MAX + 1] = {
	[TASKRT_HOOK_A_NAME]		= FIELD(STRING, taskrt_hook, name),
	[TASKRT_HOOK_A_KIND]		= FIELD(STRING, taskrt_hook, kind),
	[TASKRT_HOOK_A_STATUS]		= FIELD(U32, taskrt_hook, status),
	[TASKRT_HOOK_A_HITS]		= FIELD(U64, taskrt_hook, hits),
	[TASKRT_HOOK_A_MISSES]		= FIELD(U64, taskrt_hook, misses),
};

static const struct field name_fields[TASKRT_NAME_A_MAX + 1] = {
	[TASKRT_NAME_A_NUMBER]		= FIELD(U32, taskrt_name, number),
	[TASKRT_NAME_A_NAME]		= FIELD(STRING, taskrt_name, name),
	[TASKRT_NAME_A_PARENT]		= FIELD(U32, taskrt_name, parent),
};

/* Attributes that this library does not know are skipped. */
static int info_read_field(const struct field *fields, int max, struct nlattr *attr,
			   void *to)
{
	int type = nla_type(attr);
	const struct field *field;
	size_t length = nla_len(attr);
	char *at = to;

	if (type > max || !fields[type].size)
		return 0;
	field = &fields[type];
	at += field->offset;
	switch (field->kind) {
	case STRING:
		length = strnlen(nla_data(attr), length);
		if (length >= field->size)
			length = field->size - 1;
		memset(at, 0, field->size);
		break;
	case WORDS:
		if (length > field->size)
			length = field->size;
		memset(at, 0, field->size);
		break;
	default:
		if (length != field->size)
			return -EBADMSG;
	}
	memcpy(at, nla_data(attr), length);
	return 0;
}

static int read_nest(const struct field *fields, int max, struct nlattr *nest, void *to)
{
	struct nlattr *attr;
	int left, err = 0;

	nla_for_each_nested(attr, nest, left) {
		err = info_read_field(fields, max, attr, to);
		if (err)
			return err;
	}
	return 0;
}

/* Return: the kind of name that an attribute has; -1: it has none. */
static int name_kind(int type)
{
	switch (type) {
	case TASKRT_INFO_A_STATE:
		return TASKRT_NAME_STATE;
	case TASKRT_INFO_A_TIMER:
		return TASKRT_NAME_TIMER;
	case TASKRT_INFO_A_LOCK:
		return TASKRT_NAME_LOCK;
	case TASKRT_INFO_A_VALUE:
		return TASKRT_NAME_VALUE;
	default:
		return -1;
	}
}

/* A number without a parent is its own parent. */
static int read_name(struct nlattr *nest, int kind, struct taskrt_name *name)
{
	int err;

	*name = (struct taskrt_name){ .number = TASKRT_NONE, .parent = TASKRT_NONE };
	err = read_nest(name_fields, TASKRT_NAME_A_MAX, nest, name);
	if (err)
		return err;
	if (name->number == TASKRT_NONE || !name->name[0])
		return -EBADMSG;
	name->kind = kind;
	if (name->parent == TASKRT_NONE)
		name->parent = name->number;
	return 0;
}

static struct taskrt_info_items *new_items(struct nlattr *nest)
{
	size_t hooks = 0, names = 0;
	struct taskrt_info_items *items;
	struct nlattr *attr;
	int left;

	nla_for_each_nested(attr, nest, left) {
		hooks += nla_type(attr) == TASKRT_INFO_A_HOOK;
		names += name_kind(nla_type(attr)) >= 0;
	}
	items = calloc(1, sizeof(*items) + hooks * sizeof(*items->hooks) +
			 names * sizeof(*items->names));
	if (items) {
		items->hooks = (struct taskrt_hook *)(items + 1);
		items->names = (struct taskrt_name *)(items->hooks + hooks);
	}
	return items;
}

static int read_info(struct nlattr *nest, struct answer *answer)
{
	struct taskrt_info_items *items = answer->items;
	struct nlattr *attr;
	int left, kind, err = 0;

	nla_for_each_nested(attr, nest, left) {
		kind = name_kind(nla_type(attr));
		if (kind >= 0)
			err = read_name(attr, kind, &items->names[items->nr_names++]);
		else if (nla_type(attr) == TASKRT_INFO_A_HOOK)
			err = read_nest(hook_fields, TASKRT_HOOK_A_MAX, attr,
					&items->hooks[items->nr_hooks++]);
		else
			err = info_read_field(info_fields, TASKRT_INFO_A_MAX, attr, &answer->info);
		if (err)
			return err;
	}
	answer->info.nr_hooks = items->nr_hooks;
	answer->info.nr_names = items->nr_names;
	return 0;
}

static int info_reply(const struct nlmsghdr *header, void *arg)
{
	struct nlattr *attrs[TASKRT_A_MAX + 1];
	struct answer *answer = arg;

	if (genlmsg_parse((struct nlmsghdr *)header, 0, attrs, TASKRT_A_MAX, NULL) < 0 ||
	    !attrs[TASKRT_A_INFO])
		return -EBADMSG;
	answer->items = new_items(attrs[TASKRT_A_INFO]);
	return answer->items ? read_info(attrs[TASKRT_A_INFO], answer) : -ENOMEM;
}

static int info_request(struct taskrt *handle, struct answer *answer)
{
	struct taskrt_message message;
	int err = taskrt_connection_begin(handle);

	if (err)
		return err;
	taskrt_connection_message(handle, &message, TASKRT_CMD_INFO, 0);
	err = taskrt_connection_request(handle, &message, info_reply, answer);
	return !err && !answer->items ? -EBADMSG : err;
}

int taskrt_get_info(struct taskrt *handle, struct taskrt_info *info, size_t size)
{
	struct answer answer = { .items = NULL };
	int err;

	if (!handle)
		return -EINVAL;
	taskrt_error_clear(&handle->error);
	if (!info || !size)
		return taskrt_connection_finish(handle, -EINVAL);
	err = info_request(handle, &answer);
	if (err) {
		free(answer.items);
		return taskrt_connection_finish(handle, err);
	}
	free(handle->info_items);
	handle->info_items = answer.items;
	taskrt_sized_out(info, size, &answer.info, sizeof(answer.info));
	return 0;
}

int taskrt_info_hook(const struct taskrt *handle, uint32_t index,
		     struct taskrt_hook *hook, size_t size)
{
	if (!handle || !hook || !size)
		return -EINVAL;
	if (!handle->info_items || index >= handle->info_items->nr_hooks)
		return -ENOENT;
	taskrt_sized_out(hook, size, &handle->info_items->hooks[index], sizeof(*hook));
	return 0;
}

int taskrt_info_name(const struct taskrt *handle, uint32_t index,
		     struct taskrt_name *name, size_t size)
{
	if (!handle || !name || !size)
		return -EINVAL;
	if (!handle->info_items || index >= handle->info_items->nr_names)
		return -ENOENT;
	taskrt_sized_out(name, size, &handle->info_items->names[index], sizeof(*name));
	return 0;
}
