// SPDX-License-Identifier: GPL-2.0-only
/*
 * While the module is inserted, or accounting is switched on, one allocation fails: the
 * first one, then a later one, and so on, until there are no more.  The insertion is
 * refused and leaves nothing behind, or it succeeds and INFO names the hook that is
 * missing.  The next one works.
 * TASKRT_TEST_STEP: of the module's allocations, every nth fails (5).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "inject.h"
#include "leftover.h"
#include "listener.h"
#include "module.h"
#include "tap.h"
#include "window.h"

#define MOST	20000	/* allocations, for a test that does not end */

/* What came of the failed allocations. */
struct outcome {
	unsigned int refused;	/* with ENOMEM */
	unsigned int degraded;	/* a hook is missing, and INFO says so */
	unsigned int coped;	/* it works as always */
	unsigned int wrong;
};

static int insert_with(const char *parameters)
{
	static int fd = -1;

	if (fd < 0)
		fd = open("/lib/taskrt/taskrt.ko", O_RDONLY | O_CLOEXEC);
	return syscall(SYS_finit_module, fd, parameters, 0) ? -errno : 0;
}

static int insert(void)
{
	return insert_with("");
}

/*
 * How many allocations the kernel makes before it calls the module: as many as for a
 * parameter that the module refuses at once, less those with which that is undone.
 */
static unsigned int before_insertion(void)
{
	const unsigned int undoing = 100;
	unsigned int nth = 0;
	int err;

	do {
		inject_begin(nth += 64);
		err = insert_with("max_threads=0");
	} while (inject_end() && nth < MOST);
	if (err != -EINVAL)
		tap_bail("max_threads=0: %s", strerror(-err));
	return nth > undoing ? nth - undoing : 0;
}

static unsigned int before_switching(void)
{
	return 0;
}

static int switch_on(void)
{
	return module_set("enabled", "1");
}

/* Accounting is off, and no hook is attached; NULL, or what is not so. */
static const char *still_on(void)
{
	struct taskrt *handle = window_open();
	struct taskrt_info info;

	window_info(handle, &info);
	taskrt_close(handle);
	if (info.enabled)
		return "INFO says that accounting is on";
	if (info.threads || info.processes)
		return "there are records";
	return leftover_kprobe() ? "a kprobe" : NULL;
}

/* A listener has asked for the tasks of its own user: that takes a hook, which stays enabled. */
static int own_noted;

static void note_own(void)
{
	const struct listener_filter own = { .own = 1 };
	struct listener listener;

	listener_open(&listener, NULL, NULL);
	listener_listen(&listener, &own);
	listener_close(&listener);
	own_noted = 1;
}

#define MANY_HOOKS	1000

/* Which hooks are attached if nothing fails: those of options are not. */
static int usual[64];

static void note_usual(void)
{
	struct taskrt *handle = window_open();
	struct taskrt_info info;
	struct taskrt_hook hook;
	unsigned int i;

	window_info(handle, &info);
	for (i = 0; !taskrt_info_hook(handle, i, &hook, sizeof(hook)); i++) {
		if (i == sizeof(usual) / sizeof(usual[0]))
			tap_bail("there are more hooks");
		usual[i] = hook.status;
	}
	taskrt_close(handle);
}

/*
 * -1: it does not work; 0: it does, and no hook is missing for want of memory; otherwise a
 * number that says which hook is, MANY_HOOKS if there are several.
 */
static int missing_hooks(void)
{
	struct taskrt *handle = window_open();
	struct taskrt_reading reading;
	struct taskrt_hook hook;
	struct taskrt_info info;
	unsigned int i;
	int missing = 0, bad = 0;

	window_info(handle, &info);
	for (i = 0; !taskrt_info_hook(handle, i, &hook, sizeof(hook)); i++) {
		if (hook.status == -ENOMEM)
			missing = missing ? MANY_HOOKS : (int)i + 1;
		bad += hook.status != usual[i] && hook.status != -ENOMEM;
	}
	window_thread(handle, 0, &reading);
	taskrt_close(handle);
	bad += own_noted && leftover_is_disabled("exit_signals");
	/* Without a hook of the scheduler, no state is measured. */
	return bad || (!missing && !window_adds_up(&reading)) ? -1 : missing;
}

static void wrong(struct outcome *outcome, unsigned int nth, const char *what)
{
	if (++outcome->wrong <= 20)
		tap_diag("allocation %u: %s", nth, what);
}

static void must_remove(void)
{
	int err = module_loaded(MODULE_TASKRT) ? module_remove(MODULE_TASKRT) : 0;

	if (err)
		tap_bail("removing: %s", strerror(-err));
}

static void must_switch_off(void)
{
	module_must_set("enabled", "0");
}

