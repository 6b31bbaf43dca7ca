/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The engine's environment: integer types, and primitives for a record with one writer and many
 * readers.  In the kernel a sequence count makes torn accesses harmless.  In user space the
 * accesses are relaxed atomics, so that a race detector can judge them.
 *
 * shared_load() loads once, so that a tested value can serve as an index.  A group's writer loads
 * the state with it, because others may set the mark at any time.  It reads the other fields of
 * the group as plain variables.  The thread itself reads fields that its interrupts write with
 * shared_peek(), between barriers.
 */
#ifndef TASKRT_RECORD_ENV_H
#define TASKRT_RECORD_ENV_H

#ifdef __KERNEL__

#include <linux/types.h>
#include <linux/compiler.h>
#include <linux/string.h>
#include <asm/barrier.h>
#include <asm/processor.h>

#define shared_store(p, v)	(*(p) = (v))
#define shared_add(p, v)	(*(p) += (v))
#define shared_count(p)		data_race(++*(p))
#define shared_load(p)		data_race(READ_ONCE(*(p)))
#define shared_peek(p)		data_race(*(p))

#else /* user space: tests */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/cdefs.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;

#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#define smp_wmb()		__atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_rmb()		__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define OPTIMIZER_HIDE_VAR(v)	__asm__("" : "+r" (v))
#define cpu_relax()		__atomic_signal_fence(__ATOMIC_SEQ_CST)
#define barrier()		__atomic_signal_fence(__ATOMIC_SEQ_CST)

#define shared_store(p, v)	__atomic_store_n(p, (v), __ATOMIC_RELAXED)
#define shared_add(p, v)	shared_store(p, *(p) + (v))
#define shared_count(p)		shared_add(p, 1)
#define shared_load(p)		__atomic_load_n(p, __ATOMIC_RELAXED)
#define shared_peek(p)		shared_load(p)

#endif /* __KERNEL__ */

/* Before a loop that copies a constant number of elements: otherwise compilers do not unroll it. */
#ifdef __clang__
#define copy_unrolled		_Pragma("clang loop unroll(full)")
#else
#define copy_unrolled		_Pragma("GCC unroll 64")
#endif

#endif /* TASKRT_RECORD_ENV_H */
