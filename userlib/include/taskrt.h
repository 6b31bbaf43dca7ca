/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libtaskrt: queries to the taskrt kernel module about where a thread's time went.
 *
 * Every function that can fail returns 0 or a negative errno.  No function prints
 * anything.  A handle may be used by one thread at a time; different handles are
 * independent.  Functions that take a handle allocate memory, communicate with the
 * kernel over netlink and may sleep.  They are for tools, and not for a real-time
 * callback.  The others (taskrt_decode(), taskrt_diff(), the *_name() functions)
 * access only their arguments.  They are real-time safe: they make no system call,
 * take no lock, allocate nothing, and run in bounded time.
 *
 * In a child after fork(2), every request to the kernel on a handle of the parent fails
 * with -ECHILD; the child has to open its own handle.  It shares the socket: what ends
 * when a handle is closed ends when the child has closed its copy as well, has executed
 * another program or has ended.
 *
 * Structures that may grow are passed with their size.  The library fills the part
 * of a structure that both the caller and the library know, and zeroes the rest.  A
 * version such as 1.0 is one of the interface (symbol version LIBTASKRT_1.0), not the
 * release that taskrt_version() returns.
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
 * @handle: set to the new handle, or to NULL on failure
 * No privilege is required.
 * Return: 0; -ENOENT: the module is not loaded; -EPROTO: the module has another
 * version of the netlink family than this library; -ENOMEM; -EINVAL: @handle is
 * NULL; other errors of socket(2) or connect(2).
 */
int taskrt_open(struct taskrt **handle);

/** taskrt_close() - disconnect and free the handle, which may be NULL */
void taskrt_close(struct taskrt *handle);

/**
 * taskrt_error() - describe the error of the last failed call on this handle
 * Return: the message of the kernel (extended ack) if there was one, else that of
 * strerror(3).  It is never NULL, and valid until the next call on the handle.
 */
const char *taskrt_error(const struct taskrt *handle);

/**
 * taskrt_get() - read the totals of one thread or process
 * @entity: TASKRT_ENTITY_THREAD, _PROCESS or _CHILDREN
 * @id: a thread id or process id; 0: the calling thread, or its process; of 64 bits, as
 * the ids of entities of later versions are
 * @groups: TASKRT_GROUP_* to return in addition to the statistics; groups that are
 * not requested are not computed
 * @reading: filled with the totals at the time of the call; unchanged on failure
 * @size: sizeof(*reading)
 *
 * TASKRT_ENTITY_CHILDREN is the sum over the children that process @id has waited
 * for, and their waited-for descendants, as RUSAGE_CHILDREN of getrusage(2).  A child
 * is included once its parent has waited for it, and never if no process does.
 * stats.tgid is the id of the parent, and stats.threads_gone is the number of all
 * threads in the sum.  The totals of a child are final an RCU grace period after the
 * wait.  Until then this function asks again, with pauses, for about one second; after
 * that stats.flags has TASKRT_FLAG_PENDING, and the sum lacks such a child.
 *
 * The caller needs the right to read the task, see libtaskrt(3).
 *
 * Return: 0; -ESRCH: there is no such task; -EPERM: the caller may not read the
 * task; -EINVAL: an argument is invalid, or @size is smaller than in version 1.0;
 * -ENODATA: the task is not tracked, or accounting is switched off; -EOPNOTSUPP: this
 * entity is not measured on this kernel or by this module; -ENODEV: the module was
 * removed; -EBADMSG: the answer is malformed; -ENOMEM.
 */
int taskrt_get(struct taskrt *handle, uint32_t entity, uint64_t id, uint32_t groups,
	       struct taskrt_reading *reading, size_t size);

/* Where a task was in its longest waits: a text for each state, truncated if it is longer. */
#define TASKRT_SITE_ROOM	48

struct taskrt_sites {
	char states[TASKRT_STATES_ROOM][TASKRT_SITE_ROOM];
};

