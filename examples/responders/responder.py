"""Answers formwork's decoder protocol: put your decoder in the place of `read`. This one reads what
packets of Godot 3 hold most often, and skips the rest."""
import os, struct, sys

DEEPEST = 1024  # containers in one another that Godot reads
sys.setrecursionlimit(2 * DEEPEST)

class Skipped(Exception):
    """A type that is not read here."""

def word(data, at):
    return struct.unpack_from("<I", data, at)[0]

def read(data, at=0, depth=0):  # the value as Godot would write it, and where it ends; raises where it is broken
    if depth > DEEPEST:
        raise ValueError("too many containers are in one another")
    head = word(data, at)
    kind, wide, at = head & 0xFF, head & 0x10000, at + 4
    if kind == 0:
        return bytes(4), at
    if kind == 1:
        return struct.pack("<II", 1, word(data, at) != 0), at + 4
    if kind == 2:
        number, end = struct.unpack_from("<q" if wide else "<i", data, at)[0], at + (8 if wide else 4)
        short = -2**31 <= number < 2**31
        return struct.pack("<Ii", 2, number) if short else struct.pack("<Iq", 0x10002, number), end
    if kind == 4:
        length = word(data, at)
        end = at + 4 + length + -length % 4
        if end > len(data):
            raise ValueError("the string is cut")
        text = data[at + 4:at + 4 + length]
        try:
            text.decode()
        except UnicodeDecodeError:
            raise Skipped("a String that is not UTF-8") from None
        if 0 in text or text.startswith(b"\xef\xbb\xbf"):
            raise Skipped("a String that Godot cuts")
        return struct.pack("<II", 4, length) + text + bytes(-length % 4), end
    if kind in (18, 19):  # dictionary, array
        count, at, items = word(data, at) & 0x7FFFFFFF, at + 4, []
        for _ in range(count if kind == 19 else 2 * count):
            item, at = read(data, at, depth + 1)
            items.append(item)
        if kind == 18:  # the last value of a key counts; a dictionary is equal to no other
            pairs = {}
            for place, (key, value) in enumerate(zip(items[::2], items[1::2])):
                pairs[place if key[0] == 18 else key] = pairs.get(key, (key,))[:1] + (value,)
            items = [item for pair in pairs.values() for item in pair]
        return struct.pack("<II", kind, len(items) // (20 - kind)) + b"".join(items), at
    raise Skipped(f"type {kind}") if kind < 27 else ValueError(f"there is no type {kind}")

def answer(packet):  # status, bytes taken (all ones: not known), and what to send
    try:
        value, end = read(packet)
        return 0, end, value
    except Skipped as skipped:
        return 2, 0xFFFFFFFF, str(skipped).encode()
    except (ValueError, struct.error) as error:  # what your decoder throws on purpose
        return 1, 0xFFFFFFFF, str(error).encode()

requests = b""
while piece := os.read(0, 1 << 16):  # as much as there is; nothing at the end
    requests, answers, at = requests + piece, [], 0
    while len(requests) - at >= 4 and len(requests) - at - 4 >= word(requests, at):
        end = at + 4 + word(requests, at)
        status, taken, value = answer(requests[at + 4:end])
        answers += struct.pack("<BII", status, taken, len(value)), value
        at = end
    requests, answers = requests[at:], b"".join(answers)
    while answers:
        answers = answers[os.write(1, answers):]
