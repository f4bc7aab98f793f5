"""A position of Wasteland on a terminal: the question, missions, what is in force, fights, and the seats."""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Final

from rich.text import Text

from arena.drawings.wasteland.board import board
from arena.drawings.wasteland.words import event_card
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
from engine.wasteland.attack_cards import ATTACKER_HEALTH, ATTACKER_NAMES
from engine.wasteland.board import NOWHERE, SPACE_IDS
from engine.wasteland.caravan_cards import CARD_NAMES, HEALTH
from engine.wasteland.event_cards import EVENT_NAMES, EVENTS
from engine.wasteland.missions import MISSION_IDS, NEEDS, REWARD
from engine.wasteland.observation import Observation, SeatView, TurnView
from engine.wasteland.position import DECISION_NAMES, NOT_IN_PLAY
from engine.wasteland.resources import KINDS, NAMES

_SHORT: Final = ("Fuel", "Mun", "Rat", "Med")

_INDENT: Final = 8
"""Columns before what belongs to a seat."""

_IN_HEAD: Final = 12
"""Of a name in the first line."""

_GLUE: Final = "\N{NO-BREAK SPACE}"

_ASKED: Final = {
    "over": "the match is over",
    "start_city": "chooses a City",
    "event": "may play a card",
    "respond": "may play an Escort",
    "spoil": "chooses what is lost",
    "move": "moves",
    "dodge": "faces an Attack card",
    "boost": "may roll more dice",
    "reroll": "may roll again",
    "assign_hit": "places a Hit",
    "overflow": "gives up resources",
    "location": "is in Location",
    "end_discard": "may discard a card",
    "cook": "may cook",
}


_WINDOWS: Final = ("before Movement", "before the fights", "before Location", "at the end of the turn")
"""By window: when it is."""


def draw(seen: Observation, names: Sequence[str]) -> Text:
    """Return the whole position, at most 80 columns wide."""
    names = [name[:LONGEST_NAME] for name in names]
    needs = {
        each: " ".join(f"{_SHORT[kind]} {NEEDS[each][kind]}" for kind in range(KINDS) if NEEDS[each][kind])
        for each in seen.missions
    }
    missions = [f"{MISSION_IDS[each]} {needs[each]} → {REWARD[each]}" for each in seen.missions]
    lines = [*_head(seen, names), *board(seen), *_filled("Missions: ", missions), _decks(seen)]
    if seen.turn is not None:
        lines += _in_force(seen.turn, names)
    lines += _fights(seen)
    lines += [Text(), Text(f"{seat_title(names)} score cash  at  Fuel Mun Rat Med  cards", style=QUIET)]
    for seat, view in enumerate(seen.seats):
        lines += _seat(seen, seat, view, names)
    return Text("\n", no_wrap=True, overflow="ignore").join(lines)


def standing(seen: Observation, names: Sequence[str]) -> Text:
    """Return scores and Cash, the best first; of equal scores the better health (W69)."""
    keys = [(view.score, sum(left for _, left in _in_play(view))) for view in seen.seats]
    return ranked(keys, names, [f"{view.cash} Cash" for view in seen.seats])


def _head(seen: Observation, names: Sequence[str]) -> Iterator[Text]:
    names = [name[:_IN_HEAD] for name in names]
    text = Text.assemble((f"Round {seen.round}" if seen.round else "Set-up", "bold"))
    text.append(" (last)" if seen.goal_reached and seen.ending is None else "", LOUD).append(" · ")
    if seen.current is not None:
        text.append("turn of ").append_text(named(seen.current, names)).append(" · ")
    if seen.seat_to_act is not None:
        text.append_text(named(seen.seat_to_act, names)).append(" ")
    if seen.decision is not None:
        text.append(_ASKED[DECISION_NAMES[seen.decision]])
    elif seen.window is not None:  # only that it is open, not who is asked
        text.append(f"Event cards {_WINDOWS[seen.window.name]}")
    yield text
    if seen.window is not None and seen.window.responding_to is not None:
        yield Text(f"To be answered: {event_card(seen.window.responding_to)}")


