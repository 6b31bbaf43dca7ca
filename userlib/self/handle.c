// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A thread's own counters: opening and closing them.
 *
 * The handle is two pages of anonymous memory.  The first one reads zero in a
 * child after fork(2), where the counters are not mapped: so reads notice it
 * without asking anybody.  The second one the child inherits, for closing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"
#include "self/self_netlink.h"
#include "self/page.h"
#include "self/handle.h"
#include "sized.h"

static size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

struct taskrt_self_rest *taskrt_self_rest(const struct taskrt_self *self)
{
	return (struct taskrt_self_rest *)((char *)self + page_size());
}

/*
 * The kernel's own code for reading the clock, without the C library's around it.  That code's
 * struct timespec is of longs, which on machines of 32 bits may not be the program's.
 */
static void set_clock(struct taskrt_self *self)
{
	void *vdso = sizeof(long) < 8 ? NULL :
		     dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);
	void *function = NULL;

	if (vdso) {
		function = dlsym(vdso, "__vdso_clock_gettime");
		if (!function)
			function = dlsym(vdso, "__kernel_clock_gettime");
		dlclose(vdso);
	}
	*(void **)&self->clock = function ? function : (void *)clock_gettime;
}

/* Of the smallest pages that there are. */
_Static_assert(sizeof(struct taskrt_self) <= 4096 && sizeof(struct taskrt_self_rest) <= 4096,
	       "a handle is two pages");

struct taskrt_self *taskrt_self_new(void)
{
	size_t page = page_size();
	struct taskrt_self *self = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct taskrt_self_rest *rest;

	if (self == MAP_FAILED)
		return NULL;
	if (madvise(self, page, MADV_WIPEONFORK)) {
		munmap(self, 2 * page);
		return NULL;
	}
	/* Where it is not allowed, it is there at least. */
	mlock(self, 2 * page);
	self->mine = 1;
	set_clock(self);
	rest = taskrt_self_rest(self);
	rest->fd = -1;
	pthread_mutex_init(&rest->lock, NULL);
	return self;
}

/* What version 1 had, which is the least of any: the fixed part, and elements of its arrays. */
#define PAGE_LEAST	704
#define COUNTS_LEAST	576
#define INTERVALS_LEAST	512

/* More than anybody will ever put on it: what is larger is no size. */
#define MAP_SIZE_MAX	(16U << 20)

size_t taskrt_self_map_size(const struct taskrt_page *page, size_t page_size)
{
	uint32_t size = page->map_size;

	if (!page->version || size < PAGE_LEAST ||
	    size > MAP_SIZE_MAX || size % page_size)
		return 0;
	return size;
}

/* What this library knows of an array: of an element from least to most bytes; and how many. */
struct known {
	uint32_t least;
	uint32_t most;
	uint32_t nr;
};

