// SPDX-License-Identifier: GPL-2.0-only
/* Who may arm which thread, with what, and when the arming ends. */
#include <errno.h>
#include <linux/taskrt_page.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "alert.h"
#include "ask.h"
#include "clock.h"
#include "group.h"
#include "memory.h"
#include "modinfo.h"
#include "module.h"
#include "page.h"
#include "recorder.h"
#include "tap.h"
#include "thread.h"

#define NOBODY		0x7fffffff	/* no pid is ever this large */

static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
static const struct ask_who other = { ASK_OTHER, ASK_OTHER, ASK_OTHER, 0 };

static struct alert_listener listener;
static struct raw raw;

/*
 * Checks that the error says why, and that it points at the attribute, by its name or its
 * place.
 */
static void refused(struct raw_message *message, int error, const char *attribute,
		    const char *name)
{
	struct raw_answer answer;

	raw_ask(&raw, message, &answer, NULL, NULL);
	tap_errno(answer.error, -error, "refused: %s", name);
	tap_ok(answer.text[0], "%s: says why: %s", name, answer.text);
	if (attribute)
		tap_ok(strstr(answer.text, attribute) || answer.offset,
		       "%s: and which attribute it means", name);
}

static void begin(struct raw_message *message, uint8_t cmd)
{
	raw_begin(&raw, message, cmd, NLM_F_ACK);
}

static void number(uint16_t type, uint64_t value, int wide, int error, const char *attribute,
		   const char *name)
{
	struct raw_message message;

	begin(&message, TASKRT_CMD_ARM);
	raw_put_u32(&message, TASKRT_A_TID, 0);
	if (wide)
		raw_put(&message, type, &value, sizeof(value));
	else
		raw_put_u32(&message, type, value);
	refused(&message, error, attribute, name);
}

/* A number of another width than the header says. */
static void narrow(uint16_t type, const char *attribute, const char *name)
{
	struct raw_message message;
	uint16_t value = 64;
	struct raw_answer answer;

	begin(&message, TASKRT_CMD_ARM);
	raw_put_u32(&message, TASKRT_A_TID, 0);
	raw_put(&message, type, &value, sizeof(value));
	raw_ask(&raw, &message, &answer, NULL, NULL);
	tap_ok(answer.error == -ERANGE || answer.error == -EINVAL, "refused: %s (%s)", name,
	       attribute);
}

static void arguments(void)
{
	struct raw_message message;

	number(TASKRT_A_DEPTH, 0, 0, ERANGE, "DEPTH", "a ring without events");
	number(TASKRT_A_DEPTH, TASKRT_DEPTH_MIN - 1, 0, ERANGE, "DEPTH", "a ring too small");
	number(TASKRT_A_DEPTH, TASKRT_DEPTH_MAX + 1, 0, ERANGE, "DEPTH", "a ring too large");
	number(TASKRT_A_DEPTH, UINT32_MAX, 0, ERANGE, "DEPTH", "a ring much too large");
	number(TASKRT_A_ALERT_OVER, 0, 1, EINVAL, "ALERT_OVER", "alerts over 0 ns");
	number(TASKRT_A_STATES, 0, 0, EINVAL, "STATES", "alerts of no state");
	number(TASKRT_A_STATES, 1U << TASKRT_STATES_ROOM, 0, EINVAL, "STATES",
	       "a state that is none");
	number(TASKRT_A_STATES, 1U << TASKRT_STATE_EXITED, 0, EINVAL, "STATES",
	       "a state that is no time");
	number(TASKRT_A_STATES, UINT32_MAX, 0, EINVAL, "STATES", "all states, and more");
	narrow(TASKRT_A_DEPTH, "DEPTH", "a short number");
	narrow(TASKRT_A_THRESHOLD, "THRESHOLD", "a short time");
	begin(&message, TASKRT_CMD_ARM);
	refused(&message, EINVAL, NULL, "no thread to arm");
	begin(&message, TASKRT_CMD_ARM);
	raw_put_u32(&message, TASKRT_A_TGID, 0);
	refused(&message, EINVAL, NULL, "a process");
	begin(&message, TASKRT_CMD_ARM);
	raw_put_u32(&message, TASKRT_A_TID, NOBODY);
	refused(&message, ESRCH, NULL, "a thread that is not there");
	begin(&message, TASKRT_CMD_DISARM);
	refused(&message, EINVAL, NULL, "no thread to disarm");
	begin(&message, TASKRT_CMD_DISARM);
	raw_put_u32(&message, TASKRT_A_TID, NOBODY);
	refused(&message, ESRCH, NULL, "disarming one that is not there");
	begin(&message, TASKRT_CMD_DISARM);
	raw_put_u32(&message, TASKRT_A_TID, 0);
	refused(&message, ENODATA, NULL, "disarming one that is not armed");
	tap_equal(modinfo_await(TASKRT_INFO_A_ARMED, 0), 0, "and no thread is armed");
}

