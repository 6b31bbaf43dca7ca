// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "accounting.h"
#include "compat/cgroups.h"
#include "hook/hook.h"
#include "netlink/family.h"
#include "netlink/listeners.h"
#include "observe/armed.h"
#include "observe/observer.h"
#include "observe/waker.h"
#include "observe/wchan.h"
#include "policy/coarse.h"
#include "policy/quota.h"
#include "scenario.h"
#include "surroundings.h"
#include "task/counters.h"
#include "task/sample.h"
#include "track/track.h"

u64 the_time;
struct thread the_thread;
struct recorder_event the_event;
struct recorder *the_recorder;
int the_error;
struct sk_buff *the_alert;
int the_pages_fd = -1;

static const struct cred cred = { { UID }, { GID } };
static struct signal_struct signals;
static struct task_struct parent = { .pid = PPID, .tgid = PPID };
static struct pid tid = { TID }, tgid = { TGID }, ppid = { PPID };

struct task_struct the_task;
struct task_struct *current = &the_task;

struct observer_bucket observer_buckets[1 << OBSERVER_BITS];
struct genl_family family;
struct net init_net;
struct pid_namespace init_pid_ns;
struct user_namespace init_user_ns;

void surroundings_begin(void)
{
	size_t i;

	the_task = (struct task_struct){
		.thread_pid = &tid, .pid = TID, .tgid = TGID, .comm = COMM,
		.start_time = CREATED,
		.nvcsw = VOLUNTARY, .nivcsw = INVOLUNTARY,
		.min_flt = MINOR_FAULTS, .maj_flt = MAJOR_FAULTS,
		.utime = USER_NS, .stime = SYSTEM_NS,
		.cpu = CPU, .real_parent = &parent, .signal = &signals, .cred = &cred,
	};
	for (i = 0; i < ARRAY_SIZE(observer_buckets); i++)
		observer_buckets[i].mappings = (struct list_head){ &observer_buckets[i].mappings,
								   &observer_buckets[i].mappings };
	memset(&the_thread, 0, sizeof(the_thread));
	the_thread.task = &the_task;
	the_thread.exit_cpu = CPU;
	the_thread.exit.tid = &tid;
	the_thread.exit.tgid = &tgid;
	the_thread.exit.parent = &ppid;
	the_time = BORN;
}

u8 waker_note_any(struct taskrt_waker *who, struct task_struct *woken)
{
	return TASKRT_WAKER_INTERRUPT;
}

void wchan_name(u32 wchan, char *name, size_t size)
{
	snprintf(name, size, "site_%u", wchan);
}

u64 ktime_get_mono_fast_ns(void)
{
	return the_time;
}

/* The page's memory is shared with the reader. */
void *alloc_pages_exact(size_t size, gfp_t gfp)
{
	the_pages_fd = memfd_create("page", 0);
	if (ftruncate(the_pages_fd, size))
		abort();
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, the_pages_fd, 0);
}

void free_pages_exact(void *pages, size_t size)
{
	munmap(pages, size);
	close(the_pages_fd);
}

/* As in sample.c and process.c. */
void thread_of_kernel(const struct thread *t, struct totals *totals, u32 groups)
{
	struct counters counters;

	counters_of_task(&counters, t->task);
	counters_put(totals->values, &counters);
}

struct thread *process_thread(const struct task_struct *task)
{
	return &the_thread;
}

void observer_mark(struct thread *t)
{
}

/* --- of the page */

struct quota *quota_charge(const struct cred *cred, enum quota_kind kind,
			   const struct quota_limits *limits)
{
	return NULL;
}

void quota_release(struct quota *quota, enum quota_kind kind)
{
}

void quota_leave(struct quota *quota, enum quota_kind kind)
{
}

void quota_left(struct quota *quota, enum quota_kind kind)
{
}

bool observer_ready(void)
{
	return true;
}

unsigned int quota_total(enum quota_kind kind)
{
	return kind != QUOTA_MAPPINGS;
}

u64 cgroups_id_of(struct task_struct *task, struct cgroup *root)
{
	return CGROUP;
}

/* --- for an alert */

struct recorder *recorder_next_alert(void)
{
	struct recorder *rec = the_recorder;

	the_recorder = NULL;
	return rec;
}

void recorder_alert_done(struct recorder *rec, int err)
{
	the_error = err;
}

const struct recorder_event *recorder_event(const struct recorder *rec, u32 n)
{
	return n ? NULL : &the_event;
}

void sprint_symbol(char *to, unsigned long address)
{
	strcpy(to, address == 0x1000 ? "mutex_lock+0x1/0x2" : "caller+0x3/0x4");
}

void genlmsg_multicast(struct sk_buff *skb)
{
	the_alert = skb;
}

/* --- for INFO */

bool accounting_get(void)
{
	return true;
}

void accounting_put(void)
{
}

u64 accounting_valid(void)
{
	return 0x3ff;
}

const struct taskrt_measured *accounting_measured(void)
{
	/*
	 * Interrupts are not measured by default; nothing is stolen or made free, and no timers go
	 * off.  The thread does not run in its faults.
	 */
	static const struct taskrt_measured measured = {
		.states = MEASURED_STATES,
		.timers = MEASURED_TIMERS & ~(1U << TASKRT_TIMER_HARDIRQ |
					      1U << TASKRT_TIMER_SOFTIRQ |
					      1U << TASKRT_TIMER_STEAL |
					      1U << TASKRT_TIMER_EXPIRY |
					      1U << TASKRT_TIMER_RECLAIM_CPU |
					      1U << TASKRT_TIMER_FAULT_CPU),
		.locks = MEASURED_LOCKS, .values = MEASURED_VALUES & ~VALUES_OF_CYCLES,
	};

	return &measured;
}

void accounting_measured_page(struct taskrt_measured *m)
{
	*m = *accounting_measured();
	m->values &= ~VALUES_OF_TIME;
}

u64 accounting_since(void)
{
	return BORN;
}

u64 coarse_parameter(void)
{
	return 0;
}

u64 process_count(void)
{
	return 1;
}

int access_requester_init(struct access_requester *who, const struct sk_buff *request)
{
	return 0;
}

u64 access_hidden(const struct access_requester *who, u64 measured)
{
	return 0;
}

void thread_counts(struct thread_counts *counts)
{
	*counts = (struct thread_counts){ .made = 1, .kept = 1 };
}

void track_counts(struct track_counts *counts)
{
	*counts = (struct track_counts){ 0 };
}

u64 thread_memory(u64 count)
{
	return 2048;
}

u64 process_memory(u64 count)
{
	return 2048;
}

bool accounting_hook(unsigned int nr, struct hook_report *report)
{
	*report = (struct hook_report){ .name = "hook", .kind = "tracepoint", .hits = nr };
	return nr < NR_HOOKS;
}

void listeners_counts(struct listeners_counts *counts)
{
	*counts = (struct listeners_counts){ .listeners = 1 };
}

void alert_queue_counts(u64 *alerts, u64 *lost)
{
	*alerts = 1;
	*lost = 0;
}

void armed_counts(struct armed_counts *counts)
{
	*counts = (struct armed_counts){ .armed = 1 };
}