/**
 * taskrt_get_sites() - ask where a task was in its longest waits
 * @reading: of a thread or a process, with TASKRT_GROUP_LONGEST; not a difference
 * @sites: filled with a text for each state, which is empty if the site is not known;
 * unchanged on failure
 * @size: sizeof(*sites)
 *
 * The site of a wait is the kernel function that waited, for example "pipe_read", as
 * /proc/PID/wchan has it.  Known are sites of finished waits of a millisecond and more, in
 * the states blocked_lock, blocked_fault, blocked_io, blocked_other, sleeping_poll, sleeping,
 * sleeping_file and sleeping_socket.  If another wait has become the longest one since the
 * reading, the site is not known either.  The caller needs the same right as for
 * taskrt_get().
 *
 * Return: as taskrt_get(); -EOPNOTSUPP: a kernel before 6.10 does not let modules find it out,
 * or the module is older; -ESRCH: also if another task has the id now.
 */
int taskrt_get_sites(struct taskrt *handle, const struct taskrt_reading *reading,
		     struct taskrt_sites *sites, size_t size);

/* Which of the conditions apply for which 0 is a value. */
#define TASKRT_QUERY_UID	(1U << 0)

/*
 * Conditions and groups.  All zero: all tasks, with the statistics only.
 *
 * The library checks uid, states, comm and after itself, exactly, for taskrt_each();
 * taskrt_exits_register() refuses them.  No module of this version serves changed_since_ns
 * and policies, and both functions refuse them.
 */
struct taskrt_query {			/* 128 bytes */
	uint32_t groups;		/* TASKRT_GROUP_* */
	uint32_t entities;		/* TASKRT_ENTITIES_*; 0: threads for taskrt_each(),
					 * both for taskrt_exits_register()
					 */
	uint32_t own_only;		/* not 0: only tasks that the caller's user may read */
	pid_t tgid;			/* only this process; 0: any process */
	uint64_t cgroup;		/* id of a v2 cgroup, includes its descendants; 0: any */
	uint64_t changed_since_ns;	/* only what may have changed since then; 0: all */
	uint64_t after;			/* only ids above this one; 0: all */
	uint32_t uid;			/* only this user's, if set has TASKRT_QUERY_UID */
	uint32_t states;		/* only in one of these, or in a state whose parent is;
					 * 1 << enum taskrt_state; 0: any
					 */
	uint32_t policies;		/* only with one of these, 1 << SCHED_*; 0: any */
	uint32_t set;			/* TASKRT_QUERY_* */
	char comm[16];			/* only with this name; "": any */
	uint64_t reserved[7];		/* 0 */
};

/*
 * Return: 0 to continue; any other value ends the calls, and taskrt_each() returns it as soon
 * as the kernel has sent the rest, which is dropped.
 */
typedef int (*taskrt_each_fn)(const struct taskrt_reading *reading, void *arg);

/**
 * taskrt_each() - call a function for each thread that matches a query
 * @query: the conditions, which must all hold, and the groups; NULL or all zero:
 * all threads, with the statistics only
 * @size: sizeof(*query); if the library knows fewer bytes, the rest must be zero
 * @reading_size: sizeof(struct taskrt_reading), the number of bytes that @fn receives;
 * bytes that this library does not know are zero
 * @fn: called for each thread; must not use @handle; the reading is valid until it
 * returns
 * @arg: passed to @fn
 *
 * Threads are visited in ascending order of tid.  Threads that the caller may not
 * read are skipped.
 *
 * Return: 0; the value that @fn returned; or an error of taskrt_get().  -EINVAL: also if
 * @reading_size is smaller than in version 1.0; -E2BIG: the query has fields that this
 * library does not know; -EOPNOTSUPP: the module or the library does not serve a part of
 * the query; -ENOENT: there is no such cgroup, or the module is just being inserted;
 * -EINTR: thread ids were reused during the iteration, so that a thread may
 * have been missed or visited twice, and the query should be repeated.
 */
