# SPDX-License-Identifier: GPL-2.0-only
"""perfetto.py FILE [AHEAD]: is this a trace that keeps the rules of Perfetto's format?

AHEAD: it was made in another time namespace, whose CLOCK_MONOTONIC is ahead by so many seconds.

Prints it, a line for each track and slice; a broken rule ends it with status 1.
The messages are described here as far as `taskrt watch` writes them: whatever else is in
the trace is an error.  Where Perfetto's own protos are at hand, they can be asked as well:

    protoc --decode=perfetto.protos.Trace protos/perfetto/trace/perfetto_trace.proto <FILE
"""
import sys
import time

VARINT, BYTES = 0, 2

# number: name and what it is; a list: repeated.
CLOCK = {1: ("clock_id", int), 2: ("timestamp", int)}
CLOCK_SNAPSHOT = {1: ("clocks", [CLOCK]), 2: ("primary_trace_clock", int)}
PROCESS = {1: ("pid", int), 6: ("process_name", str)}
THREAD = {1: ("pid", int), 2: ("tid", int), 5: ("thread_name", str)}
TRACK = {1: ("uuid", int), 2: ("name", str), 3: ("process", PROCESS), 4: ("thread", THREAD),
         5: ("parent_uuid", int), 15: ("sibling_merge_behavior", int)}
ELEMENT = {6: ("string_value", str)}
ANNOTATION = {2: ("bool_value", int), 3: ("uint_value", int), 6: ("string_value", str),
              7: ("pointer_value", int), 10: ("name", str), 12: ("array_values", [ELEMENT])}
EVENT = {4: ("debug_annotations", [ANNOTATION]), 9: ("type", int), 11: ("track_uuid", int),
         22: ("categories", [str]), 23: ("name", str)}
PACKET = {6: ("clock_snapshot", CLOCK_SNAPSHOT), 8: ("timestamp", int),
          10: ("trusted_packet_sequence_id", int), 11: ("track_event", EVENT),
          58: ("timestamp_clock_id", int), 60: ("track_descriptor", TRACK)}
TRACE = {1: ("packet", [PACKET])}

SLICE_BEGIN, SLICE_END, INSTANT = 1, 2, 3
REALTIME, MONOTONIC, BOOTTIME = 1, 3, 6


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            assert value < 1 << 64, "a varint of more than 64 bits"
            return value, at


def decode(data, fields):
    message, at = {}, 0
    while at < len(data):
        tag, at = varint(data, at)
        assert tag >> 3 in fields, f"an unknown field {tag >> 3}"
        name, kind = fields[tag >> 3]
        repeated = isinstance(kind, list)
        kind = kind[0] if repeated else kind
        assert tag & 7 == (VARINT if kind is int else BYTES), f"{name}: wire type {tag & 7}"
        value, at = varint(data, at)
        if kind is not int:
            length, value = value, data[at:at + value]
            at += length
            assert len(value) == length, f"{name} is cut off"
            value = value.decode() if kind is str else decode(value, kind)
        if repeated:
            message.setdefault(name, []).append(value)
        else:
            assert name not in message, f"{name} twice"
            message[name] = value
    return message


def arguments(event):
    """The annotations, which have a name and one value each."""
    result = {}
    for annotation in event.get("debug_annotations", []):
        name = annotation.pop("name")
        assert name not in result and len(annotation) == 1, f"annotation {name}"
        value = annotation.popitem()[1]
        result[name] = [element["string_value"] for element in value] \
            if isinstance(value, list) else value
    return result


class Checker:
    def __init__(self):
        self.tracks = {}        # uuid: its description
        self.open = {}          # uuid: slices that have begun
        self.times = {}         # sequence: of its last packet
        self.pids, self.tids = set(), set()

    def clocks(self, snapshot):
        clocks = {clock["clock_id"]: clock["timestamp"] for clock in snapshot["clocks"]}
        foreign = len(sys.argv) > 2
        ahead = int(sys.argv[2]) * 10**9 if foreign else 0
        assert set(clocks) == {REALTIME, MONOTONIC} | (set() if foreign else {BOOTTIME})
        assert all(clocks.values())
        # Far more than this takes, and far less than what the tests have for AHEAD.
        assert abs(clocks[MONOTONIC] + ahead - time.monotonic_ns()) < 10**14, "another clock"
        assert snapshot["primary_trace_clock"] == MONOTONIC

    def describe(self, track):
        uuid = track["uuid"]
        assert uuid and uuid not in self.tracks, f"track {uuid} is 0, or there twice"
        kinds = {"process", "thread", "parent_uuid"} & set(track)
        assert len(kinds) == 1, "a process, a thread of it, or beside one"
        if "process" in track:
            assert track["process"]["pid"] not in self.pids, "two tracks of one process"
            # The name is there only if such a process runs.
            track["process"].pop("process_name", None)
            self.pids.add(track["process"]["pid"])
        elif "thread" in track:
            thread = track["thread"]
            assert thread["tid"] not in self.tids, "two tracks of one thread"
            assert thread["pid"] in self.pids and thread["thread_name"]
            self.tids.add(thread["tid"])
        else:
            assert "thread" in self.tracks[track["parent_uuid"]] and track["name"]
        self.tracks[uuid] = track
        self.open[uuid] = []
        return track

    def name(self, uuid):
        track = self.tracks[uuid]
        return track.get("name") or "{tid} {thread_name}".format(**track["thread"])

    def event(self, at, event):
        uuid, kind, stack = event["track_uuid"], event["type"], self.open[event["track_uuid"]]
        track = self.tracks[uuid]
        assert "process" not in track
        if kind == SLICE_END:
            assert stack, "the end of nothing"
            assert set(event) == {"type", "track_uuid"}
            begin, name, args = stack.pop()
            assert at > begin, "a slice without time"
            print(f"{begin:13d} +{at - begin:<9d} {self.name(uuid)}: {'  ' * len(stack)}{name} {args}")
            return
        assert len(event["categories"]) == 1 and event["name"] and kind in (SLICE_BEGIN, INSTANT)
        if kind == INSTANT:
            print(f"{at:13d} !          {self.name(uuid)}: {event['name']} {arguments(event)}")
        else:
            assert "thread" not in track or not stack, "two states at once"
            stack.append((at, event["name"], arguments(event)))

    def packet(self, number, packet):
        at, sequence = packet["timestamp"], packet["trusted_packet_sequence_id"]
        assert sequence and packet["timestamp_clock_id"] == MONOTONIC
        assert at >= self.times.get(sequence, 0), "back in time"
        self.times[sequence] = at
        if number == 0:
            self.clocks(packet["clock_snapshot"])
        elif "track_descriptor" in packet:
            print(f"{at:13d} track", {key: value for key, value in
                                      self.describe(packet["track_descriptor"]).items()
                                      if "uuid" not in key})
        else:
            self.event(at, packet["track_event"])


def main():
    checker = Checker()
    trace = decode(open(sys.argv[1], "rb").read(), TRACE)
    for number, packet in enumerate(trace["packet"]):
        try:
            assert len(packet) == 4, "more than one thing"
            checker.packet(number, packet)
        except (AssertionError, KeyError) as error:
            sys.exit(f"packet {number}: {error!r}: {packet}")
    assert not any(checker.open.values()), "slices without an end"


main()
