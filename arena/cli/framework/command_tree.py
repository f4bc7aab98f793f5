"""The tree of commands: a root that imports a command when it is called, and groups with plain help."""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup


def without_flag_types(params: list[Any]) -> list[Any]:
    """Let the help show nothing between a flag and its description: `<bool>` looks like a value to give."""
    for param in params:
        if getattr(param, "is_flag", False) and param.metavar is None:
            param.metavar = ""
    return params


class PlainGroup(TyperGroup):
    """A group of commands whose help shows no type for flags."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, as the help and the parser take them."""
        return without_flag_types(super().get_params(ctx))


@dataclass(frozen=True, slots=True)
class Entry:
    """A group or command of the root, known without importing it."""

    name: str
    module: str
    """The module that declares it."""
    help: str
    """The first line of its own help."""
    app: str = "app"
    """Its Typer app in the module."""

    def load(self) -> Any:
        """Import the module and return the group, or the only command of its app."""
        loaded = typer.main.get_command(getattr(import_module(self.module), self.app))
        loaded.name = self.name
        return loaded


class _Loaded(MutableMapping[str, Any]):
    """The commands by name; each is loaded when it is read."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = entries
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            self._loaded[name] = self._entries[name].load()
        return self._loaded[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries


def root_group(entries: Sequence[Entry]) -> type[PlainGroup]:
    """Return the class of the root: its help lists the entries without importing them."""
    by_name = {entry.name: entry for entry in entries}

    class RootGroup(PlainGroup):
        """The command itself, which imports only the group or command that is called."""

        def __init__(self, **values: Any) -> None:
            super().__init__(**values)
            self.commands = _Loaded(by_name)
            self._values = values

        def format_help(self, ctx: Any, formatter: Any) -> None:
            """Write the help."""
            listed = {entry.name: TyperCommand(entry.name, help=entry.help) for entry in entries}
            PlainGroup(**{**self._values, "commands": listed}).format_help(ctx, formatter)

    return RootGroup
