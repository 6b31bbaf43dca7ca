// SPDX-License-Identifier: GPL-2.0-only
/*
 * One allocation fails while a request is served: the first one, then the second one, and
 * so on, until there are no more.  The request fails with ENOMEM or ENOBUFS, and has done
 * nothing then, unless only the acknowledgement is missing; or it succeeds.  Sent again, it
 * succeeds.  All counts are then what they were at the beginning.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/taskrt_page.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroup.h"
#include "clock.h"
#include "inject.h"
#include "leaks.h"
#include "module.h"
#include "quiet.h"
#include "raw.h"
#include "recorder.h"
#include "tap.h"
#include "window.h"

#define MOST	5000	/* allocations of one request, for a test that does not end */
#define CROWD	20	/* threads: more than are summed at once */

static struct raw raw;
static pid_t crowd;
static uint64_t cgroup;
static int device = -1;
static void *area;

/* What a request has changed: nothing, or one of these. */
struct effect {
	unsigned int registrations, armed, mapped;
};

struct request {
	const char *name;
	int (*ask)(void);	/* a negative errno or 0 */
	void (*before)(void);	/* each time, without a failure; NULL: nothing */
	void (*after)(void);
	int acknowledged;	/* ENOBUFS: it may be done, and only the answer is missing */
};

static int ask(struct raw_message *message)
{
	struct raw_answer answer;

	raw_ask(&raw, message, &answer, NULL, NULL);
	if (answer.answered || answer.error)
		return answer.error;
	return errno == ENOBUFS ? -ENOBUFS : -EPROTO;
}

static int ask_plain(uint8_t command)
{
	struct raw_message message;

	raw_begin(&raw, &message, command, NLM_F_ACK);
	return ask(&message);
}

static int get(uint16_t type, uint32_t id, int children)
{
	struct raw_message message;

	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_ACK);
	raw_put_u32(&message, type, id);
	raw_put_u32(&message, TASKRT_A_GROUPS, EVERY_GROUP | TASKRT_GROUP_SITES);
	if (children)
		raw_put(&message, TASKRT_A_CHILDREN, NULL, 0);
	return ask(&message);
}

static int get_thread(void)
{
	return get(TASKRT_A_TID, 0, 0);
}

static int get_process(void)
{
	return get(TASKRT_A_TGID, 0, 0);
}

static int get_children(void)
{
	return get(TASKRT_A_TGID, 0, 1);
}

static int get_crowd(void)
{
	return get(TASKRT_A_TGID, crowd, 0);
}

static int info(void)
{
	return ask_plain(TASKRT_CMD_INFO);
}

static int list(void)
{
	return ask_plain(TASKRT_CMD_LIST);
}

/* Which conditions a request has: they may be added. */
#define OWN	1
#define TGID	2
#define CGROUP	4

static void put_filter(struct raw_message *message, int conditions)
{
	size_t nest = raw_nest(message, TASKRT_A_FILTER);

	if (conditions & OWN)
		raw_put(message, TASKRT_FILTER_A_OWN, NULL, 0);
	if (conditions & TGID)
		raw_put_u32(message, TASKRT_FILTER_A_TGID, crowd);
	if (conditions & CGROUP)
		raw_put(message, TASKRT_FILTER_A_CGROUP, &cgroup, sizeof(cgroup));
	raw_nest_end(message, nest);
}

/* A dump that fails keeps its socket busy: each has one of its own. */
static int dump(int conditions)
{
	struct raw_message message;

	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	put_filter(&message, conditions);
	return ask(&message);
}

static int dump_all(void)
{
	return dump(0);
}

static int dump_own(void)
{
	return dump(OWN);
}

static int dump_process(void)
{
	return dump(TGID);
}

static int dump_cgroup(void)
{
	return dump(CGROUP);
}

static int dump_every(void)
{
	return dump(OWN | TGID | CGROUP);
}

static int enlist(uint8_t command, int conditions)
{
	struct raw_message message;

	raw_begin(&raw, &message, command, NLM_F_ACK);
	raw_put(&message, TASKRT_A_CPUMASK, "all", sizeof("all"));
	if (conditions)
		put_filter(&message, conditions);
	return ask(&message);
}

static int enlist_all(void)
{
	return enlist(TASKRT_CMD_REGISTER, 0);
}

