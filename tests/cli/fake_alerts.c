// SPDX-License-Identifier: GPL-2.0-only
/*
 * The flight recorder of the fake libtaskrt.  It returns three alerts: of thread 101 of
 * process 100, which waited for the memory map; of the same, for which the wait that was
 * not over then goes on; and, after a gap of two, of thread 7, which was preempted.  Then
 * nothing more.  The threads 100 and 101 can be armed.
 * $FAKE_READY names a file; before it exists, no alert is returned.
 * $FAKE names what is different:
 *
 *   alerts-never    collecting is not permitted
 *   alerts-old      a module that does not know of alerts
 *   alerts-gone     the module is removed after these alerts
 *   alerts-broken   another error ends the alerts
 *   alerts-garbled  a message between them makes no sense
 *   alerts-late     one comes when our child has ended, and is about that
 *   alerts-rude     names full of control characters
 *   alerts-empty    one alert, without any event
 *   alerts-sparse   one alert, without anything that is optional
 * alerts-busy     one, of a thread that slept only in faults and for a lock
 *   alerts-spin     one, of a thread that took a lock without sleeping, again and again
 *   alerts-kept     one, of a thread that ran, but had to make memory free
 *   alerts-futex    one, of a thread that waited for a mutex of its process
 *   alerts-foreign  one, of a thread that waited for a lock of which the holder is not known
 *   alerts-cow      one, of a cycle that was late for a lock and for copies of pages
 *   alerts-chain    one, of a cycle that was late for the sleep with which it starts
 *   alerts-queue    one, of a thread that several others kept from its CPU
 *   alerts-slack    one, of a thread that has timer slack
 *   alerts-early    two, of which the first thread was armed amid its wait
 *   new             one, of what this library does not know
 *   alerts-many     they come three hundred times; a signal comes with the first of them
 *   alerts-flood    they come again and again, without end; after each three, none for a moment
 *   arm-never       arming is not permitted
 *   arm-old         a module that does not know of arming
 *   arm-busy        somebody else has armed them
 *   arm-ends        those that are armed end soon
 *   arm-hides       they may not be read soon, and end later; 101 may be read until then
 *   arm-reused      each time they are asked for, others have their ids; no id is armed twice
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/futex.h>
#include <taskrt.h>

#include "fake.h"
#include "fake_reading.h"

#define MS	1000000ULL
#define AT	(5000 * MS)		/* of the first alert */
#define MANY	300
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

struct taskrt_alerts {
	int fd;
	int told;
	int times;
	const struct tale *last;
};

static const char * const frames[] = {
	"rwsem_down_write_slowpath+0x2f1/0x6a0",
	"down_write_killable+0x51/0x60",
	"vm_mmap_pgoff+0xb8/0x190",
	"do_syscall_64+0x5c/0x90",
	"entry_SYSCALL_64_after_hwframe+0x6e/0xd8",
};

#define TIMER(timer)	.event.type = TASKRT_EVENT_TIMER, .event.which = TASKRT_TIMER_##timer

#define STATE(from, length, state)	\
	.event.at_ns = AT - (from), .event.ns = (length), .event.type = TASKRT_EVENT_STATE, \
	.event.which = TASKRT_STATE_##state

