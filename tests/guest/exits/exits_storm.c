// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes fork and wait without end, and a listener writes each record to a file: all
 * are delivered, all are in the file, and nothing is left over.
 * TASKRT_TEST_STORM: for how many seconds (10).
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "module.h"
#include "patience.h"
#include "tap.h"
#include "window.h"

#define FORKERS	4
#define PATH	"/disk/taskrt-storm"
#define SPARE	"/tmp/taskrt-storm"
/* By how many tasks a machine at rest may differ from one moment to the next. */
#define IDLE_TASKS	10
#define LEAST	20	/* processes, to call it a storm */

struct shared {
	volatile int stop;
	volatile unsigned long forked[FORKERS];
};

/* Records, received or read back. */
struct tally {
	uint64_t threads, processes, lost, all;
	uint64_t ours[FORKERS];		/* processes by their parent */
	uint64_t sum;			/* of something in each of them */
	uint64_t out_of_order;
};

static struct shared *shared;
static pid_t forkers[FORKERS];

static void storm(unsigned int number)
{
	while (!shared->stop) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		if (pid < 0)
			_exit(1);
		waitpid(pid, NULL, 0);
		shared->forked[number]++;
	}
	_exit(0);
}

static void count(struct tally *tally, const struct taskrt_exit *exit)
{
	unsigned int i;

	tally->out_of_order += exit->seq != tally->all;
	if (exit->type == TASKRT_EXIT_LOST) {
		tally->lost += exit->lost_now;
		tally->all += exit->lost_now;
		return;
	}
	tally->all++;
	tally->sum += exit->reading.stats.cpu_time_ns ^ exit->reading.stats.tgid ^ exit->seq;
	if (exit->type == TASKRT_EXIT_THREAD) {
		tally->threads++;
		return;
	}
	tally->processes++;
	for (i = 0; i < FORKERS; i++)
		tally->ours[i] += exit->reading.stats.ppid == (uint32_t)forkers[i];
}

static struct taskrt_exits *start_listening(void)
{
	struct taskrt_exits *listener;
	int err = taskrt_exits_open(&listener);

	if (err)
		tap_bail("taskrt_exits_open: %s", strerror(-err));
	err = taskrt_exits_register(listener, NULL, NULL, 0, NULL, 0);
	if (err)
		tap_bail("register: %s", taskrt_exits_error(listener));
	return listener;
}

static int new_file(void)
{
	int fd = open(PATH, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0)
		fd = open(SPARE, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		tap_bail("no file: %s", strerror(errno));
	return fd;
}

/* Takes what is there, and writes it. */
static void take(struct taskrt_exits *listener, struct taskrt_file *file, struct tally *tally)
{
	struct taskrt_exit exit;
	int got, wait_ms = 50;

	while ((got = taskrt_exits_next(listener, wait_ms, &exit, sizeof(exit))) == 1) {
		wait_ms = 0;
		count(tally, &exit);
		got = taskrt_file_write(file, &exit, sizeof(exit));
		if (got)
			tap_bail("taskrt_file_write: %s", strerror(-got));
	}
	if (got)
		tap_bail("taskrt_exits_next: %s", strerror(-got));
}

static uint64_t forked(void)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < FORKERS; i++)
		sum += shared->forked[i];
	return sum;
}

static uint64_t told(const struct tally *tally)
{
	return window_sum((const __u64 *)tally->ours, FORKERS);
}

static void run_storm(struct taskrt_exits *listener, struct taskrt_file *file,
		      struct tally *tally)
{
	uint64_t end = clock_now() + tap_setting("TASKRT_TEST_STORM", 10) * SEC;
	unsigned int i;

	for (i = 0; i < FORKERS; i++) {
		forkers[i] = fork();
		if (!forkers[i])
			storm(i);
	}
	while (clock_now() < end || (forked() < LEAST && patience_lasts()))
		take(listener, file, tally);
	shared->stop = 1;
	for (i = 0; i < FORKERS; i++)
		waitpid(forkers[i], NULL, 0);
	while (told(tally) + tally->lost < forked() && patience_lasts())
		take(listener, file, tally);
}

