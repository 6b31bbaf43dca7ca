// SPDX-License-Identifier: GPL-2.0-only
/*
 * A listener is a socket, not a port number: it ends with its socket at once, lives as
 * long as anybody holds the socket, and a new socket with the same number receives
 * nothing.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "delivery.h"
#include "listener.h"
#include "patience.h"
#include "tap.h"
#include "token.h"
#include "window.h"

static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
static struct taskrt *handle;

static unsigned int listeners(void)
{
	struct taskrt_info info;

	window_info(handle, &info);
	return info.listeners;
}

static uint32_t port_of(int fd)
{
	struct sockaddr_nl address = { 0 };
	socklen_t length = sizeof(address);

	if (getsockname(fd, (void *)&address, &length))
		tap_bail("getsockname: %s", strerror(errno));
	return address.nl_pid;
}

static int bind_to(int fd, uint32_t port)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_pid = port };

	return bind(fd, (void *)&address, sizeof(address)) ? -errno : 0;
}

static void some_end(unsigned int count)
{
	while (count--) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

static unsigned int heard(int fd)
{
	char buffer[65536];
	unsigned int messages = 0;

	while (recv(fd, buffer, sizeof(buffer), MSG_DONTWAIT) > 0)
		messages++;
	return messages;
}

/* Waits until no record is under way: every listener has received all exits until now. */
static void flush_queue(struct listener *other)
{
	struct taskrt_info info;

	delivery_await(other);
	do
		window_info(handle, &info);
	while (info.backlog_bytes && patience_lasts());
}

static int up[2], down[2];

/* A socket of another user with the number of a listener that has just closed. */
static int take_over(uint32_t port)
{
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC), err;

	err = bind_to(fd, port);
	if (err)
		return -err;
	if (port_of(fd) != port)
		return 100;
	ask_become(&user);
	some_end(20);
	token_pass(up[1]);
	token_await(down[0]);
	return heard(fd) ? 101 : 0;
}

/*
 * Returns what the new socket receives, after the other listener has received all its
 * records.
 */
