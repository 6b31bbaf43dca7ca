// SPDX-License-Identifier: LGPL-2.1-or-later
/* The totals of a thread, of a process, of its children, of many threads: GET. */
#include <errno.h>
#include <stdbool.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>
#include <netlink/genl/genl.h>

#include "internal.h"
#include "aggregate.h"
#include "connection.h"
#include "decode.h"

struct question {
	int attr;		/* names the task; 0: none is named, as in a dump of all */
	uint32_t id;
	bool children;
};

struct answer {
	struct taskrt_stats *stats;
	size_t size;
	bool children;
	bool found;
};

struct iteration {
	taskrt_each_fn fn;
	void *arg;
};

/* The STATS in a reply: the children's, or AGGR_TID or AGGR_TGID, whichever it is. */
static int decode_reply(const struct nlmsghdr *header, bool children,
			struct taskrt_stats *stats, size_t size)
{
	struct nlattr *attrs[TASKRT_A_MAX + 1], *nest;

	if (genlmsg_parse((struct nlmsghdr *)header, 0, attrs, TASKRT_A_MAX, NULL) < 0)
		return -EBADMSG;
	if (children)
		nest = attrs[TASKRT_A_AGGR_CHILDREN];
	else
		nest = attrs[TASKRT_A_AGGR_TID] ? : attrs[TASKRT_A_AGGR_TGID];
	return nest ? taskrt_read_aggregate(nest, NULL, stats, size) : -EBADMSG;
}

static int answer_reply(const struct nlmsghdr *header, void *arg)
{
	struct answer *answer = arg;

	answer->found = true;
	return decode_reply(header, answer->children, answer->stats, answer->size);
}

static int each_reply(const struct nlmsghdr *header, void *arg)
{
	struct iteration *iteration = arg;
	struct taskrt_stats stats;
	int err = decode_reply(header, false, &stats, sizeof(stats));

	return err ? err : iteration->fn(&stats, iteration->arg);
}

static int get(struct taskrt *handle, int flags, const struct question *question,
	       uint32_t version, taskrt_reply_fn fn, void *arg)
{
	struct nl_msg *message;
	int err = taskrt_prepare(handle);

	if (err)
		return err == -ENOENT ? -ENODEV : err;
	message = taskrt_message(handle, TASKRT_CMD_GET, flags);
	if (!message)
		return -ENOMEM;
	if ((question->attr && nla_put_u32(message, question->attr, question->id)) ||
	    (question->children && nla_put_flag(message, TASKRT_A_CHILDREN)) ||
	    nla_put_u32(message, TASKRT_A_VERSION, version)) {
		nlmsg_free(message);
		return -ENOMEM;
	}
	return taskrt_request(handle, message, fn, arg);
}

static int get_one(struct taskrt *handle, int attr, pid_t id, bool children,
		   struct taskrt_stats *stats, size_t size)
{
	struct question question = { .attr = attr, .id = id, .children = children };
	struct answer answer = { .stats = stats, .size = size, .children = children };
	uint32_t version = taskrt_version_fitting(size);
	int err = -EINVAL;

	if (!handle)
		return err;
	if (id >= 0 && stats && version) {
		err = get(handle, 0, &question, version, answer_reply, &answer);
		if (!err && !answer.found)
			err = -EBADMSG;
		/* All that can be wrong with it: a module of 0.1 does not know the attribute. */
		if (err == -EINVAL && children)
			err = -EOPNOTSUPP;
	} else {
		handle->error[0] = '\0';
	}
	return taskrt_finish(handle, err);
}

int taskrt_get_thread(struct taskrt *handle, pid_t tid,
		      struct taskrt_stats *stats, size_t size)
{
	return get_one(handle, TASKRT_A_TID, tid, false, stats, size);
}

int taskrt_get_process(struct taskrt *handle, pid_t tgid,
		       struct taskrt_stats *stats, size_t size)
{
	return get_one(handle, TASKRT_A_TGID, tgid, false, stats, size);
}

int taskrt_get_self(struct taskrt *handle,
		    struct taskrt_stats *stats, size_t size)
{
	return get_one(handle, TASKRT_A_TID, 0, false, stats, size);
}

int taskrt_get_children(struct taskrt *handle, pid_t tgid,
			struct taskrt_stats *stats, size_t size)
{
	return get_one(handle, TASKRT_A_TGID, tgid, true, stats, size);
}

int taskrt_each_thread(struct taskrt *handle, pid_t tgid,
		       taskrt_each_fn fn, void *arg)
{
	struct iteration iteration = { .fn = fn, .arg = arg };
	struct question question = {
		.attr = tgid == TASKRT_ALL ? 0 : TASKRT_A_TGID, .id = tgid,
	};
	int err = -EINVAL;

	if (!handle)
		return err;
	if (fn && (tgid >= 0 || tgid == TASKRT_ALL))
		err = get(handle, NLM_F_DUMP, &question, TASKRT_STATS_VERSION,
			  each_reply, &iteration);
	else
		handle->error[0] = '\0';
	return taskrt_finish(handle, err);
}
