// SPDX-License-Identifier: GPL-2.0-only
/*
 * A 32-bit program: 64-bit programs have other numbers for the same system calls.  This
 * one sleeps in a call that has the number of poll or of pselect6 there.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "tap.h"
#include "window.h"

#define D	(60 * MS)
#define PATH	"/tmp/taskrt-foreign"
#define LOADED	0x100000	/* the load address, which every kernel allows */

#ifdef __aarch64__
#define MACHINE	EM_ARM
#define FLAGS	EF_ARM_EABI_VER5
#define CALL	"sigsuspend"
static const unsigned char code[] = {
	0x00, 0x00, 0xa0, 0xe3,		/* again: mov r0, #0 */
	0x00, 0x10, 0xa0, 0xe3,		/* mov r1, #0 */
	0x00, 0x20, 0xa0, 0xe3,		/* mov r2, #0 */
	0x48, 0x70, 0xa0, 0xe3,		/* mov r7, #72: sigsuspend; pselect6 */
	0x00, 0x00, 0x00, 0xef,		/* svc #0 */
	0xf9, 0xff, 0xff, 0xea,		/* b again */
};
#else
#define MACHINE	EM_386
#define FLAGS	0
#define CALL	"waitpid"
static const unsigned char code[] = {
	0xb8, 0x02, 0x00, 0x00, 0x00,	/* mov eax, 2: fork */
	0xcd, 0x80,			/* int 0x80 */
	0x85, 0xc0,			/* test eax, eax */
	0x74, 0x0d,			/* jz child */
	0x89, 0xc3,			/* mov ebx, eax */
	0x31, 0xc9,			/* xor ecx, ecx */
	0x31, 0xd2,			/* xor edx, edx */
	0xb8, 0x07, 0x00, 0x00, 0x00,	/* mov eax, 7: waitpid; poll */
	0xcd, 0x80,			/* int 0x80 */
	0xb8, 0x1d, 0x00, 0x00, 0x00,	/* child: mov eax, 29: pause */
	0xcd, 0x80,			/* int 0x80 */
	0xeb, 0xf7,			/* jmp child */
};
#endif

static struct {
	Elf32_Ehdr header;
	Elf32_Phdr segment;
	unsigned char code[sizeof(code)];
} program = {
	.header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = MACHINE,
		.e_version = EV_CURRENT,
		.e_entry = LOADED + sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr),
		.e_phoff = sizeof(Elf32_Ehdr),
		.e_flags = FLAGS,
		.e_ehsize = sizeof(Elf32_Ehdr),
		.e_phentsize = sizeof(Elf32_Phdr),
		.e_phnum = 1,
	},
	.segment = {
		.p_type = PT_LOAD,
		.p_vaddr = LOADED,
		.p_filesz = sizeof(program),
		.p_memsz = sizeof(program),
		.p_flags = PF_R | PF_X,
		.p_align = 0x10000,
	},
};

static void write_program(void)
{
	int file = open(PATH, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);

	memcpy(program.code, code, sizeof(code));
	if (file < 0 || write(file, &program, sizeof(program)) != sizeof(program))
		tap_bail(PATH ": %s", strerror(errno));
	close(file);
}

/* The new process, in a group of its own, or 0 and errno if it cannot be run. */
static pid_t run(void)
{
	int result[2], error = 0;
	pid_t pid;

	if (pipe2(result, O_CLOEXEC))
		tap_bail("pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		execl(PATH, PATH, NULL);
		_exit(write(result[1], &errno, sizeof(errno)) < 0);
	}
	close(result[1]);
	/* The exec closes the pipe without a byte in it. */
	if (read(result[0], &error, sizeof(error)) > 0)
		waitpid(pid, NULL, 0);
	close(result[0]);
	errno = error;
	return error ? 0 : pid;
}

static void check_asleep(pid_t pid)
{
	struct taskrt *handle = window_open();
	uint64_t patience = clock_now() + CLOCK_PATIENCE;
	struct taskrt_reading reading;

	/* Any state of sleep ends the loop; which one it is, is tested below. */
	do {
		clock_sleep(MS);
		window_thread(handle, pid, &reading);
	} while (reading.stats.state < TASKRT_STATE_SLEEPING_FUTEX && clock_now() < patience);
	clock_sleep(D);
	window_thread(handle, pid, &reading);
	tap_ok(window_adds_up(&reading), "32-bit " CALL ": adds up");
	tap_at_least(reading.times.states_ns[TASKRT_STATE_SLEEPING], D,
		     "32-bit " CALL ": sleeping");
	tap_at_most(reading.times.states_ns[TASKRT_STATE_SLEEPING_POLL], D / 2,
		    "32-bit " CALL ": not in a poll");
	if (reading.times.states_ns[TASKRT_STATE_SLEEPING] < D)
		window_print(&reading);
	taskrt_close(handle);
}

int main(void)
{
	pid_t pid;

	write_program();
	pid = run();
	unlink(PATH);
	if (pid) {
		check_asleep(pid);
		kill(-pid, SIGKILL);
		waitpid(pid, NULL, 0);
	} else if (errno == ENOEXEC) {
		tap_skip("32-bit " CALL, "this kernel runs no 32-bit programs");
	} else {
		tap_bail("exec: %s", strerror(errno));
	}
	return tap_done();
}
