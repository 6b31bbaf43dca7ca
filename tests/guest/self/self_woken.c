// SPDX-License-Identifier: GPL-2.0-only
/*
 * A page names the task that has woken its thread, if the thread may know it: a thread of
 * its process, a task of its user that is dumpable, a kernel thread; by the tid that it
 * has in the thread's pid namespace.  All run on one CPU, so that no interrupt comes in
 * between.
 */
#include <errno.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "page.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "token.h"

#define CPU	0
#define USER	1000

/* Who a process is. */
struct who {
	uid_t uid;
	int dumpable;
	int inside;		/* a pid namespace of its own */
};

/* What the page of the sleeper said, and what is true. */
static struct told {
	volatile uint64_t before_ns, woken_ns;
	volatile uint32_t kind, tid, waited;
	char comm[16];
	volatile pid_t waker;	/* as its own pid namespace has it */
	volatile pid_t sleeper;	/* 0: not created yet */
} *told;

static int device, bell[2];

static void become(const struct who *who)
{
	if (who->uid && (setgroups(0, NULL) || setresgid(USER, USER, USER) ||
			 setresuid(who->uid, who->uid, who->uid)))
		_exit(TOKEN_LOST);
	if (prctl(PR_SET_DUMPABLE, who->dumpable))
		_exit(TOKEN_LOST);
}

static void tell(const struct taskrt_page *page)
{
	const struct taskrt_waker *waker = page_element(page, &page->waker, 0);

	told->kind = page->waker_kind;
	told->waited = page->waited;
	told->woken_ns = page->woken_ns;
	told->tid = waker->tid;
	memcpy(told->comm, waker->comm, sizeof(told->comm));
}

static void sleep_and_tell(void)
{
	const struct taskrt_page *page;

	page = page_own();
	told->before_ns = clock_now();
	token_await(bell[0]);
	tell(page);
}

static void wake(pid_t sleeper)
{
	thread_await(sleeper, "S");
	token_pass(bell[1]);
}

static void await(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || status)
		tap_bail("a process: status %#x", status);
}

/* Has it come to that wait before it was woken? */
static int has_slept(uint32_t how)
{
	return told->waited == how && told->woken_ns > told->before_ns;
}

static pid_t start_sleeper(const struct who *who)
{
	pid_t pid;

	if (who->inside && unshare(CLONE_NEWPID))
		tap_bail("unshare: %s", strerror(errno));
	pid = fork();
	if (pid)
		return pid;
	become(who);
	sleep_and_tell();
	_exit(0);
}

static pid_t start_waker(const struct who *who)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_NAME, "the waker");
	told->waker = getpid();
	become(who);
	clock_await(told->sleeper, "no sleeper");
	wake(told->sleeper);
	_exit(0);
}

/* Who is inside is created after the pid namespace. */
static void meet(const struct who *sleeper, const struct who *waker)
{
	pid_t parent, first = 0;
	int status;

	memset(told, 0, sizeof(*told));
	parent = fork();
	if (parent) {
		await(parent);
		return;
	}
	if (!waker->inside)
		first = start_waker(waker);
	told->sleeper = start_sleeper(sleeper);
	if (waker->inside)
		first = start_waker(waker);
	/* The first process of a pid namespace kills the others when it ends. */
	if (waitpid(first, &status, 0) != first || (status && !waker->inside))
		tap_bail("the waker: status %#x", status);
	await(told->sleeper);
	_exit(0);
}

static void check(const struct who *sleeper, const struct who *waker, uint32_t kind,
		  const char *name)
{
	do
		meet(sleeper, waker);
	while (!has_slept(TASKRT_STATE_SLEEPING_FILE) && patience_lasts());
	tap_equal(told->kind, kind, "%s", name);
	/* Otherwise the tid and the name are those of an earlier waker, or of none. */
	tap_ok((told->tid == (uint32_t)told->waker) == (kind == TASKRT_WAKER_TASK),
	       "%s: the tid %u", name, told->tid);
	tap_ok(!strcmp(told->comm, "the waker") == (kind == TASKRT_WAKER_TASK),
	       "%s: the name \"%s\"", name, told->comm);
}

static void processes(void)
{
	static const struct who root = { 0, 1, 0 }, user = { USER, 1, 0 },
		other = { USER + 1, 1, 0 }, secret = { USER, 0, 0 }, inside = { 0, 1, 1 };

	check(&root, &root, TASKRT_WAKER_TASK, "root by root");
	check(&user, &user, TASKRT_WAKER_TASK, "a user by the same user");
	check(&user, &secret, TASKRT_WAKER_OTHER, "by one that is not dumpable");
	check(&user, &other, TASKRT_WAKER_OTHER, "by another user");
	check(&user, &root, TASKRT_WAKER_OTHER, "a user by root");
	check(&root, &user, TASKRT_WAKER_OTHER, "root by a user");
	check(&inside, &root, TASKRT_WAKER_OTHER, "one in a pid namespace by one outside");
	check(&inside, &inside, TASKRT_WAKER_TASK, "both in a pid namespace");
}

