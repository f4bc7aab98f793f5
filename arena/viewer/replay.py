"""A match as data for the replay viewer: frames, turns in words, times, and how it ended."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from arena.codecs.codec import Codec
from arena.core.match import ENDED_BY_FORFEIT, Cause, MatchState
from arena.core.ply import PlyRecord
from arena.core.solo.boards import solo_level
from arena.core.units import NS_PER_MS
from arena.core.versions import shown_version
from arena.drawings.drawing import Drawing, Step, drawing_for
from arena.drawings.narration import BoardFrequency, Narrator, told
from arena.match_log.reader import MatchLog
from arena.match_report.evaluations import expectation, percent, readable_line
from arena.match_report.plies import DEFAULTS, notations, positions, untimed_seats
from arena.match_report.story import Turn, facts, names_in, turns
from arena.pictures.picture import GamePicture, Moment, Picture, picture_for
from arena.pictures.svg import shortened
from engine.game import SPECTATOR, Event, Game, State

Json = dict[str, Any]

PUBLIC: Final = "spectators"
WHOLE: Final = "all hands"

_LONGEST_NAME: Final = 32
"""Characters of a bot's name or version, as many as an arena allows."""

_LONGEST_TEXT: Final = 400
"""Characters of a sentence of the log."""


class UnfitLogError(Exception):
    """A log that follows other rules than this software, so that its positions are not known."""

    def __init__(self, log: MatchLog) -> None:
        super().__init__(
            f"The log of match {log.setup.match} follows other rules than this software, so its positions cannot be "
            f"drawn. Use the version of the software that wrote it: {log.origin.software}."
        )


@dataclass(frozen=True, slots=True)
class CostlyDecision:
    """A decision that an analysis found to be costly."""

    ply: int
    """Of its first action, from 0."""
    rank: int
    """From 1, the costliest."""
    sentence: str


@dataclass(slots=True)
class _View:
    """All pictures as one viewer sees them: what changes from frame to frame."""

    name: str
    viewer: int
    whole: bool
    board: str = ""
    height: int = 0
    changes: list[list[list[float]]] = field(default_factory=list)
    """By frame: a part that appears or changes as [id, x, y, body, layer], one that disappears as [id]."""
    shown: dict[int, list[float]] = field(default_factory=dict)


