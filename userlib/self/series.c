// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The durations of many windows, counted in buckets.  The width of a bucket is at most
 * 1/2^BITS of its values, so the memory is fixed and the error of a percentile is known.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"
#include "sized.h"

#define BITS		5
#define PER_OCTAVE	(1u << BITS)
#define BUCKETS		((64 - BITS + 1) << BITS)

/* taskrt_series.private_ has the buckets. */
_Static_assert(sizeof(struct taskrt_series) == 16384, "it stands in programs");
_Static_assert(sizeof(((struct taskrt_series *)0)->private_) >= BUCKETS * sizeof(uint64_t),
	       "there is no room for all buckets");

/*
 * There is one bucket for each value below PER_OCTAVE, and PER_OCTAVE of them for each
 * power of two above.
 */
static unsigned int bucket_of(uint64_t ns)
{
	unsigned int shift;

	if (ns < PER_OCTAVE)
		return ns;
	shift = 63 - __builtin_clzll(ns) - BITS;
	return (shift << BITS) + (unsigned int)(ns >> shift);
}

/* Return: the highest value of a bucket. */
static uint64_t bucket_end(unsigned int bucket)
{
	unsigned int shift;

	if (bucket < 2 * PER_OCTAVE)
		return bucket;
	shift = (bucket >> BITS) - 1;
	return (((uint64_t)(bucket & (PER_OCTAVE - 1)) + PER_OCTAVE) << shift) +
	       ((1ULL << shift) - 1);
}

void taskrt_series_init(struct taskrt_series *s, uint64_t deadline_ns, uint64_t period_ns)
{
	memset(s, 0, sizeof(*s));
	s->deadline_ns = deadline_ns;
	s->period_ns = period_ns;
}

static void add_jitter(struct taskrt_series *s, uint64_t begin_ns)
{
	int64_t late = begin_ns - s->last_begin_ns - s->period_ns;

	if (!s->jitter_count || late < s->jitter_min_ns)
		s->jitter_min_ns = late;
	if (!s->jitter_count || late > s->jitter_max_ns)
		s->jitter_max_ns = late;
	s->jitter_abs_sum_ns += late < 0 ? -(uint64_t)late : (uint64_t)late;
	s->jitter_count++;
}

int taskrt_series_add(struct taskrt_series *s, const struct taskrt_window *w)
{
	uint64_t ns = w->elapsed_ns;

	if (!(w->flags & TASKRT_WINDOW_ENDED))
		return -EINVAL;
	if (s->count && s->period_ns)
		add_jitter(s, w->begin_ns);
	s->last_begin_ns = w->begin_ns;
	if (!s->count || ns < s->min_ns)
		s->min_ns = ns;
	if (ns > s->max_ns)
		s->max_ns = ns;
	s->sum_ns += ns;
	s->misses += s->deadline_ns && ns > s->deadline_ns;
	s->private_[bucket_of(ns)]++;
	s->count++;
	return 0;
}

/* Return: the number of windows that must not be longer, rounded up and at least one. */
static uint64_t series_rank(uint64_t count, double percent)
{
	double exact = count * percent / 100;
	uint64_t whole;

	/* 99.9 as a double is a little more than that, and the product may be, of a whole number. */
	exact -= exact * 1e-12;
	whole = exact;

	whole += whole < exact;
	return whole ? whole : 1;
}

uint64_t taskrt_series_percentile(const struct taskrt_series *s, double percent)
{
	uint64_t seen = 0, wanted, end;
	unsigned int i;

	if (!s->count)
		return 0;
	if (!(percent < 100))
		return s->max_ns;
	wanted = series_rank(s->count, percent > 0 ? percent : 0);
	for (i = 0; i < BUCKETS; i++) {
		seen += s->private_[i];
		if (seen >= wanted)
			break;
	}
	end = bucket_end(i);
	return end < s->max_ns ? end : s->max_ns;
}

void taskrt_series_jitter(const struct taskrt_series *s, struct taskrt_jitter *jitter, size_t size)
{
	const struct taskrt_jitter full = {
		.count = s->jitter_count,
		.min_ns = s->jitter_min_ns,
		.max_ns = s->jitter_max_ns,
		.mean_abs_ns = s->jitter_count ? s->jitter_abs_sum_ns / s->jitter_count : 0,
	};

	taskrt_sized_out(jitter, size, &full, sizeof(full));
}
