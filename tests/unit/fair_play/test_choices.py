"""Choices read from matches: whose they are, what counts as the same, and what is no choice at all."""

from collections import Counter
from hashlib import sha256
from random import Random

import pytest

from arena.codecs.codec import codec_for
from arena.core.fair_play.choice import Choice, ChosenAction, Likeness, answer_of, situation_of
from arena.core.fair_play.report import Participant
from arena.core.finished_match import FinishedMatch
from arena.fair_play.material import ActionKinds, Material, StoredMatch, choices_of_match, make_report
from arena.match_log.reader import read_log
from arena.match_report.trades import between, trades
from engine.game import GameError
from engine.randomness import Stream
from engine.registry import GAMES
from tests.unit.fair_play.played import PlayedMatch, play
from tests.unit.match_log import trading

SEED = bytes(range(32))


def sensible(game: str, seats: int) -> list[int]:
    """Return the actions of a match."""
    rules = GAMES[game]
    state, stream, played = rules.new_match(seats, rules.options(seats, {}), SEED), Stream(SEED), []
    while state.outcome() is None:
        played.append(rules.sensible_action(state, stream))
        state.apply(played[-1])
    return played


def read(game: str, seats: int, plies: list[tuple[int, bool]]) -> list[tuple[Likeness, Choice]]:
    rules = GAMES[game]
    state = rules.new_match(seats, rules.options(seats, {}), SEED)
    match = FinishedMatch(("ash", "bay"), (1, 2))
    return list(choices_of_match(codec_for(game), state, plies, ActionKinds(), match))


@pytest.mark.parametrize("game", GAMES)
def test_the_choices_of_every_game_can_be_read(game: str) -> None:
    actions = sensible(game, 2)
    found = read(game, 2, [(action, True) for action in actions])
    by_likeness = {kind: [choice for likeness, choice in found if likeness is kind] for kind in Likeness}
    assert len({len(each) for each in by_likeness.values()}) == 1
    assert 0 < len(by_likeness[Likeness.POSITION]) <= len(actions)
    distinct = [len({each.situation for each in by_likeness[kind]}) for kind in Likeness]
    assert distinct == sorted(distinct, reverse=True)
    assert distinct[-1] < distinct[0]
    assert all(0 < choice.share <= 1 for _, choice in found)
    assert {choice.bot for _, choice in found} == {"ash", "bay"}


def test_what_the_arena_played_for_a_bot_is_no_choice_of_it() -> None:
    actions = sensible("caravan", 2)
    assert read("caravan", 2, [(action, False) for action in actions]) == []


def test_an_action_that_is_not_legal_is_refused() -> None:
    with pytest.raises(GameError):
        read("caravan", 2, [(2**32 - 1, True)])


def a_decision(**changes: object) -> ChosenAction:
    fields = {
        "shown": b"view",
        "listed": b"list",
        "kinds": ("GO",) * 16 + ("STAY",),
        "legal": tuple(range(17)),
        "action": 3,
        "kind": "GO",
        "before": "STAY",
    }
    return ChosenAction(**(fields | changes))  # type: ignore[arg-type]


def test_a_habit_is_the_kind_of_the_action_and_its_eighth_among_its_kind() -> None:
    assert answer_of(a_decision(), Likeness.HABIT) == (("GO", 1), 2 / 17)
    assert answer_of(a_decision(action=2), Likeness.HABIT) == (("GO", 1), 2 / 17)
    assert answer_of(a_decision(action=4), Likeness.HABIT)[0] == ("GO", 2)
    assert answer_of(a_decision(action=2**40, kind="OFFER"), Likeness.HABIT)[0] == ("OFFER", -1)
    assert answer_of(a_decision(), Likeness.ACTIONS) == (3, 1 / 17)


def test_what_counts_as_the_same_situation() -> None:
    shown = a_decision(shown=b"another view")
    assert situation_of(shown, Likeness.POSITION) != situation_of(a_decision(), Likeness.POSITION)
    assert situation_of(shown, Likeness.ACTIONS) == situation_of(a_decision(), Likeness.ACTIONS)
    fewer = a_decision(listed=b"fewer", kinds=("GO",) * 17, legal=tuple(range(17)))
    assert situation_of(fewer, Likeness.ACTIONS) != situation_of(a_decision(), Likeness.ACTIONS)
    more = a_decision(listed=b"more", kinds=("GO",) * 20 + ("STAY",), legal=tuple(range(21)))
    assert situation_of(more, Likeness.HABIT) == situation_of(a_decision(), Likeness.HABIT)
    assert situation_of(a_decision(before=""), Likeness.HABIT) != situation_of(more, Likeness.HABIT)


def stored(number: int, match: PlayedMatch, name: str | None = None) -> StoredMatch:
    result = FinishedMatch(
        ("ash", "bay") if number % 2 else ("bay", "ash"),
        tuple(seat.placing for seat in match.result.seats),
        (False, False),
        group=(number + 1) // 2,
        match=number,
        started_us=number,
        ended_us=number + 1,
    )
    return StoredMatch(result, match.log.data, match.log.name if name is None else name)


def test_one_bot_under_two_names_is_seen_in_the_logs_and_a_log_of_another_name_is_not_read() -> None:
    matches = []
    for number in (1, 2, 3, 4):
        bots = ("ash", "bay") if number % 2 else ("bay", "ash")
        seed = sha256(bytes([(number + 1) // 2])).digest()
        matches.append(stored(number, play(number, (number + 1) // 2, bots, seed, {"bay": "ash"})))
    owners = (Participant("ash", "ada", ()), Participant("bay", "bob", ()))
    made = make_report(Material(owners, tuple(matches), frozenset(), 10))
    assert made.matches_read == 4
    assert any("chose the same in 100 %" in each.sentence for each in made.findings)
    wrong = StoredMatch(matches[0].result, matches[0].log, "ab" * 32)
    gone = StoredMatch(matches[1].result, b"", matches[1].log_name)
    made = make_report(Material(owners, (wrong, gone, *matches[2:]), frozenset(), 10))
    assert (made.matches, made.matches_read) == (4, 2)


def test_what_two_bots_traded_is_summed_up_over_their_matches_whatever_their_seats() -> None:
    first, second = (trading.played(trading.lively(Random(source)), 2_000) for source in (3, 4))
    orders = (("ash", "bay", "elm"), ("elm", "bay", "ash"))
    matches = tuple(
        StoredMatch(
            FinishedMatch(
                bots, (1, 2, 3), (False,) * 3, number, number, started_us=number, ended_us=number + 1
            ),
            log,
            read_log(log).name,
        )
        for number, (log, bots) in enumerate(zip((first, second), orders, strict=True), start=1)
    )
    made = make_report(Material((), matches, frozenset(), 10))
    assert made.matches_read == 2
    by_bots = {(each.one, each.other): each for each in made.dealings}
    seen = by_bots["ash", "elm"]
    halves = [
        next(
            pair for pair in between(trades(read_log(log), trading.CODEC.game) or ()) if pair.seats == (0, 2)
        )
        for log in (first, second)
    ]
    assert (seen.offers, seen.matches) == (sum(half.offers for half in halves), (1, 2))
    # In the second match they have changed their seats.
    given = Counter(halves[0].gave[0])
    given.update(halves[1].gave[1])
    assert Counter(seen.one_gave) == given
    assert seen.one_gifts == halves[0].gifts[0] + halves[1].gifts[1]
    assert sum(each.accepted for each in made.dealings) > 0
