"""What lies beside the map of Wasteland: what is asked and in force, missions, the fight, and each seat's things."""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.drawings.wasteland.drawing import ASKED, DRAWING, WINDOWS, attacker, in_force
from arena.drawings.wasteland.words import event_card
from arena.drawings.wording import counted
from arena.pictures.panel import ROW_TITLE
from arena.pictures.picture import WIDTH, Layer, Part
from arena.pictures.svg import change, circle, element, rectangle, text, token, tooltip
from arena.pictures.wasteland.board import BOTTOM, SHORT
from engine.wasteland.attack_cards import ATTACKER_HEALTH
from engine.wasteland.board import SPACE_NAMES
from engine.wasteland.caravan_cards import CARD_IDS, CARD_NAMES, HEAD, HEALTH
from engine.wasteland.event_cards import EVENT_IDS, EVENT_NAMES
from engine.wasteland.missions import MISSION_IDS, MISSION_TOWN, NEEDS, REWARD
from engine.wasteland.observation import Observation, SeatView
from engine.wasteland.position import DECISION_NAMES, NOT_IN_PLAY
from engine.wasteland.resources import KINDS, NAMES

SEAT_HEIGHT: Final = 140
CARD_HEIGHT: Final = 26

_EDGE: Final = 12
_LEFT: Final = 64
_INNER: Final = WIDTH - 2 * _EDGE
_TOKENS: Final = (7, 4, 1, 0)
"""By resource: the kind of counter in `arena.pictures.style` that has its colour (W3)."""
_STORE: Final = 62
"""Width for the stores of one resource."""
_HAND: Final = 316
"""Left edge of a hand."""
_HAND_CARD: Final = 104
_HAND_HEIGHT: Final = 34
_COLUMNS: Final = 3
"""Caravan cards in a line, as long as two lines hold them."""
_LINE: Final = 24
_MISSION_HEIGHT: Final = 112
_MISSIONS_TOP: Final = BOTTOM + 10
_FORCE_TOP: Final = _MISSIONS_TOP + _MISSION_HEIGHT + 8
_FIGHT_TOP: Final = _FORCE_TOP + 3 * _LINE
SEATS_TOP: Final = _FIGHT_TOP + 68

_DECKS: Final = ("Event", "Attack", "Mission")


def task(seen: Observation) -> str:
    """Return what is asked, or how the match has ended."""
    if seen.ending is not None:
        return f"over: {DRAWING.ending(seen.ending.name)}"
    if seen.decision is not None:
        return ASKED[DECISION_NAMES[seen.decision]]
    return f"cards {WINDOWS[seen.window.name]}" if seen.window is not None else "cards may be played"


def whose_turn(seen: Observation, names: Sequence[str]) -> Iterator[Part]:
    """Yield whose turn it is, and which card is to be answered."""
    said = []
    if seen.current is not None:
        name = names[seen.current] if seen.current < len(names) else f"seat {seen.current}"
        said.append(f"Turn of {name}" + (", in the last round" if seen.goal_reached else ""))
    if seen.window is not None and seen.window.responding_to is not None:
        said.append(f"to be answered: {event_card(seen.window.responding_to)}")
    if said:
        yield Part("whose", _EDGE, 64, text(0, 0, "; ".join(said), 18, style="quiet", width=_INNER))


def mission_at(place: int, seen: Observation) -> tuple[float, float]:
    """Return the upper left corner of a mission."""
    return _EDGE + _INNER / len(seen.missions) * place, _MISSIONS_TOP


def mission_width(seen: Observation) -> float:
    """Return the width of a mission."""
    return _INNER / len(seen.missions) - 6


