# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel with KCSAN reports its own data races as well, of which it has many.  Leaves
# out the first line of each report that has no function of ours in its stacks, so that
# it does not pass for a complaint; and of those about the clock that the module reads:
# that one is a latch, whose accesses the kernel has marked since 6.13 only.

/BUG: KCSAN: / { title = $0; next }
title && /====================/ { title = "" }
title && /\[taskrt/ {
	if (title !~ /ktime_get_mono_fast_ns \/ timekeeping_update/)
		print title
	title = ""
}
{ print }
END { if (title) print title }
