// SPDX-License-Identifier: GPL-2.0-only
/*
 * More threads than CPUs in a control group that uses up its quota: those that are queued when it
 * does are throttled from then on, for as long as cpu.stat says, and those that are queued when
 * it has CPU time again are preempted by each other.  A busy host may stop the guest's CPUs
 * at any time, and what the kernel counts goes on as our times do, so these are compared.
 */
#include <sched.h>

#include "alert.h"
#include "clock.h"
#include "patience.h"
#include "quota.h"
#include "recorder.h"
#include "tap.h"
#include "thread.h"
#include "throttle.h"

#define PREEMPTED	TASKRT_STATE_PREEMPTED
#define RUNNING		TASKRT_STATE_RUNNING
#define CPUS		2
#define NR_MOST		6
#define TICK		(10 * MS)	/* of the slowest kernel */

struct member {
	struct thread thread;
	const char *folder;
	unsigned int cpu;
	int armed;
	volatile int ready;
	struct taskrt_reading before, last, delta;
};

static struct member members[NR_MOST];
static unsigned int nr_members;
static volatile int over;
static struct taskrt *handle;
static unsigned int taken_back, torn;

/* Those that are armed have alerts of each wait of THROTTLE_PIECE. */
static void compute(void *arg)
{
	const struct recorder_arm arm = {
		.depth = TASKRT_DEPTH_MAX, .over_ns = THROTTLE_PIECE, .states = 1U << PREEMPTED,
	};
	struct member *member = arg;
	struct raw raw;

	thread_other();
	thread_pin(member->cpu);
	quota_enter(member->folder);
	if (member->armed && (raw_open(&raw) || recorder_arm(&raw, &arm, NULL)))
		tap_bail("arming");
	member->ready = 1;
	while (!over)
		;
	if (member->armed)
		raw_close(&raw);
	quota_enter(CGROUP_ROOT);
}

static void add_member(const char *folder, unsigned int cpu, int armed)
{
	struct member *member = &members[nr_members++];

	*member = (struct member){ .folder = folder, .cpu = cpu, .armed = armed };
	thread_start(&member->thread, compute, member);
	clock_await(member->ready, "a thread did not come to its group");
	window_thread(handle, member->thread.tid, &member->before);
	member->last = member->before;
}

static void end_members(void)
{
	over = 1;
	while (nr_members)
		thread_join(&members[--nr_members].thread);
	over = 0;
}

/* No answer has less than an earlier one, amid a wait either, and each sums to the time. */
static void look_at(struct member *member)
{
	struct taskrt_reading now;
	unsigned int i;

	window_thread(handle, member->thread.tid, &now);
	torn += !window_adds_up(&now) || !window_agrees(&now);
	for (i = 0; i < TASKRT_STATES_ROOM; i++) {
		if (now.times.states_ns[i] >= member->last.times.states_ns[i])
			continue;
		taken_back++;
		tap_diag("state %u: %llu ns after %llu", i, now.times.states_ns[i],
			 member->last.times.states_ns[i]);
	}
	member->last = now;
}

static void watch(uint64_t ns)
{
	const uint64_t end = clock_now() + ns;
	unsigned int i;

	while (clock_now() < end) {
		for (i = 0; i < nr_members; i++)
			look_at(&members[i]);
		clock_sleep(5 * MS);
	}
}

static void limit(const char *quota)
{
	quota_set(CGROUP_OWN, quota);
}

static void finish(void)
{
	unsigned int i;

	for (i = 0; i < nr_members; i++) {
		look_at(&members[i]);
		if (taskrt_diff(&members[i].before, &members[i].last, &members[i].delta,
				sizeof(members[i].delta)))
			tap_bail("taskrt_diff");
	}
}

static uint64_t of_member(unsigned int i, unsigned int state)
{
	return members[i].delta.times.states_ns[state];
}

static uint64_t sum_of(unsigned int state)
{
	uint64_t ns = 0;
	unsigned int i;

	for (i = 0; i < nr_members; i++)
		ns += of_member(i, state);
	return ns;
}

