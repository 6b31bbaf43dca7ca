/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's accesses to memory and its barriers, for its code that is built in user space. */
#ifndef KERNEL_MEMORY_H
#define KERNEL_MEMORY_H

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

#endif
