// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <linux/taskrt_page.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "calls.h"

static struct {
	char *at;
	size_t length;
} maps[SLOTS];
static int device;

static int get_device(void)
{
	if (device <= 0)
		device = open("/dev/taskrt", O_RDWR | O_CLOEXEC);
	return device;
}

void do_map(const struct op *op)
{
	static const size_t lengths[] = { 4096, 8192, 12288, 16384, 20480, 1, 4097, 65536 };
	static const int protections[] = { PROT_READ, PROT_READ, PROT_READ | PROT_WRITE,
					   PROT_READ | PROT_EXEC, PROT_NONE };
	size_t length = lengths[op->a % COUNT(lengths)];
	void *at = mmap(NULL, length, protections[op->b % 8 % COUNT(protections)],
			op->b & 8 ? MAP_PRIVATE : MAP_SHARED, get_device(),
			op->b & 16 ? (off_t)op->value * PAGE : 0);

	if (at == MAP_FAILED)
		return;
	maps[op->slot].at = at;
	maps[op->slot].length = length;
}

void do_unmap(const struct op *op)
{
	size_t length = maps[op->slot].length;
	char *at = maps[op->slot].at;

	if (!at)
		return;
	switch (op->a % 8) {
	case 0:
		madvise(at, length, MADV_DONTNEED);
		return;
	case 1:
		mprotect(at, length, PROT_READ | PROT_WRITE);
		return;
	case 2:
		munmap(at, PAGE);
		return;
	case 3:
		mremap(at, length, length + PAGE, MREMAP_MAYMOVE);
		return;
	case 4:
		madvise(at, length, MADV_DOFORK);
		return;
	case 5:
		mremap(at, length, length, MREMAP_MAYMOVE | MREMAP_FIXED, at + (1 << 24));
		maps[op->slot].at = at + (1 << 24);
		return;
	default:
		munmap(at, length);
		maps[op->slot].at = NULL;
	}
}

void do_ioctl(const struct op *op)
{
	struct {
		struct taskrt_alert_request request;
		char more[64];
	} alert = { 0 };
	const size_t sizes[] = { sizeof(alert.request), sizeof(alert), 8, op->value % 16384 };
	size_t size = sizes[op->a / 4 % COUNT(sizes)];

	memset(&alert, 'x', op->b % sizeof(alert));
	ioctl(get_device(),
	      _IOC(_IOC_WRITE, op->b == 255 ? 'T' : 0xF7, op->a % 4 ? 1 : op->a / 16, size),
	      op->b % 32 == 31 ? NULL : &alert);
}
