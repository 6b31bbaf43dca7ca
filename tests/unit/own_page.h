/* SPDX-License-Identifier: GPL-2.0-only */
/* A thread that reads its own page: each test gets new ones.  SINCE: the start of tracking. */
#ifndef TASKRT_OWN_PAGE_H
#define TASKRT_OWN_PAGE_H

#include <pthread.h>

#include "unit.h"
#include "fake_page.h"

#define ALL	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST)

uint64_t fake_now;

static struct taskrt_page *page;
static struct taskrt_self *self;

/* Sets the time to ns after the beginning, for a thread that reads itself. */
static inline void at(uint64_t ns)
{
	fake_now = SINCE + ns + TASKRT_BEHIND_OWN_NS;
}

static inline int start(void **state)
{
	(void)state;
	page = page_new(SINCE);
	self = fake_self(page);
	at(0);
	return 0;
}

static inline int finish(void **state)
{
	(void)state;
	taskrt_self_close(self);
	free(page);
	return 0;
}

/* Another page instead. */
static inline void start_with(struct taskrt_page *other)
{
	finish(NULL);
	page = other;
	self = fake_self(page);
}

/* Spends the time from one instant to another in a state, and then runs again. */
static inline void spend(uint32_t state, uint64_t from, uint64_t until)
{
	page_switch(page, state, SINCE + from);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + until);
}

/* Another thread than the one that opened it reads. */
static inline void *read_there(void *now)
{
	return (void *)(intptr_t)taskrt_self_read(self, now);
}

static inline int read_elsewhere(struct taskrt_snapshot *now)
{
	pthread_t thread;
	void *status;

	assert_int_equal(pthread_create(&thread, NULL, read_there, now), 0);
	assert_int_equal(pthread_join(thread, &status), 0);
	return (intptr_t)status;
}

/* Every reader gets the last values. */
static inline void expect_final(uint64_t at_ns)
{
	struct taskrt_snapshot now;

	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.flags, TASKRT_FINAL);
	assert_int_equal(now.at_ns, at_ns);
	assert_memory_equal(&now.times, &page->times, sizeof(now.times));
	assert_int_equal(read_elsewhere(&now), 0);
	assert_int_equal(now.flags, TASKRT_FINAL);
	assert_int_equal(now.at_ns, at_ns);
	assert_memory_equal(&now.times, &page->times, sizeof(now.times));
}

static inline int is_zero(const void *from, size_t bytes)
{
	const char *byte = from;

	while (bytes && !*byte)
		byte++, bytes--;
	return !bytes;
}

#endif /* TASKRT_OWN_PAGE_H */
