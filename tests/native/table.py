# SPDX-License-Identifier: GPL-2.0-only
"""The rows, beside the figures that are stored for them; as a table and as JSON."""
import json
import os
import platform

# Compilers place the program's variables differently, which may make a set of a cache full.
TOLERANCE = 1.05


def verdict(measured, stored):
    if stored is None:
        return None
    if measured > stored * TOLERANCE:
        return "over"
    return "under" if measured * TOLERANCE < stored else "ok"


class Stored:
    """The figures of the tree, by event and figure.  They are those of x86-64."""

    def __init__(self, path):
        self.path = path
        self.figures = {}
        with open(path, encoding="utf-8") as file:
            self.comments = [line for line in file if line.startswith("#")]
            file.seek(0)
            for line in file:
                if not line.startswith("#"):
                    event, figure, value = line.rstrip("\n").split("\t")
                    self.figures[event, figure] = float(value)

    def judge(self, row):
        """Adds what is stored for the row, if anything, and the verdict."""
        known = platform.machine() == "x86_64" and row["threads"] == 2000
        row["stored"] = self.figures.get((row["event"], row["figure"])) if known else None
        row["verdict"] = verdict(row["measured"], row["stored"])

    def store(self, rows):
        new = self.path + ".new"
        with open(new, "w", encoding="utf-8") as file:
            file.writelines(self.comments)
            for row in rows:
                if (row["event"], row["figure"]) in self.figures and row["threads"] == 2000:
                    file.write(f"{row['event']}\t{row['figure']}\t{row['measured']:.3f}\n")
        os.replace(new, self.path)


def print_times(rows):
    print(f"{'EVENT':<21}{'CLOCK':<12}{'THREADS':>8}{'LEAST':>9}{'MEDIAN':>9}{'SPREAD':>9}  UNIT")
    for row in rows:
        print(f"{row['event']:<21}{row['clock']:<12}{row['threads']:>8}{row['least']:>9.1f}"
              f"{row['measured']:>9.1f}{row['spread']:>9.1f}  ns")


def cell(row):
    """Of the table of counts: the figure, and what is stored for it."""
    if not row:
        return ""
    if row["stored"] is None:
        return f"{row['measured']:.2f}"
    return f"{row['measured']:.2f} ({row['stored']:.2f})"


def print_counts(rows):
    figures = list(dict.fromkeys(row["figure"] for row in rows))
    print(f"{'EVENT':<21}{'THREADS':>8}", *(f"{figure.upper():>16}" for figure in figures), sep="")
    for event, threads in dict.fromkeys((row["event"], row["threads"]) for row in rows):
        found = {row["figure"]: row for row in rows
                 if (row["event"], row["threads"]) == (event, threads)}
        cells = "".join(f"{cell(found.get(f)):>16}" for f in figures)
        print(f"{event:<21}{threads:>8}{cells}".rstrip())


def print_verdicts(rows):
    for row in rows:
        if row["verdict"] in ("over", "under"):
            print(f"{row['verdict']}: {row['event']}, {row['figure']}: {row['measured']:.2f}, "
                  f"stored {row['stored']:.2f}")
    verdicts = [row["verdict"] for row in rows if row["verdict"]]
    print(f"{len(verdicts) - verdicts.count('over')} of {len(verdicts)} figures are at most 5 % "
          "over the stored one, in brackets")
    if "under" in verdicts:
        print('"tests/native/run --store" keeps those that are under it from rising again')


def print_rows(rows):
    times = [row for row in rows if row["figure"] == "time"]
    if times:
        print_times(times)
        print()
    print_counts([row for row in rows if row["figure"] != "time"])
    print_verdicts(rows)


def print_json(rows):
    print(json.dumps(rows, indent=1))
