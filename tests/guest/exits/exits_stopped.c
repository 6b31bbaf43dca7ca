// SPDX-License-Identifier: GPL-2.0-only
/*
 * A listener with a small buffer stops reading: its losses are counted exactly, tasks that
 * end do not wait for it, and it receives records again as soon as it reads again.
 */
#include <string.h>
#include <sys/socket.h>

#include "churn.h"
#include "clock.h"
#include "listener.h"
#include "module.h"
#include "patience.h"
#include "tap.h"
#include "window.h"

#define MANY		1200	/* threads; far more than fit */
#define FEW		100
#define NARROW		20	/* the backlog holds them all, even each in a message of its own */
#define ROUNDS		2

static struct listener listener;
static struct taskrt *handle;

static void listen_to(const struct churn *churn)
{
	const struct listener_filter filter = { .tgid = churn->pid };

	listener_listen(&listener, &filter);
}

/*
 * Reads until received + lost is the expected number.  Records beyond that number would be
 * found by told_again().
 */
static void read_all(uint64_t records)
{
	while (listener.received + listener.lost < records && patience_lasts())
		listener_wait(&listener, 100);
}

/* The sequence number after the module has delivered everything. */
static uint64_t sequence_in_the_end(uint64_t records)
{
	uint64_t sequence;

	do {
		clock_sleep(20 * MS);
		sequence = listener_listed(&listener, TASKRT_A_SEQ);
	} while (sequence < records && patience_lasts());
	return sequence;
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
	tap_at_most(stopped.backlog_bytes, stopped.backlog_max_bytes,
		    "stopped: the backlog keeps its limit");
	tap_at_least(stopped.backlog_bytes, 1, "stopped: there is a backlog");
	read_all(records);
	tap_equal(listener.received + listener.lost, records, "resumed: received + lost == exits");
	tap_at_least(listener.lost, 1, "resumed: some were lost: %llu of %llu",
		     (unsigned long long)listener.lost, (unsigned long long)records);
	tap_at_least(listener.received, 100, "resumed: those that had room were not");
	tap_equal(sequence_in_the_end(records), records, "LIST: SEQ counts all records");
	tap_equal(listener_listed(&listener, TASKRT_A_LOST), listener.lost, "LIST: the same loss");
	tap_equal(listener_listed(&listener, TASKRT_A_BACKLOG), 0, "LIST: nothing waits");
	/* If no task ended after the loss, the module reported it in a message of its own. */
	tap_diag("%u messages that only report a loss", listener.empty);
	window_info(handle, &after);
	tap_equal(after.exits_lost - before.exits_lost, listener.lost, "INFO: the same loss");
	tap_equal(after.exits_delivered - before.exits_delivered, listener.received,
		  "INFO: the same deliveries");
	tap_equal(after.backlog_bytes, 0, "INFO: nothing waits");
	tap_equal(listener.wrong, 0, "SEQ == received + LOST in each of %u messages",
		  listener.messages);
}

static void told_again(void)
{
	uint64_t received = listener.received, lost = listener.lost;
	struct churn churn;

	churn_prepare(&churn, FEW);
	listen_to(&churn);
	churn_threads(&churn);
	churn_end(&churn);
	listener_until(&listener, churn.pid);
	tap_equal(listener.received - received, CHURN_RECORDS(FEW),
		  "afterwards: records arrive again");
	tap_equal(listener.lost, lost, "afterwards: without a loss");
	tap_equal(listener.wrong, 0, "afterwards: SEQ goes on from there");
}

/* Room for one message at a time is enough for a listener that reads. */
static void hardly_any_room(void)
{
	struct churn churn;
	struct listener narrow;
	int bytes = 1;

	listener_open(&narrow, NULL, NULL);
	setsockopt(narrow.raw.fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	/* Nobody reads while they end. */
	churn_prepare(&churn, NARROW);
	listener_listen(&narrow, &(struct listener_filter){ .tgid = churn.pid });
	churn_threads(&churn);
	churn_end(&churn);
	listener_until(&narrow, churn.pid);
	tap_equal(narrow.received, CHURN_RECORDS(NARROW), "the smallest buffer: all are delivered");
	tap_equal(narrow.lost + narrow.wrong, 0, "the smallest buffer: nothing lost");
	listener_close(&narrow);
}

/* The shortest of several runs, so that the CPU time of other tasks does not count. */
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
	uint64_t alone, full;		/* ns, without and beside a listener whose buffer is full */
	int lost;			/* it was full */
};

static void measure(struct times *times)
{
	struct taskrt_info before, info;
	struct churn churn;
	struct listener deaf;

	times->alone = churn_time();
	listener_open(&deaf, NULL, NULL);
	listener_listen(&deaf, NULL);
	window_info(handle, &before);
	churn_prepare(&churn, MANY);
	churn_threads(&churn);
	churn_end(&churn);
	await_lost(&info, before.exits_lost + 1);
	times->full = churn_time();
	times->lost = info.exits_lost > before.exits_lost;
	listener_close(&deaf);
}

/* How much longer the threads may take beside it: only waiting for the listener takes more. */
static uint64_t most(const struct times *times)
{
	return 4 * times->alone + 100 * MS;
}

/* Repeats the measurement if the host was busy in its second half. */
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
	listener_open(&listener, NULL, NULL);
	overflow();
	told_again();
	listener_close(&listener);
	hardly_any_room();
	exits_do_not_wait();
	module_set("backlog_kib", backlog);
	taskrt_close(handle);
	return tap_done();
}
