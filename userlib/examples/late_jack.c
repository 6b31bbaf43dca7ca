// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * late_jack: a JACK client that explains why it was late.  Its process callback uses a
 * deadline, which reads the thread's own counters without a system call.  Another
 * thread prints one line with the causes for each late callback.  The work is due one
 * period after the start of the last callback, so the line also says why a callback has
 * come too late, and which task has woken it.
 *
 * To demonstrate this, the client makes itself late for known reasons (lateness.c),
 * and counts how often the explanation was right.  It also raises an alert for each
 * late callback: "taskrt watch -p PID" then shows which other tasks were involved.
 *
 *	cc -o late_jack late_jack.c lateness.c $(pkg-config --cflags --libs libtaskrt jack)
 *	taskset -c 0 jackd -P 70 -d dummy -r 48000 -p 480 &
 *	./late_jack
 *
 * It needs two CPUs, a real-time JACK server, and an RLIMIT_RTPRIO that is at least 10
 * above the priority of the server's clients.  It needs no privileges.
 *
 * Exit status: 0: at least 99 % of the explanations of each kind were right; 1: fewer
 * were right; 2: it could not start.
 * "late_jack 0" does not make itself late, and is an ordinary client.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <jack/jack.h>
#include <jack/thread.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TASKRT_EXPERIMENTAL
#include <taskrt_experimental.h>

#include "lateness.h"

#define MS		1000000ULL
#define QUIET		3	/* callbacks that are left alone between two late ones */
#define RING		64

/* The reasons of the late callbacks, in the order of their explanations; -1: not deliberate. */
static int done[RING];
static atomic_uint written, told;

static jack_client_t *client;
static jack_port_t *in, *out;
static struct taskrt_deadline *deadline;
static uint64_t period_ns;		/* the deadline as well */
static unsigned int events = 100;	/* of each kind */
static atomic_int ended;
static unsigned int right[NR_LATENESSES], lost;

/*
 * Return: the next reason in turn for which this callback is to be late; -1: none.
 * Sets ended after the last one.
 */
static int next_lateness(void)
{
	static unsigned int quiet, number;
	const struct lateness *next = &latenesses[number % NR_LATENESSES];

	if (!events || ++quiet < QUIET)
		return -1;
	if (number == events * NR_LATENESSES)
		ended = 1;
	else if (quiet == QUIET && next->prepare)
		next->prepare();
	if (ended || quiet == QUIET || (next->is_ready && !next->is_ready()))
		return -1;
	quiet = 0;
	return number++ % NR_LATENESSES;
}

/*
 * Return: when this callback should have started, one period after the last one; 0: it is the
 * first.
 * In another time namespace than the initial one, its offset would have to be subtracted.
 */
static uint64_t due_ns(void)
{
	static uint64_t last_ns;
	const uint64_t due = last_ns ? last_ns + period_ns : 0;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	last_ns = now.tv_sec * 1000 * MS + now.tv_nsec;
	return due;
}

static int process(jack_nframes_t frames, void *unused)
{
	int lateness = next_lateness();

	(void)unused;
	taskrt_deadline_begin_due(deadline, due_ns());
	memcpy(jack_port_get_buffer(out, frames), jack_port_get_buffer(in, frames),
	       frames * sizeof(jack_default_audio_sample_t));
	if (lateness >= 0)
		latenesses[lateness].happen();
	if (taskrt_deadline_end(deadline) != 1)
		return 0;
	done[written++ % RING] = lateness;
	/* Raise an alert, if the thread is armed.  The system call may take time: we are late. */
	taskrt_deadline_alert(deadline,
			      lateness < 0 ? "by itself" : latenesses[lateness].name);
	return 0;
}

/* Return: is the largest cause in the line the reason for which the callback was late? */
static int is_right(const char *line, int lateness)
{
	const char *first = strstr(line, ": "), *name;

	if (lateness < 0)
		return 1;
	name = taskrt_cause_name(latenesses[lateness].cause);
	return first && !strncmp(first + 2, name, strlen(name));
}