def _filled(head: str, parts: Sequence[str], indent: int = 0) -> Iterator[Text]:
    """Yield the parts behind the head, on as many lines as they need; no part is broken."""
    whole = ", ".join(part.replace(" ", _GLUE) for part in parts)
    before = " " * indent
    lines = wrap(whole, SCREEN, initial_indent=before + head, subsequent_indent=" " * (indent + len(head)))
    yield from (Text(line.replace(_GLUE, " ")) for line in lines)


def _decks(seen: Observation) -> Text:
    parts = [
        f"{name} {left} (+{len(gone)})"
        for name, left, gone in zip(("Event", "Attack", "Mission"), seen.decks, seen.discards, strict=True)
    ]
    return Text.assemble(("Decks (+ discards): ", QUIET), ", ".join(parts))


def _in_force(turn: TurnView, names: Sequence[str]) -> Iterator[Text]:
    words = [f"{counted(turn.steps, 'step')} made"] if turn.steps else []
    words += [f"Tailwind x{turn.tailwinds}"] if turn.tailwinds else []
    words += [f"Flat Tire x{turn.flat_tires}"] if turn.flat_tires else []
    words += ["Outrider Bikes"] if turn.outrider else []
    words += ["Sandstorm"] if turn.sandstorm else []
    words += [f"no way to {SPACE_IDS[space]}" for space in turn.road_blocks]
    words += [f"no {NAMES[each]}" for each in turn.dry]
    words += [f"Wild {SPACE_IDS[space]} ({cards})" for space, cards in turn.wilds]
    words += ["Bargain"] if turn.bargain else []
    words += ["Bonus Contract"] if turn.bonus else []
    words += [f"{NAMES[each]} ditched" for each in turn.ditched]
    words += ["Field Hospital"] if turn.healed else []
    words += [f"Attack!-type card of {named(seat, names).plain}" for seat in turn.attackers]
    yield from _filled("This turn: ", words)


def _fights(seen: Observation) -> Iterator[Text]:
    if seen.fight is not None:
        fight = seen.fight
        words = [_attacker(fight.card, fight.surprise), f"{fight.hits} of {ATTACKER_HEALTH[fight.card]} Hits"]
        words += [f"Defense {fight.defense}", f"round {fight.round}" if fight.round else "before round 1"]
        words += [f"dice {' '.join(map(str, fight.dice))}"] if fight.dice else []
        words += [f"{fight.to_assign} to place"] if fight.to_assign else []
        for text in _filled("Fight: ", words):
            text.highlight_words([f"Fight: {words[0]}"], LOUD)
            yield text
    if seen.queue:
        yield from _filled("Waiting: ", [_attacker(card, surprise) for card, surprise in seen.queue])


def _attacker(card: int, surprise: bool) -> str:
    return f"{ATTACKER_NAMES[card]} by surprise" if surprise else ATTACKER_NAMES[card]


def _seat(seen: Observation, seat: int, view: SeatView, names: Sequence[str]) -> Iterator[Text]:
    """Yield a seat's line, its cards in play with their remaining health, and the hand, if it may be seen."""
    text = seat_label(seat, names, acts=seat == seen.seat_to_act)
    space = "-" if view.space == NOWHERE else SPACE_IDS[view.space]
    fuel, munitions, rations, medicine = view.stores
    numbers = (
        f" {view.score:>5} {view.cash:>4}  {space:<2}  {fuel:>4} {munitions:>3} {rations:>3} {medicine:>3}"
    )
    yield text.append(f"{numbers}  {view.cards:>5}")
    cards = [f"{CARD_NAMES[card]} {left}/{HEALTH[card]}" for card, left in _in_play(view)]
    yield from _filled("", cards, _INDENT)
    if view.hand is not None and view.cards:
        hand = [EVENT_NAMES[card] for card in range(EVENTS) for _ in range(view.hand[card])]
        yield from _filled("Hand: ", hand, _INDENT)


def _in_play(view: SeatView) -> list[tuple[int, int]]:
    """Return Caravan cards, with the health that each has left."""
    return [(card, HEALTH[card] - hits) for card, hits in enumerate(view.hits) if hits != NOT_IN_PLAY]
