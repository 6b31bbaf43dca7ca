// SPDX-License-Identifier: GPL-2.0-only
/*
 * Receiving a packet of the loopback device takes longer.  Those that a softirq receives
 * while one thread has the CPU are counted.
 */
#include <linux/if_ether.h>
#include <linux/ktime.h>
#include <linux/netdevice.h>
#include <linux/sched.h>
#include <linux/skbuff.h>
#include <net/net_namespace.h>

#include "internal.h"

/* The longest time that others are kept off the CPU. */
#define MOST_NS		(10 * NSEC_PER_MSEC)

/* Every IPv4 packet of the device gets here, on the CPU that receives it. */
static int receive(struct sk_buff *skb, struct net_device *dev, struct packet_type *type,
		   struct net_device *original)
{
	struct test_packets *packets = container_of(type, struct test_packets, type);
	const u64 end = ktime_get_ns() + packets->each_ns;

	while (ktime_get_ns() < end)
		cpu_relax();
	if (current->pid == packets->tid)
		atomic_inc(&packets->taken);
	kfree_skb(skb);
	return 0;
}

/* It is not received here any more. */
void test_packets_forget(struct test_packets *packets)
{
	if (packets->each_ns)
		dev_remove_pack(&packets->type);
	packets->each_ns = 0;
}

int test_packets_delay(struct test_packets *packets, const struct taskrt_test_packets *arg)
{
	if (arg->each_ns > MOST_NS)
		return -EINVAL;
	test_packets_forget(packets);
	atomic_set(&packets->taken, 0);
	if (!arg->each_ns)
		return 0;
	packets->each_ns = arg->each_ns;
	packets->tid = arg->tid;
	packets->type = (struct packet_type){
		.type = htons(ETH_P_IP),
		.dev = init_net.loopback_dev,
		.func = receive,
	};
	dev_add_pack(&packets->type);
	return 0;
}
