// SPDX-License-Identifier: GPL-2.0-only
/*
 * self_race [READS]: two threads read a page that a third one changes all the
 * time: as the one that opened it, and as another.  What they get is never
 * torn and never decreases, and the sums are right in every single read.
 */
#include <pthread.h>
#include <stdbool.h>

#include "fake_page.h"
#include "tap.h"

/*
 * Words of times that are not measured.  Here they count the changes of each kind, so that
 * a torn read shows.
 */
#define BY_SCHEDULER	14
#define BY_ITSELF	15

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
	uint32_t state = round % STATES;
	uint64_t now;

	page_begin(page, 0);
	now = clock_now();
	page_enter(page, state, now);
	if (!others)
		page_enter(page, TASKRT_STATE_RUNNING, now + round % 50);
	PAGE_ADD(page->times.timers_ns[BY_SCHEDULER], 1);
	PAGE_ADD(page_counts(page)->values[TASKRT_VALUE_WAKEUPS], 1);
	page_end(page, 0);
}

/* What the thread itself does, in a fault or for a lock. */
static void change_own(uint64_t round, bool others)
{
	uint32_t lock = round % LOCKS;
	uint64_t ns = round % 1000;

	page_begin(page, 1);
	PAGE_ADD(page->times.timers_ns[TASKRT_TIMER_FAULT], ns);
	PAGE_ADD(page->times.locks_ns[lock], ns);
	PAGE_ADD(page->times.timers_ns[TASKRT_TIMER_LOCK], ns);
	PAGE_ADD(page->times.timers_ns[BY_ITSELF], 1);
	PAGE_ADD(page_counts(page)->locks[lock], 1);
	PAGE_ADD(page_counts(page)->timers[TASKRT_TIMER_LOCK], 1);
	page_interval(page_timer(page, TASKRT_TIMER_LOCK), clock_now() - ns, ns);
	if (others && round % 3 == 0) {
		PAGE_SET(page->in_progress, page->in_progress ^ 1u << TASKRT_TIMER_LOCK);
		PAGE_SET(page->lock, lock);
		PAGE_SET(*page_since(page, TASKRT_TIMER_LOCK), ~0ULL);
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
	struct taskrt_histogram *histogram;
	uint64_t counted;		/* by its histograms */
};

static const char *check(const struct taskrt_snapshot *a, const struct taskrt_snapshot *b)
{
	const struct taskrt_times *t = &b->times;
	const __u64 *before = (const __u64 *)&a->times, *after = (const __u64 *)t;
	uint64_t ns = 0;
	unsigned int i;

	if (b->at_ns < a->at_ns)
		return "time went back";
	if (b->flags)
		return "an end that never was";
	if (sum_of_states(t) != b->at_ns - page->tracked_since_ns)
		return "the states do not sum to the time";
	for (i = 0; i < sizeof(*t) / sizeof(__u64); i++)
		if (after[i] < before[i])
			return "a total decreased";
	for (i = 0; i < TASKRT_LOCKS_ROOM; i++)
		ns += t->locks_ns[i];
	if (t->timers_ns[TASKRT_TIMER_FAULT] != ns || t->timers_ns[TASKRT_TIMER_LOCK] != ns ||
	    t->timers_ns[BY_ITSELF] > t->timers_ns[BY_SCHEDULER] ||
	    t->timers_ns[BY_ITSELF] + 1 < t->timers_ns[BY_SCHEDULER])
		return "a read is torn";
	return NULL;
}

/* All groups are of the same instant. */
static const char *check_groups(const struct taskrt_reading *reading)
{
	const uint64_t by_scheduler = reading->times.timers_ns[BY_SCHEDULER];
	const uint64_t by_itself = reading->times.timers_ns[BY_ITSELF];
	uint64_t locks = 0, states = 0;
	unsigned int i;

	for (i = 0; i < TASKRT_LOCKS_ROOM; i++)
		locks += reading->counts.locks[i];
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		states += reading->counts.states[i];
	if (sum_of_states(&reading->times) != reading->stats.tracked_time_ns)
		return "the states do not sum to tracked_time";
	if (locks != by_itself || reading->counts.timers[TASKRT_TIMER_LOCK] != by_itself ||
	    reading->counts.values[TASKRT_VALUE_WAKEUPS] != by_scheduler || states < by_scheduler)
		return "groups are of different instants";
	if (reading->longests.timers[TASKRT_TIMER_LOCK].ns >= 1000)
		return "an interval that never was";
	return NULL;
}

static bool get(const struct reader *reader, struct taskrt_reading *reading)
{
	return !taskrt_self_get(reader->self, TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS |
				TASKRT_GROUP_LONGEST, reading, sizeof(*reading));
}

/* The histogram has as many intervals as the two readings around the look have counted. */
static const char *check_histogram(struct reader *reader)
{
	struct taskrt_reading before, after;
	struct taskrt_distribution locks;
	const char *wrong;
	unsigned int i;

	if (!get(reader, &before))
		return NULL;
	wrong = check_groups(&before);
	if (wrong || taskrt_histogram_read(reader->histogram, NULL, 0))
		return wrong;
	taskrt_histogram_timer(reader->histogram, TASKRT_TIMER_LOCK, &locks, sizeof(locks));
	for (i = 0; i < TASKRT_BUCKETS; i++)
		reader->counted += locks.counts[i];
	if (locks.longest.ns && !locks.counts[63 - __builtin_clzll(locks.longest.ns)])
		return "a longest one that was not counted";
	if (reader->counted < before.counts.timers[TASKRT_TIMER_LOCK])
		return "a histogram counted too few";
	if (get(reader, &after) && reader->counted > after.counts.timers[TASKRT_TIMER_LOCK])
		return "a histogram counted too many";
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
		reader->changes += now.times.timers_ns[BY_SCHEDULER] !=
				   before.times.timers_ns[BY_SCHEDULER];
		before = now;
		if (i % 1000 == 0 && !wrong)
			wrong = check_histogram(reader);
	}
	reader->reads = i;
	reader->wrong = wrong;
	return NULL;
}

