"""What bots traded, on its way from the worker to the wire."""

from __future__ import annotations

import pickle

from arena.core.fair_play.report import Report
from arena.core.fair_play.trade_totals import TradeTotals
from arena.wire.messages.fair_play import report_message


def test_what_two_bots_traded_goes_over_the_wire_with_the_newest_matches_to_look_at() -> None:
    dealings = TradeTotals(
        "ash", "bay", tuple(range(1, 8)), 12, 9, {"gold": 40, "right:0": 1}, {"salt": 1}, 8, 0
    )
    made = Report(7, 7, 0, 1, 2, (), 0, (), (dealings,), 3)
    message = report_message("ladders/main", pickle.loads(pickle.dumps(made)))
    assert message.trades_left_out == 3
    [told] = message.trades
    assert (told.one, told.other, told.matches) == ("bots/ash", "bots/bay", 7)
    assert (told.offers, told.accepted, told.one_gifts, told.other_gifts) == (12, 9, 8, 0)
    assert (dict(told.one_gave), dict(told.other_gave)) == ({"gold": 40, "right:0": 1}, {"salt": 1})
    assert list(told.look_at) == [f"matches/{number}" for number in range(3, 8)]
