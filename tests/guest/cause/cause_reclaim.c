// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads that have more memory than their cgroup may have, by random amounts.  One that is
 * above memory.high is held up by the kernel before it goes on in user space: it is "blocked",
 * and a page fault only if that is in the middle of one.  One that is at memory.max, and reads
 * a file, reclaims what it has read before by itself: it waits for the disk, computes, and
 * makes memory free, for no longer than the kernel says, where that counts it.  One that takes memory
 * away from its cgroup has to reclaim all of it: most of its time is that.  No share is a wait
 * of another kind, and the shares sum to the window.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "delays.h"
#include "explained.h"
#include "file.h"
#include "memcg.h"
#include "module.h"
#include "patience.h"
#include "self.h"
#include "setting.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define MIB		(1ULL << 20)
#define HIGH		(8 * MIB)
#define MAX		(4 * MIB)
#define COMPACT_MEMORY	"/proc/sys/vm/compact_memory"
#define FILE_NAME	"/disk/taskrt-reclaim"
#define FILE_SIZE	(12 * MIB)
#define RECLAIM		TASKRT_TIMER_RECLAIM
#define COMPACT		TASKRT_TIMER_COMPACT
#define FREEING		TASKRT_TIMER_RECLAIM_CPU

/* Amounts are in bytes, and touched page by page. */
static void touch(uint64_t bytes)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	volatile char *area = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t at;

	if (area == MAP_FAILED)
		tap_bail("mmap");
	/* A fault for one page only returns to user space, where the kernel holds it up. */
	madvise((void *)area, bytes, MADV_NOHUGEPAGE);
	for (at = 0; at < bytes; at += page)
		area[at] = 1;
	munmap((void *)area, bytes);
}

/* The memory of a thread that is to be held up: what it may have, and more. */
static void exceed(uint64_t bytes)
{
	const uint64_t used = memcg_usage();

	touch((used < HIGH ? HIGH - used : 0) + bytes);
}

static void held_up(void)
{
	const struct reason reason = {
		.name = "above memory.high", .cause = TASKRT_CAUSE_BLOCKED, .make = exceed,
		.least = 3 * MIB / 4, .most = MIB,
	};
	struct taskrt_self *self = self_open();
	uint64_t before = memcg_events("high");

	explained_check(self, &reason);
	tap_at_least(memcg_events("high") - before, 1, "the kernel has held it up");
	taskrt_self_close(self);
}

static void read_file(uint64_t bytes)
{
	static char buffer[1 << 16];
	int fd = open(FILE_NAME, O_RDONLY | O_CLOEXEC);
	uint64_t done = 0;

	if (fd < 0)
		tap_bail(FILE_NAME);
	while (done < bytes) {
		ssize_t n = read(fd, buffer, sizeof(buffer));

		if (n <= 0)
			tap_bail("reading " FILE_NAME);
		done += n;
	}
	close(fd);
}

static uint64_t share_of(const struct taskrt_explanation *e, uint64_t causes)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < e->nr; i++)
		if (causes >> e->shares[i].cause & 1)
			sum += e->shares[i].ns;
	return sum;
}

#define CAUSE(name)	(1ULL << TASKRT_CAUSE_##name)
/* The thread waits, or would, until somebody sends something, or until a time. */
#define WAITS		(CAUSE(FUTEX) | CAUSE(POLL) | CAUSE(TIMER) | CAUSE(ASLEEP) |	\
			 CAUSE(FILE) | CAUSE(SOCKET) | CAUSE(WAIT) | CAUSE(PAUSE) |	\
			 CAUSE(STOPPED))

/* Other threads, of the disk and of the kernel's memory, may need the CPU as well. */
#define PLAUSIBLE	(CAUSE(COMPUTING) | CAUSE(RECLAIM_CPU) | CAUSE(IO) | CAUSE(BLOCKED) | \
			 CAUSE(QUEUED))

/* One window at the limit. */
static struct {
	struct taskrt_explanation why;
	uint64_t reclaim_ns, reclaims;
	uint64_t freeing_ns;		/* a part of that, and of compaction */
	uint64_t compact_ns;
} limited;

