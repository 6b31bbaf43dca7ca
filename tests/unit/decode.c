// SPDX-License-Identifier: GPL-2.0-only
/* taskrt_decode(): every version, every length, and malformed payloads. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "taskrt.h"

#define ALL_V1	(TASKRT_VALID_CPU_TIME | TASKRT_VALID_QUEUE_TIME)
#define ALL_V2	(ALL_V1 | TASKRT_VALID_PAGE_FAULT_TIME | TASKRT_VALID_LOCK_TIME)
/* All that version 3 knows: what a later module says beside it is passed on where it fits. */
#define ALL_V3	((1ULL << 10) - 1)

#define PATTERN	0x5a

/* What is in a byte of a payload behind its head.  A name ends with a 0. */
static unsigned char byte_at(size_t i)
{
	const size_t end = offsetof(struct taskrt_stats, comm) + sizeof(((struct taskrt_stats *)0)->comm);

	return i == end - 1 ? 0 : i % 251 + 1;
}

/* A payload in memory of exactly its length, so that a read beyond it is seen. */
static unsigned char *payload(uint32_t version, uint32_t size, uint64_t valid,
			      size_t length)
{
	struct { uint32_t version, size; uint64_t valid; } head = {
		version, size, valid,
	};
	unsigned char *p = malloc(length ? length : 1);
	size_t i;

	assert_non_null(p);
	for (i = 0; i < length; i++)
		p[i] = byte_at(i);
	memcpy(p, &head, length < sizeof(head) ? length : sizeof(head));
	return p;
}

/* Decode into a structure of size bytes, again with nothing behind it. */
static struct taskrt_stats *decode(uint32_t version, uint32_t psize, uint64_t valid,
				   size_t length, size_t size, int expect)
{
	unsigned char *p = payload(version, psize, valid, length);
	struct taskrt_stats *stats = malloc(size ? size : 1);

	assert_non_null(stats);
	memset(stats, PATTERN, size);
	assert_int_equal(taskrt_decode(p, length, stats, size), expect);
	free(p);
	return stats;
}

static void check_filled(const struct taskrt_stats *stats, size_t size,
			 uint32_t version, uint32_t filled, uint64_t valid)
{
	const unsigned char *bytes = (const unsigned char *)stats;
	size_t i;

	assert_int_equal(stats->version, version);
	assert_int_equal(stats->size, filled);
	assert_int_equal(stats->valid, valid);
	for (i = 16; i < filled; i++)
		assert_int_equal(bytes[i], byte_at(i));
	for (; i < size; i++)
		assert_int_equal(bytes[i], 0);
}

/* Every version of the kernel's with every size a program may have. */
static void versions(void **state)
{
	static const struct { uint32_t size; uint64_t valid; } known[] = {
		{ 0, 0 }, { 32, ALL_V1 }, { 48, ALL_V2 }, { 256, ~0ULL },
	};
	size_t size;
	uint32_t v, fits, least;

	(void)state;
	for (v = 1; v <= 3; v++) {
		for (size = 32; size <= 640; size++) {
			struct taskrt_stats *stats;

			stats = decode(v, known[v].size, ~0ULL, known[v].size, size, 0);
			fits = size < 48 ? 1 : size < 256 ? 2 : 3;
			least = v < fits ? v : fits;
			check_filled(stats, size, least, known[least].size,
				     known[least].valid);
			free(stats);
		}
	}
}

static void future(void **state)
{
	struct taskrt_stats *stats;

	(void)state;
	/* a program of today: what it has room for */
	stats = decode(4, 320, ~0ULL, 320, sizeof(*stats), 0);
	check_filled(stats, sizeof(*stats), 3, 256, ALL_V3);
	free(stats);
	stats = decode(4, 320, ~0ULL, 320, 319, 0);
	check_filled(stats, 319, 3, 256, ALL_V3);
	free(stats);

	/* a program of the future with this library: all of it */
	stats = decode(4, 320, ~0ULL, 320, 320, 0);
	check_filled(stats, 320, 4, 320, ~0ULL);
	free(stats);
	stats = decode(4, 256, ~0ULL, 256, 400, 0);
	check_filled(stats, 400, 4, 256, ~0ULL);
	free(stats);

	stats = decode(0xffffffff, 4096, ~0ULL, 4096, 48, 0);
	check_filled(stats, 48, 2, 48, ALL_V2);
	free(stats);

	/* it may only grow */
	free(decode(4, 48, ~0ULL, 704, sizeof(*stats), -EBADMSG));
	free(decode(4, 255, ~0ULL, 704, sizeof(*stats), -EBADMSG));
	free(decode(4, 704, ~0ULL, 703, sizeof(*stats), -EBADMSG));
}

