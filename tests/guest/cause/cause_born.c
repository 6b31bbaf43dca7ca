// SPDX-License-Identifier: GPL-2.0-only
/*
 * The clock of a new thread starts when it is first woken: what its creator does before that,
 * such as a page fault in which the kernel stores the thread's id, is time of the creator.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "raw.h"
#include "setting.h"
#include "slow.h"
#include "state.h"
#include "tap.h"
#include "task.h"
#include "thread.h"
#include "window.h"

#define D	(60 * MS)

static struct slow *slow;
static _Atomic pid_t creator;
static pid_t child;

static void create(void *unused)
{
	(void)unused;
	creator = gettid();
	child = syscall(SYS_clone, CLONE_PARENT_SETTID | SIGCHLD, 0, slow_page(slow, 0), 0, 0);
	if (!child)
		for (;;)
			thread_pause();
}

static void note_child(const char *name, pid_t pid, void *arg)
{
	char path[32], stat[256];
	const char *rest;
	int parent;

	(void)name;
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (setting_read(path, stat, sizeof(stat)) && (rest = strrchr(stat, ')')) &&
	    sscanf(rest, ") %*c %d", &parent) == 1 && parent == getpid())
		*(pid_t *)arg = pid;
}

/* It exists, and was not woken yet. */
static void unborn(void)
{
	struct raw_answer answer;
	pid_t found = 0;
	struct raw raw;

	task_each(note_child, &found);
	tap_at_least(found, 1, "the child is in /proc");
	if (raw_open(&raw))
		tap_bail("no family");
	raw_get(&raw, TASKRT_A_TID, found, 0, &answer);
	tap_errno(answer.error, -ESRCH, "not woken yet: nothing is known of it");
	tap_ok(!!strstr(answer.text, "being created"), "and why: %s", answer.text);
	raw_close(&raw);
}

static void born(struct taskrt *handle, uint64_t woken_after)
{
	struct taskrt_reading reading;

	state_await(handle, child, TASKRT_STATE_SLEEPING_PAUSE, &reading);
	tap_ok(window_adds_up(&reading), "the child's states sum to its time");
	tap_at_least(reading.stats.tracked_since_ns, woken_after, "its clock started when it was woken");
	tap_equal(reading.times.states_ns[TASKRT_STATE_BLOCKED_OTHER], 0, "it was not blocked");
	tap_equal(reading.counts.states[TASKRT_STATE_BLOCKED_OTHER], 0, "not even for an instant");
	tap_equal(reading.longests.states[TASKRT_STATE_BLOCKED_OTHER].ns, 0, "and no such wait is its longest");
	tap_at_least(reading.counts.states[TASKRT_STATE_WOKEN], 1, "it waited for its first CPU");
}

int main(void)
{
	struct taskrt *handle = window_open();
	struct thread thread;
	uint64_t released;

	slow = slow_new(1, SLOW_FOR_EVER);
	thread_start(&thread, create, NULL);
	while (!creator)
		clock_sleep(MS);
	state_await_for(handle, creator, TASKRT_STATE_BLOCKED_FAULT, D);
	unborn();
	released = clock_now();
	slow_release(slow);
	thread_join(&thread);
	if (child < 0)
		tap_bail("clone: %s", strerror(errno));
	born(handle, released);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	slow_free(slow);
	taskrt_close(handle);
	return tap_done();
}
