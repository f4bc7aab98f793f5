"""The fair play report in a terminal: sentences, numbers, what it cannot see; and JSON with all of it."""

import json

import pytest

from arena.core.fair_play.thresholds import ALIKE as ALIKE_FROM
from arena.core.fair_play.thresholds import RARE
from tests.checkout import ROOT
from tests.unit.cli.screens import check_screen

ALIKE = """
    findings {
      one: "bots/ash" other: "bots/bay" weight: WEIGHT_%s
      sentence: "In the very same position, ash and bay chose [the same]."
      innocent_reasons: "Both may be made from the same sample bot." matches: ["matches/73", "matches/74"]
      agreement {
        likeness: LIKENESS_POSITION situations: 162 choices: 162 match_groups: 3
        agreement { value: 1 low: 0.82 high: 1 } expected: 0.4 overlap { %s }
        chance { alone: 1e-10 corrected: %s }
      }
    }
"""
LOOK = ALIKE % ("WORTH_A_LOOK", "value: 1 low: 0.78 high: 1", "1.6e-8")
GIVES = """
    findings {
      one: "bots/elm" other: "bots/ash" weight: WEIGHT_UNREMARKABLE sentence: "elm scored 40 %."
      giving {
        way: WAY_RESULTS match_groups: 8 other_match_groups: 24 observed { value: 0.4 low: 0.2 high: 0.6 }
        expected: 0.5 chance { alone: 0.004 corrected: 0.036 }
      }
    }
"""


def a_report(*parts: str) -> str:
    return f"""
        report {{
          name: "ladders/main" matches: 36 matches_read: 34 first_time {{ seconds: 1795254000 }}
          last_time {{ seconds: 1795257600 }} bots: 4 findings_left_out: 7
          limits: "The decisions of 2 of 36 matches could not be read." {" ".join(parts)}
        }}
    """


def test_findings_have_sentences_reasons_matches_and_no_verdict(fake, ask):
    fake.answers["GetFairPlayReport"] = a_report(LOOK, GIVES)
    check_screen("fair_play/worth_a_look", ask("ladder", "fair-play", "main"))


def test_a_report_without_findings_says_so_and_that_it_proves_nothing(fake, ask):
    fake.answers["GetFairPlayReport"] = a_report(GIVES)
    check_screen("fair_play/nothing", ask("tournament", "fair-play", "spring"))
    assert fake.requests("GetFairPlayReport")[0].name == "tournaments/spring"


def test_the_page_names_the_bounds_by_which_report_and_table_say_what_is_worth_a_look():
    page = (ROOT / "docs" / "fair_play.md").read_text()
    assert f"overlap is at least {ALIKE_FROM}." in page
    assert f"interval begins below {ALIKE_FROM}." in page
    assert f"at most {RARE} " in page


def test_a_rare_pair_that_is_not_worth_a_look_shows_the_interval_of_its_overlap(fake, ask):
    overlap = "value: 1.01 low: 0.62 high: 1.4"
    rare, common = (ALIKE % ("UNREMARKABLE", overlap, chance) for chance in ("1.6e-8", "0.5"))
    for findings, shown in ((rare, True), (LOOK, False), (common, False)):
        fake.answers["GetFairPlayReport"] = a_report(findings)
        assert ("0.62 to 1.40" in ask("ladder", "fair-play", "main").stdout) is shown


def test_bots_and_matches_are_asked_for(fake, ask):
    fake.answers["GetFairPlayReport"] = a_report()
    ask("ladder", "fair-play", "main", "--bots", "ash, bay", "--matches", "50")
    [request] = fake.requests("GetFairPlayReport")
    assert list(request.bots) == ["bots/ash", "bots/bay"]
    assert request.matches == 50


@pytest.mark.parametrize("group", ["ladder", "tournament"])
def test_programs_get_all_of_it(fake, ask, group):
    fake.answers["GetFairPlayReport"] = a_report(LOOK, GIVES)
    report = json.loads(ask(group, "fair-play", "main", "--format", "json").stdout)
    [alike, gives] = report["findings"]
    assert alike["agreement"]["overlap"]["low"] == 0.78
    assert gives["giving"]["way"] == "WAY_RESULTS"
    assert len(report["limits"]) == 1


def test_trades_are_a_line_for_each_two_bots_with_gifts_and_matches_to_look_at(fake, ask):
    trades = """
        trades {
          one: "bots/ash" other: "bots/bay" matches: 7 offers: 12 accepted: 9 one_gifts: 8
          one_gave { key: "gold" value: 40 } one_gave { key: "salt" value: 2 } other_gave { key: "salt" value: 1 }
          look_at: ["matches/73", "matches/74"]
        }
        trades { one: "bots/bay" other: "bots/elm" matches: 1 offers: 1 look_at: "matches/5" }
    """
    fake.answers["GetFairPlayReport"] = a_report(GIVES, trades)
    check_screen("fair_play/trades", ask("ladder", "fair-play", "main"))
    document = json.loads(ask("ladder", "fair-play", "main", "--format", "json").stdout)
    assert document["trades"][0]["one_gave"] == {"gold": 40, "salt": 2}


def test_pairs_with_trades_that_are_not_shown_are_counted(fake, ask):
    trades = [f'trades {{ one: "bots/ash" other: "bots/bay-{n}" matches: 1 offers: 1 }}' for n in range(17)]
    fake.answers["GetFairPlayReport"] = a_report(GIVES, *trades, "trades_left_out: 40")
    words = " ".join(ask("ladder", "fair-play", "main").stdout.split())
    assert "2 more pairs" in words
    assert "40 pairs" in words


def test_a_share_that_rounds_to_nothing_is_no_minus_nothing(fake, ask):
    observed = "observed { value: -0.001 low: -0.004 high: 0.004 } expected: -0.002"
    giving = f"giving {{ way: WAY_THIRD_BOTS match_groups: 9 {observed} }}"
    fake.answers["GetFairPlayReport"] = a_report(f'findings {{ one: "bots/a" other: "bots/b" {giving} }}')
    words = " ".join(ask("ladder", "fair-play", "main").stdout.split())
    assert "third bots 0 % (0 to 0) 0 % 9" in words


def test_without_trades_nothing_is_said_of_them(fake, ask):
    fake.answers["GetFairPlayReport"] = a_report(GIVES)
    assert "Trades" not in ask("ladder", "fair-play", "main").stdout
