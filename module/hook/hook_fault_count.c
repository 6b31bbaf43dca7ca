// SPDX-License-Identifier: GPL-2.0-only
/*
 * Times page faults where the kernel counts a fault for the memory cgroup after it has handled
 * it: upstream since about 6.5.  A fault lasts from the entry of handle_mm_fault(), which ftrace
 * reports, to that count.  This costs a third of a kretprobe, and has no limit on the tasks that
 * are inside.
 *
 * The kernel does not count a fault that it will retry (VM_FAULT_RETRY), or a fault in an address
 * space that has lost its owner.  If the task enters the function for the retry, the fault
 * continues.  But a signal may come first, or the page may be there by then.  Therefore a fault
 * also ends when a signal is delivered, when another fault starts, and when the thread leaves its
 * CPU and its stack shows that it has left the function.
 *
 * The kernel gives up most faults for its own use (GUP).  Such a fault is speculative: it counts
 * only once the kernel counts it, or the thread goes to sleep in it.
 */
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include <linux/vm_event_item.h>
#include <trace/events/signal.h>
#ifdef TASKRT_HAVE_MEMCG_TRACEPOINT
#include <trace/events/memcg.h>
#endif
#include "engine/record_fault.h"
#include "hook/hook.h"
#include "hook/hook_fault.h"
#include "hook/hook_fault_count.h"
#include "hook/hook_fault_stack.h"
#include "hook/hook_self.h"
#include "hook/probes.h"
#include "task/process.h"

#ifdef HOOK_FAULT_COUNT
/* The task that attaches the hooks, which has no record yet, makes a page fault as a trial. */
static struct {
	const struct task_struct *task;
	unsigned long address;
	bool ended;
} trial;

static noinline void hook_fault_trial_begun(unsigned long address)
{
	hook_miss(HOOK_HANDLE_MM_FAULT);
	if (READ_ONCE(trial.task) == current)
		trial.address = address;
}

/* The trial fails on older kernels, which count a fault before there is a page. */
static noinline void hook_fault_trial_ended(void)
{
	char byte;

	if (READ_ONCE(trial.task) == current && trial.address)
		trial.ended = !copy_from_user_nofault(&byte, (void __user *)trial.address, 1);
}

/* More flags of struct thread_fault, above the kernel's. */
#define FAULT_KERNEL	BIT(13)	/* the page is for the kernel's own use */
#define FAULT_MAJOR	BIT(14)	/* the kernel has counted it as major */
#define FAULT_LEFT	BIT(15)	/* it was ended: the thread seemed to have left it */
#define FAULTS_MAJOR	(FAULT_MAJOR | FAULT_FLAG_TRIED)

static_assert(FAULT_FLAG_RETRY_NOWAIT < FAULT_KERNEL && FAULT_FLAG_TRIED < FAULT_KERNEL);
#ifdef CONFIG_PER_VMA_LOCK
static_assert(FAULT_FLAG_VMA_LOCK < FAULT_KERNEL);
#endif

static void hook_fault_settle(struct thread *t, bool faults)
{
	record_self_begin(&t->record);
	record_fault_settle(&t->record, faults);
	record_self_end(&t->record);
}

/*
 * The function has returned VM_FAULT_RETRY.  If the fault was for the kernel, it is unknown when,
 * so none of its time counts as computing.
 */
static void hook_fault_leave(struct thread *t)
{
	const bool major = t->fault.flags & FAULTS_MAJOR ||
			   !compat_fault_under_vma_lock(t->fault.flags);

	hook_fault_settle(t, false);
	if (t->fault.flags & FAULT_KERNEL)
		record_fault_forget(&t->record);
	while (t->record.fault_depth)
		hook_fault_end(t, major, false);
	t->fault.flags |= FAULT_LEFT;
}

/*
 * The slow path of hook_fault_recheck().  With a kretprobe, returns_to is 0: it sees every return.
 * On arm64 only a thread that sleeps is checked, because another one may be preempted before the
 * function has a frame record.
 */
