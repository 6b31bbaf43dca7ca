// SPDX-License-Identifier: GPL-2.0-only
/*
 * container COMMAND [ARGUMENT]...: runs COMMAND as the root of an unprivileged container, with
 * the capabilities that the engines grant by default, and without the system calls that their
 * filter refuses: no mount, no name space, no module.  To be called as root.
 *
 * This confines nothing: a system call of another ABI passes the filter.
 */

#include <errno.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define NAME_SPACES (CLONE_NEWCGROUP | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWNS | \
		     CLONE_NEWPID | CLONE_NEWUSER | CLONE_NEWUTS)

static const int granted[] = {
	CAP_AUDIT_WRITE, CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_FSETID, CAP_KILL, CAP_MKNOD,
	CAP_NET_BIND_SERVICE, CAP_NET_RAW, CAP_SETFCAP, CAP_SETGID, CAP_SETPCAP, CAP_SETUID,
	CAP_SYS_CHROOT,
};

static const int refused[] = {
	SYS_add_key, SYS_bpf, SYS_delete_module, SYS_finit_module, SYS_fsmount, SYS_fsopen,
	SYS_init_module, SYS_io_uring_enter, SYS_io_uring_register, SYS_io_uring_setup, SYS_keyctl,
	SYS_mount, SYS_mount_setattr, SYS_move_mount, SYS_open_tree, SYS_perf_event_open,
	SYS_pivot_root, SYS_setns, SYS_umount2, SYS_unshare, SYS_userfaultfd,
};

static void die(const char *what)
{
	perror(what);
	exit(125);
}

/* Of what the caller has: it may be in a container itself. */
static void drop_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	uint64_t kept = 0;

	for (size_t i = 0; i < ARRAY_SIZE(granted); i++)
		kept |= 1ULL << granted[i];
	for (int cap = 0; prctl(PR_CAPBSET_READ, cap) >= 0; cap++)
		if (!(kept >> cap & 1) && prctl(PR_CAPBSET_DROP, cap))
			die("container: PR_CAPBSET_DROP");
	if (syscall(SYS_capget, &header, data))
		die("container: capget");
	for (size_t i = 0; i < ARRAY_SIZE(data); i++) {
		data[i].permitted &= kept >> 32 * i;
		data[i].effective = data[i].permitted;
		data[i].inheritable = 0;
	}
	if (syscall(SYS_capset, &header, data))
		die("container: capset");
}

/* The error that the next instruction returns, if the value that was loaded is this one. */
static size_t refuse(struct sock_filter *filter, uint32_t value, int error)
{
	filter[0] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
	filter[1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
	return 2;
}

static void filter_calls(void)
{
	/* clone() is refused by its flags. */
	static const struct sock_filter clones[] = {
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAME_SPACES, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_filter filter[3 + 2 * ARRAY_SIZE(refused) + ARRAY_SIZE(clones)];
	struct sock_fprog program = { .filter = filter };
	size_t n = 0;

	filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						   offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		n += refuse(&filter[n], refused[i], EPERM);
	/* Its flags are in memory, which no filter reads: the C library is to call clone(). */
	n += refuse(&filter[n], SYS_clone3, ENOSYS);
	for (size_t i = 0; i < ARRAY_SIZE(clones); i++)
		filter[n++] = clones[i];
	program.len = n;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		die("container: seccomp");
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fputs("usage: container COMMAND [ARGUMENT]...\n", stderr);
		return 125;
	}
	drop_capabilities();
	filter_calls();
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}
