// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may see which task: every command, for each cell of the table in lib/rights.c.  The
 * same for what two processes do together: one opens the socket, or begins the dump, and
 * the other one asks, or reads on.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "command.h"
#include "listener.h"
#include "page.h"
#include "place.h"
#include "rights.h"
#include "tap.h"
#include "thread.h"
#include "token.h"

/* Who opens, who asks, and where the askers and the targets are. */
struct setup {
	const struct rights_row *opener, *asker;
	int asker_inside, targets_inside;
};

/* What the processes of a run have in common. */
static struct shared {
	struct raw raw, dump;			/* the opener opens all of these ... */
	struct listener all, own;
	int device;
	struct command_tasks tasks;
	int refused_all, refused_own;		/* errors of REGISTER */
	unsigned int all_seen[RIGHTS_TARGETS], own_seen[RIGHTS_TARGETS], own_expected;
	unsigned int all_expected;
	char begun[RIGHTS_TARGETS];		/* the dump that the opener began */
	char self, map;
} *shared;

static int ready[2], go[2];

static void await_ready(const char *who)
{
	struct pollfd pollfd = { .fd = ready[0], .events = POLLIN };

	if (poll(&pollfd, 1, CLOCK_PATIENCE_MS) != 1)
		tap_bail("%s is not ready", who);
	token_await(ready[0]);
}

static pid_t start(const struct party *party)
{
	pid_t pid = fork();

	if (!pid) {
		rights_become(party);
		token_pass(ready[1]);
		for (;;)
			pause();
	}
	await_ready(party->name);
	return pid;
}

static void count_all(const struct listener_record *record, void *seen)
{
	unsigned int *times = seen, i;

	for (i = 0; i < RIGHTS_TARGETS; i++)
		times[i] += record->reading.stats.tgid == shared->tasks.ids[i];
}

/* Opens what the asker uses, in the same table of files, and begins a dump. */
static void open_all(const struct party *opener)
{
	rights_become(opener);
	if (raw_open(&shared->raw) || raw_open_plain(&shared->dump) ||
	    listener_try_open(&shared->all, count_all, shared->all_seen) ||
	    listener_try_open(&shared->own, count_all, shared->own_seen) ||
	    command_dump_begin(&shared->dump))
		_exit(TOKEN_LOST);
	shared->device = page_device();
	_exit(0);
}

static void await_end(pid_t pid, const char *who)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		tap_bail("%s: status %#x", who, status);
}

static unsigned int is_there(const unsigned int *seen, unsigned int expected)
{
	unsigned int i, there = 0;

	for (i = 0; i < RIGHTS_TARGETS; i++)
		there |= (seen[i] == 2) << i;
	return (there & expected) == expected;
}

/* Receives what has been sent, and waits for what is expected. */
static void receive(struct listener *listener, unsigned int *seen, unsigned int expected)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE;

	while (!listener_read(listener))
		;
	while (!is_there(seen, expected) && clock_now() < end)
		listener_wait(listener, 100);
}

/* Every mapping of the file is of the thread that maps it, whoever opened the file. */
static char map_own(void)
{
	const struct taskrt_page *page = page_map(shared->device);
	struct taskrt_alert_request request = { .tag = "" };

	if (page->tid != (uint32_t)gettid() || page->tgid != (uint32_t)getpid() ||
	    page->uid != getuid())
		return '?';
	if (!ioctl(shared->device, TASKRT_IOC_ALERT, &request) || errno != ENODATA)
		return 'A';
	return '+';
}

static void ask_all(const struct party *asker)
{
	static const struct listener_filter everybody, mine = { .own = 1 };
	struct raw_answer answer;

	rights_become(asker);
	command_dump_read(&shared->dump, &shared->tasks, shared->begun);
	shared->self = command_letter(raw_get(&shared->raw, TASKRT_A_TID, 0, 0, &answer));
	shared->map = map_own();
	command_ask(&shared->raw, &shared->tasks);
	shared->refused_all = listener_register(&shared->all, &everybody, NULL);
	shared->refused_own = listener_register(&shared->own, &mine, NULL);
	token_pass(ready[1]);
	token_await(go[0]);
	if (!shared->refused_all)
		receive(&shared->all, shared->all_seen, shared->all_expected);
	if (!shared->refused_own)
		receive(&shared->own, shared->own_seen, shared->own_expected);
	_exit(shared->all.wrong || shared->own.wrong);
}

