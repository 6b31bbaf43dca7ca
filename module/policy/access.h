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
 * registration, as open(2) captures a file's.  A later reader of the answer does not matter.
 */
struct access_requester {
	const struct cred *opener;	/* opened the socket, maybe in another process */
	const struct cred *cred;
	struct pid *process;
	u64 exec_id;			/* changes when the process executes a program */
};

/*
 * access_requester_init() - capture the current task, which has sent @request
 *
 * It takes no references: the result is valid while the request is served, and longer after
 * access_requester_hold().
 * Return: 0; -EPERM: the socket is closed, or a kernel thread has sent the request.
 */
int access_requester_init(struct access_requester *who, const struct sk_buff *request);
void access_requester_hold(const struct access_requester *who);
void access_requester_put(const struct access_requester *who);

/* May the requester and the opener of its socket read the task?  Context: RCU read lock held. */
bool access_allowed(const struct access_requester *who, struct task_struct *task);

/* The same without the help of capabilities. */
bool access_own(const struct access_requester *who, struct task_struct *task);

/*
 * access_task() - find the task that a request names, if the requester may read it
 * @attr: its id in the current pid namespace; 0: the current task
 * @type: PIDTYPE_PID for a thread, PIDTYPE_TGID for a process
 *
 * Return: the task, with a reference; or an ERR_PTR, with a text in @extack: -ESRCH, -EPERM.
 */
struct task_struct *access_task(const struct access_requester *who, const struct nlattr *attr,
				enum pid_type type, struct netlink_ext_ack *extack);

/*
 * True if the requester and the opener of its socket have CAP_PERFMON in the initial user
 * namespace.  They may see exact times, and disarm threads that others have armed.
 */
bool access_exact(const struct access_requester *who);

/*
 * The values of @measured that the requester may not see.  Cycles reveal more than times: the
 * kernel, too, counts cycles of kernel mode only with CAP_PERFMON.
 */
u64 access_hidden(const struct access_requester *who, u64 measured);

/* The same for CAP_SYS_RESOURCE: the requester may use what is reserved of the global limits. */
bool access_reserve(const struct access_requester *who);

/* Like access_exact(), for the current task, which maps its own counters. */
bool access_own_exact(void);

/* The rights of a listener, captured at registration. */
struct access_listener {
	struct access_requester who;
	struct user_namespace *over;	/* has CAP_NET_ADMIN over the tasks here; or NULL */
	bool exact;			/* times are not rounded */
};

/* Return: as access_requester_init(). */
int access_listener_init(struct access_listener *l, const struct sk_buff *request);
void access_listener_exit(struct access_listener *l);

/*
 * access_reported() - may this exit be delivered to the listener?
 * @tgid: the task's process, which a reaped task no longer names
 * @dumpable: the task was dumpable when its exit started
 * @own: the listener asks for tasks of its own user only
 *
 * Context: RCU read lock held.
 */
bool access_reported(const struct access_listener *l, struct task_struct *task,
		     const struct pid *tgid, bool dumpable, bool own);

/* Has @target the user of the reader @cred, and no more rights?  As in security/commoncap.c. */
bool access_same_user(const struct cred *cred, const struct cred *target);

#endif /* TASKRT_ACCESS_H */
