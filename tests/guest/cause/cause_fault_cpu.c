// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page faults that cost CPU time: the kernel handles them without a wait.  The explanation of a
 * window names them.  What a thread has computed in page faults is exact: it is all of their time,
 * without the waits in them, interrupts and reclaim, whosever memory it is.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "file.h"
#include "memcg.h"
#include "module.h"
#include "patience.h"
#include "self.h"
#include "setting.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define MIB		(1UL << 20)
#define AREA		(4 * MIB)
#define HUGE_PAGE	(2 * MIB)
#define HUGE		"/sys/kernel/mm/transparent_hugepage/enabled"
#define FILE_NAME	"/disk/taskrt-fault-cpu"
#define LIMIT		(12 * MIB)	/* and so large is the file */
#define D		(40 * MS)
#define CPU		1	/* of the thread whose faults they are */

/* Work that is done between two reads of the thread's own counters. */
struct work {
	const char *name;
	void (*prepare)(void);
	void (*make)(void);
	void (*clean)(void);
	/* Was it what the test is about?  Another round otherwise.  NULL: always */
	int (*right)(void);
};

static struct taskrt_self *self;
static struct taskrt_window window;
static struct taskrt_explanation why;
static unsigned long page_size;
static volatile char *area;
static int device;

static uint64_t timer(unsigned int which)
{
	return window.spent.timers_ns[which];
}

#define TIMER(name)	timer(TASKRT_TIMER_##name)
#define STATE(name)	window.spent.states_ns[TASKRT_STATE_##name]

/* The parts of the state "running" that are no page faults. */
static uint64_t other_parts(void)
{
	return TIMER(HARDIRQ) + TIMER(SOFTIRQ) + TIMER(STEAL) + TIMER(RECLAIM_CPU);
}

/*
 * The faults' time is that of computing in them, of the waits in them, and of the other parts in
 * them; and neither of these is more than there was in the window.
 */
static int is_exact(void)
{
	const uint64_t waits = window.elapsed_ns - STATE(RUNNING), least = TIMER(FAULT_CPU);

	return least <= TIMER(FAULT) && least + other_parts() <= STATE(RUNNING) &&
	       TIMER(FAULT) <= least + waits + other_parts();
}

static uint64_t share_of(uint32_t cause)
{
	uint32_t i;

	for (i = 0; i < why.nr; i++)
		if (why.shares[i].cause == cause)
			return why.shares[i].ns;
	return 0;
}

static uint64_t sum_of_shares(void)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < why.nr; i++)
		sum += why.shares[i].ns;
	return sum;
}

static void observe(const struct work *work)
{
	do {
		if (work->prepare)
			work->prepare();
		taskrt_window_begin(&window, self);
		work->make();
		taskrt_window_end(&window);
		if (work->clean)
			work->clean();
	} while (taskrt_window_explain(&window, &why, sizeof(why)) && patience_lasts());
}

static void say(const struct work *work)
{
	char line[1000];

	taskrt_explanation_format(&why, sizeof(why), 0, line, sizeof(line));
	tap_diag("%s: faults %llu ns, computing in them %llu, other parts %llu: %s", work->name,
		 (unsigned long long)TIMER(FAULT), (unsigned long long)TIMER(FAULT_CPU),
		 (unsigned long long)other_parts(), line);
}

static void check(const struct work *work)
{
	unsigned long i, rounds = tap_setting("TASKRT_TEST_ROUNDS", 8), windows = 0;
	unsigned long right = 0, exact = 0, sums = 0, shares = 0;

	for (i = 0; i < rounds; i++) {
		unsigned long tries = 0;
		int done;

		do {
			observe(work);
			windows++;
			if (!is_exact())
				say(work);
			exact += is_exact();
			sums += sum_of_shares() == window.elapsed_ns;
			shares += share_of(TASKRT_CAUSE_FAULT_CPU) == TIMER(FAULT_CPU);
			done = TIMER(FAULT_CPU) && (!work->right || work->right());
		} while (!done && (++tries < 20 || patience_lasts()));
		right += done;
	}
	say(work);
	tap_equal(right, rounds, "%s: it has come to that", work->name);
	tap_equal(exact, windows, "%s: exactly the computing in the faults", work->name);
	tap_equal(sums, windows, "%s: the shares sum to the window", work->name);
	tap_equal(shares, windows, "%s: one of them is that", work->name);
}

/* --- memory that is touched */

static void map(int advice)
{
	area = mmap(NULL, AREA + HUGE_PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED)
		tap_bail("mmap: %s", strerror(errno));
	madvise((void *)area, AREA + HUGE_PAGE, advice);
}

