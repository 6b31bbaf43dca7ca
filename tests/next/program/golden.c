// SPDX-License-Identifier: GPL-2.0-only
/*
 * golden MODULE FOLDER: what the writers write of the scenario, a file each, to be
 * compared with what they wrote when 1.0 was frozen.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/netlink.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>

#include "scenario.h"
#include "taskrt.h"
#include "world.h"

#define UNSAID	0xffffffffU

static const char *folder;
static char bytes[65536];

static void save(const char *name, const void *from, int length)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	if (length <= 0 || !file || fwrite(from, length, 1, file) != 1 || fclose(file)) {
		fprintf(stderr, "%s: %d\n", path, length);
		exit(1);
	}
}

static int ask(int command, int id_type, uint32_t id, uint32_t version, uint32_t groups)
{
	struct nl_msg *request = nlmsg_alloc();
	int length;

	genlmsg_put(request, 0, 0, 40, 0, 0, command, 1);
	if (id_type)
		nla_put_u32(request, id_type, id);
	if (version != UNSAID)
		nla_put_u32(request, TASKRT_A_VERSION, version);
	if (groups != UNSAID)
		nla_put_u32(request, TASKRT_A_GROUPS, groups);
	length = world->answer(nlmsg_hdr(request), bytes, sizeof(bytes));
	nlmsg_free(request);
	return length;
}

static void save_get(const char *name, int id_type, uint32_t version, uint32_t groups)
{
	save(name, bytes, ask(TASKRT_CMD_GET, id_type, 0, version, groups));
}

static void save_messages(void)
{
	save_get("thread-1", TASKRT_A_TID, 1, UNSAID);
	save_get("thread-2", TASKRT_A_TID, 2, UNSAID);
	save_get("process-1", TASKRT_A_TGID, 1, UNSAID);
	save_get("process-2", TASKRT_A_TGID, 2, UNSAID);
	save_get("thread-3", TASKRT_A_TID, 3, 0);
	save_get("thread-default", TASKRT_A_TID, UNSAID, UNSAID);
	save_get("process-groups", TASKRT_A_TGID, 3, 7);
	world->coarsen(1000);
	save_get("process-coarse", TASKRT_A_TGID, 3, 7);
	save_get("process-coarse-2", TASKRT_A_TGID, 2, UNSAID);
	world->coarsen(1);
	save("info", bytes, ask(TASKRT_CMD_INFO, 0, 0, UNSAID, UNSAID));
	save("alert", bytes, world->alert(bytes, sizeof(bytes)));
}

/* Only bit 31 is refused; what no module knows is left out. */
static void check_refusals(void)
{
	if (ask(TASKRT_CMD_GET, TASKRT_A_TID, 0, 3, 1U << 31) != -EINVAL ||
	    ask(TASKRT_CMD_GET, TASKRT_A_TID, 0, 3, 1U << 31 | 7) != -EINVAL ||
	    ask(TASKRT_CMD_GET, TASKRT_A_TID, 0, 3, 1U << 30) !=
	    ask(TASKRT_CMD_GET, TASKRT_A_TID, 0, 3, 0)) {
		fprintf(stderr, "the wrong groups are refused\n");
		exit(1);
	}
}

static void save_page(void)
{
	const size_t length = world->page_bytes();
	void *page;

	world->begin();
	page = mmap(NULL, length, PROT_READ, MAP_SHARED, world->page_fd(), 0);
	save("page-running", page, length);
	world->go_on();
	save("page", page, length);
	world->end();
	save("page-ended", page, length);
	munmap(page, length);
}

static void save_exits(void)
{
	ask(TASKRT_CMD_REGISTER, 0, 0, UNSAID, UNSAID);
	save("exits-default", bytes, world->exits(bytes, sizeof(bytes)));
	ask(TASKRT_CMD_REGISTER, 0, 0, 3, 7);
	save("exits", bytes, world->exits(bytes, sizeof(bytes)));
}

/* Written by the library of the same version. */
static void save_file(void)
{
	const struct taskrt_query query = { .groups = 7 };
	int fd = memfd_create("file", 0);
	struct taskrt_exits *exits;
	struct taskrt_file *file;
	struct taskrt_exit exit;

	if (taskrt_exits_open(&exits) || taskrt_file_create(&file, fd) ||
	    taskrt_exits_register(exits, NULL, &query, sizeof(query), NULL, 0))
		abort();
	world_tell(bytes, world->exits(bytes, sizeof(bytes)));
	while (taskrt_exits_next(exits, 0, &exit, sizeof(exit)) == 1)
		if (taskrt_file_write(file, &exit, sizeof(exit)))
			abort();
	exit = (struct taskrt_exit){ .type = TASKRT_EXIT_LOST, .seq = 2, .lost = 5, .lost_now = 5 };
	if (taskrt_file_write(file, &exit, sizeof(exit)) || taskrt_file_close(file))
		abort();
	taskrt_exits_close(exits);
	save("file", bytes, pread(fd, bytes, sizeof(bytes), 0));
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	folder = argv[2];
	world_open(argv[1]);
	world->begin();
	world->go_on();
	save_messages();
	check_refusals();
	save_page();
	save_exits();
	save_file();
	return 0;
}
