/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As much of the kernel as the module's writers of messages and pages need beside kernel.h:
 * included before each of their files.
 */
#ifndef TASKRT_STANDIN_MESSAGES_H
#define TASKRT_STANDIN_MESSAGES_H

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <linux/netlink.h>
#include <linux/genetlink.h>

#include "kernel.h"

#define U32_MAX			((u32)~0U)
#define U64_MAX			(~0ULL)
#define __user
#define __rcu
#define NSEC_PER_USEC		1000L
#define NSEC_PER_SEC		1000000000L
#define ____cacheline_aligned_in_smp

#define ALIGN(x, a)		(((x) + (a) - 1) / (a) * (a))
#define IS_ALIGNED(x, a)	((x) % (a) == 0)
#define GENMASK(h, l)		((~0UL >> (8 * sizeof(long) - 1 - (h))) & (~0UL << (l)))
#define GENMASK_ULL(h, l)	((~0ULL >> (63 - (h))) & (~0ULL << (l)))
#define BUILD_BUG_ON(x)		_Static_assert(!(x), #x)
#define hweight32(x)		__builtin_popcount(x)
#define __ffs64(x)		__builtin_ctzll(x)
#define sizeof_field(type, member)	sizeof(((type *)0)->member)

static inline u64 div64_u64_rem(u64 a, u64 b, u64 *rest)
{
	*rest = a % b;
	return a / b;
}

static inline void strscpy(char *to, const char *from, size_t size)
{
	for (; size > 1 && *from; size--)
		*to++ = *from++;
	*to = 0;
}

static inline void strscpy_pad(char *to, const char *from, size_t size)
{
	memset(to, 0, size);
	strscpy(to, from, size);
}

/* Nothing runs beside the test. */
struct mutex { int unused; };
struct hlist_head { struct hlist_node *first; };

#define DEFINE_RAW_SPINLOCK(name)		raw_spinlock_t name
#define lockdep_assert_held(lock)		((void)(lock))
#define raw_spin_lock(lock)			((void)(lock))
#define raw_spin_unlock(lock)			((void)(lock))
#define DEFINE_MUTEX(name)			struct mutex name
#define mutex_lock(lock)			((void)(lock))
#define mutex_unlock(lock)			((void)(lock))
#define rcu_dereference(p)			(p)
#define synchronize_rcu()			((void)0)
struct kthread_work { void (*func)(struct kthread_work *work); };
#define KTHREAD_WORK_INIT(work, fn)		{ .func = (fn) }
#define call_rcu(rcu, free)			((free)(rcu))
#define list_entry(p, type, member)	container_of(p, type, member)
#define LIST_HEAD(name)		struct list_head name = { &(name), &(name) }
#define list_for_each_entry(p, head, member)						\
	for (p = container_of((head)->next, __typeof__(*p), member);			\
	     &p->member != (head);							\
	     p = container_of(p->member.next, __typeof__(*p), member))
#define hlist_for_each_entry_rcu_notrace(p, head, member)				\
	for (p = NULL; (void)(head), p; )
#define hash_ptr(p, bits)		((u32)(uintptr_t)(p) & ((1U << (bits)) - 1))

static inline void list_add(struct list_head *node, struct list_head *head)
{
	node->next = head->next;
	node->prev = head;
	head->next->prev = node;
	head->next = node;
}

static inline void list_del(struct list_head *node)
{
	node->next->prev = node->prev;
	node->prev->next = node->next;
}

static inline void list_move(struct list_head *node, struct list_head *head)
{
	list_del(node);
	list_add(node, head);
}

/* Memory. */
#define PAGE_ALIGN(size)	ALIGN(size, PAGE_SIZE)
#define __GFP_ACCOUNT		0
#define __GFP_ZERO		0
#define kzalloc(size, gfp)	calloc(1, size)
#define kmalloc(size, gfp)	calloc(1, size)
#define kfree(p)		free(p)
#define virt_to_page(p)		((struct page *)(p))
#define ERR_PTR(err)		((void *)(intptr_t)(err))
#define PTR_ERR(p)		((int)(intptr_t)(p))
#define ERR_CAST(p)		((void *)(p))
#define IS_ERR(p)		((uintptr_t)(p) > (uintptr_t)-4096)

void *alloc_pages_exact(size_t size, gfp_t gfp);
void free_pages_exact(void *pages, size_t size);

