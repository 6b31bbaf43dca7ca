// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many threads may be armed and by whom, who owns an armed thread, and who is told what
 * when an alert is lost.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "alert.h"
#include "ask.h"
#include "clock.h"
#include "modinfo.h"
#include "module.h"
#include "recorder.h"
#include "tap.h"
#include "thread.h"

#define SLEEPERS	4

static struct thread sleepers[SLEEPERS];
static int go[2];
static struct raw raw;

static void wait_for_end(void *unused)
{
	char byte;

	(void)unused;
	if (read(go[0], &byte, 1) < 0)
		tap_bail("pipe");
}

static int arm_one(unsigned int i, struct raw_answer *answer)
{
	const struct recorder_arm arm = { .tid = sleepers[i].tid, .depth = 8 };

	return recorder_arm(&raw, &arm, answer);
}

static void limit(const char *parameter, const char *usual, int error)
{
	struct raw_answer answer;

	module_must_set(parameter, "2");
	tap_errno(arm_one(0, NULL), 0, "%s=2: the first", parameter);
	tap_errno(arm_one(1, NULL), 0, "%s=2: the second", parameter);
	tap_errno(arm_one(2, &answer), -error, "%s=2: no third", parameter);
	tap_ok(strstr(answer.text, parameter) != NULL, "%s=2: says why: %s", parameter, answer.text);
	tap_errno(arm_one(1, NULL), 0, "%s=2: one of the two anew", parameter);
	tap_equal(modinfo(TASKRT_INFO_A_ARMED), 2, "%s=2: they are two", parameter);
	recorder_disarm(&raw, sleepers[0].tid);
	tap_errno(arm_one(2, NULL), 0, "%s=2: in the place of the first", parameter);
	recorder_disarm(&raw, sleepers[1].tid);
	recorder_disarm(&raw, sleepers[2].tid);
	tap_equal(modinfo_await(TASKRT_INFO_A_ARMED, 0), 0, "%s=2: none is left", parameter);
	module_must_set(parameter, usual);
}

static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };

static int arm_as_user(void *unused)
{
	const struct recorder_arm self = { .depth = 8 };
	struct raw mine;

	(void)unused;
	ask_become(&user);
	return raw_open(&mine) ?: recorder_arm(&mine, &self, NULL);
}

/* The limit is per user. */
static void by_user(void)
{
	module_must_set("armed_per_user", "1");
	tap_errno(arm_one(0, NULL), 0, "root has one");
	tap_errno(arm_one(1, NULL), -EUSERS, "and may have no other");
	tap_errno(ask_in_child(arm_as_user, NULL), 0, "a user may have one, too");
	recorder_disarm(&raw, sleepers[0].tid);
	module_must_set("armed_per_user", "256");
	tap_equal(modinfo_await(TASKRT_INFO_A_ARMED, 0), 0, "the user's ended with its process");
}

static int arm_for_user(void *tid)
{
	const struct recorder_arm arm = { .tid = *(uint32_t *)tid, .depth = 8 };
	struct raw mine;

	ask_become(&user);
	return raw_open(&mine) ? 100 : recorder_arm(&mine, &arm, NULL);
}

static int disarm_for_user(void *tid)
{
	struct raw mine;

	ask_become(&user);
	return raw_open(&mine) ? 100 : recorder_disarm(&mine, *(uint32_t *)tid);
}

static void last_alert(struct alert_listener *listener, uint32_t tid, const char *name)
{
	const struct alert *alert = alert_of(listener, tid);

	tap_ok(alert && alert->reason == TASKRT_REASON_DISARMED, "%s: the last alert says so", name);
	tap_ok(alert && alert->tgid == tid, "%s: and of which process", name);
}

/* A thread belongs to the socket that armed it, unless a task with CAP_PERFMON takes it away. */
static void taken_over(void)
{
	static struct alert_listener listener;
	struct recorder_arm arm = { .depth = 8 };
	pid_t target = ask_target(&user, 1);
	uint32_t tid = target;
	struct raw second;

	alert_open(&listener);
	if (raw_open(&second))
		tap_bail("no family");
	arm.tid = tid;
	tap_errno(recorder_arm(&raw, &arm, NULL), 0, "root arms a user's thread");
	tap_errno(ask_in_child(arm_for_user, &tid), EBUSY, "its user may not arm it as well");
	tap_errno(ask_in_child(disarm_for_user, &tid), EPERM, "nor disarm it");
	tap_errno(recorder_arm(&raw, &arm, NULL), 0, "root may arm it again");
	tap_equal(modinfo_await(TASKRT_INFO_A_ARMED, 1), 1, "it is armed once");
	tap_errno(recorder_arm(&second, &arm, NULL), 0, "another of root's sockets takes it over");
	last_alert(&listener, tid, "taken over");
	tap_equal(modinfo_await(TASKRT_INFO_A_ARMED, 1), 1, "and it is armed once");
	raw_close(&raw);
	clock_sleep(100 * MS);
	tap_equal(modinfo(TASKRT_INFO_A_ARMED), 1, "closing the first does not disarm it");
	if (raw_open(&raw))
		tap_bail("no family");
	tap_errno(recorder_disarm(&raw, tid), 0, "a third of root's sockets disarms it");
	last_alert(&listener, tid, "disarmed");
	tap_equal(modinfo_await(TASKRT_INFO_A_ARMED, 0), 0, "and it is not armed any more");
	tap_errno(ask_in_child(arm_for_user, &tid), 0, "now its user may arm it");
	tap_errno(recorder_arm(&second, &arm, NULL), 0, "and root");
	tap_errno(recorder_disarm(&second, tid), 0, "which disarms what it has armed itself");
	alert_drain(&listener);
	tap_equal(listener.received, 2, "without an alert");
	tap_equal(listener.wrong, 0, "every promise of the header is kept");
	raw_close(&second);
	alert_close(&listener);
	ask_end(target);
}

