"""Announcements that a person has not seen yet: a command shows them when it has ended, each once.

What a person has seen is kept beside their accounts: by the address of the arena, when the newest announcement was
created. An arena says with each answer when its newest one was, so a command asks for announcements only if one is new.
"""

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from arena.cli.framework.errors import CliError
from arena.cli.framework.joined_arenas import accounts_file, write_private
from arena.cli.framework.output import print_note

if TYPE_CHECKING:
    from arena.cli.framework.connection import ArenaClient

_FILE: Final = "announcements.json"
_MOST_ARENAS: Final = 100
_WITHIN_S: Final = 5.0


class NewAnnouncements:
    """What one command has found."""

    def __init__(self) -> None:
        self._found: dict[str, dict[int, Any]] = {}
        """Announcements by arena and time of creation, in microseconds since 1970 UTC."""
        self._shown: set[int] = set()
        """When those were created that the command itself shows."""

    def fetch(self, arena: "ArenaClient") -> None:
        """Ask an arena for its announcements, if it has said that there is a new one. An error is no news."""
        if not arena.announced_us or arena.announced_us <= _seen_us(arena.address):
            return
        import grpc

        from arena.cli.framework.connection import fetch_all
        from arena.v1 import announcement_pb2 as pb

        with suppress(grpc.RpcError):
            request = pb.ListAnnouncementsRequest()
            listing = fetch_all(arena.announcements.ListAnnouncements, request, timeout=_WITHIN_S)
            self._note(arena.address, listing.announcements)

    def leave_out(self, announcements: Iterable[Any]) -> None:
        """Count announcements as seen without printing them: the command itself shows them."""
        self._shown.update(each.create_time.ToMicroseconds() for each in announcements)

    def show(self) -> None:
        """Print those that are new on stderr, and remember them."""
        for address, announcements in self._found.items():
            for created_us, each in sorted(announcements.items()):
                if created_us not in self._shown:
                    print_note(_sentence(each))
            _remember(address, announcements)
        self._found.clear()

    def _note(self, address: str, announcements: Iterable[Any]) -> None:
        seen_us, found = _seen_us(address), self._found.setdefault(address, {})
        for each in announcements:
            created_us = each.create_time.ToMicroseconds()
            if created_us > seen_us:
                found[created_us] = each


def _sentence(announcement: Any) -> str:
    from arena.wire.wording import format_time

    end = format_time(announcement.expire_time)
    when = f"{format_time(announcement.create_time)}{f', until {end}' if end else ''}"
    return f"Announcement ({when}): {' '.join(announcement.text.split())}"


def _remember(address: str, times_us: Iterable[int]) -> None:
    """Keep what was seen. Where it cannot be kept, the announcements are shown again."""
    newest_us = max(times_us, default=0)
    if newest_us > _seen_us(address):
        others = {each: seen_us for each, seen_us in _read().items() if each != address}
        kept = list({**others, address: newest_us}.items())[-_MOST_ARENAS:]
        with suppress(CliError):
            write_private(_file(), dict(kept))


def _seen_us(address: str) -> int:
    return _read().get(address, 0)


def _file() -> Path:
    return accounts_file().with_name(_FILE)


def _read() -> dict[str, int]:
    """Return the newest announcement that the person has seen of each arena; a file that is broken counts as none."""
    try:
        document = json.loads(_file().read_text(encoding="utf-8"))
        return {str(address): int(newest_us) for address, newest_us in document.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
