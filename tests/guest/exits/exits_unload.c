// SPDX-License-Identifier: GPL-2.0-only
/*
 * Listeners under load while accounting is switched off and on, and while the module is
 * removed and inserted: one that reads, one that blocks in recv(2), one that sleeps with a
 * full buffer.
 * TASKRT_TEST_ROUNDS: how often accounting is switched off and on (25); the module is
 * removed a tenth as often.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "delivery.h"
#include "listener.h"
#include "load.h"
#include "module.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

static struct listener reader, waiter, deaf;

/* Reads everything that comes, until the end. */
static void read_on(void *arg)
{
	struct listener *listener = arg;
	struct pollfd ready = { .fd = listener->raw.fd, .events = POLLIN };

	while (!listener->error && poll(&ready, 1, CLOCK_PATIENCE_MS) == 1)
		listener_read(listener);
}

/* Blocks in recv(2), for one message after the other. */
static void wait_on(void *arg)
{
	static char buffer[65536];
	struct listener *listener = arg;

	while (recv(listener->raw.fd, buffer, sizeof(buffer), 0) >= 0)
		;
	listener->error = errno;
}

static void open_all(void)
{
	listener_open(&reader, NULL, NULL);
	listener_open(&waiter, NULL, NULL);
	listener_open(&deaf, NULL, NULL);
	listener_listen(&reader, NULL);
	listener_listen(&waiter,
			&(struct listener_filter){ .entities = TASKRT_ENTITIES_PROCESSES });
	listener_listen(&deaf, NULL);
}

static void close_all(void)
{
	listener_close(&reader);
	listener_close(&waiter);
	listener_close(&deaf);
}

struct outcome {
	unsigned int reader, waiter, deaf, errors, wrong;
};

/* The listener that slept finds that the module is gone, before or after its records. */
static int finds_it_gone(struct listener *listener)
{
	struct pollfd ready = { .fd = listener->raw.fd, .events = POLLIN };
	int i;

	if (poll(&ready, 1, CLOCK_PATIENCE_MS) != 1 || !(ready.revents & POLLERR))
		return 0;
	for (i = 0; i < 1000 && !listener->error; i++)
		listener_read(listener);
	return listener->error == ENODEV;
}

static void go_and_come(unsigned long round, struct outcome *outcome)
{
	struct thread reading, waiting;
	int err;

	open_all();
	thread_start(&reading, read_on, &reader);
	thread_start(&waiting, wait_on, &waiter);
	if (round % 2)
		clock_sleep(30 * MS);
	err = module_remove(MODULE_TASKRT);
	if (err)
		tap_bail("round %lu: removing: %s", round, strerror(-err));
	thread_join(&reading);
	thread_join(&waiting);
	outcome->reader += reader.error == ENODEV;
	outcome->waiter += waiter.error == ENODEV;
	outcome->deaf += finds_it_gone(&deaf);
	outcome->wrong += reader.wrong + deaf.wrong;
	close_all();
	err = module_insert(MODULE_TASKRT, round % 3 ? "" : "backlog_kib=1");
	if (err)
		tap_bail("round %lu: inserting: %s", round, strerror(-err));
}

static void unload(unsigned long rounds)
{
	struct outcome outcome = { 0 };
	unsigned long i;

	load_start(LOAD_FORK | LOAD_THREADS);
	for (i = 0; i < rounds; i++)
		go_and_come(i, &outcome);
	load_stop();
	tap_equal(outcome.reader, rounds, "a listener that reads learns that the module is gone");
	tap_equal(outcome.waiter, rounds, "a listener that waits is woken, and learns it");
	tap_equal(outcome.deaf, rounds, "a listener that sleeps learns it: POLLERR, then ENODEV");
	tap_equal(outcome.wrong, 0, "no message breaks a promise");
}

