# SPDX-License-Identifier: GPL-2.0-only
"""The time of a step on this machine: with the module's probes, less that with empty ones."""
import statistics
import subprocess

BATCHES = 300


def measure(program, scenario, threads):
    """
    {"least", "median", "spread"} in ns.  The least is of the batch that nothing has
    disturbed; the spread is that of the half of the batches around the median.
    """
    text = subprocess.run([program, "time", scenario, str(threads), str(BATCHES)], check=True,
                          capture_output=True, text=True).stdout
    empty, called = zip(*(map(float, line.split()) for line in text.splitlines()))
    quarters = statistics.quantiles(called, n=4)
    return {"least": min(called) - min(empty),
            "median": statistics.median(called) - statistics.median(empty),
            "spread": quarters[2] - quarters[0]}
