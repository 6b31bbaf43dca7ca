// SPDX-License-Identifier: LGPL-2.1-or-later
/* One task's totals as they stand in a message: the nests AGGR_*. */
#include <errno.h>
#include <netlink/attr.h>

#include "internal.h"
#include "aggregate.h"

int taskrt_read_aggregate(const struct nlattr *nest, uint32_t *cpu,
			  struct taskrt_stats *stats, size_t size)
{
	const struct nlattr *attr = nla_data(nest), *payload = NULL;
	int left = nla_len(nest);

	if (cpu)
		*cpu = 0;
	for (; nla_ok(attr, left); attr = nla_next(attr, &left)) {
		if (nla_type(attr) == TASKRT_AGGR_A_STATS)
			payload = attr;
		else if (cpu && nla_type(attr) == TASKRT_AGGR_A_CPU &&
			 nla_len(attr) == sizeof(*cpu))
			*cpu = nla_get_u32((struct nlattr *)attr);
	}
	if (!payload)
		return -EBADMSG;
	return taskrt_decode(nla_data(payload), nla_len(payload), stats, size);
}
