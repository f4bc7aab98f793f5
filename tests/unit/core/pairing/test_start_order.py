"""Which waiting matches begin: older first, nobody blocked without need, nobody overtaken for ever."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.pairing.start_order import MAX_LEAD, PendingMatch, startable

BOTS = ("ant", "bee", "cat", "dog")


def a_match(match: int, bots: str, *, alone: bool = False) -> PendingMatch:
    return PendingMatch(match, tuple(bots.split()), alone)


def test_the_older_match_takes_the_last_free_place() -> None:
    pending = [a_match(2, "ant cat"), a_match(1, "ant bee")]
    assert startable(pending, {"ant": 1, "bee": 1, "cat": 1}, slots=9) == (1,)


def test_a_little_younger_match_may_use_a_bot_that_an_older_one_waits_with() -> None:
    pending = [a_match(1, "ant bee"), a_match(1 + MAX_LEAD, "bee cat")]
    assert startable(pending, {"ant": 0, "bee": 1, "cat": 1}, slots=9) == (1 + MAX_LEAD,)


def test_a_much_younger_match_leaves_the_older_one_its_places() -> None:
    pending = [a_match(1, "ant bee"), a_match(2 + MAX_LEAD, "bee cat")]
    assert startable(pending, {"ant": 0, "bee": 1, "cat": 1}, slots=9) == ()
    assert startable(pending, {"ant": 0, "bee": 2, "cat": 1}, slots=9) == (2 + MAX_LEAD,)


def test_a_match_whose_bot_is_away_keeps_no_place() -> None:
    pending = [a_match(1, "ant bee"), a_match(2 + MAX_LEAD, "bee cat")]
    assert startable(pending, {"bee": 1, "cat": 1}, slots=9) == (2 + MAX_LEAD,)


def test_a_bot_on_two_seats_needs_two_places() -> None:
    assert startable([a_match(1, "ant ant")], {"ant": 1}, slots=9) == ()
    assert startable([a_match(1, "ant ant")], {"ant": 2}, slots=9) == (1,)


def test_a_match_that_is_played_alone_begins_with_fresh_programs_and_takes_all_their_places() -> None:
    pending = [a_match(1, "ant bee", alone=True), a_match(2, "ant cat"), a_match(3, "cat dog")]
    free = dict.fromkeys(BOTS, 4)
    assert startable(pending, free, slots=9, fresh=["ant", "bee"]) == (1, 3)
    assert startable(pending, free, slots=9, fresh=["ant"]) == (2, 3)
    began_before = [a_match(0, "ant cat"), *pending[:1]]
    assert startable(began_before, free, slots=9, fresh=BOTS) == (0,)


def test_a_much_younger_match_leaves_one_that_is_played_alone_all_places_of_its_bots() -> None:
    pending = [a_match(1, "ant bee", alone=True), a_match(2 + MAX_LEAD, "bee cat")]
    assert startable(pending, dict.fromkeys(BOTS, 4), slots=9, fresh=["ant"]) == ()


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, ...]:
    return tuple(draw(st.permutations(BOTS))[: draw(st.integers(2, 3))])


@given(
    st.lists(pairs(), max_size=12),
    st.dictionaries(st.sampled_from(BOTS), st.integers(0, 3)),
    st.integers(0, 4),
)
def test_what_begins_fits_and_nothing_near_that_fits_is_left(
    seated: list[tuple[str, ...]], free: dict[str, int], slots: int
) -> None:
    starting = startable([PendingMatch(i, bots) for i, bots in enumerate(seated)], free, slots=slots)
    taken = Counter(bot for match in starting for bot in seated[match])
    assert all(taken[bot] <= free.get(bot, 0) for bot in taken)
    assert len(starting) <= slots
    left = [
        bots
        for match, bots in enumerate(seated)
        if match not in starting and all(free.get(bot, 0) > taken[bot] for bot in bots)
    ]
    assert not left or len(starting) == slots


@settings(max_examples=20)
@given(st.integers(1, 3), st.data())
def test_no_match_is_overtaken_more_often_than_promised_and_all_are_played(
    room: int, data: st.DataObject
) -> None:
    """A new match comes at every step and the bots end theirs at random times: the hardest case for the oldest."""
    running: list[PendingMatch] = []
    pending: list[PendingMatch] = []
    overtaken: Counter[int] = Counter()
    for step in range(150):
        if step < 100:
            pending.append(PendingMatch(step, data.draw(pairs())))
        ending = data.draw(st.integers(0, 3))
        running = [match for i, match in enumerate(running) if i % 4 != ending]
        taken = Counter(bot for match in running for bot in match.bots)
        starting = startable(pending, {bot: room - taken[bot] for bot in BOTS}, slots=99)
        running += [match for match in pending if match.match in starting]
        pending = [match for match in pending if match.match not in starting]
        for match in pending:
            overtaken[match.match] += sum(
                younger > match.match
                for younger in starting
                if set(match.bots) & set(bots_of(running, younger))
            )
    assert max(overtaken.values(), default=0) <= MAX_LEAD
    for _ in range(200):
        starting = startable(pending, dict.fromkeys(BOTS, 1), slots=99)
        pending = [match for match in pending if match.match not in starting]
    assert pending == []


def bots_of(matches: list[PendingMatch], wanted: int) -> tuple[str, ...]:
    return next(match.bots for match in matches if match.match == wanted)
