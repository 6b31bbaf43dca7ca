// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device.h"
#include "module.h"
#include "tap.h"

static void must(int fd, unsigned long request, void *arg, const char *what)
{
	if (ioctl(fd, request, arg))
		tap_bail("%s %s: %s", TASKRT_TEST_DEVICE, what, strerror(errno));
}

int device_open(void)
{
	int fd = open(TASKRT_TEST_DEVICE, O_RDWR | O_CLOEXEC), err;

	if (fd >= 0)
		return fd;
	err = module_insert(MODULE_TEST, "");
	if (err && err != -EEXIST)
		tap_bail("inserting %s: %s", MODULE_TEST, strerror(-err));
	fd = open(TASKRT_TEST_DEVICE, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		tap_bail("%s: %s", TASKRT_TEST_DEVICE, strerror(errno));
	return fd;
}

void device_delay(int fd, uint32_t how, uint64_t ns)
{
	struct taskrt_test_delay delay = { .how = how, .ns = ns };

	must(fd, TASKRT_TEST_DELAY, &delay, "delay");
}

void device_hold(int fd, uint32_t lock, uint32_t how, uint64_t ns)
{
	struct taskrt_test_hold hold = { .lock = lock, .how = how, .ns = ns };

	must(fd, TASKRT_TEST_HOLD, &hold, "hold");
}

void device_take(int fd, uint32_t lock, uint64_t ns)
{
	struct taskrt_test_hold hold = { .lock = lock, .ns = ns };

	/* Those that nobody may sleep with. */
	if (lock >= TASKRT_TEST_SPINLOCK)
		hold.how = TASKRT_TEST_BUSY;
	must(fd, TASKRT_TEST_TAKE, &hold, "take");
}

void device_take_until(int fd, uint32_t lock, uint64_t ns)
{
	struct taskrt_test_hold hold = { .lock = lock, .how = TASKRT_TEST_INTERRUPTIBLE, .ns = ns };

	if (ioctl(fd, TASKRT_TEST_TAKE, &hold) && errno != EINTR)
		tap_bail("%s take: %s", TASKRT_TEST_DEVICE, strerror(errno));
}

volatile char *device_map(int fd, size_t pages, uint32_t how, int major, uint64_t ns)
{
	struct taskrt_test_delay delay = { .how = how, .major = major, .ns = ns };
	void *area;

	must(fd, TASKRT_TEST_SET_FAULT, &delay, "set fault");
	area = mmap(NULL, pages * sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
		    MAP_SHARED, fd, 0);
	if (area == MAP_FAILED)
		tap_bail("%s mmap: %s", TASKRT_TEST_DEVICE, strerror(errno));
	return area;
}

void device_unmap(volatile char *area, size_t pages)
{
	munmap((void *)area, pages * sysconf(_SC_PAGESIZE));
}

int device_die(int fd, uint32_t where, volatile char *address)
{
	struct taskrt_test_die die = { .where = where, .address = (uintptr_t)address };

	if (!ioctl(fd, TASKRT_TEST_DIE, &die))
		return die.tid;
	if (errno != EOPNOTSUPP)
		tap_bail("%s die: %s", TASKRT_TEST_DEVICE, strerror(errno));
	return 0;
}

void device_interrupt(int fd, uint32_t how, uint32_t rounds, uint64_t ns)
{
	struct taskrt_test_interrupt interrupt = { .how = how, .rounds = rounds, .ns = ns };

	must(fd, TASKRT_TEST_INTERRUPT, &interrupt, "interrupt");
}

void device_steal(int fd, uint32_t cpu, uint64_t stand_ns, uint64_t told_ns)
{
	struct taskrt_test_steal steal = {
		.cpu = cpu, .stand_ns = stand_ns, .told_ns = told_ns,
	};

	must(fd, TASKRT_TEST_STEAL, &steal, "steal");
}

void device_storm(int fd, uint32_t how, uint32_t cpu, uint32_t rounds, uint64_t each_ns)
{
	struct taskrt_test_storm storm = {
		.how = how, .cpu = cpu, .rounds = rounds, .each_ns = each_ns,
	};

	must(fd, TASKRT_TEST_STORM, &storm, "storm");
}

void device_packets(int fd, pid_t tid, uint64_t each_ns)
{
	struct taskrt_test_packets packets = { .tid = tid, .each_ns = each_ns };

	must(fd, TASKRT_TEST_PACKETS, &packets, "packets");
}

uint32_t device_taken(int fd)
{
	__u32 packets = 0;

	must(fd, TASKRT_TEST_TAKEN, &packets, "taken");
	return packets;
}

void device_idle(int fd, uint32_t cpu, uint64_t exit_ns)
{
	struct taskrt_test_idle idle = { .cpu = cpu, .exit_ns = exit_ns };

	must(fd, TASKRT_TEST_IDLE, &idle, "idle");
}

uint32_t device_slept(int fd)
{
	__u32 exits = 0;

	must(fd, TASKRT_TEST_SLEPT, &exits, "slept");
	return exits;
}

void device_hide_free(int fd, int hide)
{
	must(fd, hide ? TASKRT_TEST_HIDE_FREE : TASKRT_TEST_SHOW_FREE, NULL, "freed tasks");
}

void device_read(int fd)
{
	must(fd, TASKRT_TEST_READ, NULL, "read");
}

int device_read_end(int fd)
{
	if (!ioctl(fd, TASKRT_TEST_READ_END))
		return 0;
	if (errno != ETIME)
		tap_bail("%s read end: %s", TASKRT_TEST_DEVICE, strerror(errno));
	return -ETIME;
}

uint64_t device_bench(int fd, uint32_t what, uint32_t rounds)
{
	struct taskrt_test_bench bench = { .what = what, .rounds = rounds };

	must(fd, TASKRT_TEST_BENCH, &bench, "bench");
	return bench.ns;
}
