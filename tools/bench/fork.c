// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes that begin and end.  Most of the time goes to copying this program's page tables,
 * and to the page faults of the child, which accounting makes longer as well.
 */
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/fork.h"

static int fork_once(void)
{
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (!pid)
		_exit(0);
	return waitpid(pid, NULL, 0) == pid ? 0 : -errno;
}

int fork_measure(const struct sample_site *site, uint64_t ns, struct sample *sample)
{
	uint64_t began = clock_now_ns(), count = 0;
	int error;

	(void)site;
	do {
		error = fork_once();
		count++;
	} while (!error && clock_now_ns() - began < ns);
	sample->ns = sample_each(began, count);
	return error;
}
