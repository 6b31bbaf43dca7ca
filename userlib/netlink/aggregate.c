// SPDX-License-Identifier: LGPL-2.1-or-later
/* The totals of one task as a message has them, in the nests AGGR_*. */
#include <errno.h>
#include <string.h>
#include <netlink/attr.h>

#include "internal.h"
#include "netlink/aggregate.h"
#include "reading.h"

int taskrt_aggregate_read(const struct nlattr *nest, uint32_t *cpu,
			  struct taskrt_reading *reading)
{
	const struct nlattr *attr = nla_data(nest);
	int left = nla_len(nest), err;

	memset(reading, 0, sizeof(*reading));
	if (cpu)
		*cpu = 0;
	for (; nla_ok(attr, left); attr = nla_next(attr, &left)) {
		if (cpu && nla_type(attr) == TASKRT_AGGR_A_CPU && nla_len(attr) == sizeof(*cpu))
			*cpu = nla_get_u32((struct nlattr *)attr);
		err = taskrt_reading_take(reading, nla_type(attr), nla_data(attr), nla_len(attr));
		if (err)
			return err;
	}
	return taskrt_reading_complete(reading);
}
