// SPDX-License-Identifier: GPL-2.0-only
/*
 * Handling of signals while a command runs.
 *
 * The interrupt and quit keys reach the command directly, because it is in the same
 * process group.  SIGTERM and SIGHUP are forwarded to it, as timeout(1) does, and the
 * report follows when it has ended.
 *
 * Between fork() and exec() the child still has the actions of taskrt.  So all signals
 * are blocked meanwhile, and no action is changed before that would discard one.
 */
#include <errno.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "common/signals.h"

/* The actions of these are changed; if SIGCHLD were ignored, the kernel would reap the child. */
static const int changed[SIGNALS_CHANGED] = { SIGCHLD, SIGINT, SIGQUIT };

static int is_ignored(int number)
{
	struct sigaction action;

	return !sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN;
}

/* The signals that the descriptor delivers, without those that are ignored, as by nohup(1). */
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

/*
 * A signal that is pending when the mask is restored would end us before the report, so those
 * that came too late for the command are dropped.  Later ones do end us: nobody may be reading
 * the report.
 */
void signals_end(struct signals *signals)
{
	signals_pass(signals, 0);
	signals_restore(signals);
	close(signals->fd);
}
