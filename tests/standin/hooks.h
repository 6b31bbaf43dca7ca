/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As much of the kernel as the module's hot path needs beside kernel.h: included before
 * each of the module's files.
 *
 * What a hook runs here and not in the kernel is all in these two files:
 *
 *	the counter of cycles	read as the kernel reads it, ordered; or unordered; or
 *				stepped on by the same amount at each read, which is for
 *				counting.  Where the module calls the kernel's clock (on
 *				arm64), the function here takes that one's place.
 *	per-CPU variables	one of each, where the kernel adds the base of the CPU
 *	a task			the members that a hook reads, on their own cache lines
 *	barriers		as in the compiler's memory model
 *	slow paths		of observed and of exiting threads: surroundings.c refuses
 *
 * Everything else that a hook runs is compiled from the module's own files.
 */
#ifndef TASKRT_STANDIN_HOOKS_H
#define TASKRT_STANDIN_HOOKS_H

#include "kernel.h"

/* The module is compiled as for 6.12: what the kernel has is known there by trying. */
#define TASKRT_HAVE_CONTENTION_TRACEPOINTS
#define TASKRT_HAVE_FAIR_SERVER
#define TASKRT_HAVE_RT_MUTEX_BASE
#define TASKRT_HAVE_SCHED_SWITCH_PREV_STATE
#define TASKRT_HAVE_TASK_STATE_UNDERSCORED
#define TASKRT_HAVE_VM_FLAGS_SET
#define CONFIG_64BIT	1
#define CONFIG_CFS_BANDWIDTH	1
#define CONFIG_CGROUPS	1
#define CONFIG_SMP	1
#if defined(__x86_64__)
#define CONFIG_X86_64	1
#elif defined(__aarch64__)
#define CONFIG_ARM64	1
#else
#error "the module is for x86-64 and arm64"
#endif
/* Those that are not set here. */
#define IS_ENABLED(option)	0

typedef unsigned long vm_flags_t;

#undef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#define __force
#define __maybe_unused		__attribute__((unused))
/* No two variables that the probes use share a cache line. */
#define __read_mostly		__aligned(64)
#define ____cacheline_aligned		__aligned(64)
#define ____cacheline_aligned_in_smp	__aligned(64)
#define static_assert(x)	_Static_assert(x, #x)

#define clamp(x, a, b)		min(max(x, a), b)
#define clamp_t(type, x, a, b)	min_t(type, max((type)(x), (type)(a)), b)
#define swap(a, b)		do { __typeof__(a) swap_ = (a); (a) = (b); (b) = swap_; } while (0)
#define div_u64(a, b)		((u64)(a) / (b))
#define roundup_pow_of_two(n)	(1UL << (64 - __builtin_clzl((n) - 1)))

/* Nothing runs beside it. */
struct irq_work { void (*func)(struct irq_work *work); };
#define IRQ_WORK_INIT_HARD(fn)			(struct irq_work){ .func = (fn) }
#define atomic_set(a, n)			WRITE_ONCE((a)->counter, n)
#define atomic_add(n, a)			((void)((a)->counter += (n)))
#define atomic_inc(a)				atomic_add(1, a)
#define atomic_dec_return_relaxed(a)		(--(a)->counter)
#define atomic_try_cmpxchg_relaxed(a, old, new)	((void)(old), (a)->counter = (new), true)
#define xchg(at, new)				({ typeof(*(at)) old_ = *(at); *(at) = (new); old_; })
#define lockdep_assert_held(lock)		((void)(lock))
#define raw_spin_lock_init(lock)		((void)(lock))

/* Nothing is armed, and no cycles are counted. */
#define static_branch_unlikely(key)	0

/* Nothing is stolen. */
extern unsigned long jiffies;
enum { CPUTIME_STEAL = 7 };
struct kernel_cpustat { u64 cpustat[10]; };
extern struct kernel_cpustat kernel_cpustat;

