"""The choices of a match: it is played again by the rules, and each seat is looked at as it was asked."""

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Final

from arena.codecs.codec import Codec
from arena.core.fair_play.choice import Choice, ChosenAction, Likeness, answer_of, situation_of
from arena.core.finished_match import FinishedMatch
from engine.game import GameError, State

_DIGEST_BYTES: Final = 8
_WORD: Final = re.compile(r"[A-Za-z_]+")


class ActionKinds:
    """The kinds of a game's actions: the word that their notation begins with. Looked up once for each action."""

    def __init__(self) -> None:
        """Begin with no kind known."""
        self._known: dict[int, str] = {}

    def of(self, state: State, action: int) -> str:
        """Return the kind of an action that may be played in this position."""
        kind = self._known.get(action)
        if kind is None:
            word = _WORD.match(state.format_action(action))
            kind = self._known[action] = word[0] if word else ""
        return kind

    def of_all(self, state: State, actions: Sequence[int]) -> tuple[str, ...]:
        """Return the kinds of actions that may be played in this position, in order."""
        known = self._known
        return tuple([known[each] if each in known else self.of(state, each) for each in actions])


def choices_of_match(
    codec: Codec, state: State, plies: Iterable[tuple[int, bool]], kinds: ActionKinds, match: FinishedMatch
) -> Iterator[tuple[Likeness, Choice]]:
    """Yield what the bots of the match chose, in order, small enough to keep hundreds of thousands: as hashes.

    `state`: the position after set-up, which is played on. `plies`: each action, and whether a bot has chosen it: what
    the arena played for one says nothing of it.

    Raises GameError: an action is not legal by the rules as they are here.
    """
    before: dict[int, str] = {}
    for action, chosen in plies:
        seat, listed = state.seat_to_act, state.legal_actions()
        if not state.is_legal(action):
            raise GameError(f"{action} is not legal here")
        kind = kinds.of(state, action)
        if chosen and len(listed) > 1:
            decision = ChosenAction(
                shown=codec.encode_observation(state.observe(seat)),
                listed=bytes(listed),
                kinds=kinds.of_all(state, listed),
                legal=tuple(listed),
                action=action,
                kind=kind,
                before=before.get(seat, ""),
            )
            for likeness in Likeness:
                answer, share = answer_of(decision, likeness)
                situation = _hash(situation_of(decision, likeness))
                choice = Choice(match.bots[seat], match.match, match.group, situation, _hash(answer), share)
                yield likeness, choice
        before[seat] = kind
        state.apply(action)


def _hash(what: object) -> bytes:
    data = what if isinstance(what, bytes) else repr(what).encode()
    return blake2b(data, digest_size=_DIGEST_BYTES).digest()
