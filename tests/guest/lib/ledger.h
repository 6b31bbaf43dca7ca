/* SPDX-License-Identifier: GPL-2.0-only */
/* Compares the last totals of threads with those of their process. */
#ifndef LEDGER_H
#define LEDGER_H

#include "listener.h"

#define LEDGER_OPEN	256	/* processes of which some threads have ended, at a time */

struct ledger_page {
	unsigned int threads;		/* 0: the page is free */
	struct taskrt_reading sum;
};

/* A process that has ended. */
struct ledger_entry {
	uint32_t tgid, ppid, uid, exit_code, cpu;
	unsigned int threads;		/* records of threads */
	char comm[16];
};

struct ledger {
	uint64_t since_ns;		/* older tasks are ignored */
	struct ledger_page *pages;
	struct ledger_entry *entries;
	unsigned int count, size;
	struct listener_record last;
	unsigned int threads;
	/* Processes of which ... */
	unsigned int unequal;		/* a total is not the sum of the threads' */
	unsigned int longest;		/* a longest is not the longest of theirs */
	unsigned int miscounted;	/* threads_gone is not their number */
	unsigned int apart;		/* the record does not follow its last thread's */
	unsigned int unclosed;		/* a record, or a thread's, does not say that it ended */
};

/* Allocates room for this many processes. */
void ledger_open(struct ledger *ledger, unsigned int size);
/* Adds the tasks that begin from now on; call it when all earlier records have arrived. */
void ledger_begin(struct ledger *ledger);
void ledger_close(struct ledger *ledger);
/* A listener_fn. */
void ledger_enter(const struct listener_record *record, void *ledger);
/* Sorts the entries by tgid; needed before a search. */
void ledger_sort(struct ledger *ledger);
/* The first entry of a tgid, or NULL. */
const struct ledger_entry *ledger_find(const struct ledger *ledger, uint32_t tgid,
				       unsigned int *count);

#endif
