// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descendants of a command that we run, whose parents have ended.
 *
 * The command stays in our process group, so that all that a terminal does with a
 * job is done with both: it may read there, a key stops or interrupts both, and
 * with them a pager that they write to.  But then the group holds others that are
 * not ours to end.  Ours are those in it that descend from us.
 */
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/ancestor.h"
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

static int is_meant(pid_t pid, pid_t command)
{
	return pid > 0 && (pid == command || getpgid(pid) == getpgrp()) &&
	       ancestor_is((uint32_t)getpid(), (uint32_t)pid);
}

int orphan_signal(pid_t command, int number)
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;
	int count = 0;

	/* Better the command alone than nobody. */
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
