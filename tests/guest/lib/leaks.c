// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "leaks.h"
#include "tap.h"

#define REPORTS	"/sys/kernel/debug/kmemleak"

/* What is younger is not reported. */
#define AGE	(6 * SEC)

static void scan(void)
{
	int fd = open(REPORTS, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "scan", 4) != 4)
		tap_bail(REPORTS);
	close(fd);
}

/* Prints the reports with a function of the module in their stacks.  Return: how many. */
static unsigned int count_own(void)
{
	char report[4096] = "", line[256];
	FILE *file = fopen(REPORTS, "r");
	unsigned int own = 0;

	if (!file)
		tap_bail(REPORTS);
	while (fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "unreferenced", 12))
			report[0] = 0;
		strncat(report, line, sizeof(report) - strlen(report) - 1);
		if (!strstr(line, "[taskrt]"))
			continue;
		if (!own++)
			tap_diag("%s", report);
	}
	fclose(file);
	return own;
}

void leaks_check(const char *name)
{
	int i;

	if (access(REPORTS, W_OK)) {
		tap_skip(name, "this kernel was built without CONFIG_DEBUG_KMEMLEAK");
		return;
	}
	for (i = 0; i < 2; i++) {
		clock_sleep(AGE);
		scan();
	}
	tap_equal(count_own(), 0, "%s", name);
}
