/* SPDX-License-Identifier: GPL-2.0-only */
/* The options and arguments of the command line. */
#ifndef TOOLS_COMMON_ARG_H
#define TOOLS_COMMON_ARG_H

#include <getopt.h>
#include <stdint.h>
#include <sys/types.h>

/* Read a number above 0; what: "a number of records".  Return: 0; STATUS_USAGE after a message. */
int arg_number(const char *text, const char *what, uint64_t *number);

/* Read a time in seconds above 0, "1.5".  Return: as arg_number(). */
int arg_seconds(const char *text, uint64_t *ns);

/*
 * Read a pid, or seconds between these limits, without a message.
 * Return: 0; -1: the value is unchanged, and why says what is wrong.
 */
#define ARG_WHY_MAX	256
int arg_read_pid(const char *text, pid_t *pid, char why[ARG_WHY_MAX]);
int arg_read_seconds(const char *text, double min, double max, uint64_t *ns, char why[ARG_WHY_MAX]);

/* Read a time above 0 with its unit, "1.5ms".  Return: as arg_number(). */
int arg_time(const char *text, uint64_t *ns);

/*
 * The options of all commands.  A letter stands for the same option in every command; an option
 * that is rarely needed has none:
 *
 *	-1 --once	-e --states	-n --count	-t --tid
 *	-a --all	-f --perfetto	-o --output	-T --threads
 *	-b --batch	-g --cgroup	-O --own	-u --user
 *	-B --buffer	-h --help	-p --pid	-V --version
 *	-c --children	-j --json	-P --processes	-w --write
 *	-C --cpus	-k --kernel	-r --reverse	-W --window
 *	-d --interval	-l --lines	-R --rt		-x --over
 *	-D --depth			-s --seconds	   --threshold
 *					-S --sort
 */
#define ARG_WITHOUT_LETTER	256	/* without a letter: this value or higher */

/* The options of a command, without --json and --help, which every command has. */
struct arg_options {
	const struct option *own;	/* the last is empty */
	int (*take)(void *request, int letter);	/* Return: 0, or a status to end with */
	void *request;
	int *json;
	int leading;			/* end at the first argument, the command */
	const char *repeated;		/* letters that may be given more than once; NULL: none */
};

/*
 * Take all options; optind is then the index of the first argument.  An option with a value may be
 * given once, unless it is in @repeated, so that no value is silently dropped.
 * Return: 0, what take() returned, STATUS_HELP, or STATUS_USAGE after a message.
 */
int arg_take_options(const struct arg_options *options, int argc, char **argv);

#endif
