"""Whole matches are played without gRPC, and each form of asking costs something."""

from arena.match_log.keys import SigningKey
from arena.server import event_loop
from benchmarks.own_path import FORMS, OneMatch, measure


def test_each_form_has_a_figure_for_each_round() -> None:
    found = event_loop.run(measure(rounds=2, matches=1))
    assert [len(found[wanted.name]) for wanted in FORMS] == [2] * len(FORMS)
    assert all(us > 0 for figures in found.values() for us in figures)


def test_every_decision_of_a_match_is_counted() -> None:
    async def scene() -> tuple[int, int]:
        match = OneMatch(FORMS[0], SigningKey.new())
        decisions, _ = await match.play()
        return decisions, match.plies

    decisions, plies = event_loop.run(scene())
    assert decisions == plies > 0
