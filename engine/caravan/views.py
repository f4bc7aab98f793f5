"""Between positions and observations. Camels that look alike are one object in any number of views."""

from functools import cache

from engine.caravan.actions import at_of, good_of, is_protected
from engine.caravan.goods import GOODS, NO_GOOD
from engine.caravan.observation import EmptyCamels, GoodsSpace, LadenCamel, Observation, SeatView
from engine.caravan.position import KINDS, Position


def observe(position: Position, viewer: int) -> Observation:
    """Return the position as everybody may see it; parts that have not changed are the same objects as before."""
    setup = position.setup
    return Observation(
        board=setup.board,
        options=setup.options,
        turn=position.turn,
        seat_to_act=(position.turn - 1) % setup.seats,
        points=position.points,
        seats=tuple([_seat_view(position, seat) for seat in range(setup.seats)]),
        goods_spaces=_space_views(position),
        bag=position.bag_left,
        idle=position.idle,
        idle_turns=position.idle_turns,
        end_armed=position.end_armed,
        ending=position.ending,
        viewer=viewer,
    )


def _seat_view(position: Position, seat: int) -> SeatView:
    view = position.seat_views[seat]
    if view is None:
        empty = position.empty[seat]
        view = SeatView(
            supply=position.supply[seat],
            empty_camels=tuple([_empty_view(square, empty.count(square)) for square in sorted(set(empty))]),
            laden_camels=tuple([_laden_view(camel) for camel in position.laden[seat]]),
            theft_markers=position.theft_markers[seat],
            demand_markers=position.demand_markers[seat],
            delivered=position.delivered[KINDS * seat : KINDS * (seat + 1)],
            score=position.score(seat),
        )
        position.seat_views[seat] = view
    return view


@cache
def _empty_view(square: int, camels: int) -> EmptyCamels:
    return EmptyCamels(square, camels)


@cache
def _laden_view(camel: int) -> LadenCamel:
    return LadenCamel(at_of(camel), GOODS[good_of(camel)], is_protected(camel))


def _space_views(position: Position) -> tuple[GoodsSpace, ...]:
    views = position.space_views
    if views is None:
        views = tuple(
            [
                GoodsSpace(None if good == NO_GOOD else GOODS[good], markers)
                for good, markers in zip(position.space_goods, position.space_markers, strict=True)
            ]
        )
        position.space_views = views
    return views
