"""Turns of Wasteland in plain words: actions, consequences, and the actions after them, in order."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from rich.text import Text

from arena.drawings.drawing import Step
from arena.drawings.wording import LOUD, QUIET, change, listed, named, scores_of
from engine.game import Event, own
from engine.wasteland import actions as packing
from engine.wasteland import events
from engine.wasteland.attack_cards import (
    ATTACKER_NAMES,
    DISCARD,
    DISCARD_WITH_BOUNTY,
    PAY_DOES,
    SHUFFLE_BACK,
    WEAKEN,
    WEAKENED_DEFENSE,
)
from engine.wasteland.board import SPACE_NAMES
from engine.wasteland.caravan_cards import CARD_IDS, CARD_NAMES
from engine.wasteland.event_cards import EVENT_NAMES, HITS, MISSION, RESOURCE, SPACE, TARGET
from engine.wasteland.missions import MISSION_IDS, MISSION_TOWN, NEEDS, REWARD
from engine.wasteland.notation import hit_names
from engine.wasteland.observation import Observation
from engine.wasteland.resources import KINDS, NAMES

_SILENT: Final = (packing.PASS, packing.STOP, packing.DONE, packing.KEEP)
"""Actions that are named only where a seat does nothing else."""


_GOES: Final = "goes to"
_SCOUTS: Final = "scouts ahead and goes to"

ENDING_WORDS: Final = {"GOAL": "the Cash goal is reached", "ROUND_LIMIT": "the last round is over"}
"""Why a match ended, by the rules' own word."""


def event_card(card: int) -> str:
    """Return its name, in quotes: some names end with an exclamation mark."""
    return f'"{EVENT_NAMES[card]}"'


def _mission_words(mission: int) -> str:
    """Return for example "i1B (1 fuel, 2 medicine to Pumphouse for 6 Cash)"."""
    needs = ", ".join(
        f"{NEEDS[mission][kind]} {NAMES[kind]}" for kind in range(KINDS) if NEEDS[mission][kind]
    )
    town = SPACE_NAMES[MISSION_TOWN[mission]]
    return f"{MISSION_IDS[mission]} ({needs} to {town} for {REWARD[mission]} Cash)"


def _sentence(steps: Sequence[Step]) -> Text:
    """Return the actions of a seat in one stretch of a round, without its subject; steps and loads are merged."""
    parts: list[tuple[str, list[str]]] = []
    for step in steps:
        if packing.kind_of(step.action) in _SILENT:
            continue
        verb, what = _verb_and_object(step.action)
        if parts and what and parts[-1][0] == verb:
            parts[-1][1].append(what)
        else:
            parts.append((verb, [what] if what else []))
    if not parts:
        idle = [step.action for step in steps if packing.kind_of(step.action) != packing.PASS]
        return Text(_verb_and_object(idle[0] if idle else packing.PASS_ACTION)[0])
    clauses = ((verb, listed([Text(what) for what in _merged(verb, whats)])) for verb, whats in parts)
    return Text("; ").join(Text(verb).append(" " if what else "").append_text(what) for verb, what in clauses)


def _merged(verb: str, whats: Sequence[str]) -> list[str]:
    """Return each name once, with its number; steps stay in their order."""
    if verb in (_GOES, _SCOUTS):
        return list(whats)
    return [f"{what} ({number})" if number > 1 else what for what, number in Counter(whats).items()]


def _verb_and_object(action: int) -> tuple[str, str]:
    """Return a verb and its object; the object is "" where it is clear."""
    kind, field = packing.kind_of(action), packing.field_of(action)
    if kind == packing.PLAY:
        return f"plays {event_card(packing.card_of(action))}{_target(action)}", ""
    if kind == packing.STEP:
        return _SCOUTS if packing.is_scout(action) else _GOES, SPACE_NAMES[packing.space_of(action)]
    if kind == packing.PAY:
        return "pays what the card asks for", ""
    if kind == packing.HEAL:
        return "heals", " and ".join(_merged("", _cards(field)))
    return _VERBS[kind](field)


def _cards(hits: int) -> list[str]:
    return [CARD_NAMES[CARD_IDS.index(card)] for card in hit_names(hits)]


def _target(action: int) -> str:
    card, target = packing.card_of(action), packing.target_of(action)
    kind = TARGET[card]
    if kind == SPACE:
        return f" at {SPACE_NAMES[target]}"
    if kind == RESOURCE:
        return f" for {NAMES[target]}"
    if kind == MISSION:
        return f" on {MISSION_IDS[target]}"
    return f" on {' and '.join(_merged('', _cards(target)))}" if kind == HITS else ""


