#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints the rows of a Parquet file as JSON, a list for each row; the first one has the names of the columns.

Reads what parquet.thrift describes, without a library, as Debian has none: gzip pages, plain numbers, texts by a dictionary.
"""
import gzip
import json
import struct
import sys


class Compact:
    """Structures in Thrift's compact protocol, as dictionaries of field numbers."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        value, shift = 0, 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def zigzag(self):
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def value(self, kind):
        if kind in (5, 6):
            return self.zigzag()
        if kind == 8:
            size = self.varint()
            self.at += size
            return self.data[self.at - size:self.at]
        if kind == 9:
            head = self.byte()
            size = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 15) for _ in range(size)]
        assert kind == 12, f"type {kind}"
        return self.struct()

    def struct(self):
        fields, number = {}, 0
        while head := self.byte():
            assert head >> 4, "only short forms of fields"
            number += head >> 4
            fields[number] = self.value(head & 15)
        return fields


def runs(data, bits, count):
    """Values of Parquet's hybrid of runs and packed bits."""
    reader, values, width = Compact(data, 0), [], (bits + 7) // 8
    while len(values) < count:
        head = reader.varint()
        if head & 1:
            size = (head >> 1) * bits
            packed = int.from_bytes(data[reader.at:reader.at + size], "little")
            reader.at += size
            values += [packed >> i * bits & (1 << bits) - 1 for i in range((head >> 1) * 8)]
        else:
            values += [int.from_bytes(data[reader.at:reader.at + width], "little")] * (head >> 1)
            reader.at += width
    assert reader.at == len(data), "bytes are left"
    return values[:count]


def page(data, at):
    reader = Compact(data, at)
    header = reader.struct()
    content = gzip.decompress(data[reader.at:reader.at + header[3]])
    assert len(content) == header[2]
    return header, content, reader.at + header[3]


def column(data, chunk, rows):
    about = chunk[3]
    at = about.get(11, about[9])
    assert chunk[2] == at and about[5] == rows
    begin, texts = at, []
    if 11 in about:
        header, content, at = page(data, at)
        assert header[1] == 2
        position = 0
        while position < len(content):
            size, = struct.unpack_from("<I", content, position)
            texts.append(content[position + 4:position + 4 + size].decode())
            position += 4 + size
        assert len(texts) == header[7][1]
    assert at == about[9]
    header, content, at = page(data, at)
    assert header[1] == 0 and header[5][1] == rows and at - begin == about[7]
    size, = struct.unpack_from("<I", content)
    there = runs(content[4:4 + size], 1, rows)
    rest = content[4 + size:]
    if about[1] == 6:
        values = [texts[i] for i in runs(rest[1:], rest[0], sum(there))]
    else:
        values = struct.unpack(f"<{sum(there)}{'q' if about[1] == 2 else 'd'}", rest)
    values = iter(values)
    return [next(values) if is_there else None for is_there in there]


def main():
    data = open(sys.argv[1], "rb").read()
    assert data[:4] == data[-4:] == b"PAR1"
    size, = struct.unpack_from("<I", data, len(data) - 8)
    footer = Compact(data, len(data) - 8 - size).struct()
    names = [element[4].decode() for element in footer[2][1:]]
    assert footer[2][0][5] == len(names)
    print(json.dumps(names))
    total = 0
    for group in footer[4]:
        columns = [column(data, chunk, group[3]) for chunk in group[1]]
        for row in zip(*columns):
            print(json.dumps(row))
        total += group[3]
    assert total == footer[3]


main()