static uint64_t off(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Of the members on its CPU, which took it from this one when it was not throttled. */
static uint64_t others_ran(unsigned int i)
{
	uint64_t ns = 0;
	unsigned int j;

	for (j = 0; j < nr_members; j++)
		if (j != i && members[j].cpu == members[i].cpu)
			ns += of_member(j, RUNNING);
	return ns;
}

/* A tenth of what it was throttled is left to the kernel's threads, and to this one. */
static int is_blameless(unsigned int i)
{
	return of_member(i, PREEMPTED) <= others_ran(i) + of_member(i, THROTTLED) / 10 + TICK;
}

static int all_blameless(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < nr_members; i++)
		n += is_blameless(i);
	return n == nr_members;
}

/* Before 6.18: the kernel counts from the throttling of the group, as we do. */
static uint64_t tolerance(uint64_t kernel)
{
	return window_has_hook("tg_throttle_down") ? NR_MOST * TICK : kernel / 10;
}

static void print_members(void)
{
	unsigned int i;

	for (i = 0; i < nr_members; i++)
		tap_diag("CPU %u: running %llu ms, preempted %llu, throttled %llu", members[i].cpu,
			 of_member(i, RUNNING) / MS, of_member(i, PREEMPTED) / MS,
			 of_member(i, THROTTLED) / MS);
}

/*
 * The quota begins and ends while all of them compute: cpu.stat has whole intervals only.  As
 * many threads are on each CPU, and cpu.stat sums those up: so together they were
 * throttled for so many times what it says.
 */
static uint64_t round_of_crowd(int armed)
{
	uint64_t before;
	unsigned int i;

	for (i = 0; i < NR_MOST; i++)
		add_member(CGROUP_OWN, i % CPUS, armed);
	before = quota_throttled_ns(CGROUP_OWN);
	limit(QUOTA);
	watch(1500 * MS);
	limit(QUOTA_NONE);
	finish();
	return (quota_throttled_ns(CGROUP_OWN) - before) * (NR_MOST / CPUS);
}

static void crowd(void)
{
	uint64_t kernel, ours;

	for (;;) {
		kernel = round_of_crowd(0);
		ours = sum_of(THROTTLED);
		if (off(ours, kernel) <= tolerance(kernel) && all_blameless())
			break;
		if (!patience_lasts())
			break;
		end_members();
	}
	print_members();
	tap_diag("throttled %llu ms, cpu.stat times threads %llu", ours / MS, kernel / MS);
	tap_at_least(kernel, NR_MOST * 400 * MS, "crowd: throttled most of the time");
	tap_at_most(off(ours, kernel), tolerance(kernel), "crowd: throttled as cpu.stat says");
	tap_ok(all_blameless(), "crowd: preempted for as long as the others ran");
	end_members();
}

/* One in the group, and two in the group below it, which has a quota as well. */
static void nested(void)
{
	uint64_t window, ran;
	unsigned int i;

	quota_set(CGROUP_BELOW, "15000 70000");
	do {
		end_members();
		for (i = 0; i < 3; i++)
			add_member(i ? CGROUP_BELOW : CGROUP_OWN, THROTTLE_CPU, 0);
		limit(QUOTA);
		watch(1500 * MS);
		limit(QUOTA_NONE);
		finish();
	} while (!all_blameless() && patience_lasts());
	quota_set(CGROUP_BELOW, QUOTA_NONE);
	print_members();
	tap_ok(all_blameless(), "nested: preempted for as long as the others ran");
	window = members[2].last.stats.sample_time_ns - members[1].before.stats.sample_time_ns;
	ran = of_member(1, RUNNING) + of_member(2, RUNNING);
	for (i = 1; i < 3; i++)
		tap_at_most(of_member(i, THROTTLED) + ran, window + TICK,
			    "nested: not throttled while one of its group ran");
	end_members();
}

/* --- alerts */

/*
 * Return: how many events name a thread that had the CPU of one that was throttled.
 * @blameless: no thread was preempted for longer than others ran: then a wait may be as long on
 *	       a busy host.
 */
static unsigned int blames(const struct alert *alert, int blameless)
{
	const struct taskrt_event *event;
	unsigned int i, n = 0;

	for (i = 0; i < alert->nr_events; i++) {
		event = &alert->events[i].event;
		if (event->type != TASKRT_EVENT_STATE || !event->other_tid)
			continue;
		n += event->which == THROTTLED ||
		     (event->which == PREEMPTED && event->ns >= THROTTLE_PIECE && !blameless);
	}
	return n;
}

