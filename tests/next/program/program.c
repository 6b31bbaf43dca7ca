// SPDX-License-Identifier: GPL-2.0-only
/*
 * program LIBRARY MODULE FILE PATH-OF-MODULE FILE-TO-READ FILE-TO-WRITE: checks all that
 * this program, built with the headers of 1.0 or of next, receives.  The first three say
 * which version each is of, "1.0" or "next".  Without the files: the sizes.
 */
#include "check.h"
#include "parts.h"
#include "told.h"
#include "world.h"

unsigned int checks_failed, checks_done;
const char *checking = "";
bool next_library, next_module, next_file;

static bool is_next(const char *version)
{
	return !strcmp(version, "next");
}

int main(int argc, char **argv)
{
	if (argc != 5 && argc != 7)
		return 2;
	next_library = is_next(argv[1]);
	next_module = is_next(argv[2]);
	next_file = is_next(argv[3]);
	world_open(argv[4]);
	world->begin();
	world->go_on();
	if (argc == 5) {
		sizes_check();
	} else {
		answers_check();
		info_check();
		alerts_check();
		asked_check();
		page_check();
		exits_check(argv[6]);
		file_check(argv[5]);
	}
	printf("# %u checks\n", checks_done);
	return checks_failed || !checks_done;
}
