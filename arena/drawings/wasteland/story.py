"""A stretch of Wasteland in order: actions, consequences, and the actions after them."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from rich.text import Text

from arena.drawings.drawing import Step
from arena.drawings.wasteland.words import SILENT, news, sentence
from arena.drawings.wording import change, named, scores_of
from engine.game import Event, own
from engine.wasteland import actions as packing
from engine.wasteland import events
from engine.wasteland.observation import Observation

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

_SAID_BY_NEWS: Final = (*SILENT, packing.FIGHT, packing.REROLL)
"""Events whose sentence makes another one needless."""


def opening(steps: Sequence[Step], names: Sequence[str]) -> Text:
    """Return what was done until a fight or a loss followed, and on whose turn, if another seat's."""
    first = _parts(steps)[0]
    current = _current(first[0])
    told = sentence(first)
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
            yield from news(each, names, "" if current is None else named(current, names).plain)
    before, after = own(steps[0].before, Observation), own(steps[-1].after, Observation)
    yield from change("Score", scores_of(before), scores_of(after), names)


def _course(steps: Sequence[Step], names: Sequence[str]) -> Iterator[Any]:
    """Yield the events in order, and sentences of what was done after a fight or a loss."""
    for number, part in enumerate(_parts(steps)):
        done = [step for step in part if packing.kind_of(step.action) not in _SAID_BY_NEWS]
        if number and done:
            yield Text.assemble(named(part[0].seat, names), " ", sentence(done), ".")
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
