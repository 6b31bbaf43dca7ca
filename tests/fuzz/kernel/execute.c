// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"

static void do_setting(const struct op *op)
{
	static const char *const names[] = {
		"backlog_kib", "exit_delay_ms", "listeners_per_user", "listeners_max",
		"armed_per_user", "armed_max", "alerts_per_user", "alerts_max",
		"mappings_per_user", "mappings_max", "coarse_ns", "enabled",
	};
	char name[128];
	int fd;

	snprintf(name, sizeof(name), "/sys/module/taskrt/parameters/%s",
		 names[op->a % COUNT(names)]);
	fd = open(name, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	dprintf(fd, "%u", op->a % COUNT(names) == 11 ? op->value % 2 : op->value);
	close(fd);
}

static void (*const calls[OP_KINDS])(const struct op *op) = {
	[OP_SEND] = do_send, [OP_RECEIVE] = do_receive, [OP_CLOSE] = do_close,
	[OP_SOCKET] = do_socket, [OP_MAP] = do_map, [OP_UNMAP] = do_unmap,
	[OP_IOCTL] = do_ioctl, [OP_FORK] = do_fork, [OP_THREAD] = do_thread,
	[OP_WAIT] = do_wait, [OP_RIGHTS] = do_rights, [OP_SETTING] = do_setting,
};

static void run_all(const struct program *program, void (*enter)(void))
{
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGALRM, SIG_DFL);
	alarm(20);
	enter();
	for (i = 0; i < program->nr; i++)
		calls[program->ops[i].kind](&program->ops[i]);
	_exit(0);
}

/* What the program has changed for all. */
static void restore(const struct program *program)
{
	static const uint32_t defaults[] = {
		4096, 10, 16, 256, 256, 1024, 100, 1000, 2048, 16384, 0, 1,
	};
	unsigned int i;

	for (i = 0; i < program->nr; i++) {
		struct op op = program->ops[i];

		op.value = defaults[op.a % COUNT(defaults)];
		if (op.kind == OP_SETTING)
			do_setting(&op);
	}
}

void program_execute(const struct program *program, void (*enter)(void))
{
	pid_t pid = fork();

	if (!pid)
		run_all(program, enter);
	while (waitpid(pid, NULL, 0) < 0)
		;
	restore(program);
}
