/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_MAPPING_H
#define TASKRT_MAPPING_H

#include <stddef.h>

struct taskrt_page;
struct taskrt_self;

/*
 * How much there is to map, as the first page of it says: whole pages.
 * Return: 0: that cannot be.
 */
size_t taskrt_mapping_size(const struct taskrt_page *page, size_t page_size);

/*
 * Let it tell of this page, which need not be the module's, as the calling thread's.
 * All of its map_size is there.  It may be a later module's, which has more on it.
 * Return: 0, -EPROTO: none that we understand.
 */
int taskrt_mapping_attach(struct taskrt_self *self, const struct taskrt_page *page);

/*
 * Map the calling thread's counters from the device, and attach them.
 * Return: 0, -EPROTO, an errno of open(2) or mmap(2).
 */
int taskrt_mapping_open(struct taskrt_self *self);

#endif /* TASKRT_MAPPING_H */
