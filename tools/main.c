// SPDX-License-Identifier: GPL-2.0-only
/* taskrt: shows where the time of threads went, as the taskrt kernel module measures it. */
#include <stdio.h>
#include <string.h>
#include <taskrt.h>

#include "common/command.h"
#include "common/error.h"
#include "common/output.h"
#include "common/text.h"

#ifndef TASKRT_TOOL_VERSION
#error "the Makefile passes TASKRT_TOOL_VERSION, from dkms.conf"
#endif

static const struct command * const commands[] = {
	&get_command,
	&run_command,
	&listen_command,
	&replay_command,
	&top_command,
	&watch_command,
	&bench_command,
	&diagnose_command,
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static int print_help(void)
{
	size_t i;

	printf("Usage: taskrt COMMAND [OPTION]... [ARGUMENT]...\n"
	       "       taskrt COMMAND --help\n"
	       "       taskrt --help | --version\n\n"
	       "Show why a thread was not running when it should have been.\n\nCommands:\n");
	for (i = 0; i < COUNT(commands); i++)
		printf("  %-9s  %s\n", commands[i]->name, commands[i]->summary);
	printf("\nExit status: 0 on success, 1 on failure, 2 if the command line is wrong; that of run\n"
	       "is the exit status of its command.\n");
	return STATUS_OK;
}

static int print_version(void)
{
	printf("taskrt %s (libtaskrt %s, statistics up to version %d)\n", TASKRT_TOOL_VERSION,
	       taskrt_version(), TASKRT_STATS_VERSION);
	return STATUS_OK;
}

static const struct command *find(const char *name)
{
	size_t i;

	for (i = 0; i < COUNT(commands); i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

/* An option of taskrt itself; nothing may follow it. */
static int run_option(int argc, char **argv)
{
	int (*answer)(void) = NULL;

	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		answer = print_help;
	else if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		answer = print_version;
	if (!answer)
		return error_usage("unknown option '%s'", argv[1]);
	if (argc > 2)
		return error_usage("extra argument '%s'", argv[2]);
	output_keep_pipe();
	return output_close(stdout, NULL, answer());
}

static int print_command_help(const struct command *command)
{
	output_keep_pipe();
	fputs(command->help, stdout);
	return output_close(stdout, NULL, STATUS_OK);
}

int main(int argc, char **argv)
{
	const struct command *command;
	int status;

	output_guard();
	text_begin();
	if (argc < 2)
		return error_usage("a command is missing");
	if (argv[1][0] == '-')
		return run_option(argc, argv);
	command = find(argv[1]);
	if (!command)
		return error_usage("unknown command '%s'", argv[1]);
	error_set_command(command->name);
	status = command->run(argc - 1, argv + 1);
	return status == STATUS_HELP ? print_command_help(command) : status;
}
