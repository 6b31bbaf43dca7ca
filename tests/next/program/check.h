/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks that go on after a failure, and memory with guards around it. */
#ifndef TASKRT_NEXT_CHECK_H
#define TASKRT_NEXT_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern unsigned int checks_failed, checks_done;

/* What is being checked, for the reader of a failure. */
extern const char *checking;

#define CHECK(condition)	check_true(condition, #condition, __FILE__, __LINE__)
#define EQUAL(a, b)		check_equal(a, b, #a, #b, __FILE__, __LINE__)

static inline void check_true(bool fine, const char *text, const char *file, int line)
{
	checks_done++;
	if (fine)
		return;
	checks_failed++;
	printf("# %s:%d: %s: not so: %s\n", file, line, checking, text);
}

static inline void check_equal(long long a, long long b, const char *a_text, const char *b_text,
			       const char *file, int line)
{
	checks_done++;
	if (a == b)
		return;
	checks_failed++;
	printf("# %s:%d: %s: %s is %lld, not %s, %lld\n", file, line, checking, a_text, a,
	       b_text, b);
}

/*
 * Memory between guard bytes, full of a value that no call leaves there.  guarded_check()
 * frees it, and checks that nothing was written beside it.
 */
#define GUARD		64
#define GUARD_BYTE	0xa5

static inline void *guarded(size_t size)
{
	unsigned char *all = malloc(GUARD + size + GUARD);

	if (!all)
		abort();
	memset(all, GUARD_BYTE, GUARD + size + GUARD);
	return all + GUARD;
}

static inline bool guard_is_whole(const unsigned char *guard)
{
	for (int i = 0; i < GUARD; i++)
		if (guard[i] != GUARD_BYTE)
			return false;
	return true;
}

static inline void guarded_check(void *p, size_t size)
{
	unsigned char *at = p;

	CHECK(guard_is_whole(at - GUARD));
	CHECK(guard_is_whole(at + size));
	free(at - GUARD);
}

static inline bool all_bytes(const void *p, size_t from, size_t to, unsigned char value)
{
	const unsigned char *bytes = p;

	for (; from < to; from++)
		if (bytes[from] != value)
			return false;
	return true;
}

#endif /* TASKRT_NEXT_CHECK_H */
