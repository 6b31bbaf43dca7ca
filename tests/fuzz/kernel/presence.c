// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "module.h"
#include "presence.h"
#include "raw.h"
#include "tap.h"

#define TRIES	500

static struct {
	uint32_t changes;	/* odd: it is gone, or was not looked at yet */
	uint32_t family;
	unsigned long address;
} *shared;

static unsigned long find_code(void)
{
	FILE *file = fopen("/proc/modules", "re");
	unsigned long address = 0;
	char line[512];

	while (file && !address && fgets(line, sizeof(line), file))
		if (!strncmp(line, MODULE_TASKRT " ", strlen(MODULE_TASKRT " ")))
			sscanf(strstr(line, " 0x") ?: "", "%lx", &address);
	if (file)
		fclose(file);
	return address;
}

static void look(void)
{
	struct raw raw;

	if (raw_open(&raw))
		tap_bail("no family");
	__atomic_store_n(&shared->family, raw.family, __ATOMIC_RELAXED);
	raw_close(&raw);
	shared->address = find_code();
	if (!shared->address)
		tap_bail("where is the code of the module?");
	__atomic_fetch_add(&shared->changes, 1, __ATOMIC_SEQ_CST);
}

static void insert(void)
{
	int err = module_insert(MODULE_TASKRT, "");

	if (err)
		tap_bail("inserting: %s", strerror(-err));
	look();
}

void presence_begin(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		tap_bail("no memory");
	shared->changes = 1;
	look();
}

void presence_renew(void)
{
	unsigned int tries = TRIES;
	int err;

	__atomic_fetch_add(&shared->changes, 1, __ATOMIC_SEQ_CST);
	/* Most programs open the device, or begin a dump. */
	while ((err = module_try_remove(MODULE_TASKRT)) && --tries)
		usleep(1000);
	if (err)
		__atomic_fetch_sub(&shared->changes, 1, __ATOMIC_SEQ_CST);
	else
		insert();
}

void presence_end(void)
{
	if (!module_loaded(MODULE_TASKRT))
		insert();
}

uint16_t presence_family(void)
{
	return __atomic_load_n(&shared->family, __ATOMIC_RELAXED);
}

uint32_t presence_times(void)
{
	return __atomic_load_n(&shared->changes, __ATOMIC_RELAXED) / 2;
}

uint32_t presence_code(unsigned long *address)
{
	uint32_t changes = __atomic_load_n(&shared->changes, __ATOMIC_SEQ_CST);

	*address = changes % 2 ? 0 : shared->address;
	return changes;
}
