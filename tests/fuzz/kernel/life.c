// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/taskrt.h>
#include <unistd.h>

#include "calls.h"
#include "cgroup.h"

static pid_t last_child, dead_child, other_process;
static volatile pid_t last_thread;
static uint64_t cgroup;

void life_begin(pid_t other)
{
	other_process = other;
	cgroup = cgroup_id(CGROUP_ROOT);
}

uint64_t life_task(uint64_t which)
{
	switch (which % 16) {
	case 0:
		return syscall(SYS_gettid);
	case 1:
		return last_child;
	case 2:
		return last_thread;
	case 3:
		return getppid();
	case 4:
		return 1;
	case 5:
		return 2;
	case 6:
		return dead_child;
	case 7:
		return other_process;
	case 8:
		return cgroup;
	default:
		return getpid();
	}
}

static void touch(unsigned int pages)
{
	char *at = mmap(NULL, 64 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			-1, 0);

	while (at != MAP_FAILED && pages--)
		at[(pages % 64) * PAGE] = 1;
	munmap(at, 64 * PAGE);
}

static void *run_thread(void *arg)
{
	unsigned long how = (unsigned long)arg;

	last_thread = syscall(SYS_gettid);
	switch (how % 5) {
	case 0:
		break;
	case 1:
		do_map(&(struct op){ .slot = 1 });
		break;
	case 2:
		touch(8);
		sched_yield();
		break;
	case 3:
		syscall(SYS_execve, "/t/kernel/nothing", (char *[]){ "nothing", NULL }, NULL);
		break;
	case 4:
		pause();
	}
	return NULL;
}

void do_thread(const struct op *op)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run_thread, (void *)(unsigned long)op->a))
		return;
	if (op->b % 2)
		pthread_detach(thread);
	else if (op->a % 5 < 3)
		pthread_join(thread, NULL);
	else
		sched_yield();
}

static void be_child(const struct op *op)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	switch (op->a % 6) {
	case 0:
		break;
	case 1:
		execl("/t/kernel/nothing", "nothing", NULL);
		break;
	case 2:
		pause();
		break;
	case 3:
		touch(4);
		pthread_create(&(pthread_t){ 0 }, NULL, run_thread, (void *)2L);
		break;
	case 4:
		kill(getpid(), SIGSEGV);
		break;
	case 5:
		do_send(&(struct op){ .slot = op->slot, .a = TASKRT_CMD_GET, .value = 2 });
	}
	_exit(op->b);
}

static void reap(pid_t pid, int options)
{
	pid = waitpid(pid, NULL, options);
	if (pid > 0)
		dead_child = pid;
}

void do_fork(const struct op *op)
{
	pid_t pid = fork();

	if (!pid)
		be_child(op);
	last_child = pid > 0 ? pid : last_child;
}

void do_wait(const struct op *op)
{
	switch (op->a % 8) {
	case 0:
		usleep(op->value % 3000);
		break;
	case 1:
		reap(-1, WNOHANG);
		break;
	case 2:
		sched_yield();
		break;
	case 3:
		touch(op->value % 64);
		break;
	case 4:
		if (last_child > 0) {
			kill(last_child, SIGKILL);
			reap(last_child, 0);
		}
		break;
	case 5:
		prctl(PR_SET_DUMPABLE, op->b % 2);
		break;
	case 6:
		sched_setaffinity(0, sizeof(cpu_set_t), &(cpu_set_t){ { 1 + op->b % 3 } });
		break;
	case 7:
		prctl(PR_SET_NAME, op->b % 2 ? "\x1b[31m\xff" : "a name that is far too long");
	}
}

void do_rights(const struct op *op)
{
	switch (op->a % 5) {
	case 0:
		if (setresgid(1000, 1000, 1000) || setresuid(1000, 1000, 1000))
			return;
		break;
	case 1:
		if (setresuid(1000, 0, 0))
			return;
		break;
	case 2:
		unshare(CLONE_NEWUSER);
		break;
	case 3:
		unshare(CLONE_NEWUSER | CLONE_NEWPID);
		break;
	case 4:
		unshare(CLONE_NEWCGROUP);
	}
}
