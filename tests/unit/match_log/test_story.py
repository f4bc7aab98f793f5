from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from arena.codecs.codec import codec_for
from arena.core.endings import verdicts
from arena.core.match import (
    LAST_STANDING,
    Cause,
    MatchResult,
    MatchSetup,
    MatchState,
    NoteRecord,
    SeatResult,
)
from arena.core.ply import PlyRecord
from arena.drawings.drawing import drawing_for
from arena.drawings.narration import BoardFrequency
from arena.match_log.reader import MatchLog, read_log
from arena.match_report.story import ending_lines, story
from engine.game import Event
from tests.unit.core.causes import a_cause
from tests.unit.match_log.matches import a_match, a_setup, caravan_setup, logged
from tests.unit.match_log.pile import BID, CODEC, Drew, Piled, PileOptions, codecs

MS = 1_000_000
LOGS = Path(__file__).parents[2] / "data" / "logs"


def a_ply(seat: int, decision: int, action: int, used_ms: float, *events: Event, **more: Any) -> PlyRecord:
    ply = PlyRecord(
        seat,
        decision,
        action,
        Cause.CHOSEN,
        events,
        started_ns=0,
        used_ns=round(used_ms * MS),
        credit_ns=0,
        stall_ns=0,
        bank_ns=2_500 * MS,
        over_seat_limit=False,
        digest=b"",
    )
    return replace(ply, **more)


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

STORY = """\
Match 17: Pile, 2 seats
ladder main, group g5, rated; began 2027-01-15 08:00:00 UTC
Options: tokens 12
Clock: 1.00 s a decision, bank 3.00 s, increment 40 ms, 2 strikes allowed
Log NAME
Signed with key 653efecdf90ba33d by caravan-arena test
Seat 0, anna, version v1
Seat 1, bert, version v2

         12 tokens are piled up.
Seat 0, anna
      0  take:1                      0.4 ms
         Seat 0 drew a token worth 4.
Seat 1, bert
      1  take:2                      812 ms
         Seat 1 drew a token worth 1.
         Seat 1 drew a token worth 6.
      2  bid:7                      planned
         [900 ms, Seat 1, bert] illegal action: 5 tokens cannot be taken from 8
      3  take:1                       55 ms
         Default, the answer was not legal; strike 1, 2 allowed; bank 2.50 s
         [5.00 s] arena stalled
Seat 0, anna
      4  take:1                      4.10 s
         Default, no answer in time; strike 1, 2 allowed; bank 2.50 s
      5  take:1
         Default, the seat has forfeited

The match ended after 6 plies in 5.25 s: LAST_STANDING

 place  seat  bot   ended by     score  asked  thinking  longest  strikes
 ────────────────────────────────────────────────────────────────────────
     1     1  bert  NORMAL           -      2    867 ms   812 ms        1
     2     0  anna  RESIGNATION      -      3    4.10 s   4.10 s        1

Seat 0, anna: The bot resigned at decision 3.
Seat 1, bert: All other seats forfeited: this one was the last standing and is placed first.
"""


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
    assert told(a_setup(options=PileOptions(12))) == STORY


def test_colour_is_there_on_a_terminal_only() -> None:
    assert "\x1b[" in told(a_setup(), colour=True)
    assert "\x1b[" not in told(a_setup())


def test_under_other_rules_actions_are_told_as_numbers() -> None:
    story = told(a_setup(rules_version=2, options=PileOptions(12)))
    assert "take:" not in story
    assert f"      2  #{BID + 7}" in story


def test_from_where_the_log_does_not_fit_the_rules_actions_are_told_as_numbers() -> None:
    story = told(a_setup(options=PileOptions(3)))
    assert "      1  take:2 " in story
    assert f"      2  #{BID + 7} " in story


def test_a_void_match_says_why() -> None:
    result = replace(
        RESULT, state=MatchState.ABORTED, ending="", void_reason="Void by the arena's fault: it rained."
    )
    story = told(a_setup(ladder=None, replay=1, rated=False), result)
    assert "without a result after 6 plies in 5.25 s: Void by the arena's fault: it rained." in story
    assert "\ngroup g5, unrated, replay 1; began" in story


@pytest.mark.parametrize("seed_attempt", [0, 1], ids=["on the shared seed", "on another seed"])
def test_a_replay_says_which_one_it_is_and_which_match_it_is_played_instead_of(seed_attempt: int) -> None:
    story = told(a_setup(seed_attempt=seed_attempt, place=1, replay=2, replay_of=16))
    assert "group g5, rated, replay 2, played instead of match 16; began" in story