static void explain_read(struct taskrt_self *self, struct taskrt *handle, uint64_t bytes)
{
	struct taskrt_reading before, after;
	struct taskrt_window window;

	do {
		taskrt_window_begin(&window, self);
		window_thread(handle, gettid(), &before);
		read_file(bytes);
		window_thread(handle, gettid(), &after);
	} while ((taskrt_window_end(&window) ||
		  taskrt_window_explain(&window, &limited.why, sizeof(limited.why))) &&
		 patience_lasts());
	limited.reclaim_ns = after.times.timers_ns[RECLAIM] - before.times.timers_ns[RECLAIM];
	limited.reclaims = after.counts.timers[RECLAIM] - before.counts.timers[RECLAIM];
	limited.freeing_ns = after.times.timers_ns[FREEING] - before.times.timers_ns[FREEING];
	limited.compact_ns = after.times.timers_ns[COMPACT] - before.times.timers_ns[COMPACT];
}

static void at_limit(void)
{
	unsigned long i, rounds = tap_setting("TASKRT_TEST_ROUNDS", 8);
	unsigned long exact = 0, plausible = 0, none = 0, within = 0, freed = 0;
	uint64_t reclaims = 0, reclaim_ns = 0, freeing_ns = 0, elapsed = 0;
	struct taskrt_self *self = self_open();
	struct taskrt *handle = window_open();
	char line[1000];

	for (i = 0; i < rounds; i++) {
		explain_read(self, handle, 2 * MAX + (uint64_t)rand() % (FILE_SIZE - 2 * MAX));
		exact += share_of(&limited.why, ~0ULL) == limited.why.elapsed_ns;
		none += !share_of(&limited.why, WAITS | CAUSE(UNEXPLAINED));
		plausible += !!(PLAUSIBLE & 1ULL << limited.why.shares[0].cause);
		within += limited.reclaim_ns <= limited.why.elapsed_ns;
		freed += limited.freeing_ns &&
			 share_of(&limited.why, CAUSE(RECLAIM_CPU)) >= limited.freeing_ns;
		reclaims += limited.reclaims;
		reclaim_ns += limited.reclaim_ns + limited.compact_ns;
		freeing_ns += limited.freeing_ns;
		elapsed += limited.why.elapsed_ns;
	}
	taskrt_explanation_format(&limited.why, sizeof(limited.why), 0, line, sizeof(line));
	tap_diag("at memory.max: %llu us of %llu us were %llu reclaims, which computed for %llu us; the last one: %s",
		 (unsigned long long)reclaim_ns / 1000, (unsigned long long)elapsed / 1000,
		 (unsigned long long)reclaims, (unsigned long long)freeing_ns / 1000, line);
	tap_equal(exact, rounds, "at memory.max: the shares sum to the window");
	tap_equal(none, rounds, "at memory.max: no wait of another kind, and nothing unexplained");
	tap_equal(plausible, rounds, "at memory.max: it computes, or waits for the disk");
	tap_equal(within, rounds, "at memory.max: it has reclaimed within the window");
	tap_equal(freed, rounds, "at memory.max: it has made memory free each time");
	if (delays_kinds() & 1U << RECLAIM) {
		tap_at_least(reclaims, rounds, "at memory.max: it has reclaimed each time");
		/* The kernel begins to count a little later, and ends a little earlier. */
		tap_at_most(freeing_ns, reclaim_ns + elapsed / 10,
			    "at memory.max: for no longer than the kernel says");
	} else {
		tap_skip("at memory.max: reclaims", "this kernel does not count them");
	}
	taskrt_close(handle);
	taskrt_self_close(self);
}

/* A window in which the cgroup gives up that many bytes, of the file that it has read. */
static int lower(struct taskrt_window *window, struct taskrt_self *self, uint64_t bytes)
{
	uint64_t limit;
	int done;

	do {
		if (!memcg_limit(2 * FILE_SIZE))
			tap_bail("memory.max");
		read_file(FILE_SIZE);
		limit = memcg_usage() - bytes;
		taskrt_window_begin(window, self);
		done = memcg_limit(limit);
	} while (taskrt_window_end(window) && patience_lasts());
	return done;
}

static int explain_lowered(struct taskrt_self *self, uint64_t bytes, struct taskrt_explanation *e)
{
	struct taskrt_window window;
	int done = lower(&window, self, bytes);

	if (taskrt_window_explain(&window, e, sizeof(*e)))
		tap_bail("taskrt_window_explain");
	return done;
}

