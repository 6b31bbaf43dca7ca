# SPDX-License-Identifier: GPL-2.0-only
"""
Instructions and cache misses of an event, from valgrind's cachegrind.

The caches are simulated, and the same ones on every machine.  Counted is what the probes
do, not the program around them, and only once all threads have had their turns: it is the
difference of two runs, one of which has more steps.
"""
import collections
import os
import subprocess
import tempfile

# Size, ways, bytes in a line.  2,000 threads fit into the last level, 20,000 do not.
CACHES = ("--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64")
FIGURES = {"instructions": ("Ir",), "D1 misses": ("D1mr", "D1mw"), "LL misses": ("DLmr", "DLmw")}
# With few threads a turn of each is too little to divide by.
LEAST_STEPS = 4000


def counts_of(lines):
    """What cachegrind has written: {function: {its name of a count: number}}."""
    names, function = [], None
    counts = collections.defaultdict(collections.Counter)
    for line in lines:
        if line.startswith("events: "):
            names = line.split()[1:]
        elif line.startswith("fn="):
            function = line[3:].strip()
        elif line[:1].isdigit():
            counts[function].update(dict(zip(names, map(int, line.split()[1:]))))
    return counts


def replay(program, scenario, threads, steps):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=yes", *CACHES,
                        f"--cachegrind-out-file={out}", f"--log-file={folder}/log", program,
                        "replay", scenario, str(threads), str(steps)], check=True)
        with open(out, encoding="utf-8") as file:
            return counts_of(file)


def total(counts, probe, figure):
    """@probe: how its function begins, and whatever the compiler has split off from it."""
    return sum(numbers[name] for function, numbers in counts.items()
               if function.startswith(probe) for name in FIGURES[figure])


def figures(program, scenario, threads, probes):
    """{probe: {figure: number an event}}."""
    round_ = -(-LEAST_STEPS // threads) * threads
    few = replay(program, scenario, threads, 2 * round_)
    many = replay(program, scenario, threads, 3 * round_)
    return {probe: {figure: (total(many, probe, figure) - total(few, probe, figure)) / round_
                    for figure in FIGURES} for probe in probes}
