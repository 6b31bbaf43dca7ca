// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the module measures on this kernel: the command INFO. */
#include <errno.h>
#include <string.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>
#include <netlink/genl/genl.h>

#include "internal.h"
#include "connection.h"

enum kind { STRING, U32, U64 };

/* Where an attribute goes; one without a kind is not a plain value. */
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
	[TASKRT_INFO_A_EXITS_TOLD]	= FIELD(U64, taskrt_info, exits_told),
	[TASKRT_INFO_A_EXITS_LOST]	= FIELD(U64, taskrt_info, exits_lost),
	[TASKRT_INFO_A_BACKLOG]		= FIELD(U64, taskrt_info, backlog_bytes),
	[TASKRT_INFO_A_BACKLOG_MAX]	= FIELD(U64, taskrt_info, backlog_max_bytes),
	[TASKRT_INFO_A_MAPPED]		= FIELD(U32, taskrt_info, mapped),
	[TASKRT_INFO_A_ARMED]		= FIELD(U32, taskrt_info, armed),
	[TASKRT_INFO_A_ALERTS]		= FIELD(U64, taskrt_info, alerts),
	[TASKRT_INFO_A_ALERTS_LOST]	= FIELD(U64, taskrt_info, alerts_lost),
	[TASKRT_INFO_A_INITIAL]		= FIELD(U32, taskrt_info, initial),
};

static const struct field hook_fields[TASKRT_HOOK_A_MAX + 1] = {
	[TASKRT_HOOK_A_NAME]		= FIELD(STRING, taskrt_hook, name),
	[TASKRT_HOOK_A_KIND]		= FIELD(STRING, taskrt_hook, kind),
	[TASKRT_HOOK_A_STATUS]		= FIELD(U32, taskrt_hook, status),
	[TASKRT_HOOK_A_HITS]		= FIELD(U64, taskrt_hook, hits),
	[TASKRT_HOOK_A_MISSES]		= FIELD(U64, taskrt_hook, misses),
};

/* An attribute that this library does not know is skipped. */
static int read_field(const struct field *fields, int max, struct nlattr *attr,
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
	if (field->kind == STRING) {
		length = strnlen(nla_data(attr), length);
		if (length >= field->size)
			length = field->size - 1;
		memset(at, 0, field->size);
	} else if (length != field->size) {
		return -EBADMSG;
	}
	memcpy(at, nla_data(attr), length);
	return 0;
}

static int read_hook(struct nlattr *nest, struct taskrt_info *info)
{
	struct nlattr *attr;
	int left, err = 0;

	if (info->nr_hooks == TASKRT_HOOKS_MAX)
		return 0;
	nla_for_each_nested(attr, nest, left) {
		err = read_field(hook_fields, TASKRT_HOOK_A_MAX, attr,
				 &info->hooks[info->nr_hooks]);
		if (err)
			return err;
	}
	info->nr_hooks++;
	return 0;
}

static int info_reply(const struct nlmsghdr *header, void *arg)
{
	struct taskrt_info *info = arg;
	struct nlattr *attrs[TASKRT_A_MAX + 1], *attr;
	int left, err = 0;

	if (genlmsg_parse((struct nlmsghdr *)header, 0, attrs, TASKRT_A_MAX, NULL) < 0 ||
	    !attrs[TASKRT_A_INFO])
		return -EBADMSG;
	nla_for_each_nested(attr, attrs[TASKRT_A_INFO], left) {
		if (nla_type(attr) == TASKRT_INFO_A_HOOK)
			err = read_hook(attr, info);
		else
			err = read_field(info_fields, TASKRT_INFO_A_MAX, attr, info);
		if (err)
			return err;
	}
	return 0;
}

static int ask(struct taskrt *handle, struct taskrt_info *info)
{
	struct nl_msg *message;
	int err = taskrt_prepare(handle);

	if (err)
		return err == -ENOENT ? -ENODEV : err;
	message = taskrt_message(handle, TASKRT_CMD_INFO, 0);
	if (!message)
		return -ENOMEM;
	return taskrt_request(handle, message, info_reply, info);
}

/* A shorter structure has room for fewer hooks, and does not count the others. */
static void hand_over(struct taskrt_info *from, struct taskrt_info *to, size_t size)
{
	size_t room = (size - offsetof(struct taskrt_info, hooks)) /
		      sizeof(from->hooks[0]);

	if (from->nr_hooks > room)
		from->nr_hooks = room;
	memset(to, 0, size);
	memcpy(to, from, size < sizeof(*from) ? size : sizeof(*from));
}

int taskrt_get_info(struct taskrt *handle, struct taskrt_info *info, size_t size)
{
	struct taskrt_info full = { 0 };
	int err = -EINVAL;

	if (!handle)
		return err;
	if (info && size >= offsetof(struct taskrt_info, hooks)) {
		err = ask(handle, &full);
		if (!err)
			hand_over(&full, info, size);
	} else {
		handle->error[0] = '\0';
	}
	return taskrt_finish(handle, err);
}