/*
 * What was decoded may be passed on and decoded again, by any library.  The first bytes of
 * a later version are not that version, however many of them are known.
 */
static void passed_on(void **state)
{
	static const size_t rooms[] = { 32, 47, 48, 255, 256, 264, 319, 320, 400 };
	struct taskrt_stats *stats, again;
	struct taskrt_reading reading = { 0 };
	unsigned char *p = payload(4, 320, ~0ULL, 320);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
		stats = decode(4, 320, ~0ULL, 320, rooms[i], 0);
		assert_int_equal(taskrt_decode(stats, stats->size, &again, sizeof(again)), 0);
		assert_int_equal(taskrt_decode(stats, stats->size - 1, &again, sizeof(again)),
				 -EBADMSG);
		free(stats);
	}
	/* as a newer library fills a reading of an older program, whose copy ends too early */
	assert_int_equal(taskrt_decode(p, 320, &reading.stats, sizeof(reading.stats_room)), 0);
	assert_int_equal(reading.stats.size, 320);
	again = reading.stats;
	assert_int_equal(taskrt_decode(&again, sizeof(again), &again, sizeof(again)), -EBADMSG);
	assert_int_equal(taskrt_decode(&reading.stats, reading.stats.size, &again, sizeof(again)),
			 0);
	check_filled(&again, sizeof(again), 3, 256, ALL_V3);
	free(p);
}

/* Version 3 was of another shape, and longer, before it was published. */
static void unpublished(void **state)
{
	const uint32_t sizes[] = { 600, 592, 264, 257 };
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		free(decode(3, sizes[i], ~0ULL, 600, sizeof(struct taskrt_stats), -EBADMSG));
		free(decode(3, sizes[i], ~0ULL, 600, 48, -EBADMSG));
	}
	free(decode(3, 256, ~0ULL, 600, 600, 0));
}

static void short_payloads(void **state)
{
	static const uint32_t sizes[] = { 0, 32, 48, 256 };
	size_t length;
	uint32_t v;

	(void)state;
	for (v = 1; v <= 3; v++)
		for (length = 0; length < sizes[v]; length++)
			free(decode(v, sizes[v], ~0ULL, length,
				    sizeof(struct taskrt_stats), -EBADMSG));
	/* long enough, but it says it is not */
	free(decode(3, 255, ~0ULL, 256, 256, -EBADMSG));
	free(decode(2, 32, ~0ULL, 256, 256, -EBADMSG));
	free(decode(1, 0, ~0ULL, 256, 256, -EBADMSG));
	free(decode(1, 16, ~0ULL, 256, 256, -EBADMSG));
	/* not long enough for what it says */
	free(decode(1, 0xffffffff, ~0ULL, 256, 256, -EBADMSG));
	free(decode(4, 264, ~0ULL, 256, 256, -EBADMSG));
}

static void version_zero(void **state)
{
	(void)state;
	free(decode(0, 32, ~0ULL, 256, 256, -EBADMSG));
	free(decode(0, 256, ~0ULL, 256, 256, -EBADMSG));
}

/* Netlink pads: bytes behind the end are ignored. */
static void long_payloads(void **state)
{
	struct taskrt_stats *stats = decode(1, 32, ~0ULL, 256, sizeof(*stats), 0);

	(void)state;
	check_filled(stats, sizeof(*stats), 1, 32, ALL_V1);
	free(stats);
	stats = decode(2, 64, ALL_V1, 64, sizeof(*stats), 0);
	check_filled(stats, sizeof(*stats), 2, 48, ALL_V1);
	free(stats);
}

static void bad_arguments(void **state)
{
	struct taskrt_stats stats;
	unsigned char *p = payload(3, 256, ALL_V3, 256);
	size_t size;

	(void)state;
	assert_int_equal(taskrt_decode(NULL, 256, &stats, sizeof(stats)), -EINVAL);
	assert_int_equal(taskrt_decode(p, 256, NULL, sizeof(stats)), -EINVAL);
	free(p);
	for (size = 0; size < 32; size++)
		free(decode(3, 256, ALL_V3, 256, size, -EINVAL));
}

