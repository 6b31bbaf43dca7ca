// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes that are attached may no longer be called, because ftrace or kprobes were switched
 * off.  Every answer then says what is not measured, instead of 0.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "listener.h"
#include "raw.h"
#include "setting.h"
#include "tap.h"
#include "window.h"

#define FTRACE	"/proc/sys/kernel/ftrace_enabled"
#define KPROBES	"/sys/kernel/debug/kprobes/enabled"
#define PAGES	64

static struct taskrt *handle;
static struct raw raw;

static void touch(void *unused)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	char *area = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t i;

	(void)unused;
	madvise(area, PAGES * page, MADV_NOHUGEPAGE);
	for (i = 0; i < PAGES; i++)
		((volatile char *)area)[i * page] = 1;
	munmap(area, PAGES * page);
}

static int has_faults(const struct taskrt_measured *measured)
{
	return !!(measured->timers & 1U << TASKRT_TIMER_FAULT);
}

/* Faults either are counted, or are said not to be measured.  Return: they are measured. */
static int faults(const char *when)
{
	struct window window;
	struct taskrt_info info;
	int said;

	window_observe(&window, touch, NULL);
	said = has_faults(&window.after.stats.measured);
	tap_at_least(VALUE(window.delta, MINOR_FAULTS), PAGES, "%s: the kernel counts faults", when);
	if (said)
		tap_at_least(window.delta.counts.timers[TASKRT_TIMER_FAULT], PAGES,
			     "%s: faults are measured, and timed", when);
	else
		tap_equal(window.after.times.timers_ns[TASKRT_TIMER_FAULT], 0,
			  "%s: faults are not measured, and are 0", when);
	tap_equal(!!(window.after.stats.valid & TASKRT_VALID_PAGE_FAULT_TIME), said,
		  "%s: page_fault_time is valid if they are measured", when);
	tap_equal(!!(window.after.stats.measured.values & 1ULL << TASKRT_VALUE_MINOR_FAULT_NS), said,
		  "%s: nor is the time of minor faults measured otherwise", when);
	tap_ok(window_adds_up(&window.after), "%s: the states sum up", when);
	window_info(handle, &info);
	tap_equal(has_faults(&info.measured), said, "%s: INFO says the same", when);
	return said;
}

static void note_exit(const struct listener_record *record, void *arg)
{
	*(struct taskrt_measured *)arg = record->reading.stats.measured;
}

/* Does an exit record, with no other request before it, say the same? */
static void exits(int said, const char *switch_file, const char *text, const char *when)
{
	struct taskrt_measured measured = { 0 };
	struct listener listener;
	pid_t pid;

	listener_open(&listener, note_exit, &measured);
	listener_listen(&listener, NULL);
	setting_must_write(switch_file, text);
	pid = fork();
	if (!pid)
		_exit(0);
	listener_until(&listener, pid);
	waitpid(pid, NULL, 0);
	tap_equal(has_faults(&measured), said, "%s: so does a record of an exit", when);
	listener_close(&listener);
}

/* CHILDREN are refused if their releases are not seen. */
static void children(const char *when)
{
	struct taskrt_reading before, after;
	struct raw_message message;
	struct raw_answer answer;
	pid_t pid;

	raw_begin(&raw, &message, TASKRT_CMD_GET, 0);
	raw_put_u32(&message, TASKRT_A_TGID, 0);
	raw_put(&message, TASKRT_A_CHILDREN, NULL, 0);
	raw_ask(&raw, &message, &answer, NULL, NULL);
	if (answer.error) {
		tap_errno(answer.error, -EOPNOTSUPP, "%s: children are not measured", when);
		return;
	}
	if (window_ask(handle, TASKRT_ENTITY_CHILDREN, 0, &before))
		tap_bail("children");
	pid = fork();
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	if (window_ask(handle, TASKRT_ENTITY_CHILDREN, 0, &after))
		tap_bail("children");
	tap_at_least(after.stats.threads_gone, before.stats.threads_gone + 1,
		     "%s: children are measured, and counted", when);
}

/* A listener of one's own exits either receives them, or is refused. */
static void own(const char *when)
{
	static const struct listener_filter mine = { .own = 1 };
	struct raw_answer answer;
	struct listener listener;
	int err;
	pid_t pid;

	listener_open(&listener, NULL, NULL);
	err = listener_register(&listener, &mine, &answer);
	if (err) {
		tap_errno(err, -EOPNOTSUPP, "%s: OWN is refused", when);
	} else {
		pid = fork();
		if (!pid)
			_exit(0);
		listener_until(&listener, pid);
		waitpid(pid, NULL, 0);
		tap_ok(1, "%s: OWN is granted, and its exit came", when);
	}
	listener_close(&listener);
}

static int all(const char *when)
{
	int said = faults(when);

	children(when);
	own(when);
	return said;
}

static void off_and_on(const char *file, const char *name, int before)
{
	char when[32], text[8];
	int silent;

	if (!setting_read(file, text, sizeof(text)) || text[0] != '1') {
		tap_skip(name, "this kernel has no such switch");
		return;
	}
	if (!setting_write(file, "0")) {
		tap_skip(name, "this kernel does not switch that off");
		return;
	}
	snprintf(when, sizeof(when), "%s off", name);
	silent = all(when);
	setting_must_write(file, "1");
	snprintf(when, sizeof(when), "%s on", name);
	tap_equal(all(when), before, "%s: what was measured before is again", when);
	snprintf(when, sizeof(when), "%s off", name);
	exits(silent, file, "0", when);
	snprintf(when, sizeof(when), "%s on", name);
	exits(before, file, "1", when);
}

int main(void)
{
	int before;

	handle = window_open();
	if (raw_open(&raw))
		tap_bail("no family");
	before = all("at first");
	off_and_on(FTRACE, "ftrace", before);
	off_and_on(KPROBES, "kprobes", before);
	raw_close(&raw);
	taskrt_close(handle);
	return tap_done();
}
