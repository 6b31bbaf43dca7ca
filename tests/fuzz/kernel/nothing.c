// SPDX-License-Identifier: GPL-2.0-only
/* What programs execute: it ends. */
#include <unistd.h>

int main(void)
{
	_exit(0);
}
