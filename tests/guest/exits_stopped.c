// SPDX-License-Identifier: GPL-2.0-only
/*
 * A listener that does not read, with little room: what it loses is counted
 * exactly, those that end do not wait for it, and once it reads again it is told
 * again.
 */
#include <string.h>
#include <sys/socket.h>

#include "churn.h"
#include "clock.h"
#include "ear.h"
#include "module.h"
#include "patience.h"
#include "tap.h"
#include "window.h"

#define MANY		1200	/* threads; far more than fit */
#define FEW		100
#define NARROW		20	/* the backlog holds them all, even each in a message of its own */
#define ROUNDS		2

static struct ear ear;
static struct taskrt *handle;

static void listen_to(const struct churn *churn)
{
	const struct ear_filter filter = { .tgid = churn->pid };

	ear_listen(&ear, &filter);
}

/* Until received + lost is what it has to be.  What should not come, told_again() finds. */
static void read_all(uint64_t records)
{
	while (ear.received + ear.lost < records && patience_lasts())
		ear_wait(&ear, 100);
}

/* The last word on it from the module, after all has been handed on. */
static uint64_t owed_in_the_end(uint64_t records)
{
	uint64_t owed;

	do {
		clock_sleep(20 * MS);
		owed = ear_listed(&ear, TASKRT_A_SEQ);
	} while (owed < records && patience_lasts());
	return owed;
}

static void await_lost(struct taskrt_info *info, uint64_t lost)
{
	do {
		clock_sleep(20 * MS);
		window_info(handle, info);
	} while (info->exits_lost < lost && patience_lasts());
}

static void overflow(void)
{
	uint64_t records = CHURN_RECORDS(MANY);
	struct taskrt_info before, stopped, after;
	struct churn churn;

	window_info(handle, &before);
	churn_prepare(&churn, MANY);
	listen_to(&churn);
	churn_threads(&churn);
	churn_end(&churn);
	await_lost(&stopped, before.exits_lost + 1);
	tap_at_most(stopped.backlog_bytes, stopped.backlog_max_bytes, "stopped: the backlog's bound");
	tap_at_least(stopped.backlog_bytes, 1, "stopped: there is a backlog");
	read_all(records);
	tap_equal(ear.received + ear.lost, records, "resumed: received + lost == exits");
	tap_at_least(ear.lost, 1, "resumed: some were lost: %llu of %llu",
		     (unsigned long long)ear.lost, (unsigned long long)records);
	tap_at_least(ear.received, 100, "resumed: what had room was not");
	tap_equal(owed_in_the_end(records), records, "LIST: all that were owed");
	tap_equal(ear_listed(&ear, TASKRT_A_LOST), ear.lost, "LIST: the same loss");
	tap_equal(ear_listed(&ear, TASKRT_A_BACKLOG), 0, "LIST: nothing waits");
	/* Nobody ended after the loss: it was reported for its own sake. */
	tap_diag("%u messages that only report a loss", ear.empty);
	window_info(handle, &after);
	tap_equal(after.exits_lost - before.exits_lost, ear.lost, "INFO: the same loss");
	tap_equal(after.exits_told - before.exits_told, ear.received, "INFO: the same told");
	tap_equal(after.backlog_bytes, 0, "INFO: nothing waits");
	tap_equal(ear.wrong, 0, "SEQ == received + LOST in each of %u messages", ear.messages);
}

static void told_again(void)
{
	uint64_t received = ear.received, lost = ear.lost;
	struct churn churn;

	churn_prepare(&churn, FEW);
	listen_to(&churn);
	churn_threads(&churn);
	churn_end(&churn);
	ear_until(&ear, churn.pid);
	tap_equal(ear.received - received, CHURN_RECORDS(FEW), "afterwards: it is told again");
	tap_equal(ear.lost, lost, "afterwards: without a loss");
	tap_equal(ear.wrong, 0, "afterwards: SEQ goes on from there");
}

/* Room for one message at a time is enough for somebody who reads. */
static void hardly_any_room(void)
{
	struct churn churn;
	struct ear narrow;
	int bytes = 1;

	ear_open(&narrow, NULL, NULL);
	setsockopt(narrow.raw.fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	/* Nobody reads while they end. */
	churn_prepare(&churn, NARROW);
	ear_listen(&narrow, &(struct ear_filter){ .tgid = churn.pid });
	churn_threads(&churn);
	churn_end(&churn);
	ear_until(&narrow, churn.pid);
	tap_equal(narrow.received, CHURN_RECORDS(NARROW), "the smallest buffer: all are told");
	tap_equal(narrow.lost + narrow.wrong, 0, "the smallest buffer: nothing lost");
	ear_close(&narrow);
}

/* The shortest of some, so that somebody else's turn does not count. */
static uint64_t churn_time(void)
{
	uint64_t least = UINT64_MAX, took;
	struct churn churn;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		churn_prepare(&churn, MANY / 3);
		took = churn_threads(&churn);
		churn_end(&churn);
		least = took < least ? took : least;
	}
	return least;
}

struct times {
	uint64_t alone, full;		/* ns, without and beside a listener whose room is full */
	int lost;			/* it was full */
};

static void measure(struct times *times)
{
	struct taskrt_info before, info;
	struct churn churn;
	struct ear deaf;

	times->alone = churn_time();
	ear_open(&deaf, NULL, NULL);
	ear_listen(&deaf, NULL);
	window_info(handle, &before);
	churn_prepare(&churn, MANY);
	churn_threads(&churn);
	churn_end(&churn);
	await_lost(&info, before.exits_lost + 1);
	times->full = churn_time();
	times->lost = info.exits_lost > before.exits_lost;
	ear_close(&deaf);
}

/* What threads may take beside it: nothing but a wait for it would take so much. */
static uint64_t most(const struct times *times)
{
	return 4 * times->alone + 100 * MS;
}

/* All over again if the host was busy with something else in the second half. */
static void exits_do_not_wait(void)
{
	struct times times;

	do
		measure(&times);
	while (times.full > most(&times) && patience_lasts());
	tap_ok(times.lost, "a listener that loses meanwhile");
	tap_at_most(times.full, most(&times), "threads end as they do without a listener");
	tap_diag("%u threads: %llu us alone, %llu us beside it", MANY / 3,
		 (unsigned long long)(times.alone / US), (unsigned long long)(times.full / US));
}

int main(void)
{
	char backlog[32];

	handle = window_open();
	if (module_get("backlog_kib", backlog, sizeof(backlog)) || module_set("backlog_kib", "64"))
		tap_bail("no parameter backlog_kib");
	ear_open(&ear, NULL, NULL);
	overflow();
	told_again();
	ear_close(&ear);
	hardly_any_room();
	exits_do_not_wait();
	module_set("backlog_kib", backlog);
	taskrt_close(handle);
	return tap_done();
}
