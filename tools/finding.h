/* SPDX-License-Identifier: GPL-2.0-only */
/* What is wrong with the module on this machine, in plain sentences. */
#ifndef TOOLS_FINDING_H
#define TOOLS_FINDING_H

#include <stddef.h>
#include <taskrt.h>

struct finding {
	int problem;		/* else worth knowing, and nothing is wrong */
	char text[768];
};

/* One a hook, and one for each check besides. */
#define FINDINGS_MAX	(2 * TASKRT_HOOKS_MAX + 16)

struct findings {
	struct finding list[FINDINGS_MAX];
	size_t count;
	size_t problems;
};

/* Records made less gone, less live: 0, or the books are wrong. */
int64_t finding_discrepancy(const struct taskrt_info *info);

/* How a hook is, in a few words: "attached". */
const char *finding_hook_status(const struct taskrt_hook *hook);

/* Check everything that *info tells. */
void finding_collect(struct findings *findings, const struct taskrt_info *info);

/* Add one from elsewhere. */
void finding_add(struct findings *findings, int problem, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
