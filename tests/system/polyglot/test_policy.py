"""The greedy bots of all languages follow docs/bots/greedy.md to the letter: the same seeds, the same logs.

Each match is played by `arena play`, every seat a process of its own, over real gRPC. Different languages sit at one
table: each of them is in every kind of match, and all logs are those of Python against itself.
"""

import functools
import shlex
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import pytest
from google.protobuf.message import Message

from arena.match_log.reader import read_stored
from sample_bots.languages import LANGUAGES, Language
from tests.system.polyglot.languages import need
from tests.unit.cli.programs import finish, start

PYTHON, *OTHERS = LANGUAGES
MATCHES = {
    "2 seats": (2, ()),
    "3 seats": (3, ()),
    "4 seats": (4, ()),
    "6 camels, all goods": (2, ("--option=camels=6", "--option=goods=FULL")),
}
TIMES = {
    "started_ns",
    "used_ns",
    "credit_ns",
    "stall_ns",
    "bank_ns",
    "at_ns",
    "duration_ns",
    "start_time_ms",
    "used_ms",
}
MADE_ANEW = {"key_id"}
"""The key that a log is signed with."""


def tables() -> Iterator[tuple[str, tuple[Language, ...]]]:
    """Yield matches with the language of each seat, so that each language plays each match at least once."""
    for turn, (match, (seats, _)) in enumerate(MATCHES.items()):
        order = [*OTHERS[turn:], *OTHERS[:turn]]
        for first in range(0, len(order), seats):
            yield match, tuple(order[place % len(order)] for place in range(first, first + seats))


TABLES = tuple(tables())


def play(languages: Sequence[Language], match: str, folder: Path) -> tuple[str, ...]:
    """Return the records of a match of the greedy bots of these languages, without its times."""
    seats, options = MATCHES[match]
    log = folder / f"{seats}-{len(options)}.arenalog"
    seed = sha256(match.encode()).hexdigest()
    bots = [shlex.join(language.program("greedy")) for language in languages]
    code, out, err = finish(
        start("play", "caravan", *bots, "--seed", seed, "--log", str(log), *options), within=120
    )
    assert code == 0, out + err
    records = read_stored(log.read_bytes()).messages
    for record in records:
        forget_times(record)
    return tuple(str(record) for record in records)


def forget_times(message: Message) -> None:
    """No field of the message, however deep, tells a time."""
    for field, value in message.ListFields():
        if field.name in TIMES | MADE_ANEW:
            message.ClearField(field.name)
        elif field.message_type is not None:
            for each in value if field.is_repeated else [value]:
                forget_times(each)


@pytest.fixture(scope="session")
def yardstick(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[str, ...]]:
    """Return what Python's greedy plays, by match."""
    folder = tmp_path_factory.mktemp("python")
    return functools.cache(lambda match: play([PYTHON] * MATCHES[match][0], match, folder))


@pytest.mark.parametrize(
    ("match", "languages"),
    TABLES,
    ids=[f"{match}: {' '.join(each.name for each in table)}" for match, table in TABLES],
)
def test_greedy_plays_in_every_language_what_it_plays_in_python(
    languages: Sequence[Language], match: str, tmp_path: Path, yardstick: Callable[[str], tuple[str, ...]]
) -> None:
    for language in languages:
        need(language)
    expected = yardstick(match)
    assert len(expected) > 100
    assert play(languages, match, tmp_path) == expected


def test_every_language_plays_every_match() -> None:
    assert all(
        {language for name, table in TABLES if name == match for language in table} == set(OTHERS)
        for match in MATCHES
    )
