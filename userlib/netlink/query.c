// SPDX-License-Identifier: LGPL-2.1-or-later
/* The totals of a thread, of a process, of its children or of many threads: the command GET. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <linux/netlink.h>

#include "internal.h"
#include "netlink/aggregate.h"
#include "netlink/attribute.h"
#include "netlink/connection.h"
#include "netlink/filter.h"
#include "netlink/message.h"
#include "reading.h"
#include "sized.h"

_Static_assert(sizeof(struct taskrt_sites) == TASKRT_SITES_MIN, "struct taskrt_sites has moved");

/* The longest pause before a request is repeated.  Pauses double: a second together. */
#define PAUSE_MAX_MS	512

struct request {
	int flags;
	int attr;		/* identifies the task; 0: none does, as in a dump of all */
	uint32_t id;
	bool children;
	struct taskrt_query query;
};

struct query_answer {
	int attr;		/* AGGR_* that was requested */
	bool found;
	struct taskrt_reading *reading;	/* written if found */
	struct taskrt_sites *sites;	/* likewise, if not NULL and the answer has them */
	bool has_sites;
};

struct iteration {
	taskrt_each_fn fn;
	void *arg;
	const struct taskrt_query *query;
	bool began;		/* a reply came, so the module has not refused the query */
	int stopped;		/* what fn returned to end it */
	struct taskrt_reading *reading;	/* of the program's size, zero behind what is known */
};

static int read_reply(const struct nlmsghdr *header, int attr, struct taskrt_reading *reading)
{
	const struct nlattr *nest = taskrt_attribute_find(taskrt_attributes_of(header), attr);

	return nest ? taskrt_aggregate_read(nest, NULL, reading) : -EBADMSG;
}

/* A state that has no room yet is skipped, and so is a site that lacks something. */
static void take_site(const struct nlattr *nest, struct taskrt_sites *sites)
{
	const struct taskrt_attributes inside = taskrt_attributes_in(nest);
	const struct nlattr *state = taskrt_attribute_find(inside, TASKRT_SITE_A_STATE);
	const struct nlattr *name = taskrt_attribute_find(inside, TASKRT_SITE_A_NAME);
	uint32_t number;
	size_t length;

	if (!state || !name || taskrt_attribute_length(state) < sizeof(number))
		return;
	memcpy(&number, taskrt_attribute_data(state), sizeof(number));
	if (number >= TASKRT_STATES_ROOM)
		return;
	length = strnlen(taskrt_attribute_data(name), taskrt_attribute_length(name));
	if (length >= TASKRT_SITE_ROOM)
		length = TASKRT_SITE_ROOM - 1;
	memset(sites->states[number], 0, TASKRT_SITE_ROOM);
	memcpy(sites->states[number], taskrt_attribute_data(name), length);
}

static void take_sites(const struct nlattr *nest, struct query_answer *answer)
{
	const struct nlattr *attr = taskrt_attribute_find(taskrt_attributes_in(nest),
							  TASKRT_AGGR_A_SITES);
	struct taskrt_attributes rest;

	answer->has_sites = attr;
	if (!attr)
		return;
	memset(answer->sites, 0, sizeof(*answer->sites));
	rest = taskrt_attributes_in(attr);
	while ((attr = taskrt_attribute_next(&rest)))
		if (taskrt_attribute_type(attr) == TASKRT_SITES_A_SITE)
			take_site(attr, answer->sites);
}

static int answer_reply(const struct nlmsghdr *header, void *arg)
{
	struct query_answer *answer = arg;
	int err = read_reply(header, answer->attr, answer->reading);

	answer->found = true;
	if (!err && answer->sites)
		take_sites(taskrt_attribute_find(taskrt_attributes_of(header), answer->attr),
			   answer);
	return err;
}

static int each_reply(const struct nlmsghdr *header, void *arg)
{
	struct iteration *iteration = arg;
	int err = read_reply(header, TASKRT_A_AGGR_TID, iteration->reading);

	iteration->began = true;
	if (!err && taskrt_filter_is_ours(iteration->query)) {
		/* An older module does not report what is needed for that. */
		if (~iteration->reading->stats.valid & (TASKRT_VALID_IDENTITY | TASKRT_VALID_STATE))
			return iteration->stopped = -EOPNOTSUPP;
		if (!taskrt_filter_fits(iteration->query, &iteration->reading->stats))
			return 0;
	}
	if (!err)
		err = iteration->stopped = iteration->fn(iteration->reading, iteration->arg);
	return err;
}

