// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descendants of a command whose parents have ended.
 *
 * The command stays in the process group of taskrt, so that a terminal treats both as one
 * job: the command may read from it, and a key stops or interrupts both, and a pager that
 * they write to.  But the group contains other processes as well, which must not be
 * terminated: so only descendants of taskrt in this group are.
 */
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/orphan.h"

void orphan_adopt(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

pid_t orphan_reap(pid_t command, int *others_run)
{
	siginfo_t info = { 0 };

	*others_run = 0;
	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT))
		return 0;
	*others_run = !info.si_pid;
	if (!info.si_pid || info.si_pid == command)
		return 0;
	waitpid(info.si_pid, NULL, 0);
	return info.si_pid;
}

/* A limit, because ids may be reused during the walk. */
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
	/* The name is in parentheses, and may contain some itself. */
	if (fgets(line, sizeof(line), stat)) {
		behind = strrchr(line, ')');
		if (!behind || sscanf(behind + 1, " %*c %u", &parent) != 1)
			parent = 0;
	}
	fclose(stat);
	return parent;
}

int orphan_descends(uint32_t ancestor, uint32_t pid)
{
	int depth;

	for (depth = 0; depth < DEPTH_MAX && pid; depth++) {
		pid = parent_of(pid);
		if (pid == ancestor)
			return 1;
	}
	return 0;
}

static int is_meant(pid_t pid, pid_t command)
{
	return pid > 0 && (pid == command || getpgid(pid) == getpgrp()) &&
	       orphan_descends((uint32_t)getpid(), (uint32_t)pid);
}

int orphan_signal(pid_t command, int number)
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;
	int count = 0;

	/* Without /proc only the command is known. */
	if (!processes)
		return !kill(command, number);
	while ((entry = readdir(processes))) {
		pid_t pid = atoi(entry->d_name);

		if (!is_meant(pid, command))
			continue;
		kill(pid, number);
		count++;
	}
	closedir(processes);
	return count;
}