class _Texts:
    """A table of texts, each of which is stored once."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """Return the index of a text in the table."""
        return self.numbers.setdefault(text, len(self.numbers))


class _Recorder:
    """Draws the frames of all viewers and keeps their differences."""

    def __init__(self, log: MatchLog, game: Game) -> None:
        self._names = names_in(log)
        self._pictures: GamePicture = picture_for(game.spec.id)
        self._bodies, self._ids = _Texts(), _Texts()
        self.seats = len(log.setup.seats)
        self.views = [_View(PUBLIC, SPECTATOR, whole=False)]
        if game.spec.hidden_information:
            self.views += [_View(f"seat {seat}", seat, whole=False) for seat in range(self.seats)]
            self.views.append(_View(WHOLE, SPECTATOR, whole=True))

    def beginning(self, state: State) -> None:
        """Add the frame before the first ply."""
        for view in self.views:
            self._add(view, self._draw(view, state.observe(view.viewer), None, state))

    def ply(self, before: State, after: State, ply: PlyRecord) -> list[Moment]:
        """Add the frames of a ply; return what spectators see of it."""
        seen = [self._moments(view, before, after, ply) for view in self.views]
        for view, moments in zip(self.views, seen, strict=True):
            for moment in moments:
                self._add(view, self._draw(view, moment.after, moment, after))
        return seen[0]

    def _moments(self, view: _View, before: State, after: State, ply: PlyRecord) -> list[Moment]:
        events = ply.events if view.whole else _seen(ply.events, view.viewer)
        step = Step(ply.seat, before.observe(view.viewer), ply.action, events, after.observe(view.viewer))
        return list(self._pictures.moments(step))

    def _draw(self, view: _View, observation: object, moment: Moment | None, state: State) -> Picture:
        others = [state.observe(seat) for seat in range(self.seats)] if view.whole else ()
        return self._pictures.draw(observation, self._names, moment, others)

    def _add(self, view: _View, picture: Picture) -> None:
        view.board, view.height = view.board or picture.board, max(view.height, picture.height)
        now = {
            self._ids.number(part.id): [part.x, part.y, self._bodies.number(part.body), int(part.layer)]
            for part in picture.ordered()
        }
        changed: list[list[float]] = [
            [part, *(round(value, 1) for value in values)]
            for part, values in now.items()
            if view.shown.get(part) != values
        ]
        gone: list[list[float]] = [[part] for part in view.shown.keys() - now.keys()]
        view.changes.append(changed + gone)
        view.shown = dict(now)

    def scores(self, observation: object) -> Json:
        """Return the scores by seat for a frame, if the game has scores before its end."""
        scores = self._pictures.scores(observation)
        return {"scores": list(scores)} if scores else {}

    def document(self) -> Json:
        """Return the tables of ids and bodies, and the views."""
        return {
            "ids": list(self._ids.numbers),
            "bodies": list(self._bodies.numbers),
            "views": [
                {"name": view.name, "board": view.board, "height": view.height, "changes": view.changes}
                for view in self.views
            ],
        }


def _seen(events: Sequence[Event], viewer: int) -> tuple[Event, ...]:
    return tuple(event for each in events if (event := each.seen_by(viewer)) is not None)


def replay_of(log: MatchLog, codec: Codec, costly: Sequence[CostlyDecision] = ()) -> Json:
    """Return all that the viewer shows, as a JSON document. `costly`: decisions to mark.

    Raises UnfitLogError: the log follows other rules than this software.
    """
    log = _with_readable_names(log)
    game, setup, drawing = codec.game, log.setup, drawing_for(codec.game.spec.id)
    texts = notations(log, game)
    if None in texts or setup.rules_version != game.spec.rules_version:
        raise UnfitLogError(log)
    recorder = _Recorder(log, game)
    beginning = game.new_match(recorder.seats, setup.options, setup.seed)
    recorder.beginning(beginning)
    scores = recorder.scores(beginning.observe(SPECTATOR))
    untimed = untimed_seats(log)
    frames: list[Json] = [{"ply": 0, "text": "The beginning"} | scores]
    for number, (state, ply) in enumerate(positions(log, game)):
        after = state.clone()
        after.apply(ply.action)
        frames += [
            _frame(number, ply, moment, texts[number] or "", drawing, names_in(log))
            | ({"untimed": True} if ply.seat in untimed and moment.acts else {})
            | recorder.scores(moment.after)
            for moment in recorder.ply(state, after, ply)
        ]
    return {
        "title": f"{game.spec.title}, match {setup.match}",
        "facts": [_readable(fact, _LONGEST_TEXT) for fact in facts(log, codec)],
        "seats": [_seat(log, seat) for seat in range(recorder.seats)],
        "ending": _ending(log, game),
        "frames": frames,
        "turns": list(_turns(log, game)),
        "costly": [
            {"ply": each.ply + 1, "rank": each.rank, "text": _readable(each.sentence, _LONGEST_TEXT)}
            for each in costly
        ],
        **recorder.document(),
    }


def _with_readable_names(log: MatchLog) -> MatchLog:
    """Return a log in which no name is endless, or changes how the text around it is written."""
    holders = tuple(replace(holder, bot=_readable(holder.bot, _LONGEST_NAME)) for holder in log.setup.seats)
    return replace(log, setup=replace(log.setup, seats=holders))


def _readable(text: str, length: int) -> str:
    plain = "".join("\ufffd" if unicodedata.category(each) in {"Cc", "Cf"} else each for each in text)
    return shortened(plain, length)


def _frame(
    number: int, ply: PlyRecord, moment: Moment, notation: str, drawing: Drawing, names: Sequence[str]
) -> Json:
    frame: Json = {"ply": number + 1, "seat": ply.seat, "decision": ply.decision}
    if not moment.acts:
        return frame | {"text": moment.caption, "event": True}
    frame["text"] = drawing.describe([moment.step], names).plain + "."
    frame |= {"notation": notation, "used_ms": ply.used_ns / NS_PER_MS, "bank_ms": ply.bank_ns / NS_PER_MS}
    if ply.cause is Cause.GIVEN:
        frame["given"] = True
    if ply.cause in DEFAULTS:
        frame |= {"cause": ply.cause.name, "default": DEFAULTS[ply.cause]}
    if ply.evaluation is not None:
        frame["evaluation"] = {
            "scores": list(ply.evaluation.scores_per_mille),
            "final_scores": list(ply.evaluation.final_scores),
            "text": expectation(ply.evaluation, names),
            "line": readable_line(ply.evaluation),
        }
    return frame


def _turns(log: MatchLog, game: Game) -> Iterator[Json]:
    drawing, names = drawing_for(game.spec.id), names_in(log)
    narrator = Narrator(drawing, names, BoardFrequency.NEVER)
    for turn in turns(log, game, narrator):
        words = [text.plain for text in told(drawing, turn.steps, names)]
        yield {
            "ply": turn.first + 1,
            "seat": turn.steps[0].seat if turn.steps else None,
            "heading": _heading(turn, drawing, names),
            "aside": _aside(turn, drawing),
            "words": words[:1],
            "events": words[1:],
            "expected": [
                _expected(turn.first + place, ply, names)
                for place, ply in enumerate(turn.plies)
                if ply.evaluation
            ],
            "troubles": [_readable(text.plain, _LONGEST_TEXT) for text in turn.troubles],
        }


def _expected(number: int, ply: PlyRecord, names: Sequence[str]) -> Json:
    """Return what the bot of a ply expected: its own seat in short, all seats in full, and its line."""
    evaluation = ply.evaluation
    assert evaluation is not None
    own = ""
    if evaluation.scores_per_mille:
        own = f"Expects {percent(evaluation.scores_per_mille[ply.seat])}"
    elif evaluation.final_scores:
        own = f"Expects a final score of {evaluation.final_scores[ply.seat]}"
    return {
        "ply": number + 1,
        "own": own,
        "all": expectation(evaluation, names),
        "line": readable_line(evaluation),
    }


def _heading(turn: Turn, drawing: Drawing, names: Sequence[str]) -> str:
    if not turn.steps:
        return ""
    return f"Turn {drawing.turn(turn.steps[0].before)} · {names[turn.steps[0].seat]}"


def _aside(turn: Turn, drawing: Drawing) -> str:
    """Return what the position was worth at the beginning of a turn, and the thinking time."""
    if not turn.steps:
        return ""
    time = turn.time
    if all(ply.cause is Cause.FORFEITED for ply in turn.plies):
        time = "has forfeited, the arena plays its defaults"
    return f"{drawing.heading(turn.steps[0].before)} · {time}"


def _seat(log: MatchLog, seat: int) -> Json:
    holder, result = log.setup.seats[seat], log.result.seats[seat]
    scored = log.result.state is MatchState.FINISHED and log.result.ending not in ENDED_BY_FORFEIT
    return {
        "name": names_in(log)[seat],
        "version": _readable(shown_version(holder.version), _LONGEST_NAME),
        "placing": result.placing,
        "score": result.score if scored else None,
        "termination": result.ending.termination.name,
        "fault": result.ending.fault.name,
        "forfeited": result.ending.forfeited,
        "sentence": _readable(result.ending.sentence, _LONGEST_TEXT),
        "strikes": result.strikes,
        "used_ms": result.used_ns / NS_PER_MS,
    }


def _ending(log: MatchLog, game: Game) -> Json:
    result = log.result
    winners = [seat for seat, each in enumerate(result.seats) if each.placing == 1]
    return {
        "state": result.state.name,
        "finished": result.state is MatchState.FINISHED,
        "ending": result.ending,
        "void_reason": _readable(result.void_reason, _LONGEST_TEXT),
        "winners": winners,
        "level": solo_level(game, result.ending, result.seats),
    }
