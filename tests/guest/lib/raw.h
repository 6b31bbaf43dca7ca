/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The netlink family without the library: sends any bytes, and reads the answer.  An
 * independent implementation of the header, so that mistakes of the library and of the
 * module do not cancel out.
 */
#ifndef RAW_H
#define RAW_H

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskrt.h>
#include <stddef.h>
#include <stdint.h>
#include <taskrt_reading.h>

#include "groups.h"

/* Called with a message of the family that answers no request. */
typedef void (*raw_told_fn)(const struct nlmsghdr *nl, void *arg);

struct raw {
	int fd;
	uint16_t family;
	uint32_t seq;
	int addressed;		/* messages name the kernel's address, as sendto(2) can */
	raw_told_fn told;	/* NULL: such messages are dropped */
	void *told_arg;
};

struct raw_message {
	struct nlmsghdr nl;
	struct genlmsghdr genl;
	char attrs[6144];
};

/* One aggregate. */
struct raw_stats {
	uint16_t aggregate;		/* TASKRT_A_AGGR_TID or _TGID */
	uint32_t id;			/* the TID or TGID beside STATS */
	size_t length;			/* of STATS */
	size_t lengths[TASKRT_AGGR_A_MAX + 1];	/* of each attribute; 0: it is not there */
	unsigned int misaligned;	/* STATS and groups, in the message or in the buffer */
	struct taskrt_reading reading;	/* zeroes where there was nothing */
};

typedef void (*raw_each)(const struct raw_stats *stats, void *arg);

struct raw_answer {
	int answered;		/* an error, an ack or the end of a dump came */
	int error;		/* negative errno */
	int done;		/* it was the end of a dump */
	char text[160];		/* ext-ack; "" if none */
	int interrupted;	/* NLM_F_DUMP_INTR */
	unsigned int messages;	/* of the family */
	struct raw_stats last;
	size_t info_length;	/* of an INFO nest */
	uint32_t offset;	/* of the attribute at which the ext-ack points; 0: none */
	size_t length;		/* of reply */
	char reply[8192];	/* the last message's attributes */
};

/* 0 or negative errno: -ENOENT without the module. */
int raw_open(struct raw *raw);
/* The same with the default receive buffer. */
int raw_open_plain(struct raw *raw);
/* raw_open() for another family; the caller parses the answers. */
int raw_open_family(struct raw *raw, const char *name);
/* Another socket for the family of @other, which the kernel is not asked for again. */
int raw_open_like(struct raw *raw, const struct raw *other);
void raw_close(struct raw *raw);

/* Begins a message; nl_flags are added to NLM_F_REQUEST. */
void raw_begin(const struct raw *raw, struct raw_message *message, uint8_t cmd,
	       uint16_t nl_flags);
void raw_put(struct raw_message *message, uint16_t type, const void *data, uint16_t length);
void raw_put_u32(struct raw_message *message, uint16_t type, uint32_t value);

/*
 * Sends as many bytes as the message says and reads the whole answer; each message of the
 * family goes to each(), which may be NULL.  Never blocks: the kernel has answered when
 * send returns.
 */
void raw_ask(struct raw *raw, struct raw_message *message, struct raw_answer *answer,
	     raw_each each, void *arg);

/* The two halves of raw_ask().  raw_send() returns 0 or a negative errno. */
int raw_send(struct raw *raw, struct raw_message *message);
void raw_receive(struct raw *raw, struct raw_answer *answer, raw_each each, void *arg);

/* Reads all that is in the receive buffer. */
void raw_take(const struct raw *raw, const char *buffer, size_t length,
	      struct raw_answer *answer, raw_each each, void *arg);
/*
 * The attribute of that type in the last reply; NULL: none.  Stores its length if length
 * is not NULL.
 */
const void *raw_find(const struct raw_answer *answer, uint16_t type, size_t *length);

#define RAW_UNSAID	-1

/* GET of one thread or process.  version 0: without VERSION; groups may be RAW_UNSAID. */
int raw_get_groups(struct raw *raw, uint16_t type, uint32_t id, uint32_t version,
		   int64_t groups, struct raw_answer *answer);
/* The same with every group. */
int raw_get(struct raw *raw, uint16_t type, uint32_t id, uint32_t version,
	    struct raw_answer *answer);

/* Begin and end a nest of attributes in a message; end takes what begin returned. */
size_t raw_nest(struct raw_message *message, uint16_t type);
void raw_nest_end(struct raw_message *message, size_t nest);

/*
 * Copies one attribute of an aggregate into a reading if it is STATS or a group, and adds
 * the group's bit; fields that are not there become 0.
 */
void raw_into_reading(struct taskrt_reading *reading, uint16_t type, const void *payload,
		      size_t length);

/* Calls fn for each attribute that fits; an attribute that does not fit ends the walk. */
typedef void (*raw_attr_fn)(const struct nlattr *attr, const void *payload, size_t length,
			    void *arg);
void raw_walk(const void *attrs, size_t length, raw_attr_fn fn, void *arg);

#endif
