// SPDX-License-Identifier: GPL-2.0-only
/* Until 5.11, pages charged to a memory cgroup had a page type of their own: 18b2db3b0385. */
#include <linux/mm.h>
#include <linux/page-flags.h>

int feature(struct page *page);
int feature(struct page *page)
{
#ifndef TASKRT_CONTROL
	return PageKmemcg(page);
#else
	return page_count(page);
#endif
}