void hook_fault_check_stack(struct thread *t, bool sleeps)
{
	if (!t->fault.returns_to || (IS_ENABLED(CONFIG_ARM64) && !sleeps))
		return;
	if (!hook_fault_inside(&t->fault))
		hook_fault_leave(t);
	else if (sleeps)
		hook_fault_settle(t, true);
}

/* True if the page is for the kernel, which passes registers only for a faulting instruction. */
static __always_inline bool hook_fault_for_kernel(struct ftrace_regs *regs)
{
	return !ftrace_regs_get_argument(regs, 3);
}

/* The outermost fault starts. */
static __always_inline void hook_fault_open(struct thread *t, struct ftrace_regs *regs)
{
	const u32 seq = record_fault_seq(&t->record);
	bool open;
	u64 now;

	if (likely(hook_self_begin(t, &now))) {
		open = record_fault_open(&t->record, seq, now);
		record_self_end(&t->record);
		if (likely(open))
			return;
	}
	dispatch_fault_begin(t, (void *)ftrace_regs_get_argument(regs, 0),
			     ftrace_regs_get_argument(regs, 1), ftrace_regs_get_argument(regs, 2));
}

static __always_inline void hook_fault_close(struct thread *t, bool major)
{
	bool closed;
	u64 now;

	if (likely(hook_self_begin(t, &now))) {
		closed = record_fault_close(&t->record, major, now);
		record_self_end(&t->record);
		if (likely(closed))
			return;
	}
	dispatch_fault_end(t, major, true);
}

/* True if the thread retries the fault that it is in. */
static bool hook_fault_goes_on(const struct thread_fault *old, const struct thread_fault *new)
{
	return new->flags & FAULT_FLAG_TRIED || (compat_fault_under_vma_lock(old->flags) &&
						 !compat_fault_under_vma_lock(new->flags));
}

/*
 * The rare cases: the thread is in a fault already; or it seemed to have left the last one, which
 * the next count will confirm or refute; or the page is for the kernel.
 */
static noinline void hook_fault_enter_other(struct thread *t, struct thread_fault fault,
					    struct ftrace_regs *regs)
{
	struct record *r = &t->record;
	u32 seq;

	if (r->fault_depth) {
		if (fault.stack != t->fault.stack && hook_fault_inside(&t->fault)) {
			/* A fault inside the fault. */
			hook_fault_settle(t, true);
			if (!(fault.flags & FAULT_FLAG_TRIED))
				hook_fault_begin(t, NULL, 0, 0);
			return;
		}
		if (hook_fault_goes_on(&t->fault, &fault)) {
			fault.flags |= t->fault.flags & (FAULT_KERNEL | FAULT_MAJOR | FAULT_LEFT);
			t->fault = fault;
			return;
		}
		hook_fault_leave(t);
	}
	fault.flags |= t->fault.flags & FAULT_LEFT;
	if (hook_fault_for_kernel(regs))
		fault.flags |= FAULT_KERNEL;
	t->fault = fault;
	if (!(fault.flags & FAULT_KERNEL) || thread_observed(t)) {
		hook_fault_open(t, regs);
		return;
	}
	record_self_begin(r);
	do {
		seq = record_fault_seq(r);
	} while (unlikely(!record_fault_speculative(r, seq, clock_now())));
	record_self_end(r);
}

static __always_inline void hook_fault_entered(struct thread *t, unsigned long parent_ip,
					       struct ftrace_regs *regs)
{
	const struct thread_fault fault = {
		.returns_to = parent_ip,
		.stack = ftrace_regs_get_stack_pointer(regs) >> FAULT_STACK_SHIFT,
		.flags = ftrace_regs_get_argument(regs, 2) & (FAULT_KERNEL - 1),
	};

