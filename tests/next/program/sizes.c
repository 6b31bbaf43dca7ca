// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each call with a size, from nothing to twice what this program knows.  What is filled
 * is the beginning of what a large one is filled with, or it is refused and left alone;
 * and not a byte beside it is touched.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "fake_kernel.h"
#include "parts.h"
#include "scenario.h"
#include "told.h"
#include "world.h"

static struct taskrt *handle;
static struct taskrt_self *self;
static struct taskrt_histogram *histogram;
static struct taskrt_window window;
static struct taskrt_reading before, after;
static char bytes[65536];

typedef int (*fill_fn)(void *to, size_t size);

static bool near(size_t size, size_t edge)
{
	return size + 9 > edge && size < edge + 9;
}

/* All sizes that may be special, and some of the others, because all of them would take long. */
static bool is_tried(size_t size, size_t least, size_t known)
{
	return size < 64 || size % 53 == 0 || near(size, least) || near(size, known) ||
	       near(size, 2 * known);
}

/* If least is 0, every size is filled, except perhaps 0. */
static void filled(const char *what, fill_fn fill, size_t least, size_t known, int fine)
{
	unsigned char *full = guarded(2 * known), *at;
	size_t size;

	checking = what;
	EQUAL(fill(full, 2 * known), fine);
	for (size = 0; size <= 2 * known; size++) {
		int err;

		if (!is_tried(size, least, known))
			continue;
		at = guarded(size);
		err = fill(at, size);
		if (size < least || (!size && err == -EINVAL)) {
			EQUAL(err, -EINVAL);
			CHECK(all_bytes(at, 0, size, GUARD_BYTE));
		} else {
			EQUAL(err, fine);
			CHECK(!memcmp(at, full, size));
		}
		guarded_check(at, size);
	}
	guarded_check(full, 2 * known);
}

static int get(void *to, size_t size)
{
	return taskrt_get(handle, TASKRT_ENTITY_THREAD, TID, ALL_GROUPS, to, size);
}

struct kept {
	void *to;
	size_t size;
};

static int keep(const struct taskrt_reading *reading, void *arg)
{
	const struct kept *kept = arg;

	memcpy(kept->to, reading, kept->size);
	return 0;
}

static int each_reading(void *to, size_t size)
{
	const struct taskrt_query query = { .groups = ALL_GROUPS };
	struct kept kept = { to, size };

	return taskrt_each(handle, &query, sizeof(query), size, keep, &kept);
}

static int self_get(void *to, size_t size)
{
	return taskrt_self_get(self, ALL_GROUPS, to, size);
}

static int diff(void *to, size_t size)
{
	struct taskrt_reading *b = guarded(size), *a = guarded(size);
	const size_t both = size < sizeof(after) ? size : sizeof(after);
	int err;

	memset(b, 0, size);
	memset(a, 0, size);
	memcpy(b, &before, both);
	memcpy(a, &after, both);
	err = taskrt_diff(b, a, to, size);
	guarded_check(b, size);
	guarded_check(a, size);
	return err;
}

static int measured(void *to, size_t size)
{
	return taskrt_self_measured(self, to, size);
}

static int info(void *to, size_t size)
{
	return taskrt_get_info(handle, to, size);
}

static int hook(void *to, size_t size)
{
	return taskrt_info_hook(handle, 1, to, size);
}

static int name(void *to, size_t size)
{
	return taskrt_info_name(handle, 5, to, size);
}

static int explain(void *to, size_t size)
{
	return taskrt_window_explain(&window, to, size);
}

static int jitter(void *to, size_t size)
{
	static struct taskrt_series series;

	taskrt_series_init(&series, 10, 1000);
	taskrt_series_add(&series, &window);
	taskrt_series_add(&series, &window);
	taskrt_series_jitter(&series, to, size);
	return 0;
}

static int span(void *to, size_t size)
{
	return taskrt_histogram_read(histogram, to, size);
}

static int distribution(void *to, size_t size)
{
	return taskrt_histogram_state(histogram, TASKRT_STATE_BLOCKED_LOCK, to, size);
}