/* Per-CPU variables: thread_on_cpu and hook_counts lie on different lines in the kernel, too. */
#define DEFINE_PER_CPU(type, name)	__typeof__(type) name __aligned(64)
#define __this_cpu_write(name, v)	((name) = (v))
#define this_cpu_read(name)		READ_ONCE(name)
#define raw_cpu_ptr(p)			(p)
/* One instruction, as in the kernel. */
#ifdef __x86_64__
#define percpu_op(op, name)				\
	do {						\
		if (sizeof(name) == 8)			\
			__asm__ volatile(op "q %0" : "+m" (name));	\
		else					\
			__asm__ volatile(op "l %0" : "+m" (name));	\
	} while (0)
#define __this_cpu_inc(name)		percpu_op("inc", name)
#define __this_cpu_dec(name)		percpu_op("dec", name)
#else
#define __this_cpu_inc(name)		((void)++(name))
#define __this_cpu_dec(name)		((void)--(name))
#endif
#define __this_cpu_add(name, n)		((void)((name) += (n)))
#define __this_cpu_sub(name, n)		((void)((name) -= (n)))
#define this_cpu_inc(name)		__this_cpu_inc(name)
#define this_cpu_write(name, value)	WRITE_ONCE(name, value)
#define per_cpu(name, cpu)		(*((void)(cpu), &(name)))
#define per_cpu_ptr(p, cpu)		((void)(cpu), (p))
#define for_each_possible_cpu(cpu)	for ((cpu) = 0; (cpu) < 1; (cpu)++)
#define num_possible_cpus()		1
#define pr_warn(...)			((void)0)
#define pr_err(...)			((void)0)
#define __module_get(module)		((void)0)
#define schedule_timeout_idle(ticks)	((void)0)
#define CPUHP_BP_PREPARE_DYN		0
#define cpuhp_setup_state_nocalls(state, name, up, down)	((void)(down), (state))
#define cpuhp_remove_state_nocalls(state)	((void)(state))
#define raw_smp_processor_id()		0

struct percpu_counter { s64 count; };
#define percpu_counter_init(c, n, gfp)		((c)->count = (n), 0)
#define percpu_counter_destroy(c)		((void)(c))
#define percpu_counter_set(c, n)		((c)->count = (n))
#define percpu_counter_read(c)			((c)->count)
#define percpu_counter_add_batch(c, n, batch)	((void)(batch), (c)->count += (n))
#define percpu_counter_sum(c)			((c)->count)

/* Memory: see arena.c. */
#define THREAD_SIZE		16384UL
#define PID_MAX_LIMIT		(4UL << 20)
#define SLAB_HWCACHE_ALIGN	1
#define totalram_pages()	(4UL << 20)
#define kvzalloc(size, gfp)	arena_take(size)
#define kvfree(p)		((void)(p))
#define kmem_cache_create(name, size, align, flags, ctor) \
	((void)(name), (void)(flags), arena_cache(size))
#define kmem_cache_destroy(cache)	((void)(cache))
#define kmem_cache_alloc(cache, gfp)	arena_object(cache)
#define kmem_cache_free(cache, p)	((void)(cache), (void)(p))
#define kmem_cache_free_bulk(cache, n, p)	((void)(cache), (void)(n), (void)(p))

struct kmem_cache;
void *arena_take(size_t size);
struct kmem_cache *arena_cache(size_t size);
void *arena_object(struct kmem_cache *cache);

static inline int kmem_cache_alloc_bulk(struct kmem_cache *cache, gfp_t gfp, size_t n, void **p)
{
	return 0;
}

/* As the newest kernels have it: the hooks look how long a wait was. */
#define TASKRT_HAVE_STACK_OF_OTHERS
struct task_struct;
unsigned int stack_trace_save_tsk(struct task_struct *task, unsigned long *frames,
				  unsigned int size, unsigned int skip);

