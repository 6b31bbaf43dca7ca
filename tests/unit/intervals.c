// SPDX-License-Identifier: GPL-2.0-only
/*
 * The intervals of a page against the list of all intervals: every count, and the longest
 * since any instant, exact wherever the page says that it is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/intervals.h"
#include "tap.h"

#define MANY	200000	/* at most */

static u32 many = 20000;

static struct taskrt_longest history[MANY];
static u64 seed = 88172645463325252ULL;

static u64 roll(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* All orders of magnitude are equally likely, because the exponent is rolled first. */
static u64 length(int bits)
{
	return 1 + (roll() >> (63 - roll() % bits));
}

static u64 end_of(const struct taskrt_longest *l)
{
	return l->at_ns + l->ns;
}

/* The longest interval, found by looking at each. */
static struct taskrt_longest longest_since(u32 n, u64 since)
{
	struct taskrt_longest longest = { 0 };

	while (n-- && end_of(&history[n]) >= since)
		if (history[n].ns > longest.ns)
			longest = history[n];
	return longest;
}

/* The answer that a reader of the page finds. */
static struct taskrt_longest asked_since(const struct taskrt_intervals *in, u64 since)
{
	u32 i;

	for (i = 0; i < in->nr_peaks; i++)
		if (end_of(&in->peaks[i]) >= since)
			return in->peaks[i];
	return (struct taskrt_longest){ 0 };
}

static int check_counts(const struct taskrt_intervals *in, u32 n)
{
	u32 counts[TASKRT_BUCKETS] = { 0 };
	u32 i, bucket;

	for (i = 0; i < n; i++) {
		for (bucket = 0; bucket < TASKRT_BUCKETS - 1 &&
		     history[i].ns >> (bucket + 1); bucket++)
			;
		counts[bucket]++;
	}
	return !memcmp(counts, in->buckets, sizeof(counts));
}

static int check_longest(const struct taskrt_intervals *in, u32 n)
{
	struct taskrt_longest is, said;
	int i;

	for (i = 0; i < 40; i++) {
		u64 since = end_of(&history[n - 1 - roll() % (i < 20 ? (n < 50 ? n : 50) : n)]);

		is = longest_since(n, since);
		said = asked_since(in, since);
		if (since > in->dropped_ns ? is.ns != said.ns : is.ns < said.ns)
			return 0;
	}
	return 1;
}

static int check_order(const struct taskrt_intervals *in, u32 n)
{
	u32 i;

	for (i = 1; i < in->nr_peaks; i++)
		if (in->peaks[i].ns >= in->peaks[i - 1].ns ||
		    in->peaks[i].at_ns <= in->peaks[i - 1].at_ns)
			return 0;
	return in->nr_peaks >= 1 && in->nr_peaks <= TASKRT_PEAKS &&
	       in->peaks[in->nr_peaks - 1].at_ns == history[n - 1].at_ns;
}

static void run(const char *name, u64 (*next)(u32 n))
{
	struct taskrt_intervals in;
	u64 now = 1000;
	u32 n;
	int good = 1;

	memset(&in, 0, sizeof(in));
	for (n = 0; n < many && good; n++) {
		history[n] = (struct taskrt_longest){ .ns = next(n), .at_ns = now };
		now = end_of(&history[n]) + roll() % 1000;
		intervals_add(&in, history[n].ns, history[n].at_ns);
		if (n % 1000 < 40)
			good = check_longest(&in, n + 1) && check_order(&in, n + 1);
	}
	good = good && check_counts(&in, n);
	tap_ok(good, "%s", name);
}

static u64 any(u32 n)
{
	return length(45);
}

static u64 equal(u32 n)
{
	return 1000;
}

/* The worst: each is shorter than the one before, so that none may be forgotten. */
static u64 falling(u32 n)
{
	return 1000000 - n % 1000000;
}

static u64 rising(u32 n)
{
	return 1 + n;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		many = strtoul(argv[1], NULL, 10);
	if (!many || many > MANY) {
		fprintf(stderr, "usage: intervals [NUMBER]: 1 to %u, usually 20000\n", MANY);
		return 2;
	}
	run("of any length", any);
	run("all alike", equal);
	run("each shorter than before", falling);
	run("each longer than before", rising);
	return tap_done();
}
