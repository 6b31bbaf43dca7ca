/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands of taskrt, and the exit statuses that they share. */
#ifndef TOOLS_COMMON_COMMAND_H
#define TOOLS_COMMON_COMMAND_H

#define STATUS_OK	0
#define STATUS_FAILED	1	/* a right command line, and a failure */
#define STATUS_USAGE	2	/* a wrong command line; nothing was done */

#define STATUS_HELP	-1	/* print the help; nothing was done */

/* The statuses of run are as in env(1), nohup(1) and timeout(1). */
#define STATUS_RUN_FAILED	125	/* taskrt itself failed */
#define STATUS_CANNOT_RUN	126
#define STATUS_NOT_FOUND	127

struct command {
	const char *name;
	int (*run)(int argc, char **argv);	/* argv[0] is the name; returns a status */
	const char *summary;
	const char *help;			/* printed where run returns STATUS_HELP */
	const char *examples;			/* printed below it */
};

extern const struct command get_command;
extern const struct command run_command;
extern const struct command listen_command;
extern const struct command replay_command;
extern const struct command top_command;
extern const struct command watch_command;
extern const struct command bench_command;
extern const struct command diagnose_command;

#endif
