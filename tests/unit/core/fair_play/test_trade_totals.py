"""What bots have traded, summed up over matches."""

from dataclasses import replace

from arena.core.fair_play.report import report
from arena.core.fair_play.trade_totals import TradeTotals, summed_up
from tests.unit.core.fair_play.test_report import OWNERS, evidence

FIRST = TradeTotals("ash", "bay", (7,), 2, 1, {"gold": 3}, {"salt": 1}, 0, 0)
SECOND = TradeTotals("ash", "bay", (4,), 1, 1, {"gold": 2, "gems": 1}, {}, 1, 0)
FAIR = TradeTotals("ash", "elm", (4, 7), 9, 9, {"gold": 9}, {"salt": 9}, 0, 0)
EVEN_GIFTS = TradeTotals("bay", "elm", (4,), 6, 6, {"gold": 3}, {"gold": 3}, 3, 3)
REFUSED = TradeTotals("elm", "fir", (5,), 20, 0, {}, {}, 0, 0)


def test_the_matches_of_two_bots_are_one_line_with_sums() -> None:
    [summed] = summed_up([FIRST, SECOND])
    assert summed == TradeTotals("ash", "bay", (4, 7), 3, 2, {"gems": 1, "gold": 5}, {"salt": 1}, 1, 0)
    assert summed_up([SECOND, FIRST]) == (summed,)


def test_gifts_to_one_side_come_first_and_what_was_refused_last() -> None:
    order = [(each.one, each.other) for each in summed_up([REFUSED, FAIR, EVEN_GIFTS, SECOND])]
    assert order == [("ash", "bay"), ("bay", "elm"), ("ash", "elm"), ("elm", "fir")]


def test_a_report_has_them_for_the_bots_and_up_to_the_number_asked_for_and_does_not_weigh_them() -> None:
    seen = replace(evidence(OWNERS), dealings=(FIRST, SECOND, FAIR, EVEN_GIFTS, REFUSED))
    made = report(seen)
    assert (len(made.dealings), made.dealings_left_out) == (4, 0)
    assert any("counted, not weighed" in limit for limit in made.limits)
    of_fir = report(seen, bots=frozenset({"fir"}), most=1)
    assert ([each.other for each in of_fir.dealings], of_fir.dealings_left_out) == (["fir"], 0)
    cut = report(seen, most=3)
    assert (len(cut.dealings), cut.dealings_left_out) == (3, 1)
    without = report(evidence(OWNERS))
    assert (without.dealings, without.findings) == ((), made.findings)
    assert not any("Trades" in limit for limit in without.limits)