	hook_hit(HOOK_HANDLE_MM_FAULT);
	if (unlikely(t->record.fault_depth || t->fault.flags & FAULT_LEFT ||
		     hook_fault_for_kernel(regs))) {
		hook_fault_enter_other(t, fault, regs);
		return;
	}
	t->fault = fault;
	hook_fault_open(t, regs);
}

/* While this is off, a callback that could not be detached does nothing. */
static DEFINE_STATIC_KEY_FALSE(hook_fault_wanted);

static void notrace hook_fault_enter(unsigned long ip, unsigned long parent_ip,
				     struct ftrace_ops *ops, struct ftrace_regs *regs)
{
	struct thread *t;

	preempt_disable_notrace();
	if (!static_branch_likely(&hook_fault_wanted))
		goto enable;
	t = thread_of_cpu(current);
	if (likely(t))
		hook_fault_entered(t, parent_ip, regs);
	else
		hook_fault_trial_begun(ftrace_regs_get_argument(regs, 1));
enable:
	preempt_enable_notrace();
}

/* The rare cases: no start was seen; the fault is nested, for the kernel, or has FAULT_LEFT. */
static noinline void hook_fault_count_other(struct thread *t)
{
	if (t->fault.flags & FAULT_LEFT &&
	    !(t->record.fault_depth && hook_fault_inside(&t->fault))) {
		hook_fault_note_traced(&t->fault);
		hook_miss(HOOK_HANDLE_MM_FAULT);
		thread_missed(t);
	}
	t->fault.flags &= ~FAULT_LEFT;
	hook_fault_settle(t, true);
	if (t->record.fault_depth)
		hook_fault_end(t, t->fault.flags & FAULTS_MAJOR, true);
}

/* Context: preemption off. */
static __always_inline void hook_fault_count_item(int item)
{
	struct thread *t;

	if (item != PGFAULT && item != PGMAJFAULT)
		return;
	t = thread_of_cpu(current);
	if (unlikely(!t))
		hook_fault_trial_ended();
	else if (unlikely(item == PGMAJFAULT))
		t->fault.flags |= FAULT_MAJOR;
	else if (likely(t->record.fault_depth == 1 && !(t->fault.flags & FAULT_LEFT)))
		hook_fault_close(t, t->fault.flags & FAULTS_MAJOR);
	else
		hook_fault_count_other(t);
}

/* For kernels without the tracepoint.  The function that counts is called with interrupts off. */
static void notrace hook_fault_count_call(unsigned long ip, unsigned long parent_ip,
					  struct ftrace_ops *ops, struct ftrace_regs *regs)
{
	if (static_branch_likely(&hook_fault_wanted))
		hook_fault_count_item(ftrace_regs_get_argument(regs, 1));
}

static void hook_fault_count_event(void *data, struct mem_cgroup *memcg, int item,
				   unsigned long count)
{
	preempt_disable_notrace();
	hook_fault_count_item(item);
	preempt_enable_notrace();
}

/* A signal handler may run for any time, so the fault ends before it. */
static void hook_fault_signal(void *data, int sig, struct kernel_siginfo *info,
			      struct k_sigaction *action)
{
	struct thread *t;

	preempt_disable_notrace();
	t = thread_of_cpu(current);
	if (t && unlikely(t->record.fault_depth))
		hook_fault_leave(t);
	preempt_enable_notrace();
}

/* ftrace may write to these names. */
static char enter_name[] = "handle_mm_fault", count_name[] = "__count_memcg_events";
static struct ftrace_ops enter_ops, count_ops;
static struct tracepoint *count_tracepoint, *signal_tracepoint;

static void hook_fault_note_tracepoint(struct tracepoint *tracepoint, void *unused)
{
#ifdef TASKRT_HAVE_MEMCG_TRACEPOINT
	if (!strcmp(tracepoint->name, "count_memcg_events"))
		count_tracepoint = tracepoint;
#endif
	if (!strcmp(tracepoint->name, "signal_deliver"))
		signal_tracepoint = tracepoint;
}

