/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of all hooks: tracepoints and probes that are found by name. */
#ifndef TASKRT_HOOKS_H
#define TASKRT_HOOKS_H

#include "hook/hook.h"

/* Those of an option are attached and detached by themselves. */
enum hook_option {
	HOOKS_ALWAYS,
	HOOKS_OF_INTERRUPTS,
	HOOKS_OF_CYCLES,
	HOOKS_OF_ARMED,			/* while a thread is armed */
};

/*
 * hooks_check() - check the value of the module parameter "without"
 *
 * Return: 0, or -EINVAL, with a message, if a name in the list is not that of an
 * optional hook.
 */
int hooks_check(const char *without);

/*
 * hooks_attach() - attach the hooks, but those of options
 * @max_threads: of the threads that are tracked; so many tasks may be inside hooked functions
 * @without: a list of hooks that are left out, separated by commas
 * @ready: called when all hooks but task_newtask are attached, before the first record
 *	   is made
 *
 * If an optional hook fails, it prints a warning and attaches the others.
 * Context: may sleep.
 * Return: 0, or the error of a required hook.  Those before it are attached in that case,
 * and hooks_detach() and hooks_detach_free() must be called.
 */
int hooks_attach(u64 max_threads, const char *without, int (*ready)(void));

/*
 * hooks_attach_option(), hooks_detach_option() - the same for those of an option
 *
 * hooks_detach() detaches them as well.
 * Context: may sleep.
 */
void hooks_attach_option(enum hook_option option, const char *without);
void hooks_detach_option(enum hook_option option);

/* Resets the counts of hits and misses, once all existing tasks have a record. */
void hooks_count_anew(void);

/*
 * hooks_detach() - detach all hooks but that of free
 * hooks_detach_free() - detach that one, after hooks_detach()
 *
 * When they return, no such probe is running.  They may sleep.
 */
void hooks_detach(void);
void hooks_detach_free(void);

/*
 * hooks_see() - is the hook attached, and called?
 *
 * Whether probes are called is as of the last hook_live_look().
 */
bool hooks_see(enum hook_id id);

void hooks_report(enum hook_id id, struct hook_report *report);

/*
 * Enables a hook that was attached disabled.  Only to do so takes mutexes of the kernel for
 * which others wait.  Return: 0 or an error.
 */
int hooks_enable(enum hook_id id);

#endif /* TASKRT_HOOKS_H */