int taskrt_each(struct taskrt *handle, const struct taskrt_query *query, size_t size,
		size_t reading_size, taskrt_each_fn fn, void *arg);

/*
 * What the module measures on this kernel, and its memory use.  The fields are those
 * of TASKRT_INFO_A_* in linux/taskrt.h.  The structure only grows.
 */
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
	uint32_t groups;	/* TASKRT_GROUP_* that it can send on this kernel */
	uint64_t exits_delivered;
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
	uint32_t filters;	/* 1 << TASKRT_FILTER_A_* that it serves on this kernel */
	int64_t monotonic_offset_ns;	/* to add to time stamps for CLOCK_MONOTONIC of the
					 * caller's time namespace; the library adds it nowhere
					 */
};

/**
 * taskrt_get_info() - read what the module measures on this kernel
 * @info: filled with the fields that the library knows; the rest of @size is zeroed
 * @size: sizeof(*info)
 * No privilege is required.
 * Return: 0; -EINVAL: an argument is invalid; -ENODEV: the module was removed;
 * -EBADMSG: the answer is malformed; -ENOMEM.
 */
int taskrt_get_info(struct taskrt *handle, struct taskrt_info *info, size_t size);

struct taskrt_hook {
	char name[32];		/* its name in the kernel */
	char kind[16];		/* "kprobe", ...: see TASKRT_HOOK_A_KIND in <linux/taskrt.h> */
	int32_t status;		/* 0 if attached, else a negative errno */
	uint32_t reserved;
	uint64_t hits;		/* number of calls */
	uint64_t misses;	/* number of calls that could not be accounted */
};

/**
 * taskrt_info_hook() - get one of the hooks that the last taskrt_get_info() returned
 * @index: less than nr_hooks
 * @hook: filled with the fields that the library knows; the rest of @size is zeroed
 * @size: sizeof(*hook)
 * Return: 0; -ENOENT: @index is out of range; -EINVAL: an argument is invalid.
 */
int taskrt_info_hook(const struct taskrt *handle, uint32_t index,
		     struct taskrt_hook *hook, size_t size);

/* The kinds of names. */
enum taskrt_name_kind {
	TASKRT_NAME_STATE,
	TASKRT_NAME_TIMER,
	TASKRT_NAME_LOCK,
	TASKRT_NAME_VALUE,
};

struct taskrt_name {
	uint32_t kind;		/* enum taskrt_name_kind */
	uint32_t number;
	uint32_t parent;	/* of a state, see linux/taskrt.h; its own number: none */
	uint32_t reserved;
	char name[32];
};

/**
 * taskrt_info_name() - get one of the names that the last taskrt_get_info() returned
 * @index: less than nr_names
 * @name: filled with the fields that the library knows; the rest of @size is zeroed
 * @size: sizeof(*name)
 *
 * There is a name for each state, timer, kind of lock and value that the module
 * knows, whether or not it is measured on this kernel.  A newer module may know more
 * of them than this library.
 * Return: 0; -ENOENT: @index is out of range; -EINVAL: an argument is invalid.
 */
int taskrt_info_name(const struct taskrt *handle, uint32_t index,
		     struct taskrt_name *name, size_t size);

/**
 * taskrt_decode() - decode one STATS payload of any version
 * @payload: the payload, which is not trusted and need not be aligned
 * @length: its length in bytes
 * @stats: filled with the fields of the payload; unchanged on failure
 * @size: sizeof(*stats)
 *
 * Copies the fields that are present and that fit, zeroes the rest of @size bytes, and
 * clears the valid bits of all fields that are absent.  The result is a complete
 * payload of stats->size bytes itself.  stats->version is lower than the
 * payload's if there is no room for all of it.  Real-time safe.
 *
 * Return: 0; -EINVAL: an argument is NULL, or @size is smaller than version 1 (32
 * bytes); -EBADMSG: the payload is shorter than its own size field, than its version
 * or than version 1, its version is 0, or it is a version 3 that was never released.
 */
