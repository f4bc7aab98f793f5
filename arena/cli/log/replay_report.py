"""The result of a replay: a table of decisions, or JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.padding import Padding

from arena.cli.conformance.report import format_rule
from arena.cli.framework.errors import print_error
from arena.cli.framework.output import Columns, Format, err, facts, print_json, print_line, show, table_of
from arena.core.match import Cause
from arena.core.units import NS_PER_MS
from arena.drawings.wording import counted, duration
from arena.replay.recording import Moment, Recording
from arena.replay.replay_session import BrokenOff, Reply

_DEFAULTS: Final = {
    Cause.TIME_FORFEIT: "default, no answer in time",
    Cause.ILLEGAL_ACTION: "default, illegal answer",
}


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
        if broken_off is not None:
            print_error(broken_off.sentence)
        return
    listed = [reply for reply in replies if shown.every or not reply.is_same or reply.late_ns]
    if listed:
        show(table_of(_COLUMNS, listed))
    for sentence in _summary(shown, replies):
        print_line(sentence)
    if broken_off is not None:
        print_error(broken_off.sentence)
        words = (
            ("rule", "" if broken_off.requirement is None else format_rule(broken_off.requirement)),
            ("what to do", broken_off.to_do),
            ("last messages", "\n".join(broken_off.messages)),
            ("output", "\n".join(broken_off.output)),
        )
        err().print(Padding(facts(words), (0, 0, 0, 2), expand=False), highlight=False)


def _sameness(reply: Reply) -> str:
    late = f", {duration(reply.late_ns)} late" if reply.late_ns else ""
    return f"{'same' if reply.is_same else 'other'}{late}"


def _recorded(moment: Moment) -> str:
    """Return what was played, and why if the bot did not choose it."""
    default = _DEFAULTS.get(moment.cause)
    played = moment.notation(moment.played)
    return f"{played} ({default})" if default else played


def _now(reply: Reply) -> str:
    return reply.objection if reply.actions is None else reply.moment.notation(reply.actions)


_COLUMNS: Final[Columns[Reply]] = {
    ">ply": lambda reply: reply.moment.ply,
    "?>decision": lambda reply: reply.moment.decision,
    "~recorded": lambda reply: _recorded(reply.moment),
    "~now": _now,
    "is": _sameness,
    ">took": lambda reply: duration(reply.took_ns),
    ">then": lambda reply: duration(reply.moment.used_ns),
    ">had": lambda reply: duration(reply.moment.allowance_ns),
}


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


def _document(shown: ReplayView, replies: Sequence[Reply], broken_off: BrokenOff | None) -> dict[str, object]:
    recording = shown.recording
    setup = recording.log.setup
    first = _first_difference(replies)
    return {
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
        "broken_off": broken_off
        and {
            "sentence": broken_off.sentence,
            "to_do": broken_off.to_do,
            "messages": list(broken_off.messages),
            "output": list(broken_off.output),
        },
    }


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
