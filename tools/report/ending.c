// SPDX-License-Identifier: GPL-2.0-only
/* How a task has ended, in one or two words. */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#include "report/report.h"

/* sigabbrev_np() is in glibc from 2.32 on, and not in musl. */
static const char *const signals[] = {
	[SIGHUP] = "HUP", [SIGINT] = "INT", [SIGQUIT] = "QUIT", [SIGILL] = "ILL",
	[SIGTRAP] = "TRAP", [SIGABRT] = "ABRT", [SIGBUS] = "BUS", [SIGFPE] = "FPE",
	[SIGKILL] = "KILL", [SIGUSR1] = "USR1", [SIGSEGV] = "SEGV", [SIGUSR2] = "USR2",
	[SIGPIPE] = "PIPE", [SIGALRM] = "ALRM", [SIGTERM] = "TERM", [SIGSTKFLT] = "STKFLT",
	[SIGCHLD] = "CHLD", [SIGCONT] = "CONT", [SIGSTOP] = "STOP", [SIGTSTP] = "TSTP",
	[SIGTTIN] = "TTIN", [SIGTTOU] = "TTOU", [SIGURG] = "URG", [SIGXCPU] = "XCPU",
	[SIGXFSZ] = "XFSZ", [SIGVTALRM] = "VTALRM", [SIGPROF] = "PROF", [SIGWINCH] = "WINCH",
	[SIGPOLL] = "POLL", [SIGPWR] = "PWR", [SIGSYS] = "SYS",
};

const char *ending_text(char text[ENDING_MAX], uint32_t exit_code)
{
	int status = (int)exit_code;
	size_t number = WTERMSIG(status);

	if (!number)
		snprintf(text, ENDING_MAX, "exit %d", WEXITSTATUS(status));
	else if (number < sizeof(signals) / sizeof(signals[0]))
		snprintf(text, ENDING_MAX, "%s%s", signals[number], WCOREDUMP(status) ? " core" : "");
	else
		snprintf(text, ENDING_MAX, "sig %zu", number);
	return text;
}
