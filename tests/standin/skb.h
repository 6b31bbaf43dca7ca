/* SPDX-License-Identifier: GPL-2.0-only */
/* A message that is being written, and its attributes: as include/net/netlink.h. */
#ifndef TASKRT_STANDIN_SKB_H
#define TASKRT_STANDIN_SKB_H

struct sk_buff {
	struct sk_buff *next;
	unsigned int len, tail, end;	/* tail is len: nothing is in front of it */
	unsigned int truesize;
	unsigned char data[] __attribute__((aligned(8)));
};

static inline struct sk_buff *alloc_skb(size_t size, gfp_t gfp)
{
	struct sk_buff *skb = calloc(1, sizeof(*skb) + size);

	(void)gfp;
	skb->end = size;
	skb->truesize = sizeof(*skb) + size;
	return skb;
}

#define nlmsg_new(payload, gfp)		alloc_skb(NLMSG_HDRLEN + NLMSG_ALIGN(payload), gfp)
#define nlmsg_free(skb)			free(skb)
#define kfree_skb(skb)			free(skb)
#define pskb_expand_head(skb, head, tail, gfp)	((void)(skb), (void)(tail), 0)
#define SKB_TRUESIZE(length)			(length)
#define SKB_WITH_OVERHEAD(size)		((size) - 320)
#define NLMSG_DEFAULT_SIZE		(4096 - NLMSG_HDRLEN)
#define skb_tail_pointer(skb)		((skb)->data + (skb)->len)
#define skb_tailroom(skb)		((int)((skb)->end - (skb)->len))
#define nlmsg_trim(skb, end)		\
	((skb)->len = (skb)->tail = (unsigned char *)(end) - (skb)->data)
#define nla_total_size(payload)		NLA_ALIGN(NLA_HDRLEN + (payload))
#define nla_total_size_64bit(payload)	nla_total_size(payload)

static inline void *nla_data(const struct nlattr *attr)
{
	return (char *)attr + NLA_HDRLEN;
}

static inline int nla_len(const struct nlattr *attr)
{
	return attr->nla_len - NLA_HDRLEN;
}

static inline u32 nla_get_u32(const struct nlattr *attr)
{
	u32 value;

	memcpy(&value, nla_data(attr), sizeof(value));
	return value;
}

static inline void *skb_put(struct sk_buff *skb, unsigned int bytes)
{
	void *at = skb_tail_pointer(skb);

	assert(bytes <= skb->end - skb->len);
	skb->len += bytes;
	skb->tail = skb->len;
	return at;
}

static inline void skb_put_data(struct sk_buff *skb, const void *from, unsigned int bytes)
{
	memcpy(skb_put(skb, bytes), from, bytes);
}

static inline struct nlattr *__nla_reserve(struct sk_buff *skb, int type, int length)
{
	struct nlattr *attr = skb_put(skb, nla_total_size(length));

	memset(attr, 0, nla_total_size(length));
	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + length;
	return attr;
}

static inline struct nlattr *nla_reserve(struct sk_buff *skb, int type, int length)
{
	if (skb_tailroom(skb) < (int)nla_total_size(length))
		return NULL;
	return __nla_reserve(skb, type, length);
}

static inline int nla_put(struct sk_buff *skb, int type, int length, const void *from)
{
	struct nlattr *attr = nla_reserve(skb, type, length);

	if (!attr)
		return -EMSGSIZE;
	if (length)
		memcpy(nla_data(attr), from, length);
	return 0;
}

static inline int nla_put_u32(struct sk_buff *skb, int type, u32 value)
{
	return nla_put(skb, type, sizeof(value), &value);
}

static inline int nla_put_s32(struct sk_buff *skb, int type, s32 value)
{
	return nla_put(skb, type, sizeof(value), &value);
}

static inline int nla_put_string(struct sk_buff *skb, int type, const char *string)
{
	return nla_put(skb, type, strlen(string) + 1, string);
}

