// SPDX-License-Identifier: GPL-2.0-only
/*
 * taskrt top on a terminal, on the live module: it draws what the kernel has, reports when
 * accounting is switched off or the module is removed, and goes on afterwards.  tests/cli has
 * the keys.
 *
 * Curses sends only what has changed, but everything after a change of size.  Therefore
 * the test changes the size before it looks for something.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "module.h"
#include "tap.h"

#define PATIENCE	CLOCK_PATIENCE

static int terminal;
static pid_t top;
static char seen[1 << 16];	/* since the last change of size */
static size_t length;

static int open_terminal(void)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY);

	if (fd >= 0)
		return fd;
	mkdir("/dev/pts", 0755);
	if (mount("devpts", "/dev/pts", "devpts", 0, "ptmxmode=0666"))
		return -1;
	return posix_openpt(O_RDWR | O_NOCTTY);
}

static void set_size(unsigned short columns, unsigned short lines)
{
	struct winsize size = { .ws_col = columns, .ws_row = lines };

	ioctl(terminal, TIOCSWINSZ, &size);
}

static void start(void)
{
	const char *name = ptsname(terminal);
	int fd;

	top = fork();
	if (top)
		return;
	setsid();
	fd = open(name, O_RDWR);
	if (fd < 0)
		_exit(126);
	ioctl(fd, TIOCSCTTY, 0);
	dup2(fd, 0);
	dup2(fd, 1);
	dup2(fd, 2);
	close(fd);
	setenv("TERM", "linux", 1);
	execlp("taskrt", "taskrt", "top", "-d", "0.3", (char *)NULL);
	_exit(127);
}

/* Reads the output, and keeps its end. */
static void take(int timeout_ms)
{
	struct pollfd fd = { .fd = terminal, .events = POLLIN };
	ssize_t got;

	if (poll(&fd, 1, timeout_ms) <= 0)
		return;
	if (length > sizeof(seen) / 2) {
		memmove(seen, seen + length / 2, length - length / 2);
		length -= length / 2;
	}
	got = read(terminal, seen + length, sizeof(seen) - 1 - length);
	if (got > 0)
		length += (size_t)got;
	seen[length] = '\0';
}

static int shows_within(const char *text, uint64_t patience)
{
	static unsigned short lines = 30;
	uint64_t end = clock_now() + patience, again;

	while (clock_now() < end) {
		length = 0;
		seen[0] = '\0';
		lines = lines == 30 ? 31 : 30;
		set_size(130, lines);
		again = clock_now() + SEC;
		while (clock_now() < again) {
			take(50);
			if (strstr(seen, text))
				return 1;
		}
	}
	return 0;
}

static void keys(const char *text)
{
	if (write(terminal, text, strlen(text)) != (ssize_t)strlen(text))
		tap_bail("the terminal takes no keys");
}

static void check_shows(const char *text, const char *name)
{
	tap_ok(shows_within(text, PATIENCE), "%s", name);
}

static void check_threads(void)
{
	check_shows("sorted by wait", "a screen");
	check_shows("gone in ", "with rates");
	check_shows("WAIT%", "and all columns that there is room for");
	keys("t");
	check_shows("migration/0", "t: real-time threads");
	check_shows("FF 99", "with their priority");
}

static void check_module(void)
{
	module_set("enabled", "0");
	check_shows("accounting is switched off", "switched off: it says so");
	module_set("enabled", "1");
	check_shows("gone in ", "switched on: it goes on");
	if (module_remove(MODULE_TASKRT)) {
		tap_skip("removed", "the module is in use");
		return;
	}
	check_shows("module is not loaded", "removed: it says so");
	tap_ok(!module_insert(MODULE_TASKRT, ""), "the module is inserted again");
	check_shows("gone in ", "inserted: it goes on");
}

/* Return: its wait status; -1: it does not end. */
static int await_end(void)
{
	uint64_t end = clock_now() + PATIENCE;
	int status;

	while (clock_now() < end) {
		if (waitpid(top, &status, WNOHANG) == top)
			return status;
		take(20);
	}
	kill(top, SIGKILL);
	waitpid(top, &status, 0);
	return -1;
}

int main(void)
{
	terminal = open_terminal();
	if (terminal < 0 || grantpt(terminal) || unlockpt(terminal)) {
		tap_skip("a screen", "this kernel has no pseudo-terminals");
		return tap_done();
	}
	set_size(130, 30);
	start();
	if (!shows_within("sorted by", PATIENCE)) {
		if (strstr(seen, "this terminal cannot be used"))
			tap_skip("a screen", "no terminfo entry of 'linux' here");
		else
			tap_ok(0, "a screen: %s", seen);
		await_end();
		return tap_done();
	}
	check_threads();
	check_module();
	keys("q");
	tap_equal((uint64_t)await_end(), 0, "q: it ends");
	return tap_done();
}
