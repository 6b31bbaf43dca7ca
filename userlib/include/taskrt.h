/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libtaskrt: ask the taskrt kernel module where a thread's time went.
 *
 * Every function that can fail returns 0 or a negative errno and prints
 * nothing.  A handle is used by one thread at a time; different handles are
 * independent.  Functions that take a handle allocate, talk to the kernel over
 * netlink and may sleep: they are for tools, not for a real-time callback.
 * The others (taskrt_decode, taskrt_diff, the names) touch only what they are
 * given: no system call, lock or allocation, bounded time, real-time safe.
 *
 * Structures that may grow are passed with their size.  One that is filled gets
 * what both sides know of it, and zeroes.
 */
#ifndef TASKRT_H
#define TASKRT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <linux/taskrt.h>
#include "taskrt_reading.h"
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

/**
 * taskrt_get() - what one thread or process has come to
 * @entity: TASKRT_ENTITY_THREAD, _PROCESS or _CHILDREN
 * @id: its thread id or process id; 0: the calling thread, or its process
 * @groups: TASKRT_GROUP_* beside the statistics; what is not asked for costs nothing
 * @size: sizeof(*reading)
 *
 * CHILDREN are the sum over the children that the process @id has waited for, and theirs, as
 * RUSAGE_CHILDREN: a child counts from the moment it was waited for, not if nobody
 * ever waits.  stats.tgid is the parent's; threads_gone counts all threads that are in
 * the sum.  May sleep for a grace period of the kernel's, until the totals of
 * a child just waited for are final.
 *
 * Return: 0; -ESRCH no such task; -EPERM it may not be read by the caller;
 * -EINVAL a bad argument, or size shorter than version 1.0's; -ENODATA the task is not
 * tracked, or accounting is switched off; -EOPNOTSUPP: that entity is not measured on this kernel,
 * or by this module; -ENODEV the module has gone.  After an error *reading is as before.
 */
int taskrt_get(struct taskrt *handle, uint32_t entity, pid_t id, uint32_t groups,
	       struct taskrt_reading *reading, size_t size);

/* Which, and what of them.  All zero: every one, and the statistics alone. */
struct taskrt_query {			/* 64 bytes */
	uint32_t groups;		/* TASKRT_GROUP_* */
	uint32_t entities;		/* TASKRT_ENTITIES_*; 0: threads for taskrt_each(),
					 * both for taskrt_exits_register()
					 */
	uint32_t own_only;		/* not 0: only tasks that the caller's user may read */
	pid_t tgid;			/* only of this process; 0: of any */
	uint64_t cgroup;		/* id of a v2 cgroup, with those below it; 0: any */
	uint64_t reserved[5];		/* 0 */
};

/* Return 0 to go on; anything else ends the iteration and is returned. */
typedef int (*taskrt_each_fn)(const struct taskrt_reading *reading, void *arg);

/**
 * taskrt_each() - call fn for every thread that fits and that the caller may read
 * @query: NULL: of all threads, the statistics alone
 * @size: sizeof(*query); of a longer one the rest must be zero
 * @reading_size: sizeof(struct taskrt_reading): fn is given so many bytes, those that this
 * library does not know as zeroes
 *
 * In ascending order of tid.  fn must not use the same handle.
 * Return: 0, what fn returned, or as taskrt_get(), of which -EINVAL also for a reading_size shorter
 * than version 1.0's; -E2BIG: the query has more than this library
 * knows; -EOPNOTSUPP: the module does not know a part of it; -EINTR: thread ids
 * changed hands meanwhile, so that one may be missing or appear twice: ask again.
 */
int taskrt_each(struct taskrt *handle, const struct taskrt_query *query, size_t size,
		size_t reading_size, taskrt_each_fn fn, void *arg);

