/* SPDX-License-Identifier: GPL-2.0-only */
/* What two tasks of one user may know of each other. */
#ifndef TASKRT_RIGHTS_H
#define TASKRT_RIGHTS_H

#include <linux/capability.h>
#include <linux/cred.h>

/*
 * rights_same_user() - has a task the same user as another one, and no more rights?
 * @cred: of the reader
 * @target: of the task that it would read, which must also be dumpable
 *
 * The user namespace and the capabilities are compared as in security/commoncap.c.
 */
static inline bool rights_same_user(const struct cred *cred, const struct cred *target)
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

#endif /* TASKRT_RIGHTS_H */
