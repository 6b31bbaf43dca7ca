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

/* The commands by purpose, as the help shows them. */
static const struct purpose {
	const char *question;
	const struct command *commands[3];
} purposes[] = {
	{ "Where did the time go?", { &run_command, &get_command, &top_command } },
	{ "Why was a thread late?", { &watch_command } },
	{ "What has ended, and where did its time go?", { &listen_command, &replay_command } },
	{ "Does taskrt work here, and what does it cost?", { &diagnose_command, &bench_command } },
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static int print_help(void)
{
	size_t i, j;

	printf("Usage: taskrt COMMAND [OPTION]... [ARGUMENT]...\n"
	       "       taskrt help COMMAND\n"
	       "       taskrt --version\n\n"
	       "Show why a thread was not running when it should have been.\n");
	for (i = 0; i < COUNT(purposes); i++) {
		printf("\n%s\n", purposes[i].question);
		for (j = 0; j < COUNT(purposes[i].commands) && purposes[i].commands[j]; j++)
			printf("  %-9s  %s\n", purposes[i].commands[j]->name,
			       purposes[i].commands[j]->summary);
	}
	printf("\n'taskrt help COMMAND' shows the options of a command, with examples.\n"
	       "\nExit status: 0 on success, 1 on failure, 2 if the command line is wrong; run has\n"
	       "the exit status of its command.\n");
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
	size_t i, j;

	for (i = 0; i < COUNT(purposes); i++)
		for (j = 0; j < COUNT(purposes[i].commands) && purposes[i].commands[j]; j++)
			if (!strcmp(purposes[i].commands[j]->name, name))
				return purposes[i].commands[j];
	return NULL;
}

static int answer(int (*print)(void))
{
	output_keep_pipe();
	return output_close(stdout, NULL, print());
}

/* An option of taskrt itself; nothing may follow it. */
static int run_option(int argc, char **argv)
{
	int (*print)(void) = NULL;

	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		print = print_help;
	else if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		print = print_version;
	if (!print)
		return error_usage("unknown option '%s'", argv[1]);
	if (argc > 2)
		return error_usage("extra argument '%s'", argv[2]);
	return answer(print);
}

static int print_command_help(const struct command *command)
{
	output_keep_pipe();
	printf("%s\nExamples:\n%s", command->help, command->examples);
	return output_close(stdout, NULL, STATUS_OK);
}

/* taskrt help [COMMAND] */
static int run_help(int argc, char **argv)
{
	const struct command *command;

	if (argc > 3)
		return error_usage("extra argument '%s'", argv[3]);
	if (argc < 3 || !strcmp(argv[2], "help") || !strcmp(argv[2], "--help") ||
	    !strcmp(argv[2], "-h"))
		return answer(print_help);
	command = find(argv[2]);
	if (!command)
		return error_usage("unknown command '%s'", argv[2]);
	return print_command_help(command);
}

int main(int argc, char **argv)
{
	const struct command *command;
	int status;

	output_guard();
	text_begin();
	if (argc < 2)
		return answer(print_help);
	if (!strcmp(argv[1], "help"))
		return run_help(argc, argv);
	if (argv[1][0] == '-')
		return run_option(argc, argv);
	command = find(argv[1]);
	if (!command)
		return error_usage("unknown command '%s'", argv[1]);
	error_set_command(command->name);
	status = command->run(argc - 1, argv + 1);
	return status == STATUS_HELP ? print_command_help(command) : status;
}
