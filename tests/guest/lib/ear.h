/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A listener without any library between: holds every message that comes to it
 * against what the header promises.
 */
#ifndef EAR_H
#define EAR_H

#include "raw.h"

#define EAR_SELF	UINT32_MAX	/* a tgid: the asker's own process, 0 on the wire */
#define EAR_NO_GROUP	TASKRT_GROUPS_REFUSED	/* groups: 0 on the wire, which refuses that */

/* Which exits; all zero: everybody's, everywhere, threads and processes. */
struct ear_filter {
	const char *cpus;		/* NULL: "all" */
	uint32_t entities;
	int own;
	uint32_t tgid;			/* 0: not said */
	uint64_t cgroup;		/* 0: not said */
	uint32_t version;		/* 0: not said */
	uint32_t groups;		/* 0: not said; or EAR_NO_GROUP */
};

struct ear_record {
	int process;			/* else a thread */
	uint32_t id, cpu;
	size_t length;			/* of STATS */
	uint64_t seq;			/* records owed before this one */
	struct taskrt_reading reading;	/* zeroes where there was nothing */
};

typedef void (*ear_fn)(const struct ear_record *record, void *arg);

struct ear {
	struct raw raw;
	ear_fn fn;			/* may be NULL */
	void *arg;
	uint64_t received, lost;	/* records; lost as last reported */
	unsigned int messages, empty;	/* empty: that only report a loss */
	unsigned int wrong;		/* broken promises; each is said why */
	int error;			/* of recv(2), positive; 0: none yet */
	uint32_t awaited;		/* a process, for ear_until() */
	int came;
};

/* With the usual receive buffer.  0 or negative errno. */
int ear_try_open(struct ear *ear, ear_fn fn, void *arg);
/* The same, or the end of the test. */
void ear_open(struct ear *ear, ear_fn fn, void *arg);
void ear_close(struct ear *ear);

/* A negative errno; answer may be NULL. */
int ear_register(struct ear *ear, const struct ear_filter *filter,
		 struct raw_answer *answer);
/* The same, or the end of the test.  filter may be NULL. */
void ear_listen(struct ear *ear, const struct ear_filter *filter);
/* LIST, DEREGISTER (cpus) or a message of the caller's own. */
int ear_ask(struct ear *ear, uint8_t cmd, const char *cpus, struct raw_answer *answer);
int ear_send(struct ear *ear, struct raw_message *message, struct raw_answer *answer);
/* An u64 of a LIST, or the end of the test. */
uint64_t ear_listed(struct ear *ear, uint16_t type);

/* Takes what is there, and never blocks.  0: a record or a report came; or a negative errno. */
int ear_read(struct ear *ear);
/* Reads until so many ms have passed or something came; 0: nothing did. */
int ear_wait(struct ear *ear, int ms);
/* Reads until that process's record came; bails out if it does not. */
void ear_until(struct ear *ear, pid_t tgid);
/* Ends a fresh process and reads until its record came: all before it have come too. */
void ear_drain(struct ear *ear);

#endif
