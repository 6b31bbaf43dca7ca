/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading a page that somebody writes meanwhile, as linux/taskrt_page.h says:
 *
 *	now = taskrt_page_now(self);
 *	TASKRT_PAGE_TRY(page, counts) {
 *		copy
 *		if (taskrt_page_unchanged(page, counts))
 *			return what was copied
 *	}
 *	return -EAGAIN
 *
 * The clock is looked at before the copy.  If something changed in between, what is
 * copied is later than now, and is that of since_ns; so both are of one
 * instant in any case, and nothing but self and the result needs to live
 * across the call.
 */
#ifndef TASKRT_PAGE_READ_H
#define TASKRT_PAGE_READ_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "self/handle.h"

#define TASKRT_PAGE_TRIES	64

#define TASKRT_INLINE		static inline __attribute__((always_inline))
#define taskrt_unlikely(x)	__builtin_expect(!!(x), 0)

/* Of what is being written: once, and whole. */
#define TASKRT_PAGE_GET(member)	__atomic_load_n(&(member), __ATOMIC_RELAXED)

/* Both counts at once; they are in one word of 64 bits. */
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

/* The copies before it are done before the counts are read again. */
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
 * Words that may change meanwhile, bytes of them, a multiple of 8.  The thread sanitizer
 * knows no copy but one of atomic words.
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
 * In steps of width bytes, unrolled where bytes is small and known.  A loop would take 50
 * instructions more for a snapshot, and memcpy() 31 and 8 ns.
 *
 * The loads are plain ones.  The compiler may not move them out of the section, whose
 * beginning is an acquiring load and whose end is a fence, and that they are of one
 * instant is what the counts tell.
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

/* The clock, so far behind that nothing can have ended before it that is not on the page. */
TASKRT_INLINE uint64_t taskrt_page_now(const struct taskrt_self *self)
{
	struct timespec now;

	self->clock(CLOCK_MONOTONIC, &now);
	return taskrt_page_ns(&now) - self->behind_ns[taskrt_this_thread() == self->opener];
}

TASKRT_INLINE uint64_t taskrt_page_elapsed(uint64_t since, uint64_t now)
{
	return now > since ? now - since : 0;
}

/* Element n of an array that has so many. */
TASKRT_INLINE const void *taskrt_page_element(const struct taskrt_self_array *array,
					      unsigned int n)
{
	return array->first + (size_t)n * array->stride;
}

/*
 * State and in_progress, in one word, which takes 3 instructions less: so a state is all
 * that it is below TASKRT_STATES_ROOM.
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
 * In a state that has a time: it lives.  A state for which there is no room is none that
 * any module has, so it is taken for the end, too.
 */
TASKRT_INLINE bool taskrt_page_lives(uint32_t state)
{
	return state < TASKRT_STATES_ROOM;
}

/* Since when each timer of in_progress is; those that the page does not tell are taken out. */
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

/* What a thread is in that another one reads, seldom itself. */
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
 * The times at taskrt_page_now(), what is in progress included; to be believed when the
 * page is unchanged afterwards.
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
	/* What is not measured reads 0. */
	if (self->measured.states >> state & 1)
		now->times.states_ns[state] += now->at_ns - since;
}

#endif /* TASKRT_PAGE_READ_H */
