// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <string.h>

#include "clock.h"
#include "tap.h"
#include "window.h"

/* CLOCK_MONOTONIC's fast copy in the kernel may differ by a few ns. */
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

int window_ask(struct taskrt *handle, uint32_t entity, pid_t id, struct taskrt_reading *reading)
{
	return taskrt_get(handle, entity, id, EVERY_GROUP, reading, sizeof(*reading));
}

int window_each(struct taskrt *handle, pid_t tgid, taskrt_each_fn fn, void *arg)
{
	const struct taskrt_query query = { .groups = EVERY_GROUP, .tgid = tgid };

	return taskrt_each(handle, &query, sizeof(query), sizeof(struct taskrt_reading), fn, arg);
}

void window_thread(struct taskrt *handle, pid_t tid, struct taskrt_reading *reading)
{
	int err = window_ask(handle, TASKRT_ENTITY_THREAD, tid, reading);

	if (err)
		tap_bail("thread %d: %s (%s)", tid, strerror(-err), taskrt_error(handle));
}

void window_await(struct taskrt *handle, pid_t tid, uint32_t state)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE;
	struct taskrt_reading reading;

	for (;;) {
		window_thread(handle, tid, &reading);
		if (reading.stats.state == state)
			return;
		if (clock_now() > end)
			tap_bail("thread %d never came to state %s", tid,
				 taskrt_state_name(state));
		clock_sleep(MS);
	}
}

void window_process(struct taskrt *handle, pid_t tgid, struct taskrt_reading *reading)
{
	int err = window_ask(handle, TASKRT_ENTITY_PROCESS, tgid, reading);

	if (err)
		tap_bail("process %d: %s (%s)", tgid, strerror(-err), taskrt_error(handle));
}

void window_info(struct taskrt *handle, struct taskrt_info *info)
{
	int err = taskrt_get_info(handle, info, sizeof(*info));

	if (err)
		tap_bail("info: %s (%s)", strerror(-err), taskrt_error(handle));
}

int window_find_hook(const struct taskrt *handle, const char *name, struct taskrt_hook *hook)
{
	unsigned int i;

	for (i = 0; !taskrt_info_hook(handle, i, hook, sizeof(*hook)); i++)
		if (!strcmp(hook->name, name))
			return 1;
	return 0;
}

int window_has_hook(const char *name)
{
	struct taskrt *handle = window_open();
	struct taskrt_info info;
	struct taskrt_hook hook;
	int found;

	window_info(handle, &info);
	found = window_find_hook(handle, name, &hook);
	taskrt_close(handle);
	return found;
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
	err = taskrt_diff(&window->before, &window->after, &window->delta, sizeof(window->delta));
	if (err)
		tap_bail("taskrt_diff: %s", strerror(-err));
}

int window_agrees(const struct taskrt_reading *reading)
{
	const __u64 *timers = reading->times.timers_ns, *values = reading->counts.values;
	uint64_t faults = values[TASKRT_VALUE_MINOR_FAULT_NS] + values[TASKRT_VALUE_MAJOR_FAULT_NS];
	uint64_t locks = window_sum(reading->times.locks_ns, TASKRT_LOCKS_ROOM);

	if (reading->stats.page_fault_time_ns == timers[TASKRT_TIMER_FAULT] &&
	    reading->stats.lock_contention_time_ns == timers[TASKRT_TIMER_LOCK] &&
	    locks == timers[TASKRT_TIMER_LOCK] && faults <= timers[TASKRT_TIMER_FAULT])
		return 1;
	tap_diag("faults %llu and %llu, of these finished %llu; locks %llu and %llu, of kinds %llu",
		 reading->stats.page_fault_time_ns, timers[TASKRT_TIMER_FAULT],
		 (unsigned long long)faults, reading->stats.lock_contention_time_ns,
		 timers[TASKRT_TIMER_LOCK], (unsigned long long)locks);
	return 0;
}

static const char *state_name(unsigned int state)
{
	return taskrt_state_name(state) ?: "an unknown state";
}

uint64_t window_sum(const __u64 *ns, unsigned int count)
{
	uint64_t sum = 0;

	while (count--)
		sum += ns[count];
	return sum;
}

/* The number of words that are not 0 though their bit is clear. */
static unsigned int strays(uint64_t bits, const __u64 *words, unsigned int room, unsigned int step)
{
	unsigned int i, found = 0;

	for (i = 0; i < room; i++)
		found += !taskrt_measures(bits, i) && words[i * step];
	return found;
}