/* Two periods of a thread that wakes up by a timer; the second went wrong. */
static const struct taskrt_alert_event locked[] = {
	{ STATE(29 * MS, 8 * MS, SLEEPING_TIMER),
	  .event.flags = TASKRT_EVENT_INTERRUPT | TASKRT_EVENT_SYSCALL,
	  .event.syscall = SYS_clock_nanosleep,
	  .nr_frames = 2, .frames = frames + 3 },
	{ STATE(21 * MS, 12345, WOKEN), .event.other_tid = 900200, .event.other_comm = "hog" },
	{ STATE(21 * MS - 12345, 2 * MS, RUNNING), .event.cpu = 1 },
	{ STATE(19 * MS - 12345, 5 * MS - 12345, SLEEPING_TIMER),
	  .event.flags = TASKRT_EVENT_INTERRUPT },
	{ STATE(14 * MS, 3000, WOKEN), .event.cpu = 1 },
	{ STATE(14 * MS - 3000, 3 * MS, RUNNING), .event.cpu = 1 },
	/* The wait inside the fault, and then the whole fault, reported when it ended. */
	{ STATE(11 * MS - 3000, 700000, BLOCKED_FAULT), .event.cpu = 1,
	  .event.address = 0x7f1234567000,
	  .event.flags = TASKRT_EVENT_WRITE | TASKRT_EVENT_FILE, .event.waker_tid = 900201,
	  .event.waker_comm = "pager" },
	{ .event.at_ns = AT - 11 * MS - 97000, .event.ns = 900000, TIMER(FAULT),
	  .event.cpu = 1, .event.address = 0x7f1234567000,
	  .event.flags = TASKRT_EVENT_MAJOR | TASKRT_EVENT_WRITE | TASKRT_EVENT_FILE },
	{ STATE(10300000 - 3000, 200000, RUNNING), .event.cpu = 1 },
	{ STATE(10100000 - 3000, 10 * MS, BLOCKED_LOCK), .event.cpu = 1,
	  .event.kind = TASKRT_LOCK_RWSEM_WRITE, .event.object = 0xfeedfacecafebeef,
	  .event.owner_tid = 900202, .event.owner_comm = "writer", .event.waker_tid = 900202,
	  .event.waker_comm = "writer", .event.flags = TASKRT_EVENT_SYSCALL,
	  .event.syscall = SYS_mmap, .caller = "vm_mmap_pgoff+0xb8/0x190",
	  .nr_frames = COUNT(frames), .frames = frames },
	{ .event.at_ns = AT - 10100000 + 1000, .event.ns = 10 * MS + 4000,
	  TIMER(LOCK), .event.cpu = 1, .event.kind = TASKRT_LOCK_RWSEM_WRITE,
	  .event.object = 0xfeedfacecafebeef, .event.owner_tid = 900202,
	  .event.owner_comm = "writer",
	  .caller = "vm_mmap_pgoff+0xb8/0x190", .nr_frames = COUNT(frames), .frames = frames },
	{ STATE(97000, 97000, RUNNING), .event.cpu = 1, .event.flags = TASKRT_EVENT_PRESENT },
};

/* What was not over before goes on, and a fault has begun of which nothing more is known. */
static const struct taskrt_alert_event again[] = {
	{ STATE(97000, 1097000, RUNNING), .event.cpu = 1 },
	{ .event.at_ns = AT + 900000, .event.ns = 1100000, TIMER(FAULT),
	  .event.cpu = 1, .event.address = 0x1000, .event.flags = TASKRT_EVENT_PRESENT },
	{ .event.at_ns = AT + 950000, .event.ns = 40000, TIMER(LOCK),
	  .event.cpu = 1, .event.kind = TASKRT_LOCK_RWSEM_WRITE, .event.object = 0xfeedfacecafebeef,
	  .event.flags = TASKRT_EVENT_READER, .event.owner_tid = 900203,
	  .event.owner_comm = "reader" },
	{ .event.at_ns = AT + 1 * MS, .event.ns = 1 * MS, .event.which = TASKRT_STATE_BLOCKED_FAULT,
	  .event.cpu = 1, .event.address = 0x1000, .event.flags = TASKRT_EVENT_PRESENT },
};

static const struct taskrt_alert_event preempted[] = {
	{ STATE(1 * MS, 500000, RUNNING), .event.cpu = 3 },
	{ STATE(500000, 2500000, PREEMPTED), .event.cpu = 3, .event.other_tid = 900200,
	  .event.other_comm = "hog" },
};

/*
 * Overlapping as rounded times may, a lock and a fault without details, and a state of a
 * later module.
 */