int taskrt_decode(const void *payload, size_t length,
		  struct taskrt_stats *stats, size_t size);

/**
 * taskrt_diff() - compute the difference between two readings of the same task
 * @diff: filled with the difference; may be the same as @before or @after; unchanged
 * on failure
 * @size: sizeof(*diff), which applies to all three
 *
 * Identity and time stamps come from @after.  Totals are differences; a negative
 * difference reads 0.  A longest interval that @before already had reads 0.  groups,
 * valid and measured contain the bits that are set in both readings; that of
 * TASKRT_TIMER_STEAL, which counts from 0, if it is set in @after.  tracked_time_ns is
 * the difference, so the states sum to it: of a thread the time between the readings, of
 * a process or of children the sum over their threads.
 * Real-time safe.
 *
 * Return: 0; -EINVAL: an argument is NULL, @size is smaller than in version 1.0, or
 * the readings are not of the same task: entity, tid, tgid or start_time_ns differ, or
 * one thread has taken over the tid of the other (see start_time_ns in linux/taskrt.h).
 */
int taskrt_diff(const struct taskrt_reading *before, const struct taskrt_reading *after,
		struct taskrt_reading *diff, size_t size);

/*
 * taskrt_state_name(), taskrt_timer_name(), taskrt_lock_name(), taskrt_value_name() -
 * get the lower-case name that is used in JSON, where "fault" is "page_fault", and the names
 * of times end with "_time_ns"
 *
 * Examples are "blocked_lock", "fault", "rwsem_read" and "wakeups".  The name of
 * TASKRT_STATE_EXITED is "exited".  Real-time safe.
 * Return: a constant string; NULL: this library does not know the number.  A newer
 * module may know it, see taskrt_info_name().
 */
const char *taskrt_state_name(unsigned int state);
const char *taskrt_timer_name(unsigned int timer);
const char *taskrt_lock_name(unsigned int lock);
const char *taskrt_value_name(unsigned int value);

/*
 * Exits: a listener receives the final totals of each thread and process that ends.
 *
 * A listener has a socket of its own, and may be used by one thread at a time.
 * Either poll taskrt_exits_fd() for reading (level- or edge-triggered), and then
 * call taskrt_exits_next() with a timeout of 0 until it returns 0, or fails with another
 * error than -EBADMSG; or call it with a timeout.  Closing a listener ends its
 * registration at once, unless a child after fork(2) has a copy of it.
 */
struct taskrt_exits;

/**
 * taskrt_exits_open() - open a listener, without any registration
 * @exits: set to the new listener, or to NULL on failure
 * Return: as taskrt_open().
 */
int taskrt_exits_open(struct taskrt_exits **exits);

/** taskrt_exits_close() - disconnect and free the listener, which may be NULL */
void taskrt_exits_close(struct taskrt_exits *exits);

/** taskrt_exits_error() - describe the last error, as taskrt_error() */
const char *taskrt_exits_error(const struct taskrt_exits *exits);

/** taskrt_exits_fd() - get the file descriptor to poll; it must not be read from or closed */
int taskrt_exits_fd(const struct taskrt_exits *exits);

/**
 * taskrt_exits_set_buffer() - set the size of the socket's receive buffer
 * @bytes: the size, as for SO_RCVBUF in socket(7); without CAP_NET_ADMIN it is limited
 * to net.core.rmem_max
 * @got: if not NULL, set to the resulting size in bytes
 *
 * Seldom needed: records that do not fit into the buffer wait in the module's backlog.
 * Return: 0; a negative errno of setsockopt(2).
 */
int taskrt_exits_set_buffer(struct taskrt_exits *exits, size_t bytes, size_t *got);

