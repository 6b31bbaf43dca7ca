// SPDX-License-Identifier: GPL-2.0-only
/* taskrt top: where the time of all threads goes, live. */
#include <string.h>
#include <unistd.h>

#include "common/arg.h"
#include "common/command.h"
#include "common/error.h"
#include "common/output.h"
#include "common/signals.h"
#include "top/top.h"

static const char help[] =
	"Usage: taskrt top [OPTION]...\n"
	"       taskrt top --batch [--json] [--count N] [OPTION]...\n"
	"       taskrt top --once [--json] [OPTION]...\n"
	"\n"
	"Show the threads by where their time went since the last update.  On a terminal, update\n"
	"until q is pressed; h shows the other keys.\n"
	"\n"
	"  -S, --sort COLUMN        sort by pid, tid, user, class, state, cpu, queue, lock, fault,\n"
	"                           io, block, sleep, wait, system, switches, ghz, cpi or comm\n"
	"                           (default: wait)\n"
	"  -r, --reverse            reverse the order\n"
	"  -p, --pid PROCESS        only threads of this process: an ID, or a name, which stands for\n"
	"                           all processes that have it\n"
	"  -u, --user USER          only threads of this user, a name or a number\n"
	"  -R, --rt                 only real-time classes: SCHED_FIFO, SCHED_RR, SCHED_DEADLINE\n"
	"  -d, --interval SECONDS   time between two updates (default: 2)\n"
	"  -l, --lines N            show at most N threads\n"
	"  -b, --batch              print one update after the other, for a file or a pipe\n"
	"  -n, --count N            end after N updates; needs --batch\n"
	"  -1, --once               print one update: --batch --count 1\n"
	"  -j, --json               print each update as one line of JSON; needs --batch or --once\n"
	"  -h, --help               print this help\n"
	"\n"
	"Kernel threads that have only slept since the last update share a row, unless --pid,\n"
	"--rt or --json is given.\n"
	"\n"
	"Shares are percentages of the elapsed time: CPU is running; QUEUE is preempted, woken,\n"
	"throttled and yielded; LOCK is blocked_lock; FAULT is blocked_fault; IO is blocked_io;\n"
	"BLOCK is blocked_other; SLEEP is every sleep, and stopped.  CPU, QUEUE, LOCK, FAULT, IO,\n"
	"BLOCK and SLEEP sum to 100.0, or to less if the thread lived only for a part of the time.\n"
	"WAIT is the sum of QUEUE to BLOCK.  SYS is the part of CPU in the kernel, as exact as the\n"
	"kernel's own division; SW/S is the number of context switches per second.  GHZ is the\n"
	"clock of the CPU while the thread ran, and CPI the number of cycles per instruction, if the\n"
	"parameter cycles of the module is 1, the processor can count them, and you have\n"
	"CAP_PERFMON.\n";

static const char examples[] =
	"  taskrt top                            all threads, those that waited most first\n"
	"  taskrt top --pid firefox              only the threads of these processes\n"
	"  taskrt top --rt --once                one update, of the real-time threads\n";

struct request {
	struct top_want want;
	int batch, once;
};

static int checked(int wrong, const char *why)
{
	return wrong ? error_usage("%s", why) : 0;
}

static int take_text(struct top_want *want, int letter)
{
	char why[ARG_WHY_MAX] = "";

	switch (letter) {
	case 'S':
		return checked(top_want_sort(want, optarg, why), why);
	case 'p':
		if (!*optarg)
			return error_usage("'' is neither the id nor the name of a process");
		return checked(top_want_process(want, optarg, why), why);
	case 'u':
		if (!*optarg)
			return error_usage("there is no user ''");
		return checked(top_want_user(want, optarg, why), why);
	default:
		return checked(top_want_interval(want, optarg, why), why);
	}
}

static int take(void *arg, int letter)
{
	struct request *request = arg;
	struct top_want *want = &request->want;

	switch (letter) {
	case 'r':
		want->reverse = 1;
		return 0;
	case 'R':
		want->rt = 1;
		return 0;
	case 'l':
		return arg_number(optarg, "a number of threads", &want->lines);
	case 'n':
		return arg_number(optarg, "a number of updates", &want->rounds);
	case '1':
		request->once = 1;
		return 0;
	case 'b':
		request->batch = 1;
		return 0;
	default:
		return take_text(want, letter);
	}
}

static int check(struct request *request)
{
	struct top_want *want = &request->want;

	if (request->once && want->rounds)
		return error_usage("only one of --once and --count is possible");
	if (request->once) {
		want->rounds = 1;
		request->batch = 1;
	}
	if (!request->batch && want->json)
		return error_usage("--json is for --batch or --once");
	if (!request->batch && want->rounds)
		return error_usage("--count is for --batch");
	return 0;
}

static int parse(struct request *request, int argc, char **argv)
{
	static const struct option own[] = {
		{ "sort", required_argument, NULL, 'S' },
		{ "reverse", no_argument, NULL, 'r' },
		{ "pid", required_argument, NULL, 'p' },
		{ "user", required_argument, NULL, 'u' },
		{ "rt", no_argument, NULL, 'R' },
		{ "interval", required_argument, NULL, 'd' },
		{ "lines", required_argument, NULL, 'l' },
		{ "batch", no_argument, NULL, 'b' },
		{ "count", required_argument, NULL, 'n' },
		{ "once", no_argument, NULL, '1' },
		{ 0 },
	};
	const struct arg_options options = { own, take, request, &request->want.json, 0, NULL };
	int status = arg_take_options(&options, argc, argv);

	if (status)
		return status;
	if (optind < argc)
		return error_usage("extra argument '%s'", argv[optind]);
	return check(request);
}

static int top(int argc, char **argv)
{
	struct request request = { .want = top_want_default };
	char text[ERROR_MAX];
	struct taskrt *handle;
	int stop_fd, error, status = parse(&request, argc, argv);

	if (status)
		return status;
	if (!request.batch && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
		return error_fail("standard %s is not a terminal: use --batch or --once",
				  isatty(STDOUT_FILENO) ? "input" : "output");
	output_keep_pipe();
	stop_fd = stop_open();
	if (stop_fd < 0)
		return error_fail("cannot make a pipe: %s", strerror(-stop_fd));
	error = taskrt_open(&handle);
	if (error)
		return error_fail("%s", error_open_text(text, error));
	if (!request.batch)
		return top_screen(handle, &request.want, stop_fd);
	status = top_batch(handle, &request.want, stop_fd);
	taskrt_close(handle);
	return status;
}

const struct command top_command = {
	.name = "top",
	.run = top,
	.summary = "show where the time of all threads goes, live",
	.help = help,
	.examples = examples,
};
