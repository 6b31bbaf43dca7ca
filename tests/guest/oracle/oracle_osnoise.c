// SPDX-License-Identifier: GPL-2.0-only
/*
 * Agreement with osnoise, a tracer of the kernel's own, about the hard interrupts of a thread
 * that keeps a CPU: how many they are, exactly, and how long they take.  Debian has the tracer
 * in its kernels with PREEMPT_RT only, where softirqs run in threads: it says nothing of them.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "module.h"
#include "patience.h"
#include "self.h"
#include "setting.h"
#include "tap.h"
#include "thread.h"
#include "tracer.h"

#define RUNTIME	"/proc/sys/kernel/sched_rt_runtime_us"
#define EVENT	TRACER_FOLDER "/events/osnoise/irq_noise/enable"
#define CPU	1
#define NUMBER	20
#define EACH	MS
#define HARD	TASKRT_TIMER_HARDIRQ

struct noise {
	uint64_t ns, number;
};

/* Two windows of the tracer around one of ours, and within it. */
static struct {
	struct noise around, within, ours;
} seen;

/* Both readings are between two marks: what interrupts in between is in one of the windows. */
static void measure(struct taskrt_self *self, int device)
{
	struct taskrt_reading before, after;

	tracer_mark("around");
	self_get(self, &before);
	tracer_mark("within");
	device_interrupt(device, TASKRT_TEST_HARD, NUMBER, EACH);
	clock_spin(NUMBER * EACH);
	tracer_mark("within");
	self_get(self, &after);
	tracer_mark("around");
	seen.ours.ns = after.times.timers_ns[HARD] - before.times.timers_ns[HARD];
	seen.ours.number = after.counts.timers[HARD] - before.counts.timers[HARD];
}

static void add(struct noise *noise, const char *line)
{
	const char *duration = strstr(line, "duration ");

	if (!duration)
		tap_bail("a line without a duration: %s", line);
	noise->ns += strtoull(duration + strlen("duration "), NULL, 10);
	noise->number++;
}

/* The trace has the interrupts of other threads, too, before the window and after it. */
static void read_trace(void)
{
	FILE *trace = tracer_open(CPU);
	int around = 0, within = 0;
	char line[512];

	memset(&seen.around, 0, sizeof(seen.around));
	memset(&seen.within, 0, sizeof(seen.within));
	while (fgets(line, sizeof(line), trace)) {
		if (tracer_pid(line) != gettid())
			continue;
		around ^= !!strstr(line, ": around");
		within ^= !!strstr(line, ": within");
		if (!strstr(line, "irq_noise: "))
			continue;
		if (around)
			add(&seen.around, line);
		if (within)
			add(&seen.within, line);
	}
	fclose(trace);
}

/*
 * In addition to 10 %: each of the two measures the probe of the other one, once, when an
 * interrupt begins or when it ends.
 */
static uint64_t slack(uint64_t ns)
{
	return ns / 10 + MS;
}

/*
 * The tracer looks at interrupts while its own thread takes a sample, which this one
 * interrupts in its middle, but may do so between two of them.  A busy host may stop the
 * processor between the two probes, but not each time.
 */
static int agrees(void)
{
	return seen.within.number >= NUMBER && seen.within.number <= seen.ours.number &&
	       seen.ours.number <= seen.around.number &&
	       seen.ours.ns + slack(seen.within.ns) >= seen.within.ns &&
	       seen.ours.ns <= seen.around.ns + slack(seen.around.ns);
}

static void say(const char *whose, const struct noise *noise)
{
	tap_diag("%s: %llu interrupts, %llu ns", whose, (unsigned long long)noise->number,
		 (unsigned long long)noise->ns);
}

static void check(void)
{
	say("osnoise, within", &seen.within);
	say("osnoise, around", &seen.around);
	say("ours", &seen.ours);
	tap_at_least(seen.within.number, NUMBER, "osnoise has seen those that were made");
	tap_at_least(seen.ours.number, seen.within.number, "all that osnoise has seen are counted");
	tap_at_most(seen.ours.number, seen.around.number, "and no more");
	tap_at_least(seen.ours.ns, NUMBER * EACH, "they took at least so long");
	/* By another clock, whose second is hardly another one. */
	tap_at_least(seen.around.ns, NUMBER * EACH - EACH / 5, "and by osnoise, too");
	tap_at_least(seen.ours.ns + slack(seen.within.ns), seen.within.ns,
		     "not less than by osnoise");
	tap_at_most(seen.ours.ns, seen.around.ns + slack(seen.around.ns), "and not more");
}

static void compare(void)
{
	struct taskrt_self *self = self_open();
	int device = device_open();

	thread_pin(CPU);
	thread_fifo(90);
	do {
		/* The tracer's thread runs meanwhile. */
		clock_sleep(20 * MS);
		tracer_clear();
		measure(self, device);
		read_trace();
	} while (!agrees() && patience_lasts());
	thread_other();
	taskrt_self_close(self);
}

int main(void)
{
	const char *why = tracer_lacking("osnoise");
	char before[32] = "";

	if (!why && sysconf(_SC_NPROCESSORS_ONLN) <= CPU)
		why = "needs two processors";
	if (why) {
		tap_skip("osnoise", why);
		return tap_done();
	}
	module_must_set("interrupts", "1");
	if (setting_read(RUNTIME, before, sizeof(before)))
		setting_must_write(RUNTIME, "-1");
	tracer_start("osnoise", CPU);
	setting_must_write(EVENT, "1");
	compare();
	setting_must_write(EVENT, "0");
	tracer_stop();
	check();
	if (before[0])
		setting_write(RUNTIME, before);
	module_must_set("interrupts", "0");
	return tap_done();
}
