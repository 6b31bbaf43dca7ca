// SPDX-License-Identifier: GPL-2.0-only
/*
 * An alert says at which address a thread waited in futex(2), and, if it waited for a mutex
 * of glibc, which thread had it.  What is no mutex has no owner.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bell.h"
#include "clock.h"
#include "flight.h"
#include "tap.h"
#include "thread.h"

#define D	(100 * MS)
#define MOST	(D - MS)

static const struct mutex_case {
	const char *name;
	int type, robust, protocol, shared;
} cases[] = {
	{ "mutex", PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE, 0 },
	{ "adaptive", PTHREAD_MUTEX_ADAPTIVE_NP, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE, 0 },
	{ "recursive", PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE, 0 },
	{ "error checking", PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE, 0 },
	{ "shared", PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE, 1 },
	{ "robust shared", PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE, 1 },
	{ "robust", PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE, 0 },
	{ "PI", PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_INHERIT, 0 },
	{ "robust PI", PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_INHERIT, 0 },
};

static pthread_mutex_t mutex;
static sem_t taken, drop;

static void make_mutex(const struct mutex_case *test)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, test->type);
	pthread_mutexattr_setrobust(&attributes, test->robust);
	pthread_mutexattr_setprotocol(&attributes, test->protocol);
	pthread_mutexattr_setpshared(&attributes, test->shared);
	pthread_mutex_init(&mutex, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

static void hold(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "culprit");
	pthread_mutex_lock(&mutex);
	sem_post(&taken);
	while (sem_wait(&drop))
		;
	pthread_mutex_unlock(&mutex);
}

static void let_go(void *unused)
{
	(void)unused;
	sem_post(&drop);
}

static void want(void *unused)
{
	struct bell bell;

	(void)unused;
	bell_set(&bell, 0, TASKRT_STATE_SLEEPING_FUTEX, D, let_go, NULL);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	bell_join(&bell);
}

static int is_unowned(const struct taskrt_event *event)
{
	return !event->owner_tid && !event->owner_comm[0];
}

static void check_mutex(const struct mutex_case *test)
{
	const struct alert_event *wait;
	struct flight flight;
	struct thread holder;

	make_mutex(test);
	thread_start(&holder, hold, NULL);
	while (sem_wait(&taken))
		;
	flight_observe(&flight, test->name, want, NULL);
	thread_join(&holder);
	wait = flight_find(&flight, TASKRT_STATE_SLEEPING_FUTEX, MOST);
	if (!wait)
		return;
	tap_equal(wait->event.futex, (uintptr_t)&mutex, "%s: the address of the mutex", test->name);
	tap_ok(wait->event.owner_tid == (uint32_t)holder.tid &&
	       !strcmp(wait->event.owner_comm, "culprit"), "%s: who had it: %s (%u)", test->name,
	       wait->event.owner_comm, wait->event.owner_tid);
	tap_equal(wait->event.object, 0, "%s: it is no lock of the kernel", test->name);
}

/* Words that are waited on, as a mutex is, and how: an operation and the word that it expects. */
struct words_case {
	const char *name;
	int op;
	uint32_t words[5];
	uint32_t *at;			/* where they are; NULL: anywhere */
	unsigned int number;		/* of them that there are */
};

static uint32_t *words;

static void wake_words(void *unused)
{
	(void)unused;
	__atomic_store_n(words, 0, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, words, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void wait_for_words(void *arg)
{
	const struct words_case *test = arg;
	uint32_t expected = test->words[0];
	struct bell bell;

	bell_set(&bell, 0, TASKRT_STATE_SLEEPING_FUTEX, D, wake_words, NULL);
	while (__atomic_load_n(words, __ATOMIC_SEQ_CST) == expected)
		syscall(SYS_futex, words, test->op | FUTEX_PRIVATE_FLAG, expected, NULL, NULL,
			FUTEX_BITSET_MATCH_ANY);
	bell_join(&bell);
}

static void check_words(struct words_case *test)
{
	static uint32_t somewhere[5];
	const struct alert_event *wait;
	struct flight flight;

	words = test->at ? test->at : somewhere;
	memcpy(words, test->words, 4 * test->number);
	flight_observe(&flight, test->name, wait_for_words, test);
	wait = flight_find(&flight, TASKRT_STATE_SLEEPING_FUTEX, MOST);
	if (!wait)
		return;
	tap_equal(wait->event.futex, (uintptr_t)words, "%s: the address", test->name);
	tap_ok(wait->event.flags & TASKRT_EVENT_FUTEX_OP && wait->event.futex_op == (uint32_t)test->op,
	       "%s: the operation", test->name);
	if (!tap_ok(is_unowned(&wait->event), "%s: nobody is said to have it", test->name))
		tap_diag("%s (%u)", wait->event.owner_comm, wait->event.owner_tid);
}

/* The last words before memory that is not there. */
static uint32_t *words_at_end(unsigned int number)
{
	char *pages = mmap(NULL, 2 * getpagesize(), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || munmap(pages + getpagesize(), getpagesize()))
		tap_bail("no page");
	return (uint32_t *)(pages + getpagesize()) - number;
}

static void check_others(void)
{
	const uint32_t self = getpid();
	struct words_case others[] = {
		{ "a condition", FUTEX_WAIT_BITSET, { 7, 0, self, 1, 0 }, NULL, 5 },
		{ "no user of it", FUTEX_WAIT, { 2, 0, self, 0, 0 }, NULL, 5 },
		{ "no such kind", FUTEX_WAIT, { 2, 0, self, 1, 0x5555 }, NULL, 5 },
		{ "not our thread", FUTEX_WAIT, { 2, 0, 1, 1, 0 }, NULL, 5 },
		{ "robust, not our", FUTEX_WAIT, { FUTEX_WAITERS | 1, 0, 1, 1, 16 }, NULL, 5 },
		/* A read-write lock of Rust's library, and the mutex of musl, may be these. */
		{ "many readers", FUTEX_WAIT, { 0xc0000000 | self, 0, self, 1, 16 }, NULL, 5 },
		{ "not robust", FUTEX_WAIT, { FUTEX_WAITERS | self, 0, self, 1, 0 }, NULL, 5 },
		{ "no owner beside", FUTEX_WAIT, { FUTEX_WAITERS | self, 0, 0, 1, 16 }, NULL, 5 },
		{ "a robust kind", FUTEX_WAIT, { 2, 0, self, 1, 16 }, NULL, 5 },
		{ "no such thread", FUTEX_WAIT, { 2, 0, 0x3fffffff, 1, 0 }, NULL, 5 },
		{ "at the end", FUTEX_WAIT, { 2 }, words_at_end(1), 1 },
		{ "nearly there", FUTEX_WAIT, { 2, 0, self }, words_at_end(3), 3 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		check_words(&others[i]);
}

/* Asleep in something else, after all of that. */
static void nap(void *unused)
{
	(void)unused;
	bell_sleep(D);
}

static void check_no_futex(void)
{
	const struct alert_event *wait;
	struct flight flight;

	flight_observe(&flight, "nap", nap, NULL);
	wait = flight_find(&flight, TASKRT_STATE_SLEEPING_TIMER, MOST);
	if (wait)
		tap_ok(!wait->event.futex && is_unowned(&wait->event),
		       "who sleeps otherwise waits on no address, and for nobody");
}

int main(void)
{
	unsigned int i;

	sem_init(&taken, 0, 0);
	sem_init(&drop, 0, 0);
	flight_open();
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_mutex(&cases[i]);
	check_others();
	check_no_futex();
	flight_close();
	return tap_done();
}
