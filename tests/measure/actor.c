// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actor.h"
#include "ask.h"
#include "tap.h"
#include "token.h"

#define STACK	(32 * 1024)

static void set_nice(int nice_by)
{
	const struct sched_param none = { 0 };

	if (nice_by == ACTOR_IDLE)
		sched_setscheduler(0, SCHED_IDLE, &none);
	else if (nice_by && nice(nice_by) < 0)
		_exit(TOKEN_LOST);
}

/* The order is an address: both have the same program. */
static void obey(int go, int done)
{
	actor_fn fn;

	while (read(go, &fn, sizeof(fn)) == sizeof(fn)) {
		fn();
		token_pass(done);
	}
	_exit(0);
}

void actor_start(struct actor *actor, uid_t uid, int nice_by)
{
	const struct ask_who who = { uid, uid, uid, 0 };
	int go[2], done[2];

	if (pipe2(go, O_CLOEXEC) || pipe2(done, O_CLOEXEC))
		tap_bail("pipe");
	actor->pid = fork();
	if (actor->pid < 0)
		tap_bail("fork: %s", strerror(errno));
	if (!actor->pid) {
		close(go[1]);
		ask_become(&who);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_DUMPABLE, 1);
		set_nice(nice_by);
		obey(go[0], done[1]);
	}
	close(go[0]);
	close(done[1]);
	actor->go = go[1];
	actor->done = done[0];
}

void actor_tell(struct actor *actor, actor_fn fn)
{
	if (write(actor->go, &fn, sizeof(fn)) != sizeof(fn))
		tap_bail("an actor is gone");
}

void actor_await(struct actor *actor)
{
	char byte;

	if (read(actor->done, &byte, 1) != 1)
		tap_bail("an actor has ended before its time");
}

void actor_do(struct actor *actor, actor_fn fn)
{
	actor_tell(actor, fn);
	actor_await(actor);
}

void actor_end(struct actor *actor)
{
	if (waitpid(actor->pid, NULL, WNOHANG))
		tap_bail("an actor has ended before its time");
	kill(actor->pid, SIGKILL);
	waitpid(actor->pid, NULL, 0);
	close(actor->go);
	close(actor->done);
}

/* Never released, so that all threads sleep. */
static pthread_mutex_t barrier = PTHREAD_MUTEX_INITIALIZER;
static actor_fn gathered;
static unsigned int there;

static void *stand(void *unused)
{
	if (gathered)
		gathered();
	__atomic_add_fetch(&there, 1, __ATOMIC_RELEASE);
	pthread_mutex_lock(&barrier);
	return unused;
}

void actor_gather(unsigned int count, actor_fn fn)
{
	unsigned int all = there + count;
	pthread_attr_t attr;
	pthread_t thread;
	char *stacks;
	int err;

	pthread_mutex_trylock(&barrier);
	gathered = fn;
	/* One mapping for all stacks, because a process may have at most 65530 mappings. */
	stacks = mmap(NULL, (size_t)count * STACK, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	pthread_attr_init(&attr);
	while (count--) {
		pthread_attr_setstack(&attr, stacks + (size_t)count * STACK, STACK);
		err = pthread_create(&thread, &attr, stand, NULL);
		if (err)
			tap_bail("%u threads could not be created: %s", count + 1, strerror(err));
	}
	pthread_attr_destroy(&attr);
	while (__atomic_load_n(&there, __ATOMIC_ACQUIRE) < all)
		usleep(1000);
}

/* Some kernels do not take the larger number. */
static void allow(const char *limit)
{
	int fd = open(limit, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || (write(fd, "200000", 6) != 6 && write(fd, "32768", 5) != 5))
		tap_diag("%s: %s", limit, strerror(errno));
	if (fd >= 0)
		close(fd);
}

void actor_allow_crowds(void)
{
	const struct rlimit all = { 200000, 200000 };

	allow("/proc/sys/kernel/threads-max");
	allow("/proc/sys/kernel/pid_max");
	setrlimit(RLIMIT_NPROC, &all);
}
