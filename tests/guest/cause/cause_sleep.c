// SPDX-License-Identifier: GPL-2.0-only
/* Every way to be asleep or blocked without a fault or a lock is reported by its name. */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "uring.h"
#include "window.h"

#define D	(200 * MS)
#define MOST	(D / 2)
/* Some timeouts are counted in ticks, beginning with the previous tick. */
#define TICK	(10 * MS)
#define FIFO	"/tmp/taskrt-fifo"

static const struct timespec period = { 0, D };
static int device;
static const char *unable;	/* why the last case could not be done here */

static void by_futex(void *unused)
{
	uint32_t word = 1;

	(void)unused;
	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, &period, NULL, 0);
}

static void by_poll(void *unused)
{
	(void)unused;
	poll(NULL, 0, D / MS);
}

static void by_ppoll(void *unused)
{
	(void)unused;
	ppoll(NULL, 0, &period, NULL);
}

static void by_select(void *unused)
{
	struct timeval tv = { 0, D / US };

	(void)unused;
	select(0, NULL, NULL, NULL, &tv);
}

static void by_epoll(void *unused)
{
	int fd = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event;

	(void)unused;
	epoll_wait(fd, &event, 1, D / MS);
	close(fd);
}

static void write_later(void *arg)
{
	clock_sleep(D);
	if (write(*(int *)arg, "x", 1) != 1)
		tap_bail("write to a pipe: %s", strerror(errno));
}

static void by_io_uring(void *unused)
{
	struct io_uring_params params = { 0 };
	struct __kernel_timespec ts = { 0, D };
	struct io_uring_getevents_arg arg = { .ts = (uintptr_t)&ts };
	int fd = syscall(SYS_io_uring_setup, 1, &params);

	(void)unused;
	if (fd < 0) {
		unable = "no io_uring";
		return;
	}
	syscall(SYS_io_uring_enter, fd, 0, 1, IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG,
		&arg, sizeof(arg));
	close(fd);
}

/* With a request that nothing answers: the kernel counts that as a wait for I/O. */
static void by_request(void *unused)
{
	struct thread writer;
	int fds[2];

	(void)unused;
	if (pipe2(fds, O_CLOEXEC))
		tap_bail("pipe: %s", strerror(errno));
	thread_start(&writer, write_later, &fds[1]);
	if (uring_poll(fds[0]) == -ENOSYS)
		unable = "no io_uring";
	thread_join(&writer);
	close(fds[0]);
	close(fds[1]);
}

static void by_nanosleep(void *unused)
{
	(void)unused;
	syscall(SYS_nanosleep, &period, NULL);
}

static void by_clock_nanosleep(void *unused)
{
	(void)unused;
	clock_nanosleep(CLOCK_MONOTONIC, 0, &period, NULL);
}

static void by_read(void *unused)
{
	struct thread writer;
	int fds[2];
	char byte;

	(void)unused;
	if (pipe2(fds, O_CLOEXEC))
		tap_bail("pipe: %s", strerror(errno));
	thread_start(&writer, write_later, &fds[1]);
	if (read(fds[0], &byte, 1) != 1)
		tap_bail("read from a pipe: %s", strerror(errno));
	thread_join(&writer);
	close(fds[0]);
	close(fds[1]);
}

static char bytes[1 << 16];

/* A writer goes on when a page of the pipe is free, and 64 KiB are a page everywhere. */
static void read_later(void *arg)
{
	clock_sleep(D);
	if (read(*(int *)arg, bytes, sizeof(bytes)) <= 0)
		tap_bail("read from a full pipe: %s", strerror(errno));
}

static void by_write(void *unused)
{
	struct thread reader;
	int fds[2];

	(void)unused;
	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK))
		tap_bail("pipe: %s", strerror(errno));
	while (write(fds[1], bytes, sizeof(bytes)) > 0)
		;
	fcntl(fds[1], F_SETFL, 0);
	thread_start(&reader, read_later, &fds[0]);
	if (write(fds[1], bytes, 1) != 1)
		tap_bail("write to a full pipe: %s", strerror(errno));
	thread_join(&reader);
	close(fds[0]);
	close(fds[1]);
}

static void by_recv(void *unused)
{
	struct timeval tv = { 0, D / US };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char byte;

	(void)unused;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	recv(fd, &byte, 1, 0);
	close(fd);
}

static void by_accept(void *unused)
{
	struct sockaddr_un nowhere = { .sun_family = AF_UNIX };
	struct timeval tv = { 0, D / US };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)unused;
	/* The kernel chooses a name. */
	if (bind(fd, (struct sockaddr *)&nowhere, sizeof(sa_family_t)) || listen(fd, 1))
		tap_bail("a socket: %s", strerror(errno));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	accept(fd, NULL, NULL);
	close(fd);
}

