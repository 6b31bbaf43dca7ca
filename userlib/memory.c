// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The memory of handles, deadlines and histograms, which real-time threads write without a page
 * fault; and the mark with which a netlink handle recognizes its own process.
 *
 * fork(2) of any thread of the process write-protects all private memory, locked or not, so that
 * the next write to each page is a fault that copies it.  Memory that the kernel zeroes in the
 * child instead is left alone in the parent.  The child finds the zeroes, without a system call,
 * and so knows that the object is not its own.  To free the object, it inherits the page before it,
 * which no real-time function writes.
 *
 * The inherited data is at the end of that page, next to the object.  So it is found without asking
 * for the size of a page.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "memory.h"

struct head {
	size_t length;			/* of the mapping */
};

_Static_assert(sizeof(struct head) <= TASKRT_MEMORY_HEAD, "there is no room for it");

static struct head *head_of(void *memory)
{
	return (struct head *)((char *)memory - TASKRT_MEMORY_PAGE);
}

void *taskrt_memory_new(size_t size)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	const size_t length = page + (size + page - 1) / page * page;
	char *first = mmap(NULL, length, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (first == MAP_FAILED)
		return NULL;
	if (madvise(first + page, length - page, MADV_WIPEONFORK)) {
		munmap(first, length);
		return NULL;
	}
	/* mlock() may not be permitted.  MAP_POPULATE has populated the memory at least. */
	mlock(first, length);
	head_of(first + page)->length = length;
	return first + page;
}

void taskrt_memory_free(void *memory)
{
	if (memory)
		munmap((char *)memory - sysconf(_SC_PAGESIZE), head_of(memory)->length);
}
