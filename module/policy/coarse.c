// SPDX-License-Identifier: GPL-2.0-only
#include <linux/compiler.h>
#include "policy/coarse.h"

unsigned long coarse_ns;

u64 coarse_for(const struct access_requester *who)
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