/* The rights of two together: what both have. */
static char together(char one, char two)
{
	if (one == '-' || two == '-')
		return '-';
	if (one == 'N' || two == 'N')
		return 'N';
	return one == 'O' && two == 'O' ? 'O' : 'C';
}

static char right_of(const struct setup *setup, unsigned int column)
{
	return together(setup->opener->cells[column][0], setup->asker->cells[column][0]);
}

static char listening_of(const struct setup *setup, unsigned int column)
{
	const char one = setup->opener->cells[column][1];
	const char two = setup->asker->cells[column][1];

	return one == 'P' || two == 'P' ? 'P' : two;
}

/* Which column is this party?  Or RIGHTS_TARGETS. */
static unsigned int column_of(const struct party *party)
{
	unsigned int column;

	for (column = 0; column < RIGHTS_TARGETS && rights_targets[column] != party; column++)
		;
	return column;
}

/* A thread may read itself if the opener of its socket may, too; 0: the table does not say. */
static char self_of(const struct setup *setup)
{
	unsigned int column = column_of(setup->asker->asker);

	if (setup->opener == setup->asker)
		return '+';
	if (column == RIGHTS_TARGETS)
		return 0;
	return setup->opener->cells[column][0] == 'N' ? 'P' : '+';
}

/* What the cell answered, as rights_answers() has it, and whether exits of all were received. */
static void answered(unsigned int column, char *answers, char *listening)
{
	static const char times[] = { '.', '1', '+' };
	const unsigned int all = shared->all_seen[column], own = shared->own_seen[column];

	snprintf(answers, COMMAND_COUNT + 2, "%s%c", shared->tasks.answers[column],
		 shared->refused_own ? command_letter(shared->refused_own) :
		 own < 3 ? times[own] : '?');
	*listening = shared->refused_all ? command_letter(shared->refused_all) :
		     all < 3 ? times[all] : '?';
}

static int is_right(const struct setup *setup, unsigned int column)
{
	const char *expected = rights_answers(right_of(setup, column));
	char answers[COMMAND_COUNT + 2], listening;
	int right;

	answered(column, answers, &listening);
	right = !strcmp(answers, expected) && listening == listening_of(setup, column);
	if (!right)
		tap_diag("%s: expected %s %c, answered %s %c", rights_targets[column]->name,
			 expected, listening_of(setup, column), answers, listening);
	return right;
}

/* Whoever reads it on, a dump has what its beginner may read. */
static int is_begun_right(const struct setup *setup, unsigned int column)
{
	const char right = setup->opener->cells[column][0];
	const char expected = right == 'O' || right == 'C' ? '+' : '.';

	if (shared->begun[column] == expected)
		return 1;
	tap_diag("%s: expected %c in the dump that %s began, got %c", rights_targets[column]->name,
		 expected, setup->opener->asker->name, shared->begun[column]);
	return 0;
}

static void judge(const struct setup *setup, const char *where)
{
	const char *opener = setup->opener->asker->name, *asker = setup->asker->asker->name;
	const char self = self_of(setup);
	unsigned int column;
	int right = 1, begun = 1;

	for (column = 0; column < RIGHTS_TARGETS; column++) {
		right &= is_right(setup, column);
		begun &= is_begun_right(setup, column);
	}
	if (self && shared->self != self) {
		tap_diag("itself: expected %c, answered %c", self, shared->self);
		right = 0;
	}
	if (setup->opener == setup->asker)
		tap_ok(right, "%s: %s", where, asker);
	else
		tap_ok(right, "%s: %s, on a socket of %s", where, asker, opener);
	tap_ok(begun, "%s: %s reads on what %s began", where, asker, opener);
	tap_equal(shared->map, '+', "%s: %s maps a file of %s: its own", where, asker, opener);
}

