// SPDX-License-Identifier: GPL-2.0-only
/* Pages charged to a memory cgroup had a type of their own, until 5.11: 18b2db3b0385. */
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
