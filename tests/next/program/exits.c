// SPDX-License-Identifier: GPL-2.0-only
/* The exits of the thread and of its process, received, written to a file and read again. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "check.h"
#include "parts.h"
#include "scenario.h"
#include "told.h"
#include "world.h"

static void record_check(const struct taskrt_exit *exit, unsigned int i, bool next,
			 bool next_writer)
{
	const struct told_of of = {
		.next = next, .next_reader = next_writer && next_library, .ended = true,
		.entity = i ? TASKRT_ENTITY_PROCESS : TASKRT_ENTITY_THREAD,
		.groups = ALL_GROUPS,
	};

	EQUAL(exit->type, i ? TASKRT_EXIT_PROCESS : TASKRT_EXIT_THREAD);
	EQUAL(exit->seq, i);
	EQUAL(exit->lost, 0);
	EQUAL(exit->cpu, CPU);
	told_check(&exit->reading, &of);
}

static struct taskrt_exit *told[2];
static const struct taskrt_exit loss = {
	.type = TASKRT_EXIT_LOST, .seq = 2, .lost = 5, .lost_now = 5,
};

/* Listens through the library, which does not request what it does not know. */
static void listen_to_it(void)
{
	const struct taskrt_query query = { .groups = ALL_GROUPS };
	static char bytes[65536];
	struct taskrt_exits *exits;
	struct taskrt_exit none;

	EQUAL(taskrt_exits_open(&exits), 0);
	EQUAL(taskrt_exits_register(exits, NULL, &query, sizeof(query), NULL, 0), 0);
	world_tell(bytes, world->exits(bytes, sizeof(bytes)));
	for (unsigned int i = 0; i < 2; i++) {
		told[i] = guarded(sizeof(*told[i]));
		EQUAL(taskrt_exits_next(exits, 0, told[i], sizeof(*told[i])), 1);
		record_check(told[i], i, next_module, true);
	}
	EQUAL(taskrt_exits_next(exits, 0, &none, sizeof(none)), 0);
	taskrt_exits_close(exits);
}

static void status_check(void)
{
	struct taskrt_exits_status *status = guarded(sizeof(*status));
	struct taskrt_registration *listed = guarded(sizeof(*listed));
	struct taskrt_exits *exits;

	EQUAL(taskrt_exits_open(&exits), 0);
	EQUAL(taskrt_exits_get_status(exits, status, sizeof(*status)), 0);
	EQUAL(status->sequence, 7);
	EQUAL(status->lost, 2);
	EQUAL(status->registered, 1);
	EQUAL(taskrt_exits_registration(exits, listed, sizeof(*listed)), 0);
	CHECK(!strcmp(listed->cpus, "0-3"));
	EQUAL(listed->query.entities, TASKRT_ENTITIES_THREADS);
	EQUAL(listed->query.tgid, TGID);
	CHECK(all_bytes(listed->query.reserved, 0, sizeof(listed->query.reserved), 0));
	guarded_check(listed, sizeof(*listed));
	guarded_check(status, sizeof(*status));
	taskrt_exits_close(exits);
}

static void write_them(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	struct taskrt_file *file;

	EQUAL(taskrt_file_create(&file, fd), 0);
	for (unsigned int i = 0; i < 2; i++)
		EQUAL(taskrt_file_write(file, told[i], sizeof(*told[i])), 0);
	EQUAL(taskrt_file_write(file, &loss, sizeof(loss)), 0);
	EQUAL(taskrt_file_close(file), 0);
	close(fd);
}

static void read_them(const char *path, bool next, bool next_writer)
{
	int fd = open(path, O_RDONLY);
	struct taskrt_exit *exit = guarded(sizeof(*exit));
	struct taskrt_file *file;

	EQUAL(taskrt_file_open(&file, fd), 0);
	for (unsigned int i = 0; file && i < 2; i++) {
		EQUAL(taskrt_file_next(file, exit, sizeof(*exit)), 1);
		record_check(exit, i, next, next_writer);
	}
	if (file) {
		EQUAL(taskrt_file_next(file, exit, sizeof(*exit)), 1);
		CHECK(!memcmp(exit, &loss, sizeof(loss)));
		EQUAL(taskrt_file_next(file, exit, sizeof(*exit)), 0);
	}
	taskrt_file_close(file);
	guarded_check(exit, sizeof(*exit));
	close(fd);
}

void exits_check(const char *written)
{
	checking = "exits";
	listen_to_it();
	status_check();
	checking = "exits in a file of one's own";
	write_them(written);
	read_them(written, next_module, true);
	for (unsigned int i = 0; i < 2; i++)
		guarded_check(told[i], sizeof(*told[i]));
}

void file_check(const char *path)
{
	checking = "file";
	read_them(path, next_file, next_file);
}
