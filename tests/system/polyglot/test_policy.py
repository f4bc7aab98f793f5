"""The greedy bots of all languages follow docs/bots/greedy.md to the letter: the same seeds, the same logs.

Each match is played by `arena play`, every seat a process of its own, over real gRPC.
"""

import functools
import shlex
from collections.abc import Callable
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


def play(language: Language, match: str, folder: Path) -> tuple[str, ...]:
    """Return the records of a match of this language's greedy on every seat, without its times."""
    seats, options = MATCHES[match]
    log = folder / f"{language.name}-{seats}-{len(options)}.arenalog"
    seed = sha256(match.encode()).hexdigest()
    bots = [shlex.join(language.program("greedy"))] * seats
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
    return functools.cache(lambda match: play(PYTHON, match, folder))


@pytest.mark.parametrize("match", MATCHES)
@pytest.mark.parametrize("language", OTHERS, ids=lambda language: language.name)
def test_greedy_plays_in_every_language_what_it_plays_in_python(
    language: Language, match: str, tmp_path: Path, yardstick: Callable[[str], tuple[str, ...]]
) -> None:
    need(language)
    expected = yardstick(match)
    assert len(expected) > 100
    assert play(language, match, tmp_path) == expected
