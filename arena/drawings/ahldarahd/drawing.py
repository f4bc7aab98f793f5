"""Caravans of Ahldarahd on a terminal: the row, the seats, all maps side by side, and turns in plain words."""

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap
from typing import Final

from rich.text import Text

from arena.drawings.ahldarahd import words
from arena.drawings.ahldarahd.words import route_words
from arena.drawings.colours import badge_style
from arena.drawings.drawing import Drawing, Step
from arena.drawings.wording import (
    LONGEST_NAME,
    LOUD,
    QUIET,
    SCREEN,
    counted,
    named,
    ranked,
    seat_label,
    seat_title,
)
from engine.ahldarahd.actions import EYES, ITEM_LOT, QUEEN, RIGHTS, SHAH
from engine.ahldarahd.board import ALPHABETICAL, KINDS, NAMES, NUMBERS, PRICES, ROUTES, SEA_ROUTE
from engine.ahldarahd.notation import card_name
from engine.ahldarahd.observation import Observation
from engine.ahldarahd.offers import offer_of
from engine.ahldarahd.position import BIDDING, DECISION_NAMES, NOBODY, PHASE_NAMES
from engine.game import own

_NOBODY: Final = "·"
_IN_A_ROW: Final = 2
"""Cities, and routes, side by side."""

_BEFORE_MAPS: Final = 24
"""Columns of a city's or a route's line before the owners, map by map."""

_FAVOURS: Final = {SHAH: "Shah", EYES: "Eyes", QUEEN: "Queen"}

_ASKED: Final = {
    "setup_routes": "sets its free routes",
    "open_auction": "starts an auction",
    "bid": "is asked to bid",
    "give_shah": "names who gets the Shah",
    "build": "builds",
    "trade_reply": "answers an offer",
    "avert": "may avert the Night",
    "pledge": "may pledge",
    "lose_route": "gives up a route",
}


def _head(seen: Observation, names: Sequence[str]) -> Text:
    text = Text.assemble((f"Turn {seen.turn}", "bold"), f" · {PHASE_NAMES[seen.phase]} · ")
    if seen.seat_to_act is None:
        return text.append("the match is over")
    return text.append_text(named(seen.seat_to_act, names)).append(
        f" {_ASKED[DECISION_NAMES[seen.decision]]}"
    )


