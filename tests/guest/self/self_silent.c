// SPDX-License-Identifier: GPL-2.0-only
/*
 * A callback that reads itself makes no system call and no page fault.
 * TASKRT_TEST_READS: how many reads (1000000).
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "page.h"
#include "self.h"
#include "tap.h"
#include "window.h"

/* All that a real-time thread does in its callback. */
struct callback {
	struct taskrt_self *self;
	struct taskrt_window window;
	struct taskrt_stage stage;
	struct taskrt_explanation explanation;
	struct taskrt_series series;
	struct taskrt_histogram *histogram;
	struct taskrt_histogram_span span;
	struct taskrt_distribution distribution;
	struct taskrt_reading reading;
	char line[600];
	unsigned int wrong;
};

static struct callback callback;

static void prepare(void)
{
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		tap_bail("mlockall: %s", strerror(errno));
	callback.self = self_open();
	if (taskrt_histogram_open(&callback.histogram, callback.self))
		tap_bail("taskrt_histogram_open");
	taskrt_stage_init(&callback.stage, "mix");
	taskrt_series_init(&callback.series, 10 * MS, 10 * MS);
}

static void call_back(struct callback *c)
{
	c->wrong += taskrt_window_begin(&c->window, c->self) != 0;
	c->wrong += taskrt_stage_begin(&c->stage, c->self) != 0;
	c->wrong += taskrt_stage_end(&c->stage) != 0;
	c->wrong += taskrt_self_get(c->self, EVERY_GROUP, &c->reading,
				    sizeof(c->reading)) != 0;
	c->wrong += taskrt_window_end(&c->window) != 0;
	c->wrong += taskrt_window_explain(&c->window, &c->explanation,
					  sizeof(c->explanation)) != 0;
	taskrt_explanation_format(&c->explanation, sizeof(c->explanation), 10 * MS, c->line,
				  sizeof(c->line));
	taskrt_stage_format(&c->stage, c->line, sizeof(c->line));
	c->wrong += taskrt_series_add(&c->series, &c->window) != 0;
	c->wrong += taskrt_series_percentile(&c->series, 99.9) > 3600 * SEC;
	c->wrong += taskrt_histogram_read(c->histogram, &c->span, sizeof(c->span)) != 0;
	c->wrong += taskrt_histogram_state(c->histogram, TASKRT_STATE_RUNNING, &c->distribution,
					   sizeof(c->distribution)) != 0;
	c->wrong += taskrt_histogram_timer(c->histogram, TASKRT_TIMER_FAULT, &c->distribution,
					   sizeof(c->distribution)) != 0;
	c->wrong += !taskrt_self_mapped(c->self);
}

static unsigned long read_often(unsigned long count)
{
	struct taskrt_snapshot now, last;
	unsigned long wrong = 0;

	memset(&last, 0, sizeof(last));
	while (count--) {
		wrong += taskrt_self_read(callback.self, &now) != 0 || now.at_ns <= last.at_ns;
		last = now;
	}
	return wrong;
}

/* Ends the process by the one system call that is left to it. */
static void leave(unsigned long wrong)
{
	syscall(SYS_exit, wrong ? 1 : 0);
}

/*
 * Allows no system call but that one.  SECCOMP_MODE_STRICT allows more, and cannot be
 * used: on x86 it takes the processor's clock away as well.
 */
static void confine(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(2);
}

static void read_confined(unsigned long count)
{
	prepare();
	read_often(10);
	confine();
	leave(read_often(count));
}

static void call_back_confined(unsigned long count)
{
	prepare();
	call_back(&callback);
	confine();
	while (count--)
		call_back(&callback);
	leave(callback.wrong);
}

/* Checks the filter itself: this child has to die. */
static void confined_getppid(unsigned long unused)
{
	(void)unused;
	confine();
	syscall(SYS_getppid);
	leave(0);
}

static int confined(void (*fn)(unsigned long count), unsigned long count)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		fn(count);
		_exit(3);
	}
	waitpid(pid, &status, 0);
	return status;
}