static void tell(const char *line)
{
	int lateness, is;

	/* Explanations are only lost if this thread is too slow to take them from the queue. */
	if (strncmp(line, "late by ", 8)) {
		lost++;
		puts(line);
		return;
	}
	lateness = done[told++ % RING];
	is = is_right(line, lateness);
	if (lateness >= 0)
		right[lateness] += is;
	printf("%s: %s%s\n", lateness < 0 ? "by itself" : latenesses[lateness].name, line,
	       is ? "" : " -- WRONG");
}

/* An explanation is queued before its reason is stored in done[], so wait for the reason. */
static void tell_all(void)
{
	char line[1100];

	while (told != written &&
	       taskrt_deadline_next(deadline, line, sizeof(line), 0) == 1)
		tell(line);
	fflush(stdout);
}

/* Return: 0; 1: too few explanations were right, or some were lost. */
static int sum_up(void)
{
	int i, bad = lost != 0;

	for (i = 0; events && i < NR_LATENESSES; i++) {
		printf("%s: %u of %u right\n", latenesses[i].name, right[i], events);
		bad |= right[i] * 100 < events * 99;
	}
	printf("reports lost: %u\n", lost);
	return bad;
}

static void die(const char *what, const char *why)
{
	fprintf(stderr, "late_jack: %s%s%s\n", what, why ? ": " : "", why ? why : "");
	exit(2);
}

static void run_on(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		die("cannot set the CPU affinity", strerror(errno));
}

/*
 * Set-up that takes time, in the thread of the callback before its first period.  (JACK
 * also calls this in other threads of the client.)
 */
static void begin_thread(void *cpu)
{
	int err;

	if (!pthread_equal(pthread_self(), jack_client_thread_id(client)))
		return;
	run_on(*(int *)cpu);
	err = taskrt_deadline_open(&deadline, TASKRT_SELF_MAPPED, period_ns);
	if (err)
		die("cannot open the thread's counters", strerror(-err));
}

static void end(void *unused)
{
	(void)unused;
	ended = 1;
}

static void interrupt(int number)
{
	(void)number;
	ended = 1;
}

static void open_client(void)
{
	client = jack_client_open("late_jack", JackNoStartServer, NULL);
	if (!client)
		die("no JACK server", NULL);
	if (!jack_is_realtime(client))
		die("the JACK server is not real-time", NULL);
	period_ns = 1000 * MS * jack_get_buffer_size(client) / jack_get_sample_rate(client);
	in = jack_port_register(client, "in", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
	out = jack_port_register(client, "out", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
	if (!in || !out)
		die("no JACK port", NULL);
}

static void start_client(int *cpu)
{
	jack_on_shutdown(client, end, NULL);
	jack_set_thread_init_callback(client, begin_thread, cpu);
	jack_set_process_callback(client, process, NULL);
	if (jack_activate(client))
		die("JACK cannot activate the client", NULL);
}

int main(int argc, char **argv)
{
	const struct timespec soon = { 0, 20 * MS };
	int cpu = sysconf(_SC_NPROCESSORS_ONLN) - 1;	/* of the callback */

	if (argc > 1)
		events = atoi(argv[1]);
	if (argc > 2)
		die("usage: late_jack [EVENTS]",
		    "late callbacks of each kind (100); 0: none, until interrupted");
	if (cpu < 1)
		die("two CPUs are needed", NULL);
	run_on(SERVER_CPU);
	/* Fault in the array, so that the callback causes no page fault. */
	memset(done, 0, sizeof(done));
	open_client();
	if (lateness_init(3 * period_ns, cpu, jack_client_real_time_priority(client) + 10))
		die("preparing the reasons to be late", strerror(errno));
	signal(SIGINT, interrupt);
	start_client(&cpu);
	while (!ended) {
		nanosleep(&soon, NULL);
		tell_all();
	}
	jack_client_close(client);
	tell_all();
	taskrt_deadline_close(deadline);
	return sum_up();
}