static int alert_code(void)
{
	return recorder_tell("code");
}

/* A socket arms a thread; its end disarms the thread, and so does a request. */
static void ends(void)
{
	const struct recorder_arm arm = { .depth = 8 };
	struct raw mine;

	if (raw_open(&mine))
		tap_bail("no family");
	tap_errno(recorder_arm(&mine, &arm, NULL), 0, "armed");
	tap_equal(modinfo(TASKRT_INFO_A_ARMED), 1, "INFO counts it");
	tap_errno(alert_code(), 0, "it may alert");
	tap_errno(recorder_arm(&mine, &arm, NULL), 0, "armed again");
	tap_equal(modinfo(TASKRT_INFO_A_ARMED), 1, "it is still one");
	tap_errno(recorder_disarm(&mine, 0), 0, "disarmed");
	tap_equal(modinfo_await(TASKRT_INFO_A_ARMED, 0), 0, "none is left");
	tap_errno(alert_code(), -ENODATA, "it may not alert any more");
	tap_errno(recorder_arm(&mine, &arm, NULL), 0, "and armed once more");
	raw_close(&mine);
	tap_equal(modinfo_await(TASKRT_INFO_A_ARMED, 0), 0, "its socket's end disarms it");
	tap_errno(alert_code(), -ENODATA, "then too");
}

static void wait_for_go(void *go)
{
	char byte;

	if (read(*(int *)go, &byte, 1) != 1)
		tap_bail("pipe");
}

static void armed_by_another(void)
{
	struct recorder_arm arm = { .depth = 8 };
	struct thread thread;
	int go[2];

	if (pipe(go))
		tap_bail("pipe");
	thread_start(&thread, wait_for_go, &go[0]);
	arm.tid = thread.tid;
	tap_errno(recorder_arm(&raw, &arm, NULL), 0, "a thread arms another one");
	tap_errno(alert_code(), -ENODATA, "and is not armed itself by that");
	if (write(go[1], "x", 1) != 1)
		tap_bail("pipe");
	thread_join(&thread);
	tap_equal(modinfo_await(TASKRT_INFO_A_ARMED, 0), 0, "its end disarms it");
	tap_errno(recorder_disarm(&raw, arm.tid), -ESRCH, "then it is not there");
	close(go[0]);
	close(go[1]);
}

static int arm_as_user(void *tid)
{
	const struct recorder_arm arm = { .tid = *(uint32_t *)tid };
	struct raw mine;

	ask_become(&user);
	prctl(PR_SET_DUMPABLE, 1);
	return raw_open(&mine) ?: recorder_arm(&mine, &arm, NULL);
}

static int join_as_user(void *unused)
{
	struct raw mine;

	(void)unused;
	ask_become(&user);
	return raw_open(&mine) ?: group_join(&mine);
}

/* A dumpable task needs no capabilities to arm itself and to raise an alert. */
static int alert_as_user(void *unused)
{
	const struct recorder_arm arm = { .depth = 8 };
	struct taskrt_alert_request request = { .tag = "as a user" }, before = request;
	struct raw_answer answer;
	struct raw mine;
	char byte;
	int fd;

	(void)unused;
	ask_become(&user);
	if (raw_open(&mine) || recorder_arm(&mine, &arm, &answer))
		return 1;
	if (answer.messages)
		return 2;
	fd = page_device();
	if (ioctl(fd, TASKRT_IOC_ALERT, &request))
		return 3;
	if (memcmp(&request, &before, sizeof(request)))
		return 4;
	clock_sleep(100 * MS);
	return recv(mine.fd, &byte, 1, MSG_DONTWAIT) >= 0 ? 5 : 0;
}

