"""The fair play report in a terminal: sentences, numbers, what it cannot see; and JSON with all of it."""

from __future__ import annotations

import json

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from arena.core.fair_play.thresholds import ALIKE as ALIKE_FROM
from arena.core.fair_play.thresholds import RARE
from arena.v1 import fair_play_pb2
from tests.checkout import ROOT
from tests.unit.cli.screens import check_screen

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
    check_screen("fair_play/worth_a_look", ask("ladder", "fair-play", "main"))


def test_where_nothing_stands_out_that_is_said_and_that_it_proves_nothing(fake, ask):
    fake.answers["GetFairPlayReport"] = a_report(GIVES)
    check_screen("fair_play/nothing", ask("tournament", "fair-play", "spring"))
    assert fake.requests("GetFairPlayReport")[0].name == "tournaments/spring"


def test_the_page_names_the_bounds_by_which_report_and_table_say_what_is_worth_a_look():
    page = (ROOT / "docs" / "fair_play.md").read_text()
    assert f"at least {ALIKE_FROM}." in page
    assert f"begins below {ALIKE_FROM}." in page
    assert RARE == 0.01


def test_a_rare_pair_that_is_not_worth_a_look_shows_the_interval_of_its_overlap(fake, ask):
    wide = Finding()
    wide.CopyFrom(ALIKE)
    wide.weight = Finding.WEIGHT_UNREMARKABLE
    wide.agreement.overlap.CopyFrom(share(1.01, 0.62, 1.4))
    fake.answers["GetFairPlayReport"] = a_report(wide)

    shown = ask("ladder", "fair-play", "main").stdout

    interval = "0.62 to 1.40"
    assert interval in shown
    fake.answers["GetFairPlayReport"] = a_report(ALIKE)
    assert interval not in ask("ladder", "fair-play", "main").stdout
    wide.agreement.chance.corrected = 0.5
    fake.answers["GetFairPlayReport"] = a_report(wide)
    assert interval not in ask("ladder", "fair-play", "main").stdout


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
    assert len(report["limits"]) == 1


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
    check_screen("fair_play/trades", ask("ladder", "fair-play", "main"))
    document = json.loads(ask("ladder", "fair-play", "main", "--format", "json").stdout)
    assert document["trades"][0]["one_gave"] == gives


def test_pairs_with_trades_that_are_not_shown_are_counted(fake, ask):
    answer = a_report(GIVES)
    for number in range(17):
        answer.report.trades.add(one="bots/ash", other=f"bots/bay-{number}", matches=1, offers=1)
    answer.report.trades_left_out = 40
    fake.answers["GetFairPlayReport"] = answer
    words = " ".join(ask("ladder", "fair-play", "main").stdout.split())
    assert "2 more pairs" in words
    assert "40 pairs" in words


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
