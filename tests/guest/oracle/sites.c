// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a thread was in its longest waits: what /proc/PID/wchan said while it waited.  Of a
 * process, the site is that of the thread which waited longest.
 */
#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "patience.h"
#include "state.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define WAIT	(300 * MS)

static struct taskrt *handle;
static int device, pipes[2], sockets[2];

static void delay(uint32_t how)
{
	device_delay(device, how, WAIT);
}

static void in_io(void *unused)
{
	(void)unused;
	delay(TASKRT_TEST_IO);
}

static void blocked(void *unused)
{
	(void)unused;
	delay(TASKRT_TEST_UNINTERRUPTIBLE);
}

static void in_ioctl(void *unused)
{
	(void)unused;
	delay(TASKRT_TEST_INTERRUPTIBLE);
}

static void in_fault(void *unused)
{
	volatile char *area = device_map(device, 1, TASKRT_TEST_UNINTERRUPTIBLE, 0, WAIT);

	(void)unused;
	*area = 1;
	device_unmap(area, 1);
}

static void in_lock(void *unused)
{
	(void)unused;
	device_hold(device, TASKRT_TEST_MUTEX, TASKRT_TEST_UNINTERRUPTIBLE, WAIT);
	device_take(device, TASKRT_TEST_MUTEX, 0);
}

static void in_poll(void *unused)
{
	(void)unused;
	poll(NULL, 0, WAIT / MS);
}

static void in_read(void *unused)
{
	char c;

	(void)unused;
	if (read(pipes[0], &c, 1) != 1)
		tap_bail("read");
}

static void in_recv(void *unused)
{
	char c;

	(void)unused;
	if (recv(sockets[0], &c, 1, 0) != 1)
		tap_bail("recv");
}

static const struct row {
	const char *name;
	unsigned int state;
	void (*wait)(void *unused);
	const int *wakes;		/* a byte, written here, ends the wait; NULL: it ends */
} rows[] = {
	{ "blocked_lock", TASKRT_STATE_BLOCKED_LOCK, in_lock, NULL },
	{ "blocked_fault", TASKRT_STATE_BLOCKED_FAULT, in_fault, NULL },
	{ "blocked_io", TASKRT_STATE_BLOCKED_IO, in_io, NULL },
	{ "blocked_other", TASKRT_STATE_BLOCKED_OTHER, blocked, NULL },
	{ "sleeping_poll", TASKRT_STATE_SLEEPING_POLL, in_poll, NULL },
	{ "sleeping_file", TASKRT_STATE_SLEEPING_FILE, in_ioctl, NULL },
	{ "sleeping_file, a pipe", TASKRT_STATE_SLEEPING_FILE, in_read, &pipes[1] },
	{ "sleeping_socket", TASKRT_STATE_SLEEPING_SOCKET, in_recv, &sockets[1] },
};

/* A thread that waits once, and then goes on to be asked for until it may end. */
struct waiter {
	struct thread thread;
	const struct row *row;
	sem_t go;			/* a wait for it is none of those of a row */
	volatile int over;		/* the wait of the row */
};

static void wait_once(void *arg)
{
	struct waiter *waiter = arg;

	waiter->row->wait(NULL);
	waiter->over = 1;
	while (sem_wait(&waiter->go))
		;
}

static void waiter_start(struct waiter *waiter, const struct row *row)
{
	waiter->row = row;
	waiter->over = 0;
	sem_init(&waiter->go, 0, 0);
	thread_start(&waiter->thread, wait_once, waiter);
}

static void waiter_end(struct waiter *waiter)
{
	sem_post(&waiter->go);
	thread_join(&waiter->thread);
	sem_destroy(&waiter->go);
}

/* Return: 0, or the error of taskrt_get_sites(). */
static int site_of(uint32_t entity, pid_t id, unsigned int state, char name[TASKRT_SITE_ROOM],
		   struct taskrt_reading *reading)
{
	struct taskrt_sites sites;
	int err;

	*name = 0;
	if (window_ask(handle, entity, id, reading))
		tap_bail("asking for %d", id);
	err = taskrt_get_sites(handle, reading, &sites, sizeof(sites));
	if (!err)
		memcpy(name, sites.states[state], TASKRT_SITE_ROOM);
	return err;
}

/* Is it in that state, and has it been for some time, as a wait for a lock may be a short one? */
static int thread_is_in(pid_t tid, unsigned int state)
{
	struct taskrt_reading reading;

	window_thread(handle, tid, &reading);
	return reading.stats.state == state &&
	       reading.longests.states[state].ns >= 5 * MS;
}

/* What the kernel itself says, without the name of a module. */
static void read_wchan(pid_t tid, char name[TASKRT_SITE_ROOM])
{
	char path[64];
	size_t length;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/wchan", tid);
	file = fopen(path, "r");
	if (!file)
		tap_bail("%s", path);
	length = fread(name, 1, TASKRT_SITE_ROOM - 1, file);
	name[length] = 0;
	fclose(file);
}

static void cut_module(char *name)
{
	char *module = strstr(name, " [");

	if (module)
		*module = 0;
}

/* The thread has gone on, and waits for the semaphore. */
static void await_end(struct waiter *waiter)
{
	if (waiter->row->wakes && write(*waiter->row->wakes, "", 1) != 1)
		tap_bail("write");
	window_await(handle, waiter->thread.tid, TASKRT_STATE_SLEEPING_FUTEX);
}

/* What was told of one wait: while it lasted, and after it. */
struct told {
	int err;
	char during[TASKRT_SITE_ROOM], after[TASKRT_SITE_ROOM], wchan[TASKRT_SITE_ROOM];
};

