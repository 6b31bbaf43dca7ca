// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the library's listener returns of the messages that come: all records, in order,
 * and every loss.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "unit.h"
#include "exit_messages.h"
#include "listening.h"

static void acknowledge(struct nlmsghdr *request)
{
	fake_verdict(request, 0, NULL, true);
}

/* Records come once something is sent on the socket: the fake forgets all before. */
static int start(void **state)
{
	(void)state;
	return listening(acknowledge);
}

static int next(struct taskrt_exit *exit)
{
	memset(exit, 0xee, sizeof(*exit));
	return taskrt_exits_next(listener, 0, exit, sizeof(*exit));
}

/* The next record is that of thread number told, and lost records were lost before it. */
static void expect_thread(uint64_t told, uint64_t lost)
{
	struct taskrt_exit exit;

	assert_int_equal(next(&exit), 1);
	assert_int_equal(exit.type, TASKRT_EXIT_THREAD);
	assert_int_equal(exit.reading.stats.tid, told);
	assert_int_equal(exit.reading.stats.cpu_time_ns, 1000 + told);
	assert_int_equal(exit.reading.groups, TASKRT_GROUP_TIMES);
	assert_int_equal(exit.reading.times.states_ns[0], 2000 + told);
	assert_int_equal(exit.cpu, told % 4);
	assert_int_equal(exit.seq, told + lost);
	assert_int_equal(exit.lost, lost);
	assert_int_equal(exit.lost_now, 0);
}

static void expect_lost(uint64_t seq, uint64_t lost, uint64_t lost_now)
{
	struct taskrt_exit exit;

	assert_int_equal(next(&exit), 1);
	assert_int_equal(exit.type, TASKRT_EXIT_LOST);
	assert_int_equal(exit.seq, seq);
	assert_int_equal(exit.lost, lost);
	assert_int_equal(exit.lost_now, lost_now);
	assert_int_equal(exit.reading.stats.version, 0);
	assert_int_equal(exit.reading.groups, 0);
}

static void expect_nothing(void)
{
	struct taskrt_exit exit;

	assert_int_equal(next(&exit), 0);
	assert_int_equal(next(&exit), 0);
}

static int default_buffer(int fd)
{
	socklen_t length = sizeof(int);
	int bytes = 0;

	getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, &length);
	return bytes;
}

static void opened(void **state)
{
	int other = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	struct taskrt_exits *l = (struct taskrt_exits *)state;
	size_t got;

	assert_int_equal(taskrt_exits_fd(listener), fake.fd);
	assert_int_equal(default_buffer(fake.fd), default_buffer(other));
	close(other);
	assert_int_equal(taskrt_exits_set_buffer(listener, 65536, &got), 0);
	assert_int_equal(got, 2 * 65536);
	assert_int_equal(got, default_buffer(fake.fd));
	assert_int_equal(taskrt_exits_set_buffer(listener, SIZE_MAX, NULL), 0);
	assert_true(default_buffer(fake.fd) > 2 * 65536);
	assert_string_equal(taskrt_exits_error(listener), "");
	expect_nothing();

	fake.family = 0;
	assert_int_equal(taskrt_exits_open(&l), -ENOENT);
	assert_null(l);
}

static void bad_arguments(void **state)
{
	struct taskrt_exit exit;

	(void)state;
	assert_int_equal(taskrt_exits_open(NULL), -EINVAL);
	taskrt_exits_close(NULL);
	assert_int_equal(taskrt_exits_fd(NULL), -EINVAL);
	assert_int_equal(taskrt_exits_set_buffer(NULL, 1, NULL), -EINVAL);
	assert_non_null(taskrt_exits_error(NULL));
	assert_int_equal(taskrt_exits_next(NULL, 0, &exit, sizeof(exit)), -EINVAL);
	assert_int_equal(taskrt_exits_next(listener, 0, NULL, sizeof(exit)), -EINVAL);
	assert_int_equal(taskrt_exits_next(listener, -1, &exit, sizeof(exit) - 1), -EINVAL);
	assert_string_equal(taskrt_exits_error(listener), strerror(EINVAL));
}

