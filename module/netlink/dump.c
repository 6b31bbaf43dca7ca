// SPDX-License-Identifier: GPL-2.0-only
/*
 * GET of many threads, in the order of their ids.  The cursor is an id, so a thread that lives
 * throughout the dump is reported exactly once, unless ids change hands.  If they do, the
 * generation changes, and the dump is marked as inconsistent.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/idr.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/taskrt.h>
#include <linux/user_namespace.h>
#include <net/genetlink.h>
#include "accounting.h"
#include "compat/cgroups.h"
#include "compat/compat.h"
#include "netlink/command.h"
#include "netlink/family.h"
#include "netlink/filter.h"
#include "netlink/message.h"
#include "netlink/stats.h"
#include "policy/access.h"
#include "policy/coarse.h"
#include "task/sample.h"
#include "track/track.h"

/* The request as the dump started: later, any task with the socket may continue the dump. */
struct dump {
	struct access_requester who;
	struct stats_view view;		/* holds references to the namespaces */
	struct filter filter;
	int next;			/* tid */
	/* The tids of the filter's processes, in order; NULL: any tid may fit. */
	int *tids;
	unsigned int nr_tids;
	unsigned int at;		/* the tids before this index are less than next */
};

/* At most this many ids are visited under one RCU read lock. */
#define DUMP_STRIDE	512

/* If the filter's processes have more threads, the dump visits all ids. */
#define DUMP_LISTED	4096

static struct dump *dump_of(const struct netlink_callback *cb)
{
	return *(struct dump **)cb->ctx;
}

static const struct nlattr *dump_asked(const struct nlmsghdr *request, int type)
{
	return nlmsg_find_attr(request, GENL_HDRLEN, type);
}

static int dump_check(const struct nlmsghdr *request, struct netlink_ext_ack *extack)
{
	const struct nlattr *entities = dump_asked(request, TASKRT_A_ENTITIES);
	const struct nlattr *of_one = dump_asked(request, TASKRT_A_TID) ?:
				      dump_asked(request, TASKRT_A_CHILDREN);

	if (of_one) {
		NL_SET_ERR_MSG_ATTR(extack, of_one,
				    "a dump takes FILTER or TGID, or nothing for all threads");
		return -EINVAL;
	}
	if (!entities)
		return 0;
	if (hweight32(nla_get_u32(entities)) != 1) {
		NL_SET_ERR_MSG_ATTR(extack, entities, "ENTITIES: a dump takes exactly one");
		return -EINVAL;
	}
	if (nla_get_u32(entities) != TASKRT_ENTITIES_THREADS) {
		NL_SET_ERR_MSG_ATTR(extack, entities, "ENTITIES: only threads can be dumped");
		return -EOPNOTSUPP;
	}
	return 0;
}

/* The request is ambiguous if it has a TGID in FILTER and another beside it. */
static int dump_parse_tgid(struct dump *dump, const struct nlattr *attr,
			   struct netlink_ext_ack *extack)
{
	if (!attr || !dump->filter.nr_tgids)
		return filter_parse_tgid(&dump->filter, attr, extack);
	NL_SET_ERR_MSG_ATTR(extack, attr, "TGID: either in FILTER or beside it");
	return -EINVAL;
}

static int dump_parse(struct dump *dump, const struct nlmsghdr *request,
		      struct netlink_ext_ack *extack)
{
	return dump_check(request, extack) ?:
	       message_format(&dump->view, STATS_GROUPS, dump_asked(request, TASKRT_A_VERSION),
			      dump_asked(request, TASKRT_A_GROUPS), extack) ?:
	       filter_parse(&dump->filter, dump_asked(request, TASKRT_A_FILTER), extack) ?:
	       dump_parse_tgid(dump, dump_asked(request, TASKRT_A_TGID), extack) ?:
	       filter_find_cgroup(&dump->filter, dump_asked(request, TASKRT_A_FILTER), extack);
}

/* Return: false if there are more threads than can be listed. */
static bool dump_list_process(struct dump *dump, struct pid *tgid)
{
	struct task_struct *leader, *task;

	rcu_read_lock();
	leader = pid_task(tgid, PIDTYPE_TGID);
	if (leader) {
		compat_for_each_thread(leader, task) {
			if (dump->nr_tids == DUMP_LISTED)
				break;
			dump->tids[dump->nr_tids++] = task_pid_nr_ns(task, dump->view.pids);
		}
	}
	rcu_read_unlock();
	return dump->nr_tids < DUMP_LISTED;
}

static int dump_compare(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;

	return x < y ? -1 : x > y;
}

/*
 * Lists the threads of the filter's processes, so that a dump of a few threads does not visit all
 * ids of the system.  A thread that is created after this is not in the dump.
 */
static int dump_list(struct dump *dump)
{
	u32 i;

	if (!dump->filter.nr_tgids)
		return 0;
	dump->tids = kmalloc_array(DUMP_LISTED, sizeof(*dump->tids), GFP_KERNEL_ACCOUNT);
	if (!dump->tids)
		return -ENOMEM;
	for (i = 0; i < dump->filter.nr_tgids; i++)
		if (!dump_list_process(dump, dump->filter.tgids[i])) {
			kfree(dump->tids);
			dump->tids = NULL;
			return 0;
		}
	sort(dump->tids, dump->nr_tids, sizeof(*dump->tids), dump_compare, NULL);
	return 0;
}

static void dump_free(struct dump *dump)
{
	kfree(dump->tids);
	filter_free(&dump->filter);
	put_pid_ns(dump->view.pids);
	put_user_ns(dump->view.users);
	cgroups_put(dump->view.cgroups);
	access_requester_put(&dump->who);
	kfree(dump);
}

