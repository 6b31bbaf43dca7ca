// SPDX-License-Identifier: GPL-2.0-only
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include "hook/hook.h"
#include "hook/hook_fault_stack.h"
#include "hook/hook_live.h"

/* The kinds that can be tested, and the kinds that were called at the last test. */
static unsigned int tested;
static unsigned int live = LIVE_ALL;

static DEFINE_PER_CPU(unsigned int, calls);
static DEFINE_PER_CPU(unsigned int, tried);

/* These two functions differ, because the compiler may merge identical ones. */
static noinline void hook_live_by_kprobe(void)
{
	this_cpu_write(tried, LIVE_KPROBES);
}

static int hook_live_probed(struct kprobe *probe, struct pt_regs *regs)
{
	this_cpu_inc(calls);
	return 0;
}

static struct kprobe probe;

#ifdef HOOK_FAULT_COUNT
static noinline void hook_live_by_ftrace(void)
{
	this_cpu_write(tried, LIVE_FTRACE);
}

static void notrace hook_live_traced(unsigned long ip, unsigned long parent_ip,
				     struct ftrace_ops *ops, struct ftrace_regs *regs)
{
	this_cpu_inc(calls);
}

/* ftrace may write to this name. */
static char traced_name[] = "hook_live_by_ftrace";
static struct ftrace_ops ops;

static bool hook_live_trace(void)
{
	/* If the callback could not be detached before, ftrace is disabled for good. */
	if (ops.flags & FTRACE_OPS_FL_ENABLED)
		return false;
	ops = (struct ftrace_ops){ .func = hook_live_traced };
	if (!ftrace_set_filter(&ops, traced_name, strlen(traced_name), 1) &&
	    !register_ftrace_function(&ops))
		return true;
	ftrace_free_filter(&ops);
	return false;
}

static void hook_live_untrace(void)
{
	int err = unregister_ftrace_function(&ops);

	if (err)
		hook_pin_module(traced_name, err);
	else
		ftrace_free_filter(&ops);
}
#else
static void hook_live_by_ftrace(void)
{
}

static bool hook_live_trace(void)
{
	return false;
}

static void hook_live_untrace(void)
{
}
#endif

void hook_live_attach(void)
{
	unsigned int kinds = 0;

	probe = (struct kprobe){
		.symbol_name = KBUILD_MODNAME ":hook_live_by_kprobe",
		.pre_handler = hook_live_probed,
	};
	if (!register_kprobe(&probe))
		kinds |= LIVE_KPROBES;
	if (hook_live_trace())
		kinds |= LIVE_FTRACE;
	WRITE_ONCE(tested, kinds);
	hook_live_look();
}

void hook_live_detach(void)
{
	const unsigned int kinds = tested;

	WRITE_ONCE(tested, 0);
	if (kinds & LIVE_KPROBES)
		unregister_kprobe(&probe);
	if (kinds & LIVE_FTRACE)
		hook_live_untrace();
}

static unsigned int hook_live_try(unsigned int kind, void (*probed)(void))
{
	unsigned int before;
	bool called;

	if (!(READ_ONCE(tested) & kind))
		return READ_ONCE(live) & kind;
	preempt_disable();
	before = this_cpu_read(calls);
	probed();
	called = this_cpu_read(calls) != before;
	preempt_enable();
	if (called)
		return kind;
	/* The kind was not called: it was just detached, or it is silenced. */
	return READ_ONCE(tested) & kind ? 0 : READ_ONCE(live) & kind;
}

bool hook_live_look(void)
{
	const unsigned int now = hook_live_try(LIVE_KPROBES, hook_live_by_kprobe) |
				 hook_live_try(LIVE_FTRACE, hook_live_by_ftrace);

	if (likely(now == READ_ONCE(live)))
		return false;
	WRITE_ONCE(live, now);
	return true;
}

bool hook_live(unsigned int kinds)
{
	return (READ_ONCE(live) & kinds) == kinds;
}
