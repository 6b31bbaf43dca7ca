/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_ACCESS_H
#define TASKRT_ACCESS_H

#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/skbuff.h>

struct netlink_ext_ack;
struct nlattr;

/*
 * The requester.  Its credentials are captured when the request, dump or registration starts, as
 * open(2) does in f_cred.  Another task that reads the answer is not checked.
 */
struct access_requester {
	const struct cred *opener;	/* opened the socket, maybe in another process */
	const struct cred *cred;
	struct pid *process;
	u64 exec_id;			/* changes when the process executes a program */
};

/*
 * Captures the current task, which has sent @request.  Takes no references: the result is valid
 * only while the request is served, unless access_requester_hold() is called.
 * Return: 0; -EPERM: the socket is closed, or a kernel thread has sent the request.
 */
int access_requester_init(struct access_requester *who, const struct sk_buff *request);
void access_requester_hold(const struct access_requester *who);
void access_requester_put(const struct access_requester *who);

/* True if the requester and the opener of its socket may read the task.  Context: RCU read lock. */
bool access_allowed(const struct access_requester *who, struct task_struct *task);

/* Like access_allowed(), but CAP_PERFMON and CAP_SYS_PTRACE do not help. */
bool access_own(const struct access_requester *who, struct task_struct *task);

/*
 * access_task() - find the task that a request names, if the requester may read it
 * @attr: its id in the current pid namespace; 0: the current task, or its leader for PIDTYPE_TGID
 * @type: PIDTYPE_PID for a thread, PIDTYPE_TGID for a process
 * Return: the task, with a reference; or an ERR_PTR, with a text in @extack: -ESRCH, -EPERM.
 */
struct task_struct *access_task(const struct access_requester *who, const struct nlattr *attr,
				enum pid_type type, struct netlink_ext_ack *extack);

/*
 * True if the requester and the opener of its socket have CAP_PERFMON in the initial user
 * namespace.  They may see exact times, and disarm threads that other sockets have armed.
 */
bool access_exact(const struct access_requester *who);

/*
 * The values of @measured that the requester may not see.  Cycle counts reveal more than times:
 * perf, too, by default requires CAP_PERFMON to count kernel mode.
 */
u64 access_hidden(const struct access_requester *who, u64 measured);

/* Like access_exact(), for CAP_SYS_RESOURCE, which gives access to the reserve of the limits. */
bool access_reserve(const struct access_requester *who);

/* Like access_exact(), for the current task, which maps its own counters. */
bool access_own_exact(void);

/* The rights of a listener, captured at registration. */
struct access_listener {
	struct access_requester who;
	struct user_namespace *over;	/* the listener may see all exits in here; or NULL */
	bool exact;			/* times are not rounded */
};

/* Return: as access_requester_init(). */
int access_listener_init(struct access_listener *l, const struct sk_buff *request);
void access_listener_exit(struct access_listener *l);

/*
 * access_reported() - true if this exit may be delivered to the listener
 * @tgid: the task's process, which a reaped task no longer names
 * @dumpable: the task was dumpable when its exit started
 * @own: the listener asks for tasks of its own user only
 * Context: RCU read lock held.
 */
bool access_reported(const struct access_listener *l, struct task_struct *task,
		     const struct pid *tgid, bool dumpable, bool own);

/*
 * True if @target has the user namespace and the ids of @cred, and no capability that @cred lacks.
 * As in __ptrace_may_access() and cap_ptrace_access_check().
 */
bool access_same_user(const struct cred *cred, const struct cred *target);

#endif /* TASKRT_ACCESS_H */
