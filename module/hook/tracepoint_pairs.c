// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/string.h>
#include "hook/tracepoint_pairs.h"

void tracepoint_pairs_note(struct tracepoint_pairs *pairs, struct tracepoint *tracepoint)
{
	const char *end;
	size_t len;
	int i;

	for (i = 0; i < TRACEPOINT_PAIRS_MAX && pairs->names[i]; i++) {
		len = str_has_prefix(tracepoint->name, pairs->names[i]);
		end = tracepoint->name + len;
		if (len && (!strcmp(end, "_entry") || !strcmp(end, "_begin")))
			pairs->entry[i] = tracepoint;
		if (len && (!strcmp(end, "_exit") || !strcmp(end, "_end")))
			pairs->exit[i] = tracepoint;
	}
}

/* The entries are detached first, because an end without a start is harmless. */
static void tracepoint_pairs_detach_some(struct tracepoint_pairs *pairs, int count)
{
	int i;

	for (i = 0; i < count; i++)
		if (pairs->entry[i] && pairs->exit[i])
			tracepoint_probe_unregister(pairs->entry[i], pairs->on_entry, NULL);
	for (i = 0; i < count; i++)
		if (pairs->entry[i] && pairs->exit[i])
			tracepoint_probe_unregister(pairs->exit[i], pairs->on_exit, NULL);
}

static int tracepoint_pairs_attach_one(struct tracepoint_pairs *pairs, int i)
{
	int err;

	if (!pairs->entry[i] || !pairs->exit[i])
		return -ENOENT;
	err = tracepoint_probe_register(pairs->exit[i], pairs->on_exit, NULL);
	if (err)
		return err;
	err = tracepoint_probe_register(pairs->entry[i], pairs->on_entry, NULL);
	if (err)
		tracepoint_probe_unregister(pairs->exit[i], pairs->on_exit, NULL);
	return err;
}

/* Every kernel has the first pair.  Another one may be missing, if there is no such interrupt. */
int tracepoint_pairs_attach(struct tracepoint_pairs *pairs)
{
	int i, err;

	for (i = 0; i < TRACEPOINT_PAIRS_MAX && pairs->names[i]; i++) {
		err = tracepoint_pairs_attach_one(pairs, i);
		if (err && (err != -ENOENT || !i)) {
			tracepoint_pairs_detach_some(pairs, i);
			return err;
		}
	}
	return 0;
}

void tracepoint_pairs_detach(struct tracepoint_pairs *pairs)
{
	tracepoint_pairs_detach_some(pairs, TRACEPOINT_PAIRS_MAX);
}
