// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A file of exit records, written or read in sequence.  After any failure the buffer still holds
 * whole records when writing, and all that has been read so far when reading.  So a call that
 * failed on a non-blocking descriptor can be repeated.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "file/file_format.h"
#include "sized.h"

struct taskrt_file {
	int fd;
	bool writing;
	bool damaged;		/* nothing behind this point can be read */
	uint32_t record_head;
	size_t begin, end;	/* the part of buffer that is still to be written or read */
	_Alignas(8) char buffer[2 * TASKRT_FILE_RECORD_MAX];
};

static struct taskrt_file *new_file(int fd, bool writing)
{
	struct taskrt_file *file = calloc(1, sizeof(*file));

	if (file) {
		file->fd = fd;
		file->writing = writing;
	}
	return file;
}

static void move_to_front(struct taskrt_file *file)
{
	memmove(file->buffer, file->buffer + file->begin, file->end - file->begin);
	file->end -= file->begin;
	file->begin = 0;
}

int taskrt_file_create(struct taskrt_file **file, int fd)
{
	struct taskrt_file *new;

	if (!file)
		return -EINVAL;
	*file = NULL;
	if (fd < 0)
		return -EBADF;
	new = new_file(fd, true);
	if (!new)
		return -ENOMEM;
	taskrt_file_put_header((struct taskrt_file_header *)new->buffer);
	new->end = sizeof(struct taskrt_file_header);
	*file = new;
	return 0;
}

static int write_some(struct taskrt_file *file)
{
	ssize_t done;

	do {
		done = write(file->fd, file->buffer + file->begin, file->end - file->begin);
	} while (done < 0 && errno == EINTR);
	if (done < 0)
		return -errno;
	file->begin += done;
	return done ? 0 : -EIO;
}

int taskrt_file_flush(struct taskrt_file *file)
{
	int err = 0;

	if (!file || !file->writing)
		return -EINVAL;
	while (!err && file->begin < file->end)
		err = write_some(file);
	move_to_front(file);
	return err;
}

/*
 * The program's structure is shorter if it was built with an older library, and longer
 * if with a newer one.
 */
static int copy_exit(struct taskrt_exit *to, const struct taskrt_exit *from, size_t size)
{
	size_t i;

	if (taskrt_sized_in(to, sizeof(*to), from, size))
		return -E2BIG;
	for (i = 0; i < sizeof(to->reserved) / sizeof(to->reserved[0]); i++)
		if (to->reserved[i])
			return -E2BIG;
	return 0;
}

int taskrt_file_write(struct taskrt_file *file, const struct taskrt_exit *exit, size_t size)
{
	struct taskrt_exit full;
	int err, length;

	if (!file || !file->writing || !exit)
		return -EINVAL;
	err = copy_exit(&full, exit, size);
	if (err)
		return err;
	if (sizeof(file->buffer) - file->end < TASKRT_FILE_RECORD_MAX) {
		err = taskrt_file_flush(file);
		if (err)
			return err;
	}
	length = taskrt_file_put_record(&full, file->buffer + file->end);
	if (length < 0)
		return length;
	file->end += length;
	return 0;
}

/* Return: 1: @bytes bytes are in the buffer; 0: the file ended first; a negative errno. */
static int need(struct taskrt_file *file, size_t bytes)
{
	if (sizeof(file->buffer) - file->begin < bytes)
		move_to_front(file);
	while (file->end - file->begin < bytes) {
		ssize_t got = read(file->fd, file->buffer + file->end,
				   sizeof(file->buffer) - file->end);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -errno : 0;
		file->end += got;
	}
	return 1;
}

/* The header of a newer version may be longer, so its size is read from the file. */
static int read_header(struct taskrt_file *file)
{
	struct taskrt_file_header header;
	int err = need(file, sizeof(header));

	if (err <= 0)
		return err ? err : -EBADMSG;
	memcpy(&header, file->buffer, sizeof(header));
	err = taskrt_file_check_header(&header);
	if (err)
		return err;
	err = need(file, header.size);
	if (err <= 0)
		return err ? err : -EBADMSG;
	file->begin = header.size;
	file->record_head = header.record_head;
	return 0;
}

int taskrt_file_open(struct taskrt_file **file, int fd)
{
	struct taskrt_file *new;
	int err;

	if (!file)
		return -EINVAL;
	*file = NULL;
	if (fd < 0)
		return -EBADF;
	new = new_file(fd, false);
	if (!new)
		return -ENOMEM;
	err = read_header(new);
	if (err)
		free(new);
	else
		*file = new;
	return err;
}

/* Return: 1: a whole record is in the buffer; 0: end of file; -EBADMSG; an errno of read(2). */
static int need_record(struct taskrt_file *file, uint32_t *size)
{
	int got = need(file, sizeof(*size));

	if (got <= 0)
		return got || file->begin == file->end ? got : -EBADMSG;
	memcpy(size, file->buffer + file->begin, sizeof(*size));
	if (taskrt_file_check_size(*size, file->record_head))
		return -EBADMSG;
	got = need(file, *size);
	return got ? got : -EBADMSG;
}

int taskrt_file_next(struct taskrt_file *file, struct taskrt_exit *exit, size_t size)
{
	struct taskrt_exit full;
	uint32_t length;
	int found = 0, got;

	if (!file || file->writing || !exit || size < TASKRT_EXIT_MIN)
		return -EINVAL;
	while (!found && !file->damaged) {
		got = need_record(file, &length);
		if (got > 0) {
			found = taskrt_file_get_record(file->buffer + file->begin,
						       file->record_head, &full);
			file->begin += length;
		} else if (got != -EBADMSG) {
			return got;
		}
		file->damaged = got < 0 || found < 0;
	}
	if (file->damaged)
		return -EBADMSG;
	if (found > 0)
		taskrt_sized_out(exit, size, &full, sizeof(full));
	return found;
}

int taskrt_file_close(struct taskrt_file *file)
{
	int err = 0;

	if (!file)
		return 0;
	if (file->writing)
		err = taskrt_file_flush(file);
	free(file);
	return err;
}
