from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from arena.codecs.codec import codec_for
from arena.core.endings import verdicts
from arena.core.match import LAST_STANDING, Cause, MatchResult, MatchSetup, MatchState, NoteRecord, SeatResult
from arena.core.ply import PlyRecord
from arena.drawings.drawing import drawing_for
from arena.drawings.narration import BoardFrequency
from arena.match_log.reader import MatchLog, read_log
from arena.match_report.story import ending_lines, story
from engine.game import Event
from tests.unit.cli.screens import check_screen
from tests.unit.core.causes import a_cause
from tests.unit.match_log.matches import A_PLY, a_match, a_setup, caravan_setup, logged
from tests.unit.match_log.pile import BID, CODEC, Drew, Piled, PileOptions, codecs

MS = 1_000_000
LOGS = Path(__file__).parents[2] / "data" / "logs"


def a_ply(seat: int, decision: int, action: int, used_ms: float, *events: Event, **more: Any) -> PlyRecord:
    used_ns = round(used_ms * MS)
    ply = replace(A_PLY, seat=seat, decision=decision, action=action, used_ns=used_ns, events=events)
    return replace(ply, bank_ns=2_500 * MS, **more)


PLIES = (
    a_ply(0, 1, 1, 0.44, Drew(0, 4)),
    a_ply(1, 1, 2, 812, Drew(1, 1), Drew(1, 6)),
    a_ply(1, 1, BID + 7, 0),
    NoteRecord(900 * MS, 1, "illegal_action", "5 tokens cannot be taken from 8"),
    a_ply(1, 2, 1, 55, cause=Cause.ILLEGAL_ACTION),
    NoteRecord(5_000 * MS, None, "arena_stalled", ""),
    a_ply(0, 2, 1, 4_100, cause=Cause.TIME_FORFEIT),
    a_ply(0, 0, 1, 0, cause=Cause.FORFEITED),
)
RESULT = MatchResult(
    MatchState.FINISHED,
    LAST_STANDING,
    6,
    (
        SeatResult(2, 0, verdicts.resignation(3), 3, 4_100 * MS, 4_100 * MS, 1),
        SeatResult(1, 0, verdicts.last_standing(2), 2, 867 * MS, 812 * MS, 1),
    ),
    duration_ns=5_250 * MS,
    void_reason="",
    digest=b"12345678",
)


def told(setup: MatchSetup, result: MatchResult = RESULT, *, colour: bool = False, width: int = 100) -> str:
    finished = logged(setup, PLIES, result, set_up=(Piled(12),))
    out = StringIO()
    console = Console(
        file=out, width=width, force_terminal=colour, color_system="standard" if colour else None
    )
    for part in story(read_log(finished.data, codecs), CODEC, None):
        console.print(part)
    lines = out.getvalue().replace(finished.name, "NAME").splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def test_a_log_reads_like_a_story() -> None:
    check_screen(
        "story",
        {"by action": told(a_setup(options=PileOptions(12))), "by turn": by_turns(BoardFrequency.NEVER)},
    )


def test_colour_is_there_on_a_terminal_only() -> None:
    assert "\x1b[" in told(a_setup(), colour=True)
    assert "\x1b[" not in told(a_setup())


def test_under_other_rules_actions_are_numbers() -> None:
    story = told(a_setup(rules_version=2, options=PileOptions(12)))
    assert "take:" not in story
    assert f"      2  #{BID + 7}" in story


def test_from_where_the_log_does_not_fit_the_rules_actions_are_numbers() -> None:
    story = told(a_setup(options=PileOptions(3)))
    assert "      1  take:2 " in story
    assert f"      2  #{BID + 7} " in story


def test_a_void_match_says_why() -> None:
    result = replace(RESULT, state=MatchState.ABORTED, ending="", void_reason="It rained.")
    story = told(a_setup(ladder=None, replay=1, rated=False), result)
    assert "5.25 s: It rained." in story
    assert "\ngroup g5, unrated, replay 1; " in story


@pytest.mark.parametrize("seed_attempt", [0, 1], ids=["on the shared seed", "on another seed"])
def test_a_replay_says_which_one_it_is_and_which_match_it_is_played_instead_of(seed_attempt: int) -> None:
    story = told(a_setup(seed_attempt=seed_attempt, place=1, replay=2, replay_of=16))
    assert all(part in story for part in ("group g5", "replay 2", "match 16"))


def test_names_that_look_like_markup_are_printed_as_they_are() -> None:
    seats = (replace(a_setup().seats[0], bot="[red]x[/red]"), a_setup().seats[1])
    assert "Seat 0, [red]x[/red], version v1" in told(a_setup(seats=seats))