static void alerts(void)
{
	static struct alert_listener listener;
	unsigned int throttled, blamed;
	const struct alert *alert;
	int blameless;

	alert_open(&listener);
	do {
		throttled = 0;
		blamed = 0;
		round_of_crowd(1);
		blameless = all_blameless();
		end_members();
		while ((alert = alert_next(&listener, 1000))) {
			throttled += alert_longest(alert, THROTTLED) != NULL;
			blamed += blames(alert, blameless);
		}
	} while ((!throttled || blamed) && patience_lasts());
	tap_at_least(throttled, 1, "alerts: there are some");
	tap_equal(blamed, 0, "alerts: none names a thread of the group");
	tap_equal(listener.wrong, 0, "alerts: every promise of the header is kept");
	alert_close(&listener);
}

/* --- moved while it is queued */

static void pin_other(pid_t tid, unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(tid, sizeof(set), &set))
		tap_bail("sched_setaffinity");
}

/* It is alone, so that it is hardly ever preempted; its longest wait is not known to be. */
static void moved_throttled(void)
{
	unsigned int i;

	do {
		end_members();
		add_member(CGROUP_OWN, 0, 0);
		limit(QUOTA);
		for (i = 0; i < 10; i++) {
			window_await(handle, members[0].thread.tid, THROTTLED);
			pin_other(members[0].thread.tid, (i + 1) % CPUS);
			watch(150 * MS);
		}
		limit(QUOTA_NONE);
		finish();
	} while (members[0].last.longests.states[PREEMPTED].ns >= THROTTLE_PIECE &&
		 patience_lasts());
	print_members();
	tap_at_most(members[0].last.longests.states[PREEMPTED].ns, THROTTLE_PIECE,
		    "moved: throttled, and not preempted");
	tap_at_least(of_member(0, THROTTLED), 400 * MS, "moved: throttled most of the time");
	end_members();
}

static volatile int hogs;

static void hog(void *cpu)
{
	thread_pin(cpu != NULL);
	thread_fifo(50);
	hogs++;
	clock_spin(100 * MS);
	thread_other();
}

/* The clocks of both CPUs have run before, and stand still. */
static void moved_preempted(void)
{
	struct thread hog_threads[CPUS];
	unsigned int i;

	do {
		end_members();
		add_member(CGROUP_OWN, 0, 0);
		hogs = 0;
		for (i = 0; i < CPUS; i++)
			thread_start(&hog_threads[i], hog, i ? &hog_threads : NULL);
		window_await(handle, members[0].thread.tid, PREEMPTED);
		pin_other(members[0].thread.tid, 1);
		for (i = 0; i < CPUS; i++)
			thread_join(&hog_threads[i]);
		finish();
	} while (of_member(0, PREEMPTED) < THROTTLE_PIECE && patience_lasts());
	tap_at_least(of_member(0, PREEMPTED), THROTTLE_PIECE, "moved: preempted");
	tap_equal(of_member(0, THROTTLED), 0, "moved: not throttled");
	end_members();
}

/* This thread takes the CPU when it asks, so it may never see the other one running. */
static void await_ran(struct member *member, const struct taskrt_reading *before)
{
	clock_await((look_at(member), member->last.times.states_ns[RUNNING] >
		     before->times.states_ns[RUNNING] + 20 * MS), "it does not run");
}

/* Out of the group, it is throttled no longer; what it was by then stays. */
static void moved_out(void)
{
	struct taskrt_reading before;

	add_member(CGROUP_OWN, 0, 0);
	add_member(CGROUP_OWN, 0, 0);
	limit(QUOTA);
	window_await(handle, members[0].thread.tid, THROTTLED);
	clock_sleep(20 * MS);
	window_thread(handle, members[0].thread.tid, &before);
	quota_move(members[0].thread.tid, CGROUP_ROOT);
	await_ran(&members[0], &before);
	limit(QUOTA_NONE);
	finish();
	tap_at_least(members[0].last.times.states_ns[THROTTLED], before.times.states_ns[THROTTLED],
		     "moved out: nothing is taken back");
	end_members();
}

int main(void)
{
	if (!throttle_measured())
		return tap_done();
	if (!quota_make()) {
		tap_skip("quotas", "this kernel has no cpu.max");
		return tap_done();
	}
	handle = window_open();
	thread_fifo(80);
	crowd();
	nested();
	alerts();
	moved_throttled();
	moved_preempted();
	moved_out();
	tap_equal(taken_back, 0, "no time ever becomes less");
	tap_equal(torn, 0, "every answer adds up");
	taskrt_close(handle);
	return tap_done();
}
