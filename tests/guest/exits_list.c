// SPDX-License-Identifier: GPL-2.0-only
/*
 * Several CPU masks on one socket: those with the same conditions merge, others stay
 * separate.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "listener.h"
#include "tap.h"
#include "thread.h"

#define MOST	16

struct registration {
	char cpus[64];
	uint32_t entities, tgid;
	uint64_t cgroup;
	int own;
};

static struct listener listener;
static struct registration list[MOST];
static unsigned int count;

static void in_conditions(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	struct registration *registration = arg;

	(void)length;
	switch (attr->nla_type & NLA_TYPE_MASK) {
	case TASKRT_FILTER_A_TGID:
		memcpy(&registration->tgid, payload, sizeof(registration->tgid));
		break;
	case TASKRT_FILTER_A_CGROUP:
		memcpy(&registration->cgroup, payload, sizeof(registration->cgroup));
		break;
	case TASKRT_FILTER_A_OWN:
		registration->own = 1;
	}
}

static void in_registration(const struct nlattr *attr, const void *payload, size_t length,
			    void *arg)
{
	struct registration *registration = arg;

	switch (attr->nla_type & NLA_TYPE_MASK) {
	case TASKRT_A_CPUMASK:
		snprintf(registration->cpus, sizeof(registration->cpus), "%.*s", (int)length,
			 (const char *)payload);
		break;
	case TASKRT_A_ENTITIES:
		memcpy(&registration->entities, payload, sizeof(registration->entities));
		break;
	case TASKRT_A_FILTER:
		raw_walk(payload, length, in_conditions, registration);
	}
}

static void in_list(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	(void)arg;
	if ((attr->nla_type & NLA_TYPE_MASK) != TASKRT_A_REGISTRATION || count >= MOST)
		return;
	memset(&list[count], 0, sizeof(*list));
	raw_walk(payload, length, in_registration, &list[count++]);
}

static unsigned int list_again(void)
{
	struct raw_answer answer;

	if (listener_ask(&listener, TASKRT_CMD_LIST, NULL, &answer))
		tap_bail("LIST: %s", answer.text);
	count = 0;
	raw_walk(answer.reply, answer.length, in_list, NULL);
	return count;
}

static const struct registration *find(uint32_t entities, uint32_t tgid, uint64_t cgroup, int own)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (list[i].entities == entities && list[i].tgid == tgid &&
		    list[i].cgroup == cgroup &&
		    list[i].own == own)
			return &list[i];
	return NULL;
}

static void check(uint32_t entities, uint32_t tgid, uint64_t cgroup, int own, const char *cpus,
		  const char *name)
{
	const struct registration *registration = find(entities, tgid, cgroup, own);

	if (!tap_ok(registration != NULL, "%s: listed", name))
		return;
	tap_ok(!strcmp(registration->cpus, cpus), "%s: CPUs %s, wanted %s", name,
	       registration->cpus, cpus);
}

static void listen_to(const char *cpus, uint32_t entities, int own, uint32_t tgid, uint64_t cgroup)
{
	const struct listener_filter filter = {
		.cpus = cpus, .entities = entities, .own = own, .tgid = tgid, .cgroup = cgroup,
	};

	listener_listen(&listener, &filter);
}

static void take_out(const char *cpus)
{
	struct raw_answer answer;

	if (listener_ask(&listener, TASKRT_CMD_DEREGISTER, cpus, &answer))
		tap_bail("DEREGISTER of %s: %s", cpus, answer.text);
	list_again();
}

#define BOTH	(TASKRT_ENTITIES_THREADS | TASKRT_ENTITIES_PROCESSES)

static void add_up(void)
{
	listen_to("0", 0, 0, 0, 0);
	tap_equal(list_again(), 1, "one mask: one registration");
	check(BOTH, 0, 0, 0, "0", "one mask");
	listen_to("1", 0, 0, 0, 0);
	tap_equal(list_again(), 1, "two masks, the same conditions: still one");
	check(BOTH, 0, 0, 0, "0-1", "two masks");
	listen_to("0", BOTH, 0, 0, 0);
	tap_equal(list_again(), 1, "both entities named, or none: the same");
	listen_to("1", TASKRT_ENTITIES_THREADS, 0, 0, 0);
	listen_to("0", TASKRT_ENTITIES_PROCESSES, 0, 0, 0);
	tap_equal(list_again(), 3, "other conditions: registrations of their own");
	check(TASKRT_ENTITIES_THREADS, 0, 0, 0, "1", "threads");
	check(TASKRT_ENTITIES_PROCESSES, 0, 0, 0, "0", "processes");
}

static void conditions(void)
{
	listen_to("0", 0, 1, 0, 0);
	listen_to("0", 0, 0, LISTENER_SELF, 0);
	listen_to("1", 0, 0, getpid(), 0);
	listen_to("0-1", 0, 0, getppid(), 0);
	tap_equal(list_again(), 6, "own, and two processes");
	check(BOTH, 0, 0, 1, "0", "own");
	check(BOTH, getpid(), 0, 0, "0-1", "oneself, by 0 and by id");
	check(BOTH, getppid(), 0, 0, "0-1", "the parent");
	check(BOTH, 0, 0, 0, "0-1", "the first has not changed");
}

static void cgroup(void)
{
	struct stat root;

	if (stat("/sys/fs/cgroup/cgroup.procs", &root) || stat("/sys/fs/cgroup", &root)) {
		tap_skip("cgroup", "no cgroup v2 hierarchy");
		return;
	}
	listen_to("1", 0, 0, 0, root.st_ino);
	tap_equal(list_again(), 7, "a cgroup");
	check(BOTH, 0, root.st_ino, 0, "1", "a cgroup");
}

static void shrink(void)
{
	unsigned int i, wrong = 0;

	take_out("1");
	for (i = 0; i < count; i++)
		wrong += strcmp(list[i].cpus, "0") != 0;
	tap_equal(wrong, 0, "DEREGISTER takes a CPU out of all masks");
	tap_ok(find(BOTH, 0, 0, 0) != NULL, "those with another CPU are left");
	tap_ok(!find(TASKRT_ENTITIES_THREADS, 0, 0, 0), "those without are gone");
	take_out("1");
	tap_ok(find(BOTH, 0, 0, 0) != NULL, "a CPU that is in no mask may be taken out");
	take_out("0-1");
	tap_equal(count, 0, "and all of them");
}

int main(void)
{
	if (sysconf(_SC_NPROCESSORS_CONF) < 2) {
		tap_skip("masks that add up", "there is only one CPU");
		return tap_done();
	}
	listener_open(&listener, NULL, NULL);
	add_up();
	conditions();
	cgroup();
	shrink();
	listener_close(&listener);
	return tap_done();
}
