"""The table of Ahldarahd as a person reads it, without colours."""

from dataclasses import replace
from random import Random

from arena.drawings.ahldarahd.drawing import DRAWING
from engine.ahldarahd import position
from engine.ahldarahd.actions import ITEM_LOT, RIGHTS, Offer, Side, make_offer
from engine.ahldarahd.board import KINDS, ROUTES, Commodity
from engine.ahldarahd.events import Card
from engine.ahldarahd.observation import Auction, MapView, NightView, Observation
from engine.game import SPECTATOR
from tests.unit.cli.screens import check_screen
from tests.unit.drawings.played_steps import check_drawings
from tests.unit.engine.ahldarahd.choosing import TABLES, a_match, played_on

LONG = tuple(f"{letter}-bot-with-a-name-as-long-as-an-arm" for letter in "abcde")
SHORT = ("ant", "bee", "cat", "dog", "eel")


def a_view(seats: int = 2, viewer: int = SPECTATOR, **changes: object) -> Observation:
    """Return the first position with changes."""
    return replace(a_match(seats).observe(viewer), **changes)  # type: ignore[arg-type]


def lines(seen: Observation, names: tuple[str, ...] = SHORT) -> list[str]:
    """Return the lines of the drawing, without colours."""
    return DRAWING.draw(seen, names[: len(seen.seats)]).plain.splitlines()


def test_whole_positions_are_drawn_as_in_the_golden_file() -> None:
    drawings = {}
    for seats, values in TABLES[::4]:
        match = played_on(a_match(seats, values), Random(seats), 60)
        for viewer in (0, SPECTATOR):
            drawings[f"{seats} seats, {values}, viewer {viewer}"] = lines(match.observe(viewer))
    seen = a_match(2, {"neutral_board": True}).observe(0)
    maps = (*seen.maps[:2], MapView((1,) * ROUTES, (1,) * KINDS))
    drawings["A35: a neutral map comes last"] = lines(replace(seen, maps=maps))
    check_drawings("ahldarahd_positions", drawings)


def an_offer(give: Side, want: Side) -> Observation:
    """Of seat 1 to seat 4, of five."""
    offer = make_offer(Offer(4, give, want))
    return a_view(
        5,
        phase=position.BUILDING,
        order=(1, 2, 3, 4, 0),
        at=0,
        decision=position.ASK_REPLY,
        seat_to_act=4,
        offer=offer,
    )


def test_the_largest_offer_and_the_fullest_table_keep_to_80_columns() -> None:
    all_items = tuple(range(RIGHTS + 5))
    side = Side((5,) * KINDS, 2_000_000, all_items)
    seen = an_offer(side, side)
    seats = tuple(view._replace(hand=(5,) * KINDS, gold=999, score=99) for view in seen.seats)
    row = tuple(Card(Commodity.TEXTILES, colour) for colour in range(5))
    full = replace(
        seen, seats=seats, row=row, discards=(5,) * KINDS, deck=35, cup=(150, 3), holders=(0,) * (RIGHTS + 5)
    )
    drawn = lines(full, LONG)
    assert max(map(len, drawn)) <= 80
    told = " ".join(" ".join(drawn).split())
    assert told.count("Right 4") == told.count("2000000 gold") == 2


def test_what_is_drawn_besides_maps_and_seats() -> None:
    """A13, A40 to A42, A44."""
    screens: dict[str, list[str]] = {}
    for lot in (10 * 2 + Commodity.GEMS, ITEM_LOT + RIGHTS + 1, ITEM_LOT):
        auction = a_view(3, decision=position.ASK_BID, auction=Auction(lot, 4, 1, (0,)), seat_to_act=2)
        screens[f"an auction of lot {lot}"] = lines(auction)[:2]
    some = tuple(2 if city == Commodity.GEMS else 0 for city in range(KINDS))
    offer = an_offer(Side(some, 3, (0, RIGHTS + 2)), Side((0,) * KINDS, 0, ()))
    screens["an offer"] = lines(offer)[:4]
    for decision in (position.ASK_AVERT, position.ASK_PLEDGE, position.ASK_LOSS):
        pledged = (4, 0) if decision == position.ASK_PLEDGE else (0, 0)
        night = NightView(Commodity.SALT, 0, (1,), pledged)
        seen = a_view(phase=position.BUILDING, decision=decision, seat_to_act=1, night=night, cup=(70, 2))
        screens[f"a Night, decision {decision}"] = lines(seen)[:2]
    for decision in (position.ASK_SHAH, position.ASK_BUILD):
        drawn = lines(a_view(decision=decision, seat_to_act=0))
        assert sum(line.startswith("▶") for line in drawn) == 1
        screens[f"decision {decision}"] = drawn[:1]
    over = lines(a_view(seat_to_act=None, phase=3, turn=9))
    assert not any("▶" in line for line in over)
    screens["the end"] = over[:1]
    screens["no names"] = [line for line in lines(a_view(), ()) if "seat 0" in line]
    screens["heading"] = [DRAWING.heading(a_view(phase=position.BUILDING, deck=1))]
    check_screen("drawings/ahldarahd", {title: "\n".join(drawn) for title, drawn in screens.items()})


def test_the_standing_has_points_and_gold_the_best_first() -> None:
    """A33."""
    seen = a_view(3)
    marks = [(2, 4), (5, 1), (2, 9)]
    seats = tuple(
        view._replace(score=score, gold=gold) for view, (score, gold) in zip(seen.seats, marks, strict=True)
    )
    told = DRAWING.standing(replace(seen, seats=seats), SHORT[:3]).plain
    assert told.split(", ") == ["bee 5 (1 gold)", "cat 2 (9 gold)", "ant 2 (4 gold)"]


def test_a_new_turn_and_a_new_leader_are_moments() -> None:
    seen = a_view(turn=2)

    def led_by(seat: int) -> Observation:
        seats = tuple(view._replace(score=3 * (each == seat)) for each, view in enumerate(seen.seats))
        return replace(seen, seats=seats)

    assert DRAWING.is_moment(led_by(0), led_by(1))
    assert not DRAWING.is_moment(led_by(0), led_by(0))
    assert DRAWING.is_moment(seen, replace(seen, turn=3))
    assert not DRAWING.is_moment(a_view(turn=0), a_view(turn=1))
