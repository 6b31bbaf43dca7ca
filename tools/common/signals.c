// SPDX-License-Identifier: GPL-2.0-only
/*
 * Handling of signals while a command runs.
 *
 * The interrupt and quit keys reach the command directly, because it is in the same process group.
 * taskrt forwards every signal that a process sends to it, and reports after the end of the
 * command.
 *
 * Between fork() and exec() the child still has the actions of taskrt.  So all signals are blocked
 * until exec(), and until then no action is changed in a way that discards a signal.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/orphan.h"
#include "common/signals.h"

/* The real-time signals, too; but not signals of our own faults, nor of job control. */
static const int forwarded[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGWINCH, SIGPWR,
};

static int is_ignored(int number)
{
	struct sigaction action;

	return !sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN;
}

/* The command ignores what we ignore, as under nohup(1). */
static void add(sigset_t *set, int number)
{
	if (!is_ignored(number))
		sigaddset(set, number);
}

int signals_hold(struct signals *signals)
{
	const struct sigaction reaped_by_us = { .sa_handler = SIG_DFL };
	sigset_t set;
	size_t i;
	int number;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (i = 0; i < sizeof(forwarded) / sizeof(forwarded[0]); i++)
		add(&set, forwarded[i]);
	for (number = SIGRTMIN; number <= SIGRTMAX; number++)
		add(&set, number);
	signals->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals->fd < 0)
		return -errno;
	sigprocmask(SIG_BLOCK, &set, &signals->mask);
	/* If SIGCHLD were ignored, the kernel would reap the child. */
	sigaction(SIGCHLD, &reaped_by_us, &signals->chld);
	return 0;
}

void signals_restore(const struct signals *signals)
{
	sigaction(SIGCHLD, &signals->chld, NULL);
	sigprocmask(SIG_SETMASK, &signals->mask, NULL);
}

/* The terminal sends these to the whole process group. */
static int is_from_terminal(const struct signalfd_siginfo *info)
{
	return info->ssi_code == SI_KERNEL &&
	       (info->ssi_signo == SIGINT || info->ssi_signo == SIGQUIT ||
		info->ssi_signo == SIGWINCH);
}

/* A command that signals its process group, as "kill 0" does, must not receive the signal twice. */
static int is_from_command(const struct signalfd_siginfo *info)
{
	return info->ssi_code != SI_KERNEL && orphan_descends((uint32_t)getpid(), info->ssi_pid);
}

static void forward(const struct signalfd_siginfo *info, pid_t pid)
{
	const union sigval value = { .sival_ptr = (void *)(uintptr_t)info->ssi_ptr };

	if (info->ssi_signo == SIGCHLD || is_from_terminal(info) || is_from_command(info))
		return;
	if (info->ssi_code == SI_QUEUE)
		sigqueue(pid, (int)info->ssi_signo, value);
	else
		kill(pid, (int)info->ssi_signo);
}

void signals_pass(const struct signals *signals, pid_t pid)
{
	struct signalfd_siginfo info;

	while (read(signals->fd, &info, sizeof(info)) > 0)
		if (pid)
			forward(&info, pid);
}

/*
 * A signal that is pending when the mask is restored would end us before the report.  So signals
 * that came too late for the command are dropped.  Later signals do end us, because the report may
 * have no reader.
 */
void signals_end(struct signals *signals)
{
	signals_pass(signals, 0);
	signals_restore(signals);
	close(signals->fd);
}

/*
 * The signals that end the command, as a descriptor to poll: the handler writes into
 * a pipe, so that no signal is missed between a check and the poll.
 */

#define PATIENCE	(2 * CLOCK_SECOND)

static int wake;
static uint64_t first_ns;

/* Two signals at once, as timeout(1) sends them, count as one. */
static void on_signal(int number)
{
	uint64_t now_ns = clock_now_ns();
	int error = errno;

	if (!first_ns)
		first_ns = now_ns;
	/* No subtraction: another signal may have set first_ns after our read of the clock. */
	if (now_ns >= first_ns + PATIENCE) {
		signal(number, SIG_DFL);
		raise(number);
	}
	/* A full pipe is readable, which is enough. */
	(void)!write(wake, "", 1);
	errno = error;
}

static void catch_signal(int number)
{
	/* SA_RESTART, so that a half-printed record is completed. */
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	sigaction(number, &action, NULL);
}

int stop_open(void)
{
	struct sigaction hangup;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		return -errno;
	wake = ends[1];
	catch_signal(SIGINT);
	catch_signal(SIGTERM);
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		catch_signal(SIGHUP);
	return ends[0];
}
