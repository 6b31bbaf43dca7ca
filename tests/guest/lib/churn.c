// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "churn.h"
#include "clock.h"
#include "tap.h"

static void *nothing(void *unused)
{
	return unused;
}

static void work(unsigned int threads, int go, int done)
{
	pthread_t thread;
	uint64_t took;
	char byte;

	if (read(go, &byte, 1) != 1)
		_exit(1);
	took = clock_now();
	while (threads--) {
		if (pthread_create(&thread, NULL, nothing, NULL))
			_exit(2);
		pthread_join(thread, NULL);
	}
	took = clock_now() - took;
	if (write(done, &took, sizeof(took)) != sizeof(took) || read(go, &byte, 1) != 1)
		_exit(3);
	_exit(0);
}

void churn_prepare(struct churn *churn, unsigned int threads)
{
	int go[2], done[2];

	if (pipe(go) || pipe(done))
		tap_bail("pipe");
	churn->threads = threads;
	churn->pid = fork();
	if (churn->pid < 0)
		tap_bail("fork");
	if (!churn->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		work(threads, go[0], done[1]);
	}
	close(go[0]);
	close(done[1]);
	churn->go = go[1];
	churn->done = done[0];
}

uint64_t churn_threads(struct churn *churn)
{
	uint64_t took;

	if (write(churn->go, "g", 1) != 1 ||
	    read(churn->done, &took, sizeof(took)) != sizeof(took))
		tap_bail("the churning process has gone");
	return took;
}

void churn_end(struct churn *churn)
{
	int status;

	if (write(churn->go, "e", 1) != 1)
		tap_bail("the churning process has gone");
	waitpid(churn->pid, &status, 0);
	if (status)
		tap_bail("the churning process ended with status %#x", status);
	close(churn->go);
	close(churn->done);
}
