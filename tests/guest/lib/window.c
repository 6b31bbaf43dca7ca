// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <string.h>

#include "clock.h"
#include "tap.h"
#include "window.h"

/* CLOCK_MONOTONIC's fast copy in the kernel may be off by a hair. */
#define CLOCK_SLACK_NS	MS

struct job {
	struct window *window;
	window_fn fn;
	void *arg;
};

struct taskrt *window_open(void)
{
	struct taskrt *handle;
	int err = taskrt_open(&handle);

	if (err)
		tap_bail("taskrt_open: %s", strerror(-err));
	return handle;
}

void window_thread(struct taskrt *handle, pid_t tid, struct taskrt_stats *stats)
{
	int err = taskrt_get_thread(handle, tid, stats, sizeof(*stats));

	if (err)
		tap_bail("thread %d: %s (%s)", tid, strerror(-err), taskrt_error(handle));
}

void window_await(struct taskrt *handle, pid_t tid, uint32_t state)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE;
	struct taskrt_stats stats;

	for (;;) {
		window_thread(handle, tid, &stats);
		if (stats.state == state)
			return;
		if (clock_now() > end)
			tap_bail("thread %d never came to state %s", tid,
				 taskrt_state_name(state));
		clock_sleep(MS);
	}
}

void window_process(struct taskrt *handle, pid_t tgid, struct taskrt_stats *stats)
{
	int err = taskrt_get_process(handle, tgid, stats, sizeof(*stats));

	if (err)
		tap_bail("process %d: %s (%s)", tgid, strerror(-err), taskrt_error(handle));
}

void window_info(struct taskrt *handle, struct taskrt_info *info)
{
	int err = taskrt_get_info(handle, info, sizeof(*info));

	if (err)
		tap_bail("info: %s (%s)", strerror(-err), taskrt_error(handle));
}

const struct taskrt_hook *window_find_hook(const struct taskrt_info *info, const char *name)
{
	unsigned int i;

	for (i = 0; i < info->nr_hooks; i++)
		if (!strcmp(info->hooks[i].name, name))
			return &info->hooks[i];
	return NULL;
}

int window_has_hook(const char *name)
{
	struct taskrt *handle = window_open();
	struct taskrt_info info;

	window_info(handle, &info);
	taskrt_close(handle);
	return window_find_hook(&info, name) != NULL;
}

static void *observed(void *arg)
{
	struct job *job = arg;
	struct window *window = job->window;
	struct taskrt *handle = window_open();

	window_thread(handle, 0, &window->before);
	window->begin_ns = clock_now();
	job->fn(job->arg);
	window->end_ns = clock_now();
	window_thread(handle, 0, &window->after);
	taskrt_close(handle);
	return NULL;
}

void window_observe(struct window *window, window_fn fn, void *arg)
{
	struct job job = { window, fn, arg };
	pthread_t thread;
	int err;

	memset(window, 0, sizeof(*window));
	if (pthread_create(&thread, NULL, observed, &job))
		tap_bail("pthread_create");
	pthread_join(thread, NULL);
	err = taskrt_delta(&window->before, &window->after, &window->delta);
	if (err)
		tap_bail("taskrt_delta: %s", strerror(-err));
}

uint64_t window_sum(const __u64 *ns, unsigned int count)
{
	uint64_t sum = 0;

	while (count--)
		sum += ns[count];
	return sum;
}

int window_adds_up(const struct taskrt_stats *stats)
{
	__u64 sum = window_sum(stats->states_ns, TASKRT_NR_STATES);
	__u64 tracked = stats->sample_time_ns - stats->tracked_since_ns;

	if (sum == stats->tracked_time_ns && (!stats->tid || sum == tracked))
		return 1;
	tap_diag("tid %u tgid %u state %u: states %llu, tracked_time %llu"
		 ", sample_time - tracked_since %llu", stats->tid, stats->tgid,
		 stats->state, sum, stats->tracked_time_ns, tracked);
	return 0;
}

void window_check_longest(const struct window *window, const struct taskrt_longest *longest,
			  uint64_t least, const char *name)
{
	tap_at_least(longest->ns, least, "%s: the longest interval is long", name);
	tap_at_least(longest->at_ns + CLOCK_SLACK_NS, window->begin_ns,
		     "%s: the longest began after the work began", name);
	tap_at_most(longest->at_ns + longest->ns, window->end_ns + CLOCK_SLACK_NS,
		    "%s: the longest ended before the work ended", name);
}

void window_check_state(const struct window *window, unsigned int state, uint64_t least,
			const char *name)
{
	const struct taskrt_stats *delta = &window->delta;

	if (!tap_at_least(delta->states_ns[state], least, "%s: time in %s", name,
			  taskrt_state_name(state)))
		window_print(delta);
	tap_at_most(delta->states_ns[state], delta->tracked_time_ns,
		    "%s: no more than there was", name);
	window_check_longest(window, &delta->longest_state[state], least, name);
	tap_ok(window_adds_up(&window->before) && window_adds_up(&window->after),
	       "%s: the states add up", name);
	tap_equal(window_sum(delta->states_ns, TASKRT_NR_STATES), delta->tracked_time_ns,
		  "%s: the difference adds up", name);
}

void window_print(const struct taskrt_stats *stats)
{
	unsigned int i;

	tap_diag("tracked %llu cpu %llu queue %llu fault %llu"
		 " lock %llu", stats->tracked_time_ns, stats->cpu_time_ns,
		 stats->queue_time_ns, stats->page_fault_time_ns,
		 stats->lock_contention_time_ns);
	for (i = 0; i < TASKRT_NR_STATES; i++)
		if (stats->states_ns[i])
			tap_diag("  %-15s %12llu  longest %llu at %llu",
				 taskrt_state_name(i), stats->states_ns[i],
				 stats->longest_state[i].ns, stats->longest_state[i].at_ns);
	for (i = 0; i < TASKRT_NR_LOCKS; i++)
		if (stats->lock_count[i])
			tap_diag("  %-15s %12llu  %llu times",
				 taskrt_lock_name(i), stats->lock_time_ns[i],
				 stats->lock_count[i]);
}
