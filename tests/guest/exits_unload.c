// SPDX-License-Identifier: GPL-2.0-only
/*
 * Listeners while accounting is switched off and on, and while the module goes and
 * comes, under load: one that reads, one that waits without end, one that sleeps
 * with all its room full.
 * TASKRT_TEST_ROUNDS: how often (25); here a tenth of that.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "ear.h"
#include "load.h"
#include "module.h"
#include "owed.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

/* For what has to come, however slow the machine. */
#define PATIENCE_MS	60000

static struct ear reader, waiter, deaf;

/* Everything that comes, until the end. */
static void read_on(void *arg)
{
	struct ear *ear = arg;
	struct pollfd ready = { .fd = ear->raw.fd, .events = POLLIN };

	while (!ear->error && poll(&ready, 1, PATIENCE_MS) == 1)
		ear_read(ear);
}

/* Blocks in recv(2), for one message after the other. */
static void wait_on(void *arg)
{
	static char buffer[65536];
	struct ear *ear = arg;

	while (recv(ear->raw.fd, buffer, sizeof(buffer), 0) >= 0)
		;
	ear->error = errno;
}

static void open_all(void)
{
	ear_open(&reader, NULL, NULL);
	ear_open(&waiter, NULL, NULL);
	ear_open(&deaf, NULL, NULL);
	ear_listen(&reader, NULL);
	ear_listen(&waiter, &(struct ear_filter){ .entities = TASKRT_ENTITIES_PROCESSES });
	ear_listen(&deaf, NULL);
}

static void close_all(void)
{
	ear_close(&reader);
	ear_close(&waiter);
	ear_close(&deaf);
}

struct outcome {
	unsigned int reader, waiter, deaf, errors, wrong;
};

/* What the one that slept finds: that the module has gone, before or after its records. */
static int finds_it_gone(struct ear *ear)
{
	struct pollfd ready = { .fd = ear->raw.fd, .events = POLLIN };
	int i;

	if (poll(&ready, 1, PATIENCE_MS) != 1 || !(ready.revents & POLLERR))
		return 0;
	for (i = 0; i < 1000 && !ear->error; i++)
		ear_read(ear);
	return ear->error == ENODEV;
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

static void unload(void)
{
	unsigned long rounds = (tap_setting("TASKRT_TEST_ROUNDS", 25) + 9) / 10, i;
	struct outcome outcome = { 0 };

	load_start(LOAD_FORK | LOAD_THREADS);
	for (i = 0; i < rounds; i++)
		go_and_come(i, &outcome);
	load_stop();
	tap_equal(outcome.reader, rounds, "who reads is told that the module has gone");
	tap_equal(outcome.waiter, rounds, "who waits is woken and told");
	tap_equal(outcome.deaf, rounds, "who sleeps finds it out: POLLERR, then ENODEV");
	tap_equal(outcome.wrong, 0, "no message breaks a promise");
}

/* A socket from before the module went is no listener of the one that came. */
static void old_socket(void)
{
	struct raw_answer answer;
	struct ear old, fresh;
	uint64_t received;
	int left;

	ear_open(&old, NULL, NULL);
	ear_listen(&old, NULL);
	module_again("");
	ear_open(&fresh, NULL, NULL);
	tap_errno(ear_ask(&fresh, TASKRT_CMD_LIST, NULL, &answer), 0, "a new module: LIST");
	tap_ok(!raw_find(&answer, TASKRT_A_REGISTRATION, NULL),
	       "a new module: nothing is registered");
	ear_listen(&fresh, NULL);
	/* What it had before the module went: the end of that, and what waits in the socket. */
	for (left = 2; left; left -= !ear_wait(&old, 0) && !old.error)
		old.error = 0;
	received = old.received;
	owed_read(&fresh);
	ear_wait(&old, 0);
	tap_equal(old.received, received, "an old socket: told of nothing any more");
	ear_close(&old);
	ear_close(&fresh);
}

static void switch_to(const char *value)
{
	int err = module_set("enabled", value);

	if (err)
		tap_bail("enabled=%s: %s", value, strerror(-err));
}

static void nothing(void *unused)
{
	(void)unused;
}

/* It is joined before its very end. */
static pid_t thread_that_ends(void)
{
	struct thread thread;

	thread_start(&thread, nothing, NULL);
	thread_join(&thread);
	while (thread_letter(thread.tid) && patience_lasts())
		clock_sleep(MS);
	return thread.tid;
}

/* Who ended while it was off, and whether anybody was told of that. */
struct unheard {
	pid_t tid;
	unsigned int told;
};

static void note(const struct ear_record *record, void *arg)
{
	struct unheard *unheard = arg;

	unheard->told += !record->process && record->id == (uint32_t)unheard->tid;
}

/* Off: silence, and no end; on: told again, each message in its place. */
static void off_and_on(void)
{
	unsigned int round, heard = 0, silent = 0;
	struct unheard unheard = { 0 };
	struct ear ear;

	ear_open(&ear, note, &unheard);
	ear_listen(&ear, NULL);
	for (round = 0; round < 5; round++) {
		uint64_t before, owed;

		switch_to("0");
		owed = ear_listed(&ear, TASKRT_A_SEQ);
		unheard.tid = thread_that_ends();
		unheard.told = 0;
		ear_read(&ear);
		silent += ear_listed(&ear, TASKRT_A_SEQ) == owed;
		before = ear.received;
		switch_to("1");
		/* Were there anything to tell of it, that would come first. */
		ear_drain(&ear);
		silent -= unheard.told != 0;
		heard += ear.received > before;
	}
	tap_equal(silent, 5, "switched off: silence");
	tap_equal(heard, 5, "on again: told, without registering again");
	tap_equal(ear.lost + ear.error, 0, "no loss and no error");
	tap_equal(ear.wrong, 0, "SEQ goes on from there");
	ear_close(&ear);
}

static void register_while_off(void)
{
	struct raw_answer answer;
	struct ear ear;

	switch_to("0");
	ear_open(&ear, NULL, NULL);
	tap_errno(ear_register(&ear, &(struct ear_filter){ 0 }, &answer), -ENODATA,
		  "switched off: no registration");
	tap_ok(answer.text[0], "and why: %s", answer.text);
	switch_to("1");
	ear_close(&ear);
}

static void off_and_on_under_load(void)
{
	unsigned int i;

	load_start(LOAD_FORK | LOAD_THREADS);
	open_all();
	for (i = 0; i < 20; i++) {
		switch_to(i % 2 ? "1" : "0");
		ear_wait(&reader, 20);
	}
	load_stop();
	ear_drain(&reader);
	tap_equal(reader.wrong, 0, "switched under load: each message in its place");
	tap_equal(reader.error, 0, "switched under load: no error");
	close_all();
}

int main(void)
{
	off_and_on();
	register_while_off();
	off_and_on_under_load();
	unload();
	old_socket();
	return tap_done();
}
