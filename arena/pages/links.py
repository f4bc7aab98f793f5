"""Addresses of pages: on a server, or between files in a folder."""

import re
from collections.abc import Set
from dataclasses import dataclass
from posixpath import dirname, relpath
from typing import Final

ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
"""The last part of the name of a bot, ladder or tournament."""
NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")
"""That of a match or a submission."""


@dataclass(frozen=True, slots=True)
class Links:
    """Addresses as the page at one place writes them.

    A place has no leading slash and no ending: "", "ladders/main", "matches/17/replay".
    """

    here: str
    """The place of the page that has the links."""
    written: Set[str] | None = None
    """The places for which there are files; None: a server answers at all places."""

    @property
    def live(self) -> bool:
        """Whether a server can send what changes."""
        return self.written is None

    def page(self, place: str) -> str:
        """Return the address of a page; empty if there is none."""
        if self.written is None:
            return f"/{place}"
        return self._relative(file_of(place)) if place in self.written else ""

    def file(self, place: str) -> str:
        """Return the address of a file, such as a style sheet or a download."""
        return f"/{place}" if self.written is None else self._relative(place)

    def named(self, name: str) -> str:
        """Return the address of the page of a resource, such as "bots/ant"; empty if there is none."""
        return self.page(name) if name else ""

    def _relative(self, place: str) -> str:
        return relpath(place, dirname(file_of(self.here)) or ".")


def file_of(place: str) -> str:
    """Return the path of the file of a page within its folder."""
    return f"{place or 'index'}.html"
