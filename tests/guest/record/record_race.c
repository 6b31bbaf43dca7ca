// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread alerts at the very moment at which it is disarmed, by its socket or by another,
 * armed anew, or the socket that armed it is closed.  The runner looks for complaints of the kernel; the test checks
 * that every alert is delivered or lost, and that nothing is left over.
 * TASKRT_TEST_SECONDS: how long each of the ways is tried (1).
 */
#include <errno.h>
#include <linux/taskrt_page.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "balance.h"
#include "clock.h"
#include "modinfo.h"
#include "page.h"
#include "recorder.h"
#include "relay.h"
#include "tap.h"
#include "thread.h"

#define ROUNDS		20

enum way {
	DISARM,
	TAKE_AWAY,
	ARM_ANEW,
	CLOSE,
	WAYS,
};

static const char *const names[WAYS] = {
	"disarmed", "taken away", "armed anew", "its socket closed"
};

/*
 * The thread that alerts, on its own CPU: once a round, that many turns after the round's
 * beginning.
 */
static struct {
	struct thread thread;
	struct relay relay;
	uint32_t rounds;
	int turns, end, result;
} victim;

/* The results of the alerts. */
struct tally {
	unsigned long rounds, told, refused, too_late, other;
	unsigned long taken;		/* each is one more alert: the last */
};

static struct balance balance;
static struct raw another;
static unsigned long seconds;

/* A mapped thread stays observed from one recorder to the next, so that arming it does not wait. */
static void alert_each_round(void *unused)
{
	struct taskrt_alert_request request = { .tag = "race" };
	const struct taskrt_page *page;
	int fd = page_device();
	uint32_t round = 0;

	(void)unused;
	thread_pin(0);
	page = page_map(fd);
	for (;;) {
		relay_follow(&victim.relay, ++round);
		if (victim.end)
			break;
		relay_turn(victim.turns);
		victim.result = ioctl(fd, TASKRT_IOC_ALERT, &request) ? -errno : 0;
		relay_done(&victim.relay, round);
	}
	page_unmap(page);
	close(fd);
}

static void begin_victim(void)
{
	memset(&victim, 0, sizeof(victim));
	thread_start(&victim.thread, alert_each_round, NULL);
}

static void end_victim(void)
{
	victim.end = 1;
	relay_begin(&victim.relay, ++victim.rounds);
	thread_join(&victim.thread);
}

static void open_raw(struct raw *raw)
{
	if (raw_open(raw))
		tap_bail("no family");
}

static void arm(struct raw *raw, uint32_t tid)
{
	recorder_must_arm(raw, &(struct recorder_arm){ .tid = tid, .depth = 8 });
}

static void take_away(struct tally *tally, struct raw *raw, enum way way)
{
	if (way == DISARM)
		recorder_disarm(raw, victim.thread.tid);
	else if (way == TAKE_AWAY)
		tally->taken += !recorder_disarm(&another, victim.thread.tid);
	else if (way == ARM_ANEW)
		arm(raw, victim.thread.tid);
	else
		raw_close(raw);
}

static void count(struct tally *tally, int result)
{
	tally->rounds++;
	tally->told += !result;
	tally->refused += result == -EAGAIN;
	tally->too_late += result == -ENODATA;
	tally->other += result && result != -EAGAIN && result != -ENODATA;
}

/*
 * Raises the alert that many turns after its recorder begins to be taken away; a negative
 * number means before.  Returns whether the alert was too late.  An alert of a thread that
 * is armed anew never is; then it returns whether the alert came back after the arming.
 */
static int one_round(struct tally *tally, struct raw *raw, enum way way, int turns)
{
	uint32_t round = ++victim.rounds;
	int late;

	arm(raw, victim.thread.tid);
	victim.turns = turns;
	relay_begin(&victim.relay, round);
	relay_turn(-turns);
	take_away(tally, raw, way);
	late = !relay_is_done(&victim.relay, round);
	relay_finish(&victim.relay, round);
	count(tally, victim.result);
	if (way == CLOSE)
		open_raw(raw);
	return way == ARM_ANEW ? late : victim.result == -ENODATA;
}

/*
 * If the thread is armed anew, the critical moment is somewhere before the answer: try all
 * of them.
 */
static int chosen(const struct relay_aim *aim, enum way way)
{
	return way == ARM_ANEW && aim->turns > 0 ? rand() % aim->turns : aim->turns;
}

static void at_that_moment(struct tally *all, enum way way)
{
	struct relay_aim aim = { .step = 20000, .least = 400 };
	struct tally tally = { 0 };
	uint64_t end = clock_now() + seconds * SEC;
	struct raw raw;
	int late;

	thread_pin(1);
	open_raw(&raw);
	begin_victim();
	/* However slow the machine. */
	while (clock_now() < end || (tally.rounds < ROUNDS && clock_now() < end + CLOCK_PATIENCE)) {
		late = one_round(&tally, &raw, way, chosen(&aim, way));
		if (victim.result != -EAGAIN) {
			relay_correct(&aim, late);
			continue;
		}
		/* This thread has alerted often enough; the next one begins. */
		end_victim();
		begin_victim();
	}
	recorder_disarm(&raw, victim.thread.tid);
	end_victim();
	raw_close(&raw);
	thread_unpin();
	tap_diag("%s: %lu rounds, %lu told, %lu refused, %lu too late; after %d turns", names[way],
		 tally.rounds, tally.told, tally.refused, tally.too_late, aim.turns);
	tap_at_least(tally.rounds, ROUNDS, "%s: often, while it alerts", names[way]);
	all->rounds += tally.rounds;
	all->told += tally.told;
	all->refused += tally.refused;
	all->taken += tally.taken;
	all->other += tally.other;
}

static uint64_t raised_since(uint64_t before)
{
	return modinfo(TASKRT_INFO_A_ALERTS) - before;
}

/* Returns how many alerts were raised, by the count of those that raised them. */
static uint64_t in_all_ways(const char *name)
{
	struct tally all = { 0 };
	enum way way;

	for (way = 0; way < WAYS; way++)
		at_that_moment(&all, way);
	tap_equal(all.other, 0, "%s: accepted, refused or too late, nothing else", name);
	tap_at_least(all.taken, ROUNDS, "%s: taken away, with a last alert", name);
	return all.told + all.refused + all.taken;
}

static void nobody_listens(void)
{
	uint64_t alerts = modinfo(TASKRT_INFO_A_ALERTS), lost = modinfo(TASKRT_INFO_A_ALERTS_LOST);
	uint64_t raised = in_all_ways("nobody listens");

	/* The worker may still hold some of them. */
	modinfo_await(TASKRT_INFO_A_ALERTS, alerts + raised);
	tap_equal(raised_since(alerts), raised, "nobody listens: INFO counts them all");
	tap_equal(modinfo(TASKRT_INFO_A_ALERTS_LOST) - lost, raised,
		  "nobody listens: and all are lost");
}

int main(void)
{
	seconds = tap_setting("TASKRT_TEST_SECONDS", 1);
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		tap_skip("two at once", "there is only one CPU");
		return tap_done();
	}
	open_raw(&another);
	nobody_listens();
	balance_begin(&balance);
	balance_end(&balance, in_all_ways("somebody listens"), "somebody listens");
	tap_equal(modinfo_await(TASKRT_INFO_A_ARMED, 0), 0, "no thread is left armed");
	tap_equal(modinfo_await(TASKRT_INFO_A_MAPPED, 0), 0, "nor mapped");
	return tap_done();
}
