/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's headers for files of the module that are built in user space: what the hot
 * path (hooks.h) and the writers of messages and pages (messages.h) both need.  The headers
 * that they include themselves, where the machine has none of that name, are empty.
 */
#ifndef TASKRT_STANDIN_KERNEL_H
#define TASKRT_STANDIN_KERNEL_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <linux/types.h>

#define CONFIG_KALLSYMS		1

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;
typedef unsigned int gfp_t;

#define __aligned(n)		__attribute__((aligned(n)))
#define __cold			__attribute__((cold))
#define __percpu
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define noinline		__attribute__((noinline))
#define OPTIMIZER_HIDE_VAR(v)	__asm__("" : "=r" (v) : "0" (v))

#define BIT(n)			(1UL << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define container_of(p, type, member)	((type *)((char *)(p) - offsetof(type, member)))
#define min(a, b)		((a) < (b) ? (a) : (b))
#define max(a, b)		((a) > (b) ? (a) : (b))
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define max_t(type, a, b)	max((type)(a), (type)(b))
#define GOLDEN_RATIO_64		0x61C8864680B583EBull

/* Accesses to memory, and barriers. */
#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v)	(*(volatile __typeof__(x) *)&(x) = (v))
#define data_race(x)		(x)
#define barrier()		__asm__ volatile("" ::: "memory")
#define smp_mb()		__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_wmb()		__atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_rmb()		__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_store_release(p, v)	__atomic_store_n(p, v, __ATOMIC_RELEASE)
#define cpu_relax()		barrier()
#define cond_resched()		((void)0)

/* Nothing runs beside it. */
typedef struct { int unused; } spinlock_t, raw_spinlock_t;
typedef struct { int counter; } atomic_t, refcount_t;
struct rcu_head { void *next, *function; };
struct llist_node { struct llist_node *next; };
struct hlist_node { struct hlist_node *next, **before; };
struct list_head { struct list_head *next, *prev; };

#define atomic_read(a)				READ_ONCE((a)->counter)
#define raw_spin_lock_irqsave(lock, flags)	((void)(lock), (flags) = 0)
#define raw_spin_unlock_irqrestore(lock, flags)	((void)(lock), (void)(flags))
#define rcu_read_lock()				((void)0)
#define rcu_read_unlock()			((void)0)

/* There is one CPU, and no static branch is taken. */
#define DECLARE_PER_CPU(type, name)	extern __typeof__(type) name
#define __this_cpu_read(name)		(name)
#define DECLARE_STATIC_KEY_FALSE(name)	extern int name

#define PAGE_SIZE		4096UL
#define GFP_KERNEL		0
#define GFP_KERNEL_ACCOUNT	0
#define GFP_NOWAIT		0
#define __GFP_NOWARN		0

#define TASK_COMM_LEN		16
#define MAX_RT_PRIO		100
#define PF_KTHREAD		0x200000

#endif /* TASKRT_STANDIN_KERNEL_H */
