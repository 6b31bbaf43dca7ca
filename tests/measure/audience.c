// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "audience.h"
#include "listener.h"
#include "tap.h"
#include "token.h"

static void listen_for_ever(int reads, int ready)
{
	static struct listener listener;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	listener_open(&listener, NULL, NULL);
	listener_listen(&listener, NULL);
	token_pass(ready);
	for (;;) {
		if (reads)
			listener_wait(&listener, 1000);
		else
			pause();
	}
}

pid_t audience_start(int reads)
{
	int ready[2];
	pid_t pid;

	if (pipe(ready))
		tap_bail("pipe");
	pid = fork();
	if (pid < 0)
		tap_bail("fork");
	if (!pid)
		listen_for_ever(reads, ready[1]);
	close(ready[1]);
	token_await(ready[0]);
	close(ready[0]);
	return pid;
}

void audience_end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}