static void by_signal_wait(void *unused)
{
	sigset_t none;

	(void)unused;
	sigemptyset(&none);
	sigtimedwait(&none, NULL, &period);
}

static void ignore(int signal)
{
	(void)signal;
}

static void signal_later(void *arg)
{
	clock_sleep(D);
	pthread_kill(*(pthread_t *)arg, SIGUSR1);
}

static void by_sigsuspend(void *unused)
{
	pthread_t self = pthread_self();
	struct thread other;
	sigset_t usr1, old;

	(void)unused;
	signal(SIGUSR1, ignore);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr1, &old);
	thread_start(&other, signal_later, &self);
	sigsuspend(&old);
	thread_join(&other);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void by_semaphore(void *unused)
{
	int id = semget(IPC_PRIVATE, 1, 0600);
	struct sembuf take = { .sem_op = -1 };

	(void)unused;
	if (id < 0)
		tap_bail("semget: %s", strerror(errno));
	semtimedop(id, &take, 1, &period);
	semctl(id, 0, IPC_RMID);
}

static void send_later(void *arg)
{
	const struct {
		long type;
		char text[1];
	} message = { .type = 1 };

	clock_sleep(D);
	if (msgsnd(*(int *)arg, &message, sizeof(message.text), 0))
		tap_bail("msgsnd: %s", strerror(errno));
}

static void by_queue(void *unused)
{
	int id = msgget(IPC_PRIVATE, 0600);
	struct {
		long type;
		char text[1];
	} message;
	struct thread sender;

	(void)unused;
	if (id < 0)
		tap_bail("msgget: %s", strerror(errno));
	thread_start(&sender, send_later, &id);
	msgrcv(id, &message, sizeof(message.text), 0, 0);
	thread_join(&sender);
	msgctl(id, IPC_RMID, NULL);
}

static pid_t sleeping_child(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	clock_sleep(D);
	_exit(0);
}

static void by_wait(void *unused)
{
	(void)unused;
	waitpid(sleeping_child(), NULL, 0);
}

