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
python3 - "$out" <<'PYTHON'
# CBOR, NBT, WebAssembly, TIFF, SQLite and a Java class: by Python, where it can write them, else byte for byte.
import os, sqlite3, struct, sys
out = sys.argv[1]

def write(name, content):
    open(f"{out}/{name}", "wb").write(content)

def item(major, number):
    for info, form, most in ((24, ">B", 1 << 8), (25, ">H", 1 << 16), (26, ">I", 1 << 32), (27, ">Q", 1 << 64)):
        if number < 24:
            return bytes([major << 5 | number])
        if number < most:
            return bytes([major << 5 | info]) + struct.pack(form, number)

def cbor(it):
    if it is None: return b"\xf6"
    if isinstance(it, bool): return bytes([0xf4 + it])
    if isinstance(it, int): return item(0, it) if it >= 0 else item(1, -1 - it)
    if isinstance(it, float): return b"\xfb" + struct.pack(">d", it)
    if isinstance(it, bytes): return item(2, len(it)) + it
    if isinstance(it, str): return item(3, len(it.encode())) + it.encode()
    if isinstance(it, list): return item(4, len(it)) + b"".join(map(cbor, it))
    return item(5, len(it)) + b"".join(cbor(key) + cbor(value) for key, value in it.items())
# As RFC 8949, appendix A, has them: numbers of each length, then what is open, a tag and a float of 16 bits.
write("save.cbor", cbor({"name": "Ada", "gold": 1000000, "debt": -500, "day": 23, "days": [24, 255, 65536, 1 << 40],
                         "raw": b"\x01\x02", "hp": 72.5, "dead": False, "heir": None, "long": "x" * 30}))
write("open.cbor", bytes.fromhex("9f018202039f0405ff5f42010243030405ffbf61610161629f0203ffff7f657374726561646d696e67ffc11a514b67b0f93c00ff"))

def text(it): return struct.pack(">H", len(it.encode())) + it.encode()
def tag(kind, name, value): return bytes([kind]) + text(name) + value
inside = (tag(1, "byte", b"\xff") + tag(2, "short", b"\x7f\xff") + tag(3, "int", struct.pack(">i", -7)) + tag(4, "long", struct.pack(">q", 1 << 40))
          + tag(5, "float", struct.pack(">f", 0.5)) + tag(6, "double", struct.pack(">d", 0.25)) + tag(7, "bytes", struct.pack(">i3b", 3, 1, -2, 3))
          + tag(8, "text", text("h\u00e9llo")) + tag(9, "list", b"\x08" + struct.pack(">i", 2) + text("a") + text("bc"))
          + tag(9, "places", b"\x0a" + struct.pack(">i", 2) + tag(3, "x", struct.pack(">i", 1)) + b"\0" + b"\0")
          + tag(11, "ints", struct.pack(">i2i", 2, 1, 2)) + tag(12, "longs", struct.pack(">iq", 1, -1)) + b"\0")
write("level.nbt", tag(10, "Level", inside))

# (module (import "env" "log" (func (param i32))) (func (export "answer") (result i32) (local i32) (i32.const 42))
#  (memory 1 2) (export "memory" (memory 0)) (data (i32.const 0) "hi")), a size in five bytes, as linkers write it, and a name.
def section(id, content): return bytes([id, len(content)]) + content
write("answer.wasm", b"\0asm\1\0\0\0" + section(1, b"\2\x60\1\x7f\0\x60\0\1\x7f") + section(2, b"\1\3env\3log\0\0") + section(3, b"\1\1")
      + section(5, b"\1\1\1\2") + section(7, b"\2\6answer\0\1\6memory\2\0") + b"\x0a\x88\x80\x80\x80\0\1\6\1\1\x7f\x41\x2a\x0b"
      + section(11, b"\1\0\x41\0\x0b\2hi") + section(0, b"\4name\0\2\1a"))

def tiff(order, mark):
    def pack(form, *numbers): return struct.pack(order + form, *numbers)
    fields = [(256, 3, 1, 2), (257, 3, 1, 2), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (270, 2, 14, 150), (273, 4, 1, 8), (277, 3, 1, 1),
              (278, 3, 1, 2), (279, 4, 1, 4), (282, 5, 1, 164)]
    entry = lambda tag, kind, count, at: pack("HHI", tag, kind, count) + (pack("HH", at, 0) if kind == 3 else pack("I", at))
    directory = pack("H", len(fields)) + b"".join(entry(*field) for field in fields) + pack("I", 0)
    assert 12 + len(directory) == 150
    return mark + pack("HI", 42, 12) + b"\x00\x55\xaa\xff" + directory + b"two by two...\0" + pack("II", 72, 1)
write("little.tiff", tiff("<", b"II"))
write("big.tiff", tiff(">", b"MM"))

if os.path.exists(f"{out}/heroes.sqlite"): os.remove(f"{out}/heroes.sqlite")
database = sqlite3.connect(f"{out}/heroes.sqlite")
database.executescript("pragma page_size = 512; create table heroes (name text, gold int); create index by_name on heroes (name);")
database.executemany("insert into heroes values (?, ?)", [(f"hero {n}", n * n * 1000) for n in range(40)])
database.commit()
database.execute("delete from heroes where gold > 1000000")
database.commit()
database.close()

# class Answer { static final long BIG = 1L << 40; static int answer() { return 42; } }
def utf8(it): return b"\1" + text(it)
constants = [utf8("Answer"), b"\7\0\1", utf8("java/lang/Object"), b"\7\0\3", utf8("BIG"), utf8("J"), utf8("ConstantValue"), b"\5" + struct.pack(">q", 1 << 40),
             utf8("answer"), utf8("()I"), utf8("Code"), utf8("SourceFile"), utf8("Answer.java")]
number = lambda n: struct.pack(">H", n)
code = struct.pack(">HHI", 1, 0, 3) + b"\x10\x2a\xac" + bytes(4)
write("Answer.class", b"\xca\xfe\xba\xbe" + struct.pack(">HHH", 0, 52, len(constants) + 2) + b"".join(constants) + struct.pack(">HHHH", 0x20, 2, 4, 0)
      + number(1) + struct.pack(">HHHH", 0x18, 5, 6, 1) + struct.pack(">HIH", 7, 2, 8)
      + number(1) + struct.pack(">HHHH", 8, 10, 11, 1) + struct.pack(">HI", 12, len(code)) + code
      + number(1) + struct.pack(">HIH", 13, 2, 14))
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