def test_names_that_look_like_markup_are_told_as_they_are() -> None:
    seats = (replace(a_setup().seats[0], bot="[red]x[/red]"), a_setup().seats[1])
    assert "Seat 0, [red]x[/red], version v1" in told(a_setup(seats=seats))


def test_where_the_terminal_is_narrow_names_are_cut_and_words_and_numbers_are_whole() -> None:
    long = replace(a_setup().seats[1], bot="a-bot-with-quite-a-long-name")
    table = told(a_setup(seats=(a_setup().seats[0], long)), width=76).split("LAST_STANDING")[1]
    assert "  a-bot…  NORMAL           -      2    867 ms   812 ms        1\n" in table
    assert "  anna    RESIGNATION      -      3    4.10 s   4.10 s        1\n" in table


def test_nobody_has_ended_by_the_rules_in_a_void_match() -> None:
    ending = verdicts.void(a_cause())
    seats = tuple(replace(seat, ending=ending, placing=0) for seat in RESULT.seats)
    void = replace(RESULT, state=MatchState.ABORTED, ending="", seats=seats, void_reason="The disk was full.")
    story = told(a_setup(), void)
    assert "NORMAL" not in story
    assert "void" in story


FORFEITS = read_log((LOGS / "caravan-4-seats-with-forfeits.arenalog").read_bytes())
SMOOTH = read_log((LOGS / "caravan-2-seats.arenalog").read_bytes())


def by_turns(boards: BoardFrequency, log: MatchLog = FORFEITS) -> str:
    """The story of a match of Caravan, as it is printed into a file."""
    console = Console(file=StringIO(), width=80, color_system=None)
    for part in story(log, codec_for("caravan"), drawing_for("caravan"), boards):
        console.print(part, highlight=False)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_a_match_is_told_turn_by_turn_with_what_went_wrong_in_passing() -> None:
    story = by_turns(BoardFrequency.NEVER)
    assert (
        "Turn 3 · planner · 3 points · 48 ms\n   Places a camel on (5) and picks up salt on (5).\n" in story
    )
    words = " ".join(story.split())
    assert (
        "The answer of greedy was not legal (it could not be read): the default was played, strike 1" in words
    )
    assert "planner loses its connection." in words
    assert "planner forfeits. The connection was lost and decision 37 stayed open" in words
    assert (
        "greedy gave no answer in time: the default was played, strike 2 (2 allowed); bank 0.0 ms." in words
    )
    assert "has forfeited: the arena plays its defaults" in words
    assert "┌" not in story


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
def test_the_board_is_drawn_as_often_as_one_likes(boards: BoardFrequency, least: int, most: int) -> None:
    assert least <= by_turns(boards).count("┌") <= most


def test_after_every_action_means_every_action() -> None:
    assert by_turns(BoardFrequency.EVERY, SMOOTH).count("┌") == 1 + len(SMOOTH.plies)


def test_a_thought_that_took_from_the_bank_is_told() -> None:
    match = a_match(3, setup=caravan_setup(2), codec=codec_for("caravan"))
    records = list(match.records)
    first = records[0]
    assert isinstance(first, PlyRecord)
    records[0] = replace(first, used_ns=1_500 * MS, bank_ns=2_500 * MS)
    log = logged(match.setup, tuple(records), match.result, set_up=match.set_up, codec=codec_for("caravan"))
    told_now = " ".join(by_turns(BoardFrequency.NEVER, read_log(log.data)).split())
    assert "Thought 1.50 s over one decision: 500 ms from the bank, 2.50 s left." in told_now


def test_a_thought_over_a_plan_took_only_what_its_actions_have_not_for_free() -> None:
    """docs/protocol.md, "The clock": charged against m times per_decision, which is 1 s here."""
    match = a_match(3, setup=caravan_setup(2), codec=codec_for("caravan"))
    records = list(match.records)
    # Two actions of turn 3 as if they had been one plan.
    first, second = (record for record in records[2:4] if isinstance(record, PlyRecord))
    assert first.seat == second.seat
    for used_ms, told_so in (
        (2_500, ["Thought 2.50 s over one plan of 2 actions: 500 ms from the bank, 2.58 s left."]),
        (2_000, []),
    ):
        records[2] = replace(first, used_ns=used_ms * MS, bank_ns=2_580 * MS)
        records[3] = replace(second, decision=first.decision, used_ns=0)
        log = logged(
            match.setup, tuple(records), match.result, set_up=match.set_up, codec=codec_for("caravan")
        )
        told_now = " ".join(by_turns(BoardFrequency.NEVER, read_log(log.data)).split())
        assert [sentence for sentence in told_so if sentence in told_now] == told_so
        assert told_now.count("Thought") == len(told_so)


def test_a_match_of_one_seat_tells_its_level_and_a_forfeited_one_has_none() -> None:
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
