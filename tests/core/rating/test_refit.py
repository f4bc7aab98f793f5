"""Ratings fitted to a whole history: what they are, and what they do not depend on."""

from __future__ import annotations

from arena.core.rating.refit import RankedMatch, refit


def test_a_player_who_has_won_every_match_has_a_finite_rating_above_the_others() -> None:
    fitted = refit([RankedMatch(("ant", "bee"), (1, 2)), RankedMatch(("bee", "ant"), (2, 1))] * 20)
    best, last = fitted.ratings
    assert (best.player, last.player) == ("ant", "bee")
    assert 1_500_000 < best.low_milli < best.rating_milli < 3_000_000
    assert best.rating_milli + last.rating_milli == 3_000_000
    assert fitted.superiority("ant", "bee") > 0.99


def test_no_matches_give_no_ratings() -> None:
    assert refit([]).ratings == ()