static const struct taskrt_alert_event sparse[] = {
	{ STATE(5 * MS, 2 * MS, RUNNING) },
	{ STATE(4 * MS, 3 * MS, BLOCKED_LOCK), .event.flags = TASKRT_EVENT_SYSCALL,
	  .event.syscall = 10511 },
	{ .event.at_ns = AT - 4 * MS, .event.ns = 2 * MS, TIMER(LOCK),
	  .event.kind = 99, .event.object = 1, .event.flags = TASKRT_EVENT_READER },
	{ .event.at_ns = AT - 3 * MS, .event.ns = 3 * MS, TIMER(FAULT) },
	{ .event.at_ns = AT - 1 * MS, .event.ns = 1 * MS, .event.which = 77 },
};

/* A program that has just begun: one fault after the other, then one that takes its time. */
static const struct taskrt_alert_event busy[] = {
	{ STATE(50 * MS, 50 * MS - 1, RUNNING), .event.cpu = 2 },
#define FAULT(from, length)	\
	.event.at_ns = AT - (from), .event.ns = (length), TIMER(FAULT), \
	.event.address = 0x400000 + (from)
	{ FAULT(49 * MS, 10000) }, { FAULT(48 * MS, 20000) }, { FAULT(47 * MS, 30000) },
	{ FAULT(46 * MS, 40000), .event.flags = TASKRT_EVENT_MAJOR },
	{ FAULT(45 * MS, 50000) },
	{ FAULT(44 * MS, 40 * MS), .event.flags = TASKRT_EVENT_FILE },
	{ FAULT(3 * MS, 20000) }, { FAULT(2 * MS, 10000) },
};

/* Spins, is preempted, and spins on; the alert comes from somewhere else. */
static const struct taskrt_alert_event spun[] = {
	{ STATE(30 * MS, 10 * MS, RUNNING) },
	{ STATE(20 * MS, 8 * MS, PREEMPTED), .event.other_tid = 900200, .event.other_comm = "hog" },
	{ STATE(12 * MS, 11 * MS, RUNNING) },
	{ .event.at_ns = AT - 28 * MS, .event.ns = 26 * MS, TIMER(LOCK),
	  .event.kind = TASKRT_LOCK_MUTEX, .event.object = 1, .event.owner_tid = 900202,
	  .event.owner_comm = "writer", .caller = "pipe_write+0x43/0x5d0",
	  .nr_frames = 3, .frames = frames + 2 },
	{ STATE(1 * MS, 1 * MS, SLEEPING_FUTEX), .event.flags = TASKRT_EVENT_PRESENT },
};

/* Runs, and does not get on with its own work: interrupts, and memory that is to be freed. */
static const struct taskrt_alert_event kept[] = {
	{ STATE(25 * MS, 15 * MS, RUNNING), .event.cpu = 1 },
	{ .event.at_ns = AT - 24 * MS, .event.ns = 1200000, TIMER(HARDIRQ), .event.cpu = 1 },
	{ .event.at_ns = AT - 22 * MS, .event.ns = 1100000, TIMER(SOFTIRQ), .event.cpu = 1 },
	{ .event.at_ns = AT - 20 * MS, .event.ns = 18 * MS, TIMER(RECLAIM_CPU), .event.cpu = 1 },
	{ STATE(10 * MS, 2 * MS, BLOCKED_IO), .event.cpu = 1 },
	{ STATE(8 * MS, 8 * MS, RUNNING), .event.cpu = 1, .event.flags = TASKRT_EVENT_PRESENT },
};

/* Waits for a condition in each period, and then for a mutex, whose holder may be known. */
#define CONDITION(from, length, where)	\
	STATE(from, length, SLEEPING_FUTEX), .event.futex = (where), \
	.event.futex_op = FUTEX_WAIT_BITSET, .event.flags = TASKRT_EVENT_FUTEX_OP, \
	.event.waker_tid = 900204, .event.waker_comm = "sequencer"