/* A failure does not change the caller's structure. */
static void failure_writes_nothing(void **state)
{
	struct taskrt_stats *stats = decode(3, 256, ~0ULL, 255, sizeof(*stats), -EBADMSG);
	const unsigned char *bytes = (const unsigned char *)stats;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(*stats); i++)
		assert_int_equal(bytes[i], PATTERN);
	free(stats);
}

static void unaligned(void **state)
{
	unsigned char *p = payload(3, 256, ALL_V3, 256), buffer[608];
	struct taskrt_stats stats;
	int offset;

	(void)state;
	for (offset = 0; offset < 8; offset++) {
		memcpy(buffer + offset, p, 256);
		assert_int_equal(taskrt_decode(buffer + offset, 256, &stats,
					       sizeof(stats)), 0);
		assert_memory_equal(&stats, p, 256);
	}
	free(p);
}

/* The bytes of version 3, by numbers that are not taken from any of our headers. */
static void frozen_bytes(void **state)
{
	unsigned char bytes[256] = { 0 };
	struct taskrt_stats stats;
	uint64_t value = 7;

	(void)state;
	bytes[0] = 3;
	bytes[5] = 1;
	memcpy(bytes + 16, &value, 8);
	value = 8;
	memcpy(bytes + 24, &value, 8);
	value = 9;
	memcpy(bytes + 40, &value, 8);
	memcpy(bytes + 176, "comm", 4);
	value = 10;
	memcpy(bytes + 168, &value, 8);
	value = 11;
	memcpy(bytes + 64, &value, 8);
	assert_int_equal(taskrt_decode(bytes, sizeof(bytes), &stats, sizeof(stats)), 0);
	assert_int_equal(stats.cpu_time_ns, 7);
	assert_int_equal(stats.queue_time_ns, 8);
	assert_int_equal(stats.lock_contention_time_ns, 9);
	assert_string_equal(stats.comm, "comm");
	assert_int_equal(stats.threads_gone, 10);
	assert_int_equal(stats.measured.values, 11);
	assert_int_equal(stats.valid, 0);
	memset(bytes + 176, 'x', 16);
	assert_int_equal(taskrt_decode(bytes, sizeof(bytes), &stats, sizeof(stats)), 0);
	assert_string_equal(stats.comm, "xxxxxxxxxxxxxxx");
}

/* Noise never crashes, and what is accepted is self-consistent. */
static void garbage(void **state)
{
	unsigned int seed = 1, seen = 0;
	int i;

	(void)state;
	for (i = 0; i < 200000; i++) {
		size_t length = rand_r(&seed) % 720, size = rand_r(&seed) % 720, j;
		unsigned char *p = malloc(length + 1);
		struct taskrt_stats *stats = malloc(size + 1);

		for (j = 0; j < length; j++)
			p[j] = rand_r(&seed) >> 8;
		/* or else hardly any would get past the first check */
		if (length >= 8) {
			uint32_t version = rand_r(&seed) % 6, bytes = rand_r(&seed) % 720;
			uint32_t head[2] = { version, version == 3 ? 256 : bytes };

			memcpy(p, head, sizeof(head));
		}
		if (!taskrt_decode(p, length, stats, size)) {
			assert_in_range(stats->version, 1, 5);
			assert_true(stats->size <= size && stats->size <= length);
			if (stats->version < 3)
				assert_int_equal(stats->valid & ~ALL_V2, 0);
			seen |= 1U << stats->version;
		}
		free(stats);
		free(p);
	}
	assert_int_equal(seen, 0x3e);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(versions),
		cmocka_unit_test(future),
		cmocka_unit_test(passed_on),
		cmocka_unit_test(unpublished),
		cmocka_unit_test(short_payloads),
		cmocka_unit_test(version_zero),
		cmocka_unit_test(long_payloads),
		cmocka_unit_test(bad_arguments),
		cmocka_unit_test(failure_writes_nothing),
		cmocka_unit_test(unaligned),
		cmocka_unit_test(frozen_bytes),
		cmocka_unit_test(garbage),
	};

	return cmocka_run_group_tests_name("decode", tests, NULL, NULL);
}
