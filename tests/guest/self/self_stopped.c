// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a thread reads when accounting is switched off (never that it sleeps while it computes),
 * or when it loses the right to exact times; and that the module cannot be removed as long as
 * it reads.
 * TASKRT_TEST_ROUNDS: how often accounting is switched off and on (5).
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "leftover.h"
#include "modinfo.h"
#include "module.h"
#include "page.h"
#include "self.h"
#include "tap.h"
#include "window.h"

static unsigned long rounds;
static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
static const struct ask_who watcher = { ASK_USER, ASK_USER, ASK_USER, ASK_CAP_PERFMON };

/* The last values are there, and nothing moves. */
static void check_stopped(struct taskrt_self *self, const struct taskrt_snapshot *before,
			  uint64_t tracked_since_ns, const char *name)
{
	struct taskrt_snapshot last, again;
	struct taskrt_reading reading;

	tap_equal(self_read(self, &last), TASKRT_FINAL, "%s: it says so", name);
	clock_burn(5 * MS);
	clock_sleep(5 * MS);
	tap_equal(self_read(self, &again), TASKRT_FINAL, "%s: for good", name);
	tap_ok(!memcmp(&last.times, &again.times, sizeof(last.times)) &&
	       last.at_ns == again.at_ns, "%s: nothing moves", name);
	tap_ok(!page_falls(&before->times, &last.times) && before->at_ns <= last.at_ns,
	       "%s: nothing is less than it was", name);
	tap_ok(self_adds_up(&last, tracked_since_ns) && self_agrees(&last), "%s: it adds up", name);
	tap_equal(self_get(self, &reading), TASKRT_FINAL, "%s: the statistics, too", name);
	tap_equal(reading.stats.sample_time_ns, last.at_ns, "%s: are of the same instant", name);
}

/*
 * A reader of the times alone does not look at the status, so the state says as well that
 * the thread has ended.
 */
static int page_is_over(const struct taskrt_page *page, uint32_t status)
{
	struct page_copy copy;

	page_await(page, status);
	page_read(page, &copy);
	return copy.status == status && copy.state == TASKRT_STATE_EXITED && !page->in_progress &&
	       page_adds_up(page, &copy);
}

static void switched_off(void)
{
	struct taskrt_self *self = self_open(), *fresh;
	const struct taskrt_page *page = page_own();
	struct taskrt_snapshot before, now;
	struct taskrt_window window;
	struct taskrt_reading reading;
	unsigned long i;

	self_get(self, &reading);
	taskrt_window_begin(&window, self);
	clock_burn(MS);
	self_read(self, &before);
	module_must_set("enabled", "0");
	check_stopped(self, &before, reading.stats.tracked_since_ns, "switched off");
	tap_ok(page_is_over(page, TASKRT_PAGE_STOPPED), "switched off: the page says so");
	tap_ok(!taskrt_window_end(&window) && window.flags & TASKRT_FINAL,
	       "a window across it says so");
	tap_errno(taskrt_self_open(&fresh, TASKRT_SELF_MAPPED), -ENODATA,
		  "nothing to open while it is off");
	tap_ok(!fresh, "and no handle");
	module_must_set("enabled", "1");
	check_stopped(self, &before, reading.stats.tracked_since_ns, "on again, mapped before");
	tap_ok(page_is_over(page, TASKRT_PAGE_STOPPED), "on again: the page still does");
	page_unmap(page);
	fresh = self_open();
	tap_equal(self_read(fresh, &now), 0, "opened anew it lives");
	self_get(fresh, &reading);
	tap_ok(self_adds_up(&now, reading.stats.tracked_since_ns), "and adds up");
	taskrt_self_close(fresh);
	taskrt_self_close(self);
	for (i = 0; i < rounds; i++) {
		self = self_open();
		module_must_set("enabled", "0");
		module_must_set("enabled", "1");
		taskrt_self_close(self);
	}
	tap_equal(modinfo_await(TASKRT_INFO_A_MAPPED, 0), 0, "over and over: nothing is left");
}

/*
 * The hooks go one after the other, and without one of them a page may say what is not so, as
 * that its thread sleeps which runs.  So the pages say that they have stopped before the
 * first hook is gone.
 */
static void before_the_hooks(void)
{
	const struct taskrt_page *page;
	int alive = 0, attached;
	unsigned long i;
	pid_t pid;

	if (!leftover_kprobe()) {
		tap_skip("no page lives on without the hooks", "debugfs shows no kprobe of the module");
		return;
	}
	for (i = 0; i < rounds; i++) {
		page = page_own();
		pid = fork();
		if (!pid) {
			module_must_set("enabled", "0");
			_exit(0);
		}
		clock_spin_until(!(attached = leftover_kprobe()));
		alive += page_status(page) == TASKRT_PAGE_LIVE;
		if (attached)
			tap_bail("the hooks stay");
		waitpid(pid, NULL, 0);
		page_unmap(page);
		module_must_set("enabled", "1");
	}
	tap_equal(alive, 0, "no page lives on without the hooks");
}

