// SPDX-License-Identifier: GPL-2.0-only
/*
 * Another module has taken the name of the netlink family, or that of the device: the
 * insertion is refused, and leaves nothing behind; when the name is free again, it works.
 * Nobody has begun a dump meanwhile, which would go on in a module that is not there.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "leftover.h"
#include "module.h"
#include "raw.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define REFUSED	2	/* insertions */

static void must_remove(const char *name)
{
	int err = module_loaded(name) ? module_remove(name) : 0;

	if (err)
		tap_bail("removing %s: %s", name, strerror(-err));
}

static void check(const char *take)
{
	const char *left;
	int err;

	must_remove(MODULE_TASKRT);
	must_remove(MODULE_TEST);
	err = module_insert(MODULE_TEST, take);
	if (err)
		tap_bail("%s %s: %s", MODULE_TEST, take, strerror(-err));
	tap_errno(module_insert(MODULE_TASKRT, ""), -EBUSY, "%s: the insertion is refused", take);
	must_remove(MODULE_TEST);
	left = leftover();
	tap_ok(!left, "%s: nothing is left%s%s", take, left ? " but " : "", left ? left : "");
	module_again("");
	tap_ok(window_works(), "%s: the next insertion works", take);
}

static volatile struct {
	unsigned int over;	/* insertions */
	unsigned int begun;	/* dumps, while one was refused */
} *shared;

/* Return: was there an answer, other than that there is no such family, or not yet? */
static int begin_dump(struct raw *raw)
{
	char buffer[65536] __attribute__((aligned(8)));
	const struct nlmsghdr *nl = (const void *)buffer;
	struct raw_message message;

	raw_begin(raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	if (raw_send(raw, &message))
		return 0;
	return recv(raw->fd, buffer, sizeof(buffer), MSG_DONTWAIT) > 0 &&
	       nl->nlmsg_type == raw->family;
}

/* The kernel gives each family that is registered the next number. */
static void dump_meanwhile(const struct raw *before)
{
	const int least = 1;
	struct raw raw;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	thread_pin(1);
	if (raw_open_like(&raw, before))
		_exit(1);
	setsockopt(raw.fd, SOL_SOCKET, SO_RCVBUF, &least, sizeof(least));
	for (;;) {
		const unsigned int over = shared->over;
		struct raw_answer answer;

		raw.family = before->family + 1 + over;
		if (!begin_dump(&raw))
			continue;
		shared->begun++;
		while (shared->over == over)
			;
		raw_receive(&raw, &answer, NULL, NULL);
	}
}

static void nobody_asks(void)
{
	unsigned int refused = 0;
	struct raw before;
	pid_t pid;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		tap_skip("dumps meanwhile", "there is only one CPU");
		return;
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED || raw_open(&before))
		tap_bail("no memory, or no family");
	thread_pin(0);
	must_remove(MODULE_TASKRT);
	if (module_insert(MODULE_TEST, "take=device"))
		tap_bail(MODULE_TEST);
	pid = fork();
	if (!pid)
		dump_meanwhile(&before);
	while (shared->over < REFUSED) {
		refused += module_insert(MODULE_TASKRT, "") == -EBUSY;
		shared->over++;
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	tap_equal(refused, REFUSED, "dumps meanwhile: all insertions are refused");
	tap_equal(shared->begun, 0, "dumps meanwhile: none is begun");
	must_remove(MODULE_TEST);
	module_again("");
	tap_ok(window_works(), "dumps meanwhile: the next insertion works");
}

int main(void)
{
	check("take=family");
	check("take=device");
	nobody_asks();
	return tap_done();
}
