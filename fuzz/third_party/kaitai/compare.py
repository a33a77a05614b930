"""Reads made files of the gallery with what Kaitai's compiler makes of our definitions, and compares all values.

    python compare.py FOLDER

In FOLDER are FORMAT.py, and FORMAT/*.bin with FORMAT/*.txt: the values as JSON, or `refused: ..`. A verdict on a broken copy
that is another one has to be among those that verdicts.txt explains.
"""
import collections
import enum
import importlib
import json
import math
import os
import re
import struct
import sys

import kaitaistruct

FOLDER = sys.argv[1]
sys.path.insert(0, FOLDER)
sys.setrecursionlimit(20000)


class Different(Exception):
    pass


def snake(name):
    name = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    return name if re.match(r"[a-z]", name) else "n" + name


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in snake(name).split("_"))


class Comparison:
    """Compares a value, and counts the leaves. If `change` is given, that leaf is taken as another one."""

    def __init__(self, change=None):
        self.leaves, self.change = 0, change

    def leaf(self, path, ours, theirs, is_same):
        if self.change == self.leaves:
            self.leaves += 1
            raise Different("changed")
        self.leaves += 1
        if not is_same:
            raise Different(f"{path}: {str(ours)[:60]!r}, and Kaitai has {str(theirs)[:60]!r}")

    def value(self, ours, theirs, path):
        if isinstance(ours, dict):
            tag = next(iter(ours), "")
            if tag == "$hex":
                return self.bytes(bytes.fromhex(ours[tag]), theirs, path)
            if tag == "$open":
                return self.value(ours[tag], theirs, path)
            if tag == "$text":
                return self.value(ours[tag], theirs, path)
            if tag == "$float":
                text = ours[tag]
                return self.leaf(path, text, theirs, math.isnan(theirs) if "nan" in text else theirs == float(text))
            if tag.startswith("$"):
                return self.variant(tag[1:], ours[tag], theirs, path)
        theirs = unwrapped(theirs, ours)
        if isinstance(ours, dict):
            for name, value in ours.items():
                names = [snake(name) + "_", snake(name), snake(name) + "_2"]
                found = [it for it in names if hasattr(theirs, it)]
                if not found and value == []:
                    # A list of no elements, of which some count as several, is a field that is not there.
                    continue
                if not found:
                    raise Different(f"{path}/{name}: Kaitai has no such field in {type(theirs).__name__}")
                self.value(value, getattr(theirs, found[0]), f"{path}/{name}")
        elif isinstance(ours, list):
            theirs = list(theirs)
            if len(ours) != len(theirs):
                raise Different(f"{path}: {len(ours)} elements, and Kaitai has {len(theirs)}")
            for index, (one, other) in enumerate(zip(ours, theirs)):
                self.value(one, other, f"{path}/{index}")
        elif isinstance(ours, str):
            self.text(ours, theirs, path)
        elif isinstance(theirs, enum.Enum):
            self.leaf(path, ours, theirs, ours == theirs.value and not isinstance(ours, bool))
        elif isinstance(theirs, float):
            same = ours == theirs or struct.pack("<f", ours) == struct.pack("<f", theirs) and len(repr(ours)) < 18
            self.leaf(path, ours, theirs, same)
        elif ours is not None:
            self.leaf(path, ours, theirs, ours == theirs)

    def variant(self, name, ours, theirs, path):
        ending = re.compile(camel(name) + r"(Be|Le)?(Whole|Part)?\d*$")
        while not ending.search(type(theirs).__name__):
            if not hasattr(theirs, "it"):
                raise Different(f"{path}: variant {name}, and Kaitai has {type(theirs).__name__}")
            theirs = theirs.it
        if isinstance(ours, dict) and not ours and not hasattr(theirs, "it"):
            return self.leaf(path, name, name, True)
        self.value(ours, theirs, f"{path}/{name}")

    def bytes(self, ours, theirs, path):
        theirs = unwrapped(theirs, "")
        if isinstance(theirs, (int, float)) or theirs is None or isinstance(theirs, kaitaistruct.KaitaiStruct):
            # A number in a longer form than it needs: we show its bytes.
            return self.leaf(path, ours, theirs, isinstance(theirs, int))
        if isinstance(theirs, list):
            return self.leaf(path, ours, theirs, ours == bytes(theirs))
        if isinstance(theirs, str):
            same = any(ours == encoded(theirs, it) for it in ("utf-8", "latin-1", "utf-16-le", "utf-16-be"))
            return self.leaf(path, ours, theirs, same or ours.rstrip(b"\0") == encoded(theirs, "utf-8"))
        self.leaf(path, ours, theirs, ours in (theirs, masked(theirs)))

    def text(self, ours, theirs, path):
        if isinstance(theirs, enum.Enum):
            names = [snake(ours), snake(ours) + "_"]
            return self.leaf(path, ours, theirs, re.sub(r"_\d+$", "", theirs.name) in names or theirs.name in names)
        if isinstance(theirs, bool):
            return self.leaf(path, ours, theirs, False)
        if isinstance(theirs, int):
            if re.fullmatch(r"0x[0-9a-f]+", ours):
                return self.leaf(path, ours, theirs, int(ours, 16) == theirs)
            letters = ours.encode("latin-1")
            same = any(int.from_bytes(letters, order) == theirs for order in ("big", "little"))
            return self.leaf(path, ours, theirs, same)
        if isinstance(theirs, list):
            if any(isinstance(it, int) and it > 255 for it in theirs) or len(ours) < len(theirs):
                units = b"".join(it.to_bytes(2, "little") for it in theirs)
                return self.leaf(path, ours, theirs, units.decode("utf-16-le").rstrip("\0") == ours)
            theirs = bytes(theirs)
        if isinstance(theirs, bytes):
            same = theirs in (ours.encode("utf-8"), encoded(ours, "latin-1")) or theirs.hex() == ours
            same = same or masked(theirs) == ours.encode("utf-8")
            return self.leaf(path, ours, theirs, same or theirs.rstrip(b"\0") == ours.encode("utf-8"))
        self.leaf(path, ours, theirs, ours == theirs)


