"""Speaks to the ranks of a host as another user of a second host can: `stranger.py HOST RANK`.

Open MPI's TCP transport takes a connection for that of the rank that the first message names, if the connection comes
from the address of that rank and there is no other one. RANK has been lost, so there is none. The processes that answer
are told to end: a worker by a stop, the master by a failure. Their ranks are printed.

Layouts are those of Open MPI 4.1 built for one byte order, as Debian's is.
"""

import contextlib
import os
import pathlib
import re
import socket
import struct
import sys
import time

NOBODY = 65534
PORTS = range(1024, 1028)  # each rank of a host listens on the first that is free
PATIENCE_S = 30


class Layout:
    """Named fields one after the other, in the formats of struct."""

    def __init__(self, **formats):
        self._names = list(formats)
        self._struct = struct.Struct("<" + "".join(formats.values()))
        self.size = self._struct.size

    def pack(self, **values):
        return self._struct.pack(*(values[name] for name in self._names))

    def unpack(self, content):
        return dict(zip(self._names, self._struct.unpack(content)))


HANDSHAKE = Layout(job="I", rank="I", magic="16s")  # each side sends one
MAGIC = b"OPAL-TCP-BTL"
FRAME = Layout(receiver="B", type="B", count="H", size="I")  # before everything else
MATCHING = Layout(type="B", flags="B", communicator="H", source="i", tag="i", number="H")  # before the payload
POINT_TO_POINT, SEND, WHOLE_MESSAGE = 0x41, 1, 0x41

# Three communicators are MPI's own, the next is the duplicate that ends MPI, and then comes WORLD.
WORLD = 4
# MPI passes a message on when its number is the next of its source. Those of lower numbers it keeps to itself.
NUMBERS = range(1, 2000)

MASTER = 0
FAILURE, STOP = 9, 10  # docs/protocol.md
EXIT_CODE, ABORTED = 77, 1


def job_of_this_host():
    """That of the ranks, one above that of Open MPI's daemon, whose command line everybody can read."""
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if found := re.search(rb"ess_base_jobid\W+(\d+)", path.read_bytes()):
                return int(found.group(1)) + 1
    raise SystemExit("no daemon of Open MPI runs here")


def message(source, number, tag, payload):
    matching = MATCHING.pack(type=WHOLE_MESSAGE, flags=0, communicator=WORLD, source=source, tag=tag, number=number)
    frame = FRAME.pack(receiver=POINT_TO_POINT, type=SEND, count=0, size=MATCHING.size + len(payload))
    return frame + matching + payload


def end_of(receiver):
    """Tag and payload of a message that would end the run."""
    if receiver == MASTER:
        text = b"a stranger's failure"
        return FAILURE, struct.pack("<iQ", EXIT_CODE, len(text)) + text
    return STOP, struct.pack("<iB", EXIT_CODE, ABORTED)


def answer(connection, job, named):
    """The rank that takes the connection for one of the named rank; none where it is closed instead."""
    with contextlib.suppress(ConnectionError):
        connection.sendall(HANDSHAKE.pack(job=job, rank=named, magic=MAGIC))
        received = connection.recv(HANDSHAKE.size)
        return HANDSHAKE.unpack(received)["rank"] if received else None


def speak(host, port, job, named):
    """The rank that was told to end; none where the named rank still counts as connected."""
    with socket.socket() as connection:
        connection.settimeout(PATIENCE_S)
        connection.connect((host, port))
        receiver = answer(connection, job, named)
        if receiver is not None:
            with contextlib.suppress(ConnectionError):  # one that believes it leaves
                connection.sendall(b"".join(message(named, number, *end_of(receiver)) for number in NUMBERS))
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65536):  # until it has read all, and closes
                    pass
        return receiver


def main(host, named):
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    job = job_of_this_host()
    end = time.monotonic() + PATIENCE_S
    for port in PORTS:
        with contextlib.suppress(ConnectionRefusedError):
            while (receiver := speak(host, port, job, int(named))) is None and time.monotonic() < end:
                time.sleep(0.1)
            print(receiver)


if __name__ == "__main__":
    main(*sys.argv[1:])
