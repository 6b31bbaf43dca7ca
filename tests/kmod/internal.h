/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of taskrt_test know of each other. */
#ifndef TASKRT_TEST_INTERNAL_H
#define TASKRT_TEST_INTERNAL_H

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/sched.h>
#include <linux/tracepoint-defs.h>

#include "taskrt_test.h"

/* The longest time that one ioctl may be told to take. */
#define TEST_MAX_NS	(60ULL * NSEC_PER_SEC)
/* FOR_EVER: less than what the kernel takes for a hung task. */
#define TEST_FOR_EVER	(300 * HZ)

/* packet.c */
struct test_packets {
	struct packet_type type;
	u64 each_ns;			/* 0: not registered */
	pid_t tid;
	atomic_t taken;			/* from that thread */
};

/* idle.c */
struct test_idle {
	u32 cpu;
	bool registered;
	bool asleep;			/* written on that CPU */
	u64 exit_ns;
	atomic64_t rest_ns;		/* of all exits, until it is a shallow state */
	atomic_t slept;
};

/* One open file. */
struct test_file {
	struct mutex guard;		/* serializes HOLD, protects the rest */
	struct task_struct *holder;	/* referenced; it holds the lock */
	struct completion released;	/* FOR_EVER is over */
	struct taskrt_test_delay fault;
	struct test_packets packets;
	struct test_idle idle;
	struct task_struct *reader;	/* referenced */
	struct tracepoint_func hidden;	/* the probe of free.c; func is NULL: none */
};

/* delay.c: both may sleep; 0, -EINVAL or -EINTR */
int test_delay_check(u32 how, u64 ns);
int test_delay(struct test_file *file, u32 how, u64 ns);

/* lock.c */
void test_lock_init(void);
bool test_lock_known(u32 lock);
/* Nobody may sleep with it in hand. */
bool test_lock_is_atomic(u32 lock);
void test_lock_take(u32 lock);
void test_lock_drop(u32 lock);
/* A thread that wants the lock spins for it by now, and cannot be seen to sleep. */
bool test_lock_spun_for(u32 lock);
int test_lock_hold(struct test_file *file, const struct taskrt_test_hold *hold);
void test_lock_unhold(struct test_file *file);

/* taker.c: who waits for a lock; may sleep */
void test_take(u32 lock);
bool test_take_waits(u32 lock, u32 how);
/* The task has given its CPU up since nvcsw was this, and is not back on one. */
bool test_is_asleep(const struct task_struct *task, unsigned long nvcsw);

/* interrupt.c: 0, -EINVAL */
int test_interrupt(const struct taskrt_test_interrupt *arg);

/* steal.c: 0, -EINVAL; -ENXIO: the CPU is offline */
int test_steal(struct taskrt_test_steal *arg);

/* storm.c: may sleep; 0, -EINVAL, -ENOMEM; -ENXIO: the CPU is offline */
int test_storm(const struct taskrt_test_storm *arg);

/* packet.c: both may sleep, under the file's guard; 0, -EINVAL */
int test_packets_delay(struct test_packets *packets, const struct taskrt_test_packets *arg);
void test_packets_forget(struct test_packets *packets);

/* idle.c: both may sleep, under the file's guard; 0, -EINVAL, or an error of the kernel's */
void test_idle_init(void);
int test_idle_deepen(struct test_idle *idle, const struct taskrt_test_idle *arg);
void test_idle_forget(struct test_idle *idle);

/* free.c: both may sleep, under the file's guard; 0, -ENOENT, or an error of the kernel's */
void test_free_init(void);
int test_free_hide(struct tracepoint_func *hidden);
int test_free_show(struct tracepoint_func *hidden);

/* fault.c */
int test_fault_mmap(struct file *filp, struct vm_area_struct *vma);

/*
 * die.c: may sleep; fills die->tid; -EFAULT, -EINVAL, -EOPNOTSUPP.  test_die_in_fault()
 * does not return in a thread that is to die.
 */
int test_die(struct taskrt_test_die *die);
void test_die_in_fault(struct vm_fault *vmf);

/* take.c: what the parameter "take" says; may sleep */
int test_name_take(void);
void test_name_give_back(void);

/* bench.c: may sleep; fills bench->ns */
int test_bench(struct taskrt_test_bench *bench);

/* reader.c */
int test_reader_begin(struct test_file *file);
int test_reader_end(struct test_file *file);

#endif
