"""Words and numbers of pages."""

from html import unescape

import pytest

from arena.pages.links import Links
from arena.pages.templates import render
from arena.v1 import bot_pb2, ending_pb2, ladder_pb2, match_pb2, time_control_pb2, tournament_pb2


def ladder(**clock: int) -> str:
    control = time_control_pb2.TimeControl(
        per_decision_ms=1500, strikes=2, absence_ms=30_000, hold_ms=5_000, seat_limit_ms=86_400_000
    )
    for name, value in clock.items():
        setattr(control, name, value)
    shown = ladder_pb2.Ladder(name="ladders/main", game="caravan", time_control=control)
    page = render(
        "ladder",
        Links("ladders/main"),
        titles={"caravan": "Caravan"},
        ladder=shown,
        chart=None,
        seasons=[],
        standings=[],
        next_page="",
        this_page="",
        running=[],
        matches=[],
    )
    return page.partition("<dt>clock</dt><dd>")[2].partition("<")[0]


@pytest.mark.parametrize(
    ("clock", "said"),
    [
        ({}, "1.5 s a decision, 2 strikes, 30 s of absence, 24 h for a seat"),
        ({"bank_ms": 60_000, "increment_ms": 50}, "a bank of 1 min, and 50 ms for each decision"),
        ({"strikes": 1, "grace_ms": 250}, "250 ms grace, 1 strike,"),
        ({"secret_pad_ms": 400}, "secret decisions take 400 ms"),
    ],
)
def test_a_clock_is_told_in_units_that_people_read(clock: dict[str, int], said: str) -> None:
    assert said in ladder(**clock)


def test_the_page_of_a_gate_has_verdict_numbers_and_the_curve_of_its_test() -> None:
    gate = tournament_pb2.Gate(
        bot="bots/mine",
        candidate=f"bots/mine/versions/{'cd' * 32}",
        incumbent=f"bots/mine/versions/{'ab' * 32}",
        verdict=tournament_pb2.Gate.VERDICT_UNDECIDED,
        set_ups=3,
        llr_milli=[100, 250, 200],
        lower_milli=-2944,
        upper_milli=2944,
        elo_milli=52_100,
        set_ups_left=130,
    )
    shown = tournament_pb2.Tournament(
        name="tournaments/gate-1",
        game="caravan",
        format=tournament_pb2.Tournament.FORMAT_GATE,
        state=tournament_pb2.Tournament.STATE_RUNNING,
        gate=gate,
    )
    shown.parameters.gate.elo1_milli = 20_000

    def page() -> str:
        return render(
            "tournament",
            Links("tournaments/gate-1"),
            titles={"caravan": "Caravan"},
            tournament=shown,
            parts_of_it=(),
            forms=(),
            size=tournament_pb2.PlanSize(),
            first_round=[],
            first_byes=[],
            with_points=False,
            with_progress=False,
            crosstable=tournament_pb2.GetCrosstableResponse(),
            ties=[],
            rounds=[],
            pairings=[],
            more_pairings=False,
        )

    found, ratio = page(), "0.20 (-2.94 to 2.94) for 0 against 20 Elo"
    for words in ("Not decided yet", "+52.1", ratio, "cdcdcdcdcdcd", "130 more"):
        assert words in found
    assert found.count("<polyline") == 1
    shown.ClearField("gate")
    assert "Comparison" not in page()


def test_the_page_of_a_bot_marks_the_version_that_plays() -> None:
    old, new = (bot_pb2.BotVersion(name=f"bots/mine/versions/{digits * 32}") for digits in ("ab", "cd"))
    bot = bot_pb2.Bot(name="bots/mine", versions=[new, old])

    def marks() -> list[str]:
        page = render(
            "bot",
            Links("bots/mine"),
            titles={},
            bot=bot,
            versions=bot.versions,
            places=[],
            freezes=[],
            charts=[],
            record=bot_pb2.GetBotRecordResponse(),
            matches=[],
        )
        rows = page.partition(">Versions</h2>")[2].split("<tr>")[2:]
        return [row.split("<td>")[2].removesuffix("</td>") for row in rows]

    assert marks() == ["", ""]
    bot.hosting.mode, bot.hosting.version = bot_pb2.Hosting.MODE_PINNED, old.name
    assert marks() == ["", "pinned"]
    bot.hosting.mode, bot.hosting.version = bot_pb2.Hosting.MODE_NEWEST, new.name
    assert marks() == ["newest", ""]
    bot.hosting.benched = "it failed"
    assert marks() == ["suspended", ""]


def match(
    state: match_pb2.MatchState.ValueType, ending: str, *seats: tuple[str, int, int]
) -> match_pb2.Match:
    made = match_pb2.Match(name="matches/7", game="caravan", state=state, ending=ending)
    for bot, placing, score in seats:
        seat = made.seats.add(bot=f"bots/{bot}", placing=placing, score=score)
        seat.ending.termination = ending_pb2.TERMINATION_NORMAL
    made.start_time.FromMilliseconds(1_000)
    made.end_time.FromMilliseconds(1_250)
    return made


def listed(made: match_pb2.Match) -> str:
    """Return the text of the line of a match."""
    page = render(
        "now", Links("now"), part=True, titles={"caravan": "Caravan"}, freezes=[], running=[], matches=[made]
    )
    row = page.rpartition("<tbody>")[2].replace("</td>", " ")
    return " ".join(unescape("".join(part.rpartition(">")[2] for part in row.split("<"))).split())


def test_a_match_in_a_list_has_places_and_scores() -> None:
    shown = listed(match(match_pb2.MATCH_STATE_FINISHED, "TURN_LIMIT", ("ant", 2, 5), ("bee", 1, 12)))
    assert shown == "7 - Caravan 1. bee (12), 2. ant (5) TURN_LIMIT 0.2 s"


def test_a_match_that_was_decided_by_forfeit_has_no_scores() -> None:
    shown = listed(match(match_pb2.MATCH_STATE_FINISHED, "LAST_STANDING", ("ant", 2, 5), ("bee", 1, 12)))
    assert "1. bee, 2. ant" in shown


def test_a_void_match_has_neither_places_nor_scores() -> None:
    shown = listed(match(match_pb2.MATCH_STATE_ABORTED, "TURN_LIMIT", ("ant", 2, 5), ("bee", 1, 12)))
    assert "bee, ant aborted" in shown
