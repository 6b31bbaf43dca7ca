// SPDX-License-Identifier: GPL-2.0-only
/* The module's file: its path, the kernel that it was built for, and its signer. */
#include <fcntl.h>
#include <libkmod.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diagnose/machine.h"

#define FOLDERS		"lib/modules/%s"

/* taskrt.ko, or compressed: taskrt.ko.xz */
static int is_ours(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	return !strncmp(name, "taskrt.ko", 9) && (!name[9] || name[9] == '.');
}

static int is_not_ours(const char *path)
{
	return !strncmp(path, "kernel/", 7);
}

/* The first wanted file in the list of modprobe. */
static int find_listed(const struct system *system, int (*wanted)(const char *path),
		       char path[SYSTEM_PATH])
{
	FILE *stream = system_stream(system, FOLDERS "/modules.dep", system->release);
	char *line = NULL;
	size_t size = 0;
	int found = 0;

	while (stream && !found && getline(&line, &size, stream) > 0) {
		line[strcspn(line, ":")] = '\0';
		if (!wanted(line))
			continue;
		found = !system_path(path, FOLDERS "/%s", system->release, line) &&
			system_has(system, "%s", path);
	}
	free(line);
	if (stream)
		fclose(stream);
	return found;
}

static int is_folder(const struct system *system, const char *path)
{
	int fd = system_descriptor(system, O_PATH | O_NOFOLLOW, path);
	struct stat status;
	int folder = fd >= 0 && !fstat(fd, &status) && S_ISDIR(status.st_mode);

	if (fd >= 0)
		close(fd);
	return folder;
}

static int find_file(const struct system *system, const char *folder, const char *name, void *found)
{
	char path[SYSTEM_PATH];

	if (system_path(path, "%s/%s", folder, name))
		return 0;
	if (is_ours(name)) {
		strcpy(found, path);
		return 1;
	}
	return is_folder(system, path) && system_each(system, path, find_file, found);
}

static void keep(const struct kmod_list *item, struct module *module)
{
	const char *key = kmod_module_info_get_key(item);
	const char *value = kmod_module_info_get_value(item);

	if (!strcmp(key, "version"))
		snprintf(module->version, sizeof(module->version), "%s", value);
	else if (!strcmp(key, "vermagic"))
		snprintf(module->vermagic, sizeof(module->vermagic), "%.*s",
			 (int)(strlen(value) - (*value && value[strlen(value) - 1] == ' ')), value);
	else if (!strcmp(key, "sig_id"))
		module->has_signature = 1;
	else if (!strcmp(key, "signer"))
		snprintf(module->signer, sizeof(module->signer), "%s", value);
}

static void read_info(struct kmod_ctx *context, const char *path, struct module *module)
{
	struct kmod_list *list = NULL, *item;
	struct kmod_module *file;

	if (kmod_module_new_from_path(context, path, &file))
		return;
	if (kmod_module_get_info(file, &list) >= 0) {
		module->readable = 1;
		kmod_list_foreach(item, list)
			keep(item, module);
		kmod_module_info_free_list(list);
	}
	kmod_module_unref(file);
}

static void read_descriptor(int fd, struct module *module)
{
	static const char * const no_configuration[] = { NULL };
	struct kmod_ctx *context = kmod_new("/", no_configuration);
	char path[64];

	if (!context)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	kmod_set_log_priority(context, 0);
	read_info(context, path, module);
	kmod_unref(context);
}

/* Anything may have this name.  A pipe would block us, here and again in libkmod. */
static void read_file(const struct system *system, struct module *module)
{
	int fd = system_descriptor(system, O_RDONLY | O_NONBLOCK, module->path);
	struct stat status;

	if (fd < 0)
		return;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode)) {
		module->made = status.st_mtime;
		read_descriptor(fd, module);
	}
	close(fd);
}

void module_find(const struct system *system, struct module *module)
{
	char folder[SYSTEM_PATH];

	memset(module, 0, sizeof(*module));
	module->listed = find_listed(system, is_ours, module->path);
	system_path(folder, FOLDERS, system->release);
	if (module->listed || system_each(system, folder, find_file, module->path))
		read_file(system, module);
	else
		module->path[0] = '\0';
}

int module_is_loaded(const struct system *system)
{
	return system->running && system_has(system, "sys/module/taskrt/initstate");
}

void module_common_vermagic(const struct system *system, char vermagic[128])
{
	struct module common = { .readable = 0 };

	if (find_listed(system, is_not_ours, common.path))
		read_file(system, &common);
	memcpy(vermagic, common.vermagic, sizeof(common.vermagic));
}
