// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mapped counters are those of the thread that mapped them, and visible to its process
 * alone, also if a process forks, executes or ends, or receives the file from another
 * process.
 * TASKRT_TEST_THREADS: how many come and go (600; for all that is claimed, 2000).
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "modinfo.h"
#include "page.h"
#include "self.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

/* How many mappings of the device this process has. */
static unsigned int mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned int count = 0;
	char line[512];

	while (maps && fgets(line, sizeof(line), maps))
		count += strstr(line, TASKRT_DEVICE) != NULL;
	if (maps)
		fclose(maps);
	return count;
}

static int is_there(const void *address)
{
	unsigned char resident;

	return !mincore((void *)address, 1, &resident);
}

/* What a child sees at the address, as bits; 0: nothing. */
static int look(void *page)
{
	return (mappings() != 0) | is_there(page) << 1;
}

static int look_and_map(void *page)
{
	struct page_copy copy;
	const struct taskrt_page *own;

	if (look(page))
		return 1;
	own = page_own();
	page_read(own, &copy);
	return own->tid != (uint32_t)gettid() ? 2 : !page_adds_up(own, &copy) ? 3 : 0;
}

static void after_fork(void)
{
	const struct taskrt_page *page = page_own();
	struct page_copy before, after;

	tap_equal(mappings(), 1, "fork: the parent has one");
	page_read(page, &before);
	tap_equal(ask_in_child(look, (void *)page), 0, "fork: the child has nothing of it");
	tap_equal(ask_in_child(look_and_map, (void *)page), 0, "fork: but may have its own");
	page_read(page, &after);
	tap_ok(page_status(page) == TASKRT_PAGE_LIVE && page_adds_up(page, &after) &&
	       !page_copy_falls(&before, &after), "fork: the parent's goes on");
	page_unmap(page);
}

/* The library finds out by itself that its mapping is gone. */
static int read_inherited(void *parents)
{
	struct taskrt_self *self = parents, *own;
	struct taskrt_snapshot now;
	struct taskrt_window window;
	struct taskrt_reading reading;

	if (taskrt_self_read(self, &now) != -ECHILD ||
	    taskrt_self_get(self, EVERY_GROUP, &reading, sizeof(reading)) != -ECHILD ||
	    taskrt_window_begin(&window, self) != -ECHILD ||
	    taskrt_self_alert(self, "a child", 0) != -ECHILD || taskrt_self_mapped(self))
		return 1;
	own = self_open();
	if (taskrt_self_read(own, &now) || taskrt_self_read(self, &now) != -ECHILD)
		return 2;
	taskrt_self_close(self);
	return taskrt_self_read(own, &now) ? 3 : 0;
}

static void inherited_handle(void)
{
	struct taskrt_self *self = self_open();
	struct taskrt_snapshot now;

	tap_equal(ask_in_child(read_inherited, self), 0,
		  "fork: the parent's handle is useless in the child");
	tap_equal(self_read(self, &now), 0, "fork: and stays what it was in the parent");
	taskrt_self_close(self);
}

/* The new program finds no mapping but those that the kernel gave it. */
static int executed(void)
{
	return mappings() != 0;
}

static void execute(const char *what)
{
	execl("/proc/self/exe", "self_isolation", what, NULL);
	_exit(200);
}

static int map_and_execute(void *unused)
{
	(void)unused;
	page_own();
	page_device();
	execute("executed");
	return 200;
}

static void after_exec(void)
{
	uint64_t mapped;

	tap_equal(ask_in_child(map_and_execute, NULL), 0, "exec: the new program has nothing");
	mapped = modinfo_await(TASKRT_INFO_A_MAPPED, 0);
	tap_equal(mapped, 0, "exec: and the old program's is gone");
}

/*
 * A child in the same address space that maps its own and then executes another program:
 * what the parent can still see must show nothing of that program.
 */
static const struct taskrt_page *left_behind;

static int map_for_parent(void *unused)
{
	(void)unused;
	left_behind = page_own();
	execute("busy");
	return 200;
}

static void be_busy(void)
{
	prctl(PR_SET_NAME, "secret");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		clock_spin(MS);
		clock_sleep(MS);
	}
}

/* The new program runs, and all its counters move. */
static void await_busy(pid_t pid)
{
	uint64_t patience = clock_now() + CLOCK_PATIENCE;
	struct taskrt *handle = window_open();
	struct taskrt_reading first, now;

	do {
		clock_sleep(MS);
		window_thread(handle, pid, &first);
	} while (strcmp(first.stats.comm, "secret") && clock_now() < patience);
	do {
		clock_sleep(10 * MS);
		window_thread(handle, pid, &now);
	} while ((VALUE(now, VOLUNTARY_SWITCHES) <
		  VALUE(first, VOLUNTARY_SWITCHES) + 20 ||
		  now.stats.cpu_time_ns < first.stats.cpu_time_ns + 20 * MS) &&
		 clock_now() < patience);
	if (clock_now() >= patience)
		tap_bail("the new program does nothing");
	taskrt_close(handle);
}

/* Copies all that is mapped, for is_unchanged(); the caller frees it. */
static char *copy_of(const struct taskrt_page *page)
{
	char *copy = malloc(page_length(page));

	if (!copy)
		tap_bail("no memory");
	return memcpy(copy, page, page_length(page));
}

static int is_unchanged(const struct taskrt_page *page, const char *copy)
{
	return !memcmp(copy, page, page_length(page));
}

