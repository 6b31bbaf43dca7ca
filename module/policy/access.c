// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters of a task are a side channel (RFC-0084, "Security considerations").  The rule is
 * ptrace's rule for read access, built from exported parts:
 *
 *   - a user may read a task if all ids match, the task is dumpable, has no more capabilities
 *     than the reader, and is in the reader's user namespace;
 *   - other readers need CAP_SYS_PTRACE or CAP_PERFMON in the task's user namespace, and in the
 *     namespace of its memory as well if the task is not dumpable.
 *
 * Both the task that sends a request and the opener of its socket must be allowed.  A listener for
 * the exits of all users needs CAP_NET_ADMIN in the user namespace that owns its pid namespace.
 * For a listener for the exits of its own user, only the first rule applies.
 */
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/netlink.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/user_namespace.h>
#include <net/netlink.h>
#include <net/sock.h>
#include "compat/compat.h"
#include "policy/access.h"
#include "task/counters.h"

/*
 * True if the opener of the socket has the requester's real and saved ids, and all its
 * capabilities.  Effective ids are not compared, because a task may swap them.  A set-user-id
 * program that inherited its caller's socket has other saved ids or more capabilities.
 */
static bool access_opened_by_peer(const struct cred *opener, const struct cred *cred)
{
	if (likely(opener == cred))
		return true;
	return opener->user_ns == cred->user_ns &&
	       cap_issubset(cred->cap_permitted, opener->cap_permitted) &&
	       uid_eq(opener->uid, cred->uid) && uid_eq(opener->suid, cred->suid) &&
	       gid_eq(opener->gid, cred->gid) && gid_eq(opener->sgid, cred->sgid);
}

/* Security modules check only the current credentials, so override them. */
static bool access_cred_capable(const struct cred *cred, struct user_namespace *ns, int capability)
{
	const struct cred *own;
	bool capable;

	if (cred == current_cred())
		return ns_capable_noaudit(ns, capability);
	own = override_creds(cred);
	capable = ns_capable_noaudit(ns, capability);
	revert_creds(own);
	return capable;
}

/*
 * This replaces netlink_ns_capable(), which checks the current task, maybe another reader of a
 * dump, and skips the opener of the socket if the message has an explicit address.
 */
static bool access_both_capable(const struct access_requester *who, struct user_namespace *ns,
				int capability)
{
	return access_cred_capable(who->cred, ns, capability) &&
	       (who->opener == who->cred || access_cred_capable(who->opener, ns, capability));
}

int access_requester_init(struct access_requester *who, const struct sk_buff *request)
{
	const struct socket *socket = NETLINK_CB(request).sk->sk_socket;

	if (!socket || !socket->file)
		return -EPERM;
	/*
	 * Before Linux 5.12 and 5.10.162 a kernel thread of io_uring may send the request.  It has
	 * the requester's credentials, but not its pid namespace.
	 */
	if (current->flags & PF_KTHREAD)
		return -EPERM;
	who->opener = socket->file->f_cred;
	who->cred = current_cred();
	who->process = task_tgid(current);
	who->exec_id = current->self_exec_id;
	return 0;
}

void access_requester_hold(const struct access_requester *who)
{
	get_cred(who->opener);
	get_cred(who->cred);
	get_pid(who->process);
}

void access_requester_put(const struct access_requester *who)
{
	put_cred(who->opener);
	put_cred(who->cred);
	put_pid(who->process);
}

/*
 * True if the task belongs to the requester's process, unless that has executed a program since the
 * request, maybe a set-user-id one.  An exec changes self_exec_id before the credentials.
 */
static bool access_own_process(const struct access_requester *who, struct task_struct *task)
{
	return task_tgid(task) == who->process &&
	       READ_ONCE(task->self_exec_id) == who->exec_id;
}

static bool access_dumpable(struct task_struct *task)
{
	/* The ids were read before dumpability; pairs with commit_creds(). */
	smp_rmb();
	return compat_task_dumpable(task);
}

/* True if @cred may read any task of this user namespace. */
static bool access_cred_privileged(const struct cred *cred, struct user_namespace *ns)
{
	return access_cred_capable(cred, ns, CAP_PERFMON) ||
	       access_cred_capable(cred, ns, CAP_SYS_PTRACE);
}

/*
 * The rest of the rule for privileged readers.  A task that has joined a user namespace keeps the
 * memory of its former namespace until it executes a program.  The initial namespace needs no
 * test, because privileges in it extend to all others.
 */
static bool access_memory_allowed(const struct cred *cred, struct task_struct *task)
{
	struct user_namespace *ns;
	bool allowed;

	if (__task_cred(task)->user_ns == &init_user_ns || access_dumpable(task))
		return true;
	ns = compat_task_memory_ns(task);
	allowed = access_cred_privileged(cred, ns);
	put_user_ns(ns);
	return allowed;
}

