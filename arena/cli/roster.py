"""The roster of `arena user import`: a CSV file of users, and the codes that come out of it, to print or to mail."""

import csv
import html
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc

from arena.cli.framework.errors import CliError
from arena.core.errors import InvalidArgumentError
from arena.v1 import token_pb2, user_pb2
from arena.wire.csv_text import csv_of
from arena.wire.resource_names import check_id

USER: Final = "user"
NAME: Final = "name"
ROLE: Final = "role"
TEAM: Final = "team"
QUOTAS: Final = tuple(field.name for field in user_pb2.UserQuotas.DESCRIPTOR.fields)
CODE: Final = "code"

_MOST_SHOWN: Final = 10
_DELIMITERS: Final = ",;\t"
_ROLES: Final = {
    "spectator": token_pb2.ROLE_SPECTATOR,
    "owner": token_pb2.ROLE_OWNER,
    "organiser": token_pb2.ROLE_ORGANISER,
}


_ENTRY: Final = re.compile(r"entries\[([0-9]+)\](?:\.(?:quotas\.)?([a-z_]+))?")
"""How the arena names an entry of the request, or a field of it."""
_TITLES: Final = {"user_id": USER, "full_name": NAME, "team_id": TEAM}
"""Titles by fields, where the two differ."""


@dataclass(frozen=True, slots=True)
class RosterLine:
    """One line of the file."""

    number: int
    """In the file; the line of titles is 1."""
    cells: Mapping[str, str]
    """All cells by their titles, also those that the arena does not use."""
    entry: user_pb2.RosterEntry


@dataclass(frozen=True, slots=True)
class Roster:
    """A file that was read whole."""

    file: Path
    titles: Sequence[str]
    delimiter: str
    lines: Sequence[RosterLine]

    @contextmanager
    def naming_lines(self, describe: Callable[[grpc.RpcError], CliError]) -> Iterator[None]:
        """Raise CliError for an error of the arena inside, as `with_lines` has it. `describe` makes it a CliError."""
        try:
            yield
        except grpc.RpcError as error:
            raise self.with_lines(describe(error)) from error

    def with_lines(self, error: CliError) -> CliError:
        """Return an error of the arena that names lines of the file in place of entries of the request."""
        sentence = _ENTRY.sub(self._line, error.sentence)
        return error if sentence == error.sentence else CliError(f"{self.file}: {sentence}", error.code)

    def _line(self, entry: re.Match[str]) -> str:
        """Return the line of an entry, and the title of its field."""
        title = entry[2] and f", {_TITLES.get(entry[2], entry[2])}"
        return f"line {self.lines[int(entry[1])].number}{title or ''}"

    @property
    def used(self) -> list[str]:
        """The titles that say something to the arena."""
        return [title for title in self.titles if title in (USER, NAME, ROLE, TEAM, *QUOTAS)]

    @property
    def kept(self) -> list[str]:
        """The other titles."""
        return [title for title in self.titles if title not in self.used]

    def codes_csv(self, codes: Mapping[str, str]) -> str:
        """Return the lines of those who got a code, with all their cells and the code.

        `codes`: by the id of the user.
        """
        titles = [title for title in self.titles if title != CODE]
        rows = (
            [*(line.cells[title] for title in titles), codes[line.entry.user_id]]
            for line in self.lines
            if line.entry.user_id in codes
        )
        return csv_of([*titles, CODE], rows, self.delimiter)

    def sheet_html(self, codes: Mapping[str, str], address: str) -> str:
        """Return a page to print: one slip to cut out for each who got a code."""
        slips = "".join(
            _SLIP.format(
                name=html.escape(line.entry.full_name or line.entry.user_id),
                user=html.escape(line.entry.user_id),
                code=html.escape(code),
                address=html.escape(address),
            )
            for line in self.lines
            if (code := codes.get(line.entry.user_id))
        )
        return _SHEET.format(slips=slips)