def missions(seen: Observation) -> Iterator[Part]:
    """Yield the missions that lie face up: their Town, what they want, and what they pay."""
    width = mission_width(seen)
    for place, mission in enumerate(seen.missions):
        town = SPACE_NAMES[MISSION_TOWN[mission]]
        wants = [(kind, NEEDS[mission][kind]) for kind in range(KINDS) if NEEDS[mission][kind]]
        said = ", ".join(f"{number} {NAMES[kind]}" for kind, number in wants)
        body = [
            tooltip(f"{MISSION_IDS[mission]}: {said} to {town} for {REWARD[mission]} Cash"),
            rectangle(0, 0, width, _MISSION_HEIGHT - 6, "field edge", 8),
            *(text(6, 31 + 17 * line, word, 16) for line, word in enumerate(town.split())),
            circle(width - 12, 4, 15, "mark edge"),
            text(width - 12, 10, str(REWARD[mission]), 18, style="on-mark bold", anchor="middle"),
        ]
        for index, (kind, number) in enumerate(wants):
            wide = min(54, (width - 4) / 2)
            x, y = 2 + wide * (index % 2 + 0.5), 66 + 26 * (index // 2)
            label = f"{number} {NAMES[kind][:2]}"
            counter = token(_TOKENS[kind], label, wide - 2, 24)
            body.append(element("g", counter, transform=f"translate({x:.1f} {y})"))
        yield Part(f"mission-{MISSION_IDS[mission]}", *mission_at(place, seen), element("g", *body))


def decks_and_turn(seen: Observation, names: Sequence[str]) -> Iterator[Part]:
    """Yield how many cards each deck has, and what holds in this turn."""
    decks = ", ".join(
        f"{name} {left} (+{len(gone)})"
        for name, left, gone in zip(_DECKS, seen.decks, seen.discards, strict=True)
    )
    yield Part("decks", _EDGE, _FORCE_TOP + 16, text(0, 0, f"Decks (+ discards): {decks}", 16))
    if seen.turn is None:
        return
    for number, line in enumerate(_wrapped(in_force(seen.turn, names), 2)):
        said = text(0, 0, line, 16, style="ink bold", width=_INNER)
        yield Part(f"force-{number}", _EDGE, _FORCE_TOP + 16 + _LINE * (number + 1), said)


def _wrapped(words: Sequence[str], lines: int) -> list[str]:
    """Return the words with commas in at most so many lines; the last one may be too long."""
    found: list[str] = []
    for word in words:
        if found and (len(found[-1]) + len(word) < _INNER / 9.6 - 2 or len(found) == lines):
            found[-1] += f", {word}"
        else:
            found.append(word)
    return found


def fight(seen: Observation) -> Iterator[Part]:
    """Yield the Attack card that is fought with its dice, and those that wait."""
    if seen.fight is not None:
        now = seen.fight
        name = attacker(now.card, now.surprise)
        facts = f"{now.hits} of {ATTACKER_HEALTH[now.card]} Hits, Defense {now.defense}"
        facts += f", round {now.round}" if now.round else ""
        facts += f", {now.to_assign} to place" if now.to_assign else ""
        yield Part(
            "fight",
            _EDGE,
            _FIGHT_TOP + 18,
            text(0, 0, f"Fight: {name}, {facts}", 18, style="loud bold", width=_INNER),
        )
        if now.dice:
            yield from dice("dice", now.dice, "caravan", _EDGE)
    if seen.queue:
        waiting = "Waiting: " + ", ".join(attacker(card, surprise) for card, surprise in seen.queue)
        y = _FIGHT_TOP + (46 if seen.fight is not None else 18)
        x = 330 if seen.fight is not None else _EDGE
        yield Part("queue", x, y, text(0, 0, waiting, 16, style="loud", width=WIDTH - _EDGE - x))


def dice(
    owner: str, values: Sequence[int], side: str, left: float, layer: Layer = Layer.PIECES
) -> Iterator[Part]:
    """Yield dice below the line of the fight, from `left` on. `side`: who rolled them, in words."""
    for number, value in enumerate(values):
        face = rectangle(-12, -12, 24, 24, "paper edge", 5) + text(
            0, 6, str(value), 17, style="ink bold", anchor="middle"
        )
        yield Part(f"{owner}-{number}", left + 14 + 28 * number, _FIGHT_TOP + 44, face, layer)
    x = left + 8 + 28 * len(values)
    yield Part(f"{owner}-side", x, _FIGHT_TOP + 50, text(0, 0, side, 16, style="quiet"), layer)


def seat_at(seat: int) -> tuple[float, float]:
    """Return where the piece of a seat's row lies."""
    return 32, SEATS_TOP + ROW_TITLE + SEAT_HEIGHT * seat + 22


def store_at(seat: int, kind: int) -> tuple[float, float]:
    """Return the centre of a seat's units of a resource."""
    return _LEFT + _STORE * (kind + 0.5), seat_at(seat)[1] + 32


def what_seats_have(
    seen: Observation, before: Observation, hands: Sequence[Sequence[int] | None]
) -> Iterator[Part]:
    """Yield resources, hands and Caravan cards; cards of a hand face up where they are known."""
    for seat, (view, old) in enumerate(zip(seen.seats, before.seats, strict=True)):
        for kind in range(KINDS):
            x, y = store_at(seat, kind)
            label = f"{view.stores[kind]} {SHORT[kind]}"
            body = token(_TOKENS[kind], label, _STORE - 6, 24) if view.stores[kind] else _none(label)
            yield Part(f"store-{seat}-{NAMES[kind]}", x, y, body)
            if view.stores[kind] != old.stores[kind]:
                number = change(view.stores[kind] - old.stores[kind])
                yield Part(f"store-{seat}-{NAMES[kind]}-change", x + 24, y - 10, number, Layer.MARKS)
        yield from _hand(seat, view, hands[seat])
        yield from _caravan(seat, view, old)


def _none(label: str) -> str:
    return rectangle(-_STORE / 2 + 3, -12, _STORE - 6, 24, "field line", 6) + text(
        0, 6, label, 16, style="quiet", anchor="middle", within=_STORE - 16
    )


def _hand(seat: int, view: SeatView, hand: Sequence[int] | None) -> Iterator[Part]:
    _, y = seat_at(seat)
    y += 31
    if hand is None:
        drawn = "".join(rectangle(16 * each, -12, 20, 24, "kind-1 edge", 3) for each in range(view.cards))
        said = text(16 * view.cards + 10, 6, counted(view.cards, "card"), 16, style="quiet")
        yield Part(f"backs-{seat}", _HAND, y, drawn + said)
        return
    place = 0
    for card, number in enumerate(hand):
        if number:
            label = EVENT_NAMES[card] if number == 1 else f"{number}x {EVENT_NAMES[card]}"
            lines = label.rsplit(" ", 1)
            top = 5 - 7 * (len(lines) - 1)
            width = _HAND_CARD - 3
            words = (
                text(width / 2, top + 15 * line, word, 16, style="on-mark", anchor="middle")
                for line, word in enumerate(lines)
            )
            box = rectangle(0, -_HAND_HEIGHT / 2, width, _HAND_HEIGHT, "mark edge", 5)
            body = element("g", tooltip(EVENT_NAMES[card]), box, *words)
            yield Part(f"hand-{seat}-{EVENT_IDS[card]}", _HAND + _HAND_CARD * place, y, body)
            place += 1


def cards_of(view: SeatView) -> list[int]:
    """Return the Caravan cards in play."""
    return [card for card, hits in enumerate(view.hits) if hits != NOT_IN_PLAY]


def card_at(seat: int, cards: Sequence[int], card: int) -> tuple[float, float, float]:
    """Return the left edge, the middle and the width of a Caravan card."""
    columns = max(_COLUMNS, (len(cards) + 1) // 2)
    wide = (WIDTH - _LEFT - _EDGE) / columns
    place = cards.index(card)
    return _LEFT + wide * (place % columns), seat_at(seat)[1] + 64 + 30 * (place // columns), wide - 5


def _caravan(seat: int, view: SeatView, old: SeatView) -> Iterator[Part]:
    """Yield the Caravan cards with the health that each has left."""
    cards = cards_of(view)
    for card in cards:
        x, y, width = card_at(seat, cards, card)
        left, name = HEALTH[card] - view.hits[card], "Head" if card == HEAD else CARD_NAMES[card]
        hurt = "loud bold" if view.hits[card] else "ink bold"
        body = element(
            "g",
            tooltip(f"{CARD_NAMES[card]}: {left} of {HEALTH[card]} health"),
            rectangle(0, -13, width, CARD_HEIGHT, "paper edge", 5),
            text(6, 6, name, 16, width=width - 34),
            text(width - 6, 6, f"{left}/{HEALTH[card]}", 16, style=hurt, anchor="end"),
        )
        yield Part(f"card-{seat}-{CARD_IDS[card]}", x, y, body)
        hits = 0 if old.hits[card] == NOT_IN_PLAY else old.hits[card]
        if view.hits[card] != hits:
            mark = change(hits - view.hits[card])
            yield Part(f"card-{seat}-{CARD_IDS[card]}-change", x + width - 52, y - 8, mark, Layer.MARKS)
