// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/io_uring.h>
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

/* The first and only entry of a fresh ring. */
static void ring_submit(struct ring *ring, int fd, const void *data, size_t length)
{
	uint32_t *array = (uint32_t *)(ring->sq + ring->params.sq_off.array);
	uint32_t *tail = (uint32_t *)(ring->sq + ring->params.sq_off.tail);

	ring->sqes[0] = (struct io_uring_sqe){
		.opcode = IORING_OP_WRITE,
		.flags = IOSQE_ASYNC,
		.fd = fd,
		.addr = (uintptr_t)data,
		.len = length,
	};
	array[0] = 0;
	__atomic_store_n(tail, 1, __ATOMIC_RELEASE);
}

int uring_write(int fd, const void *data, size_t length)
{
	struct io_uring_cqe *cqe;
	struct ring ring;
	int err = ring_open(&ring), done;

	if (err)
		return err;
	ring_submit(&ring, fd, data, length);
	do
		done = syscall(SYS_io_uring_enter, ring.fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0);
	while (done < 0 && errno == EINTR);
	err = errno;
	cqe = (void *)(ring.cq + ring.params.cq_off.cqes);
	close(ring.fd);
	return done < 0 ? -err : cqe->res;
}
