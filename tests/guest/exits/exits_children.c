// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sum over the children that a process has waited for is exactly the sum of their last
 * totals and of what they had waited for themselves, from wait(2) on, as the kernel
 * defines RUSAGE_CHILDREN; also of those that the init of a pid namespace leaves behind.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "patience.h"
#include "raw.h"
#include "tap.h"
#include "totals.h"
#include "window.h"

static struct taskrt *handle;

/* What a grandchild used, as its parent read it. */
static struct taskrt_reading *shared;

static void children(pid_t tgid, struct taskrt_reading *reading)
{
	int err;

	do {
		err = window_ask(handle, TASKRT_ENTITY_CHILDREN, tgid, reading);
		if (err)
			tap_bail("children of %d: %s (%s)", tgid, strerror(-err),
				 taskrt_error(handle));
	} while (reading->stats.flags & TASKRT_FLAG_PENDING && patience_lasts());
}

static void *use_some(void *unused)
{
	volatile char *area = mmap(NULL, 32 * 4096, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	for (i = 0; i < 32; i++)
		area[i * 4096] = 1;
	clock_burn(2 * MS);
	clock_sleep(MS);
	return unused;
}

static void with_threads(void)
{
	pthread_t thread;
	int i;

	for (i = 0; i < 3; i++) {
		pthread_create(&thread, NULL, use_some, NULL);
		pthread_join(thread, NULL);
	}
	use_some(NULL);
	_exit(0);
}

/* @flags: 0, or CLONE_NEWPID */
static pid_t start_in(unsigned long flags, void (*fn)(void))
{
	pid_t pid = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);

	if (pid < 0)
		tap_bail("clone: %s", strerror(errno));
	if (!pid)
		fn();
	return pid;
}

static pid_t start(void (*fn)(void))
{
	return start_in(0, fn);
}

/* The last totals of a child that has ended and is a zombie. */
static void last_totals(pid_t pid, struct taskrt_reading *reading)
{
	struct taskrt *mine = window_open();
	siginfo_t info;

	if (waitid(P_PID, pid, &info, WEXITED | WNOWAIT))
		tap_bail("waitid: %s", strerror(errno));
	/* The process has live threads until the last switch of the last one. */
	do
		window_process(mine, pid, reading);
	while (reading->stats.threads && patience_lasts());
	taskrt_close(mine);
}

/* before + what was added == after */
static void grew(const struct taskrt_reading *before, const struct taskrt_reading *added,
		 const struct taskrt_reading *after, const char *name)
{
	struct taskrt_reading sum = *before;

	totals_add(&sum, added);
	tap_ok(totals_exceed(&sum, after, name) < 0 && totals_exceed(after, &sum, name) < 0,
	       "%s: the sums are exact", name);
	tap_equal(after->stats.threads_gone - before->stats.threads_gone, added->stats.threads_gone,
		  "%s: so are the threads", name);
}

static void unchanged(const struct taskrt_reading *before, const struct taskrt_reading *after,
		      const char *name)
{
	static const struct taskrt_reading nothing;

	grew(before, &nothing, after, name);
}

static void waited_for(void)
{
	struct taskrt_reading before, during, after, child;
	pid_t pid;

	children(0, &before);
	pid = start(with_threads);
	last_totals(pid, &child);
	children(0, &during);
	unchanged(&before, &during, "a zombie is not counted");
	waitpid(pid, NULL, 0);
	children(0, &after);
	grew(&before, &child, &after, "a child waited for is counted");
	tap_equal(child.stats.threads_gone, 4, "all of its threads are");
	tap_equal(after.stats.tgid, getpid(), "they are children of this process");
	children(getpid(), &during);
	unchanged(&after, &during, "by id as by 0");
}

/* The sum includes a child as soon as wait(2) has returned. */
static void at_once(void)
{
	struct taskrt_reading before, after;
	unsigned int i, wrong = 0;

	children(0, &before);
	for (i = 0; i < 50; i++) {
		waitpid(start(with_threads), NULL, 0);
		children(0, &after);
		wrong += after.stats.threads_gone != before.stats.threads_gone + 4 ||
			 after.stats.cpu_time_ns < before.stats.cpu_time_ns + 4 * MS ||
			 !window_adds_up(&after);
		before = after;
	}
	tap_equal(wrong, 0, "complete right after wait, 50 times");
}

static void parent_that_waits(void)
{
	pid_t pid = start(with_threads);

	last_totals(pid, shared);
	waitpid(pid, NULL, 0);
	use_some(NULL);
	_exit(0);
}

static void parent_that_does_not(void)
{
	last_totals(start(with_threads), shared);
	_exit(0);
}

static void parent_that_ignores(void)
{
	signal(SIGCHLD, SIG_IGN);
	start(with_threads);
	/* Children that nobody has to wait for; this function waits until all are gone. */
	while (waitpid(-1, NULL, 0) > 0)
		;
	if (errno != ECHILD)
		_exit(1);
	_exit(0);
}

