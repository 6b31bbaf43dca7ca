// SPDX-License-Identifier: GPL-2.0-only
#include <linux/moduleparam.h>
#include "netlink/coarse.h"
#include "observe/mapping.h"

static unsigned long coarse_ns;

static int coarse_set(const char *value, const struct kernel_param *parameter)
{
	int err = param_set_ulong(value, parameter);

	if (!err && coarse_ns > 1)
		mapping_revoke();
	return err;
}

static const struct kernel_param_ops coarse_ops = {
	.set = coarse_set,
	.get = param_get_ulong,
};

module_param_cb(coarse_ns, &coarse_ops, &coarse_ns, 0644);
MODULE_PARM_DESC(coarse_ns, "Round times down to this many nanoseconds for readers without CAP_PERFMON (0: exact)");

u64 coarse_for(const struct access_asker *who)
{
	const u64 ns = READ_ONCE(coarse_ns);

	return ns > 1 && !access_exact(who) ? ns : 0;
}

bool coarse_permits_mapping(void)
{
	return READ_ONCE(coarse_ns) <= 1 || access_own_exact();
}

u64 coarse_parameter(void)
{
	return READ_ONCE(coarse_ns);
}
