// SPDX-License-Identifier: GPL-2.0-only
/*
 * Signals, while a command is run that they are for.
 *
 * The interrupt and quit keys reach the command by themselves, as it is in our
 * process group.  Who asks us to end means the command, too: as timeout(1) does,
 * we hand that on, and report when it has ended.
 *
 * Between fork() and exec() the command is still us.  So nothing is changed that
 * would throw a signal away before that, and all are blocked meanwhile.
 */
#include <errno.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "common/signals.h"

/* Those whose actions are changed: to ignore SIGCHLD is to have it reaped behind our back. */
static const int changed[SIGNALS_CHANGED] = { SIGCHLD, SIGINT, SIGQUIT };

static int is_ignored(int number)
{
	struct sigaction action;

	return !sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN;
}

/* What is read from the descriptor; nohup(1), for one, says that there is no SIGHUP. */
static void passed(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	if (!is_ignored(SIGTERM))
		sigaddset(set, SIGTERM);
	if (!is_ignored(SIGHUP))
		sigaddset(set, SIGHUP);
}

int signals_hold(struct signals *signals)
{
	const struct sigaction reaped_by_us = { .sa_handler = SIG_DFL };
	sigset_t set;
	size_t i;

	passed(&set);
	signals->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals->fd < 0)
		return -errno;
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGQUIT);
	sigprocmask(SIG_BLOCK, &set, &signals->mask);
	for (i = 0; i < SIGNALS_CHANGED; i++)
		sigaction(changed[i], NULL, &signals->actions[i]);
	sigaction(SIGCHLD, &reaped_by_us, NULL);
	return 0;
}

void signals_restore(const struct signals *signals)
{
	size_t i;

	for (i = 0; i < SIGNALS_CHANGED; i++)
		sigaction(changed[i], &signals->actions[i], NULL);
	sigprocmask(SIG_SETMASK, &signals->mask, NULL);
}

void signals_ignore(void)
{
	const struct sigaction ignored = { .sa_handler = SIG_IGN };
	sigset_t keys;

	sigaction(SIGINT, &ignored, NULL);
	sigaction(SIGQUIT, &ignored, NULL);
	sigemptyset(&keys);
	sigaddset(&keys, SIGINT);
	sigaddset(&keys, SIGQUIT);
	sigprocmask(SIG_UNBLOCK, &keys, NULL);
}

void signals_pass(const struct signals *signals, pid_t pid)
{
	struct signalfd_siginfo info;

	while (read(signals->fd, &info, sizeof(info)) > 0)
		if (pid && info.ssi_signo != SIGCHLD)
			kill(pid, (int)info.ssi_signo);
}

void signals_end(struct signals *signals)
{
	signals_restore(signals);
	close(signals->fd);
}