static void traced(void)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	with_threads();
}

static void *trace_one(void *pid)
{
	siginfo_t info;

	*(pid_t *)pid = start(traced);
	if (waitid(P_PID, *(pid_t *)pid, &info, WEXITED | WNOWAIT))
		_exit(1);
	return pid;
}

/*
 * Nobody has to wait for the child, but as it is traced it stays, until the thread ends that
 * traces it: then another thread is its parent, and the former releases it.
 */
static void parent_that_traces(void)
{
	pthread_t thread;
	pid_t pid;

	signal(SIGCHLD, SIG_IGN);
	if (pthread_create(&thread, NULL, trace_one, &pid))
		_exit(1);
	pthread_join(thread, NULL);
	/* This thread might wait for it as well, as long as the other one has not ended. */
	clock_await(kill(pid, 0), "nobody released %d", pid);
	_exit(0);
}

static void grandchildren(unsigned long flags, void (*parent)(void), int counted,
			  const char *name)
{
	struct taskrt_reading before, after, child;
	pid_t pid;

	memset(shared, 0, sizeof(*shared));
	children(0, &before);
	pid = start_in(flags, parent);
	last_totals(pid, &child);
	waitpid(pid, NULL, 0);
	children(0, &after);
	if (counted) {
		tap_equal(shared->stats.threads_gone, 4, "%s: it had its threads", name);
		totals_add(&child, shared);
		child.stats.threads_gone += shared->stats.threads_gone;
	}
	grew(&before, &child, &after, name);
}

/* The child's own children are reaped automatically: nobody waited, so nothing counts. */
static void ignored(void)
{
	struct taskrt_reading before, after;
	pid_t pid;

	children(0, &before);
	signal(SIGCHLD, SIG_IGN);
	pid = start(with_threads);
	while (!kill(pid, 0) && patience_lasts())
		clock_sleep(10 * MS);
	signal(SIGCHLD, SIG_DFL);
	children(0, &after);
	unchanged(&before, &after, "SIGCHLD ignored: nobody waited");
}

static void check_usage(const struct taskrt_reading *before, const struct taskrt_reading *after,
			const struct rusage *first, const struct rusage *then)
{
	tap_equal(VALUE(*after, MINOR_FAULTS) - VALUE(*before, MINOR_FAULTS),
		  then->ru_minflt - first->ru_minflt,
		  "minor faults as RUSAGE_CHILDREN");
	tap_equal(VALUE(*after, MAJOR_FAULTS) - VALUE(*before, MAJOR_FAULTS),
		  then->ru_majflt - first->ru_majflt,
		  "major faults as RUSAGE_CHILDREN");
	tap_equal(VALUE(*after, VOLUNTARY_SWITCHES) - VALUE(*before, VOLUNTARY_SWITCHES),
		  then->ru_nvcsw - first->ru_nvcsw, "voluntary switches as RUSAGE_CHILDREN");
	tap_equal(VALUE(*after, INVOLUNTARY_SWITCHES) - VALUE(*before, INVOLUNTARY_SWITCHES),
		  then->ru_nivcsw - first->ru_nivcsw, "involuntary switches as RUSAGE_CHILDREN");
}

static void one_thread(void)
{
	use_some(NULL);
	_exit(0);
}

static void parent_of_one(void)
{
	pid_t pid = start(one_thread);

	last_totals(pid, shared);
	waitpid(pid, NULL, 0);
	one_thread();
}

/*
 * For processes with one thread: the kernel adds any other thread when it releases it,
 * before its last switch.
 */
static void as_rusage(void)
{
	struct taskrt_reading before, after, child;
	struct rusage first, then;
	unsigned int i;

	children(0, &before);
	getrusage(RUSAGE_CHILDREN, &first);
	for (i = 0; i < 5; i++) {
		pid_t pid = start(i % 2 ? one_thread : parent_of_one);

		/*
		 * The kernel takes its numbers in wait(2), which therefore must come after
		 * the last switch.
		 */
		last_totals(pid, &child);
		waitpid(pid, NULL, 0);
	}
	getrusage(RUSAGE_CHILDREN, &then);
	children(0, &after);
	check_usage(&before, &after, &first, &then);
}

static int ask_raw(struct raw *raw, uint16_t type, uint32_t id, uint16_t flags)
{
	struct raw_message message;
	struct raw_answer answer;

	raw_begin(raw, &message, TASKRT_CMD_GET, NLM_F_ACK | flags);
	raw_put_u32(&message, type, id);
	raw_put(&message, TASKRT_A_CHILDREN, NULL, 0);
	raw_ask(raw, &message, &answer, NULL, NULL);
	if (answer.error && !answer.text[0])
		tap_diag("and the answer does not say why");
	if (answer.answered && !answer.error &&
	    (!raw_find(&answer, TASKRT_A_AGGR_TGID, NULL) ||
	     !raw_find(&answer, TASKRT_A_AGGR_CHILDREN, NULL)))
		return -EPROTO;
	return answer.answered ? answer.error : -EPROTO;
}

