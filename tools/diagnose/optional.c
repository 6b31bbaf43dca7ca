// SPDX-License-Identifier: GPL-2.0-only
/* What is measured only if a parameter or the machine provides it. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/element.h"
#include "common/names.h"
#include "diagnose/finding.h"
#include "diagnose/machine.h"

typedef void (*check_fn)(struct findings *findings, const struct inventory *inventory,
			 const struct system *system);

static const struct taskrt_hook *find_hook(const struct inventory *inventory, const char *name)
{
	uint32_t i;

	for (i = 0; i < inventory->info.nr_hooks; i++)
		if (!strncmp(inventory->hooks[i].name, name, sizeof(inventory->hooks[i].name)))
			return &inventory->hooks[i];
	return NULL;
}

/* Is it switched off by an option of the module?  Any other status is a finding of its own. */
static int is_off(const struct taskrt_hook *hook)
{
	return hook && hook->status == -ENODEV;
}

static int is_attached(const struct taskrt_hook *hook)
{
	return hook && !hook->status;
}

static void check_interrupts(struct findings *findings, const struct inventory *inventory,
			     const struct system *system)
{
	(void)system;
	if (is_off(find_hook(inventory, "irq_vectors")))
		finding_note(findings, "interrupts_off",
			     "interrupts are not measured, and count as computing (to measure them, write 1 to "
			     FINDING_PARAMETERS "interrupts)");
}

static void check_cycles(struct findings *findings, const struct inventory *inventory,
			 const struct system *system)
{
	const struct taskrt_hook *hook = find_hook(inventory, "cycles");

	(void)system;
	if (!hook)
		finding_note(findings, "cycles_off",
			     "cycles and instructions are not counted: this kernel has no perf events");
	else if (is_off(hook))
		finding_note(findings, "cycles_off",
			     "cycles and instructions are not counted (to count them, if the processor can, write 1 to "
			     FINDING_PARAMETERS "cycles)");
	else if (is_attached(hook))
		finding_note(findings, "cycles_hidden",
			     "cycles and instructions are counted, but you may not see them: that needs CAP_PERFMON");
}

/* Stolen time is measured when the kernel's tick ends, which must be a high-resolution timer. */
static const char *why_no_steal(const struct inventory *inventory, const struct system *system)
{
	struct timespec resolution;
	char value[16];

	if (!is_attached(find_hook(inventory, "sched_switch")) ||
	    !is_attached(find_hook(inventory, "hrtimer_expire")))
		return "it needs the hooks sched_switch and hrtimer_expire";
	if (!clock_getres(CLOCK_MONOTONIC, &resolution) && resolution.tv_nsec != 1)
		return "the timers of this kernel have the resolution of a tick";
	if (kernel_argument(system, "no-steal-acc", value, sizeof(value)))
		return "the command line of the kernel has no-steal-acc";
	return "none was seen so far (real hardware has none, and some hypervisors do not report it)";
}

static void check_steal(struct findings *findings, const struct inventory *inventory,
			const struct system *system)
{
	finding_note(findings, "steal_off", "stolen time is not measured: %s",
		     why_no_steal(inventory, system));
}

/* The kernel counts stalls for memory only if its delay accounting is on. */
static void check_stalls(struct findings *findings, const struct inventory *inventory,
			 const struct system *system)
{
	(void)inventory;
	(void)system;
	finding_note(findings, "stalls_off",
		     "stalls for memory are not measured (since Linux 5.14, sysctl kernel.task_delayacct=1 measures them for new tasks)");
}

static const struct {
	const char *name;
	enum taskrt_name_kind kind;
	uint64_t bits;		/* any of these shows that it is measured */
	check_fn check;
} optionals[] = {
	{ "interrupts", TASKRT_NAME_TIMER, READING_INTERRUPTS, check_interrupts },
	{ "cycles", TASKRT_NAME_VALUE, READING_CYCLES, check_cycles },
	{ "stolen time", TASKRT_NAME_TIMER, READING_STEAL, check_steal },
	{ "stalls for memory", TASKRT_NAME_TIMER, READING_STALLS, check_stalls },
};

#define COUNT	(sizeof(optionals) / sizeof(optionals[0]))

/* An older module does not know all of them. */
static int is_known(const struct inventory *inventory, size_t i)
{
	return !!(names_measured(&inventory->known, optionals[i].kind) & optionals[i].bits);
}

static int is_measured(const struct inventory *inventory, size_t i)
{
	return !!(names_measured(&inventory->info.measured, optionals[i].kind) &
		  optionals[i].bits);
}

/* Append those that are measured, or those that are not.  Return: the length of text. */
static size_t append(char *text, size_t used, const struct inventory *inventory, int measured)
{
	const char *before = measured ? "measured: " : used ? "; not measured: " : "not measured: ";
	size_t i;

	for (i = 0; i < COUNT; i++) {
		if (!is_known(inventory, i) || is_measured(inventory, i) != measured)
			continue;
		used += (size_t)snprintf(text + used, OPTIONAL_MAX - used, "%s%s", before,
					 optionals[i].name);
		before = ", ";
	}
	return used;
}

const char *optional_text(char text[OPTIONAL_MAX], const struct inventory *inventory)
{
	text[0] = '\0';
	append(text, append(text, 0, inventory, 1), inventory, 0);
	return text;
}

void optional_check(struct findings *findings, const struct inventory *inventory,
		    const struct system *system)
{
	size_t i;

	/* Nothing is measured while accounting is off, which is a finding of its own. */
	for (i = 0; i < COUNT && inventory->info.enabled; i++)
		if (is_known(inventory, i) && !is_measured(inventory, i))
			optionals[i].check(findings, inventory, system);
}
