/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A listener without any library between: holds every message that comes to it
 * against what the header promises.
 */
#ifndef LISTENER_H
#define LISTENER_H

#include "raw.h"

#define LISTENER_SELF	UINT32_MAX	/* a tgid: the asker's own process, 0 on the wire */
/* groups: 0 on the wire, which refuses that */
#define LISTENER_NO_GROUP	TASKRT_GROUPS_REFUSED

/* Which exits; all zero: everybody's, everywhere, threads and processes. */
struct listener_filter {
	const char *cpus;		/* NULL: "all" */
	uint32_t entities;
	int own;
	uint32_t tgid;			/* 0: not said */
	uint64_t cgroup;		/* 0: not said */
	uint32_t version;		/* 0: not said */
	uint32_t groups;		/* 0: not said; or LISTENER_NO_GROUP */
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

/* With the usual receive buffer.  0 or negative errno. */
int listener_try_open(struct listener *listener, listener_fn fn, void *arg);
/* The same, or the end of the test. */
void listener_open(struct listener *listener, listener_fn fn, void *arg);
void listener_close(struct listener *listener);

/* A negative errno; answer may be NULL. */
int listener_register(struct listener *listener, const struct listener_filter *filter,
		      struct raw_answer *answer);
/* The same, or the end of the test.  filter may be NULL. */
void listener_listen(struct listener *listener, const struct listener_filter *filter);
/* LIST, DEREGISTER (cpus) or a message of the caller's own. */
int listener_ask(struct listener *listener, uint8_t cmd, const char *cpus,
		 struct raw_answer *answer);
int listener_send(struct listener *listener, struct raw_message *message,
		  struct raw_answer *answer);
/* An u64 of a LIST, or the end of the test. */
uint64_t listener_listed(struct listener *listener, uint16_t type);

/* Takes what is there, and never blocks.  0: a record or a report came; or a negative errno. */
int listener_read(struct listener *listener);
/* Reads until so many ms have passed or something came; 0: nothing did. */
int listener_wait(struct listener *listener, int ms);
/* Reads until that process's record came; bails out if it does not. */
void listener_until(struct listener *listener, pid_t tgid);
/* Ends a fresh process and reads until its record came: all before it have come too. */
void listener_drain(struct listener *listener);

#endif
