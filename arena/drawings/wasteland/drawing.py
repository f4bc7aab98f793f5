"""Wasteland on a terminal: the board, the question, what is in force, the seats, and turns in plain words."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import Final

from rich.text import Text

from arena.drawings.colours import badge_style
from arena.drawings.drawing import Drawing, Step
from arena.drawings.wasteland.words import ENDING_WORDS, event_card, opening, sequel
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
from engine.game import Event, own
from engine.wasteland.attack_cards import ATTACKER_HEALTH, ATTACKER_NAMES
from engine.wasteland.board import CITY, NOWHERE, SPACE_IDS, SPACE_KINDS, WILD
from engine.wasteland.caravan_cards import CARD_NAMES, HEALTH
from engine.wasteland.event_cards import EVENT_NAMES, EVENTS
from engine.wasteland.events import TurnBegan
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

ASKED: Final = {
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
"""By question: what the seat does, for people."""


WINDOWS: Final = ("before Movement", "before the fights", "before Location", "at the end of the turn")
"""By window: when it is."""


_PICTURE: Final = """\
            d2---------- N ----------a1
           /    .        |        .    \\
         d1 . . X4 . .   i1  . . X1 . . a2
        /      .  .      |     .  .       \\
       W ------- i4 ---- X0 --- i2 ------- E
        \\      .  .      |     .  .       /
         c2 . . X3 . .   i3  . . X2 . . b1
           \\    .        |        .    /
            c1---------- S ----------b2"""
"""Roads are lines; a dot leads into a Wild."""

_BOARD_WIDTH: Final = 48
"""Columns before the seats beside the board."""

_STYLES: Final = {CITY: "bold", WILD: "red3"}


def _board(seen: Observation) -> Iterator[Text]:
    """Yield a legend, and the lines of the picture, each followed by the seats on its spaces."""
    yield Text(f"{'':{_BOARD_WIDTH}}who stands where: space, seat", QUIET)
    for line in _PICTURE.splitlines():
        yield _board_line(seen, line)


def _board_line(seen: Observation, line: str) -> Text:
    text = Text(line, QUIET)
    here: list[int] = []
    for space, name in enumerate(SPACE_IDS):
        place = line.find(name)  # as a word of its own
        if place < 0 or line[place + len(name) : place + len(name) + 1].isalnum():
            continue
        there = [seat for seat, view in enumerate(seen.seats) if view.space == space]
        style = badge_style(there[0]) if there else _STYLES.get(SPACE_KINDS[space], "")
        text.stylize(f"not dim {style}".rstrip(), place, place + len(name))
        here += there
    if here:
        text.append(" " * (_BOARD_WIDTH - len(line)))
        parts = [
            Text.assemble(f"{SPACE_IDS[seen.seats[seat].space]} ", (f" {seat} ", badge_style(seat)))
            for seat in here
        ]
        text.append_text(Text("  ").join(parts))
    return text


def _head(seen: Observation, names: Sequence[str]) -> Iterator[Text]:
    names = [name[:_IN_HEAD] for name in names]
    text = Text.assemble((f"Round {seen.round}" if seen.round else "Set-up", "bold"))
    text.append(" (last)" if seen.goal_reached and seen.ending is None else "", LOUD).append(" · ")
    if seen.current is not None:
        text.append("turn of ").append_text(named(seen.current, names)).append(" · ")
    if seen.seat_to_act is not None:
        text.append_text(named(seen.seat_to_act, names)).append(" ")
    if seen.decision is not None:
        text.append(ASKED[DECISION_NAMES[seen.decision]])
    elif seen.window is not None:  # only that it is open, not who is asked
        text.append(f"Event cards {WINDOWS[seen.window.name]}")
    yield text
    if seen.window is not None and seen.window.responding_to is not None:
        yield Text(f"To be answered: {event_card(seen.window.responding_to)}")


def _filled(head: str, parts: Sequence[str], indent: int = 0) -> Iterator[Text]:
    """Yield the parts behind the head, on as many lines as they need; no part is broken."""
    whole = ", ".join(part.replace(" ", _GLUE) for part in parts)
    before = " " * indent
    lines = wrap(whole, SCREEN, initial_indent=before + head, subsequent_indent=" " * (indent + len(head)))
    yield from (Text(line.replace(_GLUE, " ")) for line in lines)


def _mission(mission: int) -> str:
    needs = " ".join(
        f"{_SHORT[kind]} {NEEDS[mission][kind]}" for kind in range(KINDS) if NEEDS[mission][kind]
    )
    return f"{MISSION_IDS[mission]} {needs} → {REWARD[mission]}"


def _decks(seen: Observation) -> Text:
    parts = [
        f"{name} {left} (+{len(gone)})"
        for name, left, gone in zip(("Event", "Attack", "Mission"), seen.decks, seen.discards, strict=True)
    ]
    return Text.assemble(("Decks (+ discards): ", QUIET), ", ".join(parts))


def in_force(turn: TurnView, names: Sequence[str]) -> list[str]:
    """Return what holds in this turn, each thing in a few words."""
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
    return words


def _fights(seen: Observation) -> Iterator[Text]:
    if seen.fight is not None:
        fight = seen.fight
        words = [attacker(fight.card, fight.surprise), f"{fight.hits} of {ATTACKER_HEALTH[fight.card]} Hits"]
        words += [f"Defense {fight.defense}", f"round {fight.round}" if fight.round else "before round 1"]
        words += [f"dice {' '.join(map(str, fight.dice))}"] if fight.dice else []
        words += [f"{fight.to_assign} to place"] if fight.to_assign else []
        for text in _filled("Fight: ", words):
            text.highlight_words([f"Fight: {words[0]}"], LOUD)
            yield text
    if seen.queue:
        yield from _filled("Waiting: ", [attacker(card, surprise) for card, surprise in seen.queue])


def attacker(card: int, surprise: bool) -> str:
    """Return an Attack card in words."""
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


class WastelandDrawing(Drawing):
    """The position as a map and a table; a stretch of one seat's actions in their order."""

    def draw(self, observation: object, names: Sequence[str] = ()) -> Text:
        """Return the board, the missions, what is in force, and what each seat has."""
        seen = own(observation, Observation)
        names = [name[:LONGEST_NAME] for name in names]
        missions = [_mission(each) for each in seen.missions]
        lines = [*_head(seen, names), *_board(seen), *_filled("Missions: ", missions), _decks(seen)]
        if seen.turn is not None:
            lines += _filled("This turn: ", in_force(seen.turn, names))
        lines += _fights(seen)
        lines += [Text(), Text(f"{seat_title(names)} score cash  at  Fuel Mun Rat Med  cards", style=QUIET)]
        for seat, view in enumerate(seen.seats):
            lines += _seat(seen, seat, view, names)
        return Text("\n", no_wrap=True, overflow="ignore").join(lines)

    def turn(self, observation: object) -> int:
        """Return the round (W24)."""
        return own(observation, Observation).round

    def continues(self, last: Step, step: Step) -> bool:
        """Keep the turns of different seats apart, even if the same seat acts."""
        return super().continues(last, step) and not any(isinstance(each, TurnBegan) for each in last.events)

    def caught_up(self, observation: object, event: Event) -> object:
        """Add the turn that has begun: in its first window no view is shown (W70)."""
        if not isinstance(event, TurnBegan):
            return observation
        return replace(own(observation, Observation), round=event.round, current=event.seat)

    def heading(self, observation: object) -> str:
        """Return how many Event cards are left; not the question, which another seat may be asked in secret (W70)."""
        return f"{counted(own(observation, Observation).decks[0], 'Event card')} in the deck"

    def describe(self, steps: Sequence[Step], names: Sequence[str]) -> Text:
        """Return for example "goes to Pumphouse and The Crater; loads fuel": up to a fight or a loss."""
        return opening(steps, names)

    def describe_events(self, steps: Sequence[Step], names: Sequence[str]) -> list[Text]:
        """Return fights with their dice, losses, missions, the goal; what was done after a fight follows it."""
        return list(sequel(steps, names)) if steps else []

    def ending(self, name: str) -> str:
        """Return for example "the last round is over"."""
        return ENDING_WORDS.get(name, name)

    def standing(self, observation: object, names: Sequence[str]) -> Text:
        """Return scores and Cash, the best first; of equal scores the better health (W69)."""
        seats = own(observation, Observation).seats
        keys = [(view.score, sum(left for _, left in _in_play(view))) for view in seats]
        return ranked(keys, names, [f"{view.cash} Cash" for view in seats])


DRAWING: Final = WastelandDrawing()