static void expect(const struct setup *setup)
{
	unsigned int column;

	for (column = 0; column < RIGHTS_TARGETS; column++) {
		shared->own_expected |= (right_of(setup, column) == 'O') << column;
		shared->all_expected |= (listening_of(setup, column) == '+') << column;
	}
}

static void start_targets(const struct setup *setup, pid_t *pids)
{
	unsigned int i;

	place_fork_into(setup->targets_inside);
	for (i = 0; i < RIGHTS_TARGETS; i++)
		pids[i] = start(rights_targets[i]);
	for (i = 0; i < RIGHTS_TARGETS; i++)
		shared->tasks.ids[i] = setup->asker_inside && setup->targets_inside ?
				       place_inner_pid(pids[i]) : pids[i];
	shared->tasks.count = RIGHTS_TARGETS;
}

/*
 * Ends all targets.  Listeners are served in the order in which they registered: what the
 * asker receives has been sent when the witness has received the last exit.
 */
static void end_targets(const pid_t *pids)
{
	struct listener witness;
	unsigned int i;

	listener_open(&witness, NULL, NULL);
	listener_listen(&witness, NULL);
	for (i = 0; i < RIGHTS_TARGETS; i++)
		ask_end(pids[i]);
	listener_drain(&witness);
	listener_close(&witness);
}

static void close_all(void)
{
	raw_close(&shared->raw);
	raw_close(&shared->dump);
	listener_close(&shared->all);
	listener_close(&shared->own);
	close(shared->device);
}

static void run(const struct setup *setup, const char *where)
{
	pid_t pids[RIGHTS_TARGETS], asker;

	memset(shared, 0, sizeof(*shared));
	expect(setup);
	start_targets(setup, pids);
	place_fork_into(setup->asker_inside);
	asker = syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
	if (!asker)
		open_all(setup->opener->asker);
	await_end(asker, "opener");
	/* A message with the kernel's address, for which netlink skips a check of its own. */
	shared->raw.addressed = setup->opener != setup->asker;
	asker = fork();
	if (!asker)
		ask_all(setup->asker->asker);
	await_ready(setup->asker->asker->name);
	end_targets(pids);
	token_pass(go[1]);
	await_end(asker, "asker");
	close_all();
	judge(setup, where);
}

static void each(const struct rights_row *rows, int asker_inside, int targets_inside,
		 const char *where)
{
	unsigned int i;

	for (i = 0; i < RIGHTS_ASKERS; i++)
		run(&(struct setup){ &rows[i], &rows[i], asker_inside, targets_inside }, where);
}

static void wait_for_end(void *unused)
{
	(void)unused;
	for (;;)
		pause();
}

/* Threads before all targets, so that a dump does not end in its first part. */
static void be_many(const struct party *party)
{
	struct thread threads[8];
	unsigned int i;

	rights_become(party);
	for (i = 0; i < 8; i++)
		thread_start(&threads[i], wait_for_end, NULL);
	token_pass(ready[1]);
	for (;;)
		pause();
}

static void passed(void)
{
	pid_t many[RIGHTS_ASKERS];
	unsigned int i, j;

	for (i = 0; i < RIGHTS_ASKERS; i++) {
		many[i] = fork();
		if (!many[i])
			be_many(rights_outside[i].asker);
		await_ready(rights_outside[i].asker->name);
	}
	for (i = 0; i < RIGHTS_ASKERS; i++)
		for (j = 0; j < RIGHTS_ASKERS; j++)
			if (i != j)
				run(&(struct setup){ &rights_outside[i], &rights_outside[j],
						     0, 0 }, "passed");
	for (i = 0; i < RIGHTS_ASKERS; i++)
		ask_end(many[i]);
}

int main(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED || pipe(ready) || pipe(go))
		tap_bail("no memory");
	place_make();
	/* First: few ids are in use rights_inside, and none of the targets has one of them. */
	each(rights_upwards, 1, 0, "asked from a child pid namespace");
	each(rights_inside, 1, 1, "both in a child pid namespace");
	each(rights_outside, 0, 0, "same pid namespace");
	each(rights_outside, 0, 1, "asked from the parent pid namespace");
	place_fork_into(0);
	passed();
	place_remove();
	return tap_done();
}
