// SPDX-License-Identifier: GPL-2.0-only
/* Collecting alerts: whole ones, torn ones, damaged ones. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <linux/genetlink.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>

#include "unit.h"
#include "fake_kernel.h"
#include "taskrt.h"

static struct taskrt_alerts *alerts;
static struct taskrt_alert alert;
static unsigned int damage;		/* seed; 0: none */

static uint32_t initial;		/* TASKRT_INITIAL_* */

static void tell_info(struct nlmsghdr *request)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_INFO, 0);
	struct nlattr *nest = nla_nest_start(message, TASKRT_A_INFO);

	nla_put_u32(message, TASKRT_INFO_A_INITIAL, initial);
	nla_nest_end(message, nest);
	fake_send(message);
	fake_verdict(request, 0, NULL, false);
}

static int start(void **state)
{
	(void)state;
	fake_reset(tell_info);
	initial = TASKRT_INITIAL_NET;
	damage = 0;
	return taskrt_alerts_open(&alerts);
}

static int finish(void **state)
{
	(void)state;
	taskrt_alerts_close(alerts);
	fake_reset(NULL);
	return 0;
}

static void put_event(struct nl_msg *message, unsigned int n, unsigned int frames)
{
	struct nlattr *nest = nla_nest_start(message, TASKRT_ALERT_A_EVENT);
	char bytes[sizeof(struct taskrt_event) + 16] = "";
	struct taskrt_event event = {
		.at_ns = 1000 + n, .ns = n, .type = TASKRT_EVENT_STATE,
		.which = TASKRT_STATE_BLOCKED_LOCK, .kind = TASKRT_LOCK_MUTEX,
		.owner_tid = 50 + n, .owner_comm = "owner",
	};

	/* from a newer module, whose structure is longer */
	memcpy(bytes, &event, sizeof(event));
	nla_put(message, TASKRT_EVENT_A_EVENT, n % 2 ? sizeof(event) : sizeof(bytes), bytes);
	if (n % 2)
		nla_put_string(message, TASKRT_EVENT_A_CALLER, "do_it+0x1/0x2 [mod]");
	nla_put_u64(message, TASKRT_EVENT_A_MAX + 1, 1);
	while (frames--)
		nla_put_string(message, TASKRT_EVENT_A_FRAME, frames ? "inner" : "outer");
	nla_nest_end(message, nest);
}

static void spoil(struct nl_msg *message)
{
	unsigned char *bytes = genlmsg_data(nlmsg_data(nlmsg_hdr(message)));
	size_t length = nlmsg_hdr(message)->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN;
	int flips = rand_r(&damage) % 8;

	while (flips--)
		bytes[rand_r(&damage) % length] = rand_r(&damage);
	if (rand_r(&damage) % 4 == 0)
		nlmsg_hdr(message)->nlmsg_len -= rand_r(&damage) % length;
}

/* One message of an alert, with the events from..until-1. */
static void tell(uint64_t seq, bool first, bool last, unsigned int from, unsigned int until)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_ALERT, 0);
	struct nlattr *nest = nla_nest_start(message, TASKRT_A_ALERT);

	nla_put_u64(message, TASKRT_ALERT_A_SEQ, seq);
	nla_put_u32(message, TASKRT_ALERT_A_TID, 12);
	if (first) {
		nla_put_u64(message, TASKRT_ALERT_A_LOST, 3);
		nla_put_u32(message, TASKRT_ALERT_A_TGID, 11);
		nla_put_string(message, TASKRT_ALERT_A_COMM, "mixer");
		nla_put_u32(message, TASKRT_ALERT_A_REASON, TASKRT_REASON_REQUESTED);
		nla_put_string(message, TASKRT_ALERT_A_TAG, "late by 4 ms");
		nla_put_u64(message, TASKRT_ALERT_A_BEGIN, 700);
		nla_put_u64(message, TASKRT_ALERT_A_END, 750);
		nla_put_u64(message, TASKRT_ALERT_A_AT, 777);
		nla_put_u64(message, TASKRT_ALERT_A_RECORDED, 99);
	}
	nla_put_u64(message, TASKRT_ALERT_A_MAX + 1, 1);
	for (; from < until; from++)
		put_event(message, from, from % 4);
	if (last)
		nla_put_flag(message, TASKRT_ALERT_A_LAST);
	nla_nest_end(message, nest);
	if (damage)
		spoil(message);
	fake_notify(message);
}

