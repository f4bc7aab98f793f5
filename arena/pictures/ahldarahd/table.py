"""What lies beside the maps of Ahldarahd: the lots, the bank, and the things of each seat."""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.drawings.ahldarahd.drawing import DRAWING
from arena.drawings.ahldarahd.words import lot_words, side_words
from arena.drawings.wording import counted
from arena.pictures.ahldarahd.maps import maps_height
from arena.pictures.panel import ROW_TITLE
from arena.pictures.picture import WIDTH, Part
from arena.pictures.svg import element, rectangle, text, tooltip
from engine.ahldarahd.actions import EYES, ITEM_LOT, QUEEN, RIGHTS, SHAH
from engine.ahldarahd.board import ALPHABETICAL, KINDS, NAMES
from engine.ahldarahd.events import Card
from engine.ahldarahd.notation import card_name
from engine.ahldarahd.observation import Observation
from engine.ahldarahd.offers import offer_of
from engine.ahldarahd.position import DECISION_NAMES, NOBODY, PHASE_NAMES

SEAT_HEIGHT: Final = 112
CARD_WIDTH: Final = 106
ITEM_WIDTH: Final = 68
SPENT_WIDTH: Final = 56
HEIGHT: Final = 26
"""Of cards and items."""

_EDGE: Final = 12
_LEFT: Final = 64
_LINE: Final = 32
_LOTS: Final = 62
"""Characters of the lots that fit in larger letters."""
_WAITING: Final = 70
"""Baseline of what waits for an answer."""

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
_FAVOURS: Final = {SHAH: "Shah", EYES: "Eyes", QUEEN: "Queen"}


def task(seen: Observation) -> str:
    """Return what is asked, or how the match has ended."""
    if seen.seat_to_act is None:
        return f"over: {DRAWING.ending(seen.ending.name)}" if seen.ending is not None else "the match is over"
    asked = _ASKED[DECISION_NAMES[seen.decision]]
    trades = seen.options.trading and DECISION_NAMES[seen.decision] == "build"
    return f"{asked}, {counted(seen.offers_left, 'offer')} left" if trades else asked


def _row_top(seen: Observation) -> float:
    return _WAITING + (3 if seen.options.trading else 1) * 26


def card_at(seen: Observation, card: Card) -> tuple[float, float]:
    """Return the centre of a card of the row."""
    place = seen.row.index(card)
    return _EDGE + 84 + CARD_WIDTH * (place + 0.5), _row_top(seen)


def spent_at(seen: Observation, commodity: int) -> tuple[float, float]:
    """Return the centre of the spent cards of a commodity."""
    return _LEFT + 8 + SPENT_WIDTH * (ALPHABETICAL.index(commodity) + 0.5), _row_top(seen) + 3 * _LINE


def board_top(seen: Observation) -> float:
    """Return the upper edge of the maps."""
    return _row_top(seen) + 4 * _LINE + 20


def seats_top(seen: Observation) -> int:
    """Return the upper edge of the seats' rows."""
    return int(board_top(seen)) + maps_height(len(seen.maps))


def seat_at(seen: Observation, seat: int) -> tuple[float, float]:
    """Return where the piece of a seat's row lies."""
    return 32, seats_top(seen) + ROW_TITLE + SEAT_HEIGHT * seat + 22


def item_at(seen: Observation, item: int, holder: int) -> tuple[float, float]:
    """Return where an item lies if `holder`, a seat or NOBODY, has it."""
    x = _LEFT + (ITEM_WIDTH + 3) * (item + 0.5)
    return (x, _row_top(seen) + 4 * _LINE) if holder == NOBODY else (x, seat_at(seen, holder)[1] + 34)


def waiting(seen: Observation, names: Sequence[str]) -> Iterator[Part]:
    """Yield the auction, the offer or the Night that waits for answers, or else the phase."""
    lines = [PHASE_NAMES[seen.phase].capitalize()]
    style = "ink"
    if seen.auction is not None:
        lines = [
            f"Auction: {lot_words(seen.auction.lot, names)}, {seen.auction.bid} bid by {seen.auction.high}"
        ]
        if seen.auction.passed:
            lines[0] += f"; passed: {', '.join(map(str, seen.auction.passed))}"
    elif seen.offer:
        offer = offer_of(seen.offer)
        lines = [
            f"Offer of seat {seen.order[seen.at]} to seat {offer.to}",
            f"gives {side_words(offer.give, names)}",
            f"wants {side_words(offer.want, names)}",
        ]
    elif seen.night is not None:
        style = "loud"
        pledged = f", {sum(seen.night.pledged)} gold pledged" if any(seen.night.pledged) else ""
        lines = [f"Night over {NAMES[seen.night.city].capitalize()}{pledged}"]
    body = "".join(
        text(0, 26 * row, line, 20, style=f"{style} bold", width=WIDTH - 2 * _EDGE)
        for row, line in enumerate(lines)
    )
    yield Part("waiting", _EDGE, _WAITING, element("g", tooltip("; ".join(lines)), body))


