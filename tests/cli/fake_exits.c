// SPDX-License-Identifier: GPL-2.0-only
/*
 * The listener of the fake libtaskrt.  It returns the exit of thread 101, a loss of
 * three records, and the exits of the thread and the process 100; then nothing more.
 * $FAKE names what is different:
 *
 *   exits-own       not permitted to listen to everybody
 *   exits-never     ... nor to anything
 *   exits-old       a module that does not know of exits
 *   exits-gone      the module is removed after these records
 *   exits-garbled   a message between them makes no sense
 *   exits-flood     they come again and again, without end
 *   exits-late      the process comes after the command has asked for the status
 *   exits-many      they come a thousand times; a signal comes with the first of them
 *   exits-unread    the status names two more than come
 *   cpus            a list of CPUs that is wrong
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <taskrt.h>

#include "fake.h"
#include "fake_reading.h"

#define MANY		1000
#define SEQUENCE	6	/* records and losses of one time */

struct taskrt_exits {
	int fd;
	int error;
	int told;		/* steps of the sequence */
	unsigned int floods;
	int asked;		/* the status was requested */
	uint64_t seq;
	uint64_t lost;
	struct taskrt_query query;
};

int taskrt_exits_open(struct taskrt_exits **exits)
{
	*exits = NULL;
	if (fake("absent"))
		return -ENOENT;
	if (fake("proto"))
		return -EPROTO;
	*exits = calloc(1, sizeof(**exits));
	if (!*exits)
		return -ENOMEM;
	(*exits)->fd = -1;
	return 0;
}

void taskrt_exits_close(struct taskrt_exits *exits)
{
	if (exits)
		close(exits->fd);
	free(exits);
}

const char *taskrt_exits_error(const struct taskrt_exits *exits)
{
	return exits->error == -EINVAL ? "the kernel's own words" : strerror(-exits->error);
}

int taskrt_exits_fd(const struct taskrt_exits *exits)
{
	return exits->fd;
}

int taskrt_exits_set_buffer(struct taskrt_exits *exits, size_t bytes, size_t *got)
{
	(void)exits;
	*got = bytes > 4096 ? 4096 : bytes;
	return 0;
}

static int refused(const struct taskrt_query *query)
{
	if (fake("off"))
		return -ENODATA;
	if (fake("exits-old"))
		return -EOPNOTSUPP;
	if (fake("exits-never") || (fake("exits-own") && !query->own_only))
		return -EPERM;
	if (fake("cpus"))
		return -EINVAL;
	if (query->tgid == 203)
		return -ESRCH;
	return query->cgroup == 203 ? -ENOENT : 0;
}

/* Stands for the socket: it is readable if there is a record, or may be one soon. */
static int open_fd(void)
{
	const struct itimerspec often = { { 0, 5000000 }, { 0, 5000000 } };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	timerfd_settime(fd, 0, &often, NULL);
	return fd;
}

int taskrt_exits_register(struct taskrt_exits *exits, const char *cpus,
			  const struct taskrt_query *query, size_t size, char *accepted,
			  size_t accepted_size)
{
	(void)size;
	(void)cpus;
	(void)accepted;
	(void)accepted_size;
	exits->error = refused(query);
	exits->query = *query;
	fake_asked("exits", query->groups);
	if (!exits->error)
		exits->fd = open_fd();
	return exits->error;
}

int taskrt_exits_get_status(struct taskrt_exits *exits, struct taskrt_exits_status *status,
			    size_t size)
{
	(void)size;
	memset(status, 0, sizeof(*status));
	status->sequence = fake("exits-many") ? MANY * SEQUENCE :
			   exits->seq + (fake("exits-late") ? 1 : fake("exits-unread") ? 2 : 0);
	status->lost = exits->lost;
	exits->asked = 1;
	return 0;
}

static int tell(struct taskrt_exits *exits, struct taskrt_exit *exit,
		enum taskrt_exit_type type, uint32_t tgid, uint32_t exit_code)
{
	exit->type = type;
	exit->cpu = 3;
	exit->seq = exits->seq++;
	exit->lost = exits->lost;
	/* Where a name is that of two processes, thread 101 is of another. */
	fake_ended(&exit->reading, type == TASKRT_EXIT_THREAD ? tgid : 0,
		   tgid == 101 ? fake("namesakes") ? 99 : 100 : tgid, exit_code);
	return 1;
}

static int lose(struct taskrt_exits *exits, struct taskrt_exit *exit, uint64_t count)
{
	exit->type = TASKRT_EXIT_LOST;
	exit->seq = exits->seq;
	exit->lost_now = count;
	exit->lost = exits->lost += count;
	exits->seq += count;
	return 1;
}

/* The next step of the sequence.  Return: as taskrt_exits_next(). */
static int tell_next(struct taskrt_exits *exits, struct taskrt_exit *exit)
{
	switch (exits->told++) {
	case 0:
		return tell(exits, exit, TASKRT_EXIT_THREAD, 101, 0x700);
	case 1:
		return lose(exits, exit, 3);
	case 2:
		if (fake("exits-garbled"))
			return -EBADMSG;
		exits->told++;
		/* fall through */
	case 3:
		return tell(exits, exit, TASKRT_EXIT_THREAD, 100, 0x8b);
	case 4:
		if (!fake("exits-late") || exits->asked)
			return tell(exits, exit, TASKRT_EXIT_PROCESS, 100, 0x8b);
		exits->told--;
		return 0;
	default:
		if (fake("exits-gone"))
			return -ENODEV;
		if (!fake("exits-flood") && !(fake("exits-many") && exits->floods < MANY - 1))
			return 0;
		exits->told = 0;
		/* Two at once, as timeout(1) sends them. */
		if (++exits->floods % 1000 == 0) {
			fake_signal();
			fake_signal();
		}
		if (fake("exits-many"))
			fake_signal();
		return tell_next(exits, exit);
	}
}

int taskrt_exits_next(struct taskrt_exits *exits, int timeout_ms, struct taskrt_exit *exit,
		      size_t size)
{
	uint64_t ticks;
	int more;

	(void)timeout_ms;
	(void)!read(exits->fd, &ticks, sizeof(ticks));
	memset(exit, 0, size);
	more = tell_next(exits, exit);
	if (!more)
		fake_signal();
	if (more > 0 && exit->type != TASKRT_EXIT_LOST)
		fake_keep(&exit->reading, exits->query.groups);
	return more;
}
