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
 *   exits-late      the process comes after the command has asked for the status; for run,
 *                   one more than come
 *   exits-many      they come a thousand times; a signal comes with the first of them
 *   exits-unread    the status names two more than come
 *   exits-signal    $FAKE_SIGNALS come when the status is asked for, and at no other time
 *   cpus            a list of CPUs that is wrong
 *
 * A listener to processes only that has a child, as run has, receives the child and its
 * descendants instead, when it has read the totals of the ended child:
 *
 *   descendants-none     it has no descendants
 *   descendants-lost     an exit is lost
 *   descendants-gone     the module is removed meanwhile
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <taskrt.h>

#include "fake.h"
#include "fake_reading.h"

#define FAMILY_LAST	8
#define MANY		1000
#define SEQUENCE	6	/* records and losses of one time */

static uint32_t command;	/* the child that has ended; 0: none was seen */
static int family_told;		/* steps of its family's sequence */

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
	if (fake("exits-signal"))
		fake_signal();
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

static int tell_family(struct taskrt_exits *exits, struct taskrt_exit *exit,
		       uint32_t pid, uint32_t ppid, uint64_t start_s, uint64_t end_s)
{
	tell(exits, exit, TASKRT_EXIT_PROCESS, pid, 0);
	exit->reading.stats.ppid = ppid;
	exit->reading.stats.start_time_ns = start_s * 1000000000;
	exit->reading.stats.sample_time_ns = end_s * 1000000000;
	return 1;
}

/*
 * The command began at 6 and has ended.  Its descendants are the child 900001 with its
 * children 900002 and 900004, the latter reported after it, and the orphan 900003.  Another
 * process had the id 900001 before, with the child 900005; 5 and 900006, which is a child
 * of taskrt's from before, are not descendants.
 */
static int tell_family_next(struct taskrt_exits *exits, struct taskrt_exit *exit)
{
	uint32_t us = (uint32_t)getpid();

	if (fake("descendants-none") && !family_told)
		family_told = FAMILY_LAST;
	switch (family_told++) {
	case 0:
		return tell_family(exits, exit, 900005, 900001, 6, 7);
	case 1:
		return tell_family(exits, exit, 900001, 1, 6, 8);
	case 2:
		return tell_family(exits, exit, 900002, 900001, 11, 13);
	case 3:
		if (fake("descendants-lost"))
			return lose(exits, exit, 1);
		return tell_family(exits, exit, 5, 1, 3, 13);
	case 4:
		return tell_family(exits, exit, 900001, command, 9, 14);
	case 5:
		if (fake("descendants-gone"))
			return -ENODEV;
		return tell_family(exits, exit, 900003, us, 10, 14);
	case 6:
		return tell_family(exits, exit, 900004, 900001, 12, 15);
	case 7:
		return tell_family(exits, exit, 900006, us, 3, 15);
	case FAMILY_LAST:
		return tell_family(exits, exit, command, us, 6, 16);
	default:
		return 0;
	}
}

static int has_child(void)
{
	siginfo_t info;

	return !waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT);
}

void fake_read_process(uint32_t tgid)
{
	siginfo_t info = { 0 };

	if (!waitid(P_PID, tgid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid)
		command = tgid;
}

int fake_family_is_pending(void)
{
	return command && family_told <= FAMILY_LAST;
}

static int next(struct taskrt_exits *exits, struct taskrt_exit *exit)
{
	if (exits->query.entities != TASKRT_ENTITIES_PROCESSES || (!command && !has_child()))
		return tell_next(exits, exit);
	return command ? tell_family_next(exits, exit) : 0;
}

int taskrt_exits_next(struct taskrt_exits *exits, int timeout_ms, struct taskrt_exit *exit,
		      size_t size)
{
	uint64_t ticks;
	int more;

	(void)timeout_ms;
	(void)!read(exits->fd, &ticks, sizeof(ticks));
	memset(exit, 0, size);
	more = next(exits, exit);
	if (!more && !fake("exits-signal"))
		fake_signal();
	if (more > 0 && exit->type != TASKRT_EXIT_LOST)
		fake_keep(&exit->reading, exits->query.groups);
	return more;
}