/* Instead of module/compat/compat.h, which is about the kernel's own versions. */
#define TASKRT_COMPAT_H
#define COMPAT_GFP_MAPPED	GFP_KERNEL
#define COMPAT_STACK_OF_OTHERS	true

static inline struct mem_cgroup *compat_charge_to(struct mem_cgroup *memcg)
{
	return memcg;
}

/* Tasks.  There is one, which is also the asking one. */
#define SIGNAL_GROUP_EXIT	0x00000004

typedef struct { u32 val; } kuid_t, kgid_t;
struct user_namespace { int unused; };
struct pid_namespace { int unused; };
struct net { int unused; };
struct pid { u32 nr; unsigned int level; };
enum pid_type { PIDTYPE_PID, PIDTYPE_TGID };
struct cred { kuid_t uid; kgid_t gid; };
struct signal_struct { u32 flags; int group_exit_code; atomic_t live; };

struct task_struct {
	struct pid *thread_pid;
	u32 pid, tgid;
	u32 flags;
	int exit_code;
	char comm[TASK_COMM_LEN];
	u64 start_time;
	u64 timer_slack_ns;
	int prio;
	unsigned long nvcsw, nivcsw, min_flt, maj_flt;
	u64 utime, stime;
	u32 cpu;
	struct task_struct *real_parent;
	struct signal_struct *signal;
	const struct cred *cred;
	struct mm_struct *mm;
};

static inline void task_cputime_adjusted(struct task_struct *task, u64 *utime, u64 *stime)
{
	*utime = task->utime;
	*stime = task->stime;
}

extern struct task_struct *current;

#define __task_cred(task)		((task)->cred)
#define current_cred()			(current->cred)
#define get_mem_cgroup_from_mm(mm)	((void)(mm), (struct mem_cgroup *)NULL)
#define mem_cgroup_put(memcg)		((void)(memcg))
#define current_uid()			(current->cred->uid)
#define current_gid()			(current->cred->gid)
#define ns_capable_noaudit(ns, capability)	(true)
extern struct net init_net;
extern struct pid_namespace init_pid_ns;
extern struct user_namespace init_user_ns;

#define current_user_ns()		(&init_user_ns)
#define task_active_pid_ns(task)	((void)(task), &init_pid_ns)
#define genl_info_net(info)		((void)(info), &init_net)
#define net_eq(a, b)			((a) == (b))
#define from_kuid_munged(ns, uid)	((void)(ns), (uid).val)
#define from_kgid_munged(ns, gid)	((void)(ns), (gid).val)
#define __kuid_val(uid)			((uid).val)
#define __kgid_val(gid)			((gid).val)
#define task_tgid(task)			(&(struct pid){ (task)->tgid })
#define task_tgid_nr_ns(task, ns)	((void)(ns), (task)->tgid)
#define pid_alive(task)			((void)(task), true)
#define pid_nr_ns(pid, ns)		((void)(ns), (pid)->nr)
#define pid_nr(pid)			((pid)->nr)
#define task_pid_nr(task)		((task)->pid)
#define task_pid_vnr(task)		((task)->pid)
#define task_tgid_vnr(task)		((task)->tgid)
#define task_cpu(task)			((task)->cpu)

#define in_task()			(true)

u64 ktime_get_mono_fast_ns(void);

/* There are no probes. */
typedef int (*kretprobe_handler_t)(void);
struct kprobe { int unused; };
struct kretprobe { int unused; };

/* Symbols, and the hash that hides an address. */
#define KSYM_SYMBOL_LEN		512
#define KBUILD_MODNAME		"taskrt"
typedef struct { u64 key[2]; } siphash_key_t;
#define siphash_key_is_zero(k)		(!(k)->key[0])
#define get_random_bytes(to, size)	memset(to, 1, size)
#define siphash_1u64(value, k)		((value) ^ (k)->key[0])

void sprint_symbol(char *to, unsigned long address);

#define module_param(name, type, mode)		_Static_assert(1, "")
#define MODULE_PARM_DESC(name, text)		_Static_assert(1, "")
#define TASKRT_VERSION				"1.0"

struct timespec64 { s64 tv_sec; long tv_nsec; };
#define timens_add_monotonic(ts)	((void)(ts))
#define timespec64_to_ns(ts)		((ts)->tv_sec * 1000000000LL + (ts)->tv_nsec)

#include "skb.h"

#endif /* TASKRT_STANDIN_MESSAGES_H */
