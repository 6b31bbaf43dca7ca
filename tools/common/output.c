// SPDX-License-Identifier: GPL-2.0-only
/* Standard output and other files: no write error goes unnoticed. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
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
		/* open() returns the lowest free number, fd; its mode makes any use fail. */
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

static int file_is_stdout(const struct writer *writer)
{
	return writer->file_name && !strcmp(writer->file_name, "-");
}

int writer_prints(const struct writer *writer)
{
	return writer->form != WRITER_SILENT || file_is_stdout(writer);
}

int writer_file_error(struct writer *writer, int error)
{
	if (error)
		writer->failed = file_is_stdout(writer) ? NULL : writer->file_name;
	return error;
}

static int open_file(struct writer *writer)
{
	const int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
	int fd = open(writer->file_name, flags | O_EXCL, 0666);

	writer->created = fd >= 0;
	return fd < 0 && errno == EEXIST ? open(writer->file_name, flags, 0666) : fd;
}

int writer_open(struct writer *writer)
{
	writer->fd = -1;
	if (!writer->file_name)
		return 0;
	writer->fd = file_is_stdout(writer) ? STDOUT_FILENO : open_file(writer);
	return writer_file_error(writer, writer->fd < 0 ? -errno : 0);
}

void writer_abandon(struct writer *writer)
{
	if (writer->fd > STDERR_FILENO)
		close(writer->fd);
	if (writer->created)
		unlink(writer->file_name);
}

/* Pipes and devices cannot be truncated (EINVAL). */
int writer_begin(struct writer *writer)
{
	if (!writer->file_name || file_is_stdout(writer) || !ftruncate(writer->fd, 0) ||
	    errno == EINVAL)
		return 0;
	return writer_file_error(writer, -errno);
}

/* Stdio does not keep the reason of a failure, but errno still has it. */
int writer_check(struct writer *writer)
{
	if (!ferror(stdout))
		return 0;
	writer->failed = NULL;
	return errno ? -errno : -EIO;
}

int writer_flush(struct writer *writer)
{
	if (writer->form == WRITER_SILENT)
		return 0;
	errno = 0;
	if (!fflush(stdout))
		return writer_check(writer);
	writer->failed = NULL;
	return errno ? -errno : -EIO;
}

int writer_end(struct writer *writer, int error, int status, const char *counts)
{
	if (writer->fd > STDERR_FILENO && close(writer->fd) && !error)
		error = writer_file_error(writer, -errno);
	if (error == -EPIPE)
		return status;
	error_warn("%s", counts);
	return error ? error_write(writer->failed, error) : status;
}
