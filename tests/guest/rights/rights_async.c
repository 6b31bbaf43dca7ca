// SPDX-License-Identifier: GPL-2.0-only
/*
 * A request that io_uring sends for a process in a pid namespace sees what that process
 * sees, and no task outside.  Where a kernel thread sends it, before Linux 5.12 and
 * 5.10.162, it is refused.
 */
#include <errno.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "ask.h"
#include "place.h"
#include "raw.h"
#include "tap.h"
#include "uring.h"

static int send_async(struct raw *raw, struct raw_message *message)
{
	int done;

	message->nl.nlmsg_seq = ++raw->seq;
	done = uring_write(raw->fd, message, message->nl.nlmsg_len);
	if (done == -ENOSYS || done == -EPERM)
		return ENOSYS;
	return done == (int)message->nl.nlmsg_len ? 0 : 200;
}

/* GET of a process outside. */
static int get_outside(void *pid)
{
	struct raw_message message;
	struct raw_answer answer;
	struct raw raw;
	int err;

	if (raw_open(&raw))
		return 200;
	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_ACK);
	raw_put_u32(&message, TASKRT_A_TGID, *(pid_t *)pid);
	err = send_async(&raw, &message);
	if (err)
		return err;
	raw_receive(&raw, &answer, NULL, NULL);
	if (!answer.answered)
		return 200;
	return answer.error == -EPERM ? ESRCH : -answer.error;
}

static void count(const struct raw_stats *stats, void *arg)
{
	(void)stats;
	++*(unsigned int *)arg;
}

/* A dump of all: the number of threads. */
static int dump(void *unused)
{
	struct raw_message message;
	struct raw_answer answer;
	unsigned int threads = 0;
	struct raw raw;

	(void)unused;
	if (raw_open(&raw))
		return 200;
	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	if (send_async(&raw, &message))
		return 200;
	raw_receive(&raw, &answer, count, &threads);
	return threads < 199 ? threads : 199;
}

int main(void)
{
	pid_t outside = getpid();
	int err;

	place_make();
	place_fork_into(1);
	err = ask_in_child(get_outside, &outside);
	if (err == ENOSYS) {
		tap_skip("io_uring", "this kernel has none");
	} else {
		tap_errno(err, ESRCH, "io_uring: no process outside can be named");
		/* pid 1, the requester, and a worker of io_uring that is one of its threads. */
		tap_at_most(ask_in_child(dump, NULL), 3, "io_uring: a dump has those inside");
	}
	place_remove();
	return tap_done();
}
