// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acts.h"
#include "actor.h"
#include "clock.h"
#include "listener.h"
#include "page.h"
#include "raw.h"
#include "recorder.h"
#include "tap.h"

#define LIVES		50	/* of each kind */
#define SOCKETS		16	/* listeners that one user may have */
#define REGISTRATIONS	16	/* that one socket may have */
#define ARMED_MAX	1024

struct acts *acts;

static struct raw raw;
static struct raw armer;

void acts_init(void)
{
	acts = mmap(NULL, sizeof(*acts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (acts == MAP_FAILED)
		tap_bail("mmap");
}

void act_open(void)
{
	if (raw_open(&raw))
		tap_bail("no family");
}

void act_gather(void)
{
	actor_gather(acts->threads, NULL);
	acts->crowd = getpid();
}

static void map_own(void)
{
	page_own();
}

void act_gather_mapped(void)
{
	actor_gather(acts->mapped, map_own);
}

/* What is refused costs less than what was to be measured. */
static void must(const char *what, int error)
{
	if (error)
		tap_bail("%s: %s", what, strerror(-error));
}

static pid_t tids[ARMED_MAX];
static unsigned int nr_tids;

static void note_tid(void)
{
	tids[__atomic_fetch_add(&nr_tids, 1, __ATOMIC_RELAXED)] = gettid();
}

void act_arm_all(void)
{
	struct recorder_arm arm = { .depth = 8 };
	unsigned int i;

	if (raw_open(&armer))
		tap_bail("no family");
	actor_gather(acts->armed < ARMED_MAX ? acts->armed : ARMED_MAX, note_tid);
	for (i = 0; i < nr_tids; i++) {
		arm.tid = tids[i];
		must("arming", recorder_arm(&armer, &arm, NULL));
	}
}

static void add_registration(struct listener *listener, unsigned int i)
{
	struct listener_filter filter = { .cpus = "0", .own = 1, .tgid = i };

	must("REGISTER", listener_register(listener, &filter, NULL));
}

static struct listener listeners[SOCKETS];

/* One is left for act_register(). */
void act_listen(void)
{
	unsigned int i, j;

	for (i = 0; i < SOCKETS - 1; i++) {
		listener_open(&listeners[i], NULL, NULL);
		for (j = 1; j <= REGISTRATIONS; j++)
			add_registration(&listeners[i], j);
	}
}

void act_nothing(void)
{
	clock_sleep(50 * MS);
}

static void get(uint32_t groups, uint16_t flag)
{
	static struct raw_answer answer;
	struct raw_message message;

	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_ACK);
	raw_put_u32(&message, TASKRT_A_TGID, acts->crowd);
	raw_put_u32(&message, TASKRT_A_GROUPS, groups);
	if (flag)
		raw_put(&message, flag, NULL, 0);
	raw_ask(&raw, &message, &answer, NULL, NULL);
	must("GET", answer.answered ? answer.error : -ETIMEDOUT);
}

void act_get_crowd(void)
{
	get(EVERY_GROUP, 0);
}

void act_get_sites(void)
{
	get(EVERY_GROUP | TASKRT_GROUP_SITES, 0);
}

void act_get_children(void)
{
	get(EVERY_GROUP, TASKRT_A_CHILDREN);
}

/* Takes the messages as they are: reading them is no work of the kernel. */
static void dump(int own)
{
	static char buffer[65536] __attribute__((aligned(8)));
	const struct nlmsghdr *nl = (void *)buffer;
	struct raw_message message;
	size_t nest;

	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	raw_put_u32(&message, TASKRT_A_GROUPS, EVERY_GROUP);
	nest = raw_nest(&message, TASKRT_A_FILTER);
	if (own)
		raw_put(&message, TASKRT_FILTER_A_OWN, NULL, 0);
	raw_nest_end(&message, nest);
	if (raw_send(&raw, &message))
		tap_bail("dump");
	do {
		if (recv(raw.fd, buffer, sizeof(buffer), 0) <= 0)
			tap_bail("dump");
	} while (nl->nlmsg_type != NLMSG_DONE);
}

void act_dump(void)
{
	dump(0);
}

void act_dump_own(void)
{
	dump(1);
}

void act_info(void)
{
	static struct raw_answer answer;
	struct raw_message message;
	int i;

	for (i = 0; i < 10; i++) {
		raw_begin(&raw, &message, TASKRT_CMD_INFO, NLM_F_ACK);
		raw_ask(&raw, &message, &answer, NULL, NULL);
	}
}

void act_register(void)
{
	struct listener listener;
	unsigned int i;

	listener_open(&listener, NULL, NULL);
	for (i = 1; i <= REGISTRATIONS; i++)
		add_registration(&listener, i);
	listener_ask(&listener, TASKRT_CMD_LIST, NULL, NULL);
	listener_ask(&listener, TASKRT_CMD_DEREGISTER, "0", NULL);
	listener_close(&listener);
}

void act_list_and_close(void)
{
	unsigned int i;

	for (i = 0; i < SOCKETS - 1; i++)
		listener_ask(&listeners[i], TASKRT_CMD_LIST, NULL, NULL);
	for (i = 0; i < SOCKETS - 1; i++)
		listener_close(&listeners[i]);
}

void act_arm(void)
{
	const struct recorder_arm arm = { .depth = 8 };
	int i;

	for (i = 0; i < 10; i++) {
		must("ARM", recorder_arm(&raw, &arm, NULL));
		recorder_disarm(&raw, 0);
	}
}

void act_alert(void)
{
	const struct recorder_arm arm = { .depth = TASKRT_DEPTH_MAX };
	int i;

	must("ARM", recorder_arm(&raw, &arm, NULL));
	for (i = 0; i < 2 * TASKRT_DEPTH_MAX; i++)
		clock_sleep(50 * US);
	recorder_tell("measured");
	clock_sleep(20 * MS);
	recorder_disarm(&raw, 0);
}

void act_close_armed(void)
{
	raw_close(&armer);
}

void act_close_foreign(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	const struct sockaddr_nl any = { .nl_family = AF_NETLINK };

	if (fd < 0 || bind(fd, (const void *)&any, sizeof(any)))
		tap_bail("no socket");
	close(fd);
}

void act_map(void)
{
	int i;

	for (i = 0; i < 10; i++)
		page_unmap(page_own());
}

static void reap(pid_t pid)
{
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		tap_bail("fork");
}

void act_exec_mapped(void)
{
	pid_t pid = fork();

	if (!pid) {
		page_own();
		execl("/bin/true", "true", (char *)NULL);
		_exit(127);
	}
	reap(pid);
}

static void *map_and_end(void *unused)
{
	page_own();
	return unused;
}

static void one_thread(void *(*fn)(void *unused))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, fn, NULL))
		tap_bail("no thread");
	pthread_join(thread, NULL);
}

void act_exit_mapped(void)
{
	int i;

	for (i = 0; i < LIVES; i++)
		one_thread(map_and_end);
}

static void *end(void *unused)
{
	return unused;
}

void act_fork(void)
{
	int i;

	for (i = 0; i < LIVES; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		reap(pid);
		one_thread(end);
	}
}
