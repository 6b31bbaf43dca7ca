// SPDX-License-Identifier: GPL-2.0-only
/* One thread or process: its identity, and all that is known of it. */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#include "common/names.h"
#include "common/text.h"
#include "common/units.h"
#include "report/report.h"

#define COMM_MAX	64

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

static void print_flags(FILE *out, const struct taskrt_stats *stats)
{
	char ending[ENDING_MAX];

	if (stats->flags & TASKRT_FLAG_KTHREAD)
		fprintf(out, ", a kernel thread");
	if (stats->flags & TASKRT_FLAG_EXITED)
		fprintf(out, ", ended: %s", ending_text(ending, stats->exit_code));
	if (stats->flags & TASKRT_FLAG_COARSE)
		fprintf(out, ", times rounded down");
	if (stats->flags & TASKRT_FLAG_INCOMPLETE)
		fprintf(out, ", %s of it are missing",
			stats->entity == TASKRT_ENTITY_THREAD ? "waits" : "threads or waits");
	fprintf(out, "\n");
}

static void print_identity(FILE *out, const struct taskrt_stats *s)
{
	char comm[COMM_MAX];

	if (!taskrt_has(s, TASKRT_VALID_IDENTITY)) {
		fprintf(out, "identity %s\n", NOT_MEASURED);
		return;
	}
	text_safe(comm, sizeof(comm), s->comm, sizeof(s->comm));
	if (s->tid)
		fprintf(out, "thread %u (%s) of process %u", s->tid, comm, s->tgid);
	else
		fprintf(out, "process %u (%s)", s->tgid, comm);
	if (s->tid && taskrt_has(s, TASKRT_VALID_STATE))
		fprintf(out, ", now %s", names_state(s->state));
	if (!s->tid && taskrt_has(s, TASKRT_VALID_THREADS))
		fprintf(out, ", threads: %llu live, %llu gone", s->threads, s->threads_gone);
	fprintf(out, "\n  parent %u, uid %u, gid %u", s->ppid, s->uid, s->gid);
	print_flags(out, s);
}

/* If the path is not known, print the id, which --cgroup takes as well. */
static void print_cgroup(FILE *out, const struct taskrt_stats *s)
{
	char path[CGROUP_PATH_MAX], safe[CGROUP_PATH_MAX];

	if (!taskrt_has(s, TASKRT_VALID_CGROUP))
		return;
	if (cgroup_path((pid_t)(s->tid ? s->tid : s->tgid), s->cgroup, path))
		fprintf(out, "  cgroup %llu\n", s->cgroup);
	else
		fprintf(out, "  cgroup %s\n", text_safe(safe, sizeof(safe), path, sizeof(path)));
}

static void print_tracked(FILE *out, const struct taskrt_stats *s)
{
	char tracked[UNITS_MAX], age[UNITS_MAX];

	if (!taskrt_has(s, TASKRT_VALID_CLOCK)) {
		fprintf(out, "  tracked time %s\n", NOT_MEASURED);
		return;
	}
	fprintf(out, "  tracked for %s%s", units_time(tracked, s->tracked_time_ns),
		s->tid ? "" : " of thread time");
	if (s->flags & TASKRT_FLAG_PREEXISTING && s->sample_time_ns > s->start_time_ns)
		fprintf(out, ", not since creation, which was %s ago",
			units_time(age, s->sample_time_ns - s->start_time_ns));
	else
		fprintf(out, ", since creation");
	fprintf(out, "\n\n");
}

static void print_all(FILE *out, const struct taskrt_reading *reading,
		      const struct taskrt_sites *sites)
{
	report_states(out, reading, sites, 0, 0);
	fprintf(out, "\n");
	report_waits(out, reading, 0);
	fprintf(out, "\n");
	report_since_creation(out, reading);
	report_verdict(out, "\n  verdict: ", reading, sites);
}

void report_task(FILE *out, const struct taskrt_reading *reading,
		 const struct taskrt_sites *sites)
{
	print_identity(out, &reading->stats);
	print_cgroup(out, &reading->stats);
	print_tracked(out, &reading->stats);
	print_all(out, reading, sites);
}

void report_children(FILE *out, const struct taskrt_reading *reading)
{
	const struct taskrt_stats *stats = &reading->stats;
	const char *pending = stats->flags & TASKRT_FLAG_PENDING ?
			      "; some are pending: ask again" : "";
	char tracked[UNITS_MAX];

	fprintf(out, "children that process %u has waited for, and their descendants: ",
		stats->tgid);
	/* Children that ended before tracking started are not counted, but have CPU time. */
	if (taskrt_has(stats, TASKRT_VALID_THREADS) && !stats->threads_gone &&
	    !stats->cpu_time_ns) {
		fprintf(out, "none%s\n", pending);
		return;
	}
	if (taskrt_has(stats, TASKRT_VALID_THREADS))
		fprintf(out, "%llu thread%s, all ended\n", stats->threads_gone,
			units_plural(stats->threads_gone, "s"));
	else
		fprintf(out, "threads " NOT_MEASURED "\n");
	fprintf(out, "  tracked for %s of thread time%s%s\n\n",
		time_or_not(tracked, stats, TASKRT_VALID_CLOCK, stats->tracked_time_ns),
		stats->flags & TASKRT_FLAG_INCOMPLETE ? ", threads of them are missing" : "",
		pending);
	print_all(out, reading, NULL);
}
