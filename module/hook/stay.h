/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A function that the kernel still calls, though it was to be unhooked: ftrace gives up, and
 * changes no code any more, when the kernel has found it at fault.
 */
#ifndef TASKRT_STAY_H
#define TASKRT_STAY_H

/*
 * hook_stay() - the module's code must not be freed any more
 * @name: of what could not be unhooked
 * @err: what unhooking it returned
 *
 * Context: may sleep.
 */
void hook_stay(const char *name, int err);

/* The last thing that the module does.  It does not return after hook_stay(). */
void hook_exit(void);

#endif /* TASKRT_STAY_H */
