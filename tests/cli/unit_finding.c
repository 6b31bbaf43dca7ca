// SPDX-License-Identifier: GPL-2.0-only
/* What diagnose finds wrong with a module that answers. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/field.h"
#include "common/names.h"
#include "common/reading.h"
#include "diagnose/finding.h"
#include "diagnose/optional.h"

/* A system with little in it. */
static char tree[] = "/tmp/taskrt-finding.XXXXXX";
static struct system system_below = { .release = "6.1.0", .running = 1 };

static void put(const char *path, const char *text)
{
	char whole[256], *slash;
	FILE *file;

	snprintf(whole, sizeof(whole), "%s/%s", tree, path);
	for (slash = whole + sizeof(tree); (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		mkdir(whole, 0755);
	}
	file = fopen(whole, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void take(const char *path)
{
	assert_int_equal(unlinkat(system_below.fd, path, 0), 0);
}

static int begin(void **state)
{
	(void)state;
	if (!mkdtemp(tree))
		return -1;
	system_below.fd = open(tree, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return system_below.fd < 0;
}

static int end(void **state)
{
	char command[sizeof(tree) + 16];

	(void)state;
	close(system_below.fd);
	snprintf(command, sizeof(command), "rm -rf %s", tree);
	return system(command);
}

#define MANY_HOOKS	32

static struct taskrt_hook hooks[MANY_HOOKS];

static struct inventory healthy(void)
{
	struct inventory inventory = {
		.info = {
			.stats_version = TASKRT_STATS_VERSION, .enabled = 1,
			.valid = field_valid_all(), .measured = names_usual,
			.threads_made = 5, .threads_gone = 3, .threads = 2, .nr_hooks = 1,
			.threads_max = 100, .backlog_max_bytes = 4 << 20,
		},
		.known = names_usual,
		.hooks = hooks,
	};

	memset(hooks, 0, sizeof(hooks));
	hooks[0] = (struct taskrt_hook){ .name = "sched_switch", .hits = 100000 };
	strcpy(inventory.info.module_version, taskrt_version());
	return inventory;
}

/* Exactly one finding, of this kind, that speaks of this; problem is below 0: none. */
static void expect(const struct inventory *inventory, int problem, const char *part)
{
	struct findings findings;

	finding_collect(&findings, inventory, &system_below);
	assert_int_equal(findings.count, problem >= 0);
	if (problem < 0)
		return;
	assert_int_equal(findings.problems, problem);
	assert_int_equal(findings.list[0].problem != 0, problem);
	assert_non_null(strstr(findings.list[0].text, part));
}

static void no_findings(void **state)
{
	struct inventory inventory = healthy();
	struct findings findings;

	(void)state;
	finding_collect(&findings, &inventory, &system_below);
	assert_int_equal(findings.count, 0);
	assert_int_equal(findings.problems, 0);
}

static struct taskrt_hook off(const char *name)
{
	struct taskrt_hook hook = { .status = -ENODEV };

	strcpy(hook.name, name);
	return hook;
}

#define FINDS(member, value, problem, part) do {	\
	struct inventory inventory = healthy();		\
							\
	inventory.member = (value);			\
	expect(&inventory, problem, part);		\
} while (0)

static void each_finding(void **state)
{
	(void)state;
	FINDS(info.stats_version, 2, 1, "too old");
	FINDS(info.stats_version, 4, 0, "newer");
	FINDS(info.module_version[0], 'x', 0, "release");
	FINDS(info.enabled, 0, 1, "switched off");
	FINDS(info.coarse_ns, 1000, 0, "1.00 us");
	FINDS(info.nr_hooks, 0, 1, "no hooks");
	FINDS(hooks[0].status, -ENOENT, 1, "no time at all");
	FINDS(hooks[0].status, -ENOENT, 1, "not in this kernel");
	FINDS(hooks[0].status, -ECANCELED, 1, "left out");
	FINDS(hooks[0].status, -EBUSY, 1, "busy");
	/* What belongs to an option is off by default. */
	FINDS(hooks[0], off("irq_vectors"), -1, "");
	FINDS(hooks[0], off("softirq"), -1, "");
	FINDS(hooks[0], off("cycles"), -1, "");
	FINDS(hooks[0].misses, 100, 0, "missed 100 of 100100 calls");
	FINDS(hooks[0].misses, 101, 1, "missed 101 of");
	FINDS(info.valid, field_valid_all() & ~TASKRT_VALID_LOCK_TIME, 1,
	      "kernel: lock_contention_time_ns");
	FINDS(info.valid, field_valid_all() & ~TASKRT_VALID_CGROUP, 0,
	      "not available on this kernel: cgroup");
	FINDS(info.valid, field_valid_all() & ~TASKRT_VALID_CPU, 1, "on this kernel: cpu");
	FINDS(info.measured.states, 0xfff & ~(1U << TASKRT_STATE_BLOCKED_LOCK), 1,
	      "kernel: states.blocked_lock");
	FINDS(info.measured.timers, 0, 1, "kernel: timers");
	FINDS(info.measured.values, 0x6f, 1, "kernel: values.major_faults");
	/* It could be measured elsewhere; what is measured without being announced is no fault. */
	FINDS(known.states, 0x1fff, 1, "kernel: states.");
	FINDS(known.values, 0xfff, -1, "");
	FINDS(info.measured.locks, 0x3f, -1, "");
	/* The same holds for what is optional. */
	FINDS(known.timers, 3 | READING_STALLS | READING_STEAL | READING_INTERRUPTS, -1, "");
	FINDS(info.measured.timers, 3 | READING_STALLS, -1, "");
	FINDS(info.threads, 3, 1, "by -1 records");
	FINDS(info.threads_gone, 2, 1, "by 1 records");
	FINDS(info.refused, 9, 1, "the limit is 100: 9");
	FINDS(info.no_memory, 9, 1, "memory was short: 9");
}

static void repaired(void **state)
{
	struct inventory inventory = healthy();

	(void)state;
	inventory.info.no_memory = 9;
	inventory.info.repaired = 9;
	expect(&inventory, 0, "record was made late");
}

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
	SAYS(&inventory, "interrupts_off", "/sys/module/taskrt/parameters/interrupts is 1");
	SAYS(&inventory, "cycles_off", "/sys/module/taskrt/parameters/cycles is 1");
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

/* Counters are the processor's, not the kernel's. */
static void no_counters(void **state)
{
	struct inventory inventory = healthy();

	(void)state;
	hooks[0] = (struct taskrt_hook){ .name = "cycles", .kind = "counter", .status = -ENOENT };
	expect(&inventory, 1, "(not in this processor): cycles and instructions are not counted");
	hooks[0].status = -EOPNOTSUPP;
	expect(&inventory, 1, "(not in this processor): cycles and instructions are not counted");
	hooks[0].status = -EBUSY;
	expect(&inventory, 1, "busy): cycles and instructions are not counted");
}

/* Expects this cause and this fix of the last finding. */
static void expect_fix(const struct inventory *inventory, const char *cause, const char *fix)
{
	struct findings findings;

	finding_collect(&findings, inventory, &system_below);
	assert_int_not_equal(findings.count, 0);
	assert_string_equal(findings.last->cause, cause);
	assert_string_equal(findings.last->fix, fix);
}

#define FIXES(member, value, cause, fix) do {		\
	struct inventory inventory = healthy();		\
							\
	inventory.member = (value);			\
	expect_fix(&inventory, cause, fix);		\
} while (0)

#define RELOAD	"modprobe -r taskrt && modprobe taskrt"

static void fixes(void **state)
{
	(void)state;
	FIXES(info.enabled, 0, "switched_off", "echo 1 > /sys/module/taskrt/parameters/enabled");
	FIXES(info.refused, 9, "refused_records", RELOAD " max_threads=200");
	FIXES(info.exits_lost, 9, "exits_lost",
	      "echo 8192 > /sys/module/taskrt/parameters/backlog_kib");
	FIXES(hooks[0].status, -ENOENT, "hook", "");
	FIXES(hooks[0].status, -ECANCELED, "hook", RELOAD);
	put("etc/modprobe.d/a.conf", "# of ours\noptions taskrt max_threads=9\n"
	    "options other without=x\noptions taskrt coarse_ns=5 without=sched_switch\n");
	FIXES(hooks[0].status, -ECANCELED, "hook",
	      "take without= out of /etc/modprobe.d/a.conf:4, then: " RELOAD);
	take("etc/modprobe.d/a.conf");
}

/* A kernel that was built without what a hook needs. */
static void fixes_kprobes(void **state)
{
	struct inventory inventory = healthy();

	(void)state;
	strcpy(hooks[0].kind, "kretprobe");
	hooks[0].status = -EOPNOTSUPP;
	expect_fix(&inventory, "hook", "");
	put("boot/config-6.1.0", "CONFIG_KPROBES=y\n# CONFIG_KRETPROBES is not set\n");
	expect_fix(&inventory, "hook",
		    "boot a kernel with CONFIG_KRETPROBES, which this one was built without");
	strcpy(hooks[0].kind, "kprobe");
	expect_fix(&inventory, "hook", "");
	take("boot/config-6.1.0");
}

static void fixes_old_module(void **state)
{
	(void)state;
	FIXES(info.module_version[0], '9', "releases_differ", "");
	FIXES(info.module_version[0], '-', "releases_differ",
	      "(in the sources of this release) make dkms-install && " RELOAD);
	FIXES(info.stats_version, 2, "module_old",
	      "(in the sources of this release) make dkms-install && " RELOAD);
	put("etc/os-release", "NAME=x\nID=\"debian\"\n");
	FIXES(info.stats_version, 2, "module_old", "apt install taskrt-dkms && " RELOAD);
	take("etc/os-release");
}

/* Probes that are switched off say that they are attached, all the same. */
static void kprobes(void **state)
{
	struct inventory inventory = healthy();

	(void)state;
	put("sys/kernel/debug/kprobes/enabled", "1\n");
	no_findings(state);
	put("sys/kernel/debug/kprobes/enabled", "0\n");
	expect(&inventory, 1, "switched off");
	expect_fix(&inventory, "kprobes_off", "echo 1 > /sys/kernel/debug/kprobes/enabled");
	take("sys/kernel/debug/kprobes/enabled");
}

static void ftrace(void **state)
{
	struct inventory inventory = healthy();

	(void)state;
	put("proc/sys/kernel/ftrace_enabled", "1\n");
	no_findings(state);
	put("proc/sys/kernel/ftrace_enabled", "0\n");
	expect(&inventory, 1, "ftrace is switched off");
	expect_fix(&inventory, "ftrace_off", "echo 1 > /proc/sys/kernel/ftrace_enabled");
	take("proc/sys/kernel/ftrace_enabled");
}

/* Many hooks, all missing: no overrun, all counted. */
static void many_findings(void **state)
{
	struct inventory inventory = healthy();
	struct findings findings;
	size_t i;

	(void)state;
	inventory.info.nr_hooks = MANY_HOOKS;
	for (i = 0; i < MANY_HOOKS; i++)
		hooks[i].status = -ENOENT;
	inventory.info.valid = TASKRT_VALID_CPU | TASKRT_VALID_CGROUP;
	finding_collect(&findings, &inventory, &system_below);
	assert_int_equal(findings.count, MANY_HOOKS + 1);
	assert_non_null(strstr(findings.list[MANY_HOOKS].text, "threads_gone"));
	assert_int_equal(findings.problems, findings.count);
	while (findings.count < FINDINGS_MAX)
		finding_problem(&findings, "more", "one more");
	finding_fix(&findings, "the last one's");
	finding_problem(&findings, "more", "one too many");
	finding_fix(&findings, "not the last one's");
	assert_string_equal(findings.list[FINDINGS_MAX - 1].fix, "the last one's");
	assert_int_equal(findings.count, FINDINGS_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_findings),
		cmocka_unit_test(each_finding),
		cmocka_unit_test(repaired),
		cmocka_unit_test(options),
		cmocka_unit_test(reasons),
		cmocka_unit_test(no_counters),
		cmocka_unit_test(many_findings),
		cmocka_unit_test(fixes),
		cmocka_unit_test(fixes_kprobes),
		cmocka_unit_test(fixes_old_module),
		cmocka_unit_test(kprobes),
		cmocka_unit_test(ftrace),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("finding", tests, begin, end);
}