static int enlist_every(void)
{
	return enlist(TASKRT_CMD_REGISTER, OWN | TGID | CGROUP);
}

static int enlist_own(void)
{
	return enlist(TASKRT_CMD_REGISTER, OWN);
}

static int delist(void)
{
	return enlist(TASKRT_CMD_DEREGISTER, 0);
}

static int arm(void)
{
	const struct recorder_arm arm = { .tid = 0, .depth = 128 };
	int err = recorder_arm(&raw, &arm, NULL);

	return err == -EPROTO && errno == ENOBUFS ? -ENOBUFS : err;
}

static int disarm(void)
{
	int err = recorder_disarm(&raw, 0);

	return err == -EPROTO && errno == ENOBUFS ? -ENOBUFS : err;
}

static int open_device(void)
{
	device = open(TASKRT_DEVICE, O_RDONLY | O_CLOEXEC);
	return device < 0 ? -errno : 0;
}

static int map(void)
{
	area = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, device, 0);
	return area == MAP_FAILED ? -errno : 0;
}

/* The rate of alerts is limited, and that is no failure. */
static int alert(void)
{
	struct taskrt_alert_request request = { .tag = "inject" };
	int err = ioctl(device, TASKRT_IOC_ALERT, &request) ? -errno : 0;

	return err == -EAGAIN ? 0 : err;
}

static void must(int err, const char *what)
{
	if (err)
		tap_bail("%s: %s", what, strerror(-err));
}

static void fresh_socket(void)
{
	raw_close(&raw);
	must(raw_open(&raw), "opening");
}

/* The first registration with OWN enables a hook. */
static void fresh_module(void)
{
	raw_close(&raw);
	module_again("");
	must(raw_open(&raw), "opening");
}

static void must_enlist(void)
{
	must(enlist_all(), "REGISTER");
}

static void must_delist(void)
{
	must(delist(), "DEREGISTER");
}

static void must_arm(void)
{
	must(arm(), "ARM");
}

static void must_disarm(void)
{
	must(disarm(), "DISARM");
}

static void must_open(void)
{
	must(open_device(), "opening the device");
}

static void close_device(void)
{
	close(device);
	device = -1;
}

static void unmap(void)
{
	munmap(area, sysconf(_SC_PAGESIZE));
	close_device();
}

static void must_arm_and_open(void)
{
	must_arm();
	must_open();
}

static void disarm_and_close(void)
{
	close_device();
	must_disarm();
}

static void nothing(void)
{
}

static const struct request requests[] = {
	{ "GET of a thread", get_thread, NULL, NULL, 1 },
	{ "GET of a process", get_process, NULL, NULL, 1 },
	{ "GET of the children", get_children, NULL, NULL, 1 },
	{ "GET of a process with many threads", get_crowd, NULL, NULL, 1 },
	{ "INFO", info, NULL, NULL, 1 },
	{ "LIST", list, NULL, NULL, 1 },
	{ "LIST of a registration", list, must_enlist, must_delist, 1 },
	{ "dump of all", dump_all, fresh_socket, NULL, 1 },
	{ "dump of the own", dump_own, fresh_socket, NULL, 1 },
	{ "dump of a process", dump_process, fresh_socket, NULL, 1 },
	{ "dump of a cgroup", dump_cgroup, fresh_socket, NULL, 1 },
	{ "dump with every filter", dump_every, fresh_socket, NULL, 1 },
	{ "REGISTER", enlist_all, nothing, must_delist, 1 },
	{ "REGISTER on a fresh socket", enlist_all, fresh_socket, fresh_socket, 1 },
	{ "REGISTER with every filter", enlist_every, nothing, must_delist, 1 },
	{ "the first REGISTER with OWN", enlist_own, fresh_module, must_delist, 1 },
	{ "DEREGISTER", delist, must_enlist, must_delist, 1 },
	{ "ARM", arm, nothing, must_disarm, 1 },
	{ "ARM again", arm, must_arm, must_disarm, 1 },
	{ "DISARM", disarm, must_arm, nothing, 1 },
	{ "opening the device", open_device, nothing, close_device, 0 },
	{ "mapping the counters", map, must_open, unmap, 0 },
	{ "an alert", alert, must_arm_and_open, disarm_and_close, 0 },
};