static int next(void)
{
	memset(&alert, 0xff, sizeof(alert));
	return taskrt_alerts_next(alerts, 0, &alert, sizeof(alert));
}

static struct taskrt_alert_event event_of(unsigned int i)
{
	struct taskrt_alert_event event;

	memset(&event, 0xff, sizeof(event));
	assert_int_equal(taskrt_alerts_event(alerts, i, &event, sizeof(event)), 0);
	return event;
}

static void check_events(unsigned int count)
{
	struct taskrt_alert_event e;
	unsigned int i, k;

	assert_int_equal(alert.nr_events, count);
	for (i = 0; i < count; i++) {
		e = event_of(i);
		assert_int_equal(e.event.at_ns, 1000 + i);
		assert_int_equal(e.event.type, TASKRT_EVENT_STATE);
		assert_int_equal(e.event.which, TASKRT_STATE_BLOCKED_LOCK);
		assert_int_equal(e.event.kind, TASKRT_LOCK_MUTEX);
		assert_int_equal(e.event.owner_tid, 50 + i);
		assert_string_equal(e.event.owner_comm, "owner");
		assert_int_equal(e.reserved, 0);
		if (i % 2)
			assert_string_equal(e.caller, "do_it+0x1/0x2 [mod]");
		else
			assert_null(e.caller);
		assert_int_equal(e.nr_frames, i % 4);
		for (k = 0; k < e.nr_frames; k++)
			assert_string_equal(e.frames[k], k + 1 < e.nr_frames ? "inner" : "outer");
	}
	assert_int_equal(taskrt_alerts_event(alerts, count, &e, sizeof(e)), -ENOENT);
}

static void one_message(void **state)
{
	(void)state;
	assert_int_equal(fake.nr_joined, 2);
	assert_int_equal(fake.joined[0], GENL_ID_CTRL);
	assert_int_equal(fake.joined[1], fake.alerts_group);
	assert_int_equal(next(), 0);
	tell(8, true, true, 0, 9);
	assert_int_equal(next(), 1);
	assert_int_equal(alert.seq, 8);
	assert_int_equal(alert.gap, 0);
	assert_int_equal(alert.lost, 3);
	assert_int_equal(alert.at_ns, 777);
	assert_int_equal(alert.begin_ns, 700);
	assert_int_equal(alert.end_ns, 750);
	assert_int_equal(alert.recorded, 99);
	assert_int_equal(alert.tid, 12);
	assert_int_equal(alert.tgid, 11);
	assert_int_equal(alert.reason, TASKRT_REASON_REQUESTED);
	assert_string_equal(alert.comm, "mixer");
	assert_string_equal(alert.tag, "late by 4 ms");
	check_events(9);
	assert_int_equal(next(), 0);
	tell(9, true, true, 0, 0);
	assert_int_equal(next(), 1);
	check_events(0);
	tell(12, true, true, 0, 1);
	assert_int_equal(next(), 1);
	assert_int_equal(alert.gap, 2);
	check_events(1);
}