bool access_same_user(const struct cred *cred, const struct cred *target)
{
	return cred->user_ns == target->user_ns &&
	       cap_issubset(target->cap_permitted, cred->cap_permitted) &&
	       uid_eq(cred->uid, target->uid) &&
	       uid_eq(cred->uid, target->euid) &&
	       uid_eq(cred->uid, target->suid) &&
	       gid_eq(cred->gid, target->gid) &&
	       gid_eq(cred->gid, target->egid) &&
	       gid_eq(cred->gid, target->sgid);
}

/* The rule for one set of credentials. */
static bool access_cred_allowed(const struct cred *cred, struct task_struct *task)
{
	const struct cred *target = __task_cred(task);

	if (access_same_user(cred, target) && access_dumpable(task))
		return true;
	return access_cred_privileged(cred, target->user_ns) && access_memory_allowed(cred, task);
}

/* True if the opener of the socket, too, may read the requester's own process. */
static bool access_opener_trusted(const struct access_requester *who, struct task_struct *task)
{
	return access_opened_by_peer(who->opener, who->cred) ||
	       access_cred_allowed(who->opener, task);
}

bool access_own(const struct access_requester *who, struct task_struct *task)
{
	const struct cred *target = __task_cred(task);

	if (access_own_process(who, task) && access_opener_trusted(who, task))
		return true;
	return access_same_user(who->opener, target) && access_same_user(who->cred, target) &&
	       access_dumpable(task);
}

bool access_allowed(const struct access_requester *who, struct task_struct *task)
{
	if (access_own_process(who, task) && access_opener_trusted(who, task))
		return true;
	return access_cred_allowed(who->cred, task) &&
	       (who->opener == who->cred || access_cred_allowed(who->opener, task));
}

struct task_struct *access_task(const struct access_requester *who, const struct nlattr *attr,
				enum pid_type type, struct netlink_ext_ack *extack)
{
	const u32 nr = nla_get_u32(attr);
	struct task_struct *task;
	int err = -ESRCH;

	rcu_read_lock();
	if (nr)
		task = pid_task(find_vpid(nr), type);
	else
		task = type == PIDTYPE_TGID ? current->group_leader : current;
	if (!task && type == PIDTYPE_TGID) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "TGID: no such process");
	} else if (!task) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "TID: no such thread");
	} else if (!access_allowed(who, task)) {
		NL_SET_ERR_MSG_ATTR(extack, attr,
				    "not permitted: needs the same user and a dumpable task, or CAP_PERFMON or CAP_SYS_PTRACE");
		err = -EPERM;
	} else {
		get_task_struct(task);
		err = 0;
	}
	rcu_read_unlock();
	return err ? ERR_PTR(err) : task;
}

bool access_exact(const struct access_requester *who)
{
	return access_both_capable(who, &init_user_ns, CAP_PERFMON);
}

u64 access_hidden(const struct access_requester *who, u64 measured)
{
	const u64 cycles = measured & VALUES_OF_CYCLES;

	return likely(!cycles) || access_exact(who) ? 0 : cycles;
}

bool access_reserve(const struct access_requester *who)
{
	return access_both_capable(who, &init_user_ns, CAP_SYS_RESOURCE);
}

int access_listener_init(struct access_listener *l, const struct sk_buff *request)
{
	struct user_namespace *users = task_active_pid_ns(current)->user_ns;
	int err = access_requester_init(&l->who, request);

	if (err)
		return err;
	access_requester_hold(&l->who);
	l->over = access_both_capable(&l->who, users, CAP_NET_ADMIN) ? get_user_ns(users) : NULL;
	l->exact = access_exact(&l->who);
	return 0;
}

void access_listener_exit(struct access_listener *l)
{
	access_requester_put(&l->who);
	if (l->over)
		put_user_ns(l->over);
}

static bool access_within(const struct user_namespace *ns, const struct user_namespace *over)
{
	while (ns && ns != over)
		ns = ns->parent;
	return ns;
}

/* Like access_own(), but for an exiting task, which may have been reaped. */
static bool access_reported_own(const struct access_requester *who, struct task_struct *task,
				const struct pid *tgid, bool dumpable)
{
	const struct cred *target = __task_cred(task);

	if (tgid == who->process && task->self_exec_id == who->exec_id &&
	    access_opened_by_peer(who->opener, who->cred))
		return true;
	return dumpable && access_same_user(who->opener, target) &&
	       access_same_user(who->cred, target);
}

bool access_reported(const struct access_listener *l, struct task_struct *task,
		     const struct pid *tgid, bool dumpable, bool own)
{
	if (own)
		return access_reported_own(&l->who, task, tgid, dumpable);
	return l->over && access_within(__task_cred(task)->user_ns, l->over);
}

/* noaudit: the lack of this right is no violation to be logged. */
bool access_own_exact(void)
{
	return ns_capable_noaudit(&init_user_ns, CAP_PERFMON);
}