int window_is_measured(const struct taskrt_reading *reading)
{
	const struct taskrt_measured *measured = &reading->stats.measured;
	const struct taskrt_times *times = &reading->times;
	const struct taskrt_counts *counts = &reading->counts;
	const struct taskrt_longests *longests = &reading->longests;

	if (!strays(measured->states, times->states_ns, TASKRT_STATES_ROOM, 1) &&
	    !strays(measured->timers, times->timers_ns, TASKRT_TIMERS_ROOM, 1) &&
	    !strays(measured->locks, times->locks_ns, TASKRT_LOCKS_ROOM, 1) &&
	    !strays(measured->states, counts->states, TASKRT_STATES_ROOM, 1) &&
	    !strays(measured->timers, counts->timers, TASKRT_TIMERS_ROOM, 1) &&
	    !strays(measured->locks, counts->locks, TASKRT_LOCKS_ROOM, 1) &&
	    !strays(measured->values, counts->values, TASKRT_VALUES_ROOM, 1) &&
	    !strays(measured->states, &longests->states[0].ns, TASKRT_STATES_ROOM, 2) &&
	    !strays(measured->states, &longests->states[0].at_ns, TASKRT_STATES_ROOM, 2) &&
	    !strays(measured->timers, &longests->timers[0].ns, TASKRT_TIMERS_ROOM, 2) &&
	    !strays(measured->timers, &longests->timers[0].at_ns, TASKRT_TIMERS_ROOM, 2))
		return 1;
	tap_diag("tid %u tgid %u: measured states %#x timers %#x locks %#x values %#llx,"
		 " and another word is not 0", reading->stats.tid, reading->stats.tgid,
		 measured->states, measured->timers, measured->locks, measured->values);
	return 0;
}

int window_adds_up(const struct taskrt_reading *reading)
{
	__u64 sum = window_sum(reading->times.states_ns, TASKRT_STATES_ROOM);
	__u64 tracked = reading->stats.sample_time_ns - reading->stats.tracked_since_ns;
	int exact = !(reading->stats.flags & TASKRT_FLAG_COARSE);

	if (sum == reading->stats.tracked_time_ns &&
	    (!reading->stats.tid || (exact ? sum == tracked : sum <= tracked)) &&
	    window_is_measured(reading))
		return 1;
	tap_diag("tid %u tgid %u state %u: states %llu, tracked_time %llu"
		 ", sample_time - tracked_since %llu", reading->stats.tid, reading->stats.tgid,
		 reading->stats.state, sum, reading->stats.tracked_time_ns, tracked);
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
	const struct taskrt_reading *delta = &window->delta;

	if (!tap_at_least(delta->times.states_ns[state], least, "%s: time in %s", name,
			  taskrt_state_name(state)))
		window_print(delta);
	tap_at_most(delta->times.states_ns[state], delta->stats.tracked_time_ns,
		    "%s: no more than there was", name);
	window_check_longest(window, &delta->longests.states[state], least, name);
	tap_ok(window_adds_up(&window->before) && window_adds_up(&window->after),
	       "%s: the states add up", name);
	tap_equal(window_sum(delta->times.states_ns, TASKRT_STATES_ROOM),
		  delta->stats.tracked_time_ns,
		  "%s: the difference adds up", name);
}

void window_print(const struct taskrt_reading *reading)
{
	const struct taskrt_stats *stats = &reading->stats;
	unsigned int i;

	tap_diag("tracked %llu cpu %llu queue %llu fault %llu lock %llu", stats->tracked_time_ns,
		 stats->cpu_time_ns, stats->queue_time_ns, stats->page_fault_time_ns,
		 stats->lock_contention_time_ns);
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		if (reading->times.states_ns[i])
			tap_diag("  %-15s %12llu  %llu times  longest %llu at %llu",
				 state_name(i), reading->times.states_ns[i],
				 reading->counts.states[i], reading->longests.states[i].ns,
				 reading->longests.states[i].at_ns);
	for (i = 0; i < TASKRT_LOCKS_ROOM; i++)
		if (reading->counts.locks[i])
			tap_diag("  %-15s %12llu  %llu times",
				 taskrt_lock_name(i) ?: "an unknown lock",
				 reading->times.locks_ns[i], reading->counts.locks[i]);
}

int window_works(void)
{
	struct taskrt *handle = window_open();
	struct taskrt_reading reading;

	window_thread(handle, 0, &reading);
	taskrt_close(handle);
	return window_adds_up(&reading);
}
