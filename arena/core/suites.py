"""Suites: seeds with ids, so that different tests of bots are played on the same set-ups (docs/suites.md)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NoReturn

from arena.core.errors import invalid_field
from engine.randomness import SEED_BYTES
from engine.registry import GAMES

SUITE_SUFFIX: Final = ".suite"
"""The suffix of suite files."""

MOST_TEXT: Final = 64 * 1024
"""Characters of the text of a suite that an arena is given."""

_ID: Final = re.compile("[a-z0-9][a-z0-9-]{0,31}")
_HEX_DIGITS: Final = 2 * SEED_BYTES
_ENTRY_WORDS: Final = 2


@dataclass(frozen=True, slots=True)
class SuiteEntry:
    """One set-up of a suite."""

    id: str
    """1 to 32 of a-z, 0-9 and -, beginning with a letter or digit; once in its suite."""
    seed: bytes
    """32 bytes; once in its suite."""


@dataclass(frozen=True, slots=True)
class Suite:
    """Set-ups of one game with one number of seats."""

    name: str
    game: str
    seats: int
    sha256: str
    """64 hex digits, of `canonical_text`: the same for files that differ in comments, layout or name alone."""
    entries: tuple[SuiteEntry, ...]
    """At least one, in the order of the file."""

    def entry(self, entry_id: str) -> SuiteEntry:
        """Return the entry of this id. Raises InvalidArgumentError (FIELD_INVALID): there is none."""
        for each in self.entries:
            if each.id == entry_id:
                return each
        first, last = self.entries[0].id, self.entries[-1].id
        raise invalid_field(
            "entry", f"The suite {self.name} has no entry {entry_id!r}; its entries are {first} to {last}."
        )

    @property
    def text(self) -> str:
        """The canonical text."""
        return canonical_text(self.game, self.seats, self.entries)

    def entry_of_match(self, pairing: int, slot: int, *, shared: bool) -> SuiteEntry:
        """Return the entry that a match of a tournament is played on; after the last entry the first one follows.

        `pairing`: its number in the plan, from 1; `slot`: the place of the match in it, from 0. `shared`: all matches
        of a pairing are played on the same entry.
        """
        index = pairing - 1 if shared else (pairing - 1) * self.seats + slot
        return self.entries[index % len(self.entries)]

    def check_fits(self, game: str, seats: int) -> None:
        """Check that it is for this game and number of seats. Raises InvalidArgumentError (FIELD_INVALID)."""
        if (self.game, self.seats) != (game, seats):
            raise invalid_field(
                "suite",
                f"The suite {self.name} is for {self.game} with {self.seats} seats, not for {game} with {seats}. "
                "A set-up that is balanced for one is not for the other: choose a suite of that game and number.",
            )


def parse_suite(name: str, text: str) -> Suite:
    """Return the suite in the text of a file. `name`: the name of the file without its suffix.

    Raises InvalidArgumentError (FIELD_INVALID): a line is not of the format; the sentence names it.
    """
    lines = _lines(text)
    game = _headline(name, "game", next(lines, None))
    if game not in GAMES:
        _refuse(name, f"unknown game {game[:60]!r}; games: {', '.join(GAMES)}")
    stated = _headline(name, "seats", next(lines, None))
    spec = GAMES[game].spec
    allowed = map(str, range(spec.min_seats, spec.max_seats + 1))
    if stated not in allowed:
        _refuse(name, f"{game} has {spec.min_seats} to {spec.max_seats} seats, not {stated[:60]}")
    entries = tuple(_entries(name, lines))
    if not entries:
        _refuse(name, f"it has no entry: expected lines of an id and {_HEX_DIGITS} hex digits")
    seats = int(stated)
    digest = sha256(canonical_text(game, seats, entries).encode("ascii")).hexdigest()
    return Suite(name, game, seats, digest, entries)


def canonical_text(game: str, seats: int, entries: tuple[SuiteEntry, ...]) -> str:
    """Return the text of a suite file without comments and empty lines, whose SHA-256 identifies the suite."""
    lines = (f"game {game}", f"seats {seats}", *(f"{each.id} {each.seed.hex()}" for each in entries))
    return "".join(f"{line}\n" for line in lines)


_Line = tuple[int, list[str]]
"""The number of a line, from 1, and its words."""


def _lines(text: str) -> Iterator[_Line]:
    """Yield the lines that say something: not empty, and no comments."""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if words and not words[0].startswith("#"):
            yield number, words


def _headline(name: str, key: str, line: _Line | None) -> str:
    """Return the value of the line that states the game or the number of seats."""
    if line is None:
        _refuse(name, f"it has no line `{key}`; it begins with `game GAME` and `seats N`")
    number, words = line
    if len(words) != _ENTRY_WORDS or words[0] != key:
        _refuse(name, f"line {number} is `{' '.join(words)[:60]}`, but `{key} ...` is expected there")
    return words[1]


def _entries(name: str, lines: Iterator[_Line]) -> Iterator[SuiteEntry]:
    line_of_id: dict[str, int] = {}
    line_of_seed: dict[bytes, int] = {}
    for number, words in lines:
        if len(words) != _ENTRY_WORDS:
            shown = " ".join(words)[:60]
            _refuse(
                name, f"line {number} is `{shown}`: expected an id and a seed of {_HEX_DIGITS} hex digits"
            )
        entry_id, digits = words
        if not _ID.fullmatch(entry_id):
            rule = "ids are 1 to 32 of a-z, 0-9 and -, beginning with a letter or digit"
            _refuse(name, f"line {number} has the id {entry_id[:60]!r}: {rule}")
        if not re.fullmatch("[0-9a-fA-F]*", digits):
            _refuse(name, f"the seed in line {number} is not hexadecimal: {digits[:60]!r}")
        if len(digits) != _HEX_DIGITS:
            _refuse(name, f"the seed in line {number} has {len(digits)} hex digits, not {_HEX_DIGITS}")
        entry = SuiteEntry(entry_id, bytes.fromhex(digits))
        if (before := line_of_id.setdefault(entry.id, number)) != number:
            _refuse(name, f"line {number} repeats the id {entry.id} of line {before}")
        if (before := line_of_seed.setdefault(entry.seed, number)) != number:
            _refuse(name, f"line {number} repeats the seed of line {before}: each set-up counts once")
        yield entry


def _refuse(name: str, why: str) -> NoReturn:
    """`why`: a sentence part without a full stop."""
    raise invalid_field("suite", f"The suite {name} cannot be read: {why} (docs/suites.md).")
