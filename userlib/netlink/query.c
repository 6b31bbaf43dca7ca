// SPDX-License-Identifier: LGPL-2.1-or-later
/* The totals of a thread, of a process, of its children, of many threads: GET. */
#include <errno.h>
#include <stdlib.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>
#include <netlink/genl/genl.h>

#include "internal.h"
#include "netlink/aggregate.h"
#include "netlink/connection.h"
#include "netlink/filter.h"
#include "sized.h"

/* Of the attributes that name a task. */
#define ID_ROOM		16

struct question {
	int flags;
	int attr;		/* names the task; 0: none is named, as in a dump of all */
	uint32_t id;
	bool children;
	struct taskrt_query query;
};

struct answer {
	int attr;		/* AGGR_* that is wanted */
	bool found;
	struct taskrt_reading reading;
};

struct iteration {
	taskrt_each_fn fn;
	void *arg;
	bool began;		/* so the module has not refused the query */
	struct taskrt_reading *reading;	/* zero behind it, for as long as fn's program knows it */
};

static int read_reply(const struct nlmsghdr *header, int attr, struct taskrt_reading *reading)
{
	struct nlattr *attrs[TASKRT_A_MAX + 1];

	if (genlmsg_parse((struct nlmsghdr *)header, 0, attrs, TASKRT_A_MAX, NULL) < 0 ||
	    !attrs[attr])
		return -EBADMSG;
	return taskrt_read_aggregate(attrs[attr], NULL, reading);
}

static int answer_reply(const struct nlmsghdr *header, void *arg)
{
	struct answer *answer = arg;

	answer->found = true;
	return read_reply(header, answer->attr, &answer->reading);
}

static int each_reply(const struct nlmsghdr *header, void *arg)
{
	struct iteration *iteration = arg;
	int err = read_reply(header, TASKRT_A_AGGR_TID, iteration->reading);

	iteration->began = true;
	return err ? err : iteration->fn(iteration->reading, iteration->arg);
}

static int ask_once(struct taskrt *handle, const struct question *question,
		    taskrt_reply_fn fn, void *arg)
{
	struct nl_msg *message = taskrt_message(handle, TASKRT_CMD_GET, question->flags,
						ID_ROOM + TASKRT_QUERY_ROOM);

	if (!message)
		return -ENOMEM;
	if ((question->attr && nla_put_u32(message, question->attr, question->id)) ||
	    (question->children && nla_put_flag(message, TASKRT_A_CHILDREN)) ||
	    taskrt_put_query(handle, message, &question->query)) {
		nlmsg_free(message);
		return -ENOMEM;
	}
	return taskrt_request(handle, message, fn, arg);
}

/* A module that is older than groups has none, and is asked without. */
static int ask(struct taskrt *handle, const struct question *question,
	       taskrt_reply_fn fn, void *arg)
{
	int err = ask_once(handle, question, fn, arg);

	if (err == -EINVAL && handle->error.refused == TASKRT_A_GROUPS) {
		handle->no_groups = true;
		taskrt_words_clear(&handle->error);
		err = ask_once(handle, question, fn, arg);
	}
	return err;
}

static int get(struct taskrt *handle, uint32_t entity, pid_t id, uint32_t groups,
	       struct answer *answer)
{
	struct question question = { .id = id, .query.groups = groups };
	int err;

	switch (entity) {
	case TASKRT_ENTITY_THREAD:
		question.attr = TASKRT_A_TID;
		answer->attr = TASKRT_A_AGGR_TID;
		break;
	case TASKRT_ENTITY_PROCESS:
		question.attr = TASKRT_A_TGID;
		answer->attr = TASKRT_A_AGGR_TGID;
		break;
	case TASKRT_ENTITY_CHILDREN:
		question.attr = TASKRT_A_TGID;
		question.children = true;
		answer->attr = TASKRT_A_AGGR_CHILDREN;
		break;
	default:
		return -EOPNOTSUPP;
	}
	err = ask(handle, &question, answer_reply, answer);
	/* All that can be wrong with it: a module of 0.1 does not know the attribute. */
	if (err == -EINVAL && question.children)
		err = -EOPNOTSUPP;
	return !err && !answer->found ? -EBADMSG : err;
}

int taskrt_get(struct taskrt *handle, uint32_t entity, pid_t id, uint32_t groups,
	       struct taskrt_reading *reading, size_t size)
{
	struct answer answer = { .found = false };
	int err;

	if (!handle)
		return -EINVAL;
	taskrt_words_clear(&handle->error);
	if (!reading || size < TASKRT_READING_MIN || id < 0)
		return taskrt_finish(handle, -EINVAL);
	err = taskrt_check_groups(handle, groups);
	if (!err)
		err = taskrt_begin(handle);
	if (!err)
		err = get(handle, entity, id, groups, &answer);
	if (!err)
		taskrt_sized_out(reading, size, &answer.reading, sizeof(answer.reading));
	return taskrt_finish(handle, err);
}

/* One process alone needs no filter, but its number, which finds it faster. */
static void name_process(struct question *question)
{
	struct taskrt_query *query = &question->query;

	if (query->tgid && !query->own_only && !query->cgroup) {
		question->attr = TASKRT_A_TGID;
		question->id = query->tgid;
		query->tgid = 0;
	}
}

static int each(struct taskrt *handle, struct question *question, struct iteration *iteration)
{
	int err = taskrt_begin(handle);

	if (err)
		return err;
	name_process(question);
	err = ask(handle, question, each_reply, iteration);
	return iteration->began ? err :
	       taskrt_query_verdict(handle, &question->query, err, true);
}

int taskrt_each(struct taskrt *handle, const struct taskrt_query *query, size_t size,
		size_t reading_size, taskrt_each_fn fn, void *arg)
{
	struct iteration iteration = { .fn = fn, .arg = arg };
	struct question question = { .flags = NLM_F_DUMP };
	size_t room = sizeof(*iteration.reading);
	int err;

	if (!handle)
		return -EINVAL;
	taskrt_words_clear(&handle->error);
	if (!fn || reading_size < TASKRT_READING_MIN)
		return taskrt_finish(handle, -EINVAL);
	err = taskrt_query_in(handle, &question.query, query, size);
	if (err)
		return taskrt_finish(handle, err);
	iteration.reading = calloc(1, reading_size > room ? reading_size : room);
	err = iteration.reading ? each(handle, &question, &iteration) : -ENOMEM;
	free(iteration.reading);
	return taskrt_finish(handle, err);
}
