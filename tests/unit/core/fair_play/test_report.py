"""What is worth a look comes first, in words that accuse nobody, and with what the report cannot see."""

import re
from dataclasses import replace

from arena.core.fair_play.agreement import Agreement
from arena.core.fair_play.choice import Likeness
from arena.core.fair_play.co_activity import CoActivity
from arena.core.fair_play.favours import Favour, FavourKind
from arena.core.fair_play.finding import SharedVersion, Weight, finding
from arena.core.fair_play.report import Evidence, Participant, Report, VersionSeen, report
from arena.sdk import Bot
from tests.unit.core.fair_play.leagues import a_league, results, taste

ALIKE = Agreement(
    *("ash", "bay", Likeness.POSITION, 170, 170, 3, 1.0, 0.8, 1.0, 0.2),
    *(1e-9, 1e-7, 1.0, 0.8, 1.0, (3, 4)),
)
GIVES = Favour(FavourKind.RESULTS, "ash", "bay", 8, 24, 0.0, 0.0, 0.3, 0.8, (5,), 1e-6, 1e-4)
SAME = SharedVersion("ash", "bay", "ab" * 32, True, "python", 2)
TURNS = CoActivity("ash", "bay", 30, 0.0, 0.5, 0.001, 1.0, 0.001, 1.0)
POLICIES = {"ash": taste("ash"), "bay": taste("ash"), "elm": taste("elm"), "fir": taste("fir")}

ACCUSING = re.compile(r"cheat|collu|guilt|fraud|suspic|offend|culprit|dishonest|liar|caught", re.IGNORECASE)


def evidence(owners: dict[str, str], versions: dict[str, VersionSeen] | None = None) -> Evidence:
    shown = versions or {}
    return Evidence(
        tuple(
            Participant(bot, owner, (shown[bot],) if bot in shown else ()) for bot, owner in owners.items()
        ),
        tuple(results(dict.fromkeys(POLICIES, 0.0), 1, groups=6)),
        {Likeness.ACTIONS: a_league(POLICIES, 1)},
        30,
    )


OWNERS = {"ash": "ada", "bay": "bob", "elm": "ada", "fir": "cid"}


def worth(made: Report) -> set[tuple[str, str]]:
    return {(each.one, each.other) for each in made.findings if each.weight is Weight.WORTH_A_LOOK}


def test_no_word_of_the_report_accuses() -> None:
    for numbers in (ALIKE, GIVES, SAME, TURNS, replace(SAME, submitted=False)):
        for same_owner in (False, True):
            found = finding(numbers, same_owner=same_owner, supported=True)
            for words in (found.sentence, *found.innocent_reasons):
                assert not ACCUSING.search(words)
                assert words.endswith(".")
            assert found.innocent_reasons
    assert not any(ACCUSING.search(limit) for limit in report(evidence(OWNERS)).limits)


def test_two_that_decide_alike_are_worth_a_look_unless_they_belong_to_one_owner() -> None:
    assert worth(report(evidence(OWNERS))) == {("ash", "bay")}
    assert worth(report(evidence(OWNERS | {"bay": "ada"}))) == set()


def test_findings_come_by_weight_and_then_by_strength_and_what_is_left_out_is_counted() -> None:
    made, cut = report(evidence(OWNERS)), report(evidence(OWNERS), most=3)
    assert [each.place for each in made.findings] == sorted(each.place for each in made.findings)
    assert (made.findings[0].one, made.findings[0].other) == ("ash", "bay")
    assert (cut.findings, cut.left_out) == (made.findings[:3], len(made.findings) - 3)
    assert made.left_out == 0


def test_it_says_how_many_pairs_of_one_owner_are_not_compared() -> None:
    def told(owners: dict[str, str]) -> list[str]:
        return [limit for limit in report(evidence(owners)).limits if "one owner" in limit]

    [one] = told(OWNERS)
    assert one.startswith("1 pair ")
    [three] = told(OWNERS | {"bay": "ada"})
    assert three.startswith("3 pairs ")
    assert told(OWNERS | {"elm": "dee"}) == []


def test_what_rounds_to_nothing_has_no_minus_sign() -> None:
    third = replace(
        GIVES, kind=FavourKind.THIRD_BOTS, observed=-0.001, low=-0.004, high=0.004, expected=-0.002
    )
    alike = replace(ALIKE, expected=-0.001, overlap_low=-0.001)
    for numbers in (third, alike):
        sentence = finding(numbers, same_owner=False).sentence
        assert "-0" not in re.split(r"[ ()]", sentence)
        assert "-0.00" not in sentence
    assert "+0 points" in finding(third, same_owner=False).sentence


def test_a_report_may_be_limited_to_named_bots() -> None:
    made = report(evidence(OWNERS), bots=frozenset({"fir"}))
    assert made.findings
    assert all("fir" in {each.one, each.other} for each in made.findings)


def test_the_same_content_of_two_owners_is_worth_a_look_and_of_one_owner_is_nothing() -> None:
    same = VersionSeen("ab" * 32, True, "python")
    made = report(evidence(OWNERS, {"elm": same, "fir": same}))
    assert ("elm", "fir") in worth(made)
    made = report(evidence(OWNERS | {"fir": "ada"}, {"elm": same, "fir": same}))
    assert not [each for each in made.findings if isinstance(each.numbers, SharedVersion)]


def test_a_declared_label_and_times_of_play_count_only_beside_something_else() -> None:
    for weak in (replace(SAME, submitted=False), TURNS):
        assert finding(weak, same_owner=False).weight is Weight.UNREMARKABLE
        assert finding(weak, same_owner=False, supported=True).weight is Weight.WORTH_A_LOOK
    label = VersionSeen("1.0", False, "python")
    made = report(evidence(OWNERS, {"ash": label, "bay": label, "elm": label}))
    weights = {
        (each.one, each.other): each.weight
        for each in made.findings
        if isinstance(each.numbers, SharedVersion)
    }
    assert weights == {
        ("ash", "bay"): Weight.WORTH_A_LOOK,
        ("bay", "elm"): Weight.UNREMARKABLE,
    }


def test_the_label_that_the_sdk_gives_to_all_is_no_sign() -> None:
    same = VersionSeen(Bot.version, False, "python")
    made = report(evidence(OWNERS, {"ash": same, "bay": same}))
    assert not [each for each in made.findings if isinstance(each.numbers, SharedVersion)]


def test_a_shared_version_names_the_owners_and_the_bot_that_had_it_first() -> None:
    same = VersionSeen("ab" * 32, True, "python")
    earlier = replace(same, since="2026-11-21")
    made = report(evidence(OWNERS, {"elm": replace(same, since="2026-11-22"), "fir": earlier}))
    [shared] = [each for each in made.findings if isinstance(each.numbers, SharedVersion)]
    first = "fir had it first, on 2026-11-21; elm on 2026-11-22."
    assert first in shared.sentence
    assert shared.sentence.endswith(f" elm belongs to {OWNERS['elm']}, fir to {OWNERS['fir']}.")


def test_matches_that_could_not_be_read_are_counted() -> None:
    made = report(replace(evidence(OWNERS), matches_read=20))
    assert made.matches == 36
    assert "16 of 36 matches" in made.limits[0]