def read_roster(file: Path) -> Roster:
    """Read a CSV file whose first line has titles: `user`, and any of `name`, `role`, `team` and the quotas.

    The delimiter is a comma, semicolon or tab, whichever the titles have. Raises CliError: it cannot be read, or lines
    are wrong; the first ten are named.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CliError(f"{file} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CliError(f"{file} is not UTF-8 text. Save it as CSV UTF-8.") from error
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    titles = [title.strip().lower() for title in next(rows, [])]
    if USER not in titles or len(set(titles)) < len(titles):
        raise CliError(
            f"{file}: the first line must have titles, each once, and one of them must be `{USER}`. It has: "
            f"{', '.join(titles) or 'nothing'}."
        )
    lines, faults = _read_lines(_numbered(rows), titles)
    if faults:
        more = [f"and {len(faults) - _MOST_SHOWN} more"] if len(faults) > _MOST_SHOWN else []
        raise CliError("\n".join([f"{file} was not imported.", *faults[:_MOST_SHOWN], *more]))
    if not lines:
        raise CliError(f"{file} has no users below the line of titles.")
    return Roster(file, titles, delimiter, lines)


@contextmanager
def new_files(paths: Sequence[Path]) -> Iterator[Callable[[Mapping[Path | None, str]], None]]:
    """Open new files that only their owner can read; yield what writes their texts.

    They are removed if what is done inside fails before. Raises CliError: there is such a file already, or it cannot be
    written.
    """
    opened: dict[Path, int] = {}
    written = False

    def write(texts: Mapping[Path | None, str]) -> None:
        nonlocal written
        written = True
        for path, descriptor in opened.items():
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8") as output:
                    output.write(texts[path])
            except OSError as error:
                raise CliError(
                    f"The users were imported, but {path} could not be written: {error.strerror}. Make room, remove "
                    "the file, and run the command with --again: it makes new codes."
                ) from error

    try:
        for path in paths:
            opened[path] = _open_new(path)
        yield write
    finally:
        if not written:
            for path, descriptor in opened.items():
                os.close(descriptor)
                path.unlink(missing_ok=True)


def _open_new(path: Path) -> int:
    try:
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise CliError(f"{path} exists already. Name a new file.") from None
    except OSError as error:
        raise CliError(f"{path} cannot be written: {error.strerror}. Nothing was imported.") from error


def _numbered(rows: Any) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a csv reader with the numbers of the lines on which they begin."""
    begins = rows.line_num + 1
    for row in rows:
        yield begins, row
        begins = rows.line_num + 1


def _read_lines(
    rows: Iterable[tuple[int, list[str]]], titles: Sequence[str]
) -> tuple[list[RosterLine], list[str]]:
    """Return the lines, and what is wrong with others."""
    lines, faults = [], []
    seen: dict[str, int] = {}
    for number, row in rows:
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        if len(cells) != len(titles):
            faults.append(f"Line {number} has {len(cells)} cells, but there are {len(titles)} titles.")
            continue
        by_title = dict(zip(titles, cells, strict=True))
        try:
            line = RosterLine(number, by_title, _entry(by_title))
        except (InvalidArgumentError, ValueError) as error:
            faults.append(f"Line {number}: {error}")
            continue
        first = seen.setdefault(line.entry.user_id, number)
        if first != number:
            faults.append(f"Line {number}: {line.entry.user_id} is on line {first}, too.")
        lines.append(line)
    return lines, faults


def _entry(cells: Mapping[str, str]) -> user_pb2.RosterEntry:
    """Return a line as the arena takes it. Raises InvalidArgumentError, ValueError."""
    role = cells.get(ROLE, "").lower()
    if role and role not in _ROLES:
        raise ValueError(f"{ROLE} is {role!r}, but must be spectator, owner or organiser.")
    quotas = {name: _whole_number(name, cells[name]) for name in QUOTAS if cells.get(name)}
    return user_pb2.RosterEntry(
        user_id=check_id(USER, cells[USER]),
        full_name=cells.get(NAME, ""),
        role=_ROLES.get(role, token_pb2.ROLE_UNSPECIFIED),
        quotas=user_pb2.UserQuotas(**quotas) if quotas else None,
        team_id=check_id(TEAM, cells[TEAM]) if cells.get(TEAM) else "",
    )


def _whole_number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 9):
        raise ValueError(f"{name} is {text!r}, but must be a whole number.")
    return int(text)


_SLIP: Final = """<section>
<h2>{name}</h2>
<p>Join as <b>{user}</b>:</p>
<p class="code">arena join {code} --server {address}</p>
</section>
"""

_SHEET: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Codes to join</title>
<style>
body {{ font-family: sans-serif; margin: 1cm; }}
section {{ border-bottom: 1px dashed #888; padding: 0.4cm 0; break-inside: avoid; }}
h2 {{ font-size: 12pt; margin: 0 0 2mm; }}
p {{ margin: 1mm 0; }}
.code {{ font-family: monospace; font-size: 11pt; }}
</style>
</head>
<body>
{slips}</body>
</html>
"""