/* What compat.h mentions, and no hook of the replay uses. */
struct vm_area_struct;
struct mem_cgroup;
#define vm_flags_mod(vma, set, clear)	((void)(vma), (void)(set), (void)(clear))

/* Probes.  The tracepoints' types cannot be checked here; the kernel's build does. */
struct pt_regs;
struct kretprobe_instance {
	char data[32];
};

typedef int (*kretprobe_handler_t)(struct kretprobe_instance *ri, struct pt_regs *regs);
struct kprobe {
	const char *symbol_name;
	int (*pre_handler)(struct kprobe *probe, struct pt_regs *regs);
};

struct kretprobe { int unused; };
#define check_trace_callback_type_sched_switch(probe)		((void)(probe))
#define check_trace_callback_type_sched_wakeup(probe)		((void)(probe))
#define check_trace_callback_type_sched_wakeup_new(probe)	((void)(probe))
#define check_trace_callback_type_sched_waking(probe)		((void)(probe))
#define check_trace_callback_type_sched_migrate_task(probe)	((void)(probe))
#define check_trace_callback_type_contention_begin(probe)	((void)(probe))
#define check_trace_callback_type_contention_end(probe)		((void)(probe))

typedef unsigned int vm_fault_t;
#define VM_FAULT_MAJOR		0x4
#define VM_FAULT_RETRY		0x400
#define FAULT_FLAG_VMA_LOCK	0x1000
#define CONFIG_PER_VMA_LOCK	1

#define LCB_F_SPIN		0x1
#define LCB_F_READ		0x2
#define LCB_F_WRITE		0x4
#define LCB_F_RT		0x8
#define LCB_F_MUTEX		0x20

/*
 * A task.  On 6.12 the probes read the lines with its flags, its priority, its group, the server
 * that runs it, in_iowait, maj_flt, and its saved registers, at the end of its stack.  The lines
 * between them are left out.
 */
#define MAX_DL_PRIO		0

struct sched_entity {
	struct sched_entity *parent;
	unsigned int on_rq;
};

struct sched_dl_entity {
	unsigned int dl_throttled : 1;
	unsigned int dl_yielded : 1;
};

#define TASK_RUNNING		0x0
#define TASK_INTERRUPTIBLE	0x1
#define TASK_UNINTERRUPTIBLE	0x2
#define __TASK_STOPPED		0x4
#define __TASK_TRACED		0x8
#define TASK_DEAD		0x80
#define TASK_WAKEKILL		0x100
#define TASK_WAKING		0x200
#define TASK_NOLOAD		0x400
#define TASK_NEW		0x800
#define TASK_RTLOCK_WAIT	0x1000
#define TASK_FROZEN		0x8000
#define PF_IDLE			0x2
#define PF_EXITING		0x4
#define PF_POSTCOREDUMP		0x8
#define PF_IO_WORKER		0x10
#define PF_SIGNALED		0x400
#define PF_USER_WORKER		0x4000
#define TS_COMPAT		0x2

/* Of a thread that is blocked in write(). */
#define O_DSYNC			00010000
typedef int rwf_t;
#define RWF_DSYNC		0x2
#define RWF_SYNC		0x4

