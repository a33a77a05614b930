#!/bin/sh
# Makes the samples of the gallery with the programs that usually write them: python3, git, gcc, tar, gzip, zic and
# msgfmt.
# Usage: make.sh FOLDER
set -eu
out=$1
mkdir -p "$out"
python3 - "$out" <<'PYTHON'
import math, struct, sys, wave, zipfile, zlib

out = sys.argv[1]

with wave.open(f"{out}/tone.wav", "wb") as tone:
    tone.setnchannels(1)
    tone.setsampwidth(2)
    tone.setframerate(8000)
    tone.writeframes(b"".join(struct.pack("<h", int(9000 * math.sin(n / 3))) for n in range(60)))
data = open(f"{out}/tone.wav", "rb").read()
text = b"INFO" + b"INAM" + struct.pack("<I", 5) + b"tone\0\0" + b"ICMT" + struct.pack("<I", 4) + b"sine"
body = data[8:] + b"LIST" + struct.pack("<I", len(text)) + text
open(f"{out}/list.wav", "wb").write(b"RIFF" + struct.pack("<I", len(body)) + body)

def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

signature = b"\x89PNG\r\n\x1a\n"
rows = b"".join(b"\0" + bytes((x * 60, y * 60, 128) [i] for x in range(4) for i in range(3)) for y in range(4))
png = (signature + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)) + chunk(b"tEXt", b"Title\0four by four")
       + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))
open(f"{out}/rgb.png", "wb").write(png)
wrong = bytearray(png)
wrong[png.index(b"IDAT") - 5] ^= 1
open(f"{out}/wrong_crc.png", "wb").write(wrong)
rows = b"".join(b"\0" + bytes((x + y) % 2 for x in range(4)) for y in range(4))
png = (signature + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 3, 0, 0, 0)) + chunk(b"PLTE", b"\0\0\0\xff\xff\xff")
       + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))
open(f"{out}/palette.png", "wb").write(png)

with zipfile.ZipFile(f"{out}/two.zip", "w") as archive:
    for name, method in (("hello.txt", zipfile.ZIP_STORED), ("folder/many.txt", zipfile.ZIP_DEFLATED)):
        info = zipfile.ZipInfo(name, (2024, 5, 17, 12, 30, 0))
        info.compress_type = method
        info.external_attr = 0o644 << 16
        archive.writestr(info, name * 9)
    archive.comment = b"a comment"

def pack(it):
    if it is None: return b"\xc0"
    if it is True: return b"\xc3"
    if it is False: return b"\xc2"
    if isinstance(it, int):
        if 0 <= it < 128: return bytes([it])
        if -32 <= it < 0: return struct.pack(">b", it)
        return b"\xd3" + struct.pack(">q", it)
    if isinstance(it, float): return b"\xcb" + struct.pack(">d", it)
    if isinstance(it, str):
        b = it.encode()
        return (bytes([0xa0 | len(b)]) if len(b) < 32 else b"\xd9" + bytes([len(b)])) + b
    if isinstance(it, bytes): return b"\xc4" + bytes([len(it)]) + it
    if isinstance(it, list): return bytes([0x90 | len(it)]) + b"".join(map(pack, it))
    return bytes([0x80 | len(it)]) + b"".join(pack(k) + pack(v) for k, v in it.items())
open(f"{out}/save.mpk", "wb").write(pack({"name": "Ada", "level": 7, "hp": 72.5, "tags": ["a", None, True], "raw": b"\x01\x02", "debt": -40000, "long": "x" * 40}))

def bitmap(bits, height, palette, rows):
    head = struct.pack("<IiiHHIIiiII", 40, 3, height, 1, bits, 0, len(rows), 2835, 2835, len(palette), 0)
    at = 14 + len(head) + 4 * len(palette)
    body = head + struct.pack(f"<{len(palette)}I", *palette) + rows
    return b"BM" + struct.pack("<IHHI", 14 + len(body), 0, 0, at) + body
