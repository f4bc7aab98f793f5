"""Times of play: never together, always together, or as it comes."""

from random import Random

from arena.core.fair_play.co_activity import CoActivity, presences
from arena.core.finished_match import FinishedMatch

MINUTE = 60_000_000


def matches(*lines: tuple[int, str, str]) -> list[FinishedMatch]:
    """Return a match of 54 seconds in each named minute."""
    return [
        FinishedMatch(
            *(bots, (1, 2), (False, False), n, n),
            started_us=minute * MINUTE,
            ended_us=minute * MINUTE + MINUTE * 9 // 10,
        )
        for n, (minute, *pair) in enumerate(lines, start=1)
        for bots in [tuple(pair)]
    ]


def seen(history: list[FinishedMatch], one: str, other: str) -> CoActivity:
    [found] = [each for each in presences(history) if (each.one, each.other) == (one, other)]
    return found


def test_two_that_take_turns_are_never_together_and_chance_would_have_them_be() -> None:
    source = Random(1)
    turns = [(minute, source.choice(("ash", "bay")), "host") for minute in range(100)]
    each = seen(matches(*turns), "ash", "bay")
    assert each.together == 0
    assert 0.4 < each.expected < 0.6
    assert each.apart_chance < 0.01 < each.together_chance


def test_two_that_always_come_together() -> None:
    source = Random(2)
    here = [minute for minute in range(200) if source.random() < 0.3]
    lines = [(minute, bot, f"{bot}-host") for minute in here for bot in ("ash", "bay")]
    lines += [(minute, "oak", "elm") for minute in range(200)]
    each = seen(matches(*lines), "ash", "bay")
    assert each.together == 1
    assert each.together_chance < 0.01 < each.apart_chance


def test_bots_that_met_are_not_compared() -> None:
    lines = [(minute, "ash", "bay") for minute in range(20)]
    assert presences(matches(*lines)) == ()


def test_few_matches_are_not_looked_at() -> None:
    assert presences(matches((1, "ash", "elm"), (2, "bay", "elm"))) == ()
    assert presences([]) == ()


def test_time_in_which_nothing_was_played_does_not_count() -> None:
    lines = [(minute, "ash" if minute % 2 else "bay", "host") for minute in range(40)]
    pause = [(minute + 100_000, bot, host) for minute, bot, host in lines]
    each = seen(matches(*lines, *pause), "ash", "bay")
    assert 0.4 < each.expected < 0.6
