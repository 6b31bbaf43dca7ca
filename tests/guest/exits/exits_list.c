// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registration of a socket, as LIST shows it: the CPUs of several REGISTERs add up,
 * and the other attributes of the last one replace those of the former ones.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "listener.h"
#include "tap.h"
#include "thread.h"

struct registration {
	char cpus[64];
	uint32_t entities, version, groups;
	uint32_t tgid, nr_tgids;
	uint64_t cgroup;
	int own;
};

static struct listener listener;
static struct registration there;
static unsigned int count;

static void in_conditions(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	struct registration *registration = arg;

	(void)length;
	switch (attr->nla_type & NLA_TYPE_MASK) {
	case TASKRT_FILTER_A_TGID:
		memcpy(&registration->tgid, payload, sizeof(registration->tgid));
		registration->nr_tgids++;
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
	case TASKRT_A_VERSION:
		memcpy(&registration->version, payload, sizeof(registration->version));
		break;
	case TASKRT_A_GROUPS:
		memcpy(&registration->groups, payload, sizeof(registration->groups));
		break;
	case TASKRT_A_FILTER:
		raw_walk(payload, length, in_conditions, registration);
	}
}

static void in_list(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	(void)arg;
	if ((attr->nla_type & NLA_TYPE_MASK) != TASKRT_A_REGISTRATION)
		return;
	count++;
	raw_walk(payload, length, in_registration, &there);
}

static unsigned int list_again(void)
{
	struct raw_answer answer;

	if (listener_ask(&listener, TASKRT_CMD_LIST, NULL, &answer))
		tap_bail("LIST: %s", answer.text);
	count = 0;
	memset(&there, 0, sizeof(there));
	raw_walk(answer.reply, answer.length, in_list, NULL);
	return count;
}

/* There is exactly this registration. */
static void check(const struct registration *wanted, const char *name)
{
	tap_equal(list_again(), 1, "%s: one registration", name);
	tap_ok(!strcmp(there.cpus, wanted->cpus), "%s: CPUs %s, wanted %s", name, there.cpus,
	       wanted->cpus);
	tap_equal(there.entities, wanted->entities, "%s: entities", name);
	tap_equal(there.version, wanted->version, "%s: version", name);
	tap_equal(there.groups, wanted->groups, "%s: groups", name);
	tap_equal(there.own, wanted->own, "%s: own", name);
	tap_equal(there.tgid, wanted->tgid, "%s: the process", name);
	tap_equal(there.nr_tgids, wanted->nr_tgids, "%s: number of processes", name);
	tap_equal(there.cgroup, wanted->cgroup, "%s: cgroup", name);
}

static void take_out(const char *cpus)
{
	struct raw_answer answer;

	if (listener_ask(&listener, TASKRT_CMD_DEREGISTER, cpus, &answer))
		tap_bail("DEREGISTER of %s: %s", cpus, answer.text);
	list_again();
}

#define BOTH	(TASKRT_ENTITIES_THREADS | TASKRT_ENTITIES_PROCESSES)

/* What no attribute but CPUMASK means. */
static struct registration plain(const char *cpus)
{
	struct registration wanted = {
		.entities = BOTH, .version = TASKRT_STATS_VERSION, .groups = TASKRT_GROUP_TIMES,
	};

	snprintf(wanted.cpus, sizeof(wanted.cpus), "%s", cpus);
	return wanted;
}

static void add_up(void)
{
	struct registration wanted = plain("0");

	listener_listen(&listener, &(struct listener_filter){ .cpus = "0" });
	check(&wanted, "one mask");
	listener_listen(&listener, &(struct listener_filter){ .cpus = "1" });
	wanted = plain("0-1");
	check(&wanted, "two masks");
	listener_listen(&listener, &(struct listener_filter){ .cpus = "0" });
	check(&wanted, "a CPU that is there already");
}

static void replaced(void)
{
	const uint32_t tgids[] = { getppid(), getpid() };
	struct registration wanted = plain("0-1");

	listener_listen(&listener, &(struct listener_filter){
		.cpus = "0", .entities = TASKRT_ENTITIES_THREADS, .own = 1, .version = 2,
		.groups = TASKRT_GROUP_LONGEST, .tgids = tgids, .nr_tgids = 2,
	});
	wanted.entities = TASKRT_ENTITIES_THREADS;
	wanted.version = 2;
	wanted.groups = TASKRT_GROUP_LONGEST;
	wanted.own = 1;
	wanted.tgid = getpid();
	wanted.nr_tgids = 2;
	check(&wanted, "everything else replaced");
	listener_listen(&listener, &(struct listener_filter){ .cpus = "1", .tgid = LISTENER_SELF });
	wanted = plain("0-1");
	wanted.tgid = getpid();
	wanted.nr_tgids = 1;
	check(&wanted, "one process, by 0");
	listener_listen(&listener, &(struct listener_filter){ .cpus = "1" });
	wanted = plain("0-1");
	check(&wanted, "what is absent has its default again");
}

static void cgroup(void)
{
	struct registration wanted = plain("0-1");
	struct stat root;

	if (stat("/sys/fs/cgroup/cgroup.procs", &root) || stat("/sys/fs/cgroup", &root)) {
		tap_skip("cgroup", "no cgroup v2 hierarchy");
		return;
	}
	listener_listen(&listener, &(struct listener_filter){ .cpus = "1", .cgroup = root.st_ino });
	wanted.cgroup = root.st_ino;
	check(&wanted, "a cgroup");
}

/* A REGISTER that is refused changes nothing. */
static void refused(void)
{
	struct registration wanted;
	struct raw_answer answer;

	list_again();
	wanted = there;
	tap_errno(listener_register(&listener, &(struct listener_filter){
		.cpus = "0", .own = 1, .cgroup = UINT64_MAX,
	}, &answer), -ENOENT, "a cgroup that does not exist");
	check(&wanted, "after an error");
}

static void shrink(void)
{
	take_out("1");
	tap_ok(count == 1 && !strcmp(there.cpus, "0"), "DEREGISTER removes a CPU: %s is left",
	       there.cpus);
	take_out("1");
	tap_equal(count, 1, "a CPU that is not there may be removed");
	take_out("0-1");
	tap_equal(count, 0, "without CPUs there is no registration");
	listener_listen(&listener, &(struct listener_filter){ .cpus = "1" });
	list_again();
	tap_ok(count == 1 && !strcmp(there.cpus, "1"), "a new one has its own CPUs only: %s",
	       there.cpus);
	take_out("all");
}

int main(void)
{
	if (sysconf(_SC_NPROCESSORS_CONF) < 2) {
		tap_skip("masks that add up", "there is only one CPU");
		return tap_done();
	}
	listener_open(&listener, NULL, NULL);
	add_up();
	replaced();
	cgroup();
	refused();
	shrink();
	listener_close(&listener);
	return tap_done();
}
