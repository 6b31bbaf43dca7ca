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
#include "taskrt_self.h"
#include "taskrt_recorder.h"

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

/**
 * taskrt_get_children() - the sum over the children that a process waited for, and theirs
 * As RUSAGE_CHILDREN: a child counts from the moment it was waited for, not if
 * nobody ever waits.  stats->tgid is the parent's; threads_gone counts all
 * threads that are in the sum.  May sleep for a grace period of the kernel's, until the totals
 * of a child just waited for are final.
 * Return: as the queries; -EOPNOTSUPP: not measured on this kernel, or the module is too old.
 */
int taskrt_get_children(struct taskrt *handle, pid_t tgid,
			struct taskrt_stats *stats, size_t size);

#define TASKRT_HOOKS_MAX	32

struct taskrt_hook {
	char name[32];		/* as the kernel calls it */
	char kind[16];		/* "tracepoint", "kprobe" or "kretprobe" */
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
	/* since 0.2 */
	uint32_t listeners;
	uint32_t reserved2;
	uint64_t exits_told;
	uint64_t exits_lost;
	uint64_t backlog_bytes;
	uint64_t backlog_max_bytes;
	/* since 0.4 */
	uint32_t mapped;
	uint32_t armed;
	uint64_t alerts;
	uint64_t alerts_lost;
	uint32_t initial;	/* TASKRT_INITIAL_* */
	uint32_t reserved3;
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

/*
 * Exits: every thread's and every process's last totals, told when it ends.
 *
 * A listener has a socket of its own, and is used by one thread at a time.  It
 * never blocks: poll taskrt_listener_fd() for reading (level- or
 * edge-triggered), then call taskrt_listener_next() until it returns 0.
 * Closing it ends all of its registrations at once.
 */
struct taskrt_listener;

/* Which exits.  All zero: those of all CPUs, threads and processes, of everybody. */
struct taskrt_listen {
	const char *cpus;	/* "0-3,7", "all"; NULL: "all" */
	uint32_t what;		/* TASKRT_WHAT_*; 0: both */
	uint32_t own;		/* not 0: only tasks that the caller's user may read */
	pid_t tgid;		/* only of this process; 0: of any */
	uint32_t reserved;	/* 0 */
	uint64_t cgroup;	/* id of a v2 cgroup, with those below it; 0: any */
};

/** taskrt_listener_open() - connect. Nothing is told yet. Return: as taskrt_open(). */
int taskrt_listener_open(struct taskrt_listener **listener);

/** taskrt_listener_close() - disconnect and free; NULL is allowed. */
void taskrt_listener_close(struct taskrt_listener *listener);

/** taskrt_listener_error() - as taskrt_error() */
const char *taskrt_listener_error(const struct taskrt_listener *listener);

/** taskrt_listener_fd() - to poll for reading; not to be read or closed */
int taskrt_listener_fd(const struct taskrt_listener *listener);

/**
 * taskrt_listener_set_buffer() - size of the socket's receive buffer
 * What does not fit there waits in the module's backlog, so this is seldom needed.
 * Above net.core.rmem_max it needs CAP_NET_ADMIN, else less is had.
 * Return: 0; a negative errno.  *got, if not NULL: the bytes that it has now.
 */
int taskrt_listener_set_buffer(struct taskrt_listener *listener, size_t bytes, size_t *got);

/**
 * taskrt_listener_register() - be told of these exits, too
 * @listen: NULL: of all; @size: sizeof(*listen)
 * @accepted: where not NULL, the CPUs as the module understood them, a list
 *
 * Exits that begin after this returned are told for sure.
 * Return: 0; -EINVAL a bad list of CPUs, or a CPU that cannot exist, and
 * taskrt_listener_error() says which; -EPERM: listening to everybody needs CAP_NET_ADMIN, set
 * own; -ESRCH no such process; -ENOENT no such cgroup; -EUSERS the user has too many
 * listeners, or the listener too many registrations; -ENODATA accounting is switched off;
 * -ENODEV the module has gone; -EOPNOTSUPP the module is older than exits; -ENOSPC accepted is
 * too short; -EAGAIN or -ENOBUFS: the socket was full again and again, read from it first.
 * Records may have come meanwhile: call taskrt_listener_next() before polling again.
 */
int taskrt_listener_register(struct taskrt_listener *listener,
			     const struct taskrt_listen *listen, size_t size,
			     char *accepted, size_t accepted_size);

/** taskrt_listener_deregister() - no more of these CPUs; NULL: "all". Return: as to register. */
int taskrt_listener_deregister(struct taskrt_listener *listener, const char *cpus,
			       char *accepted, size_t accepted_size);

/* What a listener has registered, and what became of its records. */
struct taskrt_listener_status {
	uint64_t owed;		/* records so far: told, in the backlog, and lost */
	uint64_t lost;
	uint64_t backlog_bytes;
	uint32_t registrations;
	uint32_t reserved;
};

/* Return 0 to go on; cpus of registration is valid during the call only. */
typedef int (*taskrt_registration_fn)(const struct taskrt_listen *registration, void *arg);

/**
 * taskrt_listener_status() - ask the module
 * Fills at most size bytes of *status, and calls fn, if not NULL, for each registration.
 * Records that arrive meanwhile are kept for taskrt_listener_next().
 */
int taskrt_listener_status(struct taskrt_listener *listener,
			   struct taskrt_listener_status *status, size_t size,
			   taskrt_registration_fn fn, void *arg);

enum taskrt_exit_type {
	TASKRT_EXIT_THREAD,
	TASKRT_EXIT_PROCESS,
	TASKRT_EXIT_LOST,	/* no record: lost_now more are lost */
};

struct taskrt_exit {
	uint32_t type;		/* enum taskrt_exit_type */
	uint32_t cpu;		/* where it ended */
	uint64_t seq;		/* records owed before this one; told + lost */
	uint64_t lost;		/* records lost so far */
	uint64_t lost_now;	/* of TASKRT_EXIT_LOST: how many were lost here */
	struct taskrt_stats stats;
};

/**
 * taskrt_listener_next() - the next record, in the order in which tasks ended
 * A loss is told in its place, as a record of its own: those received + lost are
 * those owed, always.  Fills at most size bytes of *exit.
 * Return: 1: *exit was filled; 0: nothing now; -ENODEV: the module was removed; -EBADMSG:
 * a message that makes no sense (it was skipped); other errors of recvmsg(2).
 */
int taskrt_listener_next(struct taskrt_listener *listener, struct taskrt_exit *exit, size_t size);

/*
 * A file of exit records: a header with a magic, a version and the byte order,
 * then the records, each with its size.  Written and read in sequence, so it may be
 * a pipe.  Newer versions only append to the records; older programs skip what they do not know.
 */
struct taskrt_file;

/** taskrt_file_create() - begin a file on fd, which stays the caller's. Return: 0, negative errno. */
int taskrt_file_create(struct taskrt_file **file, int fd);

/** taskrt_file_open() - read one. Return: 0; -EBADMSG: not such a file; -EPROTO: of another byte order or newer major version. */
int taskrt_file_open(struct taskrt_file **file, int fd);

/** taskrt_file_write() - append one record, buffered. Return: 0, negative errno. */
int taskrt_file_write(struct taskrt_file *file, const struct taskrt_exit *exit);

/** taskrt_file_flush() - everything is written when it returns 0. */
int taskrt_file_flush(struct taskrt_file *file);

/** taskrt_file_next() - Return: 1: *exit was filled; 0: the end; -EBADMSG: damaged or cut off here. */
int taskrt_file_next(struct taskrt_file *file, struct taskrt_exit *exit, size_t size);

/** taskrt_file_close() - flush and free; NULL is allowed. Return: as taskrt_file_flush(). */
int taskrt_file_close(struct taskrt_file *file);

/** taskrt_version() - the library's version, "MAJOR.MINOR.PATCH" */
const char *taskrt_version(void);

#ifdef __cplusplus
}
#endif

#endif /* TASKRT_H */