static inline int nla_put_flag(struct sk_buff *skb, int type)
{
	return nla_put(skb, type, 0, NULL);
}

/* As on machines where unaligned words cost nothing, which no other option is asked about. */
#define IS_ENABLED(option)		true
static inline int nla_put_64bit(struct sk_buff *skb, int type, int length, const void *from,
				int pad)
{
	(void)pad;
	return nla_put(skb, type, length, from);
}

static inline struct nlattr *nla_reserve_64bit(struct sk_buff *skb, int type, int length, int pad)
{
	(void)pad;
	return nla_reserve(skb, type, length);
}

static inline int nla_put_u64_64bit(struct sk_buff *skb, int type, u64 value, int pad)
{
	return nla_put_64bit(skb, type, sizeof(value), &value, pad);
}

static inline struct nlattr *nla_nest_start(struct sk_buff *skb, int type)
{
	return nla_reserve(skb, type | NLA_F_NESTED, 0);
}

static inline void nla_nest_end(struct sk_buff *skb, struct nlattr *nest)
{
	nest->nla_len = skb_tail_pointer(skb) - (unsigned char *)nest;
}

static inline void nla_nest_cancel(struct sk_buff *skb, struct nlattr *nest)
{
	nlmsg_trim(skb, nest);
}

/* Generic netlink, of one family. */
struct genl_family { int unused; };
struct genl_info;
struct netlink_ext_ack;
struct nla_policy { u8 type; };

#define NL_SET_ERR_MSG(extack, text)			((void)(extack))
#define NL_SET_ERR_MSG_ATTR(extack, attr, text)		((void)(extack), (void)(attr))
#define genl_has_listeners(family, net, group)		true

/* Keeps the message for the test. */
void genlmsg_multicast(struct sk_buff *skb);
#define genlmsg_multicast_netns(family, net, skb, port, group, gfp)	\
	((void)(family), (void)(net), (void)(group), genlmsg_multicast(skb), 0)

static inline void *genlmsg_put(struct sk_buff *skb, u32 port, u32 seq,
				const struct genl_family *family, int flags, u8 command)
{
	struct nlmsghdr *header = skb_put(skb, NLMSG_HDRLEN);
	struct genlmsghdr *genl = skb_put(skb, GENL_HDRLEN);

	(void)family;
	header->nlmsg_type = 40;
	header->nlmsg_flags = flags;
	header->nlmsg_seq = seq;
	header->nlmsg_pid = port;
	genl->cmd = command;
	genl->version = 1;
	return (char *)genl + GENL_HDRLEN;
}

static inline void genlmsg_end(struct sk_buff *skb, void *header)
{
	struct nlmsghdr *message = (struct nlmsghdr *)((char *)header - GENL_HDRLEN - NLMSG_HDRLEN);

	message->nlmsg_len = skb->len;
}

/* A socket with room for one message, which is enough. */
struct sock {
	atomic_t sk_rmem_alloc;
	int sk_rcvbuf;
	struct sk_buff *received;
};

#define sock_hold(sock)			((void)(sock))
#define sock_put(sock)			((void)(sock))

static inline int sock_queue_rcv_skb(struct sock *sock, struct sk_buff *skb)
{
	assert(!sock->received);
	sock->received = skb;
	return 0;
}

/* A queue that stays empty. */
struct sk_buff_head { struct sk_buff *first; };

#define __skb_queue_head_init(queue)	((queue)->first = NULL)
#define __skb_queue_purge(queue)	((void)(queue))
#define skb_peek(queue)			((queue)->first)
#define skb_queue_empty(queue)		(!(queue)->first)
#define __skb_unlink(skb, queue)	((void)(skb), abort())
#define __skb_queue_head(queue, skb)	((void)(skb), abort())
#define __skb_queue_tail(queue, skb)	((void)(skb), abort())

#endif /* TASKRT_STANDIN_SKB_H */
