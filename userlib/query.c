// SPDX-License-Identifier: LGPL-2.1-or-later
/* The totals of one thread, of one process, of many threads: the command GET. */
#include <errno.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>
#include <netlink/genl/genl.h>

#include "internal.h"
#include "connection.h"
#include "decode.h"

struct answer {
	struct taskrt_stats *stats;
	size_t size;
	int found;
};

struct iteration {
	taskrt_each_fn fn;
	void *arg;
};

/* The STATS in a reply: AGGR_TID or AGGR_TGID, whichever it is. */
static int decode_reply(const struct nlmsghdr *header, struct taskrt_stats *stats,
			size_t size)
{
	struct nlattr *attrs[TASKRT_A_MAX + 1], *aggr, *payload;

	if (genlmsg_parse((struct nlmsghdr *)header, 0, attrs, TASKRT_A_MAX, NULL) < 0)
		return -EBADMSG;
	aggr = attrs[TASKRT_A_AGGR_TID] ? : attrs[TASKRT_A_AGGR_TGID];
	if (!aggr)
		return -EBADMSG;
	payload = nla_find(nla_data(aggr), nla_len(aggr), TASKRT_AGGR_A_STATS);
	if (!payload)
		return -EBADMSG;
	return taskrt_decode(nla_data(payload), nla_len(payload), stats, size);
}

static int answer_reply(const struct nlmsghdr *header, void *arg)
{
	struct answer *answer = arg;

	answer->found = 1;
	return decode_reply(header, answer->stats, answer->size);
}

static int each_reply(const struct nlmsghdr *header, void *arg)
{
	struct iteration *iteration = arg;
	struct taskrt_stats stats;
	int err = decode_reply(header, &stats, sizeof(stats));

	return err ? err : iteration->fn(&stats, iteration->arg);
}

/* attr 0: no task is named, as in a dump of all */
static int get(struct taskrt *handle, int flags, int attr, uint32_t id,
	       uint32_t version, taskrt_reply_fn fn, void *arg)
{
	struct nl_msg *message;
	int err = taskrt_prepare(handle);

	if (err)
		return err == -ENOENT ? -ENODEV : err;
	message = taskrt_message(handle, TASKRT_CMD_GET, flags);
	if (!message)
		return -ENOMEM;
	if ((attr && nla_put_u32(message, attr, id)) ||
	    nla_put_u32(message, TASKRT_A_VERSION, version)) {
		nlmsg_free(message);
		return -ENOMEM;
	}
	return taskrt_request(handle, message, fn, arg);
}

static int get_one(struct taskrt *handle, int attr, pid_t id,
		   struct taskrt_stats *stats, size_t size)
{
	struct answer answer = { .stats = stats, .size = size };
	uint32_t version = taskrt_version_fitting(size);
	int err = -EINVAL;

	if (!handle)
		return err;
	if (id >= 0 && stats && version) {
		err = get(handle, 0, attr, id, version, answer_reply, &answer);
		if (!err && !answer.found)
			err = -EBADMSG;
	} else {
		handle->error[0] = '\0';
	}
	return taskrt_finish(handle, err);
}

int taskrt_get_thread(struct taskrt *handle, pid_t tid,
		      struct taskrt_stats *stats, size_t size)
{
	return get_one(handle, TASKRT_A_TID, tid, stats, size);
}

int taskrt_get_process(struct taskrt *handle, pid_t tgid,
		       struct taskrt_stats *stats, size_t size)
{
	return get_one(handle, TASKRT_A_TGID, tgid, stats, size);
}

int taskrt_get_self(struct taskrt *handle,
		    struct taskrt_stats *stats, size_t size)
{
	return get_one(handle, TASKRT_A_TID, 0, stats, size);
}

int taskrt_each_thread(struct taskrt *handle, pid_t tgid,
		       taskrt_each_fn fn, void *arg)
{
	struct iteration iteration = { .fn = fn, .arg = arg };
	int attr = tgid == TASKRT_ALL ? 0 : TASKRT_A_TGID;
	int err = -EINVAL;

	if (!handle)
		return err;
	if (fn && (tgid >= 0 || tgid == TASKRT_ALL))
		err = get(handle, NLM_F_DUMP, attr, tgid, TASKRT_STATS_VERSION,
			  each_reply, &iteration);
	else
		handle->error[0] = '\0';
	return taskrt_finish(handle, err);
}
