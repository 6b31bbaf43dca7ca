// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz SECONDS SEED FILE: programs that reach code of the module which no program has reached
 * before are kept and changed, over and over.  Begins with those of FILE.  The kernel tells
 * which code a process runs (kcov) if the module was built with KCOV_INSTRUMENT=y.
 *
 * Prints a line every ten seconds, each program before it runs (behind "> "), and what it
 * has kept between two lines at the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/kcov.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "calls.h"
#include "cgroup.h"
#include "clock.h"
#include "modinfo.h"
#include "presence.h"
#include "program.h"
#include "tap.h"
#include "window.h"

#define PLACES		(1 << 18)	/* that one program may note */
#define KEPT_MAX	4096
#define SEEN		(1 << 16)	/* a power of two, and more than the module has */

static unsigned long *cover;
static int kcov;
static unsigned long seen[SEEN], nr_seen, executions;
static struct program kept[KEPT_MAX];
static unsigned int nr_kept;

static void open_kcov(void)
{
	kcov = open("/sys/kernel/debug/kcov", O_RDWR);
	if (kcov < 0 || ioctl(kcov, KCOV_INIT_TRACE, PLACES))
		tap_bail("no kcov: %s", strerror(errno));
	cover = mmap(NULL, PLACES * sizeof(*cover), PROT_READ | PROT_WRITE, MAP_SHARED, kcov, 0);
	if (cover == MAP_FAILED)
		tap_bail("kcov cannot be mapped: %s", strerror(errno));
}

/* In the process of a program. */
static void enter(void)
{
	__atomic_store_n(&cover[0], 0, __ATOMIC_RELAXED);
	if (ioctl(kcov, KCOV_ENABLE, KCOV_TRACE_PC))
		_exit(1);
	close(kcov);
}

/* Return: 1 if that place is new. */
static int note(unsigned long place)
{
	unsigned long i = place * 0x9e3779b97f4a7c15UL >> 48;

	for (; seen[i % SEEN]; i++)
		if (seen[i % SEEN] == place)
			return 0;
	seen[i % SEEN] = place;
	nr_seen++;
	return 1;
}

/* Places are told apart by where they are in the module. */
static unsigned int note_all(unsigned long code)
{
	unsigned long i, nr = __atomic_load_n(&cover[0], __ATOMIC_RELAXED);
	unsigned int fresh = 0;

	if (nr_seen > SEEN / 2)
		tap_bail("too many places: is more than the module built with KCOV_INSTRUMENT?");
	for (i = 0; i < nr && i + 1 < PLACES; i++)
		fresh += note(cover[i + 1] - code);
	return fresh;
}

static void show(const struct program *program)
{
	char *text = NULL;
	size_t length = 0;
	FILE *memory = open_memstream(&text, &length);
	char *line;

	program_write(program, memory);
	fclose(memory);
	for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		printf("> %s\n", line);
	printf(">\n");
	fflush(stdout);
	free(text);
}

static void try(const struct program *program)
{
	unsigned long code, code_after;
	uint32_t before = presence_code(&code);

	show(program);
	program_execute(program, enter);
	executions++;
	/* If the module was away, it is not known where its code was at what time. */
	if (!code || presence_code(&code_after) != before)
		return;
	if (note_all(code) && nr_kept < KEPT_MAX)
		kept[nr_kept++] = *program;
}

static void read_seeds(const char *name)
{
	FILE *file = fopen(name, "r");
	struct program program;

	if (!file)
		tap_bail("%s: %s", name, strerror(errno));
	while (program_read(&program, file))
		try(&program);
	fclose(file);
}

static void next(struct program *program)
{
	const unsigned int last = nr_kept < 16 ? nr_kept : 16;

	if (!nr_kept || !any(20)) {
		program_make(program);
		return;
	}
	/* What was kept last has been changed least often. */
	*program = kept[any(3) ? any(nr_kept) : nr_kept - 1 - any(last)];
	program_mutate(program, &kept[any(nr_kept)]);
}

static void report(uint64_t begun)
{
	printf("%llu s: %lu executions, %lu places, %u programs kept, inserted %u times\n",
	       (unsigned long long)(clock_now() - begun) / 1000000000, executions, nr_seen,
	       nr_kept, presence_times());
	fflush(stdout);
}

static void fuzz(uint64_t seconds)
{
	uint64_t begun = clock_now(), shown = begun;
	struct program program;

	report(begun);
	while (clock_now() - begun < seconds * 1000000000) {
		next(&program);
		try(&program);
		if (clock_now() - shown < 10000000000ULL)
			continue;
		shown = clock_now();
		report(begun);
	}
	report(begun);
}

static void write_kept(void)
{
	unsigned int i;

	printf("kept-begin\n");
	for (i = 0; i < nr_kept; i++)
		program_write(&kept[i], stdout);
	printf("kept-end\n");
}

/* What the programs had is theirs no more. */
static void check_rest(void)
{
	struct window window;
	struct taskrt *handle = window_open();

	tap_equal(modinfo_await(TASKRT_INFO_A_LISTENERS, 0), 0, "nobody listens");
	tap_equal(modinfo_await(TASKRT_INFO_A_MAPPED, 0), 0, "nothing is mapped");
	tap_equal(modinfo_await(TASKRT_INFO_A_ARMED, 0), 0, "nobody is armed");
	window_thread(handle, 0, &window.after);
	tap_ok(window_adds_up(&window.after), "and the module still counts");
	taskrt_close(handle);
}

int main(int argc, char **argv)
{
	int other;

	if (argc != 4)
		return 2;
	any_begin(strtoull(argv[2], NULL, 0));
	open_kcov();
	presence_begin();
	other = disturb_begin();
	life_begin(other);
	read_seeds(argv[3]);
	fuzz(strtoul(argv[1], NULL, 0));
	tap_ok(disturb_end(other), "accounting was switched until the end");
	write_kept();
	tap_at_least(nr_seen, 1000, "programs reach the module");
	check_rest();
	return tap_done();
}
