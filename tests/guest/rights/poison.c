// SPDX-License-Identifier: GPL-2.0-only
/*
 * No answer contains a byte that the module did not write, or a kernel address: neither
 * those of a user without privileges nor those of root, alerts included.  Freed memory
 * contains a pattern if the kernel was booted with slub_debug=P and init_on_alloc=0.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "device.h"
#include "group.h"
#include "listener.h"
#include "page.h"
#include "recorder.h"
#include "scan.h"
#include "tap.h"

static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };

static struct raw raw;

static void set_last(const struct nlattr *attr, const void *payload, size_t length, void *last)
{
	(void)payload;
	(void)length;
	*(int *)last |= (attr->nla_type & NLA_TYPE_MASK) == TASKRT_ALERT_A_LAST;
}

static void set_last_of(const struct nlattr *attr, const void *payload, size_t length, void *last)
{
	(void)attr;
	raw_walk(payload, length, set_last, last);
}

/* Does the message end what was asked for, or an alert? */
static int is_last(const struct nlmsghdr *nl)
{
	const struct genlmsghdr *genl = NLMSG_DATA(nl);
	int last = 0;

	if (nl->nlmsg_type == NLMSG_ERROR || nl->nlmsg_type == NLMSG_DONE)
		return 1;
	if (genl->cmd == TASKRT_CMD_ALERT)
		raw_walk((const char *)genl + GENL_HDRLEN,
			 nl->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN, set_last_of, &last);
	return last || genl->cmd == TASKRT_CMD_EXIT;
}

/* Scans all messages up to the last one. */
static void receive(const char *what, int fd)
{
	static char buffer[65536] __attribute__((aligned(8)));
	struct pollfd readable = { .fd = fd, .events = POLLIN };
	const struct nlmsghdr *nl;
	int last = 0;
	ssize_t n;

	while (!last) {
		if (poll(&readable, 1, CLOCK_PATIENCE_MS) != 1)
			tap_bail("%s: no answer", what);
		n = recv(fd, buffer, sizeof(buffer), 0);
		if (n <= 0)
			tap_bail("%s: %s", what, strerror(errno));
		for (nl = (void *)buffer; NLMSG_OK(nl, n); nl = NLMSG_NEXT(nl, n)) {
			scan_message(what, nl, raw.family);
			last |= is_last(nl);
		}
	}
}

static void ask(const char *what, struct raw_message *message)
{
	if (raw_send(&raw, message))
		tap_bail("%s: %s", what, strerror(errno));
	receive(what, raw.fd);
}

static void get(const char *what, uint16_t type, uint32_t id, uint32_t version, int children)
{
	struct raw_message message;

	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_ACK);
	raw_put_u32(&message, type, id);
	raw_put_u32(&message, TASKRT_A_VERSION, version);
	raw_put_u32(&message, TASKRT_A_GROUPS, EVERY_GROUP | TASKRT_GROUP_SITES);
	if (children)
		raw_put(&message, TASKRT_A_CHILDREN, NULL, 0);
	ask(what, &message);
}

static void gets(void)
{
	get("GET of a thread, version 1", TASKRT_A_TID, 0, 1, 0);
	get("GET of a thread, version 2", TASKRT_A_TID, 0, 2, 0);
	get("GET of a thread, version 3", TASKRT_A_TID, 0, 3, 0);
	get("GET of a process, version 1", TASKRT_A_TGID, 0, 1, 0);
	get("GET of a process, version 3", TASKRT_A_TGID, 0, 3, 0);
	get("GET with children", TASKRT_A_TGID, 0, 3, 1);
	get("GET of init", TASKRT_A_TID, 1, 3, 0);
	get("GET of nobody", TASKRT_A_TGID, 0x7fffffff, 3, 0);
}

static void dump(const char *what, uint32_t version)
{
	struct raw_message message;

	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	raw_put_u32(&message, TASKRT_A_VERSION, version);
	raw_put_u32(&message, TASKRT_A_GROUPS, EVERY_GROUP | TASKRT_GROUP_SITES);
	ask(what, &message);
}

static void plain(const char *what, uint8_t command)
{
	struct raw_message message;

	raw_begin(&raw, &message, command, NLM_F_ACK);
	ask(what, &message);
}

static void cpumask(const char *what, uint8_t command)
{
	struct raw_message message;
	size_t nest;

	raw_begin(&raw, &message, command, NLM_F_ACK);
	raw_put(&message, TASKRT_A_CPUMASK, "0", 2);
	if (command == TASKRT_CMD_REGISTER) {
		nest = raw_nest(&message, TASKRT_A_FILTER);
		raw_put(&message, TASKRT_FILTER_A_OWN, NULL, 0);
		raw_put_u32(&message, TASKRT_FILTER_A_TGID, 0);
		raw_nest_end(&message, nest);
	}
	ask(what, &message);
}

static void registrations(void)
{
	cpumask("REGISTER", TASKRT_CMD_REGISTER);
	plain("LIST", TASKRT_CMD_LIST);
	cpumask("DEREGISTER", TASKRT_CMD_DEREGISTER);
	plain("LIST of nothing", TASKRT_CMD_LIST);
	plain("REGISTER without CPUs", TASKRT_CMD_REGISTER);
}

