"""The fair play report in a terminal: sentences, numbers, what it cannot see; and JSON with all of it."""

from __future__ import annotations

import json

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from arena.core.fair_play.thresholds import ALIKE as ALIKE_FROM
from arena.core.fair_play.thresholds import RARE
from arena.v1 import fair_play_pb2
from tests.checkout import ROOT

Finding = fair_play_pb2.FairPlayFinding


def share(value: float, low: float, high: float) -> fair_play_pb2.FairPlayShare:
    return fair_play_pb2.FairPlayShare(value=value, low=low, high=high)


ALIKE = Finding(
    one="bots/ash",
    other="bots/bay",
    weight=Finding.WEIGHT_WORTH_A_LOOK,
    sentence="In the very same position, ash and bay chose [the same].",
    innocent_reasons=["Both may be made from the same sample bot."],
    matches=["matches/73", "matches/74"],
    agreement=fair_play_pb2.AgreementNumbers(
        likeness=fair_play_pb2.AgreementNumbers.LIKENESS_POSITION,
        situations=162,
        choices=162,
        match_groups=3,
        agreement=share(1, 0.82, 1),
        expected=0.4,
        overlap=share(1, 0.78, 1),
        chance=fair_play_pb2.FairPlayChance(alone=1e-10, corrected=1.6e-8),
    ),
)
GIVES = Finding(
    one="bots/elm",
    other="bots/ash",
    weight=Finding.WEIGHT_UNREMARKABLE,
    sentence="elm scored 40 %.",
    giving=fair_play_pb2.GivingNumbers(
        way=fair_play_pb2.GivingNumbers.WAY_RESULTS,
        match_groups=8,
        other_match_groups=24,
        observed=share(0.4, 0.2, 0.6),
        expected=0.5,
        chance=fair_play_pb2.FairPlayChance(alone=0.004, corrected=0.036),
    ),
)


def a_report(*findings: fair_play_pb2.FairPlayFinding) -> fair_play_pb2.GetFairPlayReportResponse:
    return fair_play_pb2.GetFairPlayReportResponse(
        report=fair_play_pb2.FairPlayReport(
            name="ladders/main",
            matches=36,
            matches_read=34,
            first_time=Timestamp(seconds=1_795_254_000),
            last_time=Timestamp(seconds=1_795_257_600),
            bots=4,
            findings=findings,
            findings_left_out=7,
            limits=["The decisions of 2 of 36 matches could not be read."],
        )
    )


def test_what_is_worth_a_look_is_told_in_sentences_with_reasons_matches_and_no_verdict(fake, ask):
    fake.answers["GetFairPlayReport"] = a_report(ALIKE, GIVES)
    done = ask("ladder", "fair-play", "main")
    assert done.exit_code == 0
    words = " ".join(done.stdout.split())
    assert "1 thing is worth a look. None of this is a verdict" in words
    assert "1. In the very same position, ash and bay chose [the same]." in words
    assert "perhaps Both may be made from the same sample bot." in words
    assert "look at match 73, match 74" in words
    assert 'test it arena log replay MATCH --as ash --bot "COMMAND of bay"' in words
    assert "Reading up to 500 matches" in done.stderr
    assert "ash bay same position 100 % (82 to 100) 40 % 1.00 <0.01 % 3 worth a look" in words
    assert "elm ash results against 40 % (20 to 60) 50 % 3.6 % 8 nothing unusual" in words
    assert "7 weaker lines are left out" in words
    assert "- The decisions of 2 of 36 matches could not be read." in words


def test_where_nothing_stands_out_that_is_said_and_that_it_proves_nothing(fake, ask):
    fake.answers["GetFairPlayReport"] = a_report(GIVES)
    words = " ".join(ask("tournament", "fair-play", "spring").stdout.split())
    assert "Nothing stands out. That proves nothing either way" in words
    assert fake.requests("GetFairPlayReport")[0].name == "tournaments/spring"


def test_the_page_names_the_bounds_by_which_report_and_table_say_what_is_worth_a_look():
    page = (ROOT / "docs" / "fair_play.md").read_text()
    assert f"at least {ALIKE_FROM}." in page
    assert f"(one percent, an overlap of {ALIKE_FROM}," in page
    assert RARE == 0.01