static void in_order(void **state)
{
	struct nl_msg *message = exit_message(2, 0, 1);
	struct taskrt_exit exit;

	(void)state;
	fake_notify(exit_message(0, 0, 2));
	put_exit(message, 2, true, 256);
	nla_put(message, TASKRT_A_MAX + 1, 3, "abc");
	fake_notify(message);
	fake_notify(exit_message(4, 0, 0));
	fake_notify(exit_message(4, 0, 0));
	expect_thread(0, 0);
	expect_thread(1, 0);
	expect_thread(2, 0);
	assert_int_equal(next(&exit), 1);
	assert_int_equal(exit.type, TASKRT_EXIT_PROCESS);
	assert_int_equal(exit.reading.stats.tgid, 2);
	assert_int_equal(exit.seq, 3);
	assert_int_equal(exit.cpu, 2);
	expect_nothing();
}

static void losses(void **state)
{
	(void)state;
	/*
	 * losses: before the first record, between two, without a record behind, and
	 * uncounted
	 */
	fake_notify(exit_message(3, 3, 2));
	fake_notify(exit_message(5, 3, 1));
	fake_notify(exit_message(16, 13, 1));
	fake_notify(exit_message(18, 14, 0));
	fake_notify(exit_message(20, 14, 0));
	expect_lost(0, 3, 3);
	expect_thread(0, 3);
	expect_thread(1, 3);
	expect_thread(2, 3);
	expect_lost(6, 13, 10);
	expect_thread(3, 13);
	expect_lost(17, 14, 1);
	expect_lost(18, 16, 2);
	expect_nothing();
}

/* A message that is skipped counts as a loss. */
static void damaged(void **state)
{
	struct taskrt_exit exit;
	struct nl_msg *message;

	(void)state;
	fake_notify(fake_message(TASKRT_CMD_EXIT, 0));
	assert_int_equal(next(&exit), -EBADMSG);
	assert_string_not_equal(taskrt_exits_error(listener), "");
	fake_notify(exit_message(1, 2, 0));
	assert_int_equal(next(&exit), -EBADMSG);
	expect_nothing();

	message = exit_message(0, 0, 1);
	put_exit(message, 1, false, 255);
	put_exit(message, 2, false, 256);
	fake_notify(message);
	expect_thread(0, 0);
	assert_int_equal(next(&exit), -EBADMSG);
	expect_nothing();
	fake_notify(exit_message(3, 2, 1));
	expect_lost(1, 2, 2);
	expect_thread(1, 2);

	/* an attribute that ends behind the message */
	message = exit_message(4, 2, 2);
	nlmsg_hdr(message)->nlmsg_len -= 100;
	fake_notify(message);
	expect_thread(2, 2);
	assert_int_equal(next(&exit), -EBADMSG);
	expect_nothing();

	/* longer than any of the module's, and shorter than a header */
	message = nlmsg_alloc_size(70000);
	nlmsg_put(message, 0, 0, fake.family, 69000, 0);
	fake_notify(message);
	assert_int_equal(next(&exit), -EBADMSG);
	message = exit_message(5, 2, 1);
	nlmsg_hdr(message)->nlmsg_len = 15;
	fake_notify(message);
	assert_int_equal(next(&exit), -EBADMSG);
	expect_nothing();
}