static struct dump *dump_alloc(const struct sk_buff *request)
{
	struct dump *dump = kzalloc(sizeof(*dump), GFP_KERNEL_ACCOUNT);
	int err;

	if (!dump)
		return ERR_PTR(-ENOMEM);
	err = access_requester_init(&dump->who, request);
	if (err) {
		kfree(dump);
		return ERR_PTR(err);
	}
	access_requester_hold(&dump->who);
	dump->view.pids = get_pid_ns(task_active_pid_ns(current));
	dump->view.users = get_user_ns(current_user_ns());
	dump->view.cgroups = cgroups_get(cgroups_root());
	dump->next = 1;
	return dump;
}

/*
 * Refuses a bad request here, so that the answer is an error: clients with an old libnl take an
 * error at the end of a dump for success.  On 6.3 and before, cb->extack is NULL, and the error
 * has no text.
 */
int dump_start(struct netlink_callback *cb)
{
	int err = family_check(cb->extack) ?: family_check_alone(cb->skb, cb->nlh, cb->extack);
	struct dump *dump;

	if (err)
		return err;
	dump = dump_alloc(cb->skb);
	if (IS_ERR(dump))
		return PTR_ERR(dump);
	err = dump_parse(dump, cb->nlh, cb->extack) ?: dump_list(dump);
	if (err) {
		dump_free(dump);
		return err;
	}
	*(struct dump **)cb->ctx = dump;
	return 0;
}

int dump_done(struct netlink_callback *cb)
{
	dump_free(dump_of(cb));
	return 0;
}

/* True if the task fits the filter, and the requester may read it. */
static bool dump_fits(const struct dump *dump, struct task_struct *task)
{
	if (!filter_fits(&dump->filter, task, task_tgid(task)))
		return false;
	return dump->filter.own ? access_own(&dump->who, task) :
				  access_allowed(&dump->who, task);
}

/*
 * True if the task, which was sampled, may still be read.  It may have executed a set-user-id
 * program after dump_fits() checked it.  An exec replaces the credentials before the program runs,
 * and RCU keeps the address of the old ones from being reused.  So if the address is still
 * @checked, the task has executed nothing.
 */
static bool dump_still_fits(const struct dump *dump, struct task_struct *task,
			    const struct cred *checked)
{
	smp_rmb();	/* the sample before the credentials; pairs with commit_creds() */
	return likely(rcu_access_pointer(task->real_cred) == checked) || dump_fits(dump, task);
}

static int dump_thread(struct sk_buff *skb, struct netlink_callback *cb,
		       struct task_struct *task, const struct cred *checked)
{
	const struct stats_view *view = &dump_of(cb)->view;
	struct thread *t = process_thread(task);
	struct stats_aggr aggr;
	struct stats_ids ids;
	struct sample sample __uninitialized;
	void *header;

	if (!t)
		return 0;
	ids = stats_ids_of(task, view);
	if (!ids.tid || !ids.tgid)
		return 0;	/* the task was reaped, or has no id in the namespace */
	header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			     &family, NLM_F_MULTI, TASKRT_CMD_GET);
	if (!header)
		return -EMSGSIZE;
	if (message_put_thread(skb, ids.tid, NULL, view, &aggr)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	thread_sample(t, &sample, view->groups);
	stats_of_thread(&aggr, &sample, task, &ids, view);
	if (!dump_still_fits(dump_of(cb), task, checked)) {
		genlmsg_cancel(skb, header);
		return 0;
	}
	genl_dump_check_consistent(cb, header);
	genlmsg_end(skb, header);
	return 0;
}

/* Return: the next id that may fit, or NULL.  Sets dump->next to its number. */
static struct pid *dump_next_pid(struct dump *dump)
{
	struct pid *pid;

	/* Like find_ge_pid(), which 5.10 does not export. */
	if (!dump->tids)
		return idr_get_next(&dump->view.pids->idr, &dump->next);
	for (; dump->at < dump->nr_tids; dump->at++) {
		if (dump->tids[dump->at] < dump->next)
			continue;
		dump->next = dump->tids[dump->at];
		pid = find_pid_ns(dump->next, dump->view.pids);
		if (pid)
			return pid;
	}
	return NULL;
}

/* Return: 1 if more may follow; 0 after the last; -EMSGSIZE if the message is full. */
static int dump_stride(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct dump *dump = dump_of(cb);
	int i, more = 1;

	rcu_read_lock();
	for (i = 0; i < DUMP_STRIDE && more == 1; i++) {
		struct pid *pid = dump_next_pid(dump);
		struct task_struct *task;
		const struct cred *cred;

		if (!pid) {
			more = 0;
			break;
		}
		task = pid_task(pid, PIDTYPE_PID);
		cred = task ? rcu_access_pointer(task->real_cred) : NULL;
		smp_rmb();	/* cred before the check; pairs with commit_creds() */
		if (task && dump_fits(dump, task))
			more = dump_thread(skb, cb, task, cred) ?: 1;
		if (more == 1)
			dump->next++;
	}
	rcu_read_unlock();
	return more;
}

int dump_next(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct dump *dump = dump_of(cb);
	struct stats_view *view = &dump->view;
	int more;

	if (!accounting_get()) {
		NL_SET_ERR_MSG(cb->extack, "accounting is switched off (parameter enabled)");
		return -ENODATA;
	}
	view->valid = accounting_valid();
	view->measured = accounting_measured();
	view->hidden = access_hidden(&dump->who, READ_ONCE(view->measured->values));
	view->coarse_ns = coarse_for(&dump->who);
	cb->seq = track_generation();
	do {
		more = dump_stride(skb, cb);
		cond_resched();
	} while (more == 1 && !fatal_signal_pending(current));
	accounting_put();
	if (skb->len || !more)
		return skb->len;
	return more == 1 ? -EINTR : more;
}