static void not_removed(void)
{
	struct taskrt_self *self = self_open();
	const struct taskrt_page *page;
	struct taskrt_snapshot now;
	int fd;

	tap_errno(module_try_remove(MODULE_TASKRT), -EAGAIN,
		  "the module stays while counters are mapped");
	tap_equal(self_read(self, &now), 0, "and they live");
	taskrt_self_close(self);
	page = page_own();
	tap_errno(module_try_remove(MODULE_TASKRT), -EAGAIN,
		  "the mapping alone is enough");
	page_unmap(page);
	fd = page_device();
	tap_errno(module_try_remove(MODULE_TASKRT), -EAGAIN,
		  "so is the open device");
	close(fd);
	tap_errno(module_remove(MODULE_TASKRT), 0, "then it can be removed");
	tap_ok(access(TASKRT_DEVICE, F_OK), "and the device with it");
	tap_errno(taskrt_self_open(&self, TASKRT_SELF_MAPPED), -ENOENT, "nothing to open");
	tap_errno(taskrt_self_open(&self, 0), -ENOENT, "nor over netlink");
	tap_errno(module_insert(MODULE_TASKRT, ""), 0, "it comes back");
	self = self_open();
	tap_equal(self_read(self, &now), 0, "and may be read");
	taskrt_self_close(self);
}

/* The end of its holder releases the mapping. */
static void killed(void)
{
	int ready[2], status;
	pid_t pid;
	char byte;

	if (pipe(ready))
		tap_bail("pipe");
	pid = fork();
	if (!pid) {
		self_open();
		if (write(ready[1], "x", 1) == 1)
			pause();
		_exit(0);
	}
	if (read(ready[0], &byte, 1) != 1)
		tap_bail("pipe");
	tap_errno(module_try_remove(MODULE_TASKRT), -EAGAIN,
		  "the module stays for a process that has them mapped");
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	tap_equal(modinfo_await(TASKRT_INFO_A_MAPPED, 0), 0, "until that is killed");
}

/* A user's process that reads itself before and after coarse_ns is set. */
struct coarse {
	const struct ask_who *who;
	int ready, go;
};

static int read_across(void *arg)
{
	const struct coarse *coarse = arg;
	struct taskrt_snapshot before, last, again;
	struct taskrt_self *self, *fresh;
	struct taskrt_reading reading;
	const struct taskrt_page *page;
	unsigned int flags;
	int status;
	char byte;

	ask_become(coarse->who);
	self = self_open();
	page = page_own();
	self_get(self, &reading);
	self_read(self, &before);
	if (write(coarse->ready, "x", 1) != 1 || read(coarse->go, &byte, 1) != 1)
		return 100;
	flags = self_read(self, &last);
	clock_burn(2 * MS);
	if (self_read(self, &again) != flags)
		return 101;
	if (page_falls(&before.times, &last.times) || page_falls(&last.times, &again.times))
		return 102;
	if (!self_adds_up(&last, reading.stats.tracked_since_ns))
		return 103;
	if (flags & TASKRT_FINAL && last.at_ns != again.at_ns)
		return 104;
	if (flags & TASKRT_FINAL && !page_is_over(page, TASKRT_PAGE_REVOKED))
		return 106;
	status = taskrt_self_open(&fresh, TASKRT_SELF_MAPPED);
	return status ? -status : last.at_ns == again.at_ns ? 105 : 0;
}

static int across_coarse(const struct ask_who *who)
{
	int ready[2], go[2], status;
	struct coarse coarse;
	pid_t pid;
	char byte;

	if (pipe(ready) || pipe(go))
		tap_bail("pipe");
	coarse = (struct coarse){ who, ready[1], go[0] };
	pid = fork();
	if (!pid)
		_exit(read_across(&coarse));
	if (read(ready[0], &byte, 1) != 1)
		tap_bail("a child has gone");
	module_must_set("coarse_ns", "1000000");
	if (write(go[1], "x", 1) != 1)
		tap_bail("pipe");
	waitpid(pid, &status, 0);
	module_must_set("coarse_ns", "0");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 200;
}

static int open_as(void *who)
{
	struct taskrt_self *self;
	int err;

	ask_become(who);
	err = taskrt_self_open(&self, TASKRT_SELF_MAPPED);
	if (!err)
		taskrt_self_close(self);
	return err;
}

/*
 * Who may see exact times has mapped its counters, and loses the right.  A further mapping,
 * which is refused, leaves the first one as it is.
 */
static int refused_beside(void *unused)
{
	int fd = page_device();
	const struct taskrt_page *page = page_map(fd);

	(void)unused;
	ask_keep_caps(0);
	if (page_try_all(fd))
		return 100;
	if (errno != EPERM)
		return errno;
	module_must_set("coarse_ns", "2000000");
	return page_status(page) == TASKRT_PAGE_REVOKED ? 101 : 0;
}

static void coarse(void)
{
	tap_errno(across_coarse(&user), EPERM,
		  "coarse: without the right to exact times, the last ones stay");
	tap_errno(across_coarse(&watcher), 0, "coarse: with the right, they go on");
	module_must_set("coarse_ns", "1000000");
	tap_errno(ask_in_child(open_as, (void *)&user), EPERM, "coarse: a user opens nothing");
	tap_errno(ask_in_child(open_as, (void *)&watcher), 0,
		  "coarse: with CAP_PERFMON a user does");
	tap_errno(ask_in_child(refused_beside, NULL), 0,
		  "coarse: a mapping that is refused changes none that was granted");
	module_must_set("coarse_ns", "0");
	tap_errno(ask_in_child(open_as, (void *)&user), 0,
		  "not coarse any more: a user does again");
	tap_equal(modinfo_await(TASKRT_INFO_A_MAPPED, 0), 0, "nothing is left mapped");
}

int main(void)
{
	rounds = tap_setting("TASKRT_TEST_ROUNDS", 5);
	switched_off();
	before_the_hooks();
	not_removed();
	killed();
	coarse();
	return tap_done();
}
