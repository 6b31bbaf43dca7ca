// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"
#include "page.h"
#include "tap.h"

#define TRIES		10000000	/* from one look at the clock to the next */
/* How far the writer's clock may be ahead of the reader's. */
#define GUARD_NS	1000

int page_device(void)
{
	int fd = open(TASKRT_DEVICE, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		tap_bail("%s: %s", TASKRT_DEVICE, strerror(errno));
	return fd;
}

unsigned long page_length(const struct taskrt_page *page)
{
	return page->map_size;
}

const struct taskrt_page *page_try(int fd, unsigned long length, int protection, int flags,
				   long offset)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE;
	void *page;

	/* EAGAIN: accounting is being switched on or off. */
	do
		page = mmap(NULL, length, protection, flags, fd, offset);
	while (page == MAP_FAILED && errno == EAGAIN && clock_now() < end);
	return page == MAP_FAILED ? NULL : page;
}

const struct taskrt_page *page_try_all(int fd)
{
	unsigned long unit = sysconf(_SC_PAGESIZE);
	const struct taskrt_page *page = page_try(fd, unit, PROT_READ, MAP_SHARED, 0);
	unsigned long size = page ? page->map_size : 0;

	if (page && size > unit) {
		munmap((void *)page, unit);
		page = page_try(fd, size, PROT_READ, MAP_SHARED, 0);
	}
	return page;
}

const struct taskrt_page *page_map(int fd)
{
	const struct taskrt_page *page = page_try_all(fd);

	if (!page)
		tap_bail("mapping %s: %s", TASKRT_DEVICE, strerror(errno));
	return page;
}

void page_unmap(const struct taskrt_page *page)
{
	if (munmap((void *)page, page_length(page)))
		tap_bail("unmapping %s: %s", TASKRT_DEVICE, strerror(errno));
}

const struct taskrt_page *page_own(void)
{
	int fd = page_device();
	const struct taskrt_page *page = page_map(fd);

	close(fd);
	return page;
}

uint32_t page_status(const struct taskrt_page *page)
{
	return __atomic_load_n(&page->status, __ATOMIC_ACQUIRE);
}

void page_await(const struct taskrt_page *page, uint32_t status)
{
	clock_await(page_status(page) == status, "status of thread %u: %u, never %u", page->tid,
		    page_status(page), status);
	/* The fields that change with it may follow a moment later. */
	clock_await(!((__atomic_load_n(&page->changes[0], __ATOMIC_ACQUIRE) |
		       __atomic_load_n(&page->changes[1], __ATOMIC_ACQUIRE)) & 1),
		    "the page of thread %u changes for ever", page->tid);
}

/* The fields that change, as they were at one instant. */
struct moving {
	uint32_t status, state, in_progress, lock;
	uint64_t since_ns, timers_since_ns[TASKRT_TIMERS_ROOM], now_ns;
	struct taskrt_times times;
	struct taskrt_counts counts;
};

/* Copies word by word: the compiler must not read a word twice. */
static void copy_words(void *to, const void *from, size_t size)
{
	const uint64_t *source = from;
	uint64_t *target = to;
	unsigned int i;

	for (i = 0; i < size / sizeof(*target); i++)
		target[i] = __atomic_load_n(&source[i], __ATOMIC_RELAXED);
}

const void *page_element(const struct taskrt_page *page, const struct taskrt_page_array *array,
			 unsigned int i)
{
	if (!array->offset || i >= array->nr)
		return NULL;
	return (const char *)page + array->offset + (unsigned long)i * array->stride;
}

static void copy_arrays(const struct taskrt_page *page, struct moving *moving)
{
	const void *counts = page_element(page, &page->counts, 0), *since;
	size_t size = page->counts.stride;
	unsigned int i;

	if (counts)
		copy_words(&moving->counts, counts,
			   size < sizeof(moving->counts) ? size : sizeof(moving->counts));
	for (i = 0; i < TASKRT_TIMERS_ROOM; i++) {
		since = page_element(page, &page->timers_since, i);
		if (since)
			copy_words(&moving->timers_since_ns[i], since, sizeof(uint64_t));
	}
}

static void copy_moving(const struct taskrt_page *page, struct moving *moving)
{
	moving->status = page_status(page);
	moving->state = __atomic_load_n(&page->state, __ATOMIC_RELAXED);
	moving->in_progress = __atomic_load_n(&page->in_progress, __ATOMIC_RELAXED);
	moving->lock = __atomic_load_n(&page->lock, __ATOMIC_RELAXED);
	moving->since_ns = __atomic_load_n(&page->since_ns, __ATOMIC_RELAXED);
	copy_words(&moving->times, &page->times, sizeof(moving->times));
	copy_arrays(page, moving);
	moving->now_ns = clock_now() - page->clock_offset_ns;
}

static int try_copy(const struct taskrt_page *page, struct moving *moving)
{
	uint32_t first = __atomic_load_n(&page->changes[0], __ATOMIC_ACQUIRE);
	uint32_t second = __atomic_load_n(&page->changes[1], __ATOMIC_ACQUIRE);

	if ((first | second) & 1)
		return 0;
	copy_moving(page, moving);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return first == __atomic_load_n(&page->changes[0], __ATOMIC_RELAXED) &&
	       second == __atomic_load_n(&page->changes[1], __ATOMIC_RELAXED);
}

