// SPDX-License-Identifier: GPL-2.0-only
/*
 * peer OBJECT: attaches the programs of this object, prints the id of their map when they
 * are attached, and keeps them until it is killed.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

enum { SLEEPING = 3, SLEEPING_TIMER = 8, SLEEPING_POLL, SLEEPING_FUTEX };

static void fill_sleeps(unsigned char *sleeps, size_t size)
{
	memset(sleeps, SLEEPING, size);
	sleeps[SYS_nanosleep] = SLEEPING_TIMER;
	sleeps[SYS_clock_nanosleep] = SLEEPING_TIMER;
	sleeps[SYS_poll] = SLEEPING_POLL;
	sleeps[SYS_ppoll] = SLEEPING_POLL;
	sleeps[SYS_select] = SLEEPING_POLL;
	sleeps[SYS_pselect6] = SLEEPING_POLL;
	sleeps[SYS_epoll_wait] = SLEEPING_POLL;
	sleeps[SYS_epoll_pwait] = SLEEPING_POLL;
	sleeps[SYS_futex] = SLEEPING_FUTEX;
}

static int attach_all(struct bpf_object *object)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object)
		if (!bpf_program__attach(program)) {
			perror(bpf_program__name(program));
			return -1;
		}
	return 0;
}

static struct bpf_object *load(const char *path)
{
	struct bpf_object *object = bpf_object__open_file(path, NULL);
	struct bpf_map *rodata;
	unsigned char *sleeps;
	size_t size;

	if (!object)
		return NULL;
	rodata = bpf_object__find_map_by_name(object, ".rodata.sleeps");
	sleeps = rodata ? (void *)bpf_map__initial_value(rodata, &size) : NULL;
	if (sleeps)
		fill_sleeps(sleeps, 512);
	return bpf_object__load(object) ? NULL : object;
}

int main(int argc, char **argv)
{
	struct bpf_map_info info = { 0 };
	unsigned int size = sizeof(info);
	struct bpf_object *object;

	object = argc == 2 ? load(argv[1]) : NULL;
	if (!object || attach_all(object))
		return 1;
	if (bpf_obj_get_info_by_fd(bpf_object__find_map_fd_by_name(object, "accounts"), &info, &size))
		return 1;
	printf("%u\n", info.id);
	fflush(stdout);
	return pause();
}
