"""Writes a packet, and two saves of the engine that are changed, for read.gd: python write.py FOLDER"""

import sys
from pathlib import Path

import formwork

# As in write.mjs.
VALUE = {
    "gold": 2**53 + 1,
    "speed": 2.0,
    "at": formwork.Vector2(1, 2.5),
    "tint": formwork.Color(1, 0.5, 0, 1),
    "path": formwork.NodePath("Camp/Tent:size"),
    "raw": b"\x00\xff",
    "bag": ["lamp", "rope", None, True],
    "seen": {1: "one", "1": "eins"},
}
SAVES = Path(__file__).parents[2] / "formats/godot3/golden/3.6.2/files"

folder = Path(sys.argv[1])
(folder / "python.packet").write_bytes(formwork.dumps(VALUE, "godot3"))
for name, password in [("encrypted", "correct horse"), ("zstd", None)]:
    save = formwork.open(SAVES / f"small.{name}.save", password=password)
    save.set("player/level", 50)
    save.set("player/name", "Kim")
    save.save(folder / f"python.{name}.save")
