"""Values of the engines, through Python objects."""

import json
from pathlib import Path

import pytest

import formwork

FORMATS = Path(__file__).parents[3] / "formats"
GOLDEN = {
    "godot2": "godot2/golden",
    "godot3.2": "godot3/golden/3.2.3",
    "godot3.6": "godot3/golden/3.6.2",
    "godot4.6": "godot4/golden/4.6.3",
    "godot4.7": "godot4/golden/4.7-dev",
    "pandemonium": "pandemonium/golden",
}


@pytest.mark.parametrize("engine", GOLDEN)
def test_the_values_of_an_engine_come_back_byte_for_byte(engine):
    lines = (FORMATS / GOLDEN[engine] / "values.jsonl").read_text().splitlines()
    count = 0
    for line in map(json.loads, lines):
        if not line.get("hex"):
            continue
        packet = bytes.fromhex(line["hex"])
        assert formwork.dumps(formwork.loads(packet, engine), engine) == packet, line["name"]
        count += 1
    assert count > 50


def test_objects_of_python_come_back():
    at = formwork.Vector2(1.0, 2.5)
    for value in [None, True, 5, -(2**63), 1.5, 2.0, "Zoë", [1, [2]], {"a": {"b": [None]}}, {at: {1: "one", "1": "eins"}}, b"\x00\xff", at]:
        back = formwork.loads(formwork.dumps(value))
        assert back == value and type(back) is type(value)
    assert formwork.loads(formwork.dumps(at)).y == 2.5


def test_keys_that_python_takes_for_one_stay_apart():
    pairs = formwork.Pairs([(1, "int"), (1.0, "float"), (True, "bool"), ([1], "list")])
    back = formwork.loads(formwork.dumps(pairs))
    assert type(back) is formwork.Pairs and [type(key) for key, _ in back] == [type(key) for key, _ in pairs]


def test_faults_say_where():
    with pytest.raises(formwork.FormworkError) as error:
        formwork.loads(bytes.fromhex("040000000900000041"))
    assert error.value.offset == 8 and "needed" in str(error.value) and error.value.rule
    with pytest.raises(TypeError):
        formwork.dumps(object())
    with pytest.raises(OverflowError):
        formwork.dumps(2**80)
    with pytest.raises(ValueError, match="unreal"):
        formwork.loads(b"\0\0\0\0", "unreal")


def test_values_nest_to_a_limit():
    deep = []
    for _ in range(190):
        deep = [deep]
    assert formwork.loads(formwork.dumps(deep)) == deep
    itself = []
    itself.append(itself)
    with pytest.raises(ValueError, match="200 containers"):
        formwork.dumps(itself)
    with pytest.raises(formwork.FormworkError):
        formwork.loads(bytes.fromhex("1c00000001000000") * 5000 + b"\0\0\0\0")


VALUE = {"gold": 5, "speed": 1.5, "at": formwork.Vector2(1.0, 2.5), "bag": ["lamp", "rope"]}


def test_a_save_is_changed_and_replaced(tmp_path):
    path = tmp_path / "player.save"
    packet = formwork.dumps(VALUE, "godot3")
    path.write_bytes(packet)
    save = formwork.open(path, "godot3")
    assert save.format == "save" and save.paths("bag") == ["bag/0", "bag/1"]
    changes = save.set("gold", 9999)
    assert changes == [{"kind": "changed", "path": "gold", "before": 5, "after": 9999}]
    save.set("speed", 2)
    save.set("bag/0", "[1]")
    save.save()
    assert path.with_name("player.save.bak").read_bytes() == packet
    again = formwork.loads(path.read_bytes(), "godot3")
    assert again == {**VALUE, "gold": 9999, "speed": 2.0, "bag": ["[1]", "rope"]}
    assert len(save.diff(formwork.open(packet, "godot3"))) == 3
    while save.undo():
        pass
    assert save.to_bytes() == packet and save.redo()
    with pytest.raises(formwork.FormworkError):
        save.set("gold", "many")
    assert sorted(it.name for it in tmp_path.iterdir()) == ["player.save", "player.save.bak"]


def test_other_engines_places_and_damage():
    packet = formwork.dumps(VALUE, "godot3")
    save = formwork.open(packet, "godot3")
    newer, losses = save.convert("godot4")
    assert losses == [] and formwork.loads(newer.to_bytes(), "godot4") == VALUE
    start, end = save.place("bag/1")
    assert packet[start:end] == formwork.dumps("rope", "godot3")
    left = formwork.recover(packet[:-4], "godot3")
    assert left.get("gold") == 5 and left.lost
    with pytest.raises(ValueError, match="name"):
        left.save()


def test_the_code_on_the_page_runs(tmp_path, monkeypatch):
    page = (FORMATS.parent / "docs/python.md").read_text()
    blocks = [part.split("```")[0] for part in page.split("```python\n")[1:]]
    monkeypatch.chdir(tmp_path)
    value = {"player": {"name": "Kim", "gold": 100, "bag": ["lamp", "rope", "key", "map"]}}
    Path("player.save").write_bytes(formwork.dumps(value))
    exec("\n".join(blocks), {})
    assert formwork.open("rich.save").get("player/gold") == 9999
