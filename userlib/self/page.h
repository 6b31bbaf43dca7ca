/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading a page while the module changes it, as linux/taskrt_page.h describes:
 *
 *	now = taskrt_page_now(self);
 *	TASKRT_PAGE_TRY(page, counts) {
 *		copy
 *		if (taskrt_page_unchanged(page, counts))
 *			return what was copied
 *	}
 *	return -EAGAIN
 *
 * The clock is read before the copy.  If the page changed in between, the copy is later
 * than that time and is of since_ns, so the result is of one instant in any case, except
 * that an interrupt in between is in its timer already.  This order leaves nothing but
 * self and the result to be kept across the call of the clock.
 */
#ifndef TASKRT_PAGE_READ_H
#define TASKRT_PAGE_READ_H

#include <linux/taskrt_numbers.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "self/handle.h"

#define TASKRT_PAGE_TRIES	64

#define TASKRT_INLINE		static inline __attribute__((always_inline))
#define taskrt_unlikely(x)	__builtin_expect(!!(x), 0)

/* Load a field that may change during the load, once and in one piece. */
#define TASKRT_PAGE_GET(member)	__atomic_load_n(&(member), __ATOMIC_RELAXED)

/* Both counts are in one 64-bit word and are loaded at once. */
typedef uint64_t __attribute__((may_alias)) taskrt_two_counts;
#define TASKRT_PAGE_CHANGING	0x0000000100000001ULL

TASKRT_INLINE uint64_t taskrt_page_counts(const struct taskrt_page *page)
{
	return __atomic_load_n((const taskrt_two_counts *)page->changes, __ATOMIC_ACQUIRE);
}

TASKRT_INLINE void taskrt_page_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield" ::: "memory");
#endif
}

/* The fence orders the copies before it against the second load of the counts. */
TASKRT_INLINE bool taskrt_page_unchanged(const struct taskrt_page *page, uint64_t counts)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n((const taskrt_two_counts *)page->changes, __ATOMIC_RELAXED) == counts;
}

#define TASKRT_PAGE_TRY(page, counts)							\
	for (int tries_ = TASKRT_PAGE_TRIES; tries_; tries_--)				\
		if (counts = taskrt_page_counts(page),					\
		    taskrt_unlikely(counts & TASKRT_PAGE_CHANGING))			\
			taskrt_page_relax();						\
		else

/*
 * The page may be changed while it is copied.  The thread sanitizer accepts this only with atomic
 * words, so it has copies of its own.
 */
#if defined(__SANITIZE_THREAD__)
#define TASKRT_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TASKRT_THREAD_SANITIZER
#endif
#endif
typedef uint64_t taskrt_copied __attribute__((vector_size(16), aligned(8), may_alias));
typedef uint64_t taskrt_wide __attribute__((vector_size(32), aligned(8), may_alias));
typedef uint64_t __attribute__((may_alias)) taskrt_word;

/*
 * Copy @bytes bytes, a multiple of 8, in steps of @width, unrolled if @bytes is small and
 * constant.  A loop would cost 50 instructions more in a snapshot, and memcpy() 31
 * instructions and 8 ns.
 *
 * The loads are plain.  The compiler cannot move them out of the section, which starts
 * with an acquiring load and ends with a fence, and the counts show whether all of them
 * are of one instant.
 */
TASKRT_INLINE void taskrt_page_copy_by(unsigned int width, void *to, const void *from,
				       unsigned int bytes)
{
	unsigned int i = 0;

	(void)width;
#ifndef TASKRT_THREAD_SANITIZER
	if (width == 32)
#pragma GCC unroll 24
		for (; i + 32 <= bytes; i += 32)
			*(taskrt_wide *)((char *)to + i) =
				*(const taskrt_wide *)((const char *)from + i);
#pragma GCC unroll 24
	for (; i + 16 <= bytes; i += 16)
		*(taskrt_copied *)((char *)to + i) =
			*(const taskrt_copied *)((const char *)from + i);
#endif
	for (; i < bytes; i += 8)
		*(taskrt_word *)((char *)to + i) =
			__atomic_load_n((const taskrt_word *)((const char *)from + i),
					__ATOMIC_RELAXED);
}

TASKRT_INLINE void taskrt_page_copy(void *to, const void *from, unsigned int bytes)
{
	taskrt_page_copy_by(16, to, from, bytes);
}

TASKRT_INLINE uint64_t taskrt_page_ns(const struct timespec *time)
{
	return time->tv_sec * 1000000000ULL + time->tv_nsec;
}

/*
 * Return: a time so far behind the clock that all intervals which ended before it are on
 * the page.
 */