/* Nobody listens: the alert is lost. */
static void unheard(void)
{
	const struct recorder_arm arm = { .depth = 8 };
	uint64_t alerts = modinfo(TASKRT_INFO_A_ALERTS), lost = modinfo(TASKRT_INFO_A_ALERTS_LOST);

	recorder_arm(&raw, &arm, NULL);
	tap_errno(recorder_tell("unheard"), 0, "alerting to nobody");
	tap_equal(modinfo_await(TASKRT_INFO_A_ALERTS_LOST, lost + 1), lost + 1, "is one lost");
	tap_equal(modinfo(TASKRT_INFO_A_ALERTS), alerts + 1, "of one raised");
	recorder_disarm(&raw, 0);
}

/* Checks the number of the next alert, and how many were lost before it. */
static void check_number(struct alert_listener *listener, uint64_t seq, uint64_t lost,
			 const char *name)
{
	const struct recorder_arm arm = { .depth = 8 };
	const struct alert *alert;

	/* Armed anew, so that it is not refused. */
	recorder_arm(&raw, &arm, NULL);
	tap_errno(recorder_tell(name), 0, "%s: raised", name);
	alert = alert_of(listener, gettid());
	if (!alert)
		tap_bail("%s: no alert came", name);
	tap_equal(alert->seq, seq, "%s: its number", name);
	tap_equal(alert->lost, lost, "%s: the number lost before", name);
	modinfo_await(TASKRT_INFO_A_ALERTS, seq + 1);
}

/* Numbers begin at 0: each is the number of alerts delivered and lost before. */
static void numbered(void)
{
	static struct alert_listener listener;

	raw_close(&raw);
	module_again("");
	if (raw_open(&raw))
		tap_bail("no family");
	alert_open(&listener);
	check_number(&listener, 0, 0, "the first");
	check_number(&listener, 1, 0, "the second");
	alert_close(&listener);
	unheard();
	alert_open(&listener);
	check_number(&listener, 3, 1, "after a loss");
	check_number(&listener, 4, 1, "the next one");
	tap_equal(listener.wrong, 0, "every promise of the header is kept");
	alert_close(&listener);
}

/* Fills the flight recorder, so that an alert takes many messages. */
static void fill(void)
{
	const struct recorder_arm arm = { .depth = TASKRT_DEPTH_MAX };
	int i;

	recorder_arm(&raw, &arm, NULL);
	for (i = 0; i < TASKRT_DEPTH_MAX / 2; i++)
		clock_sleep_times(100 * US, 1);
}

/*
 * A collector without room that has asked to have its losses reported to the sender: they
 * are its own, and not those of others, who receive the rest of the alert.
 */
static void deaf_one(void)
{
	static struct alert_listener listener, deaf;
	const int least = 1, yes = 1;
	uint64_t lost;
	char buffer[256];

	alert_open(&listener);
	alert_open(&deaf);
	if (setsockopt(deaf.raw.fd, SOL_SOCKET, SO_RCVBUF, &least, sizeof(least)) ||
	    setsockopt(deaf.raw.fd, SOL_NETLINK, NETLINK_BROADCAST_ERROR, &yes, sizeof(yes)))
		tap_bail("setsockopt: %s", strerror(errno));
	lost = modinfo(TASKRT_INFO_A_ALERTS_LOST);
	fill();
	recorder_must_tell("to a deaf one");
	tap_ok(alert_of(&listener, gettid()) && listener.alert.messages > 2,
	       "a collector without room: another one receives the whole alert");
	tap_ok(recv(deaf.raw.fd, buffer, sizeof(buffer), MSG_DONTWAIT) < 0 && errno == ENOBUFS,
	       "a collector without room: learns that it has lost messages");
	recorder_must_tell("and then");
	tap_ok(alert_of(&listener, gettid()) != NULL, "a collector without room: and the next");
	tap_equal(modinfo(TASKRT_INFO_A_ALERTS_LOST), lost,
		  "a collector without room: none counts as lost");
	tap_equal(listener.wrong, 0, "a collector without room: every promise is kept");
	alert_close(&deaf);
	alert_close(&listener);
	recorder_disarm(&raw, 0);
}

int main(void)
{
	unsigned int i;

	if (raw_open(&raw) || pipe(go))
		tap_bail("no family, or no pipe");
	for (i = 0; i < SLEEPERS; i++)
		thread_start(&sleepers[i], wait_for_end, NULL);
	limit("armed_per_user", "256", EUSERS);
	limit("armed_max", "1024", ENOSPC);
	by_user();
	taken_over();
	unheard();
	numbered();
	deaf_one();
	close(go[1]);
	for (i = 0; i < SLEEPERS; i++)
		thread_join(&sleepers[i]);
	return tap_done();
}