static void seccomp(unsigned long reads)
{
	int status;

	/* With a filter at NULL, a kernel that has filters says EFAULT. */
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) && errno == EINVAL) {
		tap_skip("seccomp", "this kernel was built without CONFIG_SECCOMP_FILTER");
		return;
	}
	status = confined(confined_getppid, 0);
	tap_ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS,
	       "seccomp: another system call kills");
	tap_equal(confined(read_confined, reads), 0, "seccomp: %lu self-reads survive",
		  reads);
	tap_equal(confined(call_back_confined, reads / 100), 0,
		  "seccomp: so do %lu whole callbacks", reads / 100);
}

static void traced(void)
{
	unsigned int i;

	prepare();
	call_back(&callback);
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	syscall(SYS_getppid);
	for (i = 0; i < 1000; i++)
		call_back(&callback);
	syscall(SYS_getsid, 0);
	_exit(callback.wrong != 0);
}

/* The number of the system call that it stops at; -1: it has ended. */
static long next_call(pid_t pid, int *status)
{
	struct __ptrace_syscall_info info;

	for (;;) {
		if (ptrace(PTRACE_SYSCALL, pid, NULL, NULL))
			return -1;
		waitpid(pid, status, 0);
		if (!WIFSTOPPED(*status))
			return -1;
		if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) > 0 &&
		    info.op == PTRACE_SYSCALL_INFO_ENTRY)
			return info.entry.nr;
	}
}

/* Traces the system calls, as strace does. */
static void trace(void)
{
	unsigned int between = 0;
	pid_t pid = fork();
	int status;
	long call;

	if (!pid)
		traced();
	waitpid(pid, &status, 0);
	ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD);
	while ((call = next_call(pid, &status)) >= 0 && call != SYS_getppid)
		;
	tap_ok(call == SYS_getppid, "traced: the callbacks begin");
	while ((call = next_call(pid, &status)) >= 0 && call != SYS_getsid) {
		if (!between++)
			tap_diag("system call %ld", call);
	}
	tap_ok(call == SYS_getsid, "traced: the callbacks end");
	tap_equal(between, 0, "traced: no system call in 1000 callbacks");
	while (next_call(pid, &status) >= 0)
		;
	tap_equal(status, 0, "traced: all went well");
}

static uint64_t faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt + usage.ru_majflt;
}

/* Not even the first read of a new mapping causes a page fault. */
static void mapped_at_once(void)
{
	int fd = page_device();
	const struct taskrt_page *page;
	struct page_copy copy;
	volatile char byte = 0;
	uint64_t before;
	unsigned long i;

	page = page_map(fd);
	page_read(page, &copy);
	page_unmap(page);
	page = page_map(fd);
	before = faults();
	for (i = 0; i < page_length(page); i += 512)
		byte += ((const char *)page)[i];
	tap_equal(faults() - before, 0, "a fresh mapping is there without a fault");
	page_unmap(page);
	close(fd);
}

static uint64_t all_faults(const struct taskrt_reading *reading)
{
	return VALUE(*reading, MINOR_FAULTS) +
	       VALUE(*reading, MAJOR_FAULTS) +
	       reading->counts.timers[TASKRT_TIMER_FAULT];
}

static void no_faults(unsigned long reads)
{
	static struct taskrt_reading first, last;
	unsigned long wrong, i;
	uint64_t before;

	prepare();
	wrong = read_often(10);
	call_back(&callback);
	faults();
	before = faults();
	self_get(callback.self, &first);
	wrong += read_often(reads);
	for (i = 0; i < reads / 100; i++)
		call_back(&callback);
	self_get(callback.self, &last);
	tap_equal(faults() - before, 0, "no page fault in %lu reads and %lu callbacks", reads,
		  reads / 100);
	tap_equal(all_faults(&last), all_faults(&first), "as the counters say, too");
	tap_equal(last.times.timers_ns[TASKRT_TIMER_FAULT],
		  first.times.timers_ns[TASKRT_TIMER_FAULT],
		  "nor any time in one");
	tap_equal(wrong + callback.wrong, 0, "each read is later than the one before");
}

int main(void)
{
	unsigned long reads = tap_setting("TASKRT_TEST_READS", 1000000);
	const char *why = self_no_clock();
	uint64_t begun;

	begun = clock_now();
	mapped_at_once();
	no_faults(reads);
	if (why) {
		tap_skip("no system call", why);
	} else {
		seccomp(reads);
		trace();
	}
	tap_diag("%llu ms", (unsigned long long)(clock_now() - begun) / MS);
	return tap_done();
}
