// SPDX-License-Identifier: GPL-2.0-only
/* What diagnose says of what is optional. */
#include "diagnosed.h"

#include "common/element.h"

/* A module that knows all that is optional, and measures nothing of it; hooks by their names. */
enum { SWITCH, EXPIRE, VECTORS, CYCLES, NR_NEEDED };

static struct inventory with_options(void)
{
	static const char * const names[NR_NEEDED] = {
		"sched_switch", "hrtimer_expire", "irq_vectors", "cycles",
	};
	struct inventory inventory = healthy();
	size_t i;

	for (i = 0; i < NR_NEEDED; i++)
		strcpy(hooks[i].name, names[i]);
	strcpy(hooks[CYCLES].kind, "counter");
	hooks[VECTORS].status = -ENODEV;
	hooks[CYCLES].status = -ENODEV;
	inventory.info.nr_hooks = NR_NEEDED;
	inventory.known.timers |= READING_INTERRUPTS | READING_STEAL | READING_STALLS;
	inventory.known.values |= READING_CYCLES;
	return inventory;
}

/* Exactly these notes about what is optional, and this text. */
static void expect_options(const struct inventory *inventory, const char *causes, const char *text)
{
	struct findings findings = { .count = 0 };
	char line[OPTIONAL_MAX], found[256] = "";
	size_t i;

	optional_check(&findings, inventory, &system_below);
	for (i = 0; i < findings.count; i++) {
		assert_false(findings.list[i].problem);
		assert_string_equal(findings.list[i].fix, "");
		snprintf(found + strlen(found), sizeof(found) - strlen(found), "%s%s",
			 i ? " " : "", findings.list[i].cause);
	}
	assert_int_equal(findings.problems, 0);
	assert_string_equal(found, causes);
	assert_string_equal(optional_text(line, inventory), text);
}

static void options(void **state)
{
	struct inventory inventory = with_options();

	(void)state;
	expect_options(&inventory, "interrupts_off cycles_off steal_off stalls_off",
		       "not measured: interrupts, cycles, stolen time, stalls for memory");
	/* None of them is a problem. */
	expect(&inventory, -1, "");
	/* Softirqs are none on PREEMPT_RT, and some stalls none on older kernels. */
	inventory.info.measured.timers |= 1U << TASKRT_TIMER_HARDIRQ | READING_STEAL |
					  1U << TASKRT_TIMER_SWAPIN;
	expect_options(&inventory, "cycles_off",
		       "measured: interrupts, stolen time, stalls for memory; not measured: cycles");
	inventory.info.measured.values |= READING_CYCLES;
	expect_options(&inventory, "",
		       "measured: interrupts, cycles, stolen time, stalls for memory");
	/* An older module, which does not know all of them; and one that knows none. */
	inventory = with_options();
	inventory.known.timers &= ~(READING_STEAL | READING_INTERRUPTS);
	expect_options(&inventory, "cycles_off stalls_off",
		       "not measured: cycles, stalls for memory");
	inventory = healthy();
	expect_options(&inventory, "", "");
	/* Accounting is off: that is said elsewhere, and the options may be on. */
	inventory = with_options();
	inventory.info.enabled = 0;
	expect_options(&inventory, "",
		       "not measured: interrupts, cycles, stolen time, stalls for memory");
}

/* The note of this cause; NULL: there is none. */
static const char *note(const struct inventory *inventory, const char *cause)
{
	static struct findings findings;
	size_t i;

	findings.count = 0;
	optional_check(&findings, inventory, &system_below);
	for (i = 0; i < findings.count; i++)
		if (!strcmp(findings.list[i].cause, cause))
			return findings.list[i].text;
	return NULL;
}

#define SAYS(inventory, cause, part) do {			\
	const char *text = note(inventory, cause);		\
								\
	assert_non_null(text);					\
	assert_non_null(strstr(text, part));			\
} while (0)

static void reasons(void **state)
{
	struct inventory inventory = with_options();

	(void)state;
	SAYS(&inventory, "interrupts_off", "write 1 to /sys/module/taskrt/parameters/interrupts");
	SAYS(&inventory, "cycles_off", "write 1 to /sys/module/taskrt/parameters/cycles");
	SAYS(&inventory, "stalls_off", "task_delayacct=1");
	SAYS(&inventory, "steal_off", "none was seen so far");
	put("proc/cmdline", "quiet no-steal-acc ro\n");
	SAYS(&inventory, "steal_off", "has no-steal-acc");
	take("proc/cmdline");
	hooks[EXPIRE].status = -ENOENT;
	SAYS(&inventory, "steal_off", "hrtimer_expire");
	/* The hook could not be attached: that is a problem, which says why. */
	hooks[VECTORS].status = -ENOENT;
	hooks[CYCLES].status = -EACCES;
	assert_null(note(&inventory, "interrupts_off"));
	assert_null(note(&inventory, "cycles_off"));
	/* Counted, for others; and a kernel that cannot count. */
	hooks[CYCLES].status = 0;
	assert_null(note(&inventory, "cycles_off"));
	SAYS(&inventory, "cycles_hidden", "CAP_PERFMON");
	inventory.info.nr_hooks = CYCLES;
	SAYS(&inventory, "cycles_off", "no perf events");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options),
		cmocka_unit_test(reasons),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("optional", tests, begin, end);
}