/* Messages that are no exit records, or not from the kernel. */
static void others(void **state)
{
	struct nl_msg *message;

	(void)state;
	fake_notify(fake_message(TASKRT_CMD_INFO, 0));
	message = exit_message(0, 0, 1);
	nlmsg_hdr(message)->nlmsg_seq = 5;
	fake_notify(message);
	message = exit_message(0, 0, 1);
	nlmsg_hdr(message)->nlmsg_type = fake.family + 1;
	fake_notify(message);
	fake.port = 4711;
	fake_notify(exit_message(0, 0, 1));
	fake.port = 0;
	message = fake_message(TASKRT_CMD_EXIT, 0);
	nlmsg_hdr(message)->nlmsg_len = NLMSG_HDRLEN;
	fake_notify(message);
	expect_nothing();
	fake_notify(exit_message(0, 0, 1));
	expect_thread(0, 0);
}

/* The socket reports a loss before the messages that it still holds. */
static void module_removed(void **state)
{
	struct taskrt_exit exit;

	(void)state;
	fake_notify(exit_message(0, 0, 2));
	fake.receive_errno = ENODEV;
	expect_thread(0, 0);
	expect_thread(1, 0);
	assert_int_equal(next(&exit), -ENODEV);
	assert_string_equal(taskrt_exits_error(listener), strerror(ENODEV));
	assert_int_equal(next(&exit), -ENODEV);
	assert_int_equal(taskrt_exits_register(listener, NULL, NULL, 0, NULL, 0), 0);
	assert_int_equal(next(&exit), -ENODEV);
}

static void receive_fails(void **state)
{
	struct taskrt_exit exit;

	(void)state;
	fake_notify(exit_message(0, 0, 2));
	fake.receive_errno = ENOBUFS;
	expect_thread(0, 0);
	expect_thread(1, 0);
	fake.receive_errno = EINTR;
	expect_nothing();
	fake.receive_errno = ENOMEM;
	assert_int_equal(next(&exit), -ENOMEM);
	fake_notify(exit_message(2, 0, 1));
	expect_thread(2, 0);
	expect_nothing();
}

/* Programs that were built with a longer structure, in memory of exactly that size. */
static void other_sizes(void **state)
{
	const size_t full = sizeof(struct taskrt_exit);
	const size_t sizes[] = { full, full + 1, full + 100, 2 * full };
	struct taskrt_exit *exit;
	size_t i, k;

	(void)state;
	assert_int_equal(offsetof(struct taskrt_exit, reading), 64);
	assert_int_equal(full, 2240);
	fake_notify(exit_message(0, 0, 5));
	for (i = 0; i < 4; i++) {
		exit = malloc(sizes[i]);
		memset(exit, 0xff, sizes[i]);
		assert_int_equal(taskrt_exits_next(listener, 0, exit, sizes[i]), 1);
		assert_int_equal(exit->seq, i);
		for (k = 0; k < 4; k++)
			assert_int_equal(exit->reserved[k], 0);
		assert_int_equal(exit->reading.stats.cpu_time_ns, 1000 + i);
		for (k = full; k < sizes[i]; k++)
			assert_int_equal(((char *)exit)[k], 0);
		assert_int_equal(taskrt_exits_next(listener, 0, exit, full - 1), -EINVAL);
		assert_int_equal(taskrt_exits_next(listener, 0, exit, 0), -EINVAL);
		free(exit);
	}
	expect_thread(4, 0);
	fake_notify(exit_message(7, 2, 0));
	exit = malloc(full + 8);
	memset(exit, 0xff, full + 8);
	assert_int_equal(taskrt_exits_next(listener, 0, exit, full + 8), 1);
	assert_int_equal(exit->lost_now, 2);
	assert_int_equal(((char *)exit)[full + 7], 0);
	free(exit);
}

static int rounds;

/* At first something that is no exit, then one. */
static int come_late(void)
{
	if (rounds++)
		fake_notify(exit_message(0, 0, 1));
	else
		fake_notify(fake_message(TASKRT_CMD_INFO, 0));
	return 1;
}

static int never_comes(void)
{
	rounds++;
	return 0;
}

static int interrupt(void)
{
	errno = EINTR;
	return -1;
}

static int module_goes(void)
{
	fake.receive_errno = ENODEV;
	return 1;
}

