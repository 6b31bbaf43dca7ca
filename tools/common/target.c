// SPDX-License-Identifier: GPL-2.0-only
/* A process or a thread, as the user names it: by its id, or by its name. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/list.h"
#include "common/memory.h"
#include "common/target.h"
#include "common/units.h"

int target_read(const char *text, struct target *target, char why[ARG_WHY_MAX])
{
	const char *digits = text[0] == '-' ? text + 1 : text;

	if (!*text) {
		snprintf(why, ARG_WHY_MAX,
			 "'' is neither the id nor the name of a process or thread");
		return -1;
	}
	if (*digits && strspn(digits, "0123456789") == strlen(digits)) {
		if (arg_read_pid(text, &target->id, why))
			return -1;
		target->name = NULL;
		return 0;
	}
	*target = (struct target){ .name = text };
	return 0;
}

int target_take(const char *text, struct target *target)
{
	char why[ARG_WHY_MAX];

	return target_read(text, target, why) ? error_usage("%s", why) : 0;
}

int target_is_name(const char *name, const char comm[16])
{
	/* The kernel keeps only 15 bytes of a name. */
	return !strncmp(name, comm, 15);
}

static int is_of_kind(const struct taskrt_stats *stats, enum target_kind kind)
{
	return kind == TARGET_THREAD || stats->tid == stats->tgid;
}

static int keep_named(const struct list *list, const char *name, enum target_kind kind,
		      struct target_ids *found)
{
	size_t i;

	found->ids = memory_new(list->count, sizeof(*found->ids));
	for (i = 0; i < list->count; i++) {
		const struct taskrt_stats *stats = list_stats(list, i);

		if (stats->flags & TASKRT_FLAG_EXITED || !target_is_name(name, stats->comm))
			continue;
		found->threads++;
		if (is_of_kind(stats, kind))
			found->ids[found->count++] = (pid_t)stats->tid;
	}
	return found->count ? 0 : -ESRCH;
}

static int find_named(struct taskrt *handle, const char *name, enum target_kind kind,
		      struct target_ids *found)
{
	struct list list;
	int error = list_fill(&list, handle, 0, 0);

	/* A thread may be missing, or listed twice: list_tidy() drops duplicates. */
	if (error == -EINTR)
		error = 0;
	if (!error) {
		list_tidy(&list);
		error = keep_named(&list, name, kind, found);
	}
	list_free(&list);
	return error;
}

int target_find(struct taskrt *handle, const struct target *target, enum target_kind kind,
		struct target_ids *found)
{
	*found = (struct target_ids){ 0 };
	if (target->name)
		return find_named(handle, target->name, kind, found);
	found->ids = memory_new(1, sizeof(*found->ids));
	found->ids[found->count++] = target->id;
	return 0;
}

void target_free(struct target_ids *found)
{
	free(found->ids);
	*found = (struct target_ids){ 0 };
}

int target_has(const struct target_ids *found, pid_t id)
{
	size_t i;

	for (i = 0; i < found->count; i++)
		if (found->ids[i] == id)
			return 1;
	return 0;
}

const char *target_none_text(char text[ERROR_MAX], const char *name, enum target_kind kind,
			     size_t threads)
{
	char others[64] = "";

	if (kind == TARGET_PROCESS && threads)
		snprintf(others, sizeof(others), "; %zu thread%s %s", threads,
			 units_plural(threads, "s"), threads == 1 ? "is" : "are");
	snprintf(text, ERROR_MAX, "no %s is named '%.64s', or none that you may read%s",
		 kind == TARGET_PROCESS ? "process" : "thread", name, others);
	return text;
}

const char *target_error_text(char text[ERROR_MAX], struct taskrt *handle, int error,
			      const struct target *target, enum target_kind kind,
			      const struct target_ids *found)
{
	if (error == -ESRCH)
		return target_none_text(text, target->name, kind, found->threads);
	return error_query_text(text, handle, error, ERROR_MODULE, 0);
}
