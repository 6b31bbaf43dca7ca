/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine on which a real-time thread may keep CPU 1 as long as it wants. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

/* Changes settings, so that the rest of the machine goes on without CPU 1, and restores them. */
void machine_starve(void);
void machine_restore(void);

/*
 * On PREEMPT_RT a task can lose CPU 1 while it holds a spin lock of the kernel's, which
 * sleeps there, and all wait for it that need the same one: of an allocator, or of a queue.
 * This gives the calling thread, and its children, a higher priority than the one that keeps
 * CPU 1, as the kernel's workers have: the holder inherits it from those who wait.
 */
void machine_inherit(void);

/*
 * From the one to the other, a thread of the caller keeps CPU 1, but for this time at most:
 * the caller may itself wait for what a starved task holds.
 * Return: was CPU 1 kept all the time?
 */
void machine_keep(uint64_t ns);
int machine_let_go(void);

#endif