#define MUTEX(from, length)	\
	STATE(from, length, SLEEPING_FUTEX), .event.futex = 0x7f1234567040, \
	.event.waker_tid = 900205, .event.waker_comm = "gui"

static const struct taskrt_alert_event futile[] = {
	{ CONDITION(30 * MS, 9 * MS, 0x55d0c0de1000) },
	{ STATE(21 * MS, 1 * MS, RUNNING) },
	{ CONDITION(20 * MS, 6 * MS, 0x55d0c0de1004) },
	{ STATE(14 * MS, 2 * MS, RUNNING) },
	{ MUTEX(12 * MS, 11 * MS), .event.owner_tid = 900205, .event.owner_comm = "gui" },
	{ STATE(1 * MS, 1 * MS, RUNNING), .event.flags = TASKRT_EVENT_PRESENT },
};

static const struct taskrt_alert_event foreign[] = {
	{ CONDITION(30 * MS, 9 * MS, 0x55d0c0de1000) },
	{ CONDITION(20 * MS, 6 * MS, 0x55d0c0de1000) },
	{ MUTEX(12 * MS, 11 * MS) },
	{ STATE(1 * MS, 1 * MS, RUNNING), .event.flags = TASKRT_EVENT_PRESENT },
};

/* States, a timer, a kind of lock and a type of event that this library does not know. */
static const struct taskrt_alert_event strange[] = {
	{ STATE(30 * MS, 8 * MS, RUNNING) },
	{ .event.at_ns = AT - 22 * MS, .event.ns = 17 * MS, .event.which = FAKE_NEW_STATE,
	  .event.kind = FAKE_NEW_LOCK, .event.object = 5, .event.owner_tid = 900202,
	  .event.owner_comm = "writer" },
	{ .event.at_ns = AT - 22 * MS, .event.ns = 20 * MS, .event.type = TASKRT_EVENT_TIMER,
	  .event.which = FAKE_NEW_TIMER },
	{ .event.at_ns = AT - 5 * MS, .event.ns = 4 * MS, .event.which = FAKE_NAMELESS_STATE },
	{ .event.at_ns = AT - 4 * MS, .event.ns = 1 * MS, .event.type = 7, .event.which = 3 },
	{ STATE(1 * MS, 1 * MS, RUNNING), .event.flags = TASKRT_EVENT_PRESENT },
};

/* A lock, in a fault that takes its time, and then one copy of a page after the other. */
static const struct taskrt_alert_event copies[] = {
	{ STATE(90 * MS, 40 * MS, SLEEPING_TIMER) },
	{ STATE(50 * MS, 8 * MS, RUNNING) },
	{ STATE(42 * MS, 24 * MS, BLOCKED_LOCK), .event.address = 0x7f0000001000,
	  .event.kind = TASKRT_LOCK_RWSEM_READ, .event.object = 9, .event.owner_tid = 900206,
	  .event.owner_comm = "forker", .caller = "lock_mm_and_find_vma+0x21/0x1e0" },
	{ STATE(18 * MS, 1 * MS, WOKEN) },
	{ .event.at_ns = AT - 43 * MS, .event.ns = 26 * MS, TIMER(FAULT),
	  .event.address = 0x7f0000001000, .event.flags = TASKRT_EVENT_WRITE },
	{ .event.at_ns = AT - 16 * MS, .event.ns = 9 * MS, TIMER(FAULT),
	  .event.address = 0x7f0000007000, .event.flags = TASKRT_EVENT_WRITE, .event.count = 63,
	  .event.longest_ns = 1 * MS, .event.end_ns = AT - 6 * MS },
	{ STATE(17 * MS, 17 * MS, RUNNING), .event.flags = TASKRT_EVENT_PRESENT },
};

