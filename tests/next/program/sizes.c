// SPDX-License-Identifier: GPL-2.0-only
#include "check.h"
#include "parts.h"

void sizes_check(void)
{
	CHECK(true);
}
