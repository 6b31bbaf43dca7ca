// SPDX-License-Identifier: GPL-2.0-only
/*
 * What taskrt accounts, done by eBPF as well as it can be done: the time, the number of
 * intervals and the longest of them in each state of a thread, its page faults and its
 * contended locks.  The programs are attached to the same places as the module's hooks,
 * by tracepoints with BTF and by trampolines, which are the cheapest there are.
 *
 * The sums of a thread are in its task storage; or, with -DHASH, in a hash map by thread
 * id, as most tools keep them.  No reader gets a consistent answer, no thread that exits
 * is folded into its process, and nobody is told: what that would cost comes on top.
 */
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

/* The fields that are read, wherever the running kernel has them. */
#define KERNEL	__attribute__((preserve_access_index))

struct task_struct {
	int pid;
	unsigned int flags;
	unsigned in_iowait:1;
} KERNEL;

struct pt_regs {
	unsigned long orig_ax;
} KERNEL;

struct vm_area_struct;

enum state {
	RUNNING, PREEMPTED, WOKEN, SLEEPING, BLOCKED_IO, BLOCKED_FAULT, BLOCKED_LOCK,
	BLOCKED_OTHER, SLEEPING_TIMER, SLEEPING_POLL, SLEEPING_FUTEX, STOPPED, NR_STATES = 16,
};

enum {
	TASK_UNINTERRUPTIBLE = 2, TASK_RARE = 0x109c, TASK_NOLOAD = 0x400,
	PF_NOT_IN_SYSCALL = 0x00200010, VM_FAULT_MAJOR = 4, LOCK_KINDS = 8, SYSCALLS = 512,
};

struct interval {
	__u64 ns, count, longest, at;
};

struct account {
	__u32 state;
	__u32 waker;
	__u64 since;
	struct interval states[NR_STATES];
	__u64 lock, lock_since, fault_since, major_ns;
	__u32 lock_kind, faults;
	struct { __u64 ns, count; } locks[LOCK_KINDS];
	struct interval lock_time, fault_time;
};

/* The state by system call; the loader fills it in. */
const volatile __u8 sleeps[SYSCALLS] SEC(".rodata.sleeps") = { 0 };

#ifdef HASH
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__type(key, __u32);
	__type(value, struct account);
} accounts SEC(".maps");

static const struct account empty;

static __always_inline struct account *account_of(struct task_struct *task)
{
	__u32 tid = task->pid;
	struct account *account;

	if (!tid)
		return NULL;
	account = bpf_map_lookup_elem(&accounts, &tid);
	if (account)
		return account;
	bpf_map_update_elem(&accounts, &tid, &empty, BPF_NOEXIST);
	return bpf_map_lookup_elem(&accounts, &tid);
}
#else
struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct account);
} accounts SEC(".maps");

static __always_inline struct account *account_of(struct task_struct *task)
{
	struct account *account;

	if (!task->pid)
		return NULL;
	account = bpf_task_storage_get(&accounts, task, NULL, 0);
	if (account)
		return account;
	return bpf_task_storage_get(&accounts, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
}
#endif

static __always_inline void add(struct interval *interval, __u64 since, __u64 now)
{
	__u64 ns = now - since;

	interval->count++;
	interval->ns += ns;
	if (ns > interval->longest) {
		interval->longest = ns;
		interval->at = since;
	}
}

static __always_inline void move(struct account *account, __u32 to, __u64 now)
{
	if (account->since)
		add(&account->states[account->state & (NR_STATES - 1)], account->since, now);
	account->since = now;
	account->state = to;
}

static __always_inline __u32 sleep_state(struct task_struct *task)
{
	struct pt_regs *regs;
	unsigned long nr;

	if (task->flags & PF_NOT_IN_SYSCALL)
		return SLEEPING;
	regs = (void *)bpf_task_pt_regs((void *)task);
	nr = regs->orig_ax;
	return nr < SYSCALLS ? sleeps[nr] : SLEEPING;
}

static __always_inline __u32 wait_state(const struct account *account, struct task_struct *task,
					unsigned int state)
{
	if (account->lock)
		return BLOCKED_LOCK;
	if (account->fault_since)
		return BLOCKED_FAULT;
	if (state & TASK_RARE)
		return STOPPED;
	if (BPF_CORE_READ_BITFIELD(task, in_iowait))
		return BLOCKED_IO;
	if ((state & (TASK_UNINTERRUPTIBLE | TASK_NOLOAD)) == TASK_UNINTERRUPTIBLE)
		return BLOCKED_OTHER;
	return sleep_state(task);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(account_switch, _Bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	struct account *out = account_of(prev), *in = account_of(next);
	__u64 now = bpf_ktime_get_ns();

	if (in)
		move(in, RUNNING, now);
	if (out)
		move(out, preempt || !prev_state ? PREEMPTED : wait_state(out, prev, prev_state),
		     now);
	return 0;
}

static __always_inline int wake(struct task_struct *task)
{
	struct account *account = account_of(task);

	if (account && account->state > WOKEN) {
		move(account, WOKEN, bpf_ktime_get_ns());
		account->waker = bpf_get_current_pid_tgid();
	}
	return 0;
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(account_wakeup, struct task_struct *task)
{
	return wake(task);
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(account_wakeup_new, struct task_struct *task)
{
	return wake(task);
}

SEC("fentry/handle_mm_fault")
int BPF_PROG(account_fault_begin, struct vm_area_struct *vma)
{
	struct account *account = account_of(bpf_get_current_task_btf());

	if (account && !account->faults++)
		account->fault_since = bpf_ktime_get_ns();
	return 0;
}

SEC("fexit/handle_mm_fault")
int BPF_PROG(account_fault_end, struct vm_area_struct *vma, unsigned long address,
	     unsigned int flags, struct pt_regs *regs, unsigned int result)
{
	struct account *account = account_of(bpf_get_current_task_btf());
	__u64 now, since;

	if (!account || !account->faults || --account->faults)
		return 0;
	now = bpf_ktime_get_ns();
	since = account->fault_since;
	account->fault_since = 0;
	add(&account->fault_time, since, now);
	if (result & VM_FAULT_MAJOR)
		account->major_ns += now - since;
	return 0;
}

SEC("tp_btf/contention_begin")
int BPF_PROG(account_lock_begin, void *lock, unsigned int flags)
{
	struct account *account;

	/* A spinlock, which the module's hook leaves as early. */
	if (flags & 1)
		return 0;
	account = account_of(bpf_get_current_task_btf());
	if (!account || account->lock)
		return 0;
	account->lock = (unsigned long)lock;
	account->lock_kind = flags >> 1;
	account->lock_since = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/contention_end")
int BPF_PROG(account_lock_end, void *lock, int result)
{
	struct account *account = account_of(bpf_get_current_task_btf());
	__u32 kind;
	__u64 now;

	if (!account || account->lock != (unsigned long)lock)
		return 0;
	now = bpf_ktime_get_ns();
	account->lock = 0;
	kind = account->lock_kind & (LOCK_KINDS - 1);
	account->locks[kind].count++;
	account->locks[kind].ns += now - account->lock_since;
	add(&account->lock_time, account->lock_since, now);
	return 0;
}

#ifdef HASH
/* Task storage ends with its task; an entry of the hash map would stay for ever. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(account_exit, struct task_struct *task)
{
	__u32 tid = task->pid;

	bpf_map_delete_elem(&accounts, &tid);
	return 0;
}
#endif

char LICENSE[] SEC("license") = "GPL";
