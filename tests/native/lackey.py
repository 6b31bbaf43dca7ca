# SPDX-License-Identifier: GPL-2.0-only
"""
The cache lines that an event touches, from a trace of all accesses by valgrind's lackey.

The program writes to a mark before each event and after it, and says where its threads
are.  Left out are the stack, because in the kernel it is that of the task that runs, and
the counter of cycles, which is memory only here.
"""
import bisect
import collections
import subprocess

LINE = 64
LEFT_OUT = ("stack", "cycles")
CODE = ("hook_", "record_", "thread_", "wait_")
HOW = {"L": "read", "S": "written", "M": "written"}


class Map:
    """Where the marks, the threads, their members and the code are, and what is left out."""

    def __init__(self, program, scenario, threads):
        text = subprocess.run([program, "map", scenario, str(threads)], check=True,
                              capture_output=True, text=True).stdout
        self.objects, self.members = [], []
        for line in text.splitlines():
            kind, at, size, name = line.split(" ", 3)
            {"object": self.objects, "member": self.members}[kind].append(
                (int(at), int(size), name))
        self.objects.sort()
        self.starts = [at for at, _, _ in self.objects]
        self.marks = {at: name for at, _, name in self.objects if name.startswith("mark ")}
        self.code = code_of(program)

    def find(self, address):
        """Where the object begins, and its name; None if it is none of these."""
        at, size, name = self.objects[bisect.bisect_right(self.starts, address) - 1]
        return (at, name) if at <= address < at + size else (None, None)

    def member(self, offset):
        return next((name for at, size, name in self.members if at <= offset < at + size),
                    f"byte {offset}")

    def is_code(self, address):
        return any(at <= address < at + size for at, size in self.code)


def code_of(program):
    """Where the probes are, and what they call."""
    text = subprocess.run(["nm", "-S", program], check=True, capture_output=True, text=True).stdout
    symbols = (line.split() for line in text.splitlines())
    return [(int(at, 16), int(size, 16)) for at, size, kind, name in
            (symbol for symbol in symbols if len(symbol) == 4)
            if kind in "tT" and name.startswith(CODE)]


class Event:
    """What one event has touched."""

    def __init__(self, where, kind):
        self.where, self.kind = where, kind
        self.in_probe = False
        self.code, self.data = set(), set()
        self.members = collections.defaultdict(set)     # (thread, offset): how

    def add(self, how, address, size):
        lines = range(address // LINE, (address + size - 1) // LINE + 1)
        if how == "I":
            self.in_probe = self.where.is_code(address)
            if self.in_probe:
                self.code.update(lines)
        elif self.in_probe:
            self.add_data(how, address, lines)

    def add_data(self, how, address, lines):
        at, name = self.where.find(address)
        if name in LEFT_OUT:
            return
        self.data.update(lines)
        if name == "thread":
            self.members[at, address - at].add(HOW[how])

    def which(self, thread):
        """A switch compares the task of the thread that leaves, and of no other."""
        if "switch" not in self.kind:
            return ""
        task = next(at for at, _, name in self.where.members if name == "task")
        return "leaves:" if (thread, task) in self.members else "comes:"

    def fields(self):
        """What it touches of threads: (which, line, offset, member, how)."""
        return {(self.which(thread), offset // LINE, offset, self.where.member(offset),
                 "written" if "written" in how else "read")
                for (thread, offset), how in self.members.items()}


def trace(program, scenario, threads, steps):
    """What lackey writes: (how, address, size)."""
    command = ["valgrind", "--tool=lackey", "--trace-mem=yes", program, "replay", scenario,
               str(threads), str(steps)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            if line[:2] in ("I ", " L", " S", " M"):
                address, size = line[3:].split(",")
                yield line[:2].strip(), int(address, 16), int(size)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)


def events(program, scenario, threads, steps):
    """The events of @steps steps, which come after two turns of each thread."""
    where = Map(program, scenario, threads)
    left = 2 * threads * (2 if scenario == "sleep" else 1)
    event = None
    for how, address, size in trace(program, scenario, threads, 2 * threads + steps):
        mark = where.marks.get(address) if how == "S" else None
        if mark == "mark end":
            if event and left <= 0:
                yield event
            event = None
        elif mark:
            left -= 1
            event = Event(where, mark[len("mark "):]) if left < 0 else None
        elif event:
            event.add(how, address, size)


def figures(happened):
    """{kind: {figure: number an event}} of events."""
    sums = collections.defaultdict(collections.Counter)
    for event in happened:
        sums[event.kind].update({"events": 1, "lines": len(event.data), "code": len(event.code)})
    return {kind: {"lines": s["lines"] / s["events"], "code lines": s["code"] / s["events"]}
            for kind, s in sums.items()}