/* The first number is 0, which does not mean that there is none. */
static void from_zero(void **state)
{
	(void)state;
	tell(0, true, true, 0, 1);
	tell(1, true, true, 0, 1);
	tell(4, true, true, 0, 1);
	/* the module was inserted again */
	tell(0, true, true, 0, 1);
	tell(2, true, true, 0, 1);
	assert_int_equal(next(), 1);
	assert_int_equal(alert.seq, 0);
	assert_int_equal(alert.gap, 0);
	assert_int_equal(next(), 1);
	assert_int_equal(alert.seq, 1);
	assert_int_equal(alert.gap, 0);
	assert_int_equal(next(), 1);
	assert_int_equal(alert.gap, 2);
	assert_int_equal(next(), 1);
	assert_int_equal(alert.seq, 0);
	assert_int_equal(alert.gap, 0);
	assert_int_equal(next(), 1);
	assert_int_equal(alert.gap, 1);
}

/* Programs with shorter and longer structures, in memory of exactly that size. */
static void other_sizes(void **state)
{
	struct taskrt_alert_event event;
	size_t size;
	char *bytes;

	(void)state;
	for (size = 1; size <= 2 * sizeof(alert); size++) {
		tell(5, true, true, 0, 2);
		bytes = malloc(size);
		memset(bytes, 0xff, size);
		assert_int_equal(taskrt_alerts_next(alerts, 0, (void *)bytes, size), 1);
		if (size == sizeof(alert))
			memcpy(&alert, bytes, size);
		if (size > sizeof(alert)) {
			assert_memory_equal(bytes, &alert, sizeof(alert));
			assert_int_equal(bytes[sizeof(alert)], 0);
			assert_int_equal(bytes[size - 1], 0);
		} else {
			assert_int_equal(bytes[0], 5);
		}
		free(bytes);
	}
	event = event_of(1);
	for (size = 1; size <= 2 * sizeof(event); size++) {
		bytes = malloc(size);
		memset(bytes, 0xff, size);
		assert_int_equal(taskrt_alerts_event(alerts, 1, (void *)bytes, size), 0);
		assert_memory_equal(bytes, &event, size < sizeof(event) ? size : sizeof(event));
		if (size > sizeof(event))
			assert_int_equal(bytes[size - 1], 0);
		free(bytes);
	}
}

static void several_messages(void **state)
{
	(void)state;
	tell(1, true, false, 0, 4);
	assert_int_equal(next(), 0);
	tell(1, false, false, 4, 10);
	tell(1, false, true, 10, 13);
	tell(2, true, false, 0, 1);
	tell(2, false, true, 1, 2);
	assert_int_equal(next(), 1);
	assert_int_equal(alert.seq, 1);
	assert_string_equal(alert.comm, "mixer");
	check_events(13);
	assert_int_equal(next(), 1);
	assert_int_equal(alert.seq, 2);
	check_events(2);
	assert_int_equal(next(), 0);
}

static void torn(void **state)
{
	(void)state;
	tell(3, false, false, 4, 5);	/* began before this reader did */
	tell(3, false, true, 5, 6);
	tell(4, true, true, 0, 1);
	tell(5, true, false, 0, 3);	/* without its end */
	tell(6, false, true, 3, 4);	/* without its beginning */
	tell(7, true, false, 0, 3);
	tell(8, true, false, 0, 1);
	tell(8, false, true, 1, 2);
	assert_int_equal(next(), 1);
	assert_int_equal(alert.seq, 4);
	assert_int_equal(next(), 1);
	assert_int_equal(alert.seq, 8);
	assert_int_equal(alert.gap, 3);
	check_events(2);
	assert_int_equal(next(), 0);
}

/* The socket was full: messages may be missing until it is empty. */
static void overrun(void **state)
{
	(void)state;
	tell(1, true, true, 0, 1);
	tell(2, true, false, 0, 2);
	tell(2, false, true, 5, 6);
	tell(3, true, true, 0, 3);
	tell(4, true, false, 0, 3);
	fake.receive_errno = ENOBUFS;
	assert_int_equal(next(), 1);
	assert_int_equal(alert.seq, 1);
	assert_int_equal(next(), 1);
	assert_int_equal(alert.seq, 3);
	assert_int_equal(alert.gap, 1);
	check_events(3);
	assert_int_equal(next(), 0);
	tell(4, false, true, 7, 8);
	assert_int_equal(next(), 0);
	tell(5, true, false, 0, 2);
	tell(5, false, true, 2, 4);
	assert_int_equal(next(), 1);
	assert_int_equal(alert.seq, 5);
	assert_int_equal(alert.gap, 1);
	check_events(4);
}

