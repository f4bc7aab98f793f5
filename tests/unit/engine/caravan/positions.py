"""Positions for tests, written as short as they can be read."""

from collections.abc import Mapping

from engine.caravan import CARAVAN
from engine.caravan.goods import GOODS, Good
from engine.caravan.observation import EmptyCamels, GoodsSpace, LadenCamel, Observation, SeatView
from engine.caravan.state import CaravanState
from engine.game import SPECTATOR
from engine.randomness import Stream

ZERO_SEED = bytes(32)
EIGHT_MEAT: Mapping[int, str] = dict.fromkeys(range(1, 9), "meat")
SOME_LEFT = (2,) * len(GOODS)
BAG_EMPTY = (0,) * len(GOODS)


def a_match(
    seats: int = 2, *, seed: bytes = ZERO_SEED, options: Mapping[str, str] | None = None
) -> CaravanState:
    """Return the position after the set-up."""
    return CARAVAN.new_match(seats, CARAVAN.options(seats, options or {}), seed)


def a_position(
    *camels: str,
    to_act: int = 0,
    points: int = 4,
    theft: tuple[int, ...] | None = None,
    goods: Mapping[int, str] = EIGHT_MEAT,
    markers: Mapping[int, int] | None = None,
    bag: tuple[int, ...] = SOME_LEFT,
    options: Mapping[str, str] | None = None,
    **changes: object,
) -> CaravanState:
    """Return a position in a later turn; one text per seat, such as "3 4 10:ivory 11:gems!" (! is protected).

    `goods` and `markers` go by the number of the goods space; `changes` are fields of the observation.
    """
    seats = len(camels)
    match = a_match(seats, options=options)
    views = [
        _seat_view(text, match.setup.options.camels, theft[seat] if theft else 1)
        for seat, text in enumerate(camels)
    ]
    spaces = [
        GoodsSpace(Good[goods[number].upper()] if number in goods else None, (markers or {}).get(number, 0))
        for number in range(1, 9)
    ]
    seen = match.observe(SPECTATOR)._replace(
        turn=2 * 4 * seats + 1 + to_act,
        seat_to_act=to_act,
        points=points,
        seats=tuple(views),
        goods_spaces=tuple(spaces),
        bag=bag,
        end_armed=not any(bag),
    )
    return CARAVAN.from_observation(seen._replace(**changes), Stream(ZERO_SEED))  # type: ignore[arg-type]


def _seat_view(text: str, camels: int, theft: int) -> SeatView:
    words = text.split()
    empty = sorted(int(word) for word in words if ":" not in word)
    laden = sorted(_laden(word) for word in words if ":" in word)
    return SeatView(
        supply=camels - len(words),
        empty_camels=tuple(EmptyCamels(square, empty.count(square)) for square in sorted(set(empty))),
        laden_camels=tuple(laden),
        theft_markers=theft,
        demand_markers=0,
        delivered=(0,) * len(GOODS),
        score=-(len(laden) * (len(laden) - 1) // 2),
    )


def _laden(word: str) -> LadenCamel:
    square, good = word.split(":")
    return LadenCamel(int(square), Good[good.rstrip("!").upper()], good.endswith("!"))


def view(state: CaravanState) -> Observation:
    """Return what a spectator sees."""
    return state.observe(SPECTATOR)


def score(state: CaravanState, seat: int) -> int:
    """Return the running score of a seat."""
    return view(state).seats[seat].score