/* What the module measures on this kernel; fields as TASKRT_INFO_A_*.  Only grows. */
struct taskrt_info {
	char module_version[32];
	uint32_t stats_version;
	uint32_t enabled;
	uint64_t valid;
	struct taskrt_measured measured;
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
	uint32_t listeners;
	uint32_t groups;	/* TASKRT_GROUP_* that the module knows */
	uint64_t exits_told;
	uint64_t exits_lost;
	uint64_t backlog_bytes;
	uint64_t backlog_max_bytes;
	uint32_t mapped;
	uint32_t armed;
	uint64_t alerts;
	uint64_t alerts_lost;
	uint32_t initial;	/* TASKRT_INITIAL_* */
	uint32_t nr_hooks;	/* see taskrt_info_hook() */
	uint32_t nr_names;	/* see taskrt_info_name() */
	uint32_t reserved;
};

/** taskrt_get_info() - fill at most size bytes of *info, and zero the rest. Return: as taskrt_get(). */
int taskrt_get_info(struct taskrt *handle, struct taskrt_info *info, size_t size);

struct taskrt_hook {
	char name[32];		/* as the kernel calls it */
	char kind[16];		/* "tracepoint", "kprobe" or "kretprobe" */
	int32_t status;		/* 0 attached, else a negative errno */
	uint32_t reserved;
	uint64_t hits;
	uint64_t misses;
};

/**
 * taskrt_info_hook() - one of the hooks that the last taskrt_get_info() was told of
 * @index: below nr_hooks; @size: sizeof(*hook), of which at most this library's is filled
 * Return: 0; -ENOENT: there are not so many; -EINVAL.
 */
int taskrt_info_hook(const struct taskrt *handle, uint32_t index,
		     struct taskrt_hook *hook, size_t size);

/* Of what something is the name. */
enum taskrt_name_kind {
	TASKRT_NAME_STATE,
	TASKRT_NAME_TIMER,
	TASKRT_NAME_LOCK,
	TASKRT_NAME_VALUE,
};

struct taskrt_name {
	uint32_t kind;		/* enum taskrt_name_kind */
	uint32_t number;
	uint32_t parent;	/* of a state: whose cause it shares; itself: it has none */
	uint32_t reserved;
	char name[32];
};

/**
 * taskrt_info_name() - one of the names that the last taskrt_get_info() was told of
 * The module knows them, be they measured here or not; it may be newer than this library.
 * Return: as taskrt_info_hook(), of nr_names.
 */
int taskrt_info_name(const struct taskrt *handle, uint32_t index,
		     struct taskrt_name *name, size_t size);

/**
 * taskrt_decode() - take one STATS payload of any version apart
 * @size: sizeof(*stats)
 * Copies what is there and fits, zeroes the rest of size bytes, and clears
 * the valid bits of everything that is not there.  What is filled is a whole payload itself, of
 * stats->size bytes; stats->version is an earlier one if there is no room for all.
 * Return: 0; -EINVAL a bad argument, or size shorter than version 1; -EBADMSG the payload is
 * shorter than it says or than version 1, its version is 0, or it is a version 3 that was never published.
 */
int taskrt_decode(const void *payload, size_t length,
		  struct taskrt_stats *stats, size_t size);

/**
 * taskrt_diff() - what happened between two readings of one task
 * @size: sizeof(*diff), of all three; *diff may be one of the two
 *
 * Identity, and instants of the later one; totals are differences, and a difference that would
 * be negative is 0.  A longest interval that was already there before reads 0.  groups, valid and
 * measured are what both have.  tracked_time_ns of the result is the time between the
 * two, so the states sum to it.
 * Return: 0; -EINVAL: not the same task (entity, tid, tgid or start_time_ns differ), or a short size.
 */
int taskrt_diff(const struct taskrt_reading *before, const struct taskrt_reading *after,
		struct taskrt_reading *diff, size_t size);

/*
 * Lower-case names as in JSON ("blocked_lock", "fault", "rwsem_read", "wakeups"); NULL: this
 * library knows no such one, but taskrt_info_name() may.  "exited" is the name of TASKRT_STATE_EXITED.
 */
