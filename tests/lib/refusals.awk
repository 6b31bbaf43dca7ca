# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel prints its stack when an allocation has failed, or a name is taken.  The tests
# "taken" and "inject_*" cause that: leaves these stacks out of the kernel's log, so that
# they do not pass for complaints.  The log has a mark where a test begins; -v test=NAME
# names the one with which it begins itself.

/taskrt-test: / { test = $NF }
test !~ /^(taken|inject_)/ { print; next }
/kmem_cache_create.* failed with error -12|percpu: allocation failed|vmalloc error: size/ { expected = 30 }
/Failed to (arm|register) kprobe-ftrace|sysfs: cannot create duplicate filename/ { expected = 30 }
expected > 0 && /WARNING: CPU/ { next }
expected > 0 && /Call Trace:/ { expected = 0; next }
{ expected--; print }
