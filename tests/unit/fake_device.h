/* SPDX-License-Identifier: GPL-2.0-only */
/* The device, played by a file with a page, for tests that replace open(2). */
#ifndef TASKRT_FAKE_DEVICE_H
#define TASKRT_FAKE_DEVICE_H

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake_page.h"

static inline uint32_t whole_pages(uint32_t bytes)
{
	uint32_t size = sysconf(_SC_PAGESIZE);

	return (bytes + size - 1) / size * size;
}

/* Return: a descriptor of a file of @length bytes that begins with @bytes bytes of the page. */
static inline int fake_device(const struct taskrt_page *page, size_t bytes, size_t length)
{
	int fd = memfd_create("taskrt", MFD_CLOEXEC);

	if (fd < 0 || pwrite(fd, page, bytes, 0) != (ssize_t)bytes || ftruncate(fd, length))
		abort();
	return fd;
}

#endif /* TASKRT_FAKE_DEVICE_H */
