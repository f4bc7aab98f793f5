"""The result of a replay: a table of decisions, or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.padding import Padding

from arena.cli.conformance.report import PAGE
from arena.cli.framework.errors import print_error
from arena.cli.framework.output import Format, err, facts, print_json, print_line, show, table
from arena.core.match import Cause
from arena.core.units import NS_PER_MS
from arena.drawings.wording import counted, duration
from arena.replay.recording import Moment, Recording
from arena.replay.replay_session import BrokenOff, Reply

_DEFAULTS: Final = {
    Cause.TIME_FORFEIT: "default, no answer in time",
    Cause.ILLEGAL_ACTION: "default, illegal answer",
}

_COLUMNS: Final = (">ply", "?>decision", "~recorded", "~now", "is", ">took", ">then", ">had")


@dataclass(frozen=True, slots=True)
class ReplayView:
    """What is replayed, and how to show it."""

    recording: Recording
    first: int
    """The index of the first decision to replay."""
    every: bool
    """Whether to list all decisions, not only different or late ones."""
    format: Format

    @property
    def asked(self) -> int:
        """The number of decisions to replay."""
        return len(self.recording.moments) - self.first


def print_replay(shown: ReplayView, replies: Sequence[Reply], broken_off: BrokenOff | None) -> None:
    """Print the replies, a summary, and why the replay ended early, if it did."""
    if shown.format is Format.JSON:
        print_json(_document(shown, replies, broken_off))
    else:
        _report(shown, replies)
    if broken_off is not None:
        print_error(broken_off.sentence)
        if shown.format is not Format.JSON:
            _explain(broken_off)


def _report(shown: ReplayView, replies: Sequence[Reply]) -> None:
    listed = [reply for reply in replies if shown.every or not reply.is_same or reply.late_ns]
    if listed:
        show(table(_COLUMNS, (_row(reply) for reply in listed)))
    for sentence in _summary(shown, replies):
        print_line(sentence)


def _row(reply: Reply) -> tuple[object, ...]:
    moment = reply.moment
    words = ["same" if reply.is_same else "other"]
    if reply.late_ns:
        words.append(f"{duration(reply.late_ns)} late")
    return (
        moment.ply,
        moment.decision,
        _recorded(moment),
        _now(reply),
        ", ".join(words),
        duration(reply.took_ns),
        duration(moment.used_ns),
        duration(moment.allowance_ns),
    )


def _recorded(moment: Moment) -> str:
    """Return what was played, and why if the bot did not choose it."""
    default = _DEFAULTS.get(moment.cause)
    played = moment.notation(moment.played)
    return f"{played} ({default})" if default else played


def _now(reply: Reply) -> str:
    return reply.objection if reply.actions is None else reply.moment.notation(reply.actions)


def _summary(shown: ReplayView, replies: Sequence[Reply]) -> Iterator[str]:
    same = sum(reply.is_same for reply in replies)
    answered = counted(len(replies), "decision")
    first = _first_difference(replies)
    if first is None:
        yield (f"{'All ' if len(replies) > 1 else ''}{answered} as recorded." if replies else "No answers.")
    else:
        now = "an invalid answer" if first.actions is None else _now(first)
        place = f"first difference at ply {first.moment.ply}"
        yield f"{same} of {answered} as recorded; {place}: {now} instead of {_recorded(first.moment)}."
    if late := sum(reply.late_ns > 0 for reply in replies):
        answers = counted(late, "answer")
        yield f"{answers} exceeded the recorded clock, which has no effect in a replay."
    recording = shown.recording
    if recording.forfeited and len(replies) == shown.asked:
        ending = recording.log.result.seats[recording.seat].ending
        yield f"The seat forfeited here, by {ending.termination.name}. {ending.sentence}"


def _first_difference(replies: Sequence[Reply]) -> Reply | None:
    return next((reply for reply in replies if not reply.is_same), None)


def _explain(broken_off: BrokenOff) -> None:
    """Print details of a replay that ended early."""
    requirement = broken_off.requirement
    words = (
        ("rule", "" if requirement is None else f'"{requirement.sentence}" ({PAGE}, {requirement.section})'),
        ("what to do", broken_off.to_do),
        ("last messages", "\n".join(broken_off.messages)),
        ("output", "\n".join(broken_off.output)),
    )
    err().print(Padding(facts(words), (0, 0, 0, 2), expand=False), highlight=False)


def _document(shown: ReplayView, replies: Sequence[Reply], broken_off: BrokenOff | None) -> dict[str, object]:
    recording = shown.recording
    setup = recording.log.setup
    first = _first_difference(replies)
    document: dict[str, object] = {
        "match": f"matches/{setup.match}",
        "game": setup.game,
        "seat": recording.seat,
        "bot": f"bots/{setup.seats[recording.seat].bot}",
        "asked": shown.asked,
        "answered": len(replies),
        "as_recorded": sum(reply.is_same for reply in replies),
        "first_difference": None if first is None else first.moment.ply,
        "late": sum(reply.late_ns > 0 for reply in replies),
        "forfeited_then": recording.forfeited,
        "decisions": [_entry(reply) for reply in replies],
        "broken_off": None,
    }
    if broken_off is not None:
        document["broken_off"] = {
            "sentence": broken_off.sentence,
            "to_do": broken_off.to_do,
            "messages": list(broken_off.messages),
            "output": list(broken_off.output),
        }
    return document


def _entry(reply: Reply) -> dict[str, object]:
    moment = reply.moment
    return {
        "ply": moment.ply,
        "decision": moment.decision,
        "recorded": moment.notation(moment.played),
        "cause": moment.cause.name,
        "now": None if reply.actions is None else moment.notation(reply.actions),
        "objection": reply.objection,
        "same": reply.is_same,
        "took_ms": _ms(reply.took_ns),
        "took_then_ms": _ms(moment.used_ns),
        "allowed_then_ms": _ms(moment.allowance_ns),
        "late_ms": _ms(reply.late_ns),
    }


def _ms(ns: int) -> float:
    return round(ns / NS_PER_MS, 3)