TASKRT_INLINE uint64_t taskrt_page_now(const struct taskrt_self *self)
{
	struct timespec now;

	self->clock(CLOCK_MONOTONIC, &now);
	return taskrt_page_ns(&now) - self->behind_ns[taskrt_this_thread() == self->opener];
}

/*
 * Return: the timers that are measured.  The module may start to measure some of them after the
 * mapping.
 */
TASKRT_INLINE uint32_t taskrt_page_measured(const struct taskrt_self *self)
{
	return self->measured.timers |
	       (TASKRT_PAGE_GET(self->page->measured.timers) & TASKRT_TIMERS_FROM_0);
}

TASKRT_INLINE uint64_t taskrt_page_elapsed(uint64_t since, uint64_t now)
{
	return now > since ? now - since : 0;
}

/* Return: element @n, which must be below the array's nr. */
TASKRT_INLINE const void *taskrt_page_element(const struct taskrt_self_array *array,
					      unsigned int n)
{
	return array->first + (size_t)n * array->stride;
}

/*
 * Return: state and in_progress in one word, which saves 3 instructions.  The word is
 * the state alone if no timer is in progress, and 0 if the thread is running then.
 */
TASKRT_INLINE uint64_t taskrt_page_state(const struct taskrt_page *page)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return __atomic_load_n((const taskrt_word *)&page->state, __ATOMIC_RELAXED);
#else
	return (uint64_t)TASKRT_PAGE_GET(page->in_progress) << 32 | TASKRT_PAGE_GET(page->state);
#endif
}

/*
 * Return: true if the state has a time, so that the thread has not ended.  No module has
 * a state that there is no room for, so such a number counts as the end, too.
 */
TASKRT_INLINE bool taskrt_page_lives(uint32_t state)
{
	return state < TASKRT_STATES_ROOM;
}

/* Get the start of each timer in @in_progress.  Return: the timers for which the page has one. */
TASKRT_INLINE uint32_t taskrt_page_timers(const struct taskrt_self *self, uint32_t in_progress,
					  uint64_t since_ns[TASKRT_TIMERS_ROOM])
{
	const struct taskrt_self_array *array = &self->timers_since;
	uint32_t timer, here = 0;

	for (timer = 0; timer < array->nr && in_progress >> timer; timer++) {
		if (!(in_progress >> timer & 1))
			continue;
		since_ns[timer] = __atomic_load_n((const taskrt_word *)
						  taskrt_page_element(array, timer),
						  __ATOMIC_RELAXED);
		here |= 1U << timer;
	}
	return here;
}

/* Add the timers in progress.  A thread that reads itself seldom has any. */
TASKRT_INLINE void taskrt_page_in_progress(const struct taskrt_self *self, uint32_t in_progress,
					   struct taskrt_snapshot *now)
{
	uint32_t lock = TASKRT_PAGE_GET(self->page->lock), timer;
	uint64_t since_ns[TASKRT_TIMERS_ROOM], ns;

	in_progress = taskrt_page_timers(self, in_progress, since_ns);
	for (timer = 0; in_progress >> timer; timer++) {
		if (!(in_progress >> timer & 1))
			continue;
		ns = taskrt_page_elapsed(since_ns[timer], now->at_ns);
		now->times.timers_ns[timer] += ns;
		if (timer == TASKRT_TIMER_LOCK && lock < TASKRT_LOCKS_ROOM)
			now->times.locks_ns[lock] += ns;
	}
}

/*
 * Get the times at @at, with what is in progress.  They are valid if the page is
 * unchanged afterwards.
 */
TASKRT_INLINE void taskrt_page_snapshot(const struct taskrt_self *self, uint64_t at,
					struct taskrt_snapshot *now)
{
	const struct taskrt_page *page = self->page;
	uint64_t since = TASKRT_PAGE_GET(page->since_ns), both = taskrt_page_state(page);
	uint32_t state = both, in_progress = both >> 32;

	taskrt_page_copy(&now->times, &page->times, sizeof(now->times));
	now->at_ns = since;
	now->flags = TASKRT_FINAL;
	if (taskrt_unlikely(!taskrt_page_lives(state)))
		return;
	now->flags = 0;
	if (at > since)
		now->at_ns = at;
	if (taskrt_unlikely(in_progress))
		taskrt_page_in_progress(self, in_progress, now);
	/* A state that is not measured reads 0. */
	if (self->measured.states >> state & 1)
		now->times.states_ns[state] += now->at_ns - since;
}

#endif /* TASKRT_PAGE_READ_H */