const char *taskrt_state_name(unsigned int state);
const char *taskrt_timer_name(unsigned int timer);
const char *taskrt_lock_name(unsigned int lock);
const char *taskrt_value_name(unsigned int value);

/*
 * Exits: every thread's and every process's last totals, told when it ends.
 *
 * A listener has a socket of its own, and is used by one thread at a time.
 * Poll taskrt_exits_fd() for reading (level- or edge-triggered), then call
 * taskrt_exits_next() with a time-out of 0 until it returns 0; or let it wait.
 * Closing it ends all of its registrations at once.
 */
struct taskrt_exits;

/** taskrt_exits_open() - connect. Nothing is told yet. Return: as taskrt_open(). */
int taskrt_exits_open(struct taskrt_exits **exits);

/** taskrt_exits_close() - disconnect and free; NULL is allowed. */
void taskrt_exits_close(struct taskrt_exits *exits);

/** taskrt_exits_error() - as taskrt_error() */
const char *taskrt_exits_error(const struct taskrt_exits *exits);

/** taskrt_exits_fd() - to poll for reading; not to be read or closed */
int taskrt_exits_fd(const struct taskrt_exits *exits);

/**
 * taskrt_exits_set_buffer() - size of the socket's receive buffer
 * What does not fit there waits in the module's backlog, so this is seldom needed.
 * Above net.core.rmem_max it needs CAP_NET_ADMIN, else less is had.
 * Return: 0; a negative errno.  *got, if not NULL: the bytes that it has now.
 */
int taskrt_exits_set_buffer(struct taskrt_exits *exits, size_t bytes, size_t *got);

/**
 * taskrt_exits_register() - be told of these exits, too
 * @cpus: of tasks that end on these, "0-3,7"; NULL: "all"
 * @query: NULL: of everybody, threads and processes, with their times
 * @size: sizeof(*query); of a longer one the rest must be zero
 * @accepted: where not NULL, the CPUs as the module understood them, a list
 *
 * Exits that begin after this returned are told for sure.  The groups of the last
 * registration hold for all of this listener.
 * Return: 0; -EINVAL a bad list of CPUs, or a CPU that cannot exist, and
 * taskrt_exits_error() says which; -E2BIG: the query has more than this library knows; -EPERM:
 * listening to everybody needs CAP_NET_ADMIN, set own_only; -ESRCH no such process; -ENOENT no such
 * cgroup; -EUSERS the user has too many listeners, or the listener too many
 * registrations; -ENODATA accounting is switched off; -ENODEV the module has gone; -EOPNOTSUPP
 * the module is older than exits; -ENOSPC accepted is too short; -EAGAIN or -ENOBUFS: the
 * socket was full again and again, read from it first.
 * Records may have come meanwhile: call taskrt_exits_next() before polling again.
 */
int taskrt_exits_register(struct taskrt_exits *exits, const char *cpus,
			  const struct taskrt_query *query, size_t size,
			  char *accepted, size_t accepted_size);

/** taskrt_exits_deregister() - no more of these CPUs; NULL: "all". Return: as to register. */
int taskrt_exits_deregister(struct taskrt_exits *exits, const char *cpus,
			    char *accepted, size_t accepted_size);

/* What became of the records of a listener.  Only grows. */
struct taskrt_exits_status {
	uint64_t sequence;		/* records so far: told, in the backlog, and lost */
	uint64_t lost;
	uint64_t backlog_bytes;
	uint32_t nr_registrations;	/* see taskrt_exits_registration() */
	uint32_t reserved;
};

/**
 * taskrt_exits_get_status() - ask the module
 * Fills at most size bytes of *status, and zeroes the rest.  Records that arrive meanwhile are
 * kept for taskrt_exits_next().
 * Return: as taskrt_exits_deregister().
 */
