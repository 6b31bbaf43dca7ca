# SPDX-License-Identifier: GPL-2.0-only
"""json_fields.py HEADER TASKRT: does `get --json` show every field of the header?

Silent if so; else a line for each that is missing or too many.
"""
import json
import re
import subprocess
import sys

# Shown under another name, or in objects.
RENAMED = {"size": "version", "measured": "states", "entity": "tid"}
# The names that are older than the header's.
OWN = {"fault": "page_fault", "minor_fault_ns": "minor_fault_time_ns",
       "major_fault_ns": "major_fault_time_ns", "user_ns": "user_time_ns",
       "system_ns": "system_time_ns"}
# In the objects of a task, by group.
GROUPS = {"states", "timer_time_ns", "lock_time_ns", "state_count", "timer_count", "lock_count",
          "longest", "interrupt_time_ns", "softirq_time_ns", "stolen_time_ns", "freeing_time_ns"}


def enumerators(header, prefix, last):
    """Lower-case names of an enum, up to the last that is measured on most kernels."""
    names = re.findall(rf"^\t{prefix}([A-Z_]+),", header, re.M)
    names = [name.lower() for name in names[:names.index(last) + 1]]
    return {OWN.get(name, name) for name in names}


def main():
    header = open(sys.argv[1], encoding="utf-8").read()
    task = json.loads(subprocess.check_output([sys.argv[2], "get", "--json", "100"]))

    struct = re.search(r"^struct taskrt_stats \{(.*?)^\};", header, re.M | re.S).group(1)
    fields = re.findall(r"^\t(?:__u\d+|char|struct taskrt_measured)\s+(\w+)", struct, re.M)
    states = enumerators(header, "TASKRT_STATE_", "SLEEPING_PAUSE")
    timers = enumerators(header, "TASKRT_TIMER_", "LOCK")
    locks = enumerators(header, "TASKRT_LOCK_", "OTHER")
    values = enumerators(header, "TASKRT_VALUE_", "SYSTEM_NS")
    valid = {name.lower() for name in re.findall(r"^#define TASKRT_VALID_(\w+)", header, re.M)}

    pairs = [
        ("fields", {RENAMED.get(name, name) for name in fields} - {"reserved"} | GROUPS | values,
         set(task)),
        ("states", states, set(task["states"])),
        ("state_count", states, set(task["state_count"])),
        ("timer_time_ns", timers, set(task["timer_time_ns"])),
        ("timer_count", timers, set(task["timer_count"])),
        ("lock_time_ns", locks, set(task["lock_time_ns"])),
        ("lock_count", locks, set(task["lock_count"])),
        ("longest", states | timers, set(task["longest"])),
        ("valid", valid - {"state", "cpu"}, set(task["valid"])),
    ]
    wrong = [f"{what}: {sorted(want ^ got)}" for what, want, got in pairs if want != got]
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(bool(wrong))


main()