static void result(const char *name, const struct reader *reader)
{
	const char *wrong = reader->wrong;

	/* it would say nothing if hardly anything had changed meanwhile */
	if (!wrong && reader->changes < CHANGES)
		wrong = "too few changes were seen";
	tap_ok(!wrong, "%s", name);
	tap_diag("%lu reads, %lu saw a change, %lu gave up%s%s", reader->reads, reader->changes,
		 reader->gave_up, wrong ? ": " : "", wrong ? wrong : "");
}

/*
 * This thread opens the handle and reads.  To read as another thread, it replaces the
 * opener.  Here another processor changes the page also of a thread that reads itself, so
 * that thread must be as far behind the clock as others are.
 */
static void race(const char *name, unsigned long reads, bool others)
{
	static struct reader reader;
	pthread_t writer;
	struct taskrt_self *self;

	memset(&reader, 0, sizeof(reader));
	reader.reads = reads;
	page = page_new(clock_now());
	reader.self = self = taskrt_self_new();
	if (!self || taskrt_mapping_attach(self, page) ||
	    taskrt_histogram_open(&reader.histogram, self))
		tap_bail("no handle to read with");
	if (others)
		self->opener = &reader;
	self->behind_ns[true] = self->behind_ns[false];
	__atomic_store_n(&ended, false, __ATOMIC_RELAXED);
	pthread_create(&writer, NULL, write_page, others ? &reader : NULL);
	read_page(&reader);
	__atomic_store_n(&ended, true, __ATOMIC_RELAXED);
	pthread_join(writer, NULL);
	taskrt_histogram_close(reader.histogram);
	taskrt_self_close(self);
	free(page);
	result(name, &reader);
}

int main(int argc, char **argv)
{
	unsigned long reads = argc > 1 ? strtoul(argv[1], NULL, 0) : 100000;

	race("by the thread itself", reads, false);
	race("by another thread", reads, true);
	return tap_done();
}
