// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last totals of a process are exactly the sum of those of its threads, however it
 * lives and ends; and the record of a process comes once, behind that of its last thread.
 * TASKRT_TEST_PROCESSES: how many processes (500).
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "life.h"
#include "listener.h"
#include "setting.h"
#include "tap.h"
#include "totals.h"
#include "window.h"

#define WORKERS		4
#define OPEN		256	/* at most so many processes have lost some of their threads */
#define COMPLAINTS	10

/* A process that has lost some of its threads. */
struct page {
	unsigned int threads;		/* 0: the page is free */
	struct taskrt_reading sum;
};

/* A process that has ended. */
struct entry {
	uint32_t tgid, ppid, uid, exit_code;
	unsigned int threads;		/* records of threads */
	char comm[16];
};

/* What all records say together. */
static struct {
	uint64_t since_ns;		/* older tasks are ignored */
	struct page pages[OPEN];
	struct entry *entries;
	unsigned int count, size;
	struct listener_record last;
	unsigned int threads;
	/* The number of processes with such an error: */
	unsigned int unequal;		/* a total is not the sum over the threads */
	unsigned int longest;		/* a maximum is not the maximum over the threads */
	unsigned int miscounted;	/* threads_gone is not the number of threads */
	unsigned int apart;		/* the record does not follow its last thread's */
	unsigned int unclosed;		/* a record, or a thread's, does not say that it ended */
} ledger = { .since_ns = UINT64_MAX };

static struct listener listener;
static struct life *lives;
static unsigned long count;

static struct page *page_of(uint32_t tgid)
{
	struct page *page, *free_page = NULL;
	unsigned int i;

	for (i = 0; i < OPEN; i++) {
		page = &ledger.pages[i];
		if (page->threads && page->sum.stats.tgid == tgid)
			return page;
		if (!page->threads && !free_page)
			free_page = page;
	}
	if (!free_page)
		tap_bail("%u processes have ended threads and have not ended", OPEN);
	return free_page;
}

static void enter_thread(const struct taskrt_reading *reading)
{
	struct page *page = page_of(reading->stats.tgid);

	if (!page->threads)
		memset(&page->sum, 0, sizeof(page->sum));
	page->sum.stats.tgid = reading->stats.tgid;
	page->threads++;
	totals_add(&page->sum, reading);
	totals_take_longest(&page->sum, reading);
	ledger.threads++;
}

static void complain(const struct taskrt_reading *reading, const struct page *page,
		     const char *what)
{
	if (ledger.unequal + ledger.longest + ledger.miscounted + ledger.apart > COMPLAINTS)
		return;
	tap_diag("%u %.16s, exit code %#x, %llu threads, records of %u: %s", reading->stats.tgid,
		 reading->stats.comm, reading->stats.exit_code, reading->stats.threads_gone,
		 page->threads, what);
}

static void compare(const struct taskrt_reading *reading, const struct page *page)
{
	if (page->threads != reading->stats.threads_gone) {
		ledger.miscounted++;
		complain(reading, page, "another number of threads");
	}
	if (totals_exceed(&page->sum, reading, "threads > process") >= 0 ||
	    totals_exceed(reading, &page->sum, "process > threads") >= 0 ||
	    !window_adds_up(reading)) {
		ledger.unequal++;
		complain(reading, page, "the sums differ");
	}
	if (totals_longest_exceed(&page->sum, reading, "threads > process") >= 0 ||
	    totals_longest_exceed(reading, &page->sum, "process > threads") >= 0) {
		ledger.longest++;
		complain(reading, page, "the longest differ");
	}
	if (ledger.last.process || ledger.last.reading.stats.tgid != reading->stats.tgid) {
		ledger.apart++;
		complain(reading, page, "not behind its last thread");
	}
}

static void enter_process(const struct listener_record *record)
{
	const struct taskrt_reading *reading = &record->reading;
	struct page *page = page_of(reading->stats.tgid);
	struct entry *entry = &ledger.entries[ledger.count];

	if (ledger.count == ledger.size)
		tap_bail("more than %u processes", ledger.size);
	if (!page->threads)
		memset(&page->sum, 0, sizeof(page->sum));
	compare(reading, page);
	*entry = (struct entry){
		.tgid = reading->stats.tgid, .ppid = reading->stats.ppid, .uid = reading->stats.uid,
		.exit_code = reading->stats.exit_code, .threads = page->threads,
	};
	memcpy(entry->comm, reading->stats.comm, sizeof(entry->comm));
	ledger.count++;
	page->threads = 0;
}

static int is_closed(const struct listener_record *record)
{
	const struct taskrt_stats *stats = &record->reading.stats;
	uint32_t id = record->process ? stats->tgid : stats->tid;

	return record->id == id && stats->flags & TASKRT_FLAG_EXITED && !stats->threads &&
	       (record->process || stats->state == TASKRT_STATE_EXITED) &&
	       window_adds_up(&record->reading);
}

static void enter(const struct listener_record *record, void *unused)
{
	(void)unused;
	if (record->reading.stats.start_time_ns < ledger.since_ns ||
	    record->reading.stats.flags & TASKRT_FLAG_KTHREAD)
		return;
	ledger.unclosed += !is_closed(record);
	if (record->process)
		enter_process(record);
	else
		enter_thread(&record->reading);
	ledger.last = *record;
}

static int by_tgid(const void *a, const void *b)
{
	const struct entry *first = a, *second = b;

	return first->tgid < second->tgid ? -1 : first->tgid > second->tgid;
}

/* The first entry of a tgid, or NULL, and how many there are. */
static const struct entry *find(uint32_t tgid, unsigned int *records)
{
	const struct entry key = { .tgid = tgid }, *found, *end;

	*records = 0;
	found = bsearch(&key, ledger.entries, ledger.count, sizeof(key), by_tgid);
	if (!found)
		return NULL;
	while (found > ledger.entries && found[-1].tgid == tgid)
		found--;
	end = ledger.entries + ledger.count;
	while (found + *records < end && found[*records].tgid == tgid)
		++*records;
	return found;
}

/* Most processes have few threads, one in eight has up to 31 beside the first. */
static unsigned int threads_of(unsigned long i)
{
	return (i / 12) % 8 ? i % 4 : (i * 7) % 32;
}

static void run_worker(unsigned int worker)
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
			run_worker(i);
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
	const struct entry *entry;
	unsigned int records;

	entry = find(life->pid, &records);
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

	qsort(ledger.entries, ledger.count, sizeof(*ledger.entries), by_tgid);
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
	ledger.size = 40 * count;
	ledger.entries = calloc(ledger.size, sizeof(*ledger.entries));
	if (!ledger.entries)
		tap_bail("no memory");
	listener_open(&listener, enter, NULL);
	listener_listen(&listener, &(struct listener_filter){ .groups = EVERY_GROUP });
	/* All earlier records have arrived. */
	ledger.since_ns = clock_now();
	run();
	check_sums();
	check_lives();
	unlink("/tmp/taskrt-core");
	listener_close(&listener);
	free(ledger.entries);
	return tap_done();
}
