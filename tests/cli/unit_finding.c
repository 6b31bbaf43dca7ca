// SPDX-License-Identifier: GPL-2.0-only
/* What diagnose finds wrong with a module that answers. */
#include "diagnosed.h"

#include "common/element.h"

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
	FINDS(hooks[0].status, -ENOENT, 0, "no time at all");
	FINDS(hooks[0].status, -ENOENT, 0, "not in this kernel");
	FINDS(hooks[0].status, -EOPNOTSUPP, 0, "not supported");
	FINDS(hooks[0].status, -ENOSYS, 0, "not implemented");
	FINDS(hooks[0].status, -ECANCELED, 1, "left out");
	FINDS(hooks[0].status, -EBUSY, 1, "busy");
	/* What belongs to an option is off by default. */
	FINDS(hooks[0], off("irq_vectors"), -1, "");
	FINDS(hooks[0], off("softirq"), -1, "");
	FINDS(hooks[0], off("cycles"), -1, "");
	FINDS(hooks[0].misses, 100, 0, "missed 100 of 100100 calls");
	FINDS(hooks[0].misses, 101, 1, "missed 101 of");
	FINDS(info.valid, field_valid_all() & ~TASKRT_VALID_LOCK_TIME, 0,
	      "kernel: lock_contention_time_ns");
	FINDS(info.valid, field_valid_all() & ~TASKRT_VALID_CGROUP, 0,
	      "not available on this kernel: cgroup");
	FINDS(info.valid, field_valid_all() & ~TASKRT_VALID_CPU, 0, "on this kernel: cpu");
	FINDS(info.measured.states, 0xfff & ~(1U << TASKRT_STATE_BLOCKED_LOCK), 0,
	      "kernel: states.blocked_lock");
	FINDS(info.measured.timers, 0, 0, "kernel: timers");
	FINDS(info.measured.values, 0x6f, 0, "kernel: values.major_faults");
	/* It could be measured elsewhere; what is measured without being announced is no fault. */
	FINDS(known.states, 0x1fff, 0, "kernel: states.");
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
	FIXES(info.stats_version, 2, "module_old",
	      "(in the sources of this release) make dkms-install && " RELOAD);
	put("var/lib/apt/lists/main_Packages", "Package: taskrt\n\nPackage: taskrt-dkms\n");
	FIXES(info.stats_version, 2, "module_old", "apt install taskrt-dkms && " RELOAD);
	take("var/lib/apt/lists/main_Packages");
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
	assert_int_equal(findings.problems, 0);
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
