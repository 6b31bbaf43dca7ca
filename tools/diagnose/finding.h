/* SPDX-License-Identifier: GPL-2.0-only */
/* The problems of the module on this machine, in plain sentences. */
#ifndef TOOLS_DIAGNOSE_FINDING_H
#define TOOLS_DIAGNOSE_FINDING_H

#include <stddef.h>
#include <taskrt.h>

#include "diagnose/inventory.h"
#include "diagnose/system.h"

#define FINDING_MAX	768	/* bytes that the longest text takes, with its NUL */

/* What is to be switched on is a file in this folder. */
#define FINDING_PARAMETERS	"/sys/module/taskrt/parameters/"

struct finding {
	int problem;		/* else a note */
	const char *cause;	/* a word for programs, which never changes */
	char text[FINDING_MAX];	/* as text_utf8() has it, as is fix */
	char fix[512];		/* the fix, a command for root if there is one; or empty */
};

/* One per hook, with room for twice as many hooks, and one per check. */
#define FINDINGS_MAX	80

struct findings {
	struct finding list[FINDINGS_MAX];
	size_t count;
	size_t problems;
	struct finding *last;	/* added; NULL: there was no room */
};

/* Records made minus gone minus live: 0, unless the counters disagree. */
int64_t finding_discrepancy(const struct taskrt_info *info);

/* The status of a hook in a few words: "attached". */
const char *finding_hook_status(const struct taskrt_hook *hook);

/* Check the inventory of the module that is loaded into the kernel of this system. */
void finding_collect(struct findings *findings, const struct inventory *inventory,
		     const struct system *system);

/* Add a finding. */
void finding_problem(struct findings *findings, const char *cause, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void finding_note(struct findings *findings, const char *cause, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* How to fix the last one. */
void finding_fix(struct findings *findings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
