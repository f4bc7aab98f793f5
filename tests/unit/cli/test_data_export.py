"""`arena data export`: what is asked, what is written, and what is refused (docs/data.md)."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from typer.testing import Result

from arena.codecs.shared_messages import time_control_message
from arena.match_log.reader import read_log
from arena.v1 import ending_pb2, export_pb2, match_pb2
from tests.checkout import ROOT
from tests.unit.cli.fake_arena import Answer, FakeArena, Refusal
from tests.unit.cli.programs import finish, start

LOG = (ROOT / "tests" / "data" / "logs" / "caravan-2-seats.arenalog").read_bytes()
Response = export_pb2.ExportMatchesResponse
LogState = export_pb2.ExportedMatch


def a_match(number: int) -> match_pb2.Match:
    """Return a finished match whose log is LOG."""
    read = read_log(LOG)
    return match_pb2.Match(
        name=f"matches/{number}",
        ladder="ladders/main",
        group="g1",
        game=read.setup.game,
        rules_version=1,
        time_control=time_control_message(read.setup.time_control),
        state=match_pb2.MATCH_STATE_FINISHED,
        seats=[
            match_pb2.MatchSeat(
                bot=f"bots/{seat.bot}",
                bot_version=f"bots/{seat.bot}/versions/{seat.version}",
                ending=ending_pb2.SeatEnding(termination=ending_pb2.TERMINATION_NORMAL),
            )
            for seat in read.setup.seats
        ],
        plies=len(read.plies),
        log=read.name,
    )


def sent(position: int, number: int, log: bytes = LOG, *, name: str = "", state: int = 1) -> list[Response]:
    """Return the responses of a match with its log in pieces."""
    message = a_match(number)
    message.log = name or message.log
    exported = export_pb2.ExportedMatch(match=message, log_state=LogState.LogState.ValueType(state))
    if state != LogState.LOG_STATE_PRESENT:
        return [Response(match=exported, cursor=position)]
    pieces = [log[start : start + 1_000] for start in range(0, len(log), 1_000)]
    last = len(pieces) - 1
    return [
        Response(match=exported),
        *(
            Response(log_chunk=piece, cursor=position if place == last else 0)
            for place, piece in enumerate(pieces)
        ),
    ]


Export = Callable[..., Result]


@pytest.fixture
def export(ask: Callable[..., Result], fake: FakeArena, tmp_path: Path) -> Export:
    """Return a function that exports to the folder of the test what an arena sends."""

    def run(answer: Answer, *options: str) -> Result:
        fake.answers = {"ExportMatches": answer}
        return ask("data", "export", "--to", str(tmp_path / "out"), *options)

    return run


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table in the one export of a folder."""
    (file,) = folder.glob(f"*/{table}.jsonl")
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_calls_follow_each_other_up_to_the_end_of_the_first(
    export: Export, fake: FakeArena, tmp_path: Path
) -> None:
    calls: Iterator[list[Response]] = iter(
        [
            [*sent(6, 1), Response(cursor=6, end=9)],
            [*sent(8, 2), Response(cursor=9, end=9)],
        ]
    )
    result = export(lambda _: next(calls), "--ladder", "main", "--since", "5")
    assert (result.exit_code, result.stdout) == (0, "9\n")
    assert fake.texts("ExportMatches") == [
        'cursor: 5 max_positions: 1000 ladder: "ladders/main"',
        'cursor: 6 max_positions: 1000 ladder: "ladders/main" until: 9',
    ]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["0000000005-0000000009"]
    assert [(row["match"], row["position"]) for row in rows(tmp_path / "out", "matches")] == [(1, 6), (2, 8)]
    plies = len(read_log(LOG).plies)
    assert [row["match"] for row in rows(tmp_path / "out", "decisions")] == [1] * plies + [2] * plies


def test_nothing_new_writes_no_folder(export: Export, fake: FakeArena, tmp_path: Path) -> None:
    result = export([Response(cursor=7, end=7)], "--since", "7")
    assert (result.exit_code, result.stdout) == (0, "7\n")
    assert not (tmp_path / "out").exists()


def test_a_match_without_its_log_has_no_decisions(export: Export, fake: FakeArena, tmp_path: Path) -> None:
    lines = [*sent(1, 1, state=3), *sent(2, 2, state=4), Response(cursor=2, end=2)]
    assert export(lines).exit_code == 0
    assert [row["log_state"] for row in rows(tmp_path / "out", "matches")] == ["REMOVED", "DAMAGED"]
    assert rows(tmp_path / "out", "decisions") == []
    (card,) = tmp_path.glob("out/*/data_card.json")
    assert json.loads(card.read_text())["log_states"] == {"DAMAGED": 1, "REMOVED": 1}


FAILURES: dict[str, tuple[list[Response], str]] = {
    "another log": ([*sent(1, 1, name="ab" * 32), Response(cursor=1, end=1)], "not the one"),
    "a damaged log": ([*sent(1, 1, LOG[:-9] + bytes(9)), Response(cursor=1, end=1)], "cannot be read"),
}


@pytest.mark.parametrize("why", FAILURES)
def test_a_log_that_is_not_what_the_arena_names_leaves_nothing(
    export: Export, tmp_path: Path, why: str
) -> None:
    lines, words = FAILURES[why]
    result = export(lines)
    assert result.exit_code == 1
    assert words in result.stderr
    assert not (tmp_path / "out").exists()


def test_an_export_that_is_cut_off_leaves_nothing(export: Export, fake: FakeArena, tmp_path: Path) -> None:
    def call(request: Any) -> Any:
        if request.cursor:
            return Refusal(grpc.StatusCode.UNAVAILABLE, "The arena is closing.")
        return [*sent(1, 1), Response(cursor=1, end=2)]

    assert export(call).exit_code != 0
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "options",
    [
        ["--key", "key"],
        ["--ladder", "main", "--tournament", "cup"],
        ["--ladder", "Main!"],
        ["--since", "-1"],
        ["--format", "csv"],
        ["--with", "everything"],
    ],
    ids=" ".join,
)
def test_options_that_make_no_sense_are_refused(export: Export, tmp_path: Path, options: list[str]) -> None:
    assert export([Response(cursor=1, end=1)], *options).exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_key_is_refused(export: Export, fake: FakeArena, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("not a key")
    result = export([], "--anonymous", "--key", str(tmp_path / "key"))
    assert result.exit_code == 1
    assert "64 hex digits" in result.stderr
    assert (tmp_path / "key").read_text() == "not a key"


WITHOUT = """
import sys

sys.modules["pyarrow"] = sys.modules["numpy"] = None
from arena.cli.app import main
sys.argv = ["arena", *sys.argv[1:]]
main()
"""
"""The command line without the packages of extras."""


@pytest.mark.parametrize(
    ("options", "extra"),
    [(["--format", "parquet"], "data"), (["--with", "observations"], "research"), ([], None)],
)
def test_what_an_extra_is_needed_for_says_so(
    fake: FakeArena, tmp_path: Path, options: list[str], extra: str | None
) -> None:
    fake.answers = {"ExportMatches": [*sent(1, 1), Response(cursor=1, end=1)]}
    command = ("--server", fake.address, "data", "export", "--to", str(tmp_path / "out"), *options)
    code, out, err = finish(start(*command, code=WITHOUT))
    if extra is None:
        assert (code, out) == (0, "1\n"), err
    else:
        assert code == 1
        assert f"'.[{extra}]'" in err
