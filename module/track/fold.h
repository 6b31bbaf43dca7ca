/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Folding: when the kernel has freed a task, and its exit is done, the worker adds the totals of
 * its thread to its process, and frees the thread.  With the last thread, the worker adds the
 * totals of the process to the process that waited for it.
 */
#ifndef TASKRT_FOLD_H
#define TASKRT_FOLD_H

struct process;
struct thread;

/*
 * fold_thread() - queue a thread that was removed from the table
 * fold_process() - queue a process whose leader was freed untracked; consumes a reference
 * Context: a hook, or the worker.
 */
void fold_thread(struct thread *t);
void fold_process(struct process *p);

/*
 * fold_flush() folds all that is queued.  fold_rest() drops all other threads and processes.
 * Context: no hook is attached; may sleep.
 */
void fold_flush(void);
void fold_rest(void);

#endif /* TASKRT_FOLD_H */
