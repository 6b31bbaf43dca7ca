// SPDX-License-Identifier: GPL-2.0-only
/* Page faults that find their page in memory: private, anonymous memory is touched. */
#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bench/fault.h"

#define AREA	(1U << 20)

struct area {
	volatile char *bytes;
	size_t page;		/* bytes */
	uint64_t pages, ns;	/* touched, and how long that took */
};

static long count_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt;
}

/* Giving the pages back is not measured. */
static int touch(struct area *area)
{
	uint64_t began;
	size_t at;

	if (madvise((void *)area->bytes, AREA, MADV_DONTNEED))
		return -errno;
	began = clock_now_ns();
	for (at = 0; at < AREA; at += area->page)
		area->bytes[at] = 1;
	area->ns += clock_now_ns() - began;
	area->pages += AREA / area->page;
	return 0;
}

static int touch_for(struct area *area, uint64_t ns, struct sample *sample)
{
	uint64_t began = clock_now_ns();
	long faults = count_faults();
	int error;

	do
		error = touch(area);
	while (!error && clock_now_ns() - began < ns);
	if (error)
		return error;
	sample->ns = (double)area->ns / (double)area->pages;
	sample->check = (double)(count_faults() - faults) / (double)area->pages;
	sample->checked = 1;
	return 0;
}

int fault_measure(const struct sample_site *site, uint64_t ns, struct sample *sample)
{
	struct area area = { .page = (size_t)sysconf(_SC_PAGESIZE) };
	void *bytes = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int error;

	(void)site;
	if (bytes == MAP_FAILED)
		return -errno;
	/* A kernel without huge pages refuses, and needs no advice. */
	madvise(bytes, AREA, MADV_NOHUGEPAGE);
	area.bytes = bytes;
	error = touch_for(&area, ns, sample);
	munmap(bytes, AREA);
	return error;
}