/* One of the two things that are done while an allocation fails. */
struct act {
	unsigned int (*before)(void);	/* allocations that are not the module's */
	int (*begin)(void);
	void (*undo)(void);
	const char *(*left)(void);	/* what is left after it has failed */
};

static const struct act insertion = { before_insertion, insert, must_remove, leftover };
static const struct act switching = { before_switching, switch_on, must_switch_off, still_on };

/* Return: as missing_hooks(). */
static int judge_success(const struct act *act, struct outcome *outcome, unsigned int nth)
{
	int missing = missing_hooks();

	if (missing < 0)
		wrong(outcome, nth, "it does not work");
	else if (missing)
		outcome->degraded++;
	else
		outcome->coped++;
	act->undo();
	if (act->left())
		wrong(outcome, nth, act->left());
	return missing;
}

static void judge_refusal(const struct act *act, struct outcome *outcome, unsigned int nth, int err)
{
	const char *left = act->left();

	if (err != -ENOMEM)
		wrong(outcome, nth, strerror(-err));
	if (left)
		wrong(outcome, nth, left);
	/* Each time would take too long: the next failure shows it, too. */
	if (outcome->refused++ % 8)
		return;
	err = act->begin();
	if (err)
		tap_bail("allocation %u had failed: %s", nth, strerror(-err));
	if (missing_hooks())
		wrong(outcome, nth, "the next one does not work");
	act->undo();
}

/* Beside what missing_hooks() returns. */
#define REFUSED	(-2)
#define NOT_INJECTED	(-3)

/*
 * Which allocation fails next.  The stocks of records and the instances of kretprobes take
 * thousands, one like the other: after a number of failures in a row with the same result,
 * either nothing or one and the same hook missing, steps are made.  Who comes to another
 * result by a step goes back.
 */
struct walk {
	unsigned int nth, step, least;
	int result;		/* of the last failure */
	unsigned int last;	/* where that was */
	unsigned int row;	/* how many failures in a row had it */
	unsigned int known;	/* no steps up to here */
};

#define ROW	12
#define STEP	64

static void walk_on(struct walk *walk, int result)
{
	if (result != walk->result && walk->step > walk->least) {
		walk->known = walk->nth;
		walk->nth = walk->last;
		result = walk->result;
	}
	walk->row = result == walk->result && result >= 0 ? walk->row + 1 : 0;
	walk->result = result;
	walk->last = walk->nth;
	if (walk->row <= ROW || walk->nth <= walk->known)
		walk->step = walk->least;
	else if (walk->step < STEP)
		walk->step *= 2;
	walk->nth += walk->step;
}

static int fail_one(const struct act *act, struct outcome *outcome, unsigned int nth, int err)
{
	if (!err)
		return judge_success(act, outcome, nth);
	judge_refusal(act, outcome, nth, err);
	return REFUSED;
}

/* There were fewer allocations. */
static int fail_none(const struct act *act)
{
	act->undo();
	return NOT_INJECTED;
}

/* Only some of those that are not the module's fail.  Return: how many there are. */
static unsigned int fail_each(const struct act *act, struct outcome *outcome)
{
	const unsigned int least = tap_setting("TASKRT_TEST_STEP", 5);
	struct walk walk = { .nth = 1, .step = least, .least = least, .result = REFUSED };
	const unsigned int before = act->before();
	int injected, result, err = 0;

	while (walk.nth < MOST) {
		inject_begin(walk.nth);
		err = act->begin();
		injected = inject_end();
		if (!injected && walk.step == least)
			break;
		result = injected ? fail_one(act, outcome, walk.nth, err) : fail_none(act);
		if (walk.nth + STEP < before)
			walk.nth += STEP;
		else
			walk_on(&walk, result);
	}
	if (err || missing_hooks())
		wrong(outcome, walk.nth, "no allocation failed, and it does not work");
	return walk.nth - 1;
}

static void check(const struct act *act, const char *name)
{
	struct outcome outcome = { 0 };
	unsigned int count;

	act->undo();
	count = fail_each(act, &outcome);
	tap_diag("%s: %u allocations: %u refused, %u without a hook, %u coped with", name, count,
		 outcome.refused, outcome.degraded, outcome.coped);
	tap_at_least(outcome.refused, 1, "%s: an allocation fails, and it is refused", name);
	tap_at_least(outcome.degraded, 1, "%s: or a hook is missing", name);
	tap_equal(outcome.wrong, 0, "%s: nothing is left, and the next one works", name);
}

int main(int argc, char **argv)
{
	const char *why_not = inject_why_not();

	(void)argc;
	if (why_not) {
		tap_skip("each allocation of an insertion fails", why_not);
		return tap_done();
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	inject_prepare(argv);
	note_usual();
	note_own();
	check(&switching, "switching on");
	own_noted = 0;
	check(&insertion, "insertion");
	module_again("");
	return tap_done();
}