static void map_small(void)
{
	map(MADV_NOHUGEPAGE);
}

static void map_huge(void)
{
	map(MADV_HUGEPAGE);
}

static void unmap(void)
{
	munmap((void *)area, AREA + HUGE_PAGE);
}

static void touch_some(unsigned long length)
{
	unsigned long i;

	for (i = 0; i < length; i += page_size)
		area[i]++;
}

static void touch(void)
{
	touch_some(AREA);
}

static void touch_few(void)
{
	touch_some(16 * page_size);
}

static int is_first(void)
{
	return why.shares[0].cause == TASKRT_CAUSE_FAULT_CPU;
}

/* Nothing but the faults has happened to the thread: then there is but one number. */
static int is_undisturbed(void)
{
	return window.elapsed_ns == STATE(RUNNING) && !other_parts() &&
	       TIMER(FAULT_CPU) == TIMER(FAULT);
}

static const struct work few = {
	"a few pages", map_small, touch_few, unmap, is_undisturbed,
};

static const struct work small = {
	"small pages", map_small, touch, unmap, is_first,
};

static const struct work huge = {
	"huge pages", map_huge, touch, unmap, is_first,
};

/* A child that has the same pages, until it is killed. */
static pid_t child;

static void fork_child(void)
{
	child = fork();
	if (child < 0)
		tap_bail("fork: %s", strerror(errno));
	if (child)
		return;
	for (;;)
		pause();
}

static void kill_child(void)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	unmap();
}

static void share(void)
{
	map_small();
	touch();
	fork_child();
}

static const struct work copied = {
	"copied after a fork", share, touch, kill_child, is_first,
};

/* --- of the kernel, and of another process */

