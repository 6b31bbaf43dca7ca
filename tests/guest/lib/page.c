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
/* What the writer's clock may be ahead of the reader's. */
#define GUARD_NS	1000

int page_device(void)
{
	int fd = open(TASKRT_DEVICE, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		tap_bail("%s: %s", TASKRT_DEVICE, strerror(errno));
	return fd;
}

unsigned long page_length(void)
{
	unsigned long unit = sysconf(_SC_PAGESIZE);

	return (TASKRT_PAGE_SIZE + unit - 1) / unit * unit;
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

const struct taskrt_page *page_map(int fd)
{
	const struct taskrt_page *page = page_try(fd, page_length(), PROT_READ, MAP_SHARED, 0);

	if (!page)
		tap_bail("mapping %s: %s", TASKRT_DEVICE, strerror(errno));
	return page;
}

void page_unmap(const struct taskrt_page *page)
{
	if (munmap((void *)page, page_length()))
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
	uint64_t end = clock_now() + CLOCK_PATIENCE;

	while (page_status(page) != status) {
		if (clock_now() > end)
			tap_bail("status of thread %u: %u, never %u", page->tid,
				 page_status(page), status);
		clock_sleep(MS);
	}
	/* What goes with it may be a moment behind. */
	while ((__atomic_load_n(&page->changes[0], __ATOMIC_ACQUIRE) |
		__atomic_load_n(&page->changes[1], __ATOMIC_ACQUIRE)) & 1)
		clock_sleep(MS);
}

/* The fields that move, as they were at one instant. */
struct moving {
	uint32_t status, state, in_progress, lock;
	uint64_t since_ns, fault_since_ns, lock_since_ns, now_ns;
	struct taskrt_totals totals;
};

/* Word by word: the compiler must not read one twice. */
static void copy_totals(struct taskrt_totals *to, const struct taskrt_totals *from)
{
	const uint64_t *source = (const uint64_t *)from;
	uint64_t *target = (uint64_t *)to;
	unsigned int i;

	for (i = 0; i < sizeof(*to) / sizeof(*target); i++)
		target[i] = __atomic_load_n(&source[i], __ATOMIC_RELAXED);
}

static void copy_moving(const struct taskrt_page *page, struct moving *moving)
{
	moving->status = page_status(page);
	moving->state = __atomic_load_n(&page->state, __ATOMIC_RELAXED);
	moving->in_progress = __atomic_load_n(&page->in_progress, __ATOMIC_RELAXED);
	moving->lock = __atomic_load_n(&page->lock, __ATOMIC_RELAXED);
	moving->since_ns = __atomic_load_n(&page->since_ns, __ATOMIC_RELAXED);
	moving->fault_since_ns = __atomic_load_n(&page->fault_since_ns, __ATOMIC_RELAXED);
	moving->lock_since_ns = __atomic_load_n(&page->lock_since_ns, __ATOMIC_RELAXED);
	copy_totals(&moving->totals, &page->totals);
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

static void add_present(struct taskrt_totals *totals, const struct moving *moving, uint64_t now)
{
	uint64_t waited;

	totals->states_ns[moving->state] += now - moving->since_ns;
	if (moving->in_progress & TASKRT_IN_FAULT)
		totals->page_fault_time_ns += since(moving->fault_since_ns, now);
	if (!(moving->in_progress & TASKRT_IN_LOCK))
		return;
	waited = since(moving->lock_since_ns, now);
	totals->lock_contention_time_ns += waited;
	totals->lock_time_ns[moving->lock] += waited;
}

/* The writer's CPU may be one that the host does not run for a while. */
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
	copy->totals = moving.totals;
	if (moving.status == TASKRT_PAGE_LIVE && moving.state < TASKRT_NR_STATES)
		add_present(&copy->totals, &moving, now);
}

int page_adds_up(const struct taskrt_page *page, const struct page_copy *copy)
{
	uint64_t sum = 0, tracked = copy->at_ns - page->tracked_since_ns;
	unsigned int i;

	for (i = 0; i < TASKRT_NR_STATES; i++)
		sum += copy->totals.states_ns[i];
	if (sum == tracked)
		return 1;
	tap_diag("tid %u status %u state %u: states %llu, at - tracked_since %llu", page->tid,
		 copy->status, copy->state, (unsigned long long)sum,
		 (unsigned long long)tracked);
	return 0;
}

int page_falls(const struct taskrt_totals *earlier, const struct taskrt_totals *later)
{
	const uint64_t *before = (const uint64_t *)earlier, *after = (const uint64_t *)later;
	unsigned int i;

	for (i = 0; i < sizeof(*later) / sizeof(*after); i++) {
		if (after[i] >= before[i])
			continue;
		tap_diag("word %u of the totals: %llu, then %llu", i,
			 (unsigned long long)before[i], (unsigned long long)after[i]);
		return 1;
	}
	return 0;
}