static const struct taskrt_alert_event chained[] = {
	{ STATE(99 * MS, 9 * MS, SLEEPING_POLL), .event.waker_tid = 900207,
	  .event.waker_comm = "clientB" },
	{ STATE(90 * MS, 40 * MS, RUNNING) },
	{ STATE(50 * MS, 41800000, SLEEPING_POLL), .event.waker_tid = 900207,
	  .event.waker_comm = "clientB", .event.flags = TASKRT_EVENT_SYSCALL,
	  .event.syscall = SYS_poll },
	{ STATE(8200000, 200000, WOKEN) },
	{ STATE(8 * MS, 8 * MS, RUNNING), .event.flags = TASKRT_EVENT_PRESENT },
};

/* The first one has had the CPU longer in one interval, and the second in all of them. */
static const struct taskrt_alert_event queued[] = {
	{ STATE(40 * MS, 14 * MS, PREEMPTED), .event.other_tid = 900200,
	  .event.other_comm = "hog", .event.other_ns = 11 * MS },
	{ STATE(26 * MS, 1 * MS, RUNNING) },
	{ STATE(25 * MS, 9 * MS, PREEMPTED), .event.other_tid = 900208,
	  .event.other_comm = "longone", .event.other_ns = 8 * MS },
	{ STATE(16 * MS, 1 * MS, RUNNING) },
	{ STATE(15 * MS, 9 * MS, PREEMPTED), .event.other_tid = 900208,
	  .event.other_comm = "longone", .event.other_ns = 7 * MS },
	{ STATE(6 * MS, 6 * MS, RUNNING), .event.flags = TASKRT_EVENT_PRESENT },
};

static const struct taskrt_alert_event slack[] = {
	{ STATE(60 * MS, 20 * MS, SLEEPING_TIMER), .event.slack_ns = 50000 },
	{ STATE(40 * MS, 2 * MS, RUNNING) },
	{ STATE(38 * MS, 34 * MS, SLEEPING_TIMER), .event.slack_ns = 25 * MS },
};

static const struct taskrt_alert_event early[] = {
	{ STATE(900 * MS, 900 * MS, BLOCKED_LOCK), .event.flags = TASKRT_EVENT_EARLY },
};

struct tale {
	struct taskrt_alert alert;
	const struct taskrt_alert_event *events;
};

static const struct tale tales[] = {
	{ .alert = { .seq = 0, .at_ns = AT, .recorded = 130, .tid = 101, .tgid = 100,
		     .comm = "audio", .tag = "14.0 ms of 10.0", .nr_events = COUNT(locked) },
	  .events = locked },
	{ .alert = { .seq = 1, .at_ns = AT + 2 * MS, .recorded = 4, .tid = 101, .tgid = 100,
		     .comm = "audio", .nr_events = COUNT(again) },
	  .events = again },
	{ .alert = { .seq = 4, .gap = 2, .lost = 2, .at_ns = AT + 2 * MS, .recorded = 2,
		     .reason = TASKRT_REASON_OVER, .tid = 7, .tgid = 7, .comm = "worker",
		     .nr_events = COUNT(preempted) },
	  .events = preempted },
};

/* The thread of most alerts. */
#define AUDIO	.at_ns = AT, .tid = 101, .tgid = 100, .comm = "audio"

static const struct tale empty = {
	.alert = { .seq = 0, AUDIO },
};

static const struct tale computing = {
	.alert = { .seq = 9, AUDIO, .recorded = COUNT(busy), .nr_events = COUNT(busy) },
	.events = busy,
};

static const struct tale spinning = {
	.alert = { .seq = 3, AUDIO, .recorded = COUNT(spun), .nr_events = COUNT(spun) },
	.events = spun,
};

static const struct tale kept_busy = {
	.alert = { .seq = 4, AUDIO, .recorded = COUNT(kept), .nr_events = COUNT(kept) },
	.events = kept,
};

static const struct tale locked_out = {
	.alert = { .seq = 5, AUDIO, .recorded = COUNT(futile), .nr_events = COUNT(futile) },
	.events = futile,
};

