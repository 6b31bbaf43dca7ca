/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread's mapped counters without the library: an independent implementation of the
 * header, so that mistakes of the library and of the module do not cancel out.
 */
#ifndef PAGE_H
#define PAGE_H

#include <linux/taskrt_page.h>
#include <stdint.h>

/* One consistent reading, with the intervals in progress. */
struct page_copy {
	uint64_t at_ns;
	uint32_t status, state;
	struct taskrt_times times;
	struct taskrt_counts counts;	/* of finished intervals, as the page has them */
};

/* Opens the device for reading, or ends the test. */
int page_device(void);
/* Maps length bytes at this offset; NULL and errno if the module refuses. */
const struct taskrt_page *page_try(int fd, unsigned long length, int protection, int flags,
				   long offset);
/* Maps all of the caller's own counters; NULL and errno. */
const struct taskrt_page *page_try_all(int fd);
/* The same, or the end of the test. */
const struct taskrt_page *page_map(int fd);
void page_unmap(const struct taskrt_page *page);
/* The length of the whole mapping. */
unsigned long page_length(const struct taskrt_page *page);
/* The same without a file that stays open. */
const struct taskrt_page *page_own(void);

/* Reads the page; bails out if the writer never leaves it alone. */
void page_read(const struct taskrt_page *page, struct page_copy *copy);
uint32_t page_status(const struct taskrt_page *page);
/* Waits until the page has that status; bails out after CLOCK_PATIENCE. */
void page_await(const struct taskrt_page *page, uint32_t status);

/* Do the states sum to the time for which the thread was tracked, to the nanosecond? */
int page_adds_up(const struct taskrt_page *page, const struct page_copy *copy);
/* Is a word of later less than it was?  Prints which one. */
int page_falls(const struct taskrt_times *earlier, const struct taskrt_times *later);
int page_copy_falls(const struct page_copy *earlier, const struct page_copy *later);

/* Element i of an array of the page; NULL: the array has no such element. */
const void *page_element(const struct taskrt_page *page, const struct taskrt_page_array *array,
			 unsigned int i);
/*
 * Are the fixed part and all arrays what the header says, and within map_size?  Prints
 * what is not.
 */
int page_is_sound(const struct taskrt_page *page);

#endif
