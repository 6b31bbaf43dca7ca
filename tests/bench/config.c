// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "config.h"
#include "crowd.h"
#include "event.h"
#include "module.h"
#include "tap.h"

const char * const config_names[CONFIGS] = {
	[CONFIG_ABSENT] = "absent",
	[CONFIG_OFF] = "off",
	[CONFIG_ON] = "on",
	[CONFIG_STORAGE] = "storage",
	[CONFIG_HASH] = "hash",
	[CONFIG_SCHEDSTATS] = "schedstats",
	[CONFIG_BPFTRACE] = "bpftrace",
};

/* The program that holds the eBPF programs, until it is killed. */
static struct peer {
	pid_t pid;
	uint32_t map_id;
} peer;

uint32_t config_map_id(void)
{
	return peer.map_id;
}

static void peer_be(const char *program, const char *object, int out)
{
	const char *folder = getenv("TASKRT_BENCH_PEER");

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(out, STDOUT_FILENO);
	if (!chdir(folder ? folder : "."))
		execl(program, program, object, NULL);
	_exit(127);
}

/* Waits for the line that the program prints when all is attached. */
static int peer_begin(const char *program, const char *object)
{
	char text[32] = "";
	int out[2], begun;

	if (pipe2(out, O_CLOEXEC))
		tap_bail("pipe: %s", strerror(errno));
	peer.pid = fork();
	if (!peer.pid)
		peer_be(program, object, out[1]);
	close(out[1]);
	begun = read(out[0], text, sizeof(text) - 1) > 0;
	peer.map_id = strtoul(text, NULL, 10);
	close(out[0]);
	return begun;
}

static void peer_end(void)
{
	if (!peer.pid)
		return;
	kill(peer.pid, SIGKILL);
	waitpid(peer.pid, NULL, 0);
	memset(&peer, 0, sizeof(peer));
}

static int sysctl_set(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), ok;

	if (fd < 0)
		return 0;
	ok = write(fd, value, strlen(value)) > 0;
	close(fd);
	return ok;
}

static int schedstats_set(const char *value)
{
	return sysctl_set("/proc/sys/kernel/sched_schedstats", value) &&
	       sysctl_set("/proc/sys/kernel/task_delayacct", value);
}

static void module_enter(enum config config)
{
	/* By default there is room for 65536 threads. */
	if (!module_loaded(MODULE_TASKRT))
		module_again(crowd_size() > 60000 ? "max_threads=262144" : "");
	module_must_set("enabled", config == CONFIG_ON ? "1" : "0");
	if (config == CONFIG_ON)
		query_connect();
}

void config_leave(void)
{
	query_disconnect();
	peer_end();
	schedstats_set("0");
	if (module_loaded(MODULE_TASKRT) && module_remove(MODULE_TASKRT))
		tap_bail("cannot remove the module");
}

int config_enter(enum config config)
{
	int can = 1;

	config_leave();
	switch (config) {
	case CONFIG_OFF:
	case CONFIG_ON:
		module_enter(config);
		break;
	case CONFIG_STORAGE:
		can = peer_begin("./peer", "storage.bpf.o");
		break;
	case CONFIG_HASH:
		can = peer_begin("./peer", "hash.bpf.o");
		break;
	case CONFIG_SCHEDSTATS:
		can = schedstats_set("1");
		break;
	case CONFIG_BPFTRACE:
		can = peer_begin("./account.bt", NULL);
		break;
	default:
		break;
	}
	/*
	 * The kernel does what it has put off.  The clock of the guest skips idle time, so
	 * that this takes no real time.
	 */
	clock_sleep(2 * SEC);
	return can;
}