/*
 * Return: true if the wait lasted while all was read that was to be read meanwhile, and wchan
 * said something.  Since 6.12, a thread that sleeps may stay on its runqueue for a while
 * (DELAY_DEQUEUE), and wchan says 0 meanwhile.
 */
static int observe(const struct row *row, struct told *told)
{
	struct taskrt_reading reading;
	struct taskrt_longest *longest = &reading.longests.states[row->state];
	struct waiter waiter;
	uint64_t asked_at, read_at;

	waiter_start(&waiter, row);
	/* It may have waited already, on a busy host. */
	while (!thread_is_in(waiter.thread.tid, row->state) && !waiter.over)
		;
	asked_at = clock_now();
	told->err = site_of(TASKRT_ENTITY_THREAD, waiter.thread.tid, row->state, told->during,
			    &reading);
	read_wchan(waiter.thread.tid, told->wchan);
	read_at = clock_now();
	await_end(&waiter);
	site_of(TASKRT_ENTITY_THREAD, waiter.thread.tid, row->state, told->after, &reading);
	waiter_end(&waiter);
	return longest->at_ns < asked_at && longest->at_ns + longest->ns > read_at &&
	       strcmp(told->wchan, "0");
}

static void check_row(const struct row *row)
{
	struct told told;

	while (!observe(row, &told) && patience_lasts())
		;
	tap_errno(told.err, 0, "%s: sites are told", row->name);
	tap_ok(!*told.during, "%s: none as long as the wait lasts", row->name);
	tap_diag("%s: %s", row->name, told.after);
	cut_module(told.after);
	tap_ok(*told.after && !strcmp(told.after, told.wchan), "%s: %s, which wchan said: %s",
	       row->name, told.after, told.wchan);
}

/* Two threads wait in one state.  Return: true if it is certain which of them did for longer. */
static int two_wait(void)
{
	const uint64_t begin = clock_now();
	struct thread shorter, longer;
	int certain;

	thread_start(&shorter, in_read, NULL);
	thread_await(shorter.tid, "S");
	if (write(pipes[1], "", 1) != 1)
		tap_bail("write");
	thread_join(&shorter);
	certain = clock_now() - begin < WAIT;
	thread_start(&longer, in_ioctl, NULL);
	thread_join(&longer);
	return certain;
}

/* @told: the child says that it is certain; @go: it may end */
static void be_process(int told, int go)
{
	const char certain = two_wait();

	if (write(told, &certain, 1) != 1)
		_exit(1);
	/* It waits in a state of its own. */
	while (poll(&(struct pollfd){ .fd = go, .events = POLLIN }, 1, -1) != 1)
		;
	_exit(0);
}

/* Return: true if it was certain. */
static int ask_of_process(char site[TASKRT_SITE_ROOM])
{
	struct taskrt_reading reading;
	int told[2], go[2], i;
	char certain = 0;
	pid_t pid;

	if (pipe(told) || pipe(go))
		tap_bail("pipe");
	pid = fork();
	if (!pid)
		be_process(told[1], go[0]);
	if (read(told[0], &certain, 1) != 1)
		tap_bail("the process has failed");
	/* Both threads have ended, and may be added to the process a little later. */
	do
		if (site_of(TASKRT_ENTITY_PROCESS, pid, TASKRT_STATE_SLEEPING_FILE, site, &reading))
			tap_bail("a process: sites are not told");
	while (reading.stats.threads > 1);
	if (write(go[1], "", 1) != 1)
		tap_bail("write");
	waitpid(pid, NULL, 0);
	for (i = 0; i < 2; i++) {
		close(told[i]);
		close(go[i]);
	}
	return certain;
}

static void check_process(void)
{
	char site[TASKRT_SITE_ROOM];

	while (!ask_of_process(site) && patience_lasts())
		;
	tap_ok(!!strstr(site, " [taskrt_test]"), "a process: %s, of the longer of two waits", site);
}

/* What only a thread or a process has, and of a reading with its longest intervals. */
static void check_refusals(void)
{
	struct taskrt_reading reading;
	struct taskrt_sites sites;

	if (taskrt_get(handle, TASKRT_ENTITY_CHILDREN, 0, TASKRT_GROUP_LONGEST, &reading,
		       sizeof(reading)))
		tap_bail("children");
	tap_errno(taskrt_get_sites(handle, &reading, &sites, sizeof(sites)), -EINVAL,
		  "children have no sites");
	window_thread(handle, 0, &reading);
	tap_errno(taskrt_get_sites(handle, &reading, &sites, sizeof(sites) - 1), -EINVAL,
		  "a size that is too small");
	reading.stats.start_time_ns++;
	tap_errno(taskrt_get_sites(handle, &reading, &sites, sizeof(sites)), -ESRCH,
		  "another task that has the id now");
	reading.groups &= ~TASKRT_GROUP_LONGEST;
	tap_errno(taskrt_get_sites(handle, &reading, &sites, sizeof(sites)), -EINVAL,
		  "a reading without its longest intervals");
}

int main(void)
{
	struct taskrt_reading reading;
	char site[TASKRT_SITE_ROOM];
	struct taskrt_info info;
	unsigned int i;
	int err;

	handle = window_open();
	err = site_of(TASKRT_ENTITY_THREAD, 0, TASKRT_STATE_SLEEPING, site, &reading);
	window_info(handle, &info);
	tap_equal(!(info.groups & TASKRT_GROUP_SITES), err == -EOPNOTSUPP,
		  "INFO has the group, if it is answered");
	if (err == -EOPNOTSUPP) {
		tap_skip("sites", "this kernel does not let a module see them");
		return tap_done();
	}
	device = device_open();
	if (pipe(pipes) || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
		tap_bail("pipe, socketpair");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i]);
	check_process();
	check_refusals();
	return tap_done();
}
