# SPDX-License-Identifier: GPL-2.0-only
"""The rows of the table of `make bench`, and what was measured for them."""

import json
import os
import re
import statistics

HERE = os.path.dirname(os.path.abspath(__file__))


class Row:
    def __init__(self, section, line):
        words = [word.strip() for word in line.split("|")]
        self.section = section
        self.indent = line.startswith("  ")
        self.name, self.value, self.peer = words[:3]
        self.bar, self.ambition = (float(word) if word else None for word in words[3:5])


def rows_of(path):
    section, above, rows = "", "", []
    for line in open(path):
        line = line.split("#")[0].rstrip()
        if line.startswith("["):
            section = line.strip("[]")
        elif line:
            row = Row(section, line)
            above = above if row.indent else row.name
            row.key = section.split(",")[0] + ": " + (above + ", " if row.indent else "") + row.name
            rows.append(row)
    return rows


def values_of(events, expression):
    """The values of all rounds, or None if something was not measured."""
    terms = re.findall(r"(?:^|-)([^-]+)", expression)
    event, sums = "", None
    for sign, term in zip([1] + [-1] * len(terms), terms):
        event, config = term.split("@") if "@" in term else (event, term)
        values = events.get(event, {}).get(config)
        if values is None:
            return None
        sums = [a + sign * b for a, b in zip(sums or [0] * len(values), values)]
    return sums


class Cell:
    """A row in one file."""

    def __init__(self, events, row):
        self.added = {}         # what is a difference, by its expression
        self.values = values_of(events, row.value)
        peers = values_of(events, row.peer) if row.peer else None
        self.there = self.values is not None and (peers is not None or not row.peer)
        if not self.there:
            return
        self.measured = statistics.median(self.values)
        self.spread = max(self.values) - min(self.values)
        self.peer = statistics.median(peers) if peers else None
        self.added = {row.value: self.measured, row.peer: self.peer}
        self.ratio = self.measured / self.peer if self.peer else None
        compared = self.ratio if row.peer else round(self.measured)
        self.verdict = verdict(compared, row)
        self.base = base_of(events, row)


def verdict(value, row):
    if row.bar is None or value is None:
        return ""
    if row.ambition is not None and value <= row.ambition:
        return "ambition"
    return "ok" if value <= row.bar else "over"


def base_of(events, row):
    """What the value is divided by before it is stored: what the event costs without the
    module, or what it is compared to; bytes are not divided."""
    if row.section == "Memory":
        return 1
    base = row.value.partition("-")[2]
    if base and "@" not in base:
        base = row.value.split("@")[0] + "@" + base
    values = values_of(events, base or row.peer or "rusage@absent")
    return statistics.median(values) if values else None


def name_of(path):
    return os.path.basename(path).removesuffix(".json")


def load(files):
    """The rows; the names of the guests; and by guest and row the cells."""
    rows = rows_of(os.path.join(HERE, "rows"))
    cells = {}
    for path in files:
        with open(path) as file:
            events = json.load(file)
        cells[name_of(path)] = {row.key: Cell(events, row) for row in rows}
    return rows, list(cells), cells