static int query_request(struct taskrt *handle, const struct request *request,
			 taskrt_reply_fn fn, void *arg)
{
	struct taskrt_message message;

	taskrt_connection_message(handle, &message, TASKRT_CMD_GET, request->flags);
	if (request->attr)
		taskrt_message_put_u32(&message, request->attr, request->id);
	if (request->children)
		taskrt_message_put_flag(&message, TASKRT_A_CHILDREN);
	taskrt_filter_put(&message, &request->query);
	return taskrt_connection_request(handle, &message, fn, arg);
}

static int query_get(struct taskrt *handle, uint32_t entity, uint32_t id, uint32_t groups,
		     struct query_answer *answer)
{
	struct request request = { .id = id, .query.groups = groups };
	int err;

	switch (entity) {
	case TASKRT_ENTITY_THREAD:
		request.attr = TASKRT_A_TID;
		answer->attr = TASKRT_A_AGGR_TID;
		break;
	case TASKRT_ENTITY_PROCESS:
		request.attr = TASKRT_A_TGID;
		answer->attr = TASKRT_A_AGGR_TGID;
		break;
	case TASKRT_ENTITY_CHILDREN:
		request.attr = TASKRT_A_TGID;
		request.children = true;
		answer->attr = TASKRT_A_AGGR_CHILDREN;
		break;
	default:
		return -EOPNOTSUPP;
	}
	err = query_request(handle, &request, answer_reply, answer);
	return !err && !answer->found ? -EBADMSG : err;
}