static const struct tale locked_out_by_nobody = {
	.alert = { .seq = 5, AUDIO, .recorded = COUNT(foreign), .nr_events = COUNT(foreign) },
	.events = foreign,
};

static const struct tale unheard_of = {
	.alert = { .seq = 6, AUDIO, .recorded = COUNT(strange), .nr_events = COUNT(strange) },
	.events = strange,
};

static const struct tale copying = {
	.alert = { .seq = 7, AUDIO, .begin_ns = AT - 44 * MS, .end_ns = AT - 4 * MS,
		   .recorded = COUNT(copies), .nr_events = COUNT(copies) },
	.events = copies,
};

static const struct tale waiting = {
	.alert = { .seq = 8, AUDIO, .begin_ns = AT - 50 * MS, .end_ns = AT - 7900000,
		   .recorded = COUNT(chained), .nr_events = COUNT(chained) },
	.events = chained,
};

static const struct tale kept_waiting = {
	.alert = { .seq = 9, AUDIO, .recorded = COUNT(queued), .nr_events = COUNT(queued) },
	.events = queued,
};

static const struct tale slow = {
	.alert = { .seq = 9, .at_ns = AT - 4 * MS, .tid = 101, .tgid = 100, .comm = "softrt",
		   .reason = TASKRT_REASON_OVER, .recorded = COUNT(slack),
		   .nr_events = COUNT(slack) },
	.events = slack,
};

static const struct tale armed_amid = {
	.alert = { .seq = 0, AUDIO, .reason = TASKRT_REASON_OVER, .recorded = COUNT(early),
		   .nr_events = COUNT(early) },
	.events = early,
};

/* The first of those above, of our child. */
static struct tale late;

static struct tale odd = {
	.alert = { .seq = 0, .at_ns = AT, .recorded = COUNT(sparse), .tid = 101, .tgid = 100,
		   .comm = "0123456789abcdef", .nr_events = COUNT(sparse), .reason = 9 },
	.events = sparse,
};

int taskrt_recorder_arm(struct taskrt *handle, pid_t tid,
			const struct taskrt_recorder_options *options, size_t size)
{
	static uint64_t armed;

	(void)size;
	if (fake("arm-never") || (fake("arm-reused") && armed & (1ULL << tid % 64)))
		return fake_answer(handle, -ERANGE);
	if (fake("arm-old"))
		return fake_answer(handle, -EOPNOTSUPP);
	if (fake("arm-busy"))
		return fake_answer(handle, -EBUSY);
	/* Nothing else shows how the command line was understood. */
	if (options->depth == 7 && (options->threshold_ns != 1500000 ||
				    options->alert_over_ns != 250000 ||
				    options->states != ((1U << TASKRT_STATE_WOKEN) |
							(1U << TASKRT_STATE_SLEEPING))))
		return fake_answer(handle, -ERANGE);
	if ((options->depth == 8 && options->alert_over_ns != 10000000) ||
	    (options->depth == 9 && options->alert_over_ns))
		return fake_answer(handle, -ERANGE);
	armed |= 1ULL << tid % 64;
	return 0;
}

int taskrt_alerts_open(struct taskrt_alerts **opened)
{
	const struct itimerspec often = { { 0, 20000000 }, { 0, 20000000 } };

	*opened = NULL;
	if (fake("absent"))
		return -ENOENT;
	if (fake("proto"))
		return -EPROTO;
	if (fake("alerts-never") || fake("inner-net"))
		return -EPERM;
	if (fake("alerts-old"))
		return -EOPNOTSUPP;
	*opened = calloc(1, sizeof(**opened));
	if (!*opened)
		return -ENOMEM;
	(*opened)->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	timerfd_settime((*opened)->fd, 0, &often, NULL);
	return 0;
}

void taskrt_alerts_close(struct taskrt_alerts *opened)
{
	if (opened)
		close(opened->fd);
	free(opened);
}