static int exits(void *to, size_t size)
{
	const struct taskrt_query query = { .groups = ALL_GROUPS };
	struct taskrt_exits *listener;
	int found;

	EQUAL(taskrt_exits_open(&listener), 0);
	EQUAL(taskrt_exits_register(listener, NULL, &query, sizeof(query), NULL, 0), 0);
	world_tell(bytes, world->exits(bytes, sizeof(bytes)));
	found = taskrt_exits_next(listener, 0, to, size);
	taskrt_exits_close(listener);
	return found;
}

static int status(void *to, size_t size)
{
	struct taskrt_exits *listener;
	int err;

	EQUAL(taskrt_exits_open(&listener), 0);
	err = taskrt_exits_get_status(listener, to, size);
	taskrt_exits_close(listener);
	return err;
}

static int registration(void *to, size_t size)
{
	struct taskrt_exits_status any;
	struct taskrt_exits *listener;
	int err;

	EQUAL(taskrt_exits_open(&listener), 0);
	EQUAL(taskrt_exits_get_status(listener, &any, sizeof(any)), 0);
	err = taskrt_exits_registration(listener, to, size);
	/* The pointer leads into memory that is freed with the listener. */
	memset(to, 0, err ? 0 : size < sizeof(char *) ? size : sizeof(char *));
	taskrt_exits_close(listener);
	return err;
}

static int alert_and_event(void *alert, size_t alert_size, void *event, size_t event_size)
{
	struct taskrt_alerts *alerts;
	int found;

	fake.nr_joined = 0;
	EQUAL(taskrt_alerts_open(&alerts), 0);
	world_tell(bytes, world->alert(bytes, sizeof(bytes)));
	found = taskrt_alerts_next(alerts, 0, alert, alert_size);
	if (event) {
		found = taskrt_alerts_event(alerts, 0, event, event_size);
		/* The pointers lead into memory that is freed with the collector. */
		memset(event, 0, event_size < 24 ? event_size : found ? 0 : 24);
	}
	taskrt_alerts_close(alerts);
	return found;
}

static int alert(void *to, size_t size)
{
	return alert_and_event(to, size, NULL, 0);
}

static int event(void *to, size_t size)
{
	struct taskrt_alert any;

	return size ? alert_and_event(&any, sizeof(any), to, size) : -EINVAL;
}

/* Writes a file of one exit, whose reserved words and bytes behind its end come from the caller. */
static int write_exit(int fd, const void *exit, size_t size)
{
	struct taskrt_file *file;
	int err;

	EQUAL(taskrt_file_create(&file, fd), 0);
	err = taskrt_file_write(file, exit, size);
	EQUAL(taskrt_file_close(file), 0);
	lseek(fd, 0, SEEK_SET);
	return err;
}

static int file(void *to, size_t size)
{
	struct taskrt_exit exit = { .type = TASKRT_EXIT_THREAD, .cpu = CPU, .reading = after };
	int fd = memfd_create("file", 0), found;
	struct taskrt_file *opened;

	EQUAL(write_exit(fd, &exit, sizeof(exit)), 0);
	EQUAL(taskrt_file_open(&opened, fd), 0);
	found = taskrt_file_next(opened, to, size);
	taskrt_file_close(opened);
	close(fd);
	return found;
}

/* Structures that the library reads: missing bytes count as zeroes, and unknown ones must be. */
static void read_by(const char *what, fill_fn call, size_t known, size_t least)
{
	size_t size;

	checking = what;
	for (size = least; size <= 2 * known; size++) {
		unsigned char *at;

		if (!is_tried(size, least, known))
			continue;
		at = guarded(size);
		memset(at, 0, size);
		EQUAL(call(at, size), 0);
		guarded_check(at, size);
	}
	for (size = 2 * known; size > known + known / 2; size -= 3) {
		unsigned char *at = guarded(size);

		memset(at, 0, size);
		at[size - 1] = 1;
		EQUAL(call(at, size), -E2BIG);
		guarded_check(at, size);
	}
}

static int seen(const struct taskrt_reading *reading, void *arg)
{
	(void)reading;
	(void)arg;
	return 0;
}

static int each(void *query, size_t size)
{
	return taskrt_each(handle, query, size, sizeof(struct taskrt_reading), seen, NULL);
}

static int register_for(void *query, size_t size)
{
	struct taskrt_exits *listener;
	int err;

	EQUAL(taskrt_exits_open(&listener), 0);
	err = taskrt_exits_register(listener, NULL, query, size, NULL, 0);
	taskrt_exits_close(listener);
	return err;
}