static void *ring(void *sleeper)
{
	thread_pin(CPU);
	prctl(PR_SET_NAME, "the waker");
	told->waker = gettid();
	wake((intptr_t)sleeper);
	return NULL;
}

/* A thread of the same process may be known, whatever the process is. */
static void threads(void)
{
	static const struct who secret = { USER, 0, 0 };
	pthread_t thread;
	pid_t pid;

	do {
		pid = fork();
		if (!pid) {
			become(&secret);
			if (pthread_create(&thread, NULL, ring, (void *)(intptr_t)getpid()))
				_exit(TOKEN_LOST);
			sleep_and_tell();
			pthread_join(thread, NULL);
			_exit(0);
		}
		await(pid);
	} while (!has_slept(TASKRT_STATE_SLEEPING_FILE) && patience_lasts());
	tap_equal(told->kind, TASKRT_WAKER_TASK, "a thread by another one");
	tap_equal(told->tid, told->waker, "a thread: the tid");
	tap_ok(!strcmp(told->comm, "the waker"), "a thread: the name \"%s\"", told->comm);
}

/* The parent of a task that ends. */
static void dying(void)
{
	const struct taskrt_page *page;
	pid_t pid, child;

	do {
		memset(told, 0, sizeof(*told));
		pid = fork();
		if (!pid) {
			page = page_own();
			pid = getpid();
			child = fork();
			if (!child) {
				thread_await(pid, "S");
				_exit(0);
			}
			told->before_ns = clock_now();
			await(child);
			tell(page);
			_exit(0);
		}
		await(pid);
	} while (!has_slept(TASKRT_STATE_SLEEPING_WAIT) && patience_lasts());
	tap_equal(told->kind, TASKRT_WAKER_OTHER, "by a task that is ending");
	tap_ok(has_slept(TASKRT_STATE_SLEEPING_WAIT), "which it has waited for");
}

static void *end(void *path)
{
	const struct taskrt_page *page = page_own();

	(void)page;
	snprintf(path, 64, "/proc/self/task/%d/comm", gettid());
	if (mount("/dev/null", path, NULL, MS_BIND, NULL))
		return "bind";
	return NULL;
}

/*
 * A thread has no pid any more when it drops its files of /proc, and has to wait if
 * somebody has mounted something there.
 */
static void without_pid(void)
{
	char path[64];
	pthread_t thread;
	void *failed = NULL;
	int i;

	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		tap_bail("a mount namespace: %s", strerror(errno));
	for (i = 0; i < 50 && !failed; i++) {
		if (pthread_create(&thread, NULL, end, path) || pthread_join(thread, &failed))
			tap_bail("a thread: %s", strerror(errno));
		umount2(path, MNT_DETACH);
	}
	tap_ok(!failed, "threads have ended with something mounted on their files of /proc");
}

static void timer(void)
{
	const struct taskrt_page *page = page_own();

	do {
		told->before_ns = clock_now();
		clock_sleep(MS);
		tell(page);
	} while (!has_slept(TASKRT_STATE_SLEEPING_TIMER) && patience_lasts());
	tap_equal(told->kind, TASKRT_WAKER_TIMER, "by a timer");
	page_unmap(page);
}

static void meet_kernel_thread(void)
{
	static const struct who user = { USER, 1, 0 };
	const struct taskrt_page *page;
	pid_t pid = fork();

	if (pid) {
		await(pid);
		return;
	}
	become(&user);
	page = page_own();
	device_bench(device, TASKRT_TEST_BENCH_NOTHING, 10);
	tell(page);
	_exit(0);
}

/* A new thread of the kernel has its creator's name for a moment. */
static int is_kernel_thread(void)
{
	return told->kind == TASKRT_WAKER_TASK &&
	       (!strncmp(told->comm, "taskrt_second", 13) || !strcmp(told->comm, "kthreadd"));
}

/*
 * The device's thread wakes the caller when it has been created, and when it has ended,
 * if the caller waits for that, and is on its CPU.
 */
static void kernel_thread(void)
{
	do
		meet_kernel_thread();
	while (!is_kernel_thread() && patience_lasts());
	tap_ok(is_kernel_thread(), "by a kernel thread: %u \"%s\"", told->kind, told->comm);
}

int main(void)
{
	device = device_open();
	told = mmap(NULL, sizeof(*told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (told == MAP_FAILED || pipe(bell))
		tap_bail("a place to meet: %s", strerror(errno));
	thread_pin(CPU);
	processes();
	threads();
	timer();
	kernel_thread();
	dying();
	without_pid();
	return tap_done();
}
