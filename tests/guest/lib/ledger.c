// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "ledger.h"
#include "tap.h"
#include "totals.h"
#include "window.h"

#define COMPLAINTS	10

void ledger_open(struct ledger *ledger, unsigned int size)
{
	memset(ledger, 0, sizeof(*ledger));
	ledger->pages = calloc(LEDGER_OPEN, sizeof(*ledger->pages));
	ledger->entries = calloc(size, sizeof(*ledger->entries));
	ledger->size = size;
	if (!ledger->pages || !ledger->entries)
		tap_bail("no memory");
	ledger->since_ns = UINT64_MAX;
}

void ledger_begin(struct ledger *ledger)
{
	ledger->since_ns = clock_now();
}

void ledger_close(struct ledger *ledger)
{
	free(ledger->pages);
	free(ledger->entries);
}

static struct ledger_page *page_of(struct ledger *ledger, uint32_t tgid)
{
	struct ledger_page *page, *free_page = NULL;
	unsigned int i;

	for (i = 0; i < LEDGER_OPEN; i++) {
		page = &ledger->pages[i];
		if (page->threads && page->sum.tgid == tgid)
			return page;
		if (!page->threads && !free_page)
			free_page = page;
	}
	if (!free_page)
		tap_bail("%u processes have ended threads and have not ended", LEDGER_OPEN);
	return free_page;
}

static void take_longest(struct taskrt_longest *longest, const struct taskrt_longest *candidate)
{
	if (candidate->ns > longest->ns)
		*longest = *candidate;
}

static void enter_thread(struct ledger *ledger, const struct taskrt_stats *stats)
{
	struct ledger_page *page = page_of(ledger, stats->tgid);
	unsigned int i;

	if (!page->threads)
		memset(&page->sum, 0, sizeof(page->sum));
	page->sum.tgid = stats->tgid;
	page->threads++;
	totals_add(&page->sum, stats);
	for (i = 0; i < TASKRT_NR_STATES; i++)
		take_longest(&page->sum.longest_state[i], &stats->longest_state[i]);
	take_longest(&page->sum.longest_fault, &stats->longest_fault);
	take_longest(&page->sum.longest_lock, &stats->longest_lock);
	ledger->threads++;
}

static void complain(const struct ledger *ledger, const struct taskrt_stats *stats,
		     const struct ledger_page *page, const char *what)
{
	if (ledger->unequal + ledger->longest + ledger->miscounted + ledger->apart > COMPLAINTS)
		return;
	tap_diag("%u %.16s, exit code %#x, %llu threads, told of %u: %s", stats->tgid,
		 stats->comm, stats->exit_code, stats->threads_gone, page->threads, what);
}

static void compare(struct ledger *ledger, const struct taskrt_stats *stats,
		    const struct ledger_page *page)
{
	if (page->threads != stats->threads_gone) {
		ledger->miscounted++;
		complain(ledger, stats, page, "another number of threads");
	}
	if (totals_exceed(&page->sum, stats, "threads > process") >= 0 ||
	    totals_exceed(stats, &page->sum, "process > threads") >= 0 ||
	    !window_adds_up(stats)) {
		ledger->unequal++;
		complain(ledger, stats, page, "the sums differ");
	}
	if (totals_longest_exceed(&page->sum, stats, "threads > process") >= 0 ||
	    totals_longest_exceed(stats, &page->sum, "process > threads") >= 0) {
		ledger->longest++;
		complain(ledger, stats, page, "the longest differ");
	}
	if (ledger->last.process || ledger->last.stats.tgid != stats->tgid) {
		ledger->apart++;
		complain(ledger, stats, page, "not behind its last thread");
	}
}

static void enter_process(struct ledger *ledger, const struct ear_record *record)
{
	const struct taskrt_stats *stats = &record->stats;
	struct ledger_page *page = page_of(ledger, stats->tgid);
	struct ledger_entry *entry = &ledger->entries[ledger->count];

	if (ledger->count == ledger->size)
		tap_bail("more than %u processes", ledger->size);
	if (!page->threads)
		memset(&page->sum, 0, sizeof(page->sum));
	compare(ledger, stats, page);
	*entry = (struct ledger_entry){
		.tgid = stats->tgid, .ppid = stats->ppid, .uid = stats->uid,
		.exit_code = stats->exit_code, .cpu = record->cpu, .threads = page->threads,
	};
	memcpy(entry->comm, stats->comm, sizeof(entry->comm));
	ledger->count++;
	page->threads = 0;
}

static int is_closed(const struct ear_record *record)
{
	const struct taskrt_stats *stats = &record->stats;
	uint32_t id = record->process ? stats->tgid : stats->tid;

	return record->id == id && stats->flags & TASKRT_FLAG_EXITED && !stats->threads &&
	       (record->process || stats->state == TASKRT_STATE_EXITED) && window_adds_up(stats);
}

void ledger_enter(const struct ear_record *record, void *arg)
{
	struct ledger *ledger = arg;

	if (record->stats.start_time_ns < ledger->since_ns ||
	    record->stats.flags & TASKRT_FLAG_KTHREAD)
		return;
	ledger->unclosed += !is_closed(record);
	if (record->process)
		enter_process(ledger, record);
	else
		enter_thread(ledger, &record->stats);
	ledger->last = *record;
}

static int by_tgid(const void *a, const void *b)
{
	const struct ledger_entry *first = a, *second = b;

	return first->tgid < second->tgid ? -1 : first->tgid > second->tgid;
}

void ledger_sort(struct ledger *ledger)
{
	qsort(ledger->entries, ledger->count, sizeof(*ledger->entries), by_tgid);
}

const struct ledger_entry *ledger_find(const struct ledger *ledger, uint32_t tgid,
				       unsigned int *count)
{
	const struct ledger_entry key = { .tgid = tgid }, *found, *end;

	*count = 0;
	found = bsearch(&key, ledger->entries, ledger->count, sizeof(key), by_tgid);
	if (!found)
		return NULL;
	while (found > ledger->entries && found[-1].tgid == tgid)
		found--;
	end = ledger->entries + ledger->count;
	while (found + *count < end && found[*count].tgid == tgid)
		++*count;
	return found;
}
