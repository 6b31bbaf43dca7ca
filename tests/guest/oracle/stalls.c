// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stalls for memory, by kind: exactly what taskstats says of a task that has copied pages
 * and read more than its memory cgroup may have; in the sums of its process and of its
 * parent's children, and in its exit.  Not measured of a task that was created while
 * delay accounting was off.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "delays.h"
#include "file.h"
#include "memcg.h"
#include "patience.h"
#include "state.h"
#include "tap.h"
#include "window.h"

#define PAGES	64
#define MUCH	(24U << 20)	/* bytes of a file */
#define LIMIT	(8U << 20)	/* bytes of the cgroup */
#define FILE_NAME	"/disk/taskrt-stalls"

/* One kind, and where taskstats has it. */
struct kind {
	unsigned int timer;
	const char *name;
	uint64_t ns, count;
};

static struct taskrt *handle;
static int in_cgroup;	/* there is one that limits memory */
static size_t page;
static volatile char *shared;	/* with the parent, until it is written to */
static uint64_t *other_copies;	/* what the thread that has ended had counted at last */

static void kinds_of(const struct taskstats *s, struct kind kinds[5])
{
	kinds[0] = (struct kind){ TASKRT_TIMER_RECLAIM, "reclaim", s->freepages_delay_total,
				  s->freepages_count };
	kinds[1] = (struct kind){ TASKRT_TIMER_COMPACT, "compact", s->compact_delay_total,
				  s->compact_count };
	kinds[2] = (struct kind){ TASKRT_TIMER_THRASHING, "thrashing", s->thrashing_delay_total,
				  s->thrashing_count };
	kinds[3] = (struct kind){ TASKRT_TIMER_SWAPIN, "swapin", s->swapin_delay_total,
				  s->swapin_count };
	kinds[4] = (struct kind){ TASKRT_TIMER_WPCOPY, "wpcopy", s->wpcopy_delay_total,
				  s->wpcopy_count };
}

static uint32_t measured_kinds(const struct taskrt_reading *reading)
{
	return reading->stats.measured.timers & (1U << TASKRT_TIMER_RECLAIM | 1U << TASKRT_TIMER_COMPACT |
		1U << TASKRT_TIMER_THRASHING | 1U << TASKRT_TIMER_SWAPIN | 1U << TASKRT_TIMER_WPCOPY);
}

/* Half of the pages: this thread, or the other one. */
static void copy_pages(int half)
{
	int i;

	for (i = half; i < 2 * PAGES; i += 2)
		shared[i * page] = 1;
}