/**
 * taskrt_exits_register() - add CPUs to the registration, and replace its query
 * @cpus: the CPUs on which the tasks end, for example "0-3,7"; NULL: "all"
 * @query: the conditions and groups; NULL or all zero: threads and processes of all
 * users, with the statistics only
 * @size: sizeof(*query); if the library knows fewer bytes, the rest must be zero
 * @accepted: if not NULL, filled with the list of CPUs as the module understood it
 * @accepted_size: the size of @accepted; TASKRT_CPUMASK_MAX is always enough
 *
 * Every matching task that starts to exit after this function has returned is
 * reported.  A listener has one registration: @cpus are added to its CPUs, and @query
 * replaces the former query.  Without CAP_NET_ADMIN, own_only must be set.
 *
 * Return: 0; -EINVAL: the list of CPUs is malformed or contains a CPU that cannot
 * exist (taskrt_exits_error() contains the details), or another argument is invalid;
 * -E2BIG: the query has fields that this library does not know; -EPERM: listening to
 * all users requires CAP_NET_ADMIN; -ESRCH: there is no such process; -ENOENT: there is
 * no such cgroup, or the module is just being inserted; -EUSERS: the user has too many
 * listeners, or there are too many listeners of all users; -ENODATA: accounting is
 * switched off; -ENODEV: the module was removed; -EOPNOTSUPP: this kernel or this module does not report exits, or does not know a part
 * of the query; -ENOSPC: @accepted is too short, but the registration has succeeded;
 * -EAGAIN or -ENOBUFS: the socket was full repeatedly; read records first; -EAGAIN also:
 * listeners that the user has closed are not freed yet; -EBADMSG: the answer is malformed;
 * -ENOMEM.
 *
 * Records may have arrived while the function was waiting for the answer: call
 * taskrt_exits_next() before polling again.
 */
int taskrt_exits_register(struct taskrt_exits *exits, const char *cpus,
			  const struct taskrt_query *query, size_t size,
			  char *accepted, size_t accepted_size);

/**
 * taskrt_exits_deregister() - remove CPUs from the registration; without CPUs there is none
 * @cpus: a list of CPUs; NULL: "all"
 * @accepted: as in taskrt_exits_register()
 * @accepted_size: as in taskrt_exits_register()
 * Return: as taskrt_exits_register().
 */
int taskrt_exits_deregister(struct taskrt_exits *exits, const char *cpus,
			    char *accepted, size_t accepted_size);

/* The counters of a listener.  The structure only grows. */
struct taskrt_exits_status {
	uint64_t sequence;		/* records so far: sent, in the backlog, and lost */
	uint64_t lost;			/* records lost */
	uint64_t backlog_bytes;		/* memory of the records in the backlog */
	uint32_t registered;		/* 1: see taskrt_exits_registration(); 0: not at all */
	uint32_t reserved;
};

/**
 * taskrt_exits_get_status() - read the counters and the registration of this listener
 * @status: filled with the fields that the library knows; the rest of @size is zeroed
 * @size: sizeof(*status)
 * Records that arrive while the function waits for the answer are kept for
 * taskrt_exits_next().
 * Return: as taskrt_exits_deregister().
 */
int taskrt_exits_get_status(struct taskrt_exits *exits,
			    struct taskrt_exits_status *status, size_t size);

/* A registration.  The structure only grows. */
struct taskrt_registration {
	const char *cpus;		/* the CPUs on which the tasks end, "0-3,7" */
	size_t reserved[7];
	struct taskrt_query query;
};

/**
 * taskrt_exits_registration() - get the registration that the last
 * taskrt_exits_get_status() returned
 * @registration: filled with the fields that the library knows; the rest of @size is
 * zeroed; its pointers are valid until the next taskrt_exits_get_status()
 * @size: sizeof(*registration)
 * Return: 0; -ENOENT: there was none; -EINVAL: an argument is invalid.
 */
int taskrt_exits_registration(const struct taskrt_exits *exits,
			      struct taskrt_registration *registration, size_t size);

/* More may follow, of files and of what is asked for: those not known are to be skipped. */
enum taskrt_exit_type {
	TASKRT_EXIT_THREAD,
	TASKRT_EXIT_PROCESS,
	TASKRT_EXIT_LOST,	/* no record; lost_now records were lost here */
};

