// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "load.h"
#include "tap.h"

#define PAGES	64

static pid_t group;

static void pass_on(int from, int to)
{
	char byte[100];

	while (read(from, byte, sizeof(byte)) > 0 && write(to, byte, sizeof(byte)) > 0)
		;
	_exit(0);
}

/* A token goes back and forth between the two. */
static void ping_pong(void)
{
	int there[2], back[2];
	char token[100] = "";

	if (pipe(there) || pipe(back) || write(there[1], token, sizeof(token)) < 0)
		_exit(1);
	if (!fork())
		pass_on(there[0], back[1]);
	pass_on(back[0], there[1]);
}

static void fork_storm(void)
{
	for (;;) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		if (pid > 0)
			waitpid(pid, NULL, 0);
	}
}

static void *short_life(void *area)
{
	volatile char *bytes = area;
	int i;

	madvise(area, PAGES * 4096, MADV_DONTNEED);
	for (i = 0; i < PAGES; i++)
		bytes[i * 4096] = 1;
	clock_sleep(US);
	return NULL;
}

static void *parent_of_threads(void *unused)
{
	void *area = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_t thread;

	for (;;)
		if (!pthread_create(&thread, NULL, short_life, area))
			pthread_join(thread, NULL);
	return unused;
}

void load_churn_threads(void)
{
	pthread_t thread;
	int i;

	for (i = 0; i < 3; i++)
		pthread_create(&thread, NULL, parent_of_threads, NULL);
	parent_of_threads(NULL);
	_exit(1);
}

static void *map_and_unmap(void *unused)
{
	for (;;) {
		void *area = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		short_life(area);
		munmap(area, PAGES * 4096);
	}
	return unused;
}

static void fault_and_map(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, map_and_unmap, NULL);
	map_and_unmap(NULL);
}

static void contend(void)
{
	int fd = device_open();

	for (;;) {
		device_take(fd, TASKRT_TEST_MUTEX, 100 * US);
		device_take(fd, TASKRT_TEST_RWSEM_WRITE, 0);
		device_take(fd, TASKRT_TEST_RWSEM_READ, 100 * US);
	}
}

static void start(void (*fn)(void), unsigned int times)
{
	while (times--) {
		pid_t pid = fork();

		if (pid < 0)
			tap_bail("fork: %s", strerror(errno));
		if (!pid) {
			setpgid(0, group);
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			/*
			 * Pauses, so that grace periods end in time and the test gets CPU
			 * time.
			 */
			setpriority(PRIO_PROCESS, 0, 19);
			fn();
			_exit(0);
		}
		/* Parent and child both set it, so that it is set whoever comes first. */
		setpgid(pid, group);
		if (!group)
			group = pid;
	}
}

/* A process that keeps the group alive, however the other members end. */
static void stay(void)
{
	for (;;)
		pause();
}

void load_start(unsigned int what)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (what & LOAD_LOCK)
		close(device_open());
	group = 0;
	start(stay, 1);
	if (what & LOAD_SWITCH)
		start(ping_pong, 2);
	if (what & LOAD_FORK)
		start(fork_storm, 2);
	if (what & LOAD_THREADS)
		start(load_churn_threads, 1);
	if (what & LOAD_FAULT)
		start(fault_and_map, 1);
	if (what & LOAD_LOCK)
		start(contend, 2);
}

/* A process that is being forked while the group is killed is killed in the next round. */
void load_stop(void)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE;
	pid_t pid;

	for (;;) {
		kill(-group, SIGKILL);
		while ((pid = waitpid(-group, NULL, WNOHANG)) > 0)
			;
		if (pid < 0)
			return;
		if (clock_now() > end)
			tap_bail("the load does not end");
		clock_sleep(MS);
	}
}
