// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which threads of a round are shown, and in what order.
 *
 * A screen shows fifty of twenty thousand threads.  So the best ones so far are kept in a heap with
 * the worst of them on top, and only these are sorted at the end.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "top/order.h"

static int by_tid(const void *tid, const void *row)
{
	const uint32_t wanted = *(const uint32_t *)tid, found = ((const struct top_row *)row)->tid;

	return wanted < found ? -1 : wanted > found;
}

/* A process has the name of its main thread. */
static int is_named(const struct top_round *round, const struct top_row *row, const char *name)
{
	const struct top_row *main_thread = bsearch(&row->tgid, round->rows, round->count,
						    sizeof(*row), by_tid);

	return main_thread && target_is_name(name, main_thread->comm);
}

int top_order_next(struct top_round *round, struct taskrt *handle, const struct top_want *want,
		   uint32_t groups)
{
	int error = top_round_next(round, handle, want->tgid, groups);
	size_t i;

	if (error || !*want->name)
		return error;
	for (i = 0; i < round->count; i++)
		if (is_named(round, &round->rows[i], want->name))
			return 0;
	return -ESRCH;
}

static int matches(const struct top_round *round, const struct top_row *row,
		   const struct top_want *want)
{
	if (want->tgid && row->tgid != (uint32_t)want->tgid)
		return 0;
	if (*want->name && !is_named(round, row, want->name))
		return 0;
	if (want->by_user && row->uid != want->uid)
		return 0;
	return !want->rt || top_class_is_rt(&row->class);
}

/* The smaller key comes first.  Unknown values come last in either order. */
static double key(const struct top_row *row, const struct top_want *want)
{
	double value = top_column_value(want->sort, row);

	if (value == TOP_UNKNOWN)
		return HUGE_VAL;
	return top_columns[want->sort].ascending != want->reverse ? value : -value;
}

/* Most threads do not wait: of these, the busiest ones come first. */
static double second(const struct top_row *row, const struct top_want *want)
{
	double value;

	if (want->sort != TOP_COLUMN_WAIT)
		return 0;
	value = top_column_value(TOP_COLUMN_CPU, row);
	if (value == TOP_UNKNOWN)
		return HUGE_VAL;
	return want->reverse ? value : -value;
}

/* With a filter by process or class, and in JSON, each thread has its own row. */
static int folds(const struct top_want *want)
{
	return !want->tgid && !*want->name && !want->rt && !want->json;
}

/* Never 0 for two threads, so that the order is stable. */
static int compare(const void *one, const void *other, void *arg)
{
	const struct top_place *a = one, *b = other;
	const struct top_want *want = arg;
	int difference = 0;

	if (want->sort == TOP_COLUMN_COMM)
		difference = strncmp(a->row->comm, b->row->comm, sizeof(a->row->comm));
	if (difference)
		return want->reverse ? -difference : difference;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->second != b->second)
		return a->second < b->second ? -1 : 1;
	return a->row->tid < b->row->tid ? -1 : a->row->tid > b->row->tid;
}

/* Restore the heap below i. */
static void sink(struct top_place *heap, size_t count, size_t i, const struct top_want *want)
{
	const struct top_place place = heap[i];
	size_t below;

	while ((below = 2 * i + 1) < count) {
		if (below + 1 < count &&
		    compare(&heap[below], &heap[below + 1], (void *)want) < 0)
			below++;
		if (compare(&place, &heap[below], (void *)want) >= 0)
			break;
		heap[i] = heap[below];
		i = below;
	}
	heap[i] = place;
}

/* Move the first ones to the front, in any order. */
static void select_first(struct top_order *order, const struct top_want *want)
{
	size_t i;

	for (i = order->count / 2; i-- > 0; )
		sink(order->places, order->count, i, want);
	for (i = order->count; i < order->matching; i++) {
		if (compare(&order->places[i], &order->places[0], (void *)want) > 0)
			continue;
		order->places[0] = order->places[i];
		sink(order->places, order->count, 0, want);
	}
}

static void add_mean(struct top_order *order, const struct top_row *row)
{
	int share, measured;

	for (share = 0; row->known && row->base_ns && share < NR_SHARES; share++) {
		uint64_t ns = top_row_share_ns(row, share, &measured);

		if (!measured)
			continue;
		if (order->mean[share] == TOP_UNKNOWN)
			order->mean[share] = 0;
		order->mean[share] += (double)ns / (double)row->base_ns;
	}
}

void top_order_make(struct top_order *order, struct top_round *round, const struct top_want *want,
		    size_t first)
{
	size_t i;

	*order = (struct top_order){ .places = memory_new(round->count, sizeof(*order->places)) };
	for (i = 0; i < NR_SHARES; i++)
		order->mean[i] = TOP_UNKNOWN;
	for (i = 0; i < round->count; i++) {
		struct top_row *row = &round->rows[i];

		if (!matches(round, row, want))
			continue;
		add_mean(order, row);
		if (folds(want) && row->kernel && top_row_is_asleep(row))
			order->idle++;
		else
			order->places[order->matching++] = (struct top_place){
				row, key(row, want), second(row, want)
			};
	}
	order->count = first && first < order->matching ? first : order->matching;
	if (order->count && order->count < order->matching)
		select_first(order, want);
	qsort_r(order->places, order->count, sizeof(*order->places), compare, (void *)want);
}

void top_order_free(struct top_order *order)
{
	free(order->places);
	*order = (struct top_order){ 0 };
}
