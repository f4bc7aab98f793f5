"""A match as text for a model: rules, what happened, position and numbered legal actions, as its seat sees them."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from pathlib import Path
from typing import Any, Final

from rich.console import Console, RenderableType

from arena.codecs.codec import codec_for
from arena.drawings.drawing import drawing_for
from arena.human.news import News
from arena.human.rules import Medium, rules_page, turn_in_short
from arena.human.turn import PlannedTurn
from arena.sdk.match import Match
from arena.v1 import games_pb2, happening_pb2
from engine.randomness import SEED_BYTES, Stream

LISTED: Final = 240
"""Legal actions in a list; of more, some of each kind are listed."""

_WIDTH: Final = 100
_NOTES: Final = 600
"""Characters of the model's last thoughts that it reads again."""

_KIND: Final = re.compile(r'"type":"(\w+)"|^(\w+)')
_PICTURES_AND_LINKS: Final = re.compile(r"^!\[[^\]]*\]\([^)]*\)\n*|\[([^\]]*)\]\([^)]*\)", re.MULTILINE)
_WHAT_TO_TYPE: Final = re.compile(r" ?[^.\n]*: \? [^.\n]*\.")
"""Sentences of the short rules about the search of the page, which a person types."""

_DOCS: Final = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, slots=True)
class Question:
    """One decision as text."""

    text: str
    notations: tuple[str, ...]
    """Of all legal actions, in their order; the text numbers them from 1."""


class MatchTexts:
    """The texts of one match, made of what the arena sends to the seat and of nothing else."""

    def __init__(self, match: Match) -> None:
        """Begin with the position in which the seat enters the match."""
        self._match = match
        self._codec = codec_for(match.game)
        self._drawing = drawing_for(match.game)
        self._seen = self.read(match.view)
        self._untold: list[happening_pb2.Happening] = []
        """What happened since the position that the model was asked about last."""
        self._names = tuple(
            f"seat {seat} (you)" if seat == match.seat else f"seat {seat}" for seat in range(match.seats)
        )
        for answer in match.answers:
            for action in answer.actions:
                self.acted(action)  # before this program took the seat over

    def read(self, observation: object) -> object:
        """Return the game's own Observation."""
        wire: dict[str, Any] = {self._match.game: observation}
        return self._codec.decode_observation(games_pb2.Observation(**wire))

    def acted(self, action: games_pb2.Action) -> None:
        """Keep an action of this seat: what happened is sent without it."""
        sent = happening_pb2.SeatAction(seat=self._match.seat, action=action)
        self._untold.append(happening_pb2.Happening(action=sent))

    def message(self, action: int) -> games_pb2.Action:
        """Return a packed action as a message."""
        return games_pb2.Action.FromString(self._codec.encode_action(action))

    def chose(self, action: int) -> None:
        """Keep a packed action that this seat has answered with."""
        self.acted(self.message(action))

    def replaced(self, played: Iterable[games_pb2.Action]) -> None:
        """Forget the last answer, which did not count, and keep what the arena played instead."""
        if self._untold and self._untold[-1].WhichOneof("kind") == "action":
            self._untold.pop()
        for action in played:
            self.acted(action)

    def happened(self, happened: Iterable[happening_pb2.Happening]) -> None:
        """Keep what the seat was sent since its last decision, until the model is asked."""
        self._untold += happened

    def question(self, observation: object, legal_actions: Sequence[int], notes: str = "") -> Question:
        """Return the question of a decision. `notes`: the model's thoughts at its last one."""
        seen = self.read(observation)
        news = self._tell(seen)
        turn = PlannedTurn(self._match.game, seen)
        state = turn.position()
        notations = tuple(state.format_action(action) for action in legal_actions)
        left = self._drawing.left(seen)
        parts = {
            "What happened since your last decision": news,
            "Your thoughts at your last decision": notes[:_NOTES],
            "The position": self._drawing.draw(seen).plain.rstrip("\n"),
            "What you have left in this turn": left,
            f"Your {len(legal_actions)} legal actions": "\n".join(_listed(turn, legal_actions, notations)),
        }
        return Question(
            "\n\n".join(f"## {title}\n\n{text}" for title, text in parts.items() if text), notations
        )

    def words(self, observation: object, action: int) -> str:
        """Return a legal action in words, with its notation."""
        choice = PlannedTurn(self._match.game, self.read(observation)).choice_of(action)
        return f"{choice.told} [{choice.notation}]".strip()

    def sensible_action(self, observation: object) -> int:
        """Return what the quick policy of the rules plays in a position that fits what the seat sees, packed."""
        stream = Stream(os.urandom(SEED_BYTES))
        game = self._codec.game
        return game.sensible_action(game.from_observation(self.read(observation), stream), stream)

    def about(self) -> str:
        """Return the game with its options, and the seat."""
        match = self._match
        wire: dict[str, Any] = {match.game: match.options}
        game = self._codec.game
        options = game.option_values(self._codec.decode_options(games_pb2.GameOptions(**wire), match.seats))
        chosen = ", ".join(f"{name}={value}" for name, value in options.items())
        return (
            f"## The game\n\nYou play {game.spec.title}, on seat {match.seat} of {match.seats} (seats are numbered "
            f"from 0).{f' Options: {chosen}.' if chosen else ''}"
        )

    def _tell(self, now: object) -> str:
        """Return what happened since the last position, and remember this one."""
        untold, self._untold = self._untold, []
        before, self._seen = self._seen, now
        story = News(self._match.game, self._match.seat, before, self._names)
        return _plain(story.tell(untold, now))


