/* SPDX-License-Identifier: GPL-2.0-only */
/* The inventory of a loaded module, and the problems of the module on this machine. */
#ifndef TOOLS_DIAGNOSE_FINDING_H
#define TOOLS_DIAGNOSE_FINDING_H

#include <stddef.h>
#include <taskrt.h>

#include "common/json.h"
#include "diagnose/system.h"

/* The inventory of the module: its numbers, its hooks, and what it can measure. */

struct inventory {
	struct taskrt_info info;
	struct taskrt_hook *hooks;	/* of info.nr_hooks */
	struct taskrt_measured known;	/* what it can measure on some kernel */
};

/*
 * Return: 0; a negative errno, as taskrt_get_info().  To be freed with inventory_free(), also
 * after a failure.  Without memory the program ends.
 */
int inventory_get(struct inventory *inventory, struct taskrt *handle);
void inventory_free(struct inventory *inventory);

/* Its members, with the names of <linux/taskrt.h>. */
void inventory_put_json(struct json *json, const struct inventory *inventory);

/* The problems, and notes, in plain sentences. */

#define FINDING_MAX	768	/* bytes that the longest text takes, with its NUL */

/* The folder of the module's parameters. */
#define FINDING_PARAMETERS	"/sys/module/taskrt/parameters/"

struct finding {
	int problem;		/* else a note */
	const char *cause;	/* a word for programs, which never changes */
	char text[FINDING_MAX];	/* made safe by text_utf8(), as is fix */
	char fix[512];		/* the fix, a command for root if there is one; or empty */
};

/* One per hook, with room for twice as many hooks, and one per check. */
#define FINDINGS_MAX	80

struct findings {
	struct finding list[FINDINGS_MAX];
	size_t count;
	size_t problems;
	struct finding *last;	/* the last one added; NULL: it had no room */
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

/*
 * What is measured only if a parameter or the machine provides it: interrupts, cycles, stolen time,
 * stalls for memory.  It is no problem if one is not measured, but it must not be mistaken for 0.
 */

#define OPTIONAL_MAX	256

/* "measured: cycles; not measured: stolen time"; or "", if the module knows none of them. */
const char *optional_text(char text[OPTIONAL_MAX], const struct inventory *inventory);

/* Add a note for each that is not measured: why, and how to switch it on. */
void optional_check(struct findings *findings, const struct inventory *inventory,
		    const struct system *system);

#endif