struct taskrt_exit {
	uint32_t type;		/* enum taskrt_exit_type */
	uint32_t cpu;		/* the CPU on which the task ended */
	uint64_t seq;		/* sequence number: records received and lost before this one */
	uint64_t lost;		/* records lost so far */
	uint64_t lost_now;	/* TASKRT_EXIT_LOST: records lost at this position; else 0 */
	uint64_t reserved[4];
	struct taskrt_reading reading;	/* TASKRT_EXIT_THREAD and _PROCESS: the final totals */
};

/**
 * taskrt_exits_next() - receive the next record
 * @timeout_ms: the maximum time to wait for it; 0: do not wait; negative: no limit
 * @exit: filled if the function returns 1
 * @size: sizeof(*exit)
 *
 * Records of tasks that ended on the same CPU are received in the order in which they
 * ended; stats.sample_time_ns is when a task ended.  Lost records are reported at their
 * position among the others, by a record of type TASKRT_EXIT_LOST.
 * The number of records received plus the number of records lost is always equal to
 * the sequence number.
 *
 * Return: 1: *exit was filled; 0: the timeout expired; -EINTR: interrupted by a signal;
 * -ENODEV: the module was removed; -EBADMSG: a malformed message was skipped, and
 * its records will be counted as lost; -EINVAL: an argument is invalid; other errors
 * of recvmsg(2).
 */
int taskrt_exits_next(struct taskrt_exits *exits, int timeout_ms,
		      struct taskrt_exit *exit, size_t size);

/*
 * A file of exit records.  It has a header with a magic number, a version and the
 * byte order, and then the records, each with its size and a checksum.  It is written
 * and read sequentially, so it may be a pipe.  A record consists of items, each with
 * its length, which are the attributes of the netlink message; older programs skip the
 * items that they do not know.  taskrt_file(3) describes the format.
 */
struct taskrt_file;

/**
 * taskrt_file_create() - start a file
 * @file: set to the new handle, or to NULL on failure
 * @fd: the descriptor to write to; it remains owned by the caller
 * Return: 0; a negative errno.
 */
int taskrt_file_create(struct taskrt_file **file, int fd);

/**
 * taskrt_file_open() - open a file for reading, and read its header
 * @file: set to the new handle, or to NULL on failure
 * @fd: the descriptor to read from; it remains owned by the caller
 * Return: 0; -EBADMSG: it is not a file of exit records; -EPROTO: it has another byte
 * order, or a newer major version; another negative errno.
 */
int taskrt_file_open(struct taskrt_file **file, int fd);

/**
 * taskrt_file_write() - append one record to the buffer of the file
 * @size: sizeof(*exit)
 * Return: 0; -E2BIG: the record has fields that this library does not know; another
 * negative errno, after which the record is not in the file.
 */
int taskrt_file_write(struct taskrt_file *file, const struct taskrt_exit *exit, size_t size);

/** taskrt_file_flush() - write all buffered records.  Return: 0; a negative errno of write(2). */
int taskrt_file_flush(struct taskrt_file *file);

/**
 * taskrt_file_next() - read the next record
 * @exit: filled if the function returns 1
 * @size: sizeof(*exit)
 * Return: 1: *exit was filled; 0: end of the file; -EBADMSG: the file is damaged or
 * truncated at this position; another negative errno.
 */
int taskrt_file_next(struct taskrt_file *file, struct taskrt_exit *exit, size_t size);

/**
 * taskrt_file_close() - flush the file and free the handle, which may be NULL
 * The handle is freed even if flushing fails.
 * Return: as taskrt_file_flush().
 */
int taskrt_file_close(struct taskrt_file *file);

/** taskrt_version() - get the version of the library, "MAJOR.MINOR.PATCH".  Real-time safe. */
const char *taskrt_version(void);

#ifdef __cplusplus
}
#endif

#endif /* TASKRT_H */
