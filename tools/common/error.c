// SPDX-License-Identifier: GPL-2.0-only
/* What went wrong, in one line on standard error, and how to fix it. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/text.h"

#define ENABLED_PATH	"/sys/module/taskrt/parameters/enabled"

static const char *command;
static int failed = STATUS_FAILED;

void error_set_command(const char *name)
{
	command = name;
}

void error_set_status(int status)
{
	failed = status;
}

/* Print one line, even if it quotes a newline. */
static void print(const char *format, va_list arguments, const char *hint)
{
	char text[1024], safe[1024];

	vsnprintf(text, sizeof(text), format, arguments);
	text_safe(safe, sizeof(safe), text, sizeof(text));
	fprintf(stderr, "taskrt%s%s: %s%s\n", command ? " " : "", command ? command : "", safe,
		hint);
}

int error_usage(const char *format, ...)
{
	va_list arguments;
	char hint[64];

	snprintf(hint, sizeof(hint), "; see 'taskrt%s%s --help'", command ? " " : "",
		 command ? command : "");
	va_start(arguments, format);
	print(format, arguments, hint);
	va_end(arguments);
	return STATUS_USAGE;
}

int error_fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print(format, arguments, "");
	va_end(arguments);
	return STATUS_FAILED;
}

int error_write(const char *file, int error)
{
	const char *separator = error ? ": " : "", *reason = error ? strerror(-error) : "";

	if (!file)
		return error_fail("cannot write to standard output%s%s", separator, reason);
	return error_fail("cannot write to '%s'%s%s", file, separator, reason);
}

void error_no_memory(void)
{
	error_fail("out of memory");
	exit(failed);
}

const char *error_open_text(char text[ERROR_MAX], int error)
{
	if (error == -ENOENT)
		snprintf(text, ERROR_MAX,
			 "the taskrt module is not loaded; 'taskrt diagnose' says why, and how to fix it");
	else if (error == -EPROTO)
		snprintf(text, ERROR_MAX,
			 "the loaded taskrt module is too old or too new for this tool (%s): load the module of the same release",
			 taskrt_version());
	else
		snprintf(text, ERROR_MAX,
			 "cannot reach the taskrt module: %s; 'taskrt diagnose' may know why",
			 strerror(-error));
	return text;
}

static const char *off_text(char text[ERROR_MAX])
{
	snprintf(text, ERROR_MAX, "accounting is switched off; as root: echo 1 > " ENABLED_PATH);
	return text;
}

/* Is accounting switched off?  0 also if that is not known. */
static int switched_off(struct taskrt *handle)
{
	struct taskrt_info info;

	return !taskrt_get_info(handle, &info, sizeof(info)) && !info.enabled;
}

static void no_data_text(char *text, struct taskrt *handle, const char *who)
{
	/* The text of the library is only valid until the next call on the handle. */
	if (switched_off(handle))
		off_text(text);
	else
		snprintf(text, ERROR_MAX,
			 "%s is not tracked; 'taskrt diagnose' shows refused records", who);
}

static void no_such_text(char *text, const char *who, enum error_subject subject)
{
	int used = snprintf(text, ERROR_MAX, "there is no %s", who);

	if (subject == ERROR_PROCESS_NOT_THREAD)
		snprintf(text + used, (size_t)(ERROR_MAX - used),
			 " (for a thread: taskrt %s --tid TID)", command);
}

const char *error_query_text(char text[ERROR_MAX], struct taskrt *handle, int error,
			     enum error_subject subject, pid_t id)
{
	char who[64] = "this thread";

	if (subject == ERROR_MODULE)
		snprintf(who, sizeof(who), "the module");
	else if (subject != ERROR_SELF)
		snprintf(who, sizeof(who), "%s %d",
			 subject == ERROR_THREAD ? "thread" : "process", id);
	switch (error) {
	case -ESRCH:
		no_such_text(text, who, subject);
		break;
	case -EPERM:
	case -EACCES:
		snprintf(text, ERROR_MAX,
			 "not permitted to read %s: this needs CAP_PERFMON or CAP_SYS_PTRACE, or the same user and a dumpable process",
			 who);
		break;
	case -ENODATA:
		no_data_text(text, handle, who);
		break;
	case -ENODEV:
		snprintf(text, ERROR_MAX, "the taskrt module has been unloaded");
		break;
	case -EOPNOTSUPP:
		if (subject == ERROR_CHILDREN) {
			snprintf(text, ERROR_MAX, "children are not measured here, or the module is too old: %s",
				 taskrt_error(handle));
			break;
		}
		/* fall through */
	case -EPROTO:
	case -EBADMSG:
		snprintf(text, ERROR_MAX,
			 "the loaded taskrt module is too old or too new for this tool (%s): %s",
			 taskrt_version(), taskrt_error(handle));
		break;
	default:
		snprintf(text, ERROR_MAX, "cannot read %s: %s", who, taskrt_error(handle));
	}
	return text;
}

const char *error_listen_text(char text[ERROR_MAX], const struct taskrt_exits *exits,
			      int error, const char *cpus, const struct taskrt_query *want)
{
	switch (error) {
	case -EINVAL:
		snprintf(text, ERROR_MAX, "the list of CPUs '%.256s' is wrong: %s",
			 cpus ? cpus : "all", taskrt_exits_error(exits));
		break;
	case -ESRCH:
		snprintf(text, ERROR_MAX, "there is no process %d", want->tgid);
		break;
	case -ENODATA:
		return off_text(text);
	case -ENODEV:
		snprintf(text, ERROR_MAX, "the taskrt module has been unloaded");
		break;
	case -EOPNOTSUPP:
		snprintf(text, ERROR_MAX,
			 "the loaded taskrt module cannot report exits, or is too old (this tool is %s): %s",
			 taskrt_version(), taskrt_exits_error(exits));
		break;
	case -ENOENT:
		/* Without a cgroup, the module is just being inserted. */
		if (want->cgroup) {
			snprintf(text, ERROR_MAX, "there is no cgroup with the id %llu",
				 (unsigned long long)want->cgroup);
			break;
		}
		/* fall through */
	default:
		snprintf(text, ERROR_MAX, "cannot listen: %s", taskrt_exits_error(exits));
	}
	return text;
}