def _what_waits(seen: Observation, names: Sequence[str]) -> Iterator[Text]:
    if seen.auction is not None:
        lot = seen.auction.lot
        name = _item(lot - ITEM_LOT) if lot >= ITEM_LOT else card_name(lot % KINDS, lot // KINDS)
        text = Text("Auction: ", QUIET).append(name)
        yield text.append(f", {seen.auction.bid} bid by ").append_text(named(seen.auction.high, names))
    if seen.offer:
        yield from _offer(seen, names)
    if seen.night is not None:
        pledged = sum(seen.night.pledged)
        text = Text(f"Night over {NAMES[seen.night.city].capitalize()}", LOUD)
        yield text.append(f", {pledged} gold pledged" if pledged else "")


def _offer(seen: Observation, names: Sequence[str]) -> Iterator[Text]:
    """Yield the seat, what it offers and what for, in as many lines as needed."""
    offer = offer_of(seen.offer)
    yield (
        Text("Offer: ", QUIET)
        .append_text(named(seen.order[seen.at], names))
        .append(" to ")
        .append_text(named(offer.to, names))
    )
    for verb, side in (("gives", offer.give), ("wants", offer.want)):
        parts = [f"{side.cards[each]} {NAMES[each][:3]}" for each in ALPHABETICAL if side.cards[each]]
        parts += [f"{side.gold} gold"] if side.gold else []
        told = ", ".join([*parts, *map(_item, side.items)]) or "nothing"
        yield from map(Text, wrap(told, SCREEN, initial_indent=f"  {verb} ", subsequent_indent=" " * 8))


def _item(item: int) -> str:
    """Return for example "Shah", "Right 0"."""
    return _FAVOURS.get(item, f"Right {item - RIGHTS}")


def _bank(seen: Observation) -> Iterator[Text]:
    yield Text.assemble(("Spent: ", QUIET), _cards(seen.discards))
    if seen.cup is not None:
        gold, black = seen.cup
        yield Text.assemble(("Cup: ", QUIET), f"{gold} gold, {black} black")


def _favours(seen: Observation, names: Sequence[str]) -> Text:
    text = Text()
    for item in (SHAH, EYES, QUEEN):
        holder = seen.holders[item]
        text.append(f"{_FAVOURS[item]}: ", QUIET)
        text.append_text(Text("in the middle") if holder == NOBODY else named(holder, names)[:12]).append(
            "   "
        )
    text.rstrip()
    return text


def _seats(seen: Observation, names: Sequence[str]) -> Iterator[Text]:
    """Yield a line for each seat, and the hand that the viewer may see."""
    for seat, view in enumerate(seen.seats):
        rights = " ".join(str(map_) for map_ in range(len(seen.seats)) if seen.holders[RIGHTS + map_] == seat)
        text = seat_label(seat, names, acts=seat == seen.seat_to_act)
        camel = "tired" if view.flipped else "ready"
        numbers = f"{view.score:>6} {view.gold:>4} {view.cards:>5} {view.markers:>7}"
        yield text.append(f" {numbers} {camel:<5}  {rights or '-'}")
    for seat, view in enumerate(seen.seats):
        if view.hand is not None:
            yield Text.assemble((f"Hand of seat {seat}: ", QUIET), _cards(view.hand))


def _cards(counts: Sequence[int]) -> str:
    """Return for example "2 gem 1 sal"."""
    some = [f"{counts[each]} {NAMES[each][:3]}" for each in ALPHABETICAL if counts[each]]
    return " ".join(some) or "no card"


def _city(seen: Observation, city: int) -> Text:
    text = Text(f"{NAMES[city].capitalize():<19} {NUMBERS[city]:>2}  ")
    return text.append_text(_marks([each.cities[city] for each in seen.maps]))


def _route(seen: Observation, index: int) -> Text:
    route = index + 1
    kind = "~" if SEA_ROUTE[route] else " "
    text = Text(f"{route:>2} {route_words(route):<16} {PRICES[route]:>2}{kind} ")
    return text.append_text(_marks([each.owners[index] for each in seen.maps]))


def _marks(owners: Sequence[int]) -> Text:
    marks = [
        Text(_NOBODY, QUIET) if owner == NOBODY else Text(str(owner), badge_style(owner)) for owner in owners
    ]
    return Text(" ").join(marks)


def _side_by_side(
    number: int, what: str, seen: Observation, line: Callable[[Observation, int], Text]
) -> Iterator[Text]:
    """Yield two columns, filled downwards, under the numbers of the maps."""
    maps = " ".join(str(map_) if map_ < len(seen.seats) else "n" for map_ in range(len(seen.maps)))
    head = f"{what:<{_BEFORE_MAPS}}{maps}"
    rows = -(-number // _IN_A_ROW)
    yield Text(f"{head}    {head}", style=QUIET)
    for row in range(rows):
        cells = [line(seen, index) for index in range(row, number, rows)]
        yield Text("    ").join(cells)


class AhldarahdDrawing(Drawing):
    """The position as a table; an auction, a building chance or a Night as a sentence."""

    def draw(self, observation: object, names: Sequence[str] = ()) -> Text:
        """Return the row, the seats, and the owners of routes and cities on each map."""
        seen = own(observation, Observation)
        names = [name[:LONGEST_NAME] for name in names]
        cards = ", ".join(card_name(card.commodity, card.colour) for card in seen.row) or "no card"
        row = Text.assemble(("Face up: ", QUIET), cards, ("   Deck: ", QUIET), str(seen.deck))
        lines = [_head(seen, names), *_what_waits(seen, names), row, *_bank(seen), _favours(seen, names)]
        title = f"{seat_title(names)} points gold cards markers camel  Rights"
        lines += [Text(), Text(title, style=QUIET), *_seats(seen, names)]
        lines += [Text(), *_side_by_side(KINDS, "city", seen, _city)]
        lines += [Text(), *_side_by_side(ROUTES, "route", seen, _route)]
        return Text("\n", no_wrap=True, overflow="ignore").join(lines)

    def turn(self, observation: object) -> int:
        """Return the turn (A9)."""
        return own(observation, Observation).turn

    def continues(self, last: Step, step: Step) -> bool:
        """Keep an auction, a Night, or a building chance with the replies to its offers together."""
        return words.belongs(own(last.before, Observation), own(step.before, Observation), step.action)

    def heading(self, observation: object) -> str:
        """Return the phase, and how much is left of the deck: "auction 2 of 3, 12 cards in the deck"."""
        seen = own(observation, Observation)
        what = PHASE_NAMES[seen.phase]
        if seen.night is not None:
            what = f"Night over {NAMES[seen.night.city].capitalize()}"
        elif seen.phase == BIDDING:
            what = f"auction {seen.at + 1} of {len(seen.order)}"
        return f"{what}, {counted(seen.deck, 'card')} in the deck"

    def describe(self, steps: Sequence[Step], names: Sequence[str]) -> Text:
        """Return "claims Salt-Metals on the map of ant with a salt card; buys Gems-Salt on the map of bee" or the
        like.
        """
        return words.sentence(steps, names)

    def describe_events(self, steps: Sequence[Step], names: Sequence[str]) -> list[Text]:
        """Return lots won, cities taken and lost, Nights, cards turned up, points, the lead."""
        return list(words.news(steps, names)) if steps else []

    def ending(self, name: str) -> str:
        """Return for example "the deck is empty"."""
        return words.ENDING_WORDS.get(name, name)

    def standing(self, observation: object, names: Sequence[str]) -> Text:
        """Return points and gold, the best first."""
        keys = [(seat.score, seat.gold) for seat in own(observation, Observation).seats]
        return ranked(keys, names, [f"{gold} gold" for _, gold in keys])


DRAWING: Final = AhldarahdDrawing()
