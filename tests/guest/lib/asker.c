// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <taskrt.h>

#include "asker.h"
#include "clock.h"
#include "tap.h"
#include "window.h"

/* A pause in each round, so that the test itself gets CPU time. */
#define PAUSE	(20 * MS)

/*
 * The errors that may occur while the module is removed and inserted.  -ENODATA: accounting
 * is switched off first, and on last; -EINTR: threads came and went meanwhile; -ENOENT: the
 * module is not there, or is just being inserted.
 */
static void judge(struct asker *asker, int err, const char *what)
{
	if (err == -ENODEV || err == -ENODATA) {
		asker->gone++;
	} else if (err && err != -EINTR && err != -ENOENT) {
		asker->wrong++;
		tap_diag("%s: %s", what, strerror(-err));
	}
}

static int count(const struct taskrt_reading *reading, void *arg)
{
	struct asker *asker = arg;

	(void)reading;
	asker->answers++;
	return 0;
}

/* One round of queries; 0 as long as the module is there. */
static int ask(struct asker *asker, struct taskrt *handle)
{
	struct taskrt_reading reading;
	struct taskrt_info info;
	int err = window_ask(handle, TASKRT_ENTITY_THREAD, 0, &reading);

	judge(asker, err, "get");
	if (!err) {
		err = taskrt_get_info(handle, &info, sizeof(info));
		judge(asker, err, "info");
	}
	if (!err) {
		err = window_each(handle, 0, count, asker);
		judge(asker, err, "all threads");
	}
	return err == -EINTR ? 0 : err;
}

static void ask_on(void *arg)
{
	struct asker *asker = arg;
	struct taskrt *handle;

	while (!asker->stop) {
		int err = taskrt_open(&handle);

		judge(asker, err, "open");
		while (!err && !asker->stop) {
			err = ask(asker, handle);
			clock_sleep(PAUSE);
		}
		taskrt_close(handle);
		clock_sleep(PAUSE);
	}
}

static int hear(struct asker *asker, struct taskrt_exits *listener)
{
	struct taskrt_exit exit;
	int got, wait_ms = 50;

	while ((got = taskrt_exits_next(listener, wait_ms, &exit, sizeof(exit))) == 1) {
		asker->answers++;
		wait_ms = 0;
	}
	if (got)
		judge(asker, got, "next");
	return got;
}

static void listen_on(void *arg)
{
	struct asker *asker = arg;
	struct taskrt_exits *listener;

	while (!asker->stop) {
		int err = taskrt_exits_open(&listener);

		judge(asker, err, "open a listener");
		if (!err) {
			err = taskrt_exits_register(listener, NULL, NULL, 0, NULL, 0);
			judge(asker, err, "register");
		}
		while (!err && !asker->stop)
			err = hear(asker, listener);
		taskrt_exits_close(listener);
		clock_sleep(PAUSE);
	}
}

static void start(struct asker *asker, void (*fn)(void *arg))
{
	memset(asker, 0, sizeof(*asker));
	thread_start(&asker->thread, fn, asker);
}

void asker_start(struct asker *asker)
{
	start(asker, ask_on);
}

void asker_start_listening(struct asker *asker)
{
	start(asker, listen_on);
}

void asker_stop(struct asker *asker)
{
	asker->stop = 1;
	thread_join(&asker->thread);
}