/* 601 for 6.1. */
static unsigned int release(void)
{
	unsigned int major, minor;
	struct utsname name;

	uname(&name);
	if (sscanf(name.release, "%u.%u", &major, &minor) != 2)
		tap_bail("a kernel without a version: %s", name.release);
	return 100 * major + minor;
}

/* Hears its own alert: 0; NOT_HEARD; or an error of the socket that joins. */
#define NOT_HEARD	150

static int hear_itself(void *caps)
{
	const struct ask_who who = { ASK_USER, ASK_USER, ASK_USER, *(uint64_t *)caps };
	const struct recorder_arm arm = { .depth = 8 };
	struct pollfd ready = { .events = POLLIN };
	struct raw group, mine;
	int err;

	ask_become(&who);
	err = raw_open(&group) ?: group_join(&group);
	if (err)
		return err;
	if (raw_open(&mine) || recorder_arm(&mine, &arm, NULL) || recorder_tell("heard"))
		return 100;
	ready.fd = group.fd;
	return poll(&ready, 1, 1000) == 1 ? 0 : NOT_HEARD;
}

/* CAP_NET_ADMIN is not enough: it is what a container has that manages the host's network. */
static void rights_to_hear(void)
{
	const unsigned int version = release();
	const int unfiltered = version >= 516 && version < 606;
	uint64_t net_admin = ASK_CAP_NET_ADMIN, both = net_admin | ASK_CAP_PERFMON;
	uint64_t perfmon = ASK_CAP_PERFMON, all = both | ASK_CAP_SYS_ADMIN;

	tap_errno(ask_in_child(hear_itself, &perfmon), EPERM, "CAP_PERFMON alone may not join");
	tap_equal(ask_in_child(hear_itself, &all), 0, "CAP_SYS_ADMIN besides both hears alerts");
	if (!unfiltered) {
		tap_equal(ask_in_child(hear_itself, &net_admin), NOT_HEARD,
			  "CAP_NET_ADMIN alone hears no alert");
		tap_equal(ask_in_child(hear_itself, &both), 0, "with CAP_PERFMON it does");
	} else if (version == 601) {
		tap_errno(ask_in_child(hear_itself, &both), EPERM,
			  "where nobody can be left out, CAP_SYS_ADMIN is needed to join");
	}
}

static void rights(void)
{
	uint32_t self = 0, parent = getpid();
	pid_t root_target = ask_target(&(struct ask_who){ 0, 0, 0, ~0ULL }, 1);
	pid_t stranger = ask_target(&other, 1), own = ask_target(&user, 1);
	const struct alert *alert;

	tap_errno(ask_in_child(arm_as_user, &self), 0, "a user's process arms itself");
	tap_errno(ask_in_child(arm_as_user, &parent), EPERM, "but not its parent, which is root's");
	tap_errno(ask_in_child(arm_as_user, &root_target), EPERM, "nor root");
	tap_errno(ask_in_child(arm_as_user, &stranger), EPERM, "nor another user");
	tap_errno(ask_in_child(arm_as_user, &own), 0, "but another process of that user");
	tap_errno(ask_in_child(join_as_user, NULL), EPERM, "a user receives no alerts");
	alert_drain(&listener);
	tap_equal(ask_in_child(alert_as_user, NULL), 0,
		  "a user's alert, and nothing comes back to the user");
	while ((alert = alert_next(&listener, CLOCK_PATIENCE_MS)) &&
	       strcmp(alert->tag, "as a user"))
		;
	tap_ok(alert != NULL, "the privileged listener receives it");
	ask_end(root_target);
	ask_end(stranger);
	ask_end(own);
	rights_to_hear();
	tap_equal(modinfo_await(TASKRT_INFO_A_ARMED, 0), 0, "no thread is left armed");
}

