"""The fair play report in a terminal: sentences, numbers, what it cannot see; and JSON with all of it."""

import json

import pytest

from arena.core.fair_play.thresholds import ALIKE as ALIKE_FROM
from arena.core.fair_play.thresholds import RARE
from tests.checkout import ROOT
from tests.unit.cli.screens import Screens, check_screens

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


def a_share(observed: str, expected: str) -> str:
    """Return a finding about third bots."""
    giving = f"way: WAY_THIRD_BOTS match_groups: 9 observed {{ {observed} }} expected: {expected}"
    return f'findings {{ one: "bots/a" other: "bots/b" giving {{ {giving} }} }}'


OVERLAP = "value: 1.01 low: 0.62 high: 1.4"
TRADES = """
    trades {
      one: "bots/ash" other: "bots/bay" matches: 7 offers: 12 accepted: 9 one_gifts: 8
      one_gave { key: "gold" value: 40 } one_gave { key: "salt" value: 2 } other_gave { key: "salt" value: 1 }
      look_at: ["matches/73", "matches/74"]
    }
    trades { one: "bots/bay" other: "bots/elm" matches: 1 offers: 1 look_at: "matches/5" }
"""
MANY = [f'trades {{ one: "bots/ash" other: "bots/bay-{n}" matches: 1 offers: 1 }}' for n in range(17)]
LADDER = "ladder fair-play main"
SCREENS: Screens = {
    "fair_play/worth_a_look": {"": (LADDER, {"GetFairPlayReport": a_report(LOOK, GIVES)})},
    "fair_play/nothing": {"": ("tournament fair-play spring", {"GetFairPlayReport": a_report(GIVES)})},
    "fair_play/trades": {"": (LADDER, {"GetFairPlayReport": a_report(GIVES, TRADES)})},
    "fair_play/overlap": {
        "rare, but not worth a look": (
            LADDER,
            {"GetFairPlayReport": a_report(ALIKE % ("UNREMARKABLE", OVERLAP, "1.6e-8"))},
        ),
        "common": (LADDER, {"GetFairPlayReport": a_report(ALIKE % ("UNREMARKABLE", OVERLAP, "0.5"))}),
    },
    "fair_play/left_out": {
        "": (LADDER, {"GetFairPlayReport": a_report(GIVES, *MANY, "trades_left_out: 40")}),
    },
    "fair_play/rounded_to_zero": {
        "": (
            LADDER,
            {"GetFairPlayReport": a_report(a_share("value: -0.001 low: -0.004 high: 0.004", "-0.002"))},
        ),
    },
}


@pytest.mark.parametrize("name", SCREENS)
def test_a_report_has_findings_numbers_and_limits_but_no_verdict(fake, ask, name):
    check_screens(name, SCREENS, fake, ask)


def test_the_page_names_the_bounds_of_the_report():
    page = (ROOT / "docs" / "fair_play.md").read_text()
    assert f"overlap is at least {ALIKE_FROM}." in page
    assert f"interval begins below {ALIKE_FROM}." in page
    assert f"at most {RARE} " in page


@pytest.mark.parametrize("group", ["ladder", "tournament"])
def test_a_report_as_json_has_all_numbers(fake, ask, group):
    fake.answers["GetFairPlayReport"] = a_report(LOOK, GIVES, TRADES)
    report = json.loads(ask(group, "fair-play", "main", "--format", "json").stdout)
    [alike, gives] = report["findings"]
    assert alike["agreement"]["overlap"]["low"] == 0.78
    assert gives["giving"]["way"] == "WAY_RESULTS"
    assert len(report["limits"]) == 1
    assert report["trades"][0]["one_gave"] == {"gold": 40, "salt": 2}