static void waiting(void **state)
{
	struct taskrt_exit exit;

	(void)state;
	rounds = 0;
	fake.wait = come_late;
	assert_int_equal(taskrt_exits_next(listener, -1, &exit, sizeof(exit)), 1);
	assert_int_equal(fake.waited_ms, -1);
	assert_int_equal(rounds, 2);
	assert_int_equal(exit.seq, 0);

	rounds = 0;
	fake.wait = never_comes;
	assert_int_equal(taskrt_exits_next(listener, 0, &exit, sizeof(exit)), 0);
	assert_int_equal(rounds, 0);
	assert_int_equal(taskrt_exits_next(listener, 500000, &exit, sizeof(exit)), 0);
	assert_int_equal(rounds, 1);
	assert_in_range(fake.waited_ms, 1, 500000);

	fake.wait = interrupt;
	assert_int_equal(taskrt_exits_next(listener, -1, &exit, sizeof(exit)), -EINTR);
	assert_string_equal(taskrt_exits_error(listener), strerror(EINTR));
	/* what is there is not waited for */
	fake_notify(exit_message(1, 0, 1));
	expect_thread(1, 0);
	fake.wait = module_goes;
	assert_int_equal(taskrt_exits_next(listener, -1, &exit, sizeof(exit)), -ENODEV);
}

/* With the real clock, and a socket to which nothing comes. */
static void in_time(void **state)
{
	struct timespec before, after;
	struct taskrt_exit exit;
	int64_t ms;

	(void)state;
	clock_gettime(CLOCK_MONOTONIC, &before);
	assert_int_equal(taskrt_exits_next(listener, 120, &exit, sizeof(exit)), 0);
	clock_gettime(CLOCK_MONOTONIC, &after);
	ms = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
	assert_true(ms >= 110);
}

/* The library may return any records, but only EBADMSG as an error, and it must not crash. */
static void spoiled(void **state)
{
	unsigned int seed, good = 0, bad = 0;
	struct taskrt_exit exit;

	(void)state;
	for (seed = 1; seed <= 20000; seed++) {
		struct nl_msg *message = exit_message(good, 0, 3);
		unsigned char *bytes = (unsigned char *)nlmsg_hdr(message) + NLMSG_HDRLEN;
		size_t length = nlmsg_hdr(message)->nlmsg_len - NLMSG_HDRLEN;
		unsigned int random = seed, flips = rand_r(&random) % 16;
		int found;

		while (flips--)
			bytes[rand_r(&random) % 128] = rand_r(&random);
		if (rand_r(&random) % 4 == 0)
			nlmsg_hdr(message)->nlmsg_len -= rand_r(&random) % length;
		fake_notify(message);
		while ((found = next(&exit))) {
			if (found < 0)
				assert_int_equal(found, -EBADMSG);
			else
				assert_true(exit.type <= TASKRT_EXIT_LOST);
			good += found > 0;
			bad += found < 0;
		}
	}
	assert_true(good > 100 && bad > 100);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(opened, start, finish),
		cmocka_unit_test_setup_teardown(bad_arguments, start, finish),
		cmocka_unit_test_setup_teardown(in_order, start, finish),
		cmocka_unit_test_setup_teardown(losses, start, finish),
		cmocka_unit_test_setup_teardown(damaged, start, finish),
		cmocka_unit_test_setup_teardown(others, start, finish),
		cmocka_unit_test_setup_teardown(module_removed, start, finish),
		cmocka_unit_test_setup_teardown(receive_fails, start, finish),
		cmocka_unit_test_setup_teardown(other_sizes, start, finish),
		cmocka_unit_test_setup_teardown(waiting, start, finish),
		cmocka_unit_test_setup_teardown(in_time, start, finish),
		cmocka_unit_test_setup_teardown(spoiled, start, finish),
	};

	return cmocka_run_group_tests_name("exits", tests, NULL, NULL);
}
