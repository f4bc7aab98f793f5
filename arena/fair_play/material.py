"""How a fair play report is made: logs in, report out, without a clock or a database.

Each match is played again by the rules, and each seat is looked at as it was asked.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from arena.codecs.codec import Codec, codec_for
from arena.core.fair_play.choice import Choice, ChosenAction, Likeness, answer_of, situation_of
from arena.core.fair_play.report import Evidence, Participant, Report, report
from arena.core.fair_play.trade_totals import TradeTotals
from arena.core.finished_match import FinishedMatch
from arena.core.match import Cause
from arena.match_log.reader import MatchLog, UnreadableLogError, read_log
from arena.match_report.trades import between, trades
from engine.game import GameError, State
from engine.randomness import SEED_BYTES

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


MOST_BOTS: Final = 100
"""Choices of so many bots are compared, of those that played most: time grows with the square of their number."""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A finished match: its result, and its log as stored."""

    result: FinishedMatch
    log: bytes
    """The file; empty if it cannot be had."""
    log_name: str
    """The name that is recorded with the result, 64 hex digits."""


@dataclass(frozen=True, slots=True)
class Material:
    """What a report is asked about, and all that it follows from."""

    participants: tuple[Participant, ...]
    matches: tuple[StoredMatch, ...]
    """One at least."""
    bots: frozenset[str]
    """Findings about these are wanted; none: about all."""
    findings: int
    """How many are wanted at most."""


def make_report(material: Material) -> Report:
    """Make the report. It takes tens of milliseconds of processor time for each match: run it in a process of its
    own.
    """
    kinds: dict[str, ActionKinds] = defaultdict(ActionKinds)
    choices: dict[Likeness, list[Choice]] = {likeness: [] for likeness in Likeness}
    compared = _who_played_most(material)
    dealings: list[TradeTotals] = []
    read = 0
    for match in material.matches:
        log = _readable(match)
        if log is None:
            continue
        codec = codec_for(log.setup.game)
        try:
            chosen = list(_choices(log, codec, kinds[log.setup.game], match.result))
        except GameError:
            continue
        read += 1
        dealings += _dealings(log, codec, match.result)
        for likeness, choice in chosen:
            if choice.bot in compared:
                choices[likeness].append(choice)
    results = tuple(each.result for each in material.matches)
    evidence = Evidence(material.participants, results, choices, read, dealings)
    return report(evidence, bots=material.bots, most=material.findings)


def _who_played_most(material: Material) -> frozenset[str]:
    played = Counter(bot for match in material.matches for bot in match.result.bots)
    asked = [bot for bot in sorted(material.bots) if bot in played]
    order = sorted(played, key=lambda bot: (-played[bot], bot))
    return frozenset([*asked, *order][:MOST_BOTS])


def _readable(match: StoredMatch) -> MatchLog | None:
    """Return the log, if it is the one that was recorded and its rules are those of this software."""
    try:
        log = read_log(match.log)
    except UnreadableLogError:
        return None
    rules = codec_for(log.setup.game).game.spec.rules_version
    usable = log.name == match.log_name and log.setup.rules_version == rules
    return log if usable and len(log.setup.seed) == SEED_BYTES else None


def _choices(
    log: MatchLog, codec: Codec, kinds: ActionKinds, match: FinishedMatch
) -> Iterator[tuple[Likeness, Choice]]:
    """Play the log again. Raises GameError if it does not fit the rules."""
    setup = log.setup
    state = codec.game.new_match(len(setup.seats), setup.options, setup.seed)
    plies = ((ply.action, ply.cause is Cause.CHOSEN) for ply in log.plies)
    return choices_of_match(codec, state, plies, kinds, match)


def _dealings(log: MatchLog, codec: Codec, result: FinishedMatch) -> Iterator[TradeTotals]:
    """Yield what each two bots of a match have traded; the two by name, so that their matches can be summed up."""
    for pair in between(trades(log, codec.game) or ()):
        sides = zip((result.bots[seat] for seat in pair.seats), pair.gave, pair.gifts, strict=True)
        (one, one_gave, one_gifts), (other, other_gave, other_gifts) = sorted(sides, key=lambda side: side[0])
        both = (pair.offers, pair.accepted)
        yield TradeTotals(one, other, (result.match,), *both, one_gave, other_gave, one_gifts, other_gifts)