struct file {
	unsigned int f_flags;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

#define rcu_dereference_raw(p)		READ_ONCE(p)
#define array_index_nospec(i, size)	((void)(size), (i))

struct task_struct {
	struct {
		unsigned long flags;
		unsigned long syscall_work;
		u32 status;
		u32 cpu;
	} thread_info;
	unsigned int __state;
	void *stack;
	int usage;
	unsigned int flags;
	int on_cpu;
	int exit_state;
	int on_rq __aligned(64);
	int prio;
	struct sched_entity se __aligned(64);
	struct sched_dl_entity dl __aligned(64);
	struct sched_dl_entity *dl_server;
	unsigned int in_iowait : 1 __aligned(64), frozen : 1;
	struct files_struct *files;
	unsigned long maj_flt __aligned(64);
	unsigned long min_flt, nvcsw, nivcsw;
} __aligned(64);

void task_cputime_adjusted(struct task_struct *task, u64 *user, u64 *system);

struct pt_regs {
	unsigned long others[15];
	unsigned long syscall;		/* orig_ax, or syscallno */
	unsigned long rest[5];
};

/* As on 6.12, these are one line of each CPU. */
struct pcpu_hot {
	struct task_struct *current_task;
	int preempt_count;
} __aligned(64);

extern struct pcpu_hot pcpu_hot;

#define current				__this_cpu_read(pcpu_hot.current_task)
#define in_task()			(!(this_cpu_read(pcpu_hot.preempt_count) & 0xff0100))
#define local_irq_save(flags)		((void)((flags) = 0))
#define local_irq_restore(flags)	((void)(flags))
#define preempt_disable_notrace() \
	do { __this_cpu_inc(pcpu_hot.preempt_count); barrier(); } while (0)
#define preempt_enable_notrace() \
	do { barrier(); __this_cpu_dec(pcpu_hot.preempt_count); } while (0)
#define fatal_signal_pending(task)	((void)(task), false)
#define preemptible()			true
#define task_cpu(task)			((task)->thread_info.cpu)
#define task_pid_nr(task)		(!((task)->flags & PF_IDLE))
#define task_pt_regs(task)		((struct pt_regs *)((task)->stack + THREAD_SIZE) - 1)
#define syscall_get_nr(task, regs)	((int)(regs)->syscall)
#define syscall_get_arguments(task, regs, args)	memcpy(args, (regs)->others, 6 * sizeof(long))
#define regs_get_kernel_argument(regs, n)	((regs)->others[n])
#define regs_return_value(regs)		((regs)->others[0])
#define copy_from_kernel_nofault(to, from, size)	(memcpy(to, from, size), 0)

/* The clock. */
#include "timekeeper.h"

void pvclock_gtod_register_notifier(struct notifier_block *notifier);
void pvclock_gtod_unregister_notifier(struct notifier_block *notifier);

#define COUNTED_STEP	1000	/* cycles, between two reads of the clock that only counts */

extern u64 counted_cycles;

#if defined(CLOCK_COUNTED)
#define CLOCK_NAME	"counted"

static __always_inline u64 rdtsc_ordered(void)
{
	return counted_cycles += COUNTED_STEP;
}

#elif defined(CLOCK_PLAIN) && defined(__x86_64__)
#define CLOCK_NAME	"rdtsc"

static __always_inline u64 rdtsc_ordered(void)
{
	u64 low, high;

	__asm__ volatile("rdtsc" : "=a" (low), "=d" (high) :: "memory");
	return low | high << 32;
}

#elif defined(CLOCK_ORDERED) && defined(__x86_64__)
#define CLOCK_NAME	"rdtscp"

static __always_inline u64 rdtsc_ordered(void)
{
	u64 low, high;

	__asm__ volatile("rdtscp" : "=a" (low), "=d" (high) :: "rcx", "memory");
	return low | high << 32;
}

#elif defined(CLOCK_PLAIN)
#define CLOCK_NAME	"cntvct"

static __always_inline u64 rdtsc_ordered(void)
{
	u64 count;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r" (count) :: "memory");
	return count;
}

#else
#define CLOCK_NAME	"isb; cntvct"

static __always_inline u64 rdtsc_ordered(void)
{
	u64 count;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r" (count) :: "memory");
	return count;
}
#endif

/* The hooks ask for the one that is not ordered. */
#define rdtsc()	rdtsc_ordered()

#if defined(__x86_64__)
/* It must not come to that: the module reads the TSC itself. */
u64 ktime_get_mono_fast_ns(void);
#else
extern u32 clock_mult, clock_shift;

static inline u64 ktime_get_mono_fast_ns(void)
{
	return rdtsc_ordered() * clock_mult >> clock_shift;
}
#endif

#endif /* TASKRT_STANDIN_HOOKS_H */
