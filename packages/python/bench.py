"""Decoding and encoding beside a decoder in Python, json and msgpack, in one run: python bench.py"""

import json
import struct
import time

import formwork

VALUE = {"items": [{"name": f"item {at}", "count": at, "weight": at + 0.5, "tags": ["a", "b"]} for at in range(20000)]}
PACKET = formwork.dumps(VALUE, "godot3")


def decode(data, at=0):
    """Reads the seven types that the value has."""
    (word,) = struct.unpack_from("<I", data, at)
    at += 4
    kind, is_wide = word & 0xFF, word >> 16
    if kind == 2:
        return (struct.unpack_from("<q", data, at)[0], at + 8) if is_wide else (struct.unpack_from("<i", data, at)[0], at + 4)
    if kind == 3:
        return (struct.unpack_from("<d", data, at)[0], at + 8) if is_wide else (struct.unpack_from("<f", data, at)[0], at + 4)
    (count,) = struct.unpack_from("<I", data, at)
    at, count = at + 4, count & 0x7FFFFFFF
    if kind == 4:
        return data[at : at + count].decode(), at + (count + 3) // 4 * 4
    if kind == 18:
        made = {}
        for _ in range(count):
            key, at = decode(data, at)
            made[key], at = decode(data, at)
        return made, at
    made = []
    for _ in range(count):
        value, at = decode(data, at)
        made.append(value)
    return made, at


def best(job):
    times = []
    for _ in range(6):
        start = time.process_time()
        job()
        times.append(time.process_time() - start)
    return min(times) * 1000


assert decode(PACKET)[0] == VALUE == formwork.loads(PACKET, "godot3")
text = json.dumps(VALUE)
rows = [
    ("formwork.loads", lambda: formwork.loads(PACKET, "godot3")),
    ("a decoder in Python", lambda: decode(PACKET)),
    ("json.loads", lambda: json.loads(text)),
    ("formwork.dumps", lambda: formwork.dumps(VALUE, "godot3")),
    ("json.dumps", lambda: json.dumps(VALUE)),
]
try:
    import msgpack

    packed = msgpack.packb(VALUE)
    rows += [("msgpack.unpackb", lambda: msgpack.unpackb(packed)), ("msgpack.packb", lambda: msgpack.packb(VALUE))]
except ImportError:
    pass
print(f"{len(PACKET)} bytes of Godot 3, ms of processor, the best of 6")
for name, job in rows:
    print(f"{name:<22}{best(job):8.1f}")