static int arm(void *options, size_t size)
{
	return taskrt_recorder_arm(handle, TID, options, size);
}

static int file_write(void *exit, size_t size)
{
	struct taskrt_exit *head = exit;
	int fd = memfd_create("file", 0), err;

	if (size >= sizeof(head->type))
		head->type = TASKRT_EXIT_LOST;
	err = write_exit(fd, exit, size);
	close(fd);
	return err;
}

/* The minimum sizes are those of 1.0, for ever. */
static void fill_each(void)
{
	filled("taskrt_get", get, 2176, sizeof(struct taskrt_reading), 0);
	filled("taskrt_each", each_reading, 2176, sizeof(struct taskrt_reading), 0);
	filled("taskrt_self_get", self_get, 2176, sizeof(struct taskrt_reading), 0);
	filled("taskrt_diff", diff, 2176, sizeof(struct taskrt_reading), 0);
	filled("taskrt_exits_next", exits, 2240, sizeof(struct taskrt_exit), 1);
	filled("taskrt_file_next", file, 2240, sizeof(struct taskrt_exit), 1);
	filled("taskrt_window_explain", explain, 560, sizeof(struct taskrt_explanation), 0);
	filled("taskrt_self_measured", measured, 32, sizeof(struct taskrt_measured), 0);
	filled("taskrt_histogram_read", span, 24, sizeof(struct taskrt_histogram_span), 0);
	filled("taskrt_histogram_state", distribution, 0, sizeof(struct taskrt_distribution), 0);
	filled("taskrt_series_jitter", jitter, 0, sizeof(struct taskrt_jitter), 0);
	filled("taskrt_get_info", info, 0, sizeof(struct taskrt_info), 0);
	filled("taskrt_info_hook", hook, 0, sizeof(struct taskrt_hook), 0);
	filled("taskrt_info_name", name, 0, sizeof(struct taskrt_name), 0);
	filled("taskrt_exits_get_status", status, 0, sizeof(struct taskrt_exits_status), 0);
	filled("taskrt_exits_registration", registration, 0, sizeof(struct taskrt_registration), 0);
	filled("taskrt_alerts_next", alert, 0, sizeof(struct taskrt_alert), 1);
	filled("taskrt_alerts_event", event, 0, sizeof(struct taskrt_alert_event), 0);
}

static void read_each(void)
{
	read_by("taskrt_each", each, sizeof(struct taskrt_query), 0);
	read_by("taskrt_exits_register", register_for, sizeof(struct taskrt_query), 0);
	read_by("taskrt_recorder_arm", arm, sizeof(struct taskrt_recorder_options), 0);
	read_by("taskrt_file_write", file_write, sizeof(struct taskrt_exit), 4);
}

/* A payload of each version, into whatever there is: never more than is there. */
static void decode_each(void)
{
	unsigned char *payload, *at;
	struct taskrt_stats *s;
	size_t size;

	checking = "taskrt_decode";
	for (size = 0; size <= 2 * sizeof(*s); size++) {
		payload = guarded(after.stats.size);
		memcpy(payload, &after.stats, after.stats.size);
		at = guarded(size);
		s = (struct taskrt_stats *)at;
		EQUAL(taskrt_decode(payload, after.stats.size, s, size), size < 32 ? -EINVAL : 0);
		if (size < 32)
			CHECK(all_bytes(at, 0, size, GUARD_BYTE));
		else
			CHECK(all_bytes(at, s->size, size, 0) && s->size <= size);
		guarded_check(at, size);
		guarded_check(payload, after.stats.size);
	}
}

void sizes_check(void)
{
	EQUAL(taskrt_open(&handle), 0);
	EQUAL(taskrt_self_open(&self, TASKRT_SELF_MAPPED), 0);
	EQUAL(taskrt_histogram_open(&histogram, self), 0);
	EQUAL(taskrt_window_begin(&window, self), 0);
	EQUAL(taskrt_window_end(&window), 0);
	EQUAL(get(&after, sizeof(after)), 0);
	before = after;
	before.stats.sample_time_ns -= 1000;
	before.stats.tracked_time_ns -= 1000;
	before.times.states_ns[0] -= 1000;
	fill_each();
	read_each();
	decode_each();
	taskrt_histogram_close(histogram);
	taskrt_self_close(self);
	taskrt_close(handle);
}