_VERBS: Final[dict[int, Callable[[int], tuple[str, str]]]] = {
    packing.START_CITY: lambda field: ("begins at", SPACE_NAMES[field]),
    packing.PASS: lambda _field: ("passes", ""),
    packing.LOSE: lambda field: ("gives up", NAMES[field]),
    packing.OUTRIDER: lambda _field: ("sends the Outrider Bikes ahead", ""),
    packing.STOP: lambda _field: ("stays", ""),
    packing.FIGHT: lambda _field: ("fights", ""),
    packing.DETER: lambda _field: ("turns the card away", ""),
    packing.BOOST: lambda _field: ("boosts the roll", ""),
    packing.REROLL: lambda _field: ("rolls the misses again", ""),
    packing.HIT: lambda field: ("takes Hits on", CARD_NAMES[field]),
    packing.LOAD: lambda field: ("loads", NAMES[field]),
    packing.DITCH: lambda field: ("ditches", NAMES[field]),
    packing.BUY: lambda field: ("buys", CARD_NAMES[field]),
    packing.DELIVER: lambda field: ("delivers", _mission_words(field)),
    packing.DONE: lambda _field: ("is done here", ""),
    packing.KEEP: lambda _field: ("keeps the hand", ""),
    packing.DISCARD: lambda field: ("discards", event_card(field)),
    packing.COOK: lambda _field: ("cooks", ""),
}
"""By kind: the verb and its object."""


def _news(event: Event, names: Sequence[str], whose: str) -> Iterable[Text]:
    """Yield what happened to a seat, or to all, without what the action itself says.

    `whose`: the name of the seat whose turn it is; "" if nobody's.
    """
    if isinstance(event, events.LostResource):
        lost = f" loses {event.number} {NAMES[event.resource]}."
        return [Text.assemble(named(event.seat, names), lost)]
    if isinstance(event, events.Destroyed):
        return [Text.assemble(named(event.seat, names), (f" loses {CARD_NAMES[event.card]}.", LOUD))]
    if isinstance(event, events.Defeated):
        return [Text.assemble(named(event.seat, names), (" is defeated, and begins anew.", LOUD))]
    if isinstance(event, events.EventDrawn):
        card = "an Event card" if event.card is None else event_card(event.card)
        return [Text.assemble(named(event.seat, names), f" draws {card}.")]
    if isinstance(event, events.GoalReached):
        return [Text.assemble(named(event.seat, names), (" reaches the Cash goal.", LOUD))]
    if isinstance(event, events.TurnBegan):
        return [Text.assemble((f"Round {event.round}, turn of ", QUIET), named(event.seat, names), ".")]
    if isinstance(event, events.StartDie):
        return [Text.assemble(named(event.seat, names), f" rolls a {event.die}.")]
    return _of_cards(event, whose)


_ENDINGS: Final = {
    events.Ending.GOAL: "The round in which the Cash goal was reached is over",
    events.Ending.ROUND_LIMIT: "The last round is over",
}


def _of_cards(event: Event, whose: str) -> Iterable[Text]:
    if isinstance(event, events.MissionShown):
        return [Text.assemble(("Mission: ", QUIET), _mission_words(event.mission), ".")]
    if isinstance(event, events.Shuffled):
        return [Text(f"The {event.deck.name.lower()} deck of {event.cards} cards is shuffled.")]
    if isinstance(event, events.Rebuilt):
        return [Text(f"The {event.deck.name.lower()} deck is shuffled anew.")]
    if isinstance(event, events.Ended):
        return [Text(f"{_ENDINGS[event.ending]}: the match ends.", style="bold")]
    attacker = _attacker(event, whose)
    return [Text(f"{attacker}.")] if attacker else []


def _attacker(event: Event, whose: str) -> str:
    """Return what an Attack card does, or has done to it; nothing for another event."""
    match event:
        case events.AttackDrawn():
            drawn = f"Attack card{f' for {whose}' * bool(whose)}: {ATTACKER_NAMES[event.card]}"
            return drawn if event.engages else f"{drawn}, which does not engage"
        case events.FightBegan():
            return f"Fight{f' of {whose}' * bool(whose)} against {ATTACKER_NAMES[event.card]}"
        case events.AttackDefeated():
            return f"Defeated: {ATTACKER_NAMES[event.card]}, for {event.bounty} Cash"
        case events.Dodged():
            deters = event.how is events.Dodge.DETER
            how = "Turned away" if deters else f"Paid{_AFTER_PAY[PAY_DOES[event.card]]}"
            price = "" if event.resource is None else f", with {NAMES[event.resource]}"
            return f"{how}: {ATTACKER_NAMES[event.card]}{price}"
        case events.AttackGone():
            return f"Gone after the last round: {ATTACKER_NAMES[event.card]}"
        case _:
            return ""