static uint64_t since(uint64_t begin, uint64_t now)
{
	return now > begin ? now - begin : 0;
}

static void add_present(struct taskrt_times *times, const struct moving *moving, uint64_t now)
{
	unsigned int timer;
	uint64_t present;

	times->states_ns[moving->state] += now - moving->since_ns;
	for (timer = 0; timer < TASKRT_TIMERS_ROOM; timer++) {
		if (!(moving->in_progress & 1U << timer))
			continue;
		present = since(moving->timers_since_ns[timer], now);
		times->timers_ns[timer] += present;
		if (timer == TASKRT_TIMER_LOCK)
			times->locks_ns[moving->lock] += present;
	}
}

/* The host may not run the writer's CPU for a while. */
static void await_copy(const struct taskrt_page *page, struct moving *moving)
{
	unsigned int tries = TRIES;
	uint64_t end = 0;

	while (!try_copy(page, moving)) {
		if (--tries)
			continue;
		if (end && clock_now() > end)
			tap_bail("thread %u: changes %u and %u, never at rest", page->tid,
				 page->changes[0], page->changes[1]);
		end = end ?: clock_now() + CLOCK_PATIENCE;
		tries = TRIES;
	}
}

void page_read(const struct taskrt_page *page, struct page_copy *copy)
{
	struct moving moving = { 0 };
	uint64_t now;

	await_copy(page, &moving);
	now = moving.now_ns - GUARD_NS;
	if (now < moving.since_ns || moving.status != TASKRT_PAGE_LIVE)
		now = moving.since_ns;
	copy->at_ns = now;
	copy->status = moving.status;
	copy->state = moving.state;
	copy->times = moving.times;
	copy->counts = moving.counts;
	if (moving.status == TASKRT_PAGE_LIVE && moving.state < TASKRT_STATES_ROOM)
		add_present(&copy->times, &moving, now);
}

int page_adds_up(const struct taskrt_page *page, const struct page_copy *copy)
{
	uint64_t sum = 0, tracked = copy->at_ns - page->tracked_since_ns;
	unsigned int i;

	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		sum += copy->times.states_ns[i];
	/* For a reader that does not look at the status, the state says LIVE or not as well. */
	if (sum == tracked &&
	    (copy->status == TASKRT_PAGE_LIVE) == (copy->state != TASKRT_STATE_EXITED))
		return 1;
	tap_diag("tid %u status %u state %u: states %llu, at - tracked_since %llu", page->tid,
		 copy->status, copy->state, (unsigned long long)sum,
		 (unsigned long long)tracked);
	return 0;
}

static int words_fall(const void *earlier, const void *later, size_t size, const char *what)
{
	const uint64_t *before = earlier, *after = later;
	unsigned int i;

	for (i = 0; i < size / sizeof(*after); i++) {
		if (after[i] >= before[i])
			continue;
		tap_diag("word %u of the %s: %llu, then %llu", i, what,
			 (unsigned long long)before[i], (unsigned long long)after[i]);
		return 1;
	}
	return 0;
}

int page_falls(const struct taskrt_times *earlier, const struct taskrt_times *later)
{
	return words_fall(earlier, later, sizeof(*later), "times");
}

int page_copy_falls(const struct page_copy *earlier, const struct page_copy *later)
{
	return page_falls(&earlier->times, &later->times) ||
	       words_fall(&earlier->counts, &later->counts, sizeof(later->counts), "counts");
}

/* At least this many elements of this size follow the fixed part, inside the mapping. */
static int is_inside(const struct taskrt_page *page, const struct taskrt_page_array *array,
		     unsigned int nr, size_t least, const char *what)
{
	if (array->offset >= page->size && array->offset % 8 == 0 && array->stride % 8 == 0 &&
	    array->stride >= least && array->nr >= nr && !array->reserved &&
	    array->offset + (uint64_t)array->nr * array->stride <= page->map_size)
		return 1;
	tap_diag("%s: at %u, %u of %u bytes, in %u", what, array->offset, array->nr, array->stride,
		 page->map_size);
	return 0;
}

int page_is_sound(const struct taskrt_page *page)
{
	const struct taskrt_measured *measured = &page->measured;
	unsigned int states = 32 - __builtin_clz(measured->states | 1);
	unsigned int timers = 32 - __builtin_clz(measured->timers | 1);

	if (page->version != TASKRT_PAGE_VERSION || page->size < TASKRT_PAGE_SIZE ||
	    page->map_size % sysconf(_SC_PAGESIZE) || page->map_size < page->size) {
		tap_diag("version %u, %u bytes of %u", page->version, page->size, page->map_size);
		return 0;
	}
	/* No other timer is ever in progress. */
	return is_inside(page, &page->timers_since, TASKRT_TIMER_LOCK + 1, sizeof(__u64),
			 "timers_since") &
	       is_inside(page, &page->counts, 1, sizeof(struct taskrt_counts), "counts") &
	       is_inside(page, &page->state_intervals, states, sizeof(struct taskrt_intervals),
			 "state_intervals") &
	       is_inside(page, &page->timer_intervals, timers, sizeof(struct taskrt_intervals),
			 "timer_intervals") &
	       is_inside(page, &page->held_states, states, sizeof(__u64), "held_states") &
	       is_inside(page, &page->waker, 1, sizeof(struct taskrt_waker), "waker");
}
