/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread's mapped counters without any library between: an independent
 * reading of the header, so that the library's mistakes and the module's do
 * not cancel out.
 */
#ifndef PAGE_H
#define PAGE_H

#include <linux/taskrt_page.h>
#include <stdint.h>

/* One consistent reading, the intervals in progress included. */
struct page_copy {
	uint64_t at_ns;
	uint32_t status, state;
	struct taskrt_times times;
	struct taskrt_counts counts;	/* finished intervals, as they are told */
};

/* The device, for reading; or the end of the test. */
int page_device(void);
/* Maps length bytes at offset as told; NULL and errno where that is refused. */
const struct taskrt_page *page_try(int fd, unsigned long length, int protection, int flags,
				   long offset);
/* The caller's own counters, all there is of them; NULL and errno. */
const struct taskrt_page *page_try_all(int fd);
/* The same, or the end of the test. */
const struct taskrt_page *page_map(int fd);
void page_unmap(const struct taskrt_page *page);
/* All that there is to map of it. */
unsigned long page_length(const struct taskrt_page *page);
/* The same without a file that stays open. */
const struct taskrt_page *page_own(void);

/* Bails out if the writer never leaves the page alone. */
void page_read(const struct taskrt_page *page, struct page_copy *copy);
uint32_t page_status(const struct taskrt_page *page);
/* Until it has that status; bails out after CLOCK_PATIENCE. */
void page_await(const struct taskrt_page *page, uint32_t status);

/* The states sum to the time since the thread is tracked, to the nanosecond. */
int page_adds_up(const struct taskrt_page *page, const struct page_copy *copy);
/* A word of later is less than it was; says which. */
int page_falls(const struct taskrt_times *earlier, const struct taskrt_times *later);
int page_copy_falls(const struct page_copy *earlier, const struct page_copy *later);

/* Element i of an array of the page; NULL: it has no such one. */
const void *page_element(const struct taskrt_page *page, const struct taskrt_page_array *array,
			 unsigned int i);
/* Its fixed part and all arrays are what the header says, and within map_size; says what is not. */
int page_is_sound(const struct taskrt_page *page);

#endif
