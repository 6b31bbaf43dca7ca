// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "uring.h"

struct ring {
	int fd;
	struct io_uring_params params;
	char *sq, *cq;
	struct io_uring_sqe *sqes;
};

static void *map(const struct ring *ring, size_t length, uint64_t offset)
{
	return mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring->fd,
		    offset);
}

static int ring_open(struct ring *ring)
{
	const struct io_uring_params *params = &ring->params;

	memset(ring, 0, sizeof(*ring));
	ring->fd = syscall(SYS_io_uring_setup, 1, &ring->params);
	if (ring->fd < 0)
		return -errno;
	ring->sq = map(ring, params->sq_off.array + params->sq_entries * sizeof(uint32_t),
		       IORING_OFF_SQ_RING);
	ring->cq = map(ring, params->cq_off.cqes +
			     params->cq_entries * sizeof(struct io_uring_cqe), IORING_OFF_CQ_RING);
	ring->sqes = map(ring, params->sq_entries * sizeof(*ring->sqes), IORING_OFF_SQES);
	if (ring->sq != MAP_FAILED && ring->cq != MAP_FAILED && ring->sqes != MAP_FAILED)
		return 0;
	close(ring->fd);
	return -ENOMEM;
}

/* The first and only entry of a fresh ring.  Return: its result, or that of the call. */
static int ring_do(struct ring *ring, const struct io_uring_sqe *entry)
{
	uint32_t *array = (uint32_t *)(ring->sq + ring->params.sq_off.array);
	uint32_t *tail = (uint32_t *)(ring->sq + ring->params.sq_off.tail);
	const struct io_uring_cqe *cqe;
	int done;

	ring->sqes[0] = *entry;
	array[0] = 0;
	__atomic_store_n(tail, 1, __ATOMIC_RELEASE);
	do
		done = syscall(SYS_io_uring_enter, ring->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0);
	while (done < 0 && errno == EINTR);
	cqe = (void *)(ring->cq + ring->params.cq_off.cqes);
	return done < 0 ? -errno : cqe->res;
}

static int uring_do(const struct io_uring_sqe *entry)
{
	struct ring ring;
	int result = ring_open(&ring);

	if (result)
		return result;
	result = ring_do(&ring, entry);
	close(ring.fd);
	return result;
}

int uring_write(int fd, const void *data, size_t length)
{
	const struct io_uring_sqe entry = {
		.opcode = IORING_OP_WRITE,
		.flags = IOSQE_ASYNC,
		.fd = fd,
		.addr = (uintptr_t)data,
		.len = length,
	};

	return uring_do(&entry);
}

int uring_poll(int fd)
{
	const struct io_uring_sqe entry = {
		.opcode = IORING_OP_POLL_ADD,
		.fd = fd,
		.poll32_events = POLLIN,
	};

	return uring_do(&entry);
}
