/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_ACCESS_H
#define TASKRT_ACCESS_H

#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/skbuff.h>

struct netlink_ext_ack;
struct nlattr;

/*
 * The requester.  Its credentials are captured at the start of a request, a dump or a
 * registration, as open(2) captures a file's.  The credentials of the task that reads the
 * answer later do not matter.
 */
struct access_requester {
	const struct cred *opener;	/* that opened the socket, maybe another process */
	const struct cred *cred;
	struct pid *process;
	u64 exec_id;			/* changes when the process executes a program */
};

/*
 * access_requester_init() - capture the current task, which has sent @request
 *
 * It takes no references.  The result is valid while the request is served, and for longer
 * after access_requester_hold().
 * Return: 0, or -EPERM if the socket has been closed, or a kernel thread asks.
 */
int access_requester_init(struct access_requester *who, const struct sk_buff *request);
void access_requester_hold(const struct access_requester *who);
void access_requester_put(const struct access_requester *who);

/*
 * access_allowed() - may the requester read the task's counters?
 *
 * Every command uses this check.  Both the task that sent the request and the task that
 * opened the socket must be allowed to read them.
 * Context: RCU read lock held.
 */
bool access_allowed(const struct access_requester *who, struct task_struct *task);

/* Like access_allowed(), but only what the requester's user may read without a capability. */
bool access_own(const struct access_requester *who, struct task_struct *task);

/*
 * access_task() - find the task that a request names, if the requester may read it
 * @attr: its id in the current pid namespace; 0 for the current task
 * @type: PIDTYPE_PID for a thread, PIDTYPE_TGID for a process
 *
 * Return: the task, with a reference; or an ERR_PTR, with a text: -ESRCH, -EPERM.
 */
struct task_struct *access_task(const struct access_requester *who, const struct nlattr *attr,
				enum pid_type type, struct netlink_ext_ack *extack);

/*
 * True if the requester may see exact times, whatever coarse_ns is, and may disarm threads that
 * others have armed: it and the opener of the socket have CAP_PERFMON in the initial user
 * namespace.
 */
bool access_exact(const struct access_requester *who);

/*
 * access_hidden() - the values of @measured that the requester may not see
 *
 * Cycles reveal more of a program than times do: the kernel, too, counts cycles of kernel mode
 * only with CAP_PERFMON.
 */
u64 access_hidden(const struct access_requester *who, u64 measured);

/*
 * True if the requester may use what is reserved of the limits for all users: it has
 * CAP_SYS_RESOURCE in the initial user namespace.
 */
bool access_reserve(const struct access_requester *who);

/* Like access_exact(), for the current task, which maps its own counters. */
bool access_own_exact(void);

/* The rights of a listener, captured at registration. */
struct access_listener {
	struct access_requester who;
	struct user_namespace *over;	/* it has CAP_NET_ADMIN over all tasks here, or NULL */
	bool exact;			/* times are not rounded */
};

/* Return: as access_requester_init(). */
int access_listener_init(struct access_listener *l, const struct sk_buff *request);
void access_listener_exit(struct access_listener *l);

/*
 * access_reported() - may this exit be delivered to the listener?
 * @tgid: the task's process, which the task itself no longer names when it was reaped
 * @dumpable: the task was dumpable when its exit started
 * @own: the listener has asked for the tasks of its own user only
 *
 * Context: RCU read lock held.
 */
bool access_reported(const struct access_listener *l, struct task_struct *task,
		     const struct pid *tgid, bool dumpable, bool own);

/*
 * access_same_user() - has a task the same user as another one, and no more rights?
 * @cred: of the reader
 * @target: of the task that it would read, which must also be dumpable
 *
 * The user namespace and the capabilities are compared as in security/commoncap.c.
 */
bool access_same_user(const struct cred *cred, const struct cred *target);

#endif /* TASKRT_ACCESS_H */
