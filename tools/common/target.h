/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process or a thread, as the user names it: by its id, which is all digits, or by its name.
 *
 * The name is the text of /proc/PID/comm, at most 15 bytes.  A process has the name of its main
 * thread.  Several tasks may have the same name.
 */
#ifndef TOOLS_COMMON_TARGET_H
#define TOOLS_COMMON_TARGET_H

#include <stddef.h>
#include <sys/types.h>
#include <taskrt.h>

#include "common/arg.h"
#include "common/error.h"

struct target {
	const char *name;	/* NULL: by its id */
	pid_t id;
};

/* Return: 0; -1: *target is as it was, and why says what is wrong. */
int target_read(const char *text, struct target *target, char why[ARG_WHY_MAX]);

/* Return: 0, or STATUS_USAGE after a message that says what is wrong. */
int target_take(const char *text, struct target *target);

/* Does a task with this comm have the name? */
int target_is_name(const char *name, const char comm[16]);

enum target_kind { TARGET_PROCESS, TARGET_THREAD };

struct target_ids {
	pid_t *ids;		/* in ascending order */
	size_t count;
	size_t threads;		/* threads with the name, even if processes were sought */
};

/*
 * Find all tasks with this name that may be read; an id is used as it is.  The caller frees the ids
 * with target_free() also after a failure.
 * Return: 0; -ESRCH: there is none; as taskrt_each().
 */
int target_find(struct taskrt *handle, const struct target *target, enum target_kind kind,
		struct target_ids *found);
void target_free(struct target_ids *found);

int target_has(const struct target_ids *found, pid_t id);

/* Why target_find() failed. */
const char *target_error_text(char text[ERROR_MAX], struct taskrt *handle, int error,
			      const struct target *target, enum target_kind kind,
			      const struct target_ids *found);

/* A message: no process has the name, but this number of threads. */
const char *target_none_text(char text[ERROR_MAX], const char *name, enum target_kind kind,
			     size_t threads);

#endif
