/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads with a tid, a CPU and a scheduling class. */
#ifndef THREAD_H
#define THREAD_H

#include <pthread.h>
#include <sys/types.h>

struct thread {
	pthread_t id;
	volatile pid_t tid;
	void (*fn)(void *arg);
	void *arg;
};

/* Returns when the thread runs and its tid is known. */
void thread_start(struct thread *thread, void (*fn)(void *arg), void *arg);
void thread_join(struct thread *thread);

/* Binds the caller to this CPU; makes it SCHED_FIFO, or SCHED_OTHER again. */
void thread_pin(unsigned int cpu);
void thread_unpin(void);
void thread_fifo(int priority);
void thread_other(void);

/* The letter of /proc/TID/stat; 0 if there is no such thread. */
char thread_letter(pid_t tid);
/* Waits until the letter is one of these; bails out after CLOCK_PATIENCE. */
void thread_await(pid_t tid, const char *letters);

/* Sleeps until a signal, in SLEEPING_PAUSE on each architecture: arm64 has no pause(2). */
void thread_pause(void);

/* PREEMPT_RT */
int thread_kernel_is_rt(void);

#endif
