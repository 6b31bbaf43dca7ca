// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last totals of a process are exactly the sum of those of its threads, however it
 * lives and ends; and the record of a process comes once, behind that of its last thread.
 * TASKRT_TEST_PROCESSES: how many processes (500).
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ledger.h"
#include "life.h"
#include "listener.h"
#include "setting.h"
#include "tap.h"

#define WORKERS	4

static struct listener listener;
static struct ledger ledger;
static struct life *lives;
static unsigned long count;

/* Most processes have few threads, one in eight has up to 31 beside the first. */
static unsigned int threads_of(unsigned long i)
{
	return (i / 12) % 8 ? i % 4 : (i * 7) % 32;
}

static void work(unsigned int worker)
{
	unsigned long i;

	for (i = worker; i < count; i += WORKERS)
		life_run(&lives[i], i % life_kinds(), threads_of(i));
	_exit(0);
}

static void run(void)
{
	pid_t workers[WORKERS];
	unsigned int i;
	int status;

	for (i = 0; i < WORKERS; i++) {
		workers[i] = fork();
		if (!workers[i])
			work(i);
	}
	for (i = 0; i < WORKERS; i++) {
		while (!waitpid(workers[i], &status, WNOHANG))
			listener_wait(&listener, 20);
		if (status)
			tap_bail("worker %u: status %#x", i, status);
	}
	listener_drain(&listener);
}

struct found {
	unsigned int once, threads, status, parent, uid, comm;
};

static void look_up(const struct life *life, struct found *found)
{
	const struct ledger_entry *entry;
	unsigned int records;

	entry = ledger_find(&ledger, life->pid, &records);
	if (!entry || records != 1) {
		tap_diag("%d, %s: %u records", life->pid, life_name(life->kind), records);
		return;
	}
	found->once++;
	found->threads += entry->threads == life->threads;
	if (entry->threads != life->threads)
		tap_diag("%d, %s: %u threads of %u", life->pid, life_name(life->kind),
			 entry->threads, life->threads);
	found->status += entry->exit_code == (uint32_t)life->status;
	if (entry->exit_code != (uint32_t)life->status)
		tap_diag("%d, %s: exit code %#x, wait says %#x", life->pid,
			 life_name(life->kind), entry->exit_code, life->status);
	found->parent += entry->ppid == (uint32_t)life->parent;
	found->uid += entry->uid == life->uid;
	found->comm += !life->comm[0] || !strcmp(entry->comm, life->comm);
}

static void check_lives(void)
{
	struct found found = { 0 };
	unsigned int cores = 0;
	unsigned long i;

	ledger_sort(&ledger);
	for (i = 0; i < count; i++) {
		look_up(&lives[i], &found);
		cores += WCOREDUMP(lives[i].status) != 0;
	}
	tap_equal(found.once, count, "each process is delivered exactly once");
	tap_equal(found.threads, count, "with all of its threads");
	tap_equal(found.status, count, "with the status that wait reports");
	tap_equal(found.parent, count, "with its parent");
	tap_equal(found.uid, count, "with its user");
	tap_equal(found.comm, count, "with its name");
	tap_at_least(cores, 1, "some dumped core");
}

static void check_sums(void)
{
	tap_diag("%u processes, %u threads, %u messages", ledger.count, ledger.threads,
		 listener.messages);
	tap_at_least(ledger.count, count, "processes that began and ended meanwhile");
	tap_equal(ledger.unequal, 0, "every total is the sum of its threads'");
	tap_equal(ledger.longest, 0, "every longest is the longest of its threads'");
	tap_equal(ledger.miscounted, 0, "threads_gone is the number of its threads' records");
	tap_equal(ledger.apart, 0, "each directly behind its last thread");
	tap_equal(ledger.unclosed, 0, "each says that it has ended, and adds up");
	tap_equal(listener.lost, 0, "nothing lost");
	tap_equal(listener.wrong, 0, "no message breaks a promise");
}

int main(int argc, char **argv)
{
	life_main(argc, argv);
	count = tap_setting("TASKRT_TEST_PROCESSES", 500);
	lives = mmap(NULL, count * sizeof(*lives), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (lives == MAP_FAILED)
		tap_bail("no memory");
	/* No pid is used twice. */
	if (!setting_write("/proc/sys/kernel/pid_max", "4194304") ||
	    !setting_write("/proc/sys/kernel/core_pattern", "/tmp/taskrt-core"))
		tap_diag("the settings of the kernel remain");
	ledger_open(&ledger, 40 * count);
	listener_open(&listener, ledger_enter, &ledger);
	listener_listen(&listener, &(struct listener_filter){ .groups = EVERY_GROUP });
	ledger_begin(&ledger);
	run();
	check_sums();
	check_lives();
	unlink("/tmp/taskrt-core");
	listener_close(&listener);
	ledger_close(&ledger);
	return tap_done();
}
