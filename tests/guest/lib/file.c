// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <unistd.h>

#include "file.h"
#include "tap.h"

void file_make(const char *path, size_t bytes)
{
	static char block[1 << 16];
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	size_t done;

	for (done = 0; done < bytes; done += sizeof(block))
		if (write(fd, block, sizeof(block)) != sizeof(block))
			tap_bail("cannot write %s", path);
	fsync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
}