static int hook_fault_trace(struct ftrace_ops *ops, ftrace_func_t func, char *name)
{
	int err;

	/* If the callback could not be detached before, ftrace is disabled for good. */
	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		return -EBUSY;
	*ops = (struct ftrace_ops){ .func = func };
	err = ftrace_set_filter(ops, name, strlen(name), 1);
	if (!err)
		err = register_ftrace_function(ops);
	if (err)
		ftrace_free_filter(ops);
	return err;
}

static void hook_fault_untrace(struct ftrace_ops *ops, const char *name)
{
	int err = unregister_ftrace_function(ops);

	if (err)
		hook_pin_module(name, err);
	else
		ftrace_free_filter(ops);
}

static int hook_fault_attach_count(void)
{
	if (count_tracepoint)
		return tracepoint_probe_register(count_tracepoint, hook_fault_count_event, NULL);
	return hook_fault_trace(&count_ops, hook_fault_count_call, count_name);
}

static void hook_fault_detach_count(void)
{
	if (count_tracepoint)
		tracepoint_probe_unregister(count_tracepoint, hook_fault_count_event, NULL);
	else
		hook_fault_untrace(&count_ops, count_name);
}

static int hook_fault_attach_signal(void)
{
	if (!signal_tracepoint)
		return -ENOENT;
	return tracepoint_probe_register(signal_tracepoint, hook_fault_signal, NULL);
}

/*
 * Tests if the hooks see a fault from start to end.  If memory cgroups are switched off, the kernel
 * does not count the fault, and this fails.
 */
static int hook_fault_try(void)
{
	unsigned long address;

	if (!current->mm || current->flags & PF_KTHREAD)
		return -EOPNOTSUPP;
	trial.address = 0;
	trial.ended = false;
	/* After mlockall(MCL_FUTURE), vm_mmap() itself faults, so set the task first. */
	WRITE_ONCE(trial.task, current);
	address = vm_mmap(NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, 0);
	if (!IS_ERR_VALUE(address) && put_user(0, (char __user *)address))
		trial.ended = false;
	WRITE_ONCE(trial.task, NULL);
	if (IS_ERR_VALUE(address))
		return address;
	vm_munmap(address, PAGE_SIZE);
	return trial.ended ? 0 : -EOPNOTSUPP;
}

/* The entry is detached first, because an end without a start is harmless. */
static void hook_fault_detach(void)
{
	hook_fault_untrace(&enter_ops, enter_name);
	tracepoint_probe_unregister(signal_tracepoint, hook_fault_signal, NULL);
	hook_fault_detach_count();
	static_branch_disable(&hook_fault_wanted);
}

static int hook_fault_attach(void)
{
	int err;

	hook_fault_forget();
	for_each_kernel_tracepoint(hook_fault_note_tracepoint, NULL);
	static_branch_enable(&hook_fault_wanted);
	err = hook_fault_attach_count();
	if (err)
		goto unwanted;
	err = hook_fault_attach_signal();
	if (err)
		goto detach_count;
	err = hook_fault_trace(&enter_ops, hook_fault_enter, enter_name);
	if (err)
		goto detach_signal;
	err = hook_fault_try();
	if (!err)
		return 0;
	hook_fault_untrace(&enter_ops, enter_name);
detach_signal:
	tracepoint_probe_unregister(signal_tracepoint, hook_fault_signal, NULL);
detach_count:
	hook_fault_detach_count();
unwanted:
	static_branch_disable(&hook_fault_wanted);
	return err;
}

const struct hook_backend hook_fault_count = {
	.attach = hook_fault_attach,
	.detach = hook_fault_detach,
};

static void __maybe_unused check_types(void)
{
#ifdef TASKRT_HAVE_MEMCG_TRACEPOINT
	check_trace_callback_type_count_memcg_events(hook_fault_count_event);
#endif
	check_trace_callback_type_signal_deliver(hook_fault_signal);
}
#endif /* HOOK_FAULT_COUNT */