/* A socket from before the removal is no listener of the new module. */
static void old_socket(void)
{
	struct raw_answer answer;
	struct listener old, fresh;
	uint64_t received;
	int left;

	listener_open(&old, NULL, NULL);
	listener_listen(&old, NULL);
	module_again("");
	listener_open(&fresh, NULL, NULL);
	tap_errno(listener_ask(&fresh, TASKRT_CMD_LIST, NULL, &answer), 0, "a new module: LIST");
	tap_ok(!raw_find(&answer, TASKRT_A_REGISTRATION, NULL),
	       "a new module: nothing is registered");
	listener_listen(&fresh, NULL);
	/* Reads what was queued before the removal: the records, and the error behind them. */
	for (left = 2; left; left -= !listener_wait(&old, 0) && !old.error)
		old.error = 0;
	received = old.received;
	delivery_await(&fresh);
	listener_wait(&old, 0);
	tap_equal(old.received, received, "an old socket: receives nothing more");
	listener_close(&old);
	listener_close(&fresh);
}

static void nothing(void *unused)
{
	(void)unused;
}

/* pthread_join() returns before the thread has ended in the kernel. */
static pid_t thread_that_ends(void)
{
	struct thread thread;

	thread_start(&thread, nothing, NULL);
	thread_join(&thread);
	while (thread_letter(thread.tid) && patience_lasts())
		clock_sleep(MS);
	return thread.tid;
}

/* A thread that ended while accounting was off, and whether a record of it came. */
struct unheard {
	pid_t tid;
	unsigned int told;
};

static void note(const struct listener_record *record, void *arg)
{
	struct unheard *unheard = arg;

	unheard->told += !record->process && record->id == (uint32_t)unheard->tid;
}

/* Off: no record comes, and no error; on: records come again, and no message is missing. */
static void off_and_on(void)
{
	unsigned int round, heard = 0, silent = 0;
	struct unheard unheard = { 0 };
	struct listener listener;

	listener_open(&listener, note, &unheard);
	listener_listen(&listener, NULL);
	for (round = 0; round < 5; round++) {
		uint64_t before, sequence;

		module_must_set("enabled", "0");
		sequence = listener_listed(&listener, TASKRT_A_SEQ);
		unheard.tid = thread_that_ends();
		unheard.told = 0;
		listener_read(&listener);
		silent += listener_listed(&listener, TASKRT_A_SEQ) == sequence;
		before = listener.received;
		module_must_set("enabled", "1");
		/* If there were a record of that thread, it would come first. */
		listener_drain(&listener);
		silent -= unheard.told != 0;
		heard += listener.received > before;
	}
	tap_equal(silent, 5, "switched off: no record");
	tap_equal(heard, 5, "on again: records, without a new registration");
	tap_equal(listener.lost + listener.error, 0, "no loss and no error");
	tap_equal(listener.wrong, 0, "SEQ goes on from there");
	listener_close(&listener);
}

static void register_while_off(void)
{
	struct raw_answer answer;
	struct listener listener;

	module_must_set("enabled", "0");
	listener_open(&listener, NULL, NULL);
	tap_errno(listener_register(&listener, &(struct listener_filter){ 0 }, &answer), -ENODATA,
		  "switched off: no registration");
	tap_ok(answer.text[0], "and why: %s", answer.text);
	module_must_set("enabled", "1");
	listener_close(&listener);
}

static void off_and_on_under_load(unsigned long rounds)
{
	unsigned long i;

	load_start(LOAD_FORK | LOAD_THREADS);
	open_all();
	for (i = 0; i < 2 * rounds; i++) {
		module_must_set("enabled", i % 2 ? "1" : "0");
		listener_wait(&reader, 20);
	}
	load_stop();
	listener_drain(&reader);
	tap_equal(reader.wrong, 0, "switched under load: each message in its place");
	tap_equal(reader.error, 0, "switched under load: no error");
	close_all();
}

int main(void)
{
	unsigned long rounds = tap_setting("TASKRT_TEST_ROUNDS", 25);

	off_and_on();
	register_while_off();
	off_and_on_under_load(rounds);
	unload((rounds + 9) / 10);
	old_socket();
	return tap_done();
}
