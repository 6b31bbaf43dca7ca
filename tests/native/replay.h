/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads, and what the scheduler reports of them, to the module's own probes.
 *
 * The threads take turns in an order that is random, and the same in each run.  Between
 * two events of a thread lie so many of the others that with thousands of threads its
 * lines have left the first cache, except where one event follows the other at once: a
 * thread that is switched in is switched out next.
 *
 * What the scheduler itself has touched just before is touched here as well, outside of
 * the event: the task's state and flags, in_iowait, and the registers that the system
 * call has saved.
 */
#ifndef TASKRT_NATIVE_REPLAY_H
#define TASKRT_NATIVE_REPLAY_H

#include <stdbool.h>

struct replay_scenario;

/* The scenario of this name, or NULL. */
const struct replay_scenario *replay_scenario(const char *name);

/* Makes the threads, as many as take turns.  Once. */
void replay_make(unsigned int threads, const struct replay_scenario *scenario);

/* So many steps.  @called: the module's probes are called; otherwise empty ones. */
void replay_run(unsigned int steps, bool called);

/* Prints where the marks, the threads, and what is only here are: first byte, bytes, name. */
void replay_map(void);

#endif /* TASKRT_NATIVE_REPLAY_H */
