"""A position of Wasteland on a terminal: who is asked, missions, what is in force, fights, and what the seats have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Final

from rich.text import Text

from arena.drawings.wasteland_board import board
from arena.drawings.wording import LONGEST_NAME, LOUD, QUIET, SCREEN, counted, named, seat_label, seat_title
from engine.wasteland.attack_cards import ATTACKER_HEALTH, ATTACKER_NAMES
from engine.wasteland.board import NOWHERE, SPACE_IDS
from engine.wasteland.caravan_cards import CARD_NAMES, HEALTH
from engine.wasteland.event_cards import EVENT_NAMES, EVENTS, WINDOW_NAMES
from engine.wasteland.missions import MISSION_IDS, NEEDS, REWARD
from engine.wasteland.observation import Observation, SeatView, TurnView
from engine.wasteland.position import DECISION_NAMES, NOT_IN_PLAY
from engine.wasteland.resources import KINDS, NAMES

_SHORT: Final = ("Fuel", "Mun", "Rat", "Med")

_ASKED: Final = {
    "over": "the match is over",
    "start_city": "chooses a City",
    "event": "may play an Event card",
    "respond": "may play an Escort",
    "spoil": "chooses what is lost",
    "move": "moves",
    "dodge": "faces an Attack card",
    "boost": "may roll more dice",
    "reroll": "may roll again",
    "assign_hit": "places a Hit",
    "overflow": "gives up what has no room",
    "location": "does business",
    "end_discard": "may put an Event card away",
    "cook": "may cook",
}


def asked(seen: Observation) -> str:
    """What is asked, in a few words; in a window only that it is open."""
    if seen.decision is None:
        assert seen.window is not None
        return f"window {WINDOW_NAMES[seen.window.name]}"
    return _ASKED[DECISION_NAMES[seen.decision]]


def draw(seen: Observation, names: Sequence[str]) -> Text:
    """The whole position, at most 80 columns wide."""
    names = [name[:LONGEST_NAME] for name in names]
    lines = [_head(seen, names), *board(seen), *_missions(seen), _decks(seen)]
    if seen.turn is not None:
        lines += _in_force(seen.turn)
    lines += _fights(seen)
    lines += [Text(), Text(f"{seat_title(names)} score cash  at  Fuel Mun Rat Med  cards", style=QUIET)]
    for seat, view in enumerate(seen.seats):
        lines.append(_seat(seen, seat, view, names))
        lines += _caravan(view)
    return Text("\n", no_wrap=True, overflow="ignore").join(lines)


def standing(seen: Observation, names: Sequence[str]) -> Text:
    """Scores and Cash, the best first."""
    order = sorted(range(len(seen.seats)), key=lambda seat: -seen.seats[seat].score)
    parts = [
        named(seat, names).append(f" {seen.seats[seat].score} ({seen.seats[seat].cash} Cash)")
        for seat in order
    ]
    return Text(", ").join(parts)


def _head(seen: Observation, names: Sequence[str]) -> Text:
    text = Text.assemble((f"Round {seen.round}" if seen.round else "Set-up", "bold"), " · ")
    if seen.current is not None:
        text.append("turn of ").append_text(named(seen.current, names)).append(" · ")
    if seen.seat_to_act is not None:
        text.append_text(named(seen.seat_to_act, names)).append(" ")
    text.append(asked(seen))
    return text.append(" · last round", LOUD) if seen.goal_reached and seen.ending is None else text


def _missions(seen: Observation) -> Iterator[Text]:
    """For example "i1A Fuel 1 Med 2 → 6"."""
    words = [f"{MISSION_IDS[each]} {_resources(NEEDS[each])} → {REWARD[each]}" for each in seen.missions]
    lines = wrap(" | ".join(words), SCREEN, initial_indent="Missions: ", subsequent_indent=" " * 10)
    yield from map(Text, lines)


def _resources(numbers: Sequence[int]) -> str:
    return " ".join(f"{_SHORT[kind]} {numbers[kind]}" for kind in range(KINDS) if numbers[kind])


def _decks(seen: Observation) -> Text:
    parts = [
        f"{name} {left} (+{len(gone)})"
        for name, left, gone in zip(("Event", "Attack", "Mission"), seen.decks, seen.discards, strict=True)
    ]
    return Text.assemble(("Decks (+ discards): ", QUIET), ", ".join(parts))


def _in_force(turn: TurnView) -> Iterator[Text]:
    words = [f"{counted(turn.steps, 'step')} made"] if turn.steps else []
    words += [f"Tailwind x{turn.tailwinds}"] if turn.tailwinds else []
    words += [f"Flat Tire x{turn.flat_tires}"] if turn.flat_tires else []
    words += ["Sandstorm"] if turn.sandstorm else []
    words += (
        [f"blocked {', '.join(SPACE_IDS[space] for space in turn.road_blocks)}"] if turn.road_blocks else []
    )
    words += [f"dry {', '.join(NAMES[each] for each in turn.dry)}"] if turn.dry else []
    words += [f"Wild {SPACE_IDS[space]} ({cards})" for space, cards in turn.wilds]
    words += ["Bargain"] if turn.bargain else []
    words += ["Bonus Contract"] if turn.bonus else []
    yield from map(
        Text, wrap(", ".join(words), SCREEN, initial_indent="This turn: ", subsequent_indent=" " * 11)
    )


def _fights(seen: Observation) -> Iterator[Text]:
    if seen.fight is not None:
        fight = seen.fight
        health = ATTACKER_HEALTH[fight.card]
        text = Text.assemble(
            (f"Fight: {ATTACKER_NAMES[fight.card]}", LOUD), f", {fight.hits} of {health} Hits"
        )
        text.append(f", Defense {fight.defense}, round {fight.round}")
        text.append(f", dice {' '.join(map(str, fight.dice))}" if fight.dice else "")
        yield text.append(f", {fight.to_assign} to place" if fight.to_assign else "")
    if seen.queue:
        waiting = ", ".join(ATTACKER_NAMES[card] for card, _ in seen.queue)
        yield from map(Text, wrap(waiting, SCREEN, initial_indent="Waiting: ", subsequent_indent=" " * 9))


def _seat(seen: Observation, seat: int, view: SeatView, names: Sequence[str]) -> Text:
    text = seat_label(seat, names, acts=seat == seen.seat_to_act)
    space = "-" if view.space == NOWHERE else SPACE_IDS[view.space]
    fuel, munitions, rations, medicine = view.stores
    numbers = (
        f" {view.score:>5} {view.cash:>4}  {space:<2}  {fuel:>4} {munitions:>3} {rations:>3} {medicine:>3}"
    )
    return text.append(f"{numbers}  {view.cards:>5}")


def _caravan(view: SeatView) -> Iterator[Text]:
    """The cards in play with the health they have left, and the hand, if it may be seen."""
    cards = [
        f"{CARD_NAMES[card]} {HEALTH[card] - hits}/{HEALTH[card]}"
        for card, hits in enumerate(view.hits)
        if hits != NOT_IN_PLAY
    ]
    indent = " " * 8
    yield from map(Text, wrap(", ".join(cards), SCREEN, initial_indent=indent, subsequent_indent=indent))
    if view.hand is not None and view.cards:
        hand = [EVENT_NAMES[card] for card in range(EVENTS) for _ in range(view.hand[card])]
        yield from map(
            Text, wrap(", ".join(hand), SCREEN, initial_indent=f"{indent}Hand: ", subsequent_indent=indent)
        )
