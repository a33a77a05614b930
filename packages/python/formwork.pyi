"""Variant packets of Godot and Pandemonium as Python objects, and files of games and terrains."""

from os import PathLike
from typing import Any, Optional, Union

class FormworkError(ValueError):
    """A fault, with the rule that is broken, the offset of the byte and the path of the field."""

    rule: str
    offset: Optional[int]
    path: str

def loads(data: bytes, engine: str = "godot4") -> Any:
    """Reads a Variant packet, and returns Python objects."""

def dumps(value: Any, engine: str = "godot4") -> bytes:
    """Writes Python objects as a Variant packet."""

def open(
    file: Union[str, PathLike[str], bytes],
    format: Optional[str] = None,
    password: Optional[str] = None,
    skip: Optional[int] = None,
) -> "File":
    """Opens a file by its path, or bytes."""

def recover(
    file: Union[str, PathLike[str], bytes],
    format: Optional[str] = None,
    password: Optional[str] = None,
    skip: Optional[int] = None,
) -> "File":
    """Opens what is left of a damaged file; `lost` of it lists the losses."""

class File:
    """An opened file. Each change is made whole or not at all."""

    @property
    def format(self) -> str: ...
    @property
    def summary(self) -> dict[str, Any]: ...
    @property
    def lost(self) -> list[str]: ...
    def get(self, path: str = "") -> Any: ...
    def paths(self, path: str = "") -> list[str]: ...
    def set(self, path: str, value: Any, add: bool = False) -> list[dict[str, Any]]: ...
    def remove(self, *paths: str) -> list[dict[str, Any]]: ...
    def undo(self) -> bool: ...
    def redo(self) -> bool: ...
    def json(self) -> str: ...
    def problems(self) -> list[str]: ...
    def diff(self, other: "File") -> list[dict[str, Any]]: ...
    def place(self, path: str) -> Optional[tuple[int, int]]: ...
    def convert(self, engine: str) -> tuple["File", list[str]]: ...
    def to_bytes(self) -> bytes: ...
    def save(self, path: Union[str, PathLike[str], None] = None) -> None: ...