/* A signal that does not kill the program makes no pause shorter, and ends none. */
static void query_pause(unsigned int ms)
{
	struct timespec left = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

/*
 * The totals of a child are added to the sum a grace period after the wait, or later on a
 * busy machine.  The module answers at once, so it is asked again until they are.
 */
static int query_get_final(struct taskrt *handle, uint32_t entity, uint32_t id, uint32_t groups,
			   struct query_answer *answer)
{
	struct taskrt_reading latest;
	struct query_answer later = { .reading = &latest };
	unsigned int ms;
	int err;

	answer->found = false;
	err = query_get(handle, entity, id, groups, answer);
	if (entity != TASKRT_ENTITY_CHILDREN)
		return err;
	for (ms = 1; !err && answer->reading->stats.flags & TASKRT_FLAG_PENDING &&
	     ms <= PAUSE_MAX_MS; ms *= 2) {
		query_pause(ms);
		later.found = false;
		err = query_get(handle, entity, id, groups, &later);
		if (!err)
			*answer->reading = latest;
	}
	/* The process has ended: the last answer is as good as there will be. */
	if (err == -ESRCH && answer->found) {
		taskrt_error_clear(&handle->error);
		err = 0;
	}
	return err;
}

int taskrt_get(struct taskrt *handle, uint32_t entity, uint64_t id, uint32_t groups,
	       struct taskrt_reading *reading, size_t size)
{
	/* An answer for children is kept until it is certain that there is no later one. */
	const bool direct = size >= sizeof(*reading) && entity != TASKRT_ENTITY_CHILDREN;
	struct taskrt_reading kept;
	struct query_answer answer = { .reading = direct ? reading : &kept };
	int err;

	if (!handle)
		return -EINVAL;
	taskrt_error_clear(&handle->error);
	if (!reading || size < TASKRT_READING_MIN || id > INT32_MAX)
		return taskrt_connection_finish(handle, -EINVAL);
	err = taskrt_filter_check_groups(handle, groups);
	if (!err)
		err = taskrt_connection_begin(handle);
	if (!err)
		err = query_get_final(handle, entity, id, groups, &answer);
	if (!err && direct)
		memset(reading + 1, 0, size - sizeof(*reading));
	else if (!err)
		taskrt_sized_out(reading, size, &kept, sizeof(kept));
	return taskrt_connection_finish(handle, err);
}

/*
 * An interval that was in progress has become longer, and has ended.  Coarse times do not show
 * whether it is the same one.
 */
static bool same_interval(const struct taskrt_longest *then, const struct taskrt_longest *now,
			  bool coarse)
{
	return then->at_ns == now->at_ns &&
	       (coarse ? then->ns == now->ns : then->ns <= now->ns);
}

/* An interval that has become the longest one since then is not in the reading. */
static void only_sites_of(const struct taskrt_reading *then, const struct taskrt_reading *now,
			  struct taskrt_sites *sites)
{
	const bool coarse = now->stats.flags & TASKRT_FLAG_COARSE;
	unsigned int state;

	for (state = 0; state < TASKRT_STATES_ROOM; state++)
		if (!same_interval(&then->longests.states[state], &now->longests.states[state],
				   coarse))
			memset(sites->states[state], 0, TASKRT_SITE_ROOM);
}

static int query_get_sites(struct taskrt *handle, const struct taskrt_reading *then,
			   struct taskrt_sites *sites)
{
	const struct taskrt_stats *stats = &then->stats;
	const uint32_t id = stats->entity == TASKRT_ENTITY_THREAD ? stats->tid : stats->tgid;
	struct taskrt_reading now;
	struct query_answer answer = { .reading = &now, .sites = sites };
	int err = query_get(handle, stats->entity, id,
			    TASKRT_GROUP_LONGEST | TASKRT_GROUP_SITES, &answer);

	if (err)
		return err;
	if (!taskrt_reading_same_task(stats, &now.stats))
		return -ESRCH;
	if (!answer.has_sites)
		return -EOPNOTSUPP;
	only_sites_of(then, &now, sites);
	return 0;
}

int taskrt_get_sites(struct taskrt *handle, const struct taskrt_reading *reading,
		     struct taskrt_sites *sites, size_t size)
{
	struct taskrt_sites known;
	int err;

	if (!handle)
		return -EINVAL;
	taskrt_error_clear(&handle->error);
	if (!reading || !sites || size < TASKRT_SITES_MIN ||
	    reading->stats.entity > TASKRT_ENTITY_PROCESS ||
	    !(reading->groups & TASKRT_GROUP_LONGEST))
		return taskrt_connection_finish(handle, -EINVAL);
	err = taskrt_connection_begin(handle);
	if (!err)
		err = query_get_sites(handle, reading, &known);
	if (!err)
		taskrt_sized_out(sites, size, &known, sizeof(known));
	return taskrt_connection_finish(handle, err);
}

/*
 * A query for one process alone uses its id, with which the module finds it faster than
 * by a filter.
 */
static void name_process(struct request *request)
{
	struct taskrt_query *query = &request->query;

	if (query->tgid && !query->own_only && !query->cgroup) {
		request->attr = TASKRT_A_TGID;
		request->id = query->tgid;
		query->tgid = 0;
	}
}

static int query_each(struct taskrt *handle, struct request *request, struct iteration *iteration)
{
	int err = taskrt_connection_begin(handle);

	if (err)
		return err;
	name_process(request);
	err = query_request(handle, request, each_reply, iteration);
	/* If the kernel returned some of these values, they would mean something else. */
	if (iteration->stopped)
		return iteration->stopped;
	return iteration->began ? err :
	       taskrt_filter_error(handle, &request->query, err, true);
}

int taskrt_each(struct taskrt *handle, const struct taskrt_query *query, size_t size,
		size_t reading_size, taskrt_each_fn fn, void *arg)
{
	struct request request = { .flags = NLM_F_DUMP };
	struct iteration iteration = { .fn = fn, .arg = arg, .query = &request.query };
	size_t room = sizeof(*iteration.reading);
	int err;

	if (!handle)
		return -EINVAL;
	taskrt_error_clear(&handle->error);
	if (!fn || reading_size < TASKRT_READING_MIN)
		return taskrt_connection_finish(handle, -EINVAL);
	err = taskrt_filter_in(handle, &request.query, query, size);
	if (err)
		return taskrt_connection_finish(handle, err);
	iteration.reading = calloc(1, reading_size > room ? reading_size : room);
	err = iteration.reading ? query_each(handle, &request, &iteration) : -ENOMEM;
	free(iteration.reading);
	return taskrt_connection_finish(handle, err);
}
