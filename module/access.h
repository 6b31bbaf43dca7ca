/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_ACCESS_H
#define TASKRT_ACCESS_H

#include <linux/sched.h>
#include <linux/skbuff.h>

/*
 * access_allowed() - may the sender of this request see the task's counters?
 *
 * The one check, the same for every command.  Both must be allowed: the
 * task that asks, and whoever opened the socket, which may have been
 * handed to it.  RCU read lock held.
 */
bool access_allowed(const struct sk_buff *request, struct task_struct *task);

/* access_coarse_ns() - to what its times are rounded down; 0: they are exact */
u64 access_coarse_ns(const struct sk_buff *request);

/* Has the current task CAP_PERFMON?  May it see exact times of its own, unrounded? */
bool access_privileged(void);
bool access_exact(void);

/* Who is told of exits: as when it asked to be, like who opens a file. */
struct access_listener {
	const struct cred *opener;
	const struct cred *asker;
	struct user_namespace *over;	/* CAP_NET_ADMIN here: told of everybody in it; or NULL */
	bool exact;			/* times are not rounded */
};

/* Return: 0; -EPERM: the socket is nobody's any more. */
int access_listener_init(struct access_listener *who, const struct sk_buff *request);
void access_listener_exit(struct access_listener *who);

/* Have both the same rights? */
bool access_listener_same(const struct access_listener *a, const struct access_listener *b);

/*
 * May it be told of this exit?  @own: of its own user's only; then the task must
 * have been dumpable.  RCU read lock held.
 */
bool access_told(const struct access_listener *who, struct task_struct *task,
		 bool dumpable, bool own);

/* The parameter itself. */
u64 access_coarse_parameter(void);

#endif /* TASKRT_ACCESS_H */