int taskrt_exits_get_status(struct taskrt_exits *exits,
			    struct taskrt_exits_status *status, size_t size);

/* One registration.  Only grows. */
struct taskrt_registration {
	const char *cpus;		/* of tasks that end on these, "0-3,7" */
	size_t reserved[7];
	struct taskrt_query query;
};

/**
 * taskrt_exits_registration() - one of those that the last taskrt_exits_get_status() was told of
 * @index: below nr_registrations
 * @size: sizeof(*registration); what it points to is valid until the next taskrt_exits_get_status()
 * Return: 0; -ENOENT: there are not so many; -EINVAL.
 */
int taskrt_exits_registration(const struct taskrt_exits *exits, uint32_t index,
			      struct taskrt_registration *registration, size_t size);

/* More may follow, of files and of what is asked for: those not known are to be skipped. */
enum taskrt_exit_type {
	TASKRT_EXIT_THREAD,
	TASKRT_EXIT_PROCESS,
	TASKRT_EXIT_LOST,	/* no record: lost_now more are lost */
};

struct taskrt_exit {
	uint32_t type;		/* enum taskrt_exit_type */
	uint32_t cpu;		/* where it ended */
	uint64_t seq;		/* records before this one; told + lost */
	uint64_t lost;		/* records lost so far */
	uint64_t lost_now;	/* of TASKRT_EXIT_LOST: how many were lost here */
	uint64_t reserved[4];
	struct taskrt_reading reading;	/* of THREAD and PROCESS */
};

/**
 * taskrt_exits_next() - the next record, in the order in which tasks ended
 * @timeout_ms: wait so long for it at most; 0: do not wait; negative: for ever
 * @size: sizeof(*exit)
 *
 * A loss is told in its place, as a record of its own: those received + lost are
 * the sequence, always.
 * Return: 1: *exit was filled; 0: none came in time; -EINTR: a signal came first; -ENODEV: the
 * module was removed; -EBADMSG: a message that makes no sense (it was skipped); other errors
 * of recvmsg(2).
 */
int taskrt_exits_next(struct taskrt_exits *exits, int timeout_ms,
		      struct taskrt_exit *exit, size_t size);

/*
 * A file of exit records: a header with a magic, a version and the byte order,
 * then the records, each with its size and a checksum.  Written and read in sequence, so it may
 * be a pipe.  A record is made of items, each with its length, which are the attributes of the
 * wire; older programs skip those that they do not know.
 */
struct taskrt_file;

/** taskrt_file_create() - begin a file on fd, which stays the caller's. Return: 0, negative errno. */
int taskrt_file_create(struct taskrt_file **file, int fd);

/** taskrt_file_open() - read one. Return: 0; -EBADMSG: not such a file; -EPROTO: of another byte order or newer major version. */
int taskrt_file_open(struct taskrt_file **file, int fd);

/**
 * taskrt_file_write() - append one record, buffered; @size: sizeof(*exit)
 * Return: 0; -E2BIG: the record has more than this library knows; other negative errno.
 */
int taskrt_file_write(struct taskrt_file *file, const struct taskrt_exit *exit, size_t size);

/** taskrt_file_flush() - everything is written when it returns 0. */
int taskrt_file_flush(struct taskrt_file *file);

/** taskrt_file_next() - @size: sizeof(*exit). Return: 1: *exit was filled; 0: the end; -EBADMSG: damaged or cut off here. */
int taskrt_file_next(struct taskrt_file *file, struct taskrt_exit *exit, size_t size);

/** taskrt_file_close() - flush and free; NULL is allowed. Return: as taskrt_file_flush(). */
int taskrt_file_close(struct taskrt_file *file);

/** taskrt_version() - the library's version, "MAJOR.MINOR.PATCH" */
const char *taskrt_version(void);

#ifdef __cplusplus
}
#endif

#endif /* TASKRT_H */
