/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_ACCESS_H
#define TASKRT_ACCESS_H

#include <linux/sched.h>
#include <linux/skbuff.h>

struct pid;

/*
 * Who asks.  Its credentials are captured when a request, a dump or a
 * registration begins, as open(2) captures a file's: who reads the answer later
 * neither adds to them nor takes from them.
 */
struct access_asker {
	const struct cred *opener;	/* of the socket, which may have been handed on */
	const struct cred *cred;
	struct pid *process;
	u64 exec_id;			/* the program that it ran */
};

/*
 * access_asker_init() - the current task, which has sent this request
 * Valid while the request is served; who needs it for longer holds on to it.
 * Return: 0; -EPERM: the socket is nobody's any more.
 */
int access_asker_init(struct access_asker *who, const struct sk_buff *request);
void access_asker_hold(const struct access_asker *who);
void access_asker_put(const struct access_asker *who);

/*
 * access_allowed() - may it see the task's counters?
 *
 * The one check, the same for every command.  Both must be allowed: the
 * task that asked, and whoever opened the socket.  RCU read lock held.
 */
bool access_allowed(const struct access_asker *who, struct task_struct *task);

/* As that, but only what its user may read without any capability. */
bool access_own(const struct access_asker *who, struct task_struct *task);

/* May it see exact times, also where others are told rounded ones?  It takes CAP_PERFMON. */
bool access_exact(const struct access_asker *who);

/* As that, for the current task and what it maps of its own. */
bool access_own_exact(void);

/* Who is told of exits. */
struct access_listener {
	struct access_asker who;
	struct user_namespace *over;	/* CAP_NET_ADMIN here: told of everybody in it; or NULL */
	bool exact;			/* times are not rounded */
};

/* Return: 0; -EPERM: the socket is nobody's any more. */
int access_listener_init(struct access_listener *l, const struct sk_buff *request);
void access_listener_exit(struct access_listener *l);

/* Have both the same rights? */
bool access_listener_same(const struct access_listener *a, const struct access_listener *b);

/*
 * May it be told of this exit?  @own: of its own user's only; then the task must
 * have been dumpable.  RCU read lock held.
 */
bool access_told(const struct access_listener *l, struct task_struct *task,
		 bool dumpable, bool own);

#endif /* TASKRT_ACCESS_H */