static void by_vfork(void *unused)
{
	pid_t child = vfork();

	(void)unused;
	if (!child) {
		clock_sleep(D);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static void open_later(void *unused)
{
	(void)unused;
	clock_sleep(D);
	close(open(FIFO, O_WRONLY | O_CLOEXEC));
}

/* The child opens a FIFO before it executes its program. */
static void by_spawn(void *unused)
{
	char *const arguments[] = { "true", NULL };
	posix_spawn_file_actions_t actions;
	struct thread opener;
	pid_t child;

	(void)unused;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, FIFO, O_RDONLY, 0);
	thread_start(&opener, open_later, NULL);
	if (posix_spawnp(&child, arguments[0], &actions, NULL, arguments, NULL))
		tap_bail("posix_spawn: %s", strerror(errno));
	waitpid(child, NULL, 0);
	thread_join(&opener);
	posix_spawn_file_actions_destroy(&actions);
}

#ifdef __x86_64__
/* Number 7 is poll to 64-bit programs and waitpid to 32-bit ones. */
static void by_foreign_wait(void *unused)
{
	int *status = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	pid_t child = sleeping_child();
	long ret;

	(void)unused;
	asm volatile("int $0x80"
		     : "=a" (ret)
		     : "a" (7), "b" (child), "c" (status), "d" (0)
		     : "memory", "r8", "r9", "r10", "r11");
	if (ret != child) {
		unable = "no 32-bit system calls";
		waitpid(child, NULL, 0);
	}
	munmap(status, 4096);
}
#endif

static void by_ioctl(void *unused)
{
	(void)unused;
	device_delay(device, TASKRT_TEST_INTERRUPTIBLE, D);
}

static void by_io(void *unused)
{
	(void)unused;
	device_delay(device, TASKRT_TEST_IO, D);
}

static void by_uninterruptible(void *unused)
{
	(void)unused;
	device_delay(device, TASKRT_TEST_UNINTERRUPTIBLE, D);
}

static const struct {
	const char *name;
	unsigned int state;
	window_fn fn;
} cases[] = {
	{ "futex", TASKRT_STATE_SLEEPING_FUTEX, by_futex },
	{ "poll", TASKRT_STATE_SLEEPING_POLL, by_poll },
	{ "ppoll", TASKRT_STATE_SLEEPING_POLL, by_ppoll },
	{ "select", TASKRT_STATE_SLEEPING_POLL, by_select },
	{ "epoll_wait", TASKRT_STATE_SLEEPING_POLL, by_epoll },
	{ "io_uring_enter", TASKRT_STATE_SLEEPING_POLL, by_io_uring },
	{ "io_uring_enter, with a request", TASKRT_STATE_SLEEPING_POLL, by_request },
	{ "nanosleep", TASKRT_STATE_SLEEPING_TIMER, by_nanosleep },
	{ "clock_nanosleep", TASKRT_STATE_SLEEPING_TIMER, by_clock_nanosleep },
	{ "read", TASKRT_STATE_SLEEPING_FILE, by_read },
	{ "write", TASKRT_STATE_SLEEPING_FILE, by_write },
	{ "recv", TASKRT_STATE_SLEEPING_SOCKET, by_recv },
	{ "accept", TASKRT_STATE_SLEEPING_SOCKET, by_accept },
	{ "msgrcv", TASKRT_STATE_SLEEPING_SOCKET, by_queue },
	{ "sigtimedwait", TASKRT_STATE_SLEEPING_PAUSE, by_signal_wait },
	{ "sigsuspend", TASKRT_STATE_SLEEPING_PAUSE, by_sigsuspend },
	{ "waitpid", TASKRT_STATE_SLEEPING_WAIT, by_wait },
	{ "vfork", TASKRT_STATE_SLEEPING_WAIT, by_vfork },
	{ "posix_spawn", TASKRT_STATE_SLEEPING_WAIT, by_spawn },
	{ "semtimedop", TASKRT_STATE_SLEEPING, by_semaphore },
#ifdef __x86_64__
	{ "waitpid as a 32-bit call", TASKRT_STATE_SLEEPING, by_foreign_wait },
#endif
	{ "interruptible in an ioctl", TASKRT_STATE_SLEEPING_FILE, by_ioctl },
	{ "as if for a disk", TASKRT_STATE_BLOCKED_IO, by_io },
	{ "uninterruptible", TASKRT_STATE_BLOCKED_OTHER, by_uninterruptible },
};

/* What another thread sees of the sleeper while it sleeps. */
struct watch {
	struct taskrt *handle;
	unsigned int state;
	_Atomic pid_t sleeper;
	_Atomic int over;
	uint64_t seen_ns;		/* it was in that state by then; 0: nobody saw */
	window_fn fn;
};

static void watched(void *arg)
{
	struct watch *watch = arg;

	watch->sleeper = gettid();
	watch->fn(NULL);
	watch->over = 1;
}

static void see(void *arg)
{
	struct watch *watch = arg;
	struct taskrt_reading reading;

	while (!watch->over && !watch->seen_ns) {
		if (watch->sleeper &&
		    !window_ask(watch->handle, TASKRT_ENTITY_THREAD, watch->sleeper, &reading) &&
		    reading.stats.state == watch->state)
			watch->seen_ns = clock_now();
		else
			clock_sleep(MS);
	}
}

/* The first waiting state other than this one in which MOST was spent. */
static unsigned int another(const struct window *window, unsigned int wanted)
{
	unsigned int state;

	for (state = TASKRT_STATE_BLOCKED_LOCK; state < TASKRT_STATES_ROOM; state++)
		if (state != wanted && window->delta.times.states_ns[state] >= MOST)
			break;
	return state;
}

/*
 * A timer starts before its sleeper has left the CPU, and on a busy host it may expire
 * before that: the test tries again until it has seen the thread asleep early enough to
 * sleep for MOST.  Nobody wakes the thread within D of the beginning.
 */
static void sleep_long(struct window *window, unsigned int i)
{
	struct watch watch = { .state = cases[i].state, .fn = cases[i].fn };
	struct thread thread;

	watch.handle = window_open();
	do {
		watch.sleeper = watch.over = 0;
		watch.seen_ns = 0;
		thread_start(&thread, see, &watch);
		window_observe(window, watched, &watch);
		thread_join(&thread);
	} while (!unable && patience_lasts() &&
		 (!watch.seen_ns || watch.seen_ns + MOST + TICK > window->begin_ns + D ||
		  another(window, cases[i].state) < TASKRT_STATES_ROOM));
	taskrt_close(watch.handle);
}

static void one(unsigned int i)
{
	struct window window;

	unable = NULL;
	sleep_long(&window, i);
	if (unable) {
		tap_skip(cases[i].name, unable);
		return;
	}
	window_check_state(&window, cases[i].state, MOST, cases[i].name);
	tap_at_least(VALUE(window.delta, VOLUNTARY_SWITCHES), 1, "%s: gave the CPU up",
		     cases[i].name);
	tap_at_least(VALUE(window.delta, WAKEUPS), 1, "%s: woken", cases[i].name);
	tap_equal(another(&window, cases[i].state), TASKRT_STATES_ROOM, "%s: no other state",
		  cases[i].name);
}

int main(void)
{
	unsigned int i;

	device = device_open();
	if (mkfifo(FIFO, 0600))
		tap_bail("mkfifo: %s", strerror(errno));
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		one(i);
	unlink(FIFO);
	return tap_done();
}