static void read_much(void)
{
	static char buffer[1 << 16];
	int round, fd = open(FILE_NAME, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		_exit(1);
	for (round = 0; round < 2; round++) {
		lseek(fd, 0, SEEK_SET);
		while (read(fd, buffer, sizeof(buffer)) > 0)
			;
	}
	close(fd);
}

static void *other_thread(void *arg)
{
	struct taskrt_reading reading;
	struct taskrt *own = window_open();

	copy_pages(1);
	window_thread(own, gettid(), &reading);
	*other_copies = reading.counts.timers[TASKRT_TIMER_WPCOPY];
	taskrt_close(own);
	return arg;
}

static _Noreturn void child_work(int much)
{
	pthread_t thread;

	if (much && in_cgroup)
		memcg_enter();
	if (pthread_create(&thread, NULL, other_thread, NULL))
		_exit(1);
	pthread_join(thread, NULL);
	copy_pages(0);
	if (much && in_cgroup)
		read_much();
	_exit(0);
}

static void make_shared(void)
{
	int i;

	page = sysconf(_SC_PAGESIZE);
	shared = mmap(NULL, 2 * PAGES * page, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	other_copies = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || other_copies == MAP_FAILED)
		tap_bail("mmap");
	for (i = 0; i < 2 * PAGES; i++)
		shared[i * page] = 1;
}

static void check_thread(const struct taskrt_reading *ours, const struct taskstats *theirs)
{
	struct kind kinds[5];
	unsigned int i;

	kinds_of(theirs, kinds);
	tap_equal(measured_kinds(ours), delays_kinds(), "what this kernel counts is measured");
	for (i = 0; i < 5; i++) {
		tap_equal(ours->times.timers_ns[kinds[i].timer], kinds[i].ns, "%s: time",
			  kinds[i].name);
		tap_equal(ours->counts.timers[kinds[i].timer], kinds[i].count, "%s: count",
			  kinds[i].name);
	}
	/* The kernel does not count a copy that took no time by its clock. */
	if (delays_kinds() & 1U << TASKRT_TIMER_WPCOPY)
		tap_at_least(ours->counts.timers[TASKRT_TIMER_WPCOPY], 1,
			     "pages that were copied are counted");
	else
		tap_skip("copied pages", "this kernel does not count them");
	if (in_cgroup)
		tap_at_least(ours->counts.timers[TASKRT_TIMER_RECLAIM], 1,
			     "reclaim within the cgroup's limit is counted");
	else
		tap_skip("reclaim", "no memory cgroup");
}

/* Of each kind at least what the parts have. */
static void check_sum(const struct taskrt_reading *sum, const struct taskrt_reading *part,
		      uint64_t more_copies, const char *name)
{
	unsigned int i, less = 0;

	tap_equal(measured_kinds(sum), delays_kinds(), "%s: measured", name);
	for (i = TASKRT_TIMER_RECLAIM; i <= TASKRT_TIMER_WPCOPY; i++)
		less += sum->times.timers_ns[i] < part->times.timers_ns[i] ||
			sum->counts.timers[i] < part->counts.timers[i];
	tap_equal(less, 0, "%s: not less of any kind", name);
	if (delays_kinds() & 1U << TASKRT_TIMER_WPCOPY)
		tap_at_least(sum->counts.timers[TASKRT_TIMER_WPCOPY],
			     part->counts.timers[TASKRT_TIMER_WPCOPY] + more_copies,
			     "%s: with those of the thread that has ended", name);
}

static void same(const struct taskrt_reading *one, const struct taskrt_reading *other,
		 const char *name)
{
	const size_t at = TASKRT_TIMER_RECLAIM, size = 5 * sizeof(__u64);

	tap_ok(measured_kinds(one) == measured_kinds(other) &&
	       !memcmp(&one->times.timers_ns[at], &other->times.timers_ns[at], size) &&
	       !memcmp(&one->counts.timers[at], &other->counts.timers[at], size), "%s", name);
}

static void await_exit(struct taskrt_exits *listener, pid_t pid, struct taskrt_exit *exit)
{
	do {
		int got = taskrt_exits_next(listener, 100, exit, sizeof(*exit));

		if (got < 0)
			tap_bail("taskrt_exits_next: %s", strerror(-got));
		if (got && exit->type == TASKRT_EXIT_PROCESS &&
		    exit->reading.stats.tgid == (uint32_t)pid)
			return;
	} while (patience_lasts());
	tap_bail("the exit was not received");
}

static void ask_children(struct taskrt_reading *children)
{
	do
		if (window_ask(handle, TASKRT_ENTITY_CHILDREN, getpid(), children))
			tap_bail("children: %s", taskrt_error(handle));
	while (children->stats.flags & TASKRT_FLAG_PENDING && patience_lasts());
}

static void counted(void)
{
	const struct taskrt_query query = {
		.groups = TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS,
		.entities = TASKRT_ENTITIES_PROCESSES,
	};
	struct taskrt_reading thread, process, children;
	struct taskrt_exits *listener;
	struct taskrt_exit exit;
	struct taskstats theirs;
	siginfo_t info;
	pid_t pid;

	if (taskrt_exits_open(&listener) ||
	    taskrt_exits_register(listener, NULL, &query, sizeof(query), NULL, 0))
		tap_bail("cannot listen");
	pid = fork();
	if (!pid)
		child_work(1);
	waitid(P_PID, pid, &info, WEXITED | WNOWAIT);
	tap_equal(info.si_status, 0, "the child has done its work");
	state_await(handle, pid, TASKRT_STATE_EXITED, &thread);
	delays_ask(pid, &theirs);
	window_process(handle, pid, &process);
	check_thread(&thread, &theirs);
	tap_ok(window_is_measured(&thread), "what is not measured is 0");
	if (delays_kinds() & 1U << TASKRT_TIMER_WPCOPY)
		tap_at_least(*other_copies, 1, "the other thread has copied pages, too");
	check_sum(&process, &thread, *other_copies, "process");
	await_exit(listener, pid, &exit);
	same(&exit.reading, &process, "the exit has what the process had");
	waitpid(pid, NULL, 0);
	ask_children(&children);
	taskrt_exits_close(listener);
	check_sum(&children, &process, 0, "children");
}

static void not_counted(void)
{
	struct taskrt_reading thread, process;
	siginfo_t info;
	pid_t pid;

	if (!delays_switch(0)) {
		tap_skip("not measured", "delay accounting cannot be switched off");
		return;
	}
	pid = fork();
	if (!pid)
		child_work(0);
	waitid(P_PID, pid, &info, WEXITED | WNOWAIT);
	state_await(handle, pid, TASKRT_STATE_EXITED, &thread);
	window_process(handle, pid, &process);
	tap_equal(measured_kinds(&thread), 0, "switched off: not measured of a thread");
	tap_equal(measured_kinds(&process), 0, "nor of its process");
	tap_ok(window_is_measured(&thread) && window_is_measured(&process), "and it is 0");
	waitpid(pid, NULL, 0);
}

/* Waits for a process that runs this, and returns its status. */
static int in_new_process(int (*run)(void))
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (!pid)
		exit(run());
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* The kernel counts all of this process. */
static int younger(void)
{
	handle = window_open();
	counted();
	not_counted();
	taskrt_close(handle);
	return tap_done();
}

/*
 * The kernel counts all of its children, but not it itself, which is not in their sum.
 * It waits for none before that was not tracked.
 */
static int elder(void)
{
	struct taskrt_reading children;
	pid_t pid;

	if (!delays_switch(1)) {
		tap_skip("stalls", "this kernel has no delay accounting");
		return tap_done();
	}
	handle = window_open();
	pid = fork();
	if (!pid)
		child_work(0);
	waitpid(pid, NULL, 0);
	ask_children(&children);
	tap_equal(measured_kinds(&children), delays_kinds(),
		  "measured of the children of a process that is not counted");
	taskrt_close(handle);
	return in_new_process(younger);
}

int main(void)
{
	int status, were_on = delays_are_on();

	taskrt_close(window_open());
	in_cgroup = memcg_make() && memcg_limit(LIMIT);
	file_make(FILE_NAME, MUCH);
	make_shared();
	status = in_new_process(elder);
	delays_switch(were_on);
	unlink(FILE_NAME);
	if (in_cgroup)
		memcg_remove();
	return status;
}
