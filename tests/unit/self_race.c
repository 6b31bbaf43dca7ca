// SPDX-License-Identifier: GPL-2.0-only
/*
 * self_race [READS]: two threads read a page that a third one changes all the
 * time: as the one that opened it, and as another.  What they get is never
 * torn and never decreases, and the sums are right in every single read.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "fake_page.h"

#define CHANGES		300		/* to be seen at least, however few the processors */
#define LIMIT_NS	60000000000ULL

uint64_t fake_now;

static struct taskrt_page *page;
static bool ended;

static uint64_t clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/*
 * What the scheduler does.  A thread that reads itself runs whenever it looks,
 * so for it the state is always left again in the same change.
 */
static void change_state(uint64_t round, bool others)
{
	uint32_t state = round % TASKRT_NR_STATES;
	uint64_t now;

	page_begin(page, 0);
	now = clock_now();
	page_enter(page, state, now);
	if (!others)
		page_enter(page, TASKRT_STATE_RUNNING, now + round % 50);
	PAGE_ADD(page->totals.voluntary_switches, 1);
	PAGE_ADD(page->totals.wakeups, 1);
	page_end(page, 0);
}

/* What the thread itself does, in a fault or for a lock. */
static void change_own(uint64_t round, bool others)
{
	uint32_t lock = round % TASKRT_NR_LOCKS;
	uint64_t ns = round % 1000;

	page_begin(page, 1);
	PAGE_ADD(page->totals.minor_fault_time_ns, ns);
	PAGE_ADD(page->totals.page_fault_time_ns, ns);
	PAGE_ADD(page->totals.lock_time_ns[lock], ns);
	PAGE_ADD(page->totals.lock_contention_time_ns, ns);
	PAGE_ADD(page->totals.lock_count[lock], 1);
	page_interval(page, TASKRT_TIMER_LOCK, page->since_ns, ns);
	if (others && round % 3 == 0) {
		PAGE_SET(page->in_progress, page->in_progress ^ TASKRT_IN_LOCK);
		PAGE_SET(page->lock, lock);
		PAGE_SET(page->lock_since_ns, ~0ULL);
	}
	page_end(page, 1);
}

static void *write_page(void *others)
{
	uint64_t round;

	for (round = 0; !__atomic_load_n(&ended, __ATOMIC_RELAXED); round++) {
		change_state(round, others);
		change_own(round, others);
		if (round % 64 == 0)
			sched_yield();
	}
	return NULL;
}

struct reader {
	struct taskrt_self *self;
	unsigned long reads;
	unsigned long changes;		/* reads that differed from the one before */
	unsigned long gave_up;
	const char *wrong;
	struct taskrt_look look;
	struct taskrt_history since;
	uint64_t seen;			/* of its histories */
};

static const char *check(const struct taskrt_snapshot *a, const struct taskrt_snapshot *b)
{
	const struct taskrt_totals *t = &b->totals;
	const __u64 *before = (const __u64 *)&a->totals, *after = (const __u64 *)t;
	uint64_t locks = 0, ns = 0;
	unsigned int i;

	if (b->at_ns < a->at_ns)
		return "time went back";
	if (sum_of_states(t) != b->at_ns - page->tracked_since_ns)
		return "the states do not sum to the time";
	for (i = 0; i < sizeof(*t) / sizeof(__u64); i++)
		if (after[i] < before[i])
			return "a total decreased";
	for (i = 0; i < TASKRT_NR_LOCKS; i++) {
		locks += t->lock_count[i];
		ns += t->lock_time_ns[i];
	}
	if (t->voluntary_switches != t->wakeups || t->page_fault_time_ns != t->minor_fault_time_ns ||
	    t->lock_contention_time_ns != ns || locks > t->wakeups || locks + 1 < t->wakeups)
		return "a read is torn";
	return NULL;
}

static const char *check_history(struct reader *reader)
{
	const struct taskrt_intervals *locks = &reader->look.copy[TASKRT_TIMER_LOCK];
	uint64_t counted = 0;
	unsigned int i;

	if (taskrt_history(reader->self, &reader->look, &reader->since) < 0)
		return NULL;
	for (i = 0; i < TASKRT_NR_BUCKETS; i++) {
		reader->seen += reader->since.timers[TASKRT_TIMER_LOCK].counts[i];
		counted += locks->counts[i];
	}
	if (reader->seen != counted)
		return "histories do not sum to the counts";
	for (i = 0; i < locks->nr_peaks; i++)
		if (locks->peaks[i].ns >= 1000 || (i && locks->peaks[i].ns >= locks->peaks[i - 1].ns))
			return "a peak that never was";
	return NULL;
}

static void *read_page(void *arg)
{
	struct taskrt_snapshot before = { .at_ns = page->tracked_since_ns }, now;
	struct reader *reader = arg;
	unsigned long i;
	const char *wrong = NULL;

	for (i = 0; !wrong && (i < reader->reads || reader->changes < CHANGES) &&
	     before.at_ns < page->tracked_since_ns + LIMIT_NS; i++) {
		if (taskrt_self_read(reader->self, &now)) {
			reader->gave_up++;
			continue;
		}
		wrong = check(&before, &now);
		reader->changes += now.totals.wakeups != before.totals.wakeups;
		before = now;
		if (i % 1000 == 0 && !wrong)
			wrong = check_history(reader);
	}
	reader->reads = i;
	reader->wrong = wrong;
	return NULL;
}

static int result(int number, const char *name, const struct reader *reader)
{
	const char *wrong = reader->wrong;

	/* it would say nothing if hardly anything had changed meanwhile */
	if (!wrong && reader->changes < CHANGES)
		wrong = "too few changes were seen";
	printf("%s %d - %s\n", wrong ? "not ok" : "ok", number, name);
	printf("# %lu reads, %lu saw a change, %lu gave up%s%s\n", reader->reads, reader->changes,
	       reader->gave_up, wrong ? ": " : "", wrong ? wrong : "");
	return !!wrong;
}

/*
 * The readers' handle is opened here, so it is theirs only if they say so.  Here
 * another processor changes also the page of who reads itself, so that one's clock
 * must be as far behind as others' are.
 */
static int race(int number, const char *name, unsigned long reads, bool others)
{
	static struct reader reader;
	pthread_t writer;
	struct taskrt_self *self;

	memset(&reader, 0, sizeof(reader));
	reader.reads = reads;
	page = page_new(clock_now());
	reader.self = self = taskrt_self_new();
	if (!self || taskrt_self_attach(self, page))
		return 1;
	if (others)
		self->opener = &reader;
	self->behind_ns[true] = self->behind_ns[false];
	__atomic_store_n(&ended, false, __ATOMIC_RELAXED);
	pthread_create(&writer, NULL, write_page, others ? &reader : NULL);
	read_page(&reader);
	__atomic_store_n(&ended, true, __ATOMIC_RELAXED);
	pthread_join(writer, NULL);
	taskrt_self_close(self);
	free(page);
	return result(number, name, &reader);
}

int main(int argc, char **argv)
{
	unsigned long reads = argc > 1 ? strtoul(argv[1], NULL, 0) : 100000;
	int failed;

	puts("1..2");
	failed = race(1, "by the thread itself", reads, false);
	failed |= race(2, "by another thread", reads, true);
	return failed;
}