static void exec_of_a_sharer(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	char *first, own[16];
	pid_t pid;

	prctl(PR_GET_NAME, own);
	pid = clone(map_for_parent, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD,
		    NULL);
	if (pid < 0 || !left_behind)
		tap_bail("vfork: %s", strerror(errno));
	/* The kernel lets the parent continue a moment before it reports the exec. */
	page_await(left_behind, TASKRT_PAGE_ENDED);
	tap_ok(1, "exec of a child that shares the memory: ended");
	first = copy_of(left_behind);
	await_busy(pid);
	tap_ok(is_unchanged(left_behind, first), "and nothing of it moves any more");
	tap_ok(!strncmp(left_behind->comm, own, sizeof(own)), "nor has it another name: %.16s",
	       left_behind->comm);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	tap_equal(page_status(left_behind), TASKRT_PAGE_ENDED, "nor when it ends");
	tap_ok(is_unchanged(left_behind, first), "then neither");
	free(first);
	page_unmap(left_behind);
}

struct grave {
	const struct taskrt_page *page;
	uint32_t tid;
	uint64_t start_ns;
	char *last;
};

static void live_and_leave(void *arg)
{
	struct grave *grave = arg;

	grave->page = page_own();
	grave->tid = grave->page->tid;
	grave->start_ns = grave->page->start_time_ns;
}

static unsigned int bury(struct grave *graves, unsigned long count)
{
	unsigned int wrong = 0;
	struct thread thread;
	unsigned long i;

	for (i = 0; i < count; i++) {
		thread_start(&thread, live_and_leave, &graves[i]);
		thread_join(&thread);
		wrong += graves[i].tid != (uint32_t)thread.tid;
	}
	for (i = 0; i < count; i++) {
		page_await(graves[i].page, TASKRT_PAGE_ENDED);
		free(graves[i].last);
		graves[i].last = copy_of(graves[i].page);
	}
	return wrong;
}

static void check_graves(const struct grave *graves, unsigned long count)
{
	unsigned long moved = 0, renamed = 0, broken = 0, i;
	struct page_copy copy;

	for (i = 0; i < count; i++) {
		const struct taskrt_page *page = graves[i].page;

		moved += !is_unchanged(page, graves[i].last);
		renamed += page->tid != graves[i].tid ||
			   page->start_time_ns != graves[i].start_ns;
		page_read(page, &copy);
		broken += !page_adds_up(page, &copy);
	}
	tap_equal(moved, 0, "churn: nothing moves of a thread that has ended");
	tap_equal(renamed, 0, "churn: nor becomes another's");
	tap_equal(broken, 0, "churn: the last values add up");
}

/* Threads map and end, and others reuse what they had. */
static void churn(void)
{
	unsigned long count = tap_setting("TASKRT_TEST_THREADS", 600) / 2, i;
	struct grave *graves = calloc(count, sizeof(*graves));
	struct grave *others = calloc(count, sizeof(*others));

	tap_equal(bury(graves, count), 0, "churn: each thread mapped its own");
	tap_equal(bury(others, count), 0, "churn: so did %lu more", count);
	check_graves(graves, count);
	for (i = 0; i < count; i += 2)
		page_unmap(graves[i].page);
	/* The memory of half of them is free for these. */
	for (i = 0; i < count; i += 2)
		bury(&graves[i], 1);
	check_graves(graves, count);
	check_graves(others, count);
	for (i = 0; i < count; i++) {
		page_unmap(graves[i].page);
		page_unmap(others[i].page);
		free(graves[i].last);
		free(others[i].last);
	}
	tap_equal(modinfo_await(TASKRT_INFO_A_MAPPED, 0), 0, "churn: none is left mapped");
	free(graves);
	free(others);
}

static void map_in_thread(void *page)
{
	*(const struct taskrt_page **)page = page_map(*(int *)page);
	clock_sleep(50 * MS);
}

/* The file gives no access: a thread gets its own counters; rights.c has other processes. */
static void passed(void)
{
	int fd = page_device();
	union {
		int fd;
		const struct taskrt_page *page;
	} given = { .fd = fd };
	struct thread thread;

	thread_start(&thread, map_in_thread, &given);
	thread_join(&thread);
	tap_equal(given.page->tid, thread.tid, "the file in another thread: that one's");
	page_unmap(given.page);
	close(fd);
}

static int is_of(const struct taskrt_page_array *array, unsigned long offset)
{
	return array->offset && offset >= array->offset &&
	       offset < array->offset + (unsigned long)array->nr * array->stride;
}

/* The mapping holds nothing beside the structure and its arrays. */
static void rest_is_zero(void)
{
	const struct taskrt_page *page = page_own();
	const char *bytes = (const char *)page;
	unsigned long i, length = page_length(page), unknown = 0;

	for (i = page->size; i < length; i++) {
		int known = is_of(&page->timers_since, i) + is_of(&page->counts, i) +
			    is_of(&page->state_intervals, i) +
			    is_of(&page->timer_intervals, i) + is_of(&page->held_states, i) +
			    is_of(&page->waker, i);

		if (known > 1)
			break;
		unknown += !known && bytes[i];
	}
	tap_equal(i, length, "no array overlaps another");
	tap_equal(unknown, 0, "no byte of anything else beside them");
	page_unmap(page);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "executed"))
		return executed();
	if (argc > 1)
		be_busy();
	rest_is_zero();
	after_fork();
	inherited_handle();
	after_exec();
	exec_of_a_sharer();
	churn();
	passed();
	return tap_done();
}