static void exits(uint32_t version, const char *what)
{
	const struct listener_filter mine = {
		.own = 1, .groups = EVERY_GROUP, .version = version,
	};
	struct listener listener;
	pid_t pid;

	listener_open(&listener, NULL, NULL);
	listener_listen(&listener, &mine);
	pid = fork();
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	receive(what, listener.raw.fd);
	listener_close(&listener);
}

static void arm(const char *what, uint8_t command, uint32_t tid)
{
	struct raw_message message;

	raw_begin(&raw, &message, command, NLM_F_ACK);
	raw_put_u32(&message, TASKRT_A_TID, tid);
	ask(what, &message);
}

static void ioctls(void)
{
	struct taskrt_alert_request request = { .tag = "poison" }, before = request;
	int fd = page_device();

	ioctl(fd, TASKRT_IOC_ALERT, &request);
	close(fd);
	if (memcmp(&request, &before, sizeof(request)))
		tap_bail("the request of an alert was changed");
}

static void mapped(void)
{
	const struct taskrt_page *page = page_own();
	static char copy[65536];

	clock_sleep(MS);
	memcpy(copy, page, page_length(page));
	scan_bytes("the mapped pages", copy, page_length(page));
	page_unmap(page);
}

static void everything(void)
{
	gets();
	dump("dump, version 1", 1);
	dump("dump, version 3", 3);
	plain("INFO", TASKRT_CMD_INFO);
	registrations();
	exits(1, "EXIT, version 1");
	exits(3, "EXIT, version 3");
	arm("ARM", TASKRT_CMD_ARM, 0);
	ioctls();
	arm("DISARM", TASKRT_CMD_DISARM, 0);
	arm("ARM of init", TASKRT_CMD_ARM, 1);
	mapped();
}

/* Waits of each kind, with their stacks: asleep, for a page, for a lock. */
static void be_late(void)
{
	size_t size = 64 << 12;
	int fd = device_open();
	char *area;

	clock_sleep(MS);
	area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED)
		tap_bail("no memory");
	memset(area, 1, size);
	munmap(area, size);
	device_hold(fd, TASKRT_TEST_MUTEX, TASKRT_TEST_UNINTERRUPTIBLE, 10 * MS);
	device_take(fd, TASKRT_TEST_MUTEX, 0);
	close(fd);
}

static void alert(void)
{
	const struct recorder_arm every = { .depth = 64, .threshold_ns = 1 };
	struct raw alerts, own;

	if (raw_open(&alerts) || group_join(&alerts) || raw_open(&own) ||
	    recorder_arm(&own, &every, NULL))
		tap_bail("no alerts");
	be_late();
	recorder_must_tell("poison");
	receive("ALERT", alerts.fd);
	raw_close(&own);
	raw_close(&alerts);
}

/* Bits of what was found. */
#define ADDRESS	1
#define PATTERN	2
#define PADDING	4
#define WHOLE	8	/* everything was looked at */

static int scan_all(void *privileged)
{
	int pass;

	if (!privileged) {
		ask_become(&user);
		prctl(PR_SET_DUMPABLE, 1);
	}
	if (raw_open(&raw))
		return 200;
	memset(&scan, 0, sizeof(scan));
	for (pass = 0; pass < 2; pass++) {
		scan.again = pass;
		everything();
		if (privileged)
			alert();
	}
	tap_diag("%zu bytes", scan.length);
	raw_close(&raw);
	return (scan.addresses ? ADDRESS : 0) | (scan.patterns ? PATTERN : 0) |
	       (scan.padding ? PADDING : 0) | WHOLE;
}

/* An address in an answer would be found, and so would a pattern. */
static void finds(void)
{
	uint64_t words[3] = { 1, 0, 1 }, address = (uint64_t)0xffffffff << 32 | 0x81234567;
	static const char *const what = "an example";

	memset(&scan, 0, sizeof(scan));
	words[1] = address;
	scan_bytes(what, words, sizeof(words));
	scan_bytes(what, "at ffff888012345678", 19);
	tap_equal(scan.addresses, 2, "an address is found, as a number and as a text");
	words[1] = 0x6b6b6b6bULL << 16;
	scan_bytes(what, words, sizeof(words));
	scan.again = 1;
	scan_bytes(what, words, sizeof(words));
	tap_equal(scan.patterns, 1, "a pattern is found");
}

static void judge(int found, const char *who)
{
	tap_ok(found & WHOLE, "%s: all answers came", who);
	tap_ok(!(found & ADDRESS), "%s: no kernel address", who);
	tap_ok(!(found & PADDING), "%s: all padding is 0", who);
	if (scan_kernel_poisons())
		tap_ok(!(found & PATTERN), "%s: no byte that was not written", who);
	else
		tap_skip("no byte that was not written", "freed memory has no pattern here");
}

int main(void)
{
	finds();
	judge(ask_in_child(scan_all, NULL), "a user");
	judge(ask_in_child(scan_all, &raw), "root");
	return tap_done();
}
