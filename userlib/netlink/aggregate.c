// SPDX-License-Identifier: LGPL-2.1-or-later
/* The totals of one task as a message has them, in the nests AGGR_*. */
#include <errno.h>
#include <string.h>

#include "internal.h"
#include "netlink/aggregate.h"
#include "netlink/attribute.h"
#include "reading.h"

static int take(struct taskrt_reading *reading, const struct nlattr *attr)
{
	return taskrt_reading_take(reading, taskrt_attribute_type(attr),
				   taskrt_attribute_data(attr), taskrt_attribute_length(attr));
}

static void take_cpu(uint32_t *cpu, const struct nlattr *attr)
{
	*cpu = 0;
	if (attr && taskrt_attribute_length(attr) == sizeof(*cpu))
		memcpy(cpu, taskrt_attribute_data(attr), sizeof(*cpu));
}

/* The statistics are taken first, because they alone may be refused. */
int taskrt_aggregate_read(const struct nlattr *nest, uint32_t *cpu,
			  struct taskrt_reading *reading)
{
	struct taskrt_attributes rest = taskrt_attributes_in(nest);
	const struct nlattr *stats = taskrt_attribute_find(rest, TASKRT_AGGR_A_STATS);
	const struct nlattr *attr;

	if (!stats || take(reading, stats))
		return -EBADMSG;
	if (cpu)
		take_cpu(cpu, taskrt_attribute_find(rest, TASKRT_AGGR_A_CPU));
	memset(reading, 0, offsetof(struct taskrt_reading, stats));
	while ((attr = taskrt_attribute_next(&rest)))
		if (attr != stats && taskrt_attribute_type(attr) != TASKRT_AGGR_A_PAD)
			take(reading, attr);
	return taskrt_reading_complete(reading);
}