static uint32_t min(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* A later module's elements may be longer, and more, and they lie on the page all the same. */
static int find_array(struct taskrt_self_array *array, const struct taskrt_page *page,
		      const struct taskrt_page_array *told, const struct known *known)
{
	uint64_t last;

	*array = (struct taskrt_self_array){ 0 };
	if (!told->offset || !told->nr)
		return 0;
	last = told->offset + (told->nr - 1) * (uint64_t)told->stride;
	if (told->stride < known->least || last + known->least > page->map_size ||
	    (told->offset | told->stride) % 8)
		return -EPROTO;
	array->first = (const char *)page + told->offset;
	array->stride = told->stride;
	array->nr = min(told->nr, known->nr);
	array->bytes = min(min(told->stride, known->most), page->map_size - last);
	return 0;
}

static int find_arrays(struct taskrt_self *self, const struct taskrt_page *page)
{
	const struct known timers_since = { 8, 8, TASKRT_TIMERS_ROOM };
	/* Also values that this library does not know: a reading has room for them. */
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
	       find_array(&self->timer_intervals, page, &page->timer_intervals, &timers) ?
	       -EPROTO : 0;
}

int taskrt_self_attach(struct taskrt_self *self, const struct taskrt_page *page)
{
	if (!page->version || page->size < PAGE_LEAST ||
	    page->map_size < page->size || find_arrays(self, page))
		return -EPROTO;
	self->measured = page->measured;
	memcpy(taskrt_self_rest(self)->parent, page->parent, sizeof(page->parent));
	self->read_own = taskrt_read_own(&self->measured);
	self->behind_ns[true] = page->clock_offset_ns + TASKRT_BEHIND_OWN_NS;
	self->behind_ns[false] = page->clock_offset_ns + TASKRT_BEHIND_OTHERS_NS;
	self->last_ns = 0;
	self->page = page;
	self->opener = taskrt_this_thread();
	return 0;
}

/* EAGAIN: accounting is just being switched on or off. */
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

/* The first page says how many there are. */
static int map_all(int fd, size_t page_size, struct taskrt_self_rest *rest, void **all)
{
	void *first = map_device(fd, page_size);
	int err = 0;

	if (first == MAP_FAILED)
		return -errno;
	rest->length = taskrt_self_map_size(first, page_size);
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

static int map(struct taskrt_self *self)
{
	struct taskrt_self_rest *rest = taskrt_self_rest(self);
	void *mapped = NULL;
	int err;

	rest->fd = open(TASKRT_DEVICE, O_RDONLY | O_CLOEXEC);
	if (rest->fd < 0)
		return -errno;
	err = map_all(rest->fd, page_size(), rest, &mapped);
	if (err)
		return err;
	err = taskrt_self_attach(self, mapped);
	if (err)
		munmap(mapped, rest->length);
	return err;
}

static void touch_window(const struct taskrt_window *w)
{
	struct taskrt_explanation explanation;
	struct taskrt_jitter jitter;
	struct taskrt_series series;
	char line[8];

	taskrt_window_explain(w, &explanation, sizeof(explanation));
	taskrt_explanation_format(&explanation, sizeof(explanation), 0, line, sizeof(line));
	taskrt_series_init(&series, 0, 0);
	taskrt_series_add(&series, w);
	taskrt_series_percentile(&series, 50);
	taskrt_series_jitter(&series, &jitter, sizeof(jitter));
}

static void touch_stage(struct taskrt_self *self)
{
	struct taskrt_stage stage;
	char line[8];

	taskrt_stage_init(&stage, "");
	taskrt_stage_begin(&stage, self);
	taskrt_stage_end(&stage);
	taskrt_stage_merge(&stage, &stage);
	taskrt_stage_format(&stage, line, sizeof(line));
}

static int touch_page(struct taskrt_self *self)
{
	const uint32_t groups = TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST;
	struct taskrt_measured measured;
	struct taskrt_reading reading;

	taskrt_self_measured(self, &measured, sizeof(measured));
	return taskrt_self_get(self, groups, &reading, sizeof(reading));
}

/* What is seldom run is there when it is. */
static void touch_seldom(struct taskrt_self *self)
{
	const void *opener = self->opener;
	struct taskrt_snapshot now;

	self->opener = NULL;
	taskrt_self_read(self, &now);
	self->opener = opener;
}

/*
 * Everything is called and looked at once: what is mapped late is there then.
 * taskrt_histogram_open() does the same for what needs one.
 */
static int touch(struct taskrt_self *self)
{
	struct taskrt_window w;
	int err;

	taskrt_window_begin(&w, self);
	err = taskrt_window_end(&w);
	if (err)
		return err;
	touch_seldom(self);
	touch_window(&w);
	touch_stage(self);
	return touch_page(self);
}

static bool no_device(int err)
{
	return err == -ENOENT || err == -EACCES || err == -ENXIO || err == -ENODEV ||
	       err == -EOPNOTSUPP;
}

static int open_self(struct taskrt_self *self, unsigned int flags)
{
	int err = map(self);

	if (!err)
		return touch(self);
	if (!no_device(err) || flags & TASKRT_SELF_MAPPED)
		return err;
	return taskrt_ask_open(self);
}

int taskrt_self_open(struct taskrt_self **self, unsigned int flags)
{
	struct taskrt_self *new;
	int err;

	if (!self)
		return -EINVAL;
	*self = NULL;
	if (flags & ~TASKRT_SELF_MAPPED)
		return -EINVAL;
	new = taskrt_self_new();
	if (!new)
		return -ENOMEM;
	err = open_self(new, flags);
	if (err)
		taskrt_self_close(new);
	else
		*self = new;
	return err;
}

/* In a child nothing of it is mapped at page, or something that is not ours. */
void taskrt_self_close(struct taskrt_self *self)
{
	struct taskrt_self_rest *rest;

	if (!self)
		return;
	rest = taskrt_self_rest(self);
	if (self->page && rest->length)
		munmap((void *)self->page, rest->length);
	if (rest->fd >= 0)
		close(rest->fd);
	taskrt_close(rest->handle);
	munmap(self, 2 * page_size());
}

int taskrt_self_mapped(const struct taskrt_self *self)
{
	return self && self->page;
}

int taskrt_self_measured(const struct taskrt_self *self, struct taskrt_measured *measured,
			 size_t size)
{
	if (!self || !measured || size < TASKRT_MEASURED_MIN)
		return -EINVAL;
	if (!self->mine)
		return -ECHILD;
	taskrt_sized_out(measured, size, &self->measured, sizeof(self->measured));
	return 0;
}

int taskrt_self_alert(struct taskrt_self *self, const char *tag)
{
	struct taskrt_alert_request alert = { .tag = "" };
	size_t i;

	if (!self)
		return -EINVAL;
	if (!self->mine)
		return -ECHILD;
	if (!self->page)
		return -EOPNOTSUPP;
	for (i = 0; tag && tag[i] && i < sizeof(alert.tag) - 1; i++)
		alert.tag[i] = tag[i];
	return ioctl(taskrt_self_rest(self)->fd, TASKRT_IOC_ALERT, &alert) ? -errno : 0;
}
