// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opening calls each function once, so that no later call of a real-time thread is the
 * first to touch a page of the library.  The kernel maps several pages at once, so page
 * faults would show little.  Here no page of the library may be accessed at first, and
 * a handler permits the access and counts.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fake_device.h"
#include "tap.h"

#define MAPPINGS	16
#define EVERY_GROUP	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST)

/* The library's, as long as they are still protected. */
static struct {
	uintptr_t from, until;
	int protection;
} mappings[MAPPINGS];
static unsigned int nr_mappings;
static uintptr_t page_bytes;
static volatile sig_atomic_t touched;

/* A device whose page says nothing: version and sizes are all that matters. */
static int device(void)
{
	struct taskrt_page *page = page_new(1);
	int fd;

	page->map_size = whole_pages(page->map_size);
	fd = fake_device(page, sizeof(*page), page->map_size);
	free(page);
	return fd;
}

/* The library's call, too. */
int open(const char *path, int flags, ...)
{
	return strcmp(path, TASKRT_DEVICE) ? openat(AT_FDCWD, path, flags) : device();
}

static void permit(int number, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr;
	unsigned int i;

	(void)context;
	for (i = 0; i < nr_mappings; i++) {
		if (at < mappings[i].from || at >= mappings[i].until)
			continue;
		touched++;
		mprotect((void *)(at / page_bytes * page_bytes), page_bytes, mappings[i].protection);
		return;
	}
	signal(number, SIG_DFL);
}

static int protection_of(const char *flags)
{
	return (flags[0] == 'r' ? PROT_READ : 0) | (flags[1] == 'w' ? PROT_WRITE : 0) |
	       (flags[2] == 'x' ? PROT_EXEC : 0);
}

static void find_mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long from, until;
	char line[512], flags[8];

	while (maps && fgets(line, sizeof(line), maps) && nr_mappings < MAPPINGS) {
		if (!strstr(line, "/libtaskrt.so") ||
		    sscanf(line, "%lx-%lx %7s", &from, &until, flags) != 3)
			continue;
		mappings[nr_mappings].from = from;
		mappings[nr_mappings].until = until;
		mappings[nr_mappings++].protection = protection_of(flags);
	}
	if (!nr_mappings)
		tap_bail("no mapping of the library is known");
	fclose(maps);
}

static void protect(void)
{
	const struct sigaction action = {
		.sa_sigaction = permit, .sa_flags = SA_SIGINFO | SA_NODEFER,
	};
	unsigned int i;

	page_bytes = sysconf(_SC_PAGESIZE);
	find_mappings();
	sigaction(SIGSEGV, &action, NULL);
	for (i = 0; i < nr_mappings; i++)
		mprotect((void *)mappings[i].from, mappings[i].until - mappings[i].from, PROT_NONE);
}

/* The first call of each, in the order in which a callback makes them. */
#define FIRST(call)	do {						\
		touched = 0;						\
		(void)(call);						\
		tap_equal(touched, 0, "the first " #call);		\
	} while (0)

static void call_back(struct taskrt_self *self, struct taskrt_histogram *histogram)
{
	struct taskrt_explanation explanation;
	struct taskrt_distribution distribution;
	struct taskrt_histogram_span span;
	struct taskrt_measured measured;
	struct taskrt_stage stage, other;
	struct taskrt_reading reading;
	struct taskrt_series series;
	struct taskrt_snapshot now;
	struct taskrt_jitter jitter;
	struct taskrt_window w;
	char line[600];

	FIRST(taskrt_self_read(self, &now));
	FIRST(taskrt_self_mapped(self));
	FIRST(taskrt_self_measured(self, &measured, sizeof(measured)));
	FIRST(taskrt_self_get(self, EVERY_GROUP, &reading, sizeof(reading)));
	FIRST(taskrt_stage_init(&stage, "mix"));
	FIRST(taskrt_window_begin(&w, self));
	FIRST(taskrt_stage_begin(&stage, self));
	FIRST(taskrt_stage_end(&stage));
	FIRST(taskrt_window_end(&w));
	FIRST(taskrt_window_explain(&w, &explanation, sizeof(explanation)));
	FIRST(taskrt_explanation_format(&explanation, sizeof(explanation), 1, line, sizeof(line)));
	FIRST(taskrt_stage_format(&stage, line, sizeof(line)));
	taskrt_stage_init(&other, "mix");
	FIRST(taskrt_stage_merge(&stage, &other));
	FIRST(taskrt_series_init(&series, 1, 1));
	FIRST(taskrt_series_add(&series, &w));
	FIRST(taskrt_series_percentile(&series, 99));
	FIRST(taskrt_series_jitter(&series, &jitter, sizeof(jitter)));
	FIRST(taskrt_histogram_read(histogram, &span, sizeof(span)));
	FIRST(taskrt_histogram_state(histogram, TASKRT_STATE_RUNNING, &distribution,
				     sizeof(distribution)));
	FIRST(taskrt_histogram_timer(histogram, TASKRT_TIMER_FAULT, &distribution,
				     sizeof(distribution)));
}

int main(void)
{
	struct taskrt_histogram *histogram;
	struct taskrt_self *self;
	int err;

	protect();
	err = taskrt_self_open(&self, TASKRT_SELF_MAPPED);
	tap_equal(err, 0, "it is opened");
	if (err)
		return tap_done();
	tap_equal(taskrt_histogram_open(&histogram, self), 0, "so are histograms");
	tap_ok(touched > 1, "pages of the library were touched");
	call_back(self, histogram);
	taskrt_histogram_close(histogram);
	taskrt_self_close(self);
	return tap_done();
}
