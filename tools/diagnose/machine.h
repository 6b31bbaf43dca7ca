/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the system say: of the kernel, of the module's file and of its build, of the
 * configuration of modprobe, of the kernel log, of signing, and of the distribution.
 */
#ifndef TOOLS_DIAGNOSE_MACHINE_H
#define TOOLS_DIAGNOSE_MACHINE_H

#include <time.h>

#include "diagnose/system.h"

/* The kernel in question: its version, configuration and command line, and what it allows. */

/* The oldest and the newest series, each with its two numbers. */
struct kernel_range {
	int oldest[2], newest[2];
};

/* text: "5.10 7.3".  Return: 0; -1: it is malformed. */
int kernel_read_range(struct kernel_range *range, const char *text);

/* Return: below 0: older; 0: within, or not known; above 0: newer. */
int kernel_compare(const struct system *system, const struct kernel_range *range);

/* An option of its configuration, "CONFIG_KPROBES": 'y', 'm', 'n'; 0: not known. */
char kernel_option(const struct system *system, const char *name);

/* Does its command line contain the word, such as "module.sig_enforce", with or without a value? */
int kernel_argument(const struct system *system, const char *name, char *value, size_t size);

/* Does a file in /proc or /sys start with this text?  -1: not known. */
int kernel_says(const struct system *system, const char *path, const char *beginning);

/* Do we run in the initial PID namespace?  0 also if it is not known. */
int kernel_has_initial_pids(const struct system *system);

/*
 * The kind of container that a file or the environment of the first process names, perhaps stored
 * in name; NULL: none.  A machine whose root was copied from a container has such a file, too.
 */
const char *kernel_container(const struct system *system, char name[64]);

/* The module's file: its path, the kernel that it was built for, and its signer. */

struct module {
	char path[SYSTEM_PATH];		/* without the first slash; empty: this kernel has none */
	int listed;			/* modprobe finds it */
	time_t made;
	int readable;			/* what follows is known */
	char version[32];
	char vermagic[128];
	int has_signature;
	char signer[128];
};

/* Is it in the running kernel, so that it should answer? */
int module_is_loaded(const struct system *system);

void module_find(const struct system *system, struct module *module);

/* The vermagic of a module that came with this kernel; empty: not known. */
void module_common_vermagic(const struct system *system, char vermagic[128]);

/* The state of the module in DKMS, which builds it for each kernel. */

enum dkms_state {
	DKMS_NO_SOURCE,		/* the module's source is not installed */
	DKMS_NOT_ADDED,		/* the source is installed, but not added to DKMS */
	DKMS_NOT_BUILT,
	DKMS_FAILED,		/* its last build was for this kernel, and failed */
	DKMS_BUILT,		/* but not installed */
};

struct dkms {
	int is_there;			/* the dkms command */
	enum dkms_state state;
	char version[64];		/* the newest, of the module */
	char log[SYSTEM_PATH];		/* of a build that failed */
	char error[256];		/* its first error */
	char kernels[256];		/* all kernels that it is built for */
};

void dkms_look(const struct system *system, struct dkms *dkms);

/* The lines about the module in the configuration of modprobe. */

struct modprobe_line {
	char place[SYSTEM_PATH + 16];	/* "/etc/modprobe.d/local.conf:3" */
	char text[256];
};

/*
 * The last line that starts with keyword ("install", "blacklist", "options"), names the module and,
 * unless word is NULL, contains word.  Return: 0: there is none.
 */
int modprobe_find(const struct system *system, const char *keyword, const char *word,
		  struct modprobe_line *line);

/* The kernel log: why the kernel refused the module. */

/*
 * The last line, no older than since, in which the kernel refuses the module, or the module itself
 * says why it cannot work.  Return: 1; 0: there is none, or the module has been loaded since; -1:
 * the log may not be read.
 */
int log_last_failure(const struct system *system, time_t since, char *text, size_t size);

/* Does the message say that a signature is missing or not accepted? */
int log_wants_signature(const char *text);

/* Signing: does the kernel require it, and which key does the user have? */

enum signing_key {
	SIGNING_NO_KEY,		/* there is no key for the user's own modules */
	SIGNING_KEY_UNKNOWN,	/* there is one, and the firmware does not know it */
	SIGNING_KEY_WAITS,	/* ... but enrolls it at the next boot, if confirmed */
	SIGNING_KEY_ENROLLED,
};

struct signing {
	const char *wanted_by;	/* what makes the kernel require signatures; NULL: nothing */
	int secure_boot;
	enum signing_key key;
	char certificate[SYSTEM_PATH];
};

void signing_look(const struct system *system, struct signing *signing);

/* Does the user's own key have this name? */
int signing_is_signer(const struct system *system, const struct signing *signing, const char *name);

/* The package commands of the distribution. */

#define DISTRIBUTION_MAX	256

/* The command that installs the headers of the kernel in question. */
void distribution_headers(const struct system *system, char command[DISTRIBUTION_MAX]);

/* The command that installs a package.  package: its name in Debian. */
void distribution_install(const struct system *system, const char *package,
			  char command[DISTRIBUTION_MAX]);

/* Does apt know the package taskrt-dkms?  Compressed lists are not read. */
int distribution_has_module(const struct system *system);

#endif