static void read_back(int fd, const struct tally *told)
{
	struct tally tally = { 0 };
	struct taskrt_file *file;
	struct taskrt_exit exit;
	int got;

	if (lseek(fd, 0, SEEK_SET))
		tap_bail("lseek");
	got = taskrt_file_open(&file, fd);
	if (got)
		tap_bail("taskrt_file_open: %s", strerror(-got));
	while ((got = taskrt_file_next(file, &exit, sizeof(exit))) == 1)
		count(&tally, &exit);
	tap_errno(got, 0, "the file: read to its end");
	taskrt_file_close(file);
	tap_equal(tally.all, told->all, "the file: as many records as were received");
	tap_equal(tally.processes, told->processes, "the file: as many processes");
	tap_equal(tally.sum, told->sum, "the file: and the same");
	tap_equal(tally.out_of_order, 0, "the file: in order");
}

/* The module keeps a stock of free records, which is not always of the same size. */
static uint64_t most_memory(const struct taskrt_info *before)
{
	return before->memory_bytes + before->memory_bytes / 4;
}

static void settle(struct taskrt *handle, const struct taskrt_info *before,
		   struct taskrt_info *after)
{
	do {
		clock_sleep(100 * MS);
		window_info(handle, after);
	} while ((after->threads > before->threads + IDLE_TASKS ||
		  after->processes > before->processes + IDLE_TASKS ||
		  after->memory_bytes > most_memory(before) ||
		  after->listeners > before->listeners || after->backlog_bytes) &&
		 patience_lasts());
}

static void check_left(const struct taskrt_info *before, const struct taskrt_info *after)
{
	tap_at_most(after->threads, before->threads + IDLE_TASKS, "afterwards: threads");
	tap_at_most(after->processes, before->processes + IDLE_TASKS, "afterwards: processes");
	tap_at_most(after->memory_bytes, most_memory(before), "afterwards: memory");
	tap_equal(after->listeners, before->listeners, "afterwards: listeners");
	tap_equal(after->backlog_bytes, 0, "afterwards: backlog");
	tap_equal(after->no_memory + after->refused, before->no_memory + before->refused,
		  "no task went unrecorded");
}

int main(void)
{
	struct taskrt *handle = window_open();
	struct taskrt_info before, after;
	struct taskrt_exits *listener;
	struct tally tally = { 0 };
	struct taskrt_file *file;
	unsigned int i;
	int fd = new_file();

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	/* A busy host may keep this program from reading for seconds. */
	module_must_set("backlog_kib", "65536");
	window_info(handle, &before);
	listener = start_listening();
	if (taskrt_file_create(&file, fd))
		tap_bail("taskrt_file_create");
	run_storm(listener, file, &tally);
	tap_errno(taskrt_file_close(file), 0, "the file is written");
	taskrt_exits_close(listener);
	tap_at_least(forked(), LEAST, "a storm: %llu were forked", (unsigned long long)forked());
	for (i = 0; i < FORKERS; i++)
		tap_equal(tally.ours[i], shared->forked[i], "forker %u: all of its children", i);
	tap_equal(tally.lost, 0, "none is lost");
	tap_equal(told(&tally) + tally.lost, forked(), "delivered + lost == forked");
	tap_equal(tally.out_of_order, 0, "in order, each with its number");
	tap_at_least(tally.threads, tally.processes, "a thread's record for each process's");
	read_back(fd, &tally);
	close(fd);
	unlink(PATH);
	unlink(SPARE);
	settle(handle, &before, &after);
	check_left(&before, &after);
	window_info(handle, &after);
	tap_at_least(after.exits_delivered, before.exits_delivered + tally.all, "INFO counts them");
	tap_equal(after.exits_lost, before.exits_lost, "INFO counts no loss");
	module_must_set("backlog_kib", "8192");
	taskrt_close(handle);
	return tap_done();
}
