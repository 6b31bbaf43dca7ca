/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The end of a thread's record and of a process's: a thread that the kernel has
 * freed becomes part of its process's totals, and a process that has ended is
 * handed over to who waited for it.  Many are folded for one wake-up of the worker.
 */
#ifndef TASKRT_FOLD_H
#define TASKRT_FOLD_H

struct process;
struct thread;

/* @folded: is called in the worker whenever some were folded, and there is room again. */
void fold_init(void (*folded)(void));

/* Hooks: it has left its table.  Of a process the caller's reference goes with it. */
void fold_thread(struct thread *t);
void fold_process(struct process *p);

/* No hook is on any more: folds all that is gone, and drops what is left.  May sleep. */
void fold_flush(void);
void fold_rest(void);

#endif /* TASKRT_FOLD_H */