_AFTER_PAY: Final = {
    DISCARD: "",
    DISCARD_WITH_BOUNTY: ", for its Bounty",
    SHUFFLE_BACK: ", and shuffled back",
    WEAKEN: f", to have Defense {WEAKENED_DEFENSE}",
}
"""The effect of the payment (W40)."""


_TURNS_OF_FATE: Final = (
    events.AttackDrawn,
    events.FightBegan,
    events.Dodged,
    events.Rolled,
    events.AttackDefeated,
    events.AttackGone,
    events.Destroyed,
    events.Defeated,
    events.LostResource,
)
"""Events that are reported before anything that is done after them."""

_SAID_BY_NEWS: Final = (*_SILENT, packing.FIGHT, packing.REROLL)
"""Events whose sentence makes another one needless."""


def opening(steps: Sequence[Step], names: Sequence[str]) -> Text:
    """Return what was done until a fight or a loss followed, and on whose turn, if another seat's."""
    first = _parts(steps)[0]
    current = _current(first[0])
    told = _sentence(first)
    if current in (None, first[0].seat):
        return told
    return Text.assemble("on ", named(current, names), "'s turn: ", told)


def sequel(steps: Sequence[Step], names: Sequence[str]) -> Iterator[Text]:
    """Yield what followed, a sentence each, and what was done between; the dice of a fight together, scores last."""
    current = _current(steps[0])
    for rolled, run in groupby(_course(steps, names), key=lambda each: isinstance(each, events.Rolled)):
        if rolled:
            yield _dice([*run], current, names)
            continue
        for each in run:
            if isinstance(each, Text):
                yield each
                continue
            current = each.seat if isinstance(each, events.TurnBegan) else current
            yield from _news(each, names, "" if current is None else named(current, names).plain)
    before, after = own(steps[0].before, Observation), own(steps[-1].after, Observation)
    yield from change("Score", scores_of(before), scores_of(after), names)


def _course(steps: Sequence[Step], names: Sequence[str]) -> Iterator[Any]:
    """Yield the events in order, and sentences of what was done after a fight or a loss."""
    for number, part in enumerate(_parts(steps)):
        done = [step for step in part if packing.kind_of(step.action) not in _SAID_BY_NEWS]
        if number and done:
            yield Text.assemble(named(part[0].seat, names), " ", _sentence(done), ".")
        for step in part:
            yield from _news_events(step)


_WHO_ROLLS: Final = {
    events.Side.CARAVAN: "caravan",
    events.Side.REROLL: "again",
    events.Side.ATTACK: "attack",
}


def _dice(rolls: Sequence[events.Rolled], current: int | None, names: Sequence[str]) -> Text:
    """Return rolls in one sentence; the first one names the caravan."""
    told = [Text(f"{_WHO_ROLLS[each.side]} {' '.join(map(str, each.dice))}") for each in rolls]
    if rolls[0].side is events.Side.CARAVAN and current is not None:
        told[0] = Text.assemble("caravan of ", named(current, names), f" {' '.join(map(str, rolls[0].dice))}")
    return Text.assemble("Dice: ", Text("; ").join(told), ".")


def _parts(steps: Sequence[Step]) -> list[list[Step]]:
    """Return the steps, cut after each that led to a fight or a loss."""
    parts: list[list[Step]] = [[]]
    cut = False
    for step in steps:
        if cut:
            parts.append([])
        parts[-1].append(step)
        cut = any(isinstance(event, _TURNS_OF_FATE) for event in _news_events(step))
    return parts


def _current(step: Step) -> int | None:
    """Return whose turn it is before the step; None in the set-up."""
    return own(step.before, Observation).current


def _news_events(step: Step) -> Sequence[Event]:
    """Return the events without the loss that is the action itself, which comes first."""
    is_lost = packing.kind_of(step.action) == packing.LOSE
    loss_first = bool(step.events) and isinstance(step.events[0], events.LostResource)
    return step.events[1:] if is_lost and loss_first else step.events
