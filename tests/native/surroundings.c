// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "compat/clock.h"
#include "hook/hook_steal.h"
#include "hook/hook_throttle_group.h"
#include "hook/hook_timer.h"
#include "observe/dispatch.h"
#include "observe/occupants.h"
#include "observe/wchan.h"
#include "surroundings.h"
#include "task/cpu_cache.h"
#include "track/exit.h"

#define SHIFT		24
#define A_SECOND	1000000000ULL
#define A_WHILE		50000000ULL	/* ns, in which the cycles are counted */

const char * const surroundings_clock = CLOCK_NAME;

u64 counted_cycles __aligned(64);
struct pcpu_hot pcpu_hot;
unsigned long jiffies;
struct kernel_cpustat kernel_cpustat;
struct hook_steal_cpu hook_steal_cpu;

void hook_steal_prepare(void)
{
}

/* No group of the replay is throttled. */
bool throttle_met __read_mostly;
bool hook_throttle_met __read_mostly;

void hook_throttle_group_prepare(void)
{
}

static u32 mult = 1 << SHIFT;

static __attribute__((noreturn)) void refuse(const char *what)
{
	fprintf(stderr, "%s is not part of the replay\n", what);
	exit(2);
}

#define OBSERVED(function, ...)		\
	void function(__VA_ARGS__)	\
	{				\
		refuse("an observed thread");	\
	}

OBSERVED(dispatch_switch, struct thread *out, u8 to, struct thread *in)
OBSERVED(dispatch_wake, struct thread *t, u8 to)
OBSERVED(dispatch_waking, struct thread *t)
OBSERVED(dispatch_migrate, struct thread *t, unsigned int cpu)
OBSERVED(occupants_add, const struct thread *out)
OBSERVED(dispatch_lock_begin, struct thread *t, u64 lock, u8 kind)
OBSERVED(dispatch_lock_end, struct thread *t)
OBSERVED(dispatch_fault_begin, struct thread *t, const struct vm_area_struct *vma,
	 unsigned long address, unsigned int flags)
OBSERVED(dispatch_fault_end, struct thread *t, bool major, bool counts)

/* A wake-up of a thread that runs changes nothing. */
void dispatch_wake_nothing(struct thread *t)
{
}

bool hook_throttle_group_queued(struct thread *t, const struct task_struct *task)
{
	refuse("a group that is throttled");
}

void hook_throttle_group_ran(struct thread *t, const struct task_struct *task)
{
	refuse("a group that is throttled");
}

void hook_throttle_group_move(struct thread *t, const struct task_struct *task, unsigned int cpu)
{
	refuse("a group that is throttled");
}

/* The stack of a thread of the replay says nothing. */
void wchan_note_longest(struct thread *t, unsigned long state)
{
}

/* No thread is freed, so that none is ever cached. */
int cpu_cache_init(struct cpu_cache *cache, struct kmem_cache *slab, const char *name)
{
	return 0;
}

void cpu_cache_exit(struct cpu_cache *cache)
{
}

void *cpu_cache_take(struct cpu_cache *cache)
{
	return NULL;
}

bool cpu_cache_put(struct cpu_cache *cache, void *object, int cpu, bool spare)
{
	return false;
}

void cpu_cache_refill(struct cpu_cache *cache)
{
}

unsigned int cpu_cache_count(const struct cpu_cache *cache)
{
	return 0;
}

/* No timer ever runs. */
void hook_timer_wake(struct thread *t)
{
	refuse("a timer");
}

void thread_missed(struct thread *t)
{
	refuse("a wait that is not timed");
}

void exit_closed(struct thread *t)
{
	refuse("an exit");
}

#ifdef CLOCK_COUNTED
void surroundings_init(void)
{
}
#else
static u64 monotonic(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec * A_SECOND + at.tv_nsec;
}

void surroundings_init(void)
{
	const u64 cycles = rdtsc_ordered(), ns = monotonic();

	while (monotonic() - ns < A_WHILE)
		;
	mult = ((monotonic() - ns) << SHIFT) / (rdtsc_ordered() - cycles);
}
#endif

#ifdef __x86_64__
u64 ktime_get_mono_fast_ns(void)
{
	refuse("the kernel's clock");
}

static struct notifier_block *listener;

void pvclock_gtod_register_notifier(struct notifier_block *notifier)
{
	listener = notifier;
	surroundings_tick();
}

void pvclock_gtod_unregister_notifier(struct notifier_block *notifier)
{
	listener = NULL;
}

/* From here on the time goes on from where it is, as after any update. */
void surroundings_tick(void)
{
	static struct clocksource tsc = { VDSO_CLOCKMODE_TSC };
	static struct timekeeper tk;
	struct tk_read_base *tkr = &tk.tkr_mono;
	const u64 cycles = rdtsc_ordered(), past = (cycles - tkr->cycle_last) * mult;

	if (tkr->clock) {
		tkr->xtime_nsec += past;
		tkr->base += tkr->xtime_nsec >> SHIFT;
		tkr->xtime_nsec &= (1 << SHIFT) - 1;
	}
	tkr->clock = &tsc;
	tkr->cycle_last = cycles;
	tkr->mult = mult;
	tkr->shift = SHIFT;
	listener->notifier_call(listener, 0, &tk);
}
#else
u32 clock_mult, clock_shift = SHIFT;

void surroundings_tick(void)
{
	clock_mult = mult;
}
#endif
