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
		if (page->threads && page->sum.stats.tgid == tgid)
			return page;
		if (!page->threads && !free_page)
			free_page = page;
	}
	if (!free_page)
		tap_bail("%u processes have ended threads and have not ended", LEDGER_OPEN);
	return free_page;
}

static void enter_thread(struct ledger *ledger, const struct taskrt_reading *reading)
{
	struct ledger_page *page = page_of(ledger, reading->stats.tgid);

	if (!page->threads)
		memset(&page->sum, 0, sizeof(page->sum));
	page->sum.stats.tgid = reading->stats.tgid;
	page->threads++;
	totals_add(&page->sum, reading);
	totals_take_longest(&page->sum, reading);
	ledger->threads++;
}

static void complain(const struct ledger *ledger, const struct taskrt_reading *reading,
		     const struct ledger_page *page, const char *what)
{
	if (ledger->unequal + ledger->longest + ledger->miscounted + ledger->apart > COMPLAINTS)
		return;
	tap_diag("%u %.16s, exit code %#x, %llu threads, records of %u: %s", reading->stats.tgid,
		 reading->stats.comm, reading->stats.exit_code, reading->stats.threads_gone,
		 page->threads, what);
}

static void compare(struct ledger *ledger, const struct taskrt_reading *reading,
		    const struct ledger_page *page)
{
	if (page->threads != reading->stats.threads_gone) {
		ledger->miscounted++;
		complain(ledger, reading, page, "another number of threads");
	}
	if (totals_exceed(&page->sum, reading, "threads > process") >= 0 ||
	    totals_exceed(reading, &page->sum, "process > threads") >= 0 ||
	    !window_adds_up(reading)) {
		ledger->unequal++;
		complain(ledger, reading, page, "the sums differ");
	}
	if (totals_longest_exceed(&page->sum, reading, "threads > process") >= 0 ||
	    totals_longest_exceed(reading, &page->sum, "process > threads") >= 0) {
		ledger->longest++;
		complain(ledger, reading, page, "the longest differ");
	}
	if (ledger->last.process || ledger->last.reading.stats.tgid != reading->stats.tgid) {
		ledger->apart++;
		complain(ledger, reading, page, "not behind its last thread");
	}
}

static void enter_process(struct ledger *ledger, const struct listener_record *record)
{
	const struct taskrt_reading *reading = &record->reading;
	struct ledger_page *page = page_of(ledger, reading->stats.tgid);
	struct ledger_entry *entry = &ledger->entries[ledger->count];

	if (ledger->count == ledger->size)
		tap_bail("more than %u processes", ledger->size);
	if (!page->threads)
		memset(&page->sum, 0, sizeof(page->sum));
	compare(ledger, reading, page);
	*entry = (struct ledger_entry){
		.tgid = reading->stats.tgid, .ppid = reading->stats.ppid, .uid = reading->stats.uid,
		.exit_code = reading->stats.exit_code, .cpu = record->cpu, .threads = page->threads,
	};
	memcpy(entry->comm, reading->stats.comm, sizeof(entry->comm));
	ledger->count++;
	page->threads = 0;
}

static int is_closed(const struct listener_record *record)
{
	const struct taskrt_stats *stats = &record->reading.stats;
	uint32_t id = record->process ? stats->tgid : stats->tid;

	return record->id == id && stats->flags & TASKRT_FLAG_EXITED && !stats->threads &&
	       (record->process || stats->state == TASKRT_STATE_EXITED) &&
	       window_adds_up(&record->reading);
}

void ledger_enter(const struct listener_record *record, void *arg)
{
	struct ledger *ledger = arg;

	if (record->reading.stats.start_time_ns < ledger->since_ns ||
	    record->reading.stats.flags & TASKRT_FLAG_KTHREAD)
		return;
	ledger->unclosed += !is_closed(record);
	if (record->process)
		enter_process(ledger, record);
	else
		enter_thread(ledger, &record->reading);
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
