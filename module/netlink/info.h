/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_INFO_H
#define TASKRT_INFO_H

#include <net/genetlink.h>

/* info_init() - @max_threads, as INFO reports it */
void info_init(u64 max_threads);

/* info_put() - the nest INFO: what this module measures on this kernel, for who asks. May sleep. */
int info_put(struct sk_buff *reply, struct genl_info *asker);

#endif /* TASKRT_INFO_H */
