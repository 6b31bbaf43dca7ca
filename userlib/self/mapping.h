/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_MAPPING_H
#define TASKRT_MAPPING_H

#include <stddef.h>

struct taskrt_page;
struct taskrt_self;

/* Return: the size of the mapping in bytes, from its first page; 0: it is invalid. */
size_t taskrt_mapping_size(const struct taskrt_page *page, size_t page_size);

/*
 * Let @self read this page, which need not be the module's, as the counters of the
 * calling thread.  All of its map_size must be mapped.  The page of a later module may
 * have more on it.
 * Return: 0; -EPROTO: this library cannot read it.
 */
int taskrt_mapping_attach(struct taskrt_self *self, const struct taskrt_page *page);

/*
 * Map the calling thread's counters from the device, and attach them to @self.
 * Return: 0, -EPROTO, an errno of open(2) or mmap(2).
 */
int taskrt_mapping_open(struct taskrt_self *self);

#endif /* TASKRT_MAPPING_H */