static void populate(void)
{
	area = mmap(NULL, AREA + HUGE_PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (area == MAP_FAILED)
		tap_bail("mmap: %s", strerror(errno));
}

static const struct work populated = { "populated", NULL, populate, unmap, NULL };

static char bytes[AREA];

static void share_untouched(void)
{
	map_small();
	fork_child();
}

static int write_to_child(void)
{
	struct iovec local = { bytes, AREA }, remote = { (void *)area, AREA };

	return process_vm_writev(child, &local, 1, &remote, 1, 0) == AREA;
}

static void give(void)
{
	if (!write_to_child())
		tap_bail("process_vm_writev: %s", strerror(errno));
}

static const struct work given = {
	"another process's", share_untouched, give, kill_child, NULL,
};

static int can_write(void)
{
	int can;

	memset(bytes, 1, sizeof(bytes));
	share_untouched();
	can = write_to_child();
	kill_child();
	return can;
}

/* --- faults that are disturbed */

static void map_asleep(void)
{
	area = device_map(device, 1, TASKRT_TEST_IO, 0, D / 8);
}

static void map_busy(void)
{
	area = device_map(device, 1, TASKRT_TEST_BUSY, 0, D);
}

static void map_major(void)
{
	area = device_map(device, 1, TASKRT_TEST_IO, 1, D / 8);
}

static void unmap_device(void)
{
	device_unmap(area, 1);
}

static void touch_one(void)
{
	area[0] = 1;
}

static int has_slept(void)
{
	return STATE(BLOCKED_FAULT) >= D / 8;
}

static const struct work asleep = {
	"with a sleep", map_asleep, touch_one, unmap_device, has_slept,
};

static const struct work major = {
	"with a sleep, major", map_major, touch_one, unmap_device, has_slept,
};

static volatile int over;

static void compete(void *unused)
{
	(void)unused;
	thread_pin(CPU);
	while (!over)
		;
}

static int has_waited(void)
{
	return has_slept() && STATE(WOKEN) + STATE(PREEMPTED);
}

static const struct work beside = {
	"beside another thread", map_asleep, touch_one, unmap_device, has_waited,
};

static void beside_another(void)
{
	struct thread competitor;

	over = 0;
	thread_start(&competitor, compete, NULL);
	check(&beside);
	over = 1;
	thread_join(&competitor);
}

static volatile int faulting, storms;

/* On the other CPU: interrupts while the thread is in its fault. */
static void storm(void *unused)
{
	(void)unused;
	thread_pin(0);
	while (!over) {
		storms = faulting;
		if (storms)
			device_storm(device, TASKRT_TEST_TIMERS, CPU, 8, D / 80);
	}
}

/* An interrupt between the two readings of the window's end would be in its timer alone. */
static void touch_amid_storm(void)
{
	faulting = 1;
	area[0] = 1;
	faulting = 0;
	while (storms)
		;
}

/* More than can have been outside of the fault. */
static int is_interrupted(void)
{
	return TIMER(HARDIRQ) > window.elapsed_ns - TIMER(FAULT);
}

static const struct work interrupted = {
	"amid interrupts", map_busy, touch_amid_storm, unmap_device, is_interrupted,
};

static void amid_interrupts(void)
{
	struct thread storming;

	module_must_set("interrupts", "1");
	taskrt_self_close(self);
	self = self_open();
	over = 0;
	thread_start(&storming, storm, NULL);
	check(&interrupted);
	over = 1;
	thread_join(&storming);
	module_must_set("interrupts", "0");
	taskrt_self_close(self);
	self = self_open();
}

/* --- faults that have to make memory free first */

static void fill_cgroup(void)
{
	static char buffer[1 << 16];
	int fd = open(FILE_NAME, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		tap_bail(FILE_NAME);
	while (read(fd, buffer, sizeof(buffer)) > 0)
		;
	close(fd);
	map_small();
}

/* The memory of a cgroup is charged in faults alone here. */
static int has_reclaimed(void)
{
	return TIMER(RECLAIM_CPU) && TIMER(FAULT_CPU) + TIMER(RECLAIM_CPU) <= TIMER(FAULT);
}

static const struct work reclaiming = {
	"with reclaim", fill_cgroup, touch, unmap, has_reclaimed,
};

static void with_reclaim(void)
{
	if (!memcg_limit(LIMIT))
		tap_bail("memory.max");
	file_make(FILE_NAME, LIMIT);
	memcg_enter();
	check(&reclaiming);
	unlink(FILE_NAME);
}

/* --- what others are told */

static void touch_new(void *unused)
{
	(void)unused;
	map_small();
	touch();
	unmap();
}

static void queried(void)
{
	const struct taskrt_reading *delta;
	struct window asked;

	window_observe(&asked, touch_new, NULL);
	delta = &asked.delta;
	tap_at_least(delta->times.timers_ns[TASKRT_TIMER_FAULT_CPU], 1, "asked for: there are some");
	tap_at_most(delta->times.timers_ns[TASKRT_TIMER_FAULT_CPU],
		    delta->times.timers_ns[TASKRT_TIMER_FAULT], "asked for: a part of the faults");
	tap_at_most(delta->times.timers_ns[TASKRT_TIMER_FAULT_CPU],
		    delta->times.states_ns[TASKRT_STATE_RUNNING], "asked for: and of running");
	tap_equal(delta->counts.timers[TASKRT_TIMER_FAULT_CPU],
		  delta->counts.timers[TASKRT_TIMER_FAULT], "asked for: as many as faults");
	tap_equal(delta->longests.timers[TASKRT_TIMER_FAULT_CPU].ns, 0, "asked for: no longest one");
}

static void with_huge_pages(void)
{
	char before[64] = "";

	if (!setting_read(HUGE, before, sizeof(before)) || !setting_write(HUGE, "madvise")) {
		tap_skip("huge pages", "this kernel has none");
		return;
	}
	check(&huge);
	setting_write(HUGE, strstr(before, "[always]") ? "always" :
			    strstr(before, "[never]") ? "never" : "madvise");
}

static void on_one_cpu(void)
{
	if (sysconf(_SC_NPROCESSORS_ONLN) <= CPU) {
		tap_skip("beside another thread, amid interrupts", "needs two processors");
		return;
	}
	thread_pin(CPU);
	beside_another();
	amid_interrupts();
	thread_unpin();
}

static int run(int has_cgroup)
{
	device = device_open();
	self = self_open();
	queried();
	check(&few);
	check(&small);
	with_huge_pages();
	check(&copied);
	check(&populated);
	if (can_write())
		check(&given);
	else
		tap_skip("another process's", "this kernel has no process_vm_writev()");
	check(&asleep);
	check(&major);
	on_one_cpu();
	if (has_cgroup)
		with_reclaim();
	else
		tap_skip("with reclaim", "this kernel has no memory cgroups");
	taskrt_self_close(self);
	return tap_done();
}

/* In a process of its own, which leaves the cgroup by its end. */
int main(void)
{
	const int has_cgroup = !!memcg_make();
	int status;
	pid_t pid;

	page_size = sysconf(_SC_PAGESIZE);
	pid = fork();
	if (!pid)
		exit(run(has_cgroup));
	waitpid(pid, &status, 0);
	if (has_cgroup)
		memcg_remove();
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
