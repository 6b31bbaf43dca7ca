// SPDX-License-Identifier: GPL-2.0-only
/* Standard output, whose write errors must not go unnoticed. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "common/output.h"

void output_guard(void)
{
	int fd;

	for (fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		/* The lowest comes first, so open() returns fd; its mode makes any use fail. */
		if (open("/dev/null", (fd ? O_RDONLY : O_WRONLY) | O_CLOEXEC) != fd)
			_exit(STATUS_FAILED);
	}
}

void output_keep_pipe(void)
{
	signal(SIGPIPE, SIG_IGN);
}

int output_close(FILE *out, const char *file, int status)
{
	int failed = ferror(out);
	int error = 0;

	if (fclose(out)) {
		failed = 1;
		error = -errno;
	}
	return failed ? error_write(file, error) : status;
}
