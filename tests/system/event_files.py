"""Reads TensorFlow's event files without any library: records by struct, checksums and messages by hand.

What it knows of messages is the numbers of their fields, by TensorFlow's public .proto files.
"""

import struct

START = 1  # SessionLog.SessionStatus


def crc32c(data):
    """Bit by bit, as the standard defines it (RFC 3720)."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(crc):
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(data):
    """The data of each whole record; what a killed writer left of the last one is passed over."""
    at = 0
    while at + 12 <= len(data):
        length, check = struct.unpack_from("<QI", data, at)
        assert check == masked(crc32c(data[at:at + 8])), "the checksum of a length"
        if at + 16 + length > len(data):
            return
        record = data[at + 12:at + 12 + length]
        (check,) = struct.unpack_from("<I", data, at + 12 + length)
        assert check == masked(crc32c(record)), "the checksum of a record"
        yield record
        at += 16 + length


def varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def fields(data):
    """Yields the number and the value of each field; fixed ones as their bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            n, at = {1: (8, at), 5: (4, at), 2: None}[key & 7] or varint(data, at)
            value, at = data[at:at + n], at + n
        yield key >> 3, value


def doubles(data):
    return list(struct.unpack(f"<{len(data) // 8}d", data))


def histogram(data):
    found = dict(fields(data))
    return {"num": doubles(found.get(3, bytes(8)))[0], "limits": doubles(found[6]), "counts": doubles(found[7])}


class Told:
    """What the files of a folder tell, once what a later one voids is dropped: of each tag its values by steps."""

    def __init__(self, folder):
        self.scalars, self.images, self.histograms = {}, {}, {}
        self.files = sorted(folder.glob("*tfevents*"))
        for path in self.files:
            for record in records(path.read_bytes()):
                self._add(dict(fields(record)))

    def _add(self, event):
        step = event.get(2, 0)
        if dict(fields(event.get(7, b""))).get(1) == START:
            for kind in (self.scalars, self.images, self.histograms):
                for values in kind.values():
                    for voided in [told for told in values if told >= step]:
                        del values[voided]
        for number, value in fields(event.get(5, b"")):
            assert number == 1, number
            told = dict(fields(value))
            tag = told[1].decode()
            if 2 in told:
                self._tell(self.scalars, tag, step, struct.unpack("<f", told[2])[0])
            elif 4 in told:
                self._tell(self.images, tag, step, dict(fields(told[4]))[4])
            else:
                self._tell(self.histograms, tag, step, histogram(told[5]))

    @staticmethod
    def _tell(kind, tag, step, value):
        values = kind.setdefault(tag, {})
        assert step not in values, f"{tag} is told twice of step {step}"
        values[step] = value