def test_where_the_terminal_is_narrow_names_are_cut_and_words_and_numbers_are_whole() -> None:
    long = replace(a_setup().seats[1], bot="a-bot-with-quite-a-long-name")
    table = told(a_setup(seats=(a_setup().seats[0], long)), width=76).split("LAST_STANDING")[1]
    assert "  a-bot…  NORMAL           -      2    867 ms   812 ms        1\n" in table
    assert "  anna    RESIGNATION      -      3    4.10 s   4.10 s        1\n" in table


def test_no_seat_of_a_void_match_ends_normally() -> None:
    ending = verdicts.void(a_cause())
    seats = tuple(replace(seat, ending=ending, placing=0) for seat in RESULT.seats)
    void = replace(RESULT, state=MatchState.ABORTED, ending="", seats=seats, void_reason="The disk was full.")
    story = told(a_setup(), void)
    assert "NORMAL" not in story
    assert "void" in story


FORFEITS = read_log((LOGS / "caravan-4-seats-with-forfeits.arenalog").read_bytes())
SMOOTH = read_log((LOGS / "caravan-2-seats.arenalog").read_bytes())


def by_turns(boards: BoardFrequency, log: MatchLog = FORFEITS) -> str:
    """Return the story of a match of Caravan, as it is printed into a file."""
    console = Console(file=StringIO(), width=80, color_system=None)
    for part in story(log, codec_for("caravan"), drawing_for("caravan"), boards):
        console.print(part, highlight=False)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_no_line_of_the_story_is_wider_than_80_columns_or_ends_in_blanks_but_for_the_table() -> None:
    lines = by_turns(BoardFrequency.MOMENTS).split("The match ended after")[0].splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if line != line.rstrip() and "│" not in line and "Turn" in line] == []


@pytest.mark.parametrize(
    ("boards", "least", "most"),
    [
        (BoardFrequency.NEVER, 0, 0),
        (BoardFrequency.END, 1, 1),
        (BoardFrequency.MOMENTS, 3, 20),
        (BoardFrequency.TURNS, 90, 111),
    ],
)
def test_the_board_is_drawn_as_often_as_asked_for(boards: BoardFrequency, least: int, most: int) -> None:
    assert least <= by_turns(boards).count("┌") <= most


def test_after_every_action_means_every_action() -> None:
    assert by_turns(BoardFrequency.EVERY, SMOOTH).count("┌") == 1 + len(SMOOTH.plies)


def test_a_thought_that_took_from_the_bank_is_shown() -> None:
    match = a_match(3, setup=caravan_setup(2), codec=codec_for("caravan"))
    records = list(match.records)
    first = records[0]
    assert isinstance(first, PlyRecord)
    records[0] = replace(first, used_ns=1_500 * MS, bank_ns=2_500 * MS)
    log = logged(match.setup, tuple(records), match.result, set_up=match.set_up, codec=codec_for("caravan"))
    told_now = " ".join(by_turns(BoardFrequency.NEVER, read_log(log.data)).split())
    assert all(part in told_now for part in ("Thought 1.50 s", "500 ms from the bank", "2.50 s left"))


def test_a_thought_over_a_plan_took_only_what_its_actions_have_not_for_free() -> None:
    """docs/protocol.md, "The clock": charged against m times per_decision, which is 1 s here."""
    match = a_match(3, setup=caravan_setup(2), codec=codec_for("caravan"))
    records = list(match.records)
    # Two actions of turn 3 as if they had been one plan.
    first, second = (record for record in records[2:4] if isinstance(record, PlyRecord))
    assert first.seat == second.seat
    for used_ms, parts in ((2_500, ["Thought 2.50 s", "2 actions", "500 ms", "2.58 s left"]), (2_000, [])):
        records[2] = replace(first, used_ns=used_ms * MS, bank_ns=2_580 * MS)
        records[3] = replace(second, decision=first.decision, used_ns=0)
        log = logged(
            match.setup, tuple(records), match.result, set_up=match.set_up, codec=codec_for("caravan")
        )
        told_now = " ".join(by_turns(BoardFrequency.NEVER, read_log(log.data)).split())
        assert [part for part in parts if part in told_now] == parts
        assert told_now.count("Thought") == bool(parts)


def test_a_match_of_one_seat_shows_its_level_and_a_forfeited_one_has_none() -> None:
    """S43."""
    codec = codec_for("caravanserai")
    game = codec.game
    setup = replace(
        a_setup(seats=a_setup().seats[:1]),
        game="caravanserai",
        rules_version=game.spec.rules_version,
        options=game.options(1, {}),
    )
    played = a_match(1, setup=setup, codec=codec)
    score = played.result.seats[0].score
    assert game.level(score)
    read = read_log(played.log.data)
    assert f"Level: {game.level(score)}" in "\n".join(map(str, ending_lines(read, game)))
    given_up = replace(played.result.seats[0], ending=verdicts.resignation(4))
    lost = replace(read, result=replace(read.result, seats=(given_up,)))
    assert "Level:" not in "\n".join(map(str, ending_lines(lost, game)))
