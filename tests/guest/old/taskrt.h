/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libtaskrt: ask the taskrt kernel module where a thread's time went.
 *
 * Every function that can fail returns 0 or a negative errno and prints
 * nothing.  A handle is used by one thread at a time; different handles are
 * independent.  Functions that take a handle allocate, talk to the kernel over
 * netlink and may sleep: they are for tools, not for a real-time callback.
 * The others (taskrt_decode, taskrt_delta, the names) touch only what they are
 * given: no system call, lock or allocation, bounded time, real-time safe.
 */
#ifndef TASKRT_H
#define TASKRT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <linux/taskrt.h>

#ifdef __cplusplus
extern "C" {
#endif

struct taskrt;

/**
 * taskrt_open() - connect to the module
 * Return: 0; -ENOENT: the module is not loaded; -EPROTO: it does not speak
 * this library's family version; -ENOMEM; other errors of socket(2).
 * On failure *handle is NULL.
 */
int taskrt_open(struct taskrt **handle);

/** taskrt_close() - disconnect and free; NULL is allowed. */
void taskrt_close(struct taskrt *handle);

/**
 * taskrt_error() - what the last failed call on this handle ran into
 * The kernel's own words (extended ack) where it gave any, else strerror's.
 * Never NULL; valid until the next call on the handle.
 */
const char *taskrt_error(const struct taskrt *handle);

/*
 * The three queries fill at most size bytes of *stats: pass sizeof(*stats).
 * A program built when the structure was shorter passes its shorter size and
 * gets just that version; where the module is older than the program the rest
 * is zero and its valid bits are clear.  stats->version and ->size say what
 * was filled.
 *
 * Return: 0; -ESRCH no such task; -EPERM it may not be read by the caller;
 * -EINVAL a bad argument, or size shorter than version 1; -ENODATA the task is not
 * tracked, or accounting is switched off; -ENODEV the module has gone.
 */
int taskrt_get_thread(struct taskrt *handle, pid_t tid,
		      struct taskrt_stats *stats, size_t size);
int taskrt_get_process(struct taskrt *handle, pid_t tgid,
		       struct taskrt_stats *stats, size_t size);
int taskrt_get_self(struct taskrt *handle,
		    struct taskrt_stats *stats, size_t size);

/* A tgid for taskrt_each_thread(): the threads of every process. */
#define TASKRT_ALL	((pid_t)-1)

/* Return 0 to go on; anything else ends the iteration and is returned. */
typedef int (*taskrt_each_fn)(const struct taskrt_stats *stats, void *arg);

/**
 * taskrt_each_thread() - call fn for every thread the caller may read
 * @tgid: of this process; 0: of the caller's; TASKRT_ALL: of all
 *
 * In ascending order of tid.  fn must not use the same handle.
 * Return: 0, what fn returned, or as the queries; -EINTR: thread ids changed hands
 * meanwhile, so that one may be missing or appear twice: ask again.
 */
int taskrt_each_thread(struct taskrt *handle, pid_t tgid,
		       taskrt_each_fn fn, void *arg);

#define TASKRT_HOOKS_MAX	32

struct taskrt_hook {
	char name[32];		/* as the kernel calls it */
	char kind[16];		/* "tracepoint" or "kretprobe" */
	int32_t status;		/* 0 attached, else a negative errno */
	uint32_t reserved;
	uint64_t hits;
	uint64_t misses;
};

/* What the module measures on this kernel; fields as TASKRT_INFO_A_*. */
struct taskrt_info {
	char module_version[32];
	uint32_t stats_version;
	uint32_t enabled;
	uint64_t valid;
	uint64_t coarse_ns;
	uint64_t enabled_since_ns;
	uint64_t threads_max;
	uint64_t threads_made;
	uint64_t threads_gone;
	uint64_t threads;
	uint64_t processes;
	uint64_t refused;
	uint64_t no_memory;
	uint64_t repaired;
	uint64_t memory_bytes;
	uint32_t record_size;
	uint32_t process_size;
	uint32_t nr_hooks;
	uint32_t reserved;
	struct taskrt_hook hooks[TASKRT_HOOKS_MAX];
};

/** taskrt_get_info() - fill at most size bytes of *info. Return: as the queries. */
int taskrt_get_info(struct taskrt *handle, struct taskrt_info *info, size_t size);

/**
 * taskrt_decode() - take one STATS payload of any version apart
 * Copies what is there and fits, zeroes the rest of size bytes, and clears
 * the valid bits of everything that is not there.
 * Return: 0; -EINVAL a bad argument; -EBADMSG the payload is shorter than it
 * says or than version 1, or its version is 0.
 */
int taskrt_decode(const void *payload, size_t length,
		  struct taskrt_stats *stats, size_t size);

/**
 * taskrt_delta() - what happened between two snapshots of one task
 * Identity, instants of the later one, and longest intervals are taken from after
 * (a longest interval that was already there before reads 0); totals are differences, and a
 * difference that would be negative is 0.  valid is what both have.
 * tracked_time_ns of the result is the time between the two, so the states sum to it.
 * Return: 0; -EINVAL: not the same task (tid, tgid or start_time_ns differ).
 */
int taskrt_delta(const struct taskrt_stats *before, const struct taskrt_stats *after,
		 struct taskrt_stats *delta);

/** taskrt_has() - are all these fields measured? @valid: TASKRT_VALID_* */
static inline int taskrt_has(const struct taskrt_stats *stats, uint64_t valid)
{
	return (stats->valid & valid) == valid;
}

/* Lower-case names as in JSON ("blocked_lock", "rwsem_read"); NULL: no such one. */
const char *taskrt_state_name(unsigned int state);
const char *taskrt_lock_name(unsigned int lock);

/** taskrt_version() - the library's version, "MAJOR.MINOR.PATCH" */
const char *taskrt_version(void);

#ifdef __cplusplus
}
#endif

#endif /* TASKRT_H */