@lru_cache
def rules_of(game: str, how_much: str) -> str:
    """Return the rules of a game as a model reads them; empty if their page is not installed.

    `how_much`: one of `arena.sdk.llm.folder.RULES_TEXTS`.
    """
    if how_much == "short":
        words = turn_in_short(game, Medium.TERMINAL)
        return _WHAT_TO_TYPE.sub("", words.replace(f"{Medium.TERMINAL}:", "In the drawing of the position:"))
    page = _DOCS / rules_page(game)
    if how_much == "none" or not page.is_file():
        return ""
    words = page.read_text(encoding="utf-8").strip()
    return _PICTURES_AND_LINKS.sub(lambda found: found[1] or "", words)


def _plain(parts: Iterable[RenderableType]) -> str:
    """Return what is printed, without colours."""
    console = Console(
        file=StringIO(), width=_WIDTH, color_system=None, force_terminal=False, legacy_windows=False
    )
    with console.capture() as captured:
        for part in parts:
            console.print(part, highlight=False)
    return captured.get().strip("\n")


def _listed(turn: PlannedTurn, actions: Sequence[int], notations: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a list of actions, each with its number from 1; of a long one some of each kind.

    Each kind gets its share of the lines, at least one, evenly spread over its actions.
    """
    kinds: dict[str, list[int]] = {}
    for index, notation in enumerate(notations):
        kinds.setdefault(_kind_of(notation), []).append(index)
    whole = len(actions) <= LISTED
    shown = {
        kind: members if whole else _spread(members, max(1, LISTED * len(members) // len(actions)))
        for kind, members in kinds.items()
    }
    told = {index: turn.choice_of(actions[index]).told for each in shown.values() for index in each}
    often = Counter(told.values())
    for kind, members in kinds.items():
        for index in shown[kind]:
            clear = whole and told[index] and often[told[index]] == 1
            yield f"{index + 1}. {told[index] if clear else f'{told[index]} [{notations[index]}]'.strip()}"
        if len(shown[kind]) < len(members):
            yield (
                f"({len(shown[kind])} of {len(members)} actions of the kind {kind} are listed. The others are legal, "
                'too: for one of them, "action" is a text like those in brackets.)'
            )


def _kind_of(notation: str) -> str:
    """Return the kind of an action: in some games the type of an object, in others what the notation begins with."""
    found = _KIND.search(notation)
    return (found[1] or found[2]) if found else ""


def _spread(members: Sequence[int], count: int) -> list[int]:
    return [members[place * len(members) // count] for place in range(count)]
