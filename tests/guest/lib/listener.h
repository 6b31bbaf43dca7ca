/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A listener that does not use the library: it checks every message against what the
 * header promises.
 */
#ifndef LISTENER_H
#define LISTENER_H

#include "raw.h"

#define LISTENER_SELF	UINT32_MAX	/* a tgid: the asker's own process, 0 on the wire */
/* A value of groups: sends 0, which the module refuses. */
#define LISTENER_NO_GROUP	TASKRT_GROUPS_REFUSED

/* The exits to listen to; all zero: all tasks, everywhere, threads and processes. */
struct listener_filter {
	const char *cpus;		/* NULL: "all" */
	uint32_t entities;
	int own;
	uint32_t tgid;			/* 0: not sent */
	const uint32_t *tgids;		/* more of them, nr_tgids */
	unsigned int nr_tgids;
	uint64_t cgroup;		/* 0: not sent */
	uint32_t version;		/* 0: not sent */
	uint32_t groups;		/* 0: not sent; or LISTENER_NO_GROUP */
};

struct listener_record {
	int process;			/* else a thread */
	uint32_t id, cpu;
	size_t length;			/* of STATS */
	uint64_t seq;			/* records for this listener before this one */
	struct taskrt_reading reading;	/* zeroes where there was nothing */
};

typedef void (*listener_fn)(const struct listener_record *record, void *arg);

struct listener {
	struct raw raw;
	listener_fn fn;			/* may be NULL */
	void *arg;
	uint64_t received, lost;	/* records; lost as last reported */
	unsigned int messages, empty;	/* empty: that only report a loss */
	unsigned int wrong;		/* broken promises; each is said why */
	int error;			/* of recv(2), positive; 0: none yet */
	uint32_t awaited;		/* a process, for listener_until() */
	int came;
};

/* Opens a listener with the default receive buffer. 0 or negative errno. */
int listener_try_open(struct listener *listener, listener_fn fn, void *arg);
/* The same, or the end of the test. */
void listener_open(struct listener *listener, listener_fn fn, void *arg);
void listener_close(struct listener *listener);

/* Registers; a negative errno or 0; answer may be NULL. */
int listener_register(struct listener *listener, const struct listener_filter *filter,
		      struct raw_answer *answer);
/* The same, or the end of the test. filter may be NULL. */
void listener_listen(struct listener *listener, const struct listener_filter *filter);
/* Sends LIST, DEREGISTER (cpus) or a message of the caller's own. */
int listener_ask(struct listener *listener, uint8_t cmd, const char *cpus,
		 struct raw_answer *answer);
int listener_send(struct listener *listener, struct raw_message *message,
		  struct raw_answer *answer);
/* A u64 of the answer to LIST, or the end of the test. */
uint64_t listener_listed(struct listener *listener, uint16_t type);

/* Reads what is there, and never blocks. 0: a record or a report came; or a negative errno. */
int listener_read(struct listener *listener);
/* Reads until something came or this many ms have passed; 0: nothing came. */
int listener_wait(struct listener *listener, int ms);
/* Reads until the record of that process came; bails out if it does not come. */
void listener_until(struct listener *listener, pid_t tgid);
/*
 * Ends a fresh process on each CPU and reads until their records came: all records before them
 * have come, too.
 */
void listener_drain(struct listener *listener);

#endif