/* The host of the emulator, or another thread, may be the greater reason now and then. */
static void lowered(void)
{
	unsigned long i, rounds = tap_setting("TASKRT_TEST_ROUNDS", 8), tries;
	unsigned long at_once = 0, right = 0, windows = 0, exact = 0, done = 0;
	struct taskrt_self *self = self_open();
	struct taskrt_explanation e = { 0 };
	char line[1000];

	for (i = 0; i < rounds; i++) {
		const uint64_t bytes = FILE_SIZE / 4 + (uint64_t)rand() % (FILE_SIZE / 2);

		tries = 0;
		do {
			done += explain_lowered(self, bytes, &e);
			exact += share_of(&e, ~0ULL) == e.elapsed_ns;
			windows++;
		} while (e.shares[0].cause != TASKRT_CAUSE_RECLAIM_CPU &&
			 (++tries < 20 || patience_lasts()));
		at_once += !tries;
		right += e.shares[0].cause == TASKRT_CAUSE_RECLAIM_CPU;
	}
	taskrt_explanation_format(&e, sizeof(e), 0, line, sizeof(line));
	tap_diag("a lower limit: of %lu windows, %lu have the cause first; the last one: %s", rounds,
		 at_once, line);
	tap_equal(right, rounds, "a lower limit: it is named");
	tap_equal(exact, windows, "a lower limit: the shares sum to the window");
	tap_equal(done, windows, "a lower limit: the kernel has accepted it");
	taskrt_self_close(self);
}

static volatile int over;

static void compete(void *unused)
{
	(void)unused;
	thread_pin(0);
	while (!over)
		;
}

/*
 * Beside another thread on the same CPU, and with interrupts measured: what is counted of the
 * reclaim is no more than the thread has been running, and does not overlap interrupts.
 */
static void beside_another(void)
{
	struct taskrt_self *self;
	struct taskrt_window w;
	const __u64 *timers = w.spent.timers_ns, *states = w.spent.states_ns;
	struct thread competitor;
	int within = 1, waited = 0, freed = 0;

	module_must_set("interrupts", "1");
	self = self_open();
	thread_start(&competitor, compete, NULL);
	thread_pin(0);
	do {
		lower(&w, self, FILE_SIZE / 2);
		within &= timers[FREEING] + timers[TASKRT_TIMER_HARDIRQ] +
			  timers[TASKRT_TIMER_SOFTIRQ] <= states[TASKRT_STATE_RUNNING];
		freed |= timers[FREEING] > 0;
		waited |= freed && states[TASKRT_STATE_PREEMPTED] > 0;
	} while (within && !waited && patience_lasts());
	over = 1;
	thread_join(&competitor);
	thread_other();
	tap_equal(within, 1, "beside another thread: no more than it was running, without interrupts");
	tap_equal(waited, 1, "beside another thread: it has waited meanwhile");
	taskrt_self_close(self);
	module_must_set("interrupts", "0");
}

/* The kernel compacts each zone that has memory, in the thread that asks for it. */
static void compaction(void)
{
	struct taskrt_self *self = self_open();
	struct taskrt_reading before, after;

	if (!setting_write(COMPACT_MEMORY, "1")) {
		tap_skip("compaction", "this kernel has none");
		taskrt_self_close(self);
		return;
	}
	self_get(self, &before);
	setting_must_write(COMPACT_MEMORY, "1");
	self_get(self, &after);
	tap_at_least(after.counts.timers[FREEING] - before.counts.timers[FREEING], 1,
		     "compaction: it is counted");
	tap_at_least(after.times.timers_ns[FREEING] - before.times.timers_ns[FREEING], 1,
		     "compaction: it takes time");
	tap_at_most(after.times.timers_ns[FREEING] - before.times.timers_ns[FREEING],
		    after.times.states_ns[TASKRT_STATE_RUNNING] -
		    before.times.states_ns[TASKRT_STATE_RUNNING],
		    "compaction: no more than it was running");
	taskrt_self_close(self);
}

/* In the cgroup, which it leaves when it ends; its stalls are counted from its creation on. */
static int in_cgroup(void)
{
	memcg_enter();
	if (memcg_high(HIGH))
		held_up();
	else
		tap_skip("above memory.high", "no v2 hierarchy has the memory controller");
	memcg_high(0);
	if (!memcg_limit(MAX))
		tap_bail("memory.max");
	at_limit();
	lowered();
	beside_another();
	compaction();
	return tap_done();
}

int main(void)
{
	int status, were_on = delays_are_on();
	pid_t pid;

	taskrt_close(window_open());
	if (!memcg_make()) {
		tap_skip("reclaim", "this kernel has no memory cgroups");
		return tap_done();
	}
	delays_switch(1);
	file_make(FILE_NAME, FILE_SIZE);
	pid = fork();
	if (!pid)
		exit(in_cgroup());
	waitpid(pid, &status, 0);
	delays_switch(were_on);
	unlink(FILE_NAME);
	memcg_remove();
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
