/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For poison.c: looks through bytes that the module has written for kernel addresses, and for
 * the patterns with which a kernel fills memory that is not initialized.
 */
#ifndef SCAN_H
#define SCAN_H

#include <ctype.h>
#include <linux/genetlink.h>
#include <linux/taskrt.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "raw.h"
#include "tap.h"

#define REPEATED	4	/* so many equal bytes are a pattern */
#define MOST		256
#define LONGEST		65536

#ifdef __aarch64__
#define KERNEL_BEGIN	0xffff000000000000ULL
#else
#define KERNEL_BEGIN	0xffff800000000000ULL
#endif
/* Small negative numbers. */
#define KERNEL_END	0xfffffffffff00000ULL

struct hit {
	const char *what;
	size_t offset;
};

/*
 * A pattern may be a number by chance.  So everything is scanned twice, and only what is
 * in the same place of the same answer both times counts.
 */
static struct {
	int again;
	struct hit first[MOST];		/* patterns of the first time */
	unsigned int nr_first;
	/* How much has been found; each is printed. */
	unsigned int addresses, patterns, padding;
	size_t length;			/* bytes that were looked at */
} scan;

static int was_hit(const char *what, size_t offset)
{
	unsigned int i;

	for (i = 0; i < scan.nr_first; i++)
		if (scan.first[i].what == what && scan.first[i].offset == offset)
			return 1;
	return 0;
}

static void hit_pattern(const char *what, size_t offset, uint8_t byte)
{
	if (!scan.again && scan.nr_first < MOST)
		scan.first[scan.nr_first++] = (struct hit){ what, offset };
	if (!scan.again || !was_hit(what, offset))
		return;
	if (scan.patterns++ < 20)
		tap_diag("%s: %#x at %zu: nobody wrote it", what, byte, offset);
}

static void hit_address(const char *what, size_t offset, uint64_t value)
{
	if (scan.addresses++ < 20)
		tap_diag("%s: %#llx at %zu: an address", what, (unsigned long long)value, offset);
}

static int is_pattern(const uint8_t *bytes)
{
	static const uint8_t fills[] = { 0x6b, 0x5a, 0xa5, 0xaa, 0xbb, 0xcc };

	return memchr(fills, *bytes, sizeof(fills)) && !memcmp(bytes, bytes + 1, REPEATED - 1);
}

/* Sixteen digits that are an address. */
static int is_text(const char *bytes)
{
	int i;

	for (i = 0; i < 16; i++)
		if (!isxdigit((unsigned char)bytes[i]))
			return 0;
	return !memcmp(bytes, "ffff", 4);
}

/*
 * For addresses among words.  Only whole words: the end of one time and the beginning of
 * the next are an address now and then.
 */
static void scan_words(const char *what, const void *words, size_t length)
{
	const char *at = words;
	uint64_t value;
	size_t i;

	for (i = 0; i + sizeof(value) <= length; i += sizeof(value)) {
		memcpy(&value, at + i, sizeof(value));
		if (value >= KERNEL_BEGIN && value < KERNEL_END)
			hit_address(what, i, value);
	}
}

/* For patterns, and for addresses as text. */
static void scan_each_byte(const char *what, const void *bytes, size_t length)
{
	const char *at = bytes;
	size_t i;

	scan.length += length;
	for (i = 0; i + REPEATED <= length; i++)
		if (is_pattern((const uint8_t *)at + i))
			hit_pattern(what, i, at[i]);
	for (i = 0; i + 16 <= length; i++)
		if (is_text(at + i))
			hit_address(what, i, 0);
}

/* what: each kind of answer has its own name.  Words are read from the first byte on. */
static void scan_bytes(const char *what, const void *bytes, size_t length)
{
	scan_each_byte(what, bytes, length);
	scan_words(what, bytes, length);
}

/* The attributes of a nest, or of a message. */
struct walk {
	const char *what;
	uint16_t nests[4];		/* the types above */
	unsigned int depth;
};

static void clear(const struct walk *walk, uint16_t type, void *payload, size_t length)
{
	struct taskrt_event *event = payload;

	if (walk->depth == 2 && walk->nests[0] == TASKRT_A_INFO &&
	    walk->nests[1] == TASKRT_INFO_A_HOOK && type == TASKRT_HOOK_A_STATUS)
		memset(payload, 0, length);
	if (walk->depth == 2 && walk->nests[0] == TASKRT_A_ALERT &&
	    walk->nests[1] == TASKRT_ALERT_A_EVENT && type == TASKRT_EVENT_A_EVENT)
		event->object = 0;
}

static void in_walk(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	struct walk *walk = arg;
	const uint8_t *after = (const uint8_t *)payload + length;
	size_t i, pad = NLA_ALIGN(attr->nla_len) - attr->nla_len;

	for (i = 0; i < pad; i++) {
		if (!after[i])
			continue;
		scan.padding++;
		tap_diag("%s: a byte after attribute %u is %#x", walk->what, attr->nla_type,
			 after[i]);
	}
	if ((attr->nla_type & NLA_F_NESTED) && walk->depth < 4) {
		walk->nests[walk->depth++] = attr->nla_type & NLA_TYPE_MASK;
		raw_walk(payload, length, in_walk, walk);
		walk->depth--;
	} else {
		/* It is a copy. */
		clear(walk, attr->nla_type, (void *)payload, length);
		/* The words of a structure begin with the structure. */
		scan_words(walk->what, payload, length);
	}
}

/*
 * The same for a message of netlink, and for the padding after each attribute, which must
 * be 0.  Left out are error numbers, which look like addresses, and the ids of locks.
 */
static void scan_message(const char *what, const struct nlmsghdr *nl, unsigned short family)
{
	static char copy[LONGEST] __attribute__((aligned(8)));
	struct walk walk = { .what = what };
	size_t head = NLMSG_HDRLEN + GENL_HDRLEN;

	if (nl->nlmsg_len > sizeof(copy))
		tap_bail("%s: a message of %u bytes", what, nl->nlmsg_len);
	memcpy(copy, nl, nl->nlmsg_len);
	if (nl->nlmsg_type == NLMSG_ERROR || nl->nlmsg_type == NLMSG_DONE)
		memset(copy + NLMSG_HDRLEN, 0, sizeof(int));
	else if (nl->nlmsg_type == family && nl->nlmsg_len > head)
		raw_walk(copy + head, nl->nlmsg_len - head, in_walk, &walk);
	scan_each_byte(what, copy, nl->nlmsg_len);
}

/* Does this kernel fill memory with patterns?  (slub_debug=P) */
static int scan_kernel_poisons(void)
{
	FILE *file = fopen("/sys/kernel/slab/kmalloc-512/poison", "r");
	char set = 0;

	if (!file)
		return 0;
	if (fread(&set, 1, 1, file) != 1)
		set = 0;
	fclose(file);
	return set == '1';
}

#endif