def masked(theirs):
    """A text that is masked: our JSON has its bytes as they are in the file. (`kinds` has the mask.)"""
    return bytes(byte ^ 0xB6 for byte in theirs)


def encoded(text, encoding):
    return text.encode(encoding, "surrogatepass" if encoding.startswith("utf") else "replace")


def unwrapped(theirs, ours):
    while isinstance(theirs, kaitaistruct.KaitaiStruct):
        if hasattr(theirs, "it"):
            theirs = theirs.it
        elif not isinstance(ours, dict) and hasattr(theirs, "value"):
            theirs = theirs.value
        else:
            break
    return theirs


def read(reader, name):
    with open(name, "rb") as file:
        return reader.from_bytes(file.read())


def at(value, path):
    """Returns what is at a path: a view."""
    for name in path.split("/"):
        while not isinstance(value, list) and hasattr(value, "it"):
            value = value.it
        value = value[int(name)] if name.isdigit() else getattr(value, snake(name))
    return value


def main():
    problems = collections.Counter()

    def problem(format, text):
        problems[format] += 1
        if problems[format] <= 5:
            print(f"{format}/{text}")

    known = explained(os.path.join(os.path.dirname(os.path.abspath(__file__)), "verdicts.txt"))
    for format in sorted(it[:-4] for it in os.listdir(FOLDER) if it.endswith(".ksy")):
        # A name that is a word of Python has a `_` behind it.
        module = format if os.path.exists(os.path.join(FOLDER, format + ".py")) else format + "_"
        reader = getattr(importlib.import_module(module), camel(format))
        same = leaves = unnoticed = copies = shown = 0
        for name in sorted(os.listdir(os.path.join(FOLDER, format))):
            if not name.endswith(".bin"):
                continue
            name = os.path.join(FOLDER, format, name[:-4])
            with open(name + ".txt", encoding="utf-8") as file:
                right = file.read()
            is_refused, error, theirs = right.startswith("refused"), None, None
            try:
                theirs = read(reader, name + ".bin")
            except Exception as found:
                error = found
            if is_refused or error:
                copies += 1
                if is_refused != (error is not None):
                    verdict = f"{'Kaitai reads it' if is_refused else 'Kaitai refuses it'}: "
                    verdict += right[:160] if is_refused else f"{type(error).__name__} {error}"[:160]
                    reason = next((it for it in known if it.search(verdict)), None)
                    if reason is None or "broken" not in name:
                        problem(format, f"{os.path.basename(name)}: {verdict}")
                    else:
                        known[reason] += 1
                continue
            right, *views = right.split("\n")
            comparison = Comparison()
            try:
                comparison.value(json.loads(right), theirs, "")
                before = comparison.leaves
                shown += len(views)
                for view in views:
                    path, value = view.split("\t", 1)
                    comparison.value(json.loads(value), at(theirs, path), path)
            except Different as difference:
                problem(format, f"{os.path.basename(name)}: {difference}")
                continue
            same, leaves = same + 1, leaves + comparison.leaves
            # The comparison sees a leaf that is another one.
            if before:
                try:
                    Comparison(before // 2).value(json.loads(right), theirs, "")
                    unnoticed += 1
                except Different:
                    pass
        if unnoticed or not same:
            problem(format, f"{unnoticed} changed values are not noticed")
        print(f"{format}: {same} files and {leaves} values are the same (with {shown} views), {copies} copies are refused")
    for reason, count in known.items():
        if count == 0:
            problem("verdicts.txt", f"nothing is so any more: {reason.pattern}")
    sys.exit(bool(problems))


def explained(name):
    with open(name, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    return {re.compile(line): 0 for line in lines if line and not line.startswith("#")}


if __name__ == "__main__":
    main()
