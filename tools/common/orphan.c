// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descendants of a command whose parents have ended.
 *
 * The command stays in the process group of taskrt, so that a terminal treats both as one job: the
 * command may read from the terminal, and a key stops or interrupts both of them and a pager that
 * they write to.  The group also contains other processes, which must not be terminated.  So only
 * descendants of taskrt in this group are terminated.
 *
 * A shell that executes taskrt in its own place leaves us its jobs as children.  These and their
 * descendants do not belong to the command.
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

#include "common/memory.h"
#include "common/orphan.h"
#include "common/text.h"

/* The children that we had before the command was started. */
static pid_t *inherited;
static size_t inherited_count;

/* A limit, because ids may be reused during the walk. */
#define DEPTH_MAX	10000

/* 0: there is none, or it is not known. */
static uint32_t parent_of(uint32_t pid)
{
	uint32_t parent = 0;
	char line[512];
	const char *behind;

	text_read_line(line, sizeof(line), "/proc/%u/stat", pid);
	/* The name is in parentheses, and may contain parentheses. */
	behind = strrchr(line, ')');
	return behind && sscanf(behind + 1, " %*c %u", &parent) == 1 ? parent : 0;
}

static int is_inherited(pid_t pid)
{
	size_t i;

	for (i = 0; i < inherited_count; i++)
		if (inherited[i] == pid)
			return 1;
	return 0;
}

/* Call fn for each process until it returns nonzero.  Return: its last value; -1: no /proc. */
static int each_process(int (*fn)(pid_t pid, void *arg), void *arg)
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;
	int ret = 0;

	if (!processes)
		return -1;
	while (!ret && (entry = readdir(processes)))
		if (atoi(entry->d_name) > 0)
			ret = fn(atoi(entry->d_name), arg);
	closedir(processes);
	return ret;
}

static int is_child(pid_t pid)
{
	return parent_of((uint32_t)pid) == (uint32_t)getpid();
}

static int inherit(pid_t pid, void *unused)
{
	(void)unused;
	if (!is_child(pid))
		return 0;
	inherited = memory_resize(inherited, inherited_count + 1, sizeof(*inherited));
	inherited[inherited_count++] = pid;
	return 0;
}

void orphan_adopt(void)
{
	siginfo_t info;

	/* Most programs have no child yet: then /proc need not be read. */
	if (!waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT))
		each_process(inherit, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* Return: the id of a child that has ended; 0: none has; -1: there is no child. */
static pid_t ended_child(void)
{
	siginfo_t info = { 0 };

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) ? -1 : info.si_pid;
}

struct others {
	pid_t command;
	int run;
};

/* A process that is not our child cannot be waited for. */
static int reap_other(pid_t pid, void *arg)
{
	struct others *others = arg;

	if (pid != others->command && !is_inherited(pid) && !waitpid(pid, NULL, WNOHANG))
		others->run = 1;
	return 0;
}

int orphan_reap(pid_t command)
{
	struct others others = { command, 0 };
	pid_t pid;

	while ((pid = ended_child()) > 0 && pid != command && !is_inherited(pid))
		waitpid(pid, NULL, 0);
	/* A child that is not reaped hides others.  Without /proc there may be others. */
	if (pid > 0 && each_process(reap_other, &others))
		others.run = 1;
	return others.run;
}

int orphan_descends(uint32_t ancestor, uint32_t pid)
{
	int depth;

	for (depth = 0; depth < DEPTH_MAX && pid && !is_inherited((pid_t)pid); depth++) {
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

struct signalled {
	pid_t command;
	int number, count;
};

static int signal_meant(pid_t pid, void *arg)
{
	struct signalled *signalled = arg;

	if (is_meant(pid, signalled->command)) {
		kill(pid, signalled->number);
		signalled->count++;
	}
	return 0;
}

int orphan_signal(pid_t command, int number)
{
	struct signalled signalled = { command, number, 0 };

	/* Without /proc only the command is known. */
	if (access("/proc/self", F_OK))
		return !kill(command, number);
	each_process(signal_meant, &signalled);
	return signalled.count;
}