static void words(void)
{
	const struct taskrt_alert_request request = { .tag = "a cycle", .begin_ns = 1234567 };
	const struct recorder_arm arm = { .depth = 8 };
	struct taskrt_alert_request tag = { .tag = "" }, full = { .tag = "" };
	int fd = page_device();

	memset(tag.tag, 'x', sizeof(tag.tag));
	memset(full.tag, 'x', sizeof(full.tag) - 1);
	recorder_arm(&raw, &arm, NULL);
	tap_errno(ioctl(fd, TASKRT_IOC_ALERT, &request) ? errno : 0, 0, "the begin of a cycle");
	tap_ok(alert_of(&listener, gettid()) && listener.alert.begin_ns == 1234567,
	       "is delivered unchanged");
	tap_errno(ioctl(fd, TASKRT_IOC_ALERT, &tag) ? errno : 0, EINVAL, "a tag without a NUL");
	tap_errno(ioctl(fd, TASKRT_IOC_ALERT, &full) ? errno : 0, 0, "the longest one");
	tap_ok(alert_of(&listener, gettid()) && !strcmp(listener.alert.tag, full.tag) &&
	       !listener.alert.begin_ns,
	       "is delivered unchanged");
	tap_errno(recorder_insist("", NULL), 0, "no words");
	tap_ok(alert_of(&listener, gettid()) && !listener.alert.tag[0], "are none");
	recorder_disarm(&raw, 0);
	close(fd);
}

static void arm_and_disarm(unsigned int times)
{
	const struct recorder_arm arm = { .depth = TASKRT_DEPTH_MAX };
	unsigned int i;

	/* One arming in three is ended by the next one. */
	for (i = 0; i < times; i++) {
		if (recorder_arm(&raw, &arm, NULL))
			tap_bail("arming: round %u", i);
		if (i % 3 && recorder_disarm(&raw, 0))
			tap_bail("disarming: round %u", i);
	}
}

static void memory(void)
{
	unsigned long before, times = tap_setting("TASKRT_TEST_ARMINGS", 500);
	uint64_t held;

	/* After the first time, some memory stays in the lists of each CPU. */
	arm_and_disarm(times);
	before = memory_free_kib();
	held = modinfo(TASKRT_INFO_A_MEMORY);
	arm_and_disarm(times);
	recorder_disarm(&raw, 0);
	tap_equal(modinfo_await(TASKRT_INFO_A_ARMED, 0), 0, "%lu times armed: none is left", times);
	tap_at_least(memory_free_again_kib(before - MEMORY_KEPT_KIB),
		     before - MEMORY_KEPT_KIB, "memory came back");
	held += MEMORY_KEPT_KIB * 1024ULL;
	tap_at_most(modinfo_await_at_most(TASKRT_INFO_A_MEMORY, held), held, "and INFO says so");
}

static void switched_off(void)
{
	const struct recorder_arm arm = { .depth = 8 };
	struct raw_answer answer;

	recorder_arm(&raw, &arm, NULL);
	module_set("enabled", "0");
	tap_errno(recorder_tell("off"), -ENODATA, "switched off: no thread is armed");
	tap_errno(recorder_arm(&raw, &arm, &answer), -ENODATA, "nor can be: %s", answer.text);
	module_set("enabled", "1");
	tap_equal(modinfo_await(TASKRT_INFO_A_ARMED, 0), 0, "nor is when it is on again");
	tap_errno(recorder_arm(&raw, &arm, NULL), 0, "but may be armed anew");
	tap_errno(recorder_tell("on"), 0, "and alert");
	tap_ok(alert_of(&listener, gettid()) && !strcmp(listener.alert.tag, "on"), "which comes");
	recorder_disarm(&raw, 0);
}

int main(void)
{
	alert_open(&listener);
	if (raw_open(&raw))
		tap_bail("no family");
	arguments();
	ends();
	armed_by_another();
	rights();
	words();
	memory();
	switched_off();
	alert_drain(&listener);
	tap_equal(listener.wrong, 0, "%llu alerts: every promise of the header is kept",
		  (unsigned long long)listener.received);
	return tap_done();
}