int taskrt_alerts_fd(const struct taskrt_alerts *opened)
{
	return opened->fd;
}

const char *taskrt_alerts_error(const struct taskrt_alerts *opened)
{
	(void)opened;
	return "the kernel's own words";
}

static int hand_out(struct taskrt_alerts *opened, const struct tale *which,
		    struct taskrt_alert *alert, size_t size)
{
	opened->last = which;
	memset(alert, 0, size);
	*alert = which->alert;
	opened->told++;
	return 1;
}

/* Returns the only alert there is. */
static int one(struct taskrt_alerts *opened, const struct tale *which, struct taskrt_alert *alert,
	       size_t size)
{
	return opened->told ? 0 : hand_out(opened, which, alert, size);
}

static int of_child(struct taskrt_alerts *opened, struct taskrt_alert *alert, size_t size)
{
	siginfo_t info = { 0 };

	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) || !info.si_pid)
		return 0;
	late = tales[0];
	late.alert.tid = late.alert.tgid = info.si_pid;
	return one(opened, &late, alert, size);
}

/* Waits until the file $FAKE_READY exists. */
static void await_ready(void)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	const char *name = getenv("FAKE_READY");

	while (name && access(name, F_OK))
		nanosleep(&pause, NULL);
}

/* The alert, if there is only one; NULL: there are all three. */
static const struct tale *single(void)
{
	if (fake("alerts-empty"))
		return &empty;
	if (fake("alerts-rude")) {
		memcpy(odd.alert.comm, "\033[2J\n\302\233\377\303\251abcdefg", 16);
		strcpy(odd.alert.tag, "\"a\"\n\\b\033[0m");
	}
	if (fake("alerts-rude") || fake("alerts-sparse"))
		return &odd;
	if (fake("alerts-busy"))
		return &computing;
	if (fake("alerts-spin"))
		return &spinning;
	if (fake("alerts-kept"))
		return &kept_busy;
	if (fake("alerts-futex"))
		return &locked_out;
	if (fake("alerts-foreign"))
		return &locked_out_by_nobody;
	if (fake("alerts-cow"))
		return &copying;
	if (fake("alerts-chain"))
		return &waiting;
	if (fake("alerts-queue"))
		return &kept_waiting;
	if (fake("alerts-slack"))
		return &slow;
	return fake("new") ? &unheard_of : NULL;
}

int taskrt_alerts_next(struct taskrt_alerts *opened, int timeout_ms, struct taskrt_alert *alert,
		       size_t size)
{
	uint64_t ticks;

	(void)!read(opened->fd, &ticks, sizeof(ticks));
	(void)timeout_ms;
	if (single())
		return one(opened, single(), alert, size);
	await_ready();
	if (!opened->told && fake("alerts-early"))
		return hand_out(opened, &armed_amid, alert, size);
	if (opened->told == (int)COUNT(tales) &&
	    (fake("alerts-flood") || (fake("alerts-many") && opened->times < MANY - 1))) {
		opened->told = 0;
		opened->times++;
		fake_signal();
		if (fake("alerts-flood"))
			return 0;
	}
	if (fake("alerts-late"))
		return of_child(opened, alert, size);
	if (opened->told == 1 && fake("alerts-garbled")) {
		opened->told++;
		return -EBADMSG;
	}
	if (opened->told < (int)COUNT(tales))
		return hand_out(opened, &tales[opened->told], alert, size);
	return fake("alerts-gone") ? -ENODEV : fake("alerts-broken") ? -EIO : 0;
}

int taskrt_alerts_event(const struct taskrt_alerts *opened, uint32_t index,
			struct taskrt_alert_event *event, size_t size)
{
	if (size != sizeof(*event))
		return -EINVAL;
	if (!opened->last || index >= opened->last->alert.nr_events)
		return -ENOENT;
	*event = opened->last->events[index];
	return 0;
}