static void module_gone(void **state)
{
	(void)state;
	fake_farewell(fake.family + 1);
	assert_int_equal(next(), 0);
	tell(1, true, true, 0, 1);
	fake_farewell(fake.family);
	assert_int_equal(next(), 1);
	assert_int_equal(next(), -ENODEV);
	assert_int_equal(next(), -ENODEV);
	assert_string_equal(taskrt_alerts_error(alerts), "No such device");
}

static void others(void **state)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_EXIT, 0);

	(void)state;
	fake_notify(message);
	fake.port = 99;
	tell(1, true, true, 0, 1);
	fake.port = 0;
	tell(2, true, true, 0, 1);
	assert_int_equal(next(), 1);
	assert_int_equal(alert.seq, 2);
}

static void bad_messages(void **state)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_ALERT, 0);
	struct nlattr *nest;

	(void)state;
	fake_notify(message);
	assert_int_equal(next(), -EBADMSG);
	message = fake_message(TASKRT_CMD_ALERT, 0);
	nest = nla_nest_start(message, TASKRT_A_ALERT);
	nla_put_u64(message, TASKRT_ALERT_A_SEQ, 1);
	nla_put_u64(message, TASKRT_ALERT_A_AT, 1);
	nla_put_flag(message, TASKRT_ALERT_A_LAST);
	nla_put(message, TASKRT_ALERT_A_COMM, 3, "abc");	/* without a NUL */
	nla_nest_end(message, nest);
	fake_notify(message);
	assert_int_equal(next(), -EBADMSG);
	tell(2, true, true, 0, 3);
	assert_int_equal(next(), 1);
	check_events(3);
}

static void cannot_open(void **state)
{
	struct taskrt_alerts *none = alerts;
	struct taskrt_alert_event event;

	(void)state;
	fake.join_errno = EPERM;
	assert_int_equal(taskrt_alerts_open(&none), -EPERM);
	assert_null(none);
	fake.join_errno = 0;
	fake.no_rights = true;
	assert_int_equal(taskrt_alerts_open(&none), -EPERM);
	fake.no_rights = false;
	initial = TASKRT_INITIAL_PID;
	assert_int_equal(taskrt_alerts_open(&none), -EPERM);
	fake.alerts_group = 0;
	assert_int_equal(taskrt_alerts_open(&none), -EOPNOTSUPP);
	fake.family = 0;
	assert_int_equal(taskrt_alerts_open(&none), -ENOENT);
	assert_int_equal(taskrt_alerts_open(NULL), -EINVAL);
	assert_int_equal(taskrt_alerts_next(NULL, 0, &alert, sizeof(alert)), -EINVAL);
	assert_int_equal(taskrt_alerts_next(alerts, 0, NULL, sizeof(alert)), -EINVAL);
	assert_int_equal(taskrt_alerts_next(alerts, 0, &alert, 0), -EINVAL);
	assert_int_equal(taskrt_alerts_event(NULL, 0, &event, sizeof(event)), -EINVAL);
	assert_int_equal(taskrt_alerts_event(alerts, 0, NULL, sizeof(event)), -EINVAL);
	assert_int_equal(taskrt_alerts_event(alerts, 0, &event, 0), -EINVAL);
	assert_int_equal(taskrt_alerts_event(alerts, 0, &event, sizeof(event)), -ENOENT);
	assert_int_equal(taskrt_alerts_fd(NULL), -EINVAL);
	assert_string_equal(taskrt_alerts_error(NULL), "");
	taskrt_alerts_close(NULL);
}

