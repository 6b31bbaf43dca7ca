// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <linux/taskrt_page.h>
#include <linux/taskstats.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "module.h"
#include "own.h"
#include "page.h"
#include "raw.h"
#include "recorder.h"
#include "self.h"
#include "tap.h"
#include "thread.h"

static double each(uint64_t begin, unsigned long count)
{
	return (double)(clock_now() - begin) / count;
}

/* Ten calls in each round, to keep the cost of the loop small. */
#define TEN(what)	what; what; what; what; what; what; what; what; what; what

double own_read(void)
{
	enum { ROUNDS = 2000 };
	struct taskrt_self *self = self_open();
	struct taskrt_snapshot now;
	uint64_t begin = clock_now();
	int i, status = 0;
	double cost;

	for (i = 0; i < ROUNDS; i++) {
		TEN(status |= taskrt_self_read(self, &now));
	}
	cost = each(begin, 10 * ROUNDS);
	if (status)
		tap_bail("taskrt_self_read() failed");
	taskrt_self_close(self);
	return cost;
}

static double get(uint32_t groups)
{
	enum { ROUNDS = 10000 };
	struct taskrt_self *self = self_open();
	struct taskrt_reading reading;
	uint64_t begin = clock_now();
	double cost;
	int i;

	for (i = 0; i < ROUNDS; i++)
		if (taskrt_self_get(self, groups, &reading, sizeof(reading)))
			tap_bail("taskrt_self_get() failed");
	cost = each(begin, ROUNDS);
	taskrt_self_close(self);
	return cost;
}

double own_get(void)
{
	return get(EVERY_GROUP);
}

double own_get_times(void)
{
	return get(TASKRT_GROUP_TIMES);
}

double own_window(void)
{
	enum { ROUNDS = 10000 };
	struct taskrt_self *self = self_open();
	struct taskrt_window window;
	uint64_t begin = clock_now();
	double cost;
	int i;

	for (i = 0; i < ROUNDS; i++)
		if (taskrt_window_begin(&window, self) || taskrt_window_end(&window))
			tap_bail("a window could not be begun or ended");
	cost = each(begin, ROUNDS);
	taskrt_self_close(self);
	return cost;
}

double own_clock(void)
{
	enum { ROUNDS = 2000 };
	uint64_t begin = clock_now();
	struct timespec ts;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		TEN(clock_gettime(CLOCK_MONOTONIC, &ts));
	}
	return each(begin, 10 * ROUNDS);
}

double own_taskstats(void)
{
	enum { ROUNDS = 1000 };
	struct raw_message message;
	char answer[4096];
	struct raw raw;
	uint64_t begin;
	double cost;
	int i;

	if (raw_open_family(&raw, TASKSTATS_GENL_NAME))
		tap_bail("this kernel has no taskstats");
	raw_begin(&raw, &message, TASKSTATS_CMD_GET, 0);
	raw_put_u32(&message, TASKSTATS_CMD_ATTR_PID, gettid());
	begin = clock_now();
	for (i = 0; i < ROUNDS; i++)
		if (send(raw.fd, &message, message.nl.nlmsg_len, 0) < 0 ||
		    recv(raw.fd, answer, sizeof(answer), 0) < 200)
			tap_bail("GET of taskstats: %s", strerror(errno));
	cost = each(begin, ROUNDS);
	raw_close(&raw);
	return cost;
}

enum how { PLAIN, MAPPED = 1, ARMED = 2 };

/* The mapping and the recorder of a measured thread, which are removed afterwards. */
struct having {
	const struct taskrt_page *page;
	struct raw raw;
};

static void have(struct having *having, int how)
{
	const struct recorder_arm arm = { .depth = 64 };

	memset(having, 0, sizeof(*having));
	having->raw.fd = -1;
	if (!module_loaded(MODULE_TASKRT))
		return;
	if (how & MAPPED)
		having->page = page_own();
	if (!(how & ARMED))
		return;
	if (raw_open(&having->raw) || recorder_arm(&having->raw, &arm, NULL))
		tap_bail("cannot arm the thread");
}

static void leave(struct having *having)
{
	if (having->page)
		page_unmap(having->page);
	if (having->raw.fd >= 0)
		raw_close(&having->raw);
}

/* Two threads that wake each other up. */
struct pair {
	int there[2], back[2];
	int how;
	struct thread partner;
};

static int pass(int from, int to)
{
	char byte = 'x';

	return (from < 0 || read(from, &byte, 1) == 1) && (to < 0 || write(to, &byte, 1) == 1);
}

static void answer(void *arg)
{
	struct pair *pair = arg;
	struct having having;

	have(&having, pair->how);
	while (pass(pair->there[0], pair->back[1]))
		;
	leave(&having);
}

static double switches(int how)
{
	enum { WARM_UP = 200, ROUNDS = 4000 };
	struct pair pair = { .how = how };
	struct having having;
	uint64_t begin = 0;
	double cost;
	int i;

	if (pipe(pair.there) || pipe(pair.back))
		tap_bail("pipe failed");
	have(&having, how);
	thread_start(&pair.partner, answer, &pair);
	for (i = -WARM_UP; i < ROUNDS; i++) {
		if (!i)
			begin = clock_now();
		if (!pass(-1, pair.there[1]) || !pass(pair.back[0], -1))
			tap_bail("pipe failed");
	}
	cost = each(begin, 2 * ROUNDS);
	close(pair.there[1]);
	thread_join(&pair.partner);
	leave(&having);
	close(pair.there[0]);
	close(pair.back[0]);
	close(pair.back[1]);
	return cost;
}

double own_switch_mapped(void)
{
	return switches(MAPPED);
}

double own_switch_armed(void)
{
	return switches(ARMED);
}

struct bystander {
	struct thread thread;
	int how;
	int ready[2], end[2];
};

/* Maps and arms itself as requested, and then sleeps. */
static void stand_by(void *arg)
{
	struct bystander *by = arg;
	struct having having;

	have(&having, by->how);
	pass(-1, by->ready[1]);
	pass(by->end[0], -1);
	leave(&having);
}

static double switches_beside(int how)
{
	struct bystander by = { .how = how };
	double cost;

	if (pipe(by.ready) || pipe(by.end))
		tap_bail("pipe failed");
	thread_start(&by.thread, stand_by, &by);
	pass(by.ready[0], -1);
	cost = switches(PLAIN);
	pass(-1, by.end[1]);
	thread_join(&by.thread);
	close(by.ready[0]);
	close(by.ready[1]);
	close(by.end[0]);
	close(by.end[1]);
	return cost;
}

double own_switch_beside(void)
{
	enum { ROUNDS = 3 };
	double more = 0;
	int i;

	for (i = 0; i < ROUNDS; i++)
		more += switches_beside(MAPPED | ARMED) - switches_beside(PLAIN);
	return more / ROUNDS;
}

/* Few enough alerts for the limit per second; the real-time thread keeps the worker waiting. */
double own_alert(void)
{
	enum { ROUNDS = 20 };
	struct taskrt_alert_request request = { "bench" };
	struct having having;
	uint64_t spent = 0, begin;
	int fd = page_device(), i;

	have(&having, ARMED);
	thread_fifo(1);
	for (i = 0; i < ROUNDS; i++) {
		clock_sleep(200 * MS);
		begin = clock_now();
		if (ioctl(fd, TASKRT_IOC_ALERT, &request))
			tap_bail("alert: %s", strerror(errno));
		spent += clock_now() - begin;
	}
	thread_other();
	leave(&having);
	close(fd);
	return (double)spent / ROUNDS;
}