open(f"{out}/colors.bmp", "wb").write(bitmap(24, 2, [], bytes(range(9)) + bytes(3) + bytes(range(9, 18)) + bytes(3)))
open(f"{out}/table.bmp", "wb").write(bitmap(1, -2, [0, 0xffffff], b"\xa0\0\0\0\x40\0\0\0"))

def name(text):
    return b"".join(bytes([len(part)]) + part.encode() for part in text.split(".")) + b"\0"
question = name("example.org") + struct.pack(">HH", 255, 1)
answers = [(1, bytes([192, 0, 2, 7])), (28, bytes([0x20, 1, 0xd, 0xb8] + 11 * [0] + [1])), (15, struct.pack(">H", 10) + b"\4mail\xc0\x0c"),
           (5, name("other.example")), (16, b"\4text")]
answers = b"".join(b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 300, len(content)) + content for kind, content in answers)
open(f"{out}/question.dns", "wb").write(struct.pack(">HHHHHH", 0x1234, 0x0100, 1, 0, 0, 0) + question)
open(f"{out}/answer.dns", "wb").write(struct.pack(">HHHHHH", 0x1234, 0x8180, 1, 5, 0, 0) + question + answers)
PYTHON
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir folder
printf 'hello\n' >hello.txt
printf 'more\nthan one line\n' >folder/more.txt
touch -d '2024-05-17 12:30:00 UTC' hello.txt folder/more.txt folder
tar --format=ustar --owner=0 --group=0 --numeric-owner --sort=name -cf "$out/two.tar" hello.txt folder
gzip -n9 <folder/more.txt >"$out/plain.gz"
cp hello.txt named.txt && touch -d '2024-05-17 12:30:00 UTC' named.txt && gzip -9 named.txt && cp named.txt.gz "$out/named.gz"
printf 'Rule E 1996 max - Mar lastSun 1:00u 1:00 S\nRule E 1996 max - Oct lastSun 1:00u 0 -\nZone Test/Slim 1:00 E CE%%sT\nZone Test/Fixed 5:30 - IST\n' >zones
zic -b fat -d zones.fat zones && cp zones.fat/Test/Slim "$out/fat.tzif"
zic -b slim -d zones.slim zones && cp zones.slim/Test/Slim "$out/slim.tzif"
printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\nmsgid "gold"\nmsgstr "or"\nmsgid "one tree"\nmsgid_plural "%%d trees"\nmsgstr[0] "un arbre"\nmsgstr[1] "%%d arbres"\n' >french.po
msgfmt --endianness=little -o "$out/little.mo" french.po
msgfmt --endianness=big --no-hash -o "$out/big.mo" french.po
git init -q repository && cd repository
git config user.name Somebody && git config user.email nobody@example.org
printf 'hello\n' >hello.txt && mkdir folder && printf 'more\n' >folder/more.txt && printf 'more\n' >folder/most.txt
git add . && git commit -qm first
for version in 2 4; do git update-index --index-version $version && cp .git/index "$out/version$version.index"; done
git update-index --index-version 2 && git add -N . && printf 'new\n' >new.txt && git add -N new.txt && cp .git/index "$out/version3.index"
cd ..
printf 'int answer = 42; int twice(int n) { return 2 * n; }\n' >answer.c
gcc -c -Os -fno-asynchronous-unwind-tables answer.c -o "$out/answer.o"
python3 - "$out" <<'PYTHON'
# The same object as a 32-bit file of a big-endian machine, which gcc here does not write: a header, one section of names.
import struct, sys
names = b"\0.shstrtab\0"
header = b"\x7fELF" + bytes([1, 2, 1, 0, 0]) + bytes(7) + struct.pack(">HHIIIIIHHHHHH", 1, 8, 1, 0, 0, 52 + len(names) + 1, 0, 52, 0, 0, 40, 2, 1)
sections = bytes(40) + struct.pack(">IIIIIIIIII", 1, 3, 0, 0, 52, len(names), 0, 0, 1, 0)
open(f"{sys.argv[1]}/big.o", "wb").write(header + names + b"\0" + sections)
PYTHON
