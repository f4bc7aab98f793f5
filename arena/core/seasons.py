"""The final standings of a season as a signed document (docs/seasons.md)."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any, Final

from arena.core.errors import DataLossError, ErrorReason
from arena.core.tournaments import NO_RANK

FORMAT: Final = "arena-season-1"

_SIGNED: Final = b"arena-season-v1\n"
"""What the signature covers before the document, so that it can never be that of anything else."""


@dataclass(frozen=True, slots=True)
class FinalLine:
    """The final standing of a bot; only bots of which a match counted in the season have one."""

    rank: int
    """1 is best; equals share it. NO_RANK: an anchor."""
    bot: str
    version: str
    """The version of its last match that counted."""
    anchor: bool
    """Whether its rating was fixed."""
    value_milli: int
    """Its rating, or on a solo ladder its adjusted score, in thousandths; the lines are ordered by it."""
    uncertainty_milli: int | None
    """Half the width of the 95 % interval, in thousandths; None: unknown, on a solo ladder."""
    matches: int
    """Of the season."""
    placing_sum: int
    """The sum of its placings in them."""
    forfeits: int


@dataclass(frozen=True, slots=True)
class FinalStandings:
    """How a season of a ladder ended."""

    ladder: str
    game: str
    rules_version: int
    solo: bool
    season: int
    """From 1."""
    start_us: int
    """When it began, microseconds since 1970 UTC."""
    close_us: int
    keep_percent: int
    """How much of its distance from 1500 points each rating keeps in the next season; 0 on a solo ladder."""
    ledger_seq: int
    """The seq of the ledger's entry that closes the season; 0 on a solo ladder."""
    previous_sha256: str
    """SHA-256 of the document of the season before, 64 hex digits; empty in season 1."""
    lines: tuple[FinalLine, ...]
    """Best first, then by bot; anchors at the place of their rating."""

    def document(self) -> str:
        """Return the one text of these standings: JSON in ASCII with sorted keys and without spaces."""
        values = {"format": FORMAT, **asdict(self)}
        return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def ranked(lines: Iterable[FinalLine]) -> tuple[FinalLine, ...]:
    """Return the lines in their order and with their ranks: anchors have none, and take none from others."""
    ordered = sorted(lines, key=lambda line: (-line.value_milli, line.bot))
    first: dict[int, int] = {}
    place = 0
    for line in ordered:
        if not line.anchor:
            place += 1
            first.setdefault(line.value_milli, place)
    return tuple(replace(line, rank=NO_RANK if line.anchor else first[line.value_milli]) for line in ordered)


def swapped(
    upper: Iterable[FinalLine], lower: Iterable[FinalLine], most: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return who is promoted, the best first, and who is relegated, the worst first: as many, at most `most`.

    The lines are those of the bots that may move, in the order of their standings. Lines without a rank stay.
    """
    best = [line.bot for line in lower if line.rank != NO_RANK]
    worst = [line.bot for line in upper if line.rank != NO_RANK][::-1]
    count = min(most, len(best), len(worst))
    return tuple(best[:count]), tuple(worst[:count])


def read_document(document: str) -> FinalStandings:
    """Return the standings that a document holds.

    Raises DataLossError (STORAGE): it is not a document of this format, not its one text, or its ranks do not follow
    from its lines.
    """
    try:
        values: dict[str, Any] = json.loads(document)
        if values.pop("format") != FORMAT:
            raise _unreadable(f"its format is not {FORMAT}")
        lines = tuple(map(_line, values.pop("lines")))
        standings = FinalStandings(**values, lines=lines)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _unreadable("it is no JSON text with the fields of one") from error
    if standings.document() != document:
        raise _unreadable("it is not written in the canonical form")
    if ranked(lines) != lines:
        raise _unreadable("its ranks do not follow from its lines")
    return standings


def signed_message(document: str) -> bytes:
    """Return the bytes that the arena signs for a document."""
    return _SIGNED + document.encode("ascii")


def document_sha256(document: str) -> str:
    """Return the SHA-256 of a document, 64 hex digits."""
    return sha256(document.encode("ascii")).hexdigest()


def _line(values: Mapping[str, Any]) -> FinalLine:
    return FinalLine(**values)


def _unreadable(why: str) -> DataLossError:
    return DataLossError(ErrorReason.STORAGE, f"This is no document of final standings: {why}.")