def test_a_rare_pair_that_is_not_worth_a_look_shows_the_interval_of_its_overlap(fake, ask):
    wide = Finding()
    wide.CopyFrom(ALIKE)
    wide.weight = Finding.WEIGHT_UNREMARKABLE
    wide.agreement.overlap.CopyFrom(share(1.01, 0.62, 1.4))
    fake.answers["GetFairPlayReport"] = a_report(wide)

    words = " ".join(ask("ladder", "fair-play", "main").stdout.split())

    why = "ash and bay: the overlap of 1.01 may be anything from 0.62 to 1.40; it is worth a look where that begins"
    assert f"{why} at 0.7 or above." in words
    fake.answers["GetFairPlayReport"] = a_report(ALIKE)
    assert "may be anything" not in ask("ladder", "fair-play", "main").stdout
    wide.agreement.chance.corrected = 0.5
    fake.answers["GetFairPlayReport"] = a_report(wide)
    assert "may be anything" not in ask("ladder", "fair-play", "main").stdout


def test_bots_and_matches_are_asked_for(fake, ask):
    fake.answers["GetFairPlayReport"] = a_report()
    ask("ladder", "fair-play", "main", "--bots", "ash, bay", "--matches", "50")
    [request] = fake.requests("GetFairPlayReport")
    assert list(request.bots) == ["bots/ash", "bots/bay"]
    assert request.matches == 50


@pytest.mark.parametrize("group", ["ladder", "tournament"])
def test_programs_get_all_of_it(fake, ask, group):
    fake.answers["GetFairPlayReport"] = a_report(ALIKE, GIVES)
    report = json.loads(ask(group, "fair-play", "main", "--format", "json").stdout)
    [alike, gives] = report["findings"]
    assert alike["agreement"]["overlap"]["low"] == 0.78
    assert gives["giving"]["way"] == "WAY_RESULTS"
    assert report["limits"] == ["The decisions of 2 of 36 matches could not be read."]


def test_trades_are_a_line_for_each_two_bots_with_gifts_and_matches_to_look_at(fake, ask):
    answer = a_report(GIVES)
    gives = {"gold": 40, "salt": 2}
    answer.report.trades.add(
        one="bots/ash",
        other="bots/bay",
        matches=7,
        offers=12,
        accepted=9,
        one_gifts=8,
        one_gave=gives,
        other_gave={"salt": 1},
        look_at=["matches/73", "matches/74"],
    )
    answer.report.trades.add(one="bots/bay", other="bots/elm", matches=1, offers=1, look_at=["matches/5"])
    fake.answers["GetFairPlayReport"] = answer
    words = " ".join(ask("ladder", "fair-play", "main").stdout.split())
    assert (
        "- ash and bay, 7 matches (look at 73, 74): 9 of 12 offers accepted; ash gave 40 gold + 2 salt, bay gave "
        "1 salt; 8 gifts of ash" in words
    )
    assert "- bay and elm, 1 match (look at 5): 0 of 1 offer accepted What" in words
    document = json.loads(ask("ladder", "fair-play", "main", "--format", "json").stdout)
    assert document["trades"][0]["one_gave"] == gives


def test_pairs_with_trades_that_are_not_shown_are_counted(fake, ask):
    answer = a_report(GIVES)
    for number in range(17):
        answer.report.trades.add(one="bots/ash", other=f"bots/bay-{number}", matches=1, offers=1)
    answer.report.trades_left_out = 40
    fake.answers["GetFairPlayReport"] = answer
    words = " ".join(ask("ladder", "fair-play", "main").stdout.split())
    assert "2 more pairs in JSON. 40 pairs with no more gifts to one side left out here; --bots" in words


def test_a_share_that_rounds_to_nothing_is_no_minus_nothing(fake, ask):
    nothing = fair_play_pb2.GivingNumbers(
        way=fair_play_pb2.GivingNumbers.WAY_THIRD_BOTS,
        match_groups=9,
        observed=share(-0.001, -0.004, 0.004),
        expected=-0.002,
    )
    fake.answers["GetFairPlayReport"] = a_report(Finding(one="bots/a", other="bots/b", giving=nothing))
    words = " ".join(ask("ladder", "fair-play", "main").stdout.split())
    assert "third bots 0 % (0 to 0) 0 % 9" in words


def test_without_trades_nothing_is_said_of_them(fake, ask):
    fake.answers["GetFairPlayReport"] = a_report(GIVES)
    assert "Trades" not in ask("ladder", "fair-play", "main").stdout