static void in_time(void **state)
{
	struct timespec before, after;
	int64_t ms;

	(void)state;
	clock_gettime(CLOCK_MONOTONIC, &before);
	assert_int_equal(taskrt_alerts_next(alerts, 120, &alert, sizeof(alert)), 0);
	clock_gettime(CLOCK_MONOTONIC, &after);
	ms = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
	assert_true(ms >= 110);
	tell(1, true, true, 0, 1);
	assert_int_equal(taskrt_alerts_next(alerts, -1, &alert, sizeof(alert)), 1);
}

static int tell_late(void)
{
	if (!fake.requests++) {
		tell(7, true, false, 0, 1);	/* not all of it yet */
		return 1;
	}
	tell(7, false, true, 1, 2);
	return 1;
}

static int interrupt(void)
{
	errno = EINTR;
	return -1;
}

static int ready_for_nothing(void)
{
	return 1;
}

static void waiting(void **state)
{
	(void)state;
	fake.requests = 0;
	fake.wait = tell_late;
	assert_int_equal(taskrt_alerts_next(alerts, -1, &alert, sizeof(alert)), 1);
	assert_int_equal(fake.waited_ms, -1);
	assert_int_equal(alert.seq, 7);
	check_events(2);
	fake.wait = interrupt;
	assert_int_equal(taskrt_alerts_next(alerts, 500000, &alert, sizeof(alert)), -EINTR);
	assert_in_range(fake.waited_ms, 1, 500000);
	/* ready, but for nothing: the time passes all the same */
	fake.wait = ready_for_nothing;
	assert_int_equal(taskrt_alerts_next(alerts, 20, &alert, sizeof(alert)), 0);
	/* without waiting there is none, and the last one is as it was */
	assert_int_equal(taskrt_alerts_next(alerts, 0, &alert, sizeof(alert)), 0);
	assert_int_equal(alert.seq, 7);
}

/* The library may return anything, but it must not crash or hang, and strings end with a NUL. */
static void damaged(void **state)
{
	unsigned int i, good = 0, bad = 0, k, f;
	struct taskrt_alert_event event;
	int found;

	(void)state;
	for (i = 1; i <= 5000; i++) {
		damage = i;
		tell(i, true, false, 0, 3);
		tell(i, false, true, 3, 6);
		while ((found = next())) {
			if (found < 0) {
				bad++;
				continue;
			}
			good++;
			assert_non_null(memchr(alert.comm, 0, sizeof(alert.comm)));
			assert_non_null(memchr(alert.tag, 0, sizeof(alert.tag)));
			for (k = 0; k < alert.nr_events; k++) {
				event = event_of(k);
				for (f = 0; f < event.nr_frames; f++)
					assert_true(strlen(event.frames[f]) < 65536);
			}
		}
	}
	assert_true(good > 100 && bad > 100);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_message, start, finish),
		cmocka_unit_test_setup_teardown(from_zero, start, finish),
		cmocka_unit_test_setup_teardown(other_sizes, start, finish),
		cmocka_unit_test_setup_teardown(several_messages, start, finish),
		cmocka_unit_test_setup_teardown(torn, start, finish),
		cmocka_unit_test_setup_teardown(overrun, start, finish),
		cmocka_unit_test_setup_teardown(module_gone, start, finish),
		cmocka_unit_test_setup_teardown(others, start, finish),
		cmocka_unit_test_setup_teardown(bad_messages, start, finish),
		cmocka_unit_test_setup_teardown(cannot_open, start, finish),
		cmocka_unit_test_setup_teardown(in_time, start, finish),
		cmocka_unit_test_setup_teardown(waiting, start, finish),
		cmocka_unit_test_setup_teardown(damaged, start, finish),
	};

	return cmocka_run_group_tests_name("alerts", tests, NULL, NULL);
}
