// SPDX-License-Identifier: GPL-2.0-only
/* Who descends from whom, of those that live. */
#include <stdio.h>
#include <string.h>

#include "common/ancestor.h"

/* Ids change hands while we climb: no line of parents is longer. */
#define DEPTH_MAX	10000

/* 0: there is none, or it is not known. */
static uint32_t parent_of(uint32_t pid)
{
	char path[32], line[512];
	uint32_t parent = 0;
	const char *behind;
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	stat = fopen(path, "re");
	if (!stat)
		return 0;
	/* The name is in brackets, and may hold some itself. */
	if (fgets(line, sizeof(line), stat)) {
		behind = strrchr(line, ')');
		if (!behind || sscanf(behind + 1, " %*c %u", &parent) != 1)
			parent = 0;
	}
	fclose(stat);
	return parent;
}

int ancestor_is(uint32_t ancestor, uint32_t pid)
{
	int depth;

	for (depth = 0; depth < DEPTH_MAX && pid; depth++) {
		pid = parent_of(pid);
		if (pid == ancestor)
			return 1;
	}
	return 0;
}
