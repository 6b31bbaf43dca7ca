# SPDX-License-Identifier: GPL-2.0-only
"""json_fields.py HEADER TASKRT: does the JSON have every field and every element of the header?

TASKRT is a fake that measures everything, see fill_every() in fake_reading.c.  Silent if so;
else a line for each that is missing, too many, or another number.
"""
import json
import re
import subprocess
import sys

# Shown under another name, or in objects.
RENAMED = {"size": "version", "measured": "states", "entity": "tid"}
# In the objects of a task, by group.
GROUPS = {"states", "timer_time_ns", "lock_time_ns", "state_count", "timer_count", "lock_count",
          "longest", "interrupt_time_ns", "softirq_time_ns", "stolen_time_ns", "reclaim_cpu_time_ns",
          "fault_cpu_time_ns"}


def own_name(kind, name):
    """The name in JSON: one is older than the header's, and times end in _time_ns."""
    if (kind, name) == ("TIMER", "fault"):
        return "page_fault"
    return re.sub("_ns$", "_time_ns", name) if kind == "VALUE" else name


def enumerators(header, kind):
    """The names of an enum in JSON, by their numbers."""
    room = int(re.search(rf"^#define TASKRT_{kind}S_ROOM\t(\d+)", header, re.M).group(1))
    names, number = {}, 0
    for name, value in re.findall(rf"^\tTASKRT_{kind}_([A-Z_]+)(?: = (\d+))?,", header, re.M):
        number = int(value) if value else number
        names[own_name(kind, name.lower())] = number
        number += 1
    return {name: number for name, number in names.items() if number < room}


def ask(*command):
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout)


def main():
    header = open(sys.argv[1], encoding="utf-8").read()
    task = ask(sys.argv[2], "get", "--json", "100")
    measured = ask(sys.argv[2], "diagnose", "--json")["measured"]

    struct = re.search(r"^struct taskrt_stats \{(.*?)^\};", header, re.M | re.S).group(1)
    fields = re.findall(r"^\t(?:__u\d+|char|struct taskrt_measured)\s+(\w+)", struct, re.M)
    states, timers, locks, values = (enumerators(header, kind)
                                     for kind in ("STATE", "TIMER", "LOCK", "VALUE"))
    valid = {name.lower() for name in re.findall(r"^#define TASKRT_VALID_(\w+)", header, re.M)}
    unpeaked = set(list(timers)[timers["reclaim"]:timers["wpcopy"] + 1]) | {"fault_cpu"}

    def filled(names, first, step=1):
        return {name: first + number * step for name, number in names.items()}

    def longest(names, first):
        return {name: None if name in unpeaked and names is timers else
                {"ns": first + number, "at_ns": (3000 + number) * 10**6}
                for name, number in names.items()}

    pairs = [
        ("fields", {RENAMED.get(name, name) for name in fields} - {"reserved"} | GROUPS |
         set(values), set(task)),
        ("states", filled(states, 10**6, 10**6), task["states"]),
        ("timer_time_ns", filled(timers, 100000, 1000), task["timer_time_ns"]),
        ("lock_time_ns", filled(locks, 10000, 1000), task["lock_time_ns"]),
        ("state_count", filled(states, 1000), task["state_count"]),
        ("timer_count", filled(timers, 2000), task["timer_count"]),
        ("lock_count", filled(locks, 3000), task["lock_count"]),
        ("values", filled(values, 4000), {name: task.get(name) for name in values}),
        ("longest", {**longest(states, 500), **longest(timers, 600)},
         {name: {key: value for key, value in one.items() if key != "site"} if one else one
          for name, one in task["longest"].items()}),
        ("the sum of the states", task["tracked_time_ns"], sum(task["states"].values())),
        ("valid", valid - {"state", "cpu"}, set(task["valid"])),
    ] + [(f"measured {kind}", list(names), measured[kind]) for kind, names in
         (("states", states), ("timers", timers), ("locks", locks), ("values", values))]
    wrong = [f"{what}: {want}, not {got}" for what, want, got in pairs if want != got]
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(bool(wrong))


main()
