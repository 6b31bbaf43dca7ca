// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A thread's own counters: mapping the page that the module writes, and finding on it
 * the arrays that this library knows.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"
#include "self/handle.h"
#include "self/mapping.h"
#include "self/snapshot.h"

/*
 * The sizes of version 1, which later versions never go below: of the fixed part, and of
 * the elements of arrays.
 */
#define PAGE_LEAST	704
#define COUNTS_LEAST	704
#define INTERVALS_LEAST	512

/* A limit that no module will reach.  A larger size is invalid. */
#define MAP_SIZE_MAX	(16U << 20)

size_t taskrt_mapping_size(const struct taskrt_page *page, size_t page_size)
{
	uint32_t size = page->map_size;

	if (!page->version || size < PAGE_LEAST ||
	    size > MAP_SIZE_MAX || size % page_size)
		return 0;
	return size;
}

/*
 * What this library knows of an array: the size that an element must have, the size that
 * is used of it, and the number of elements.
 */
struct known {
	uint32_t least;
	uint32_t most;
	uint32_t nr;
};

static uint32_t min(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/*
 * The elements of a later module may be longer, and there may be more of them.  All must
 * be on the page.
 */
static int find_array(struct taskrt_self_array *array, const struct taskrt_page *page,
		      const struct taskrt_page_array *layout, const struct known *known)
{
	uint64_t last;

	*array = (struct taskrt_self_array){ 0 };
	if (!layout->offset || !layout->nr)
		return 0;
	last = layout->offset + (layout->nr - 1) * (uint64_t)layout->stride;
	if (layout->stride < known->least || last + known->least > page->map_size ||
	    (layout->offset | layout->stride) % 8)
		return -EPROTO;
	array->first = (const char *)page + layout->offset;
	array->stride = layout->stride;
	array->nr = min(layout->nr, known->nr);
	array->bytes = min(min(layout->stride, known->most), page->map_size - last);
	return 0;
}

static int find_arrays(struct taskrt_self *self, const struct taskrt_page *page)
{
	const struct known timers_since = { 8, 8, TASKRT_TIMERS_ROOM };
	const struct known held_states = { 8, 8, TASKRT_STATES_ROOM };
	const struct known waker = {
		sizeof(struct taskrt_waker), sizeof(struct taskrt_waker), 1,
	};
	/* A reading has room for counts that this library does not know. */
	const struct known counts = {
		COUNTS_LEAST, sizeof(((struct taskrt_reading *)0)->counts_room), 1,
	};
	const struct known states = {
		INTERVALS_LEAST, sizeof(struct taskrt_intervals), TASKRT_STATES_ROOM,
	};
	const struct known timers = {
		INTERVALS_LEAST, sizeof(struct taskrt_intervals), TASKRT_TIMERS_ROOM,
	};

	return find_array(&self->timers_since, page, &page->timers_since, &timers_since) ||
	       find_array(&self->counts, page, &page->counts, &counts) ||
	       find_array(&self->state_intervals, page, &page->state_intervals, &states) ||
	       find_array(&self->timer_intervals, page, &page->timer_intervals, &timers) ||
	       find_array(&self->held_states, page, &page->held_states, &held_states) ||
	       find_array(&self->waker, page, &page->waker, &waker) ?
	       -EPROTO : 0;
}

int taskrt_mapping_attach(struct taskrt_self *self, const struct taskrt_page *page)
{
	if (!page->version || page->size < PAGE_LEAST ||
	    page->map_size < page->size || find_arrays(self, page))
		return -EPROTO;
	self->measured = page->measured;
	memcpy(taskrt_self_rest(self)->parent, page->parent, sizeof(page->parent));
	self->read_own = taskrt_snapshot_reader(&self->measured);
	self->behind_ns[true] = page->clock_offset_ns + TASKRT_BEHIND_OWN_NS;
	self->behind_ns[false] = page->clock_offset_ns + TASKRT_BEHIND_OTHERS_NS;
	self->last_ns = 0;
	self->page = page;
	self->opener = taskrt_this_thread();
	return 0;
}

/*
 * EAGAIN means that accounting is being switched on or off, or that counters that the user has
 * unmapped are not freed yet.  Neither takes long.
 */
static void *map_device(int fd, size_t length)
{
	const struct timespec pause = { .tv_nsec = 10 * 1000 * 1000 };
	void *mapped;
	int tries = 100;

	do {
		mapped = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0);
		if (mapped != MAP_FAILED || errno != EAGAIN)
			break;
		nanosleep(&pause, NULL);
	} while (--tries);
	return mapped;
}

/* The first page has the size of the whole mapping. */
static int map_all(int fd, size_t page_size, struct taskrt_self_rest *rest, void **all)
{
	void *first = map_device(fd, page_size);
	int err = 0;

	if (first == MAP_FAILED)
		return -errno;
	rest->length = taskrt_mapping_size(first, page_size);
	if (rest->length) {
		*all = map_device(fd, rest->length);
		if (*all == MAP_FAILED)
			err = -errno;
	} else {
		err = -EPROTO;
	}
	munmap(first, page_size);
	return err;
}

static int attach_device(struct taskrt_self *self, struct taskrt_self_rest *rest)
{
	void *mapped = NULL;
	int err = map_all(rest->fd, sysconf(_SC_PAGESIZE), rest, &mapped);

	if (err)
		return err;
	err = taskrt_mapping_attach(self, mapped);
	if (err)
		munmap(mapped, rest->length);
	return err;
}

int taskrt_mapping_open(struct taskrt_self *self)
{
	struct taskrt_self_rest *rest = taskrt_self_rest(self);
	int err;

	rest->fd = open(TASKRT_DEVICE, O_RDONLY | O_CLOEXEC);
	if (rest->fd < 0)
		return -errno;
	err = attach_device(self, rest);
	if (err) {
		/* Open, it would keep the module from being removed. */
		close(rest->fd);
		rest->fd = -1;
	}
	return err;
}