static void in_children(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	raw_into_reading(arg, attr->nla_type & NLA_TYPE_MASK, payload, length);
}

/* One answer of the module, which the library would ask again for. */
static void children_raw(struct raw *raw, struct taskrt_reading *reading)
{
	struct raw_message message;
	struct raw_answer answer;
	const void *children;
	size_t length;

	raw_begin(raw, &message, TASKRT_CMD_GET, NLM_F_ACK);
	raw_put_u32(&message, TASKRT_A_TGID, 0);
	raw_put(&message, TASKRT_A_CHILDREN, NULL, 0);
	raw_ask(raw, &message, &answer, NULL, NULL);
	children = raw_find(&answer, TASKRT_A_AGGR_CHILDREN, &length);
	if (!children)
		tap_bail("no children: %s", strerror(-answer.error));
	memset(reading, 0, sizeof(*reading));
	raw_walk(children, length, in_children, reading);
}

static uint64_t own_waits(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

struct asked {
	unsigned int pending;	/* answers with the flag */
	unsigned int at_once;	/* of those: for which the asker did not leave its CPU */
	unsigned int wrong;	/* answers that lack a child without the flag */
	unsigned int incomplete;
};

/* Asks for the children immediately after one was waited for. */
static void ask_too_early(struct raw *raw, struct asked *asked)
{
	struct taskrt_reading before, now;
	uint64_t waits;

	children(0, &before);
	waitpid(start(one_thread), NULL, 0);
	waits = own_waits();
	children_raw(raw, &now);
	waits = own_waits() - waits;
	asked->incomplete += !!(now.stats.flags & TASKRT_FLAG_INCOMPLETE);
	if (now.stats.flags & TASKRT_FLAG_PENDING) {
		asked->pending++;
		asked->at_once += !waits;
	} else {
		asked->wrong += now.stats.threads_gone != before.stats.threads_gone + 1;
	}
	while (now.stats.flags & TASKRT_FLAG_PENDING && patience_lasts())
		children_raw(raw, &now);
	asked->wrong += now.stats.threads_gone != before.stats.threads_gone + 1;
}

/*
 * The module does not wait for a child to be folded: who asks before that is answered, and
 * the answer says that it is not final.  A waiting asker would leave its CPU.
 */
static void answered_at_once(void)
{
	struct asked asked = { 0 };
	struct raw raw;

	if (raw_open(&raw))
		tap_bail("no family");
	do
		ask_too_early(&raw, &asked);
	while (!asked.at_once && patience_lasts());
	raw_close(&raw);
	tap_at_least(asked.pending, 1, "too early: the answer is not final, and says so");
	tap_at_least(asked.at_once, 1, "too early: it came without any wait");
	tap_equal(asked.wrong, 0, "too early: no other answer lacks a child");
	tap_equal(asked.incomplete, 0, "too early: none says that a thread was not tracked");
}

static int ask_as_user(void *arg)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
	struct raw raw;

	ask_become(&user);
	return raw_open(&raw) ? 100 : ask_raw(&raw, TASKRT_A_TGID, *(pid_t *)arg, 0);
}

static void errors(void)
{
	pid_t mine = getpid();
	struct raw raw;

	if (raw_open(&raw))
		tap_bail("no family");
	tap_errno(ask_raw(&raw, TASKRT_A_TGID, 0, 0), 0, "both sums come");
	tap_errno(ask_raw(&raw, TASKRT_A_TGID, 1, 0), 0, "of another process, too");
	tap_errno(ask_raw(&raw, TASKRT_A_TID, 0, 0), -EINVAL, "a thread has no children");
	tap_errno(ask_raw(&raw, TASKRT_A_TGID, 0x7fffffff, 0), -ESRCH, "of nobody");
	tap_errno(ask_raw(&raw, TASKRT_A_TGID, 0, NLM_F_DUMP), -EINVAL, "not in a dump");
	tap_errno(ask_in_child(ask_as_user, &mine), EPERM, "not of another user's process");
	raw_close(&raw);
}

int main(void)
{
	handle = window_open();
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	waited_for();
	at_once();
	grandchildren(0, parent_that_waits, 1, "a grandchild waited for");
	grandchildren(0, parent_that_does_not, 0, "a grandchild not waited for");
	grandchildren(0, parent_that_ignores, 0, "a grandchild that nobody waits for");
	grandchildren(0, parent_that_traces, 0, "a grandchild that was traced");
	/* It is the init of a pid namespace: when it ends, the kernel waits in its place. */
	grandchildren(CLONE_NEWPID, parent_that_does_not, 1,
		      "a grandchild not waited for by an init");
	ignored();
	as_rusage();
	answered_at_once();
	errors();
	taskrt_close(handle);
	return tap_done();
}