static void count_registration(const struct nlattr *attr, const void *payload, size_t length,
			       void *arg)
{
	(void)payload;
	(void)length;
	*(unsigned int *)arg += (attr->nla_type & NLA_TYPE_MASK) == TASKRT_A_REGISTRATION;
}

static unsigned int registrations(void)
{
	struct raw_message message;
	struct raw_answer answer;
	unsigned int count = 0;

	raw_begin(&raw, &message, TASKRT_CMD_LIST, NLM_F_ACK);
	raw_ask(&raw, &message, &answer, NULL, NULL);
	if (answer.error || !answer.answered)
		tap_bail("LIST");
	raw_walk(answer.reply, answer.length, count_registration, &count);
	return count;
}

static void get_info(struct taskrt_info *info)
{
	struct taskrt *handle = window_open();

	window_info(handle, info);
	taskrt_close(handle);
}

static struct effect effect_now(void)
{
	struct taskrt_info info;

	get_info(&info);
	return (struct effect){ registrations(), info.armed, info.mapped };
}

static unsigned int wrong;

static void complain(const struct request *request, unsigned int nth, const char *what, int err)
{
	if (++wrong <= 30)
		tap_diag("%s, allocation %u: %s: %s", request->name, nth, what, strerror(-err));
}

static void judge_failure(const struct request *request, unsigned int nth, int err,
			  const struct effect *before)
{
	const struct effect now = effect_now();
	const int unanswered = request->acknowledged && err == -ENOBUFS;
	int again;

	if (err != -ENOMEM && !unanswered)
		complain(request, nth, "it fails otherwise", err);
	if (!unanswered && memcmp(&now, before, sizeof(now)))
		complain(request, nth, "it has failed, and is done", err);
	/* A dump that has failed is not over for its socket. */
	if (request->before == fresh_socket)
		fresh_socket();
	again = request->ask();
	if (again && !(unanswered && again == -ENODATA && request->ask == disarm))
		complain(request, nth, "it does not succeed after that", again);
}

static unsigned int fail_each(const struct request *request)
{
	unsigned int nth, failed = 0;
	struct effect before;
	int injected, err;

	for (nth = 1; nth < MOST; nth++) {
		if (request->before)
			request->before();
		before = effect_now();
		inject_begin(nth);
		err = request->ask();
		injected = inject_end();
		if (injected && err)
			judge_failure(request, nth, err, &before);
		else if (err)
			complain(request, nth, "nothing failed", err);
		failed += injected && err;
		if (request->after)
			request->after();
		if (!injected)
			break;
	}
	tap_diag("%s: %u allocations, %u refused", request->name, nth - 1, failed);
	return failed;
}

static void *sleep_on(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void be_crowd(int ready)
{
	pthread_t thread;
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0; i < CROWD; i++)
		if (pthread_create(&thread, NULL, sleep_on, NULL))
			_exit(1);
	if (write(ready, "r", 1) != 1)
		_exit(2);
	sleep_on(NULL);
}

static void start_crowd(void)
{
	int ready[2];
	char byte;

	if (pipe(ready))
		tap_bail("pipe");
	crowd = fork();
	if (!crowd)
		be_crowd(ready[1]);
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		tap_bail("the crowd does not come");
	close(ready[0]);
	cgroup = cgroup_make();
	if (cgroup)
		cgroup_move(crowd, CGROUP_OWN);
}

static void end_crowd(void)
{
	kill(crowd, SIGKILL);
	waitpid(crowd, NULL, 0);
	cgroup_remove();
}

int main(int argc, char **argv)
{
	const char *why_not = inject_why_not();
	unsigned int i, failed = 0;

	(void)argc;
	if (why_not) {
		tap_skip("each allocation of a request fails", why_not);
		return tap_done();
	}
	inject_prepare(argv);
	must(raw_open(&raw), "opening");
	start_crowd();
	for (i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
		failed += fail_each(&requests[i]);
	raw_close(&raw);
	end_crowd();
	tap_at_least(failed, sizeof(requests) / sizeof(requests[0]), "requests are refused");
	tap_equal(wrong, 0, "each is refused for want of memory, and the same one succeeds then");
	quiet_check("after the requests");
	module_again("");
	leaks_check("nothing of it is leaked");
	return tap_done();
}
