/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of all hooks: tracepoints and probes that are found by name. */
#ifndef TASKRT_HOOKS_H
#define TASKRT_HOOKS_H

#include "hook/hook.h"

/* The hooks of an option are attached and detached separately. */
enum hook_option {
	HOOKS_ALWAYS,
	HOOKS_OF_INTERRUPTS,
	HOOKS_OF_CYCLES,
	HOOKS_OF_ARMED,			/* while a thread is armed */
};

/* Returns 0; or -EINVAL, with a message, if a name in @without is not an optional hook. */
int hooks_check(const char *without);

/*
 * hooks_attach() - attach all hooks except the hooks of options
 * @max_threads: limit of tracked threads; as many tasks may be inside hooked functions
 * @without: comma-separated list of hooks to leave out
 * @ready: called before task_newtask, the last hook, is attached, when no record exists yet
 *
 * An optional hook that fails is skipped with a warning.
 * Context: may sleep.
 * Return: 0, or the error of @ready or of a required hook.  The caller then detaches the hooks
 * that were attached, with hooks_detach() and hooks_detach_free().
 */
int hooks_attach(u64 max_threads, const char *without, int (*ready)(void));

/* Attach or detach the hooks of an option; hooks_detach() detaches them, too.  May sleep. */
void hooks_attach_option(enum hook_option option, const char *without);
void hooks_detach_option(enum hook_option option);

/* Resets the counts of hits and misses.  Called once all existing tasks have a record. */
void hooks_count_anew(void);

/*
 * hooks_detach() detaches all hooks except sched_process_free; hooks_detach_free() then detaches
 * that one.  When they return, none of these probes is running.  Context: may sleep.
 */
void hooks_detach(void);
void hooks_detach_free(void);

/* True if the hook is attached, and its kind was called at the last hook_live_look(). */
bool hooks_see(enum hook_id id);

void hooks_report(enum hook_id id, struct hook_report *report);

/* Enables a disabled kprobe; takes no mutex if it is enabled.  Return: 0 or an error. */
int hooks_enable(enum hook_id id);

#endif /* TASKRT_HOOKS_H */
