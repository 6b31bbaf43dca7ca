# SPDX-License-Identifier: GPL-2.0-only
"""A program on a terminal of its own, and the contents of its screen: as much of
Linux's console as curses uses."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

SEQUENCE = re.compile(r"\x1b(?:\[([?\d;]*)([@-~])|[()#].|[=>78MDE])|[\x00-\x1f]|[^\x00-\x1f]", re.S)


class Screen:
    def __init__(self, command, columns=80, lines=24, environment=None):
        self.columns, self.lines = columns, lines
        self.blank()
        self.rest = b""
        self.child, self.fd = pty.fork()
        if not self.child:
            os.environ.update({"TERM": "linux", **(environment or {})})
            # Wait until the parent has set the size.
            os.read(0, 1)
            os.execv(command[0], command)
        self.before = termios.tcgetattr(self.fd)
        self.set_size(columns, lines)
        os.write(self.fd, b"\n")
        self.status = None

    def blank(self):
        self.cells = [[" "] * self.columns for _ in range(self.lines)]
        self.x = self.y = 0
        self.region = (0, self.lines - 1)

    def set_size(self, columns, lines):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def resize(self, columns, lines):
        self.columns, self.lines = columns, lines
        self.blank()
        self.set_size(columns, lines)

    def keys(self, text):
        os.write(self.fd, text.encode())

    def text(self):
        return "\n".join("".join(line).rstrip() for line in self.cells)

    def line(self, number):
        return "".join(self.cells[number]).rstrip()

    def _clear(self, what):
        """As ED and EL have it: from the cursor, up to it, all of it."""
        line = self.cells[self.y]
        begin, end = (self.x, self.columns) if what == 0 else (0, self.x + 1) if what == 1 else (0, self.columns)
        line[begin:end] = [" "] * (end - begin)

    def _scroll(self, begin, lines):
        """From this line to the end of the region, up, or down where lines is negative."""
        end = self.region[1] + 1
        for _ in range(abs(lines)):
            self.cells.insert(end if lines > 0 else begin, [" "] * self.columns)
            del self.cells[begin if lines > 0 else end]

    def _sequence(self, arguments, final):
        numbers = [int(n) if n.isdigit() else 0 for n in arguments.strip("?").split(";")]
        first = numbers[0] or 1
        if final in "Hf":
            self.y = min(first, self.lines) - 1
            self.x = min((numbers + [1])[1] or 1, self.columns) - 1
        elif final == "J":
            self._clear(0)
            for y in range(self.y + 1, self.lines):
                self.cells[y] = [" "] * self.columns
        elif final == "K":
            self._clear(numbers[0])
        elif final in "ABCD":
            self.x += {"C": first, "D": -first}.get(final, 0)
            self.y += {"A": -first, "B": first}.get(final, 0)
        elif final == "G":
            self.x = first - 1
        elif final == "d":
            self.y = first - 1
        elif final in "X@P":
            line = self.cells[self.y]
            del line[self.x:self.x + (0 if final == "@" else first)]
            where = self.columns - first if final == "P" else self.x
            line[where:where] = [" "] * first
            del line[self.columns:]
        elif final in "LM":
            self._scroll(self.y, first if final == "M" else -first)
        elif final == "r":
            self.region = (first - 1, min((numbers + [0])[1] or self.lines, self.lines) - 1)
            self.x = self.y = 0
        elif final not in "mhlc":
            raise ValueError("the program sends ESC [ %s %s" % (arguments, final))

    def _take(self, text):
        for match in SEQUENCE.finditer(text):
            piece = match.group(0)
            if match.group(2):
                self._sequence(match.group(1), match.group(2))
            elif piece == "\r":
                self.x = 0
            elif piece == "\n":
                if self.y == self.region[1]:
                    self._scroll(self.region[0], 1)
                else:
                    self.y += 1
            elif piece == "\b":
                self.x -= 1
            elif piece == "\t":
                self.x = self.x // 8 * 8 + 8
            elif piece == "\x1bM":
                if self.y == self.region[0]:
                    self._scroll(self.region[0], -1)
                else:
                    self.y -= 1
            elif piece >= " ":
                # Text that does not fit was drawn before a change of size.
                if self.y < self.lines and self.x < self.columns:
                    self.cells[self.y][self.x] = piece
                self.x += 1
            self.x, self.y = max(self.x, 0), min(max(self.y, 0), self.lines - 1)

    def read(self, seconds=0.05):
        """Take what comes within that time. False: the program has ended."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            data = self.rest + os.read(self.fd, 65536)
        except OSError:
            return False
        if data == self.rest:
            return False
        # A sequence may be cut in two.
        cut = data.rfind(b"\x1b")
        if cut < 0 or len(data) - cut > 16 or re.match(rb"\x1b(\[[?\d;]*[@-~]|[()#].|[=>78MDE])", data[cut:]):
            cut = len(data)
        self.rest = data[cut:]
        self._take(data[:cut].decode("utf-8", "replace"))
        return True

    def has(self, wanted):
        return wanted() if callable(wanted) else re.search(wanted, self.text(), re.M)

    def until(self, *wanted, seconds=60):
        """Wait until the screen has all of these at once: patterns, or functions that say so."""
        end = time.monotonic() + seconds
        while not all(self.has(one) for one in wanted):
            if time.monotonic() > end or not self.read():
                return all(self.has(one) for one in wanted)
        return True

    def signal(self, number):
        os.kill(self.child, number)

    def restored(self):
        return termios.tcgetattr(self.fd) == self.before

    def end(self, seconds=60):
        """Wait for the program's end. Return: its exit status, negative a signal; None: it does not end."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.fd >= 0:
                self.read(0.02)
            child, status = os.waitpid(self.child, os.WNOHANG)
            if child:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.02)
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        return None

    def hang_up(self):
        os.close(self.fd)
        self.fd = -1
