"""The table of Ahldarahd as a person reads it, without colours, its turns in plain words, and paragraphs of them."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from rich.console import Console

from arena.drawings.ahldarahd.drawing import DRAWING
from arena.drawings.drawing import Step
from arena.drawings.narration import BoardFrequency, Narrator
from engine.ahldarahd import events, position
from engine.ahldarahd.actions import ITEM_LOT, KIND_NAMES, OPEN_AUCTION, RIGHTS, kind_of
from engine.ahldarahd.board import KINDS, ROUTES, Commodity
from engine.ahldarahd.events import Card
from engine.ahldarahd.notation import parse_action
from engine.ahldarahd.observation import Auction, MapView, NightView, Observation
from engine.ahldarahd.offers import Offer, Side, make_offer
from engine.ahldarahd.state import AhldarahdState
from engine.game import SPECTATOR, Event, own
from tests.unit.cli.screens import check_screen
from tests.unit.codecs.test_ahldarahd import EVENTS
from tests.unit.drawings.played_steps import check_drawings, news, play_step, steps, words
from tests.unit.engine.ahldarahd.choosing import TABLES, a_match, choose, played_on
from tests.unit.engine.ahldarahd.do import (
    ACCEPT,
    DONE,
    PASS,
    bid,
    claim,
    lose,
    offer,
    opening,
    pledge,
    sell,
    shah_to,
    side,
)
from tests.unit.engine.ahldarahd.positions import NIGHT, TRADING, a_position
from tests.unit.engine.naive import Json

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


VIEW = a_match(2, {"neutral_board": True}).observe(SPECTATOR)
NOTHING = {"cards": [], "gold": 0, "items": []}


def a_step(*events: Event, **action: object) -> Step:
    """Return a step of seat 0 of two with a neutral map: an action and its consequences."""
    packed = parse_action(json.dumps(action or {"type": "done"}))
    return Step(0, VIEW, packed, events, VIEW)


ACTIONS: list[dict[str, object]] = [
    {"type": "setup_routes", "routes": [1, 14]},
    {"type": "open_auction", "lot": "card:gems-1", "bid": 3},
    {"type": "open_auction", "lot": "shah", "bid": 0},
    {"type": "open_auction", "lot": "right:1", "bid": 2},
    {"type": "bid", "bid": 4},
    {"type": "pass"},
    {"type": "give_shah", "to": 0},
    {"type": "give_shah", "to": 1},
    {"type": "claim", "map": 1, "route": 14, "card": "salt"},
    {"type": "claim", "map": 2, "route": 6, "card": "ivory"},
    {"type": "buy", "map": 0, "route": 5},
    {"type": "destroy", "map": 1, "route": 14, "pay": ["buy", "salt"]},
    {"type": "destroy", "map": 1, "route": 12, "pay": ["incense", "incense"]},
    {"type": "sell", "right": 1},
    {"type": "done"},
    {
        "type": "offer",
        "to": 1,
        "give": {"cards": ["dates", "dates"], "gold": 3, "items": ["eyes", "right:0"]},
        "want": {"cards": ["salt"], "gold": 0, "items": []},
    },
    {"type": "offer", "to": 1, "give": NOTHING, "want": {"cards": [], "gold": 0, "items": ["queen"]}},
    {"type": "accept"},
    {"type": "decline"},
    {"type": "avert"},
    {"type": "pledge", "gold": 6},
    {"type": "lose_route", "map": 2, "route": 21},
]

TURNS: dict[str, list[Step]] = {
    "A19, A20: a claim": [a_step(events.Paid(0, 1), type="claim", map=1, route=14, card="salt")],
    "A19, A20: a purchase": [a_step(events.Paid(0, 9), type="buy", map=0, route=14)],
    "A27: a sale": [a_step(events.Sold(0, 5), type="sell", right=1)],
    "A26: a destruction": [
        a_step(events.Destroyed(0, 1, 14, 1, 11), type="destroy", map=1, route=14, pay=["buy", "salt"])
    ],
    "A17: a building chance": [
        a_step(type="buy", map=0, route=5),
        a_step(type="sell", right=1),
        a_step(type="done"),
    ],
    "A15: the Shah is won": [a_step(events.Won(1, ITEM_LOT, 4), type="pass")],
    "A15: a Right is won": [a_step(events.Won(1, ITEM_LOT + RIGHTS, 0), type="pass")],
    "A15: a card is won": [a_step(events.Won(2, 16, 2), type="pass")],
    "A42: a route that its owner gives up": [
        a_step(
            events.Removed(0, 1, 14), events.Lost(0, 1, Commodity.SALT), type="lose_route", map=1, route=14
        )
    ],
    "a new leader": [
        replace(
            a_step(events.Control(1, 1, Commodity.SALT, 6)),
            after=replace(VIEW, seats=tuple(view._replace(score=4 * n) for n, view in enumerate(VIEW.seats))),
        )
    ],
}


def test_actions_events_and_turns_in_words() -> None:
    """A48, A53."""
    screens = {"actions": "\n".join(DRAWING.describe([a_step(**action)], SHORT).plain for action in ACTIONS)}
    sentences = [(event, news(DRAWING, [a_step(event)], SHORT)) for event in EVENTS]
    screens["events"] = "\n".join(f"{type(event).__name__}: {' '.join(told)}" for event, told in sentences)
    screens |= {title: words(DRAWING, turn, SHORT) for title, turn in TURNS.items()}
    check_screen("words/ahldarahd", screens)


def test_no_kind_of_action_is_left_out_above() -> None:
    assert {action["type"] for action in ACTIONS} == {*KIND_NAMES, "offer"}


def paragraphs(state: AhldarahdState, *actions: Json) -> list[str]:
    """Heading and sentences of what is told, without boards."""
    played = steps(state, *[json.dumps(action) for action in actions])
    return [" ".join(part) for part in told(played)]


def told(played: Sequence[Step]) -> Iterator[list[str]]:
    narrator = Narrator(DRAWING, SHORT, BoardFrequency.NEVER)
    for stretch in stretches(played):
        console = Console(width=1000, color_system=None)
        with console.capture() as text:
            for part in narrator.turn(stretch):
                console.print(part)
        yield [line.strip() for line in text.get().splitlines()]


def stretches(played: Sequence[Step]) -> list[list[Step]]:
    found: list[list[Step]] = []
    narrator = Narrator(DRAWING, SHORT, BoardFrequency.NEVER)
    for step in played:
        if not found or not narrator.continues(found[-1], step):
            found.append([])
        found[-1].append(step)
    return found


def test_what_belongs_together_is_one_paragraph() -> None:
    """A10 to A17, A38 to A45; who passed last opens the next auction, and who acted last may go on building."""
    deal = offer(1, side(gold=1), side("salt"))
    night_over_salt = a_position(
        options=NIGHT,
        routes={1: {1: [19, 21]}, 0: {0: [10, 12, 14]}},
        hands=["gems", "salt"],
        gold=20,
        items={"right:1": 0},
        cup=(0, 1000),
    )
    night_over_salt.deck[night_over_salt.top] = 6
    night = (sell(1), PASS, PASS, pledge(1), pledge(0), lose(0, 10))
    building = a_position(options=TRADING, hands=["gems", "salt"])
    screens = {
        "two auctions": paragraphs(
            a_position(3, bidding=True),
            opening("eyes", 1),
            bid(2),
            PASS,
            PASS,
            opening("queen", 0),
            PASS,
            PASS,
        ),
        "an auction of the Shah": paragraphs(a_position(bidding=True), opening("shah", 1), PASS, shah_to(1)),
        "a building chance with an offer": paragraphs(
            building, deal, ACCEPT, claim(0, 14, "salt"), DONE, DONE
        ),
        "a Night": paragraphs(night_over_salt, *night, DONE),
        "a Night in a building chance": paragraphs(night_over_salt, *night, claim(0, 10, "gems")),
    }
    assert [len(each) for each in screens.values()] == [2, 1, 2, 2, 3]
    check_screen("words/ahldarahd_paragraphs", {title: "\n".join(each) for title, each in screens.items()})


def test_paragraphs_of_whole_matches() -> None:
    """Each clause is about the seat that acted; auctions and building chances are not mixed."""
    screens = {}
    for seats, values in TABLES[::9]:
        match, dice = a_match(seats, values), Random(seats)
        played = []
        while match.outcome() is None:
            played.append(play_step(match, choose(match, dice)))
        for stretch in stretches(played):
            assert len({own(step.before, Observation).phase for step in stretch}) == 1
            assert sum(kind_of(step.action) == OPEN_AUCTION for step in stretch) <= 1
        options = ", ".join(name for name, value in values.items() if value)
        screens[f"{seats} seats, {options or 'no options'}"] = "\n".join(
            " ".join(part) for part in told(played)
        )
    check_screen("words/ahldarahd_whole_matches", screens)


def test_with_a_board_after_every_action_each_is_below_the_name_of_the_seat() -> None:
    played = steps(a_position(3, bidding=True), json.dumps(opening("eyes", 1)), json.dumps(bid(2)))
    console = Console(width=100, color_system=None)
    with console.capture() as text:
        for part in Narrator(DRAWING, SHORT, BoardFrequency.EVERY).turn(played):
            console.print(part)
    lines = [line.strip() for line in text.get().splitlines()]
    assert lines[0].startswith("Turn 1 · ant · auction 1 of 3")
    place = lines.index("Bids 2.")
    assert lines[place - 1].startswith("Turn 1 · bee · auction 1 of 3")
