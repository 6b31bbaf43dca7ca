# SPDX-License-Identifier: GPL-2.0-only
"""json_fields.py HEADER TASKRT: does `get --json` show every field of the header?

Silent if so; else a line for each that is missing or too many.
"""
import json
import re
import subprocess
import sys

# Shown under another name, or in objects.
RENAMED = {"states_ns": "states", "longest_state": "longest", "longest_fault": "longest",
           "longest_lock": "longest", "size": "version"}


def enumerators(header, prefix):
    """Lower-case names of an enum, up to the one that counts them."""
    names = re.findall(rf"^\t{prefix}([A-Z_]+),", header, re.M)
    return {name.lower() for name in names if not name.startswith("NR_")}


def main():
    header = open(sys.argv[1], encoding="utf-8").read()
    task = json.loads(subprocess.check_output([sys.argv[2], "get", "--json", "100"]))

    struct = re.search(r"^struct taskrt_stats \{(.*?)^\};", header, re.M | re.S).group(1)
    fields = re.findall(r"^\t(?:__u\d+|char|struct taskrt_longest)\s+(\w+)", struct, re.M)
    states = enumerators(header, "TASKRT_STATE_") - {"exited"}
    locks = enumerators(header, "TASKRT_LOCK_")
    valid = {name.lower() for name in re.findall(r"^#define TASKRT_VALID_(\w+)", header, re.M)}

    pairs = [
        ("fields", {RENAMED.get(name, name) for name in fields}, set(task)),
        ("states", states, set(task["states"])),
        ("lock_time_ns", locks, set(task["lock_time_ns"])),
        ("lock_count", locks, set(task["lock_count"])),
        ("longest", states | {"page_fault", "lock"}, set(task["longest"])),
        ("valid", valid - {"state"}, set(task["valid"])),
    ]
    wrong = [f"{what}: {sorted(want ^ got)}" for what, want, got in pairs if want != got]
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(bool(wrong))


main()