def row_cards(seen: Observation) -> Iterator[Part]:
    """Yield the cards that lie face up, the oldest first."""
    yield Part("row", _EDGE, _row_top(seen) + 6, text(0, 0, "Face up", 18, style="quiet"))
    for card in seen.row:
        name = card_name(card.commodity, card.colour)
        yield Part(f"card-{name}", *card_at(seen, card), card_box(card))


def card_box(card: Card) -> str:
    """Return a card that lies face up, around the origin."""
    return _box(card_name(card.commodity, card.colour), CARD_WIDTH - 4, "paper edge")


def bank(seen: Observation) -> Iterator[Part]:
    """Yield the deck, the lots of this turn, the cup, spent cards, and the items in the middle."""
    y = _row_top(seen) + 6
    cup = f"   Cup {seen.cup[0]} gold, {seen.cup[1]} black" if seen.cup is not None else ""
    opened = ", ".join(_lot(lot) for lot in seen.auctioned)
    said = f"Lots of this turn: {opened or 'none'}"
    lots = text(0, 0, said, 18 if len(said) <= _LOTS else 16, style="quiet")
    line = text(0, 0, f"Deck {seen.deck}{cup}", 18, style="ink bold", width=WIDTH - 2 * _EDGE)
    yield Part("deck", _EDGE, y + _LINE, line)
    yield Part("lots", _EDGE, y + 2 * _LINE, lots)
    yield Part("spent", _EDGE, y + 3 * _LINE, text(0, 0, "Spent", 18, style="quiet"))
    yield Part("middle", _EDGE, y + 4 * _LINE, text(0, 0, "Middle", 16, style="quiet"))
    for commodity in ALPHABETICAL:
        if seen.discards[commodity]:
            body = _cards(seen.discards[commodity], commodity)
            yield Part(f"spent-{NAMES[commodity]}", *spent_at(seen, commodity), body)
    for item, holder in enumerate(seen.holders):
        if item < RIGHTS + len(seen.seats):
            body = _box(_item(item), ITEM_WIDTH, "mark edge", "on-mark")
            yield Part(f"item-{item}", *item_at(seen, item, holder), body)


def _lot(lot: int) -> str:
    """Return for example "gems-2", "Right 0"."""
    return _item(lot - ITEM_LOT) if lot >= ITEM_LOT else card_name(lot % KINDS, lot // KINDS)


def _item(item: int) -> str:
    return _FAVOURS.get(item, f"Right {item - RIGHTS}")


def what_seats_have(seen: Observation, hands: Sequence[Sequence[int] | None]) -> Iterator[Part]:
    """Yield camels, and hands: cards that are known face up, others as backs with their number."""
    for seat, view in enumerate(seen.seats):
        _, y = seat_at(seen, seat)
        camel = "tired" if view.flipped else "ready"
        style = "loud bold" if view.flipped else "quiet"
        label = text(0, 0, camel, 16, style=style, anchor="middle")
        yield Part(f"camel-{seat}", 34, y + 40, element("g", tooltip(f"camel: {camel}"), label))
        hand = hands[seat]
        if hand is None:
            yield Part(f"backs-{seat}", _LEFT + 10, y + 66, _backs(view.cards))
            continue
        for place, commodity in enumerate(ALPHABETICAL):
            if hand[commodity]:
                x = _LEFT + SPENT_WIDTH * (place + 0.5)
                name = f"hand-{seat}-{NAMES[commodity]}"
                yield Part(name, x, y + 66, _cards(hand[commodity], commodity))


def _backs(cards: int) -> str:
    drawn = "".join(
        rectangle(12 * each - 10, -12, 18, 24, "kind-1 edge", 3) for each in range(min(cards, 30))
    )
    return drawn + text(12 * min(cards, 30) + 6, 6, counted(cards, "card"), 16, style="quiet")


def _cards(count: int, commodity: int) -> str:
    label = f"{count} {NAMES[commodity][:3]}"
    return element("g", tooltip(NAMES[commodity]), _box(label, SPENT_WIDTH - 3, "paper edge"))


def _box(label: str, width: float, style: str, letters: str = "ink") -> str:
    return rectangle(-width / 2, -HEIGHT / 2, width, HEIGHT, style, 5) + text(
        0, 6, label, 16, style=letters, anchor="middle", within=width - 6
    )