static int usurp(uint32_t port, struct listener *other)
{
	int status;
	pid_t pid;

	if (pipe(up) || pipe(down))
		tap_bail("pipe");
	pid = fork();
	if (!pid)
		_exit(take_over(port));
	close(up[1]);
	token_await(up[0]);
	flush_queue(other);
	token_pass(down[1]);
	waitpid(pid, &status, 0);
	close(up[0]);
	close(down[0]);
	close(down[1]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : status;
}

static void number_taken_over(void)
{
	struct listener listener, other;
	uint32_t port;

	listener_open(&other, NULL, NULL);
	listener_listen(&other, NULL);
	listener_open(&listener, NULL, NULL);
	listener_listen(&listener, NULL);
	port = port_of(listener.raw.fd);
	tap_at_least(port, 1, "a listener has a number");
	listener_close(&listener);
	tap_equal(usurp(port, &other), 0,
		  "a socket that takes over its number receives nothing (else 101)");
	tap_at_least(other.received, 2 * 20, "while another listener receives all records");
	listener_close(&other);
}

/* The same number and the same process with a new socket: that is no listener either. */
static void number_again(void)
{
	struct listener old, fresh, other;
	struct raw_answer answer;
	uint32_t port;

	listener_open(&old, NULL, NULL);
	listener_listen(&old, NULL);
	port = port_of(old.raw.fd);
	listener_close(&old);
	memset(&fresh, 0, sizeof(fresh));
	listener_open(&fresh, NULL, NULL);
	close(fresh.raw.fd);
	fresh.raw.fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	if (bind_to(fresh.raw.fd, port))
		tap_bail("the number %u is not free", port);
	tap_errno(listener_ask(&fresh, TASKRT_CMD_LIST, NULL, &answer), 0,
		  "the number again: LIST");
	tap_ok(!raw_find(&answer, TASKRT_A_REGISTRATION, NULL),
	       "the number again: nothing is registered");
	listener_open(&other, NULL, NULL);
	listener_listen(&other, NULL);
	some_end(20);
	flush_queue(&other);
	listener_wait(&fresh, 0);
	tap_equal(fresh.received, 0, "the number again: no record arrives");
	listener_close(&other);
	listener_close(&fresh);
}

static void gone_at_once(void)
{
	unsigned int before = listeners(), i, wrong = 0;
	struct listener listener;

	for (i = 0; i < 200; i++) {
		listener_open(&listener, NULL, NULL);
		listener_listen(&listener, NULL);
		wrong += listeners() != before + 1;
		listener_close(&listener);
		wrong += listeners() != before;
	}
	tap_equal(wrong, 0, "there is one more when it registers, one less when it is closed");
}

static int end_with_listener(void *unused)
{
	struct listener listener;

	(void)unused;
	listener_open(&listener, NULL, NULL);
	listener_listen(&listener, NULL);
	some_end(5);
	return 0;
}

static void gone_with_its_process(void)
{
	unsigned int before = listeners();

	tap_equal(ask_in_child(end_with_listener, NULL), 0, "a process that never closes it");
	tap_equal(listeners(), before, "gone with its process");
}

/* A copy of the descriptor is the same socket. */
static void copies(void)
{
	unsigned int before = listeners();
	struct listener listener;
	uint64_t received;
	int first;

	listener_open(&listener, NULL, NULL);
	listener_listen(&listener, NULL);
	first = listener.raw.fd;
	listener.raw.fd = dup(first);
	close(first);
	tap_equal(listeners(), before + 1, "a copy: still a listener");
	listener_drain(&listener);
	received = listener.received;
	listener_drain(&listener);
	tap_at_least(listener.received - received, 2, "a copy: receives records");
	tap_equal(listener.wrong, 0, "a copy: and nothing is wrong");
	listener_close(&listener);
	tap_equal(listeners(), before, "a copy: gone with the last one");
}

static int use_inherited(struct listener *listener, int parent)
{
	char byte;

	/* The parent closes this as well when it has closed the socket. */
	if (read(parent, &byte, 1))
		return 200;
	ask_become(&user);
	listener_drain(listener);
	return listener->wrong ? 100 : listener->received < 2;
}

/* The socket goes to a process that may not register this way itself. */
static void inherited(void)
{
	unsigned int before = listeners();
	int status, closed[2];
	struct listener listener;
	pid_t pid;

	listener_open(&listener, NULL, NULL);
	listener_listen(&listener, NULL);
	if (pipe(closed))
		tap_bail("pipe");
	pid = fork();
	if (!pid) {
		close(closed[1]);
		_exit(use_inherited(&listener, closed[0]));
	}
	close(closed[0]);
	listener_close(&listener);
	tap_equal(listeners(), before + 1, "inherited: a listener as long as the heir has it");
	close(closed[1]);
	waitpid(pid, &status, 0);
	tap_equal(status, 0, "inherited: the heir receives records");
	tap_equal(listeners(), before, "inherited: gone with the heir");
}

/* Sockets register and close while tasks end: no message may be sent to a closed one. */
static void in_a_hurry(void)
{
	unsigned int before = listeners(), i;
	struct listener listener;
	pid_t pid = fork();

	if (!pid)
		for (;;)
			some_end(100);
	for (i = 0; i < 300; i++) {
		listener_open(&listener, NULL, NULL);
		listener_listen(&listener, NULL);
		if (i % 3 == 0)
			listener_wait(&listener, 1);
		listener_close(&listener);
	}
	ask_end(pid);
	tap_equal(listeners(), before, "registered and closed 300 times while tasks end");
}

/* The library's socket receives from the kernel alone, even if root sends. */
static void library_is_closed(void)
{
	struct { struct nlmsghdr nl; uint64_t rest[2]; } message = { .nl = {
		.nlmsg_len = sizeof(message), .nlmsg_type = NLMSG_DONE,
	} };
	struct sockaddr_nl address = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	struct taskrt_exits *exits;

	if (fd < 0 || taskrt_exits_open(&exits))
		tap_bail("cannot open a listener");
	address.nl_pid = port_of(taskrt_exits_fd(exits));
	tap_errno(sendto(fd, &message, sizeof(message), 0, (void *)&address,
			 sizeof(address)) < 0 ? -errno : 0, -ECONNREFUSED,
		  "the library's socket refuses a datagram of another process");
	tap_errno(taskrt_exits_register(exits, NULL, NULL, 0, NULL, 0), 0,
		  "and works as before");
	taskrt_exits_close(exits);
	close(fd);
}

int main(void)
{
	handle = window_open();
	number_taken_over();
	number_again();
	gone_at_once();
	gone_with_its_process();
	copies();
	inherited();
	in_a_hurry();
	library_is_closed();
	taskrt_close(handle);
	return tap_done();
}
