"""Submissions and submitted versions as text."""

from collections.abc import Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding

from arena.cli.framework.output import (
    Columns,
    facts,
    listing_table,
    out,
    plain,
    print_line,
    show,
    table,
    table_of,
)
from arena.drawings.wording import counted
from arena.v1 import bot_pb2, submission_pb2
from arena.wire.owner_wording import format_outcome, format_rejection, short_version
from arena.wire.wording import enum_word, format_time, short

_Submission = submission_pb2.Submission
_Trial = _Submission.Trial

_MOST_NAMED: Final = 3
"""Scenarios named per finding; others are counted."""


def print_outcome(submission: submission_pb2.Submission) -> None:
    """Print the result of a submission that has ended."""
    if submission.state == _Submission.STATE_ADMITTED:
        print_line(format_outcome(submission))
        return
    if submission.rejection.output:
        out().print("[bold]Output[/bold]", highlight=False)
        show(Padding(plain(submission.rejection.output.rstrip()), (0, 0, 1, 2), expand=False))
    failed = [trial for trial in submission.trials if trial.verdict == _Trial.VERDICT_FAILED]
    if failed:
        show(_failures(failed, submission.rejection.sentence))
    print_line(format_outcome(submission))


def submission_details(submission: submission_pb2.Submission) -> RenderableType:
    """Return all that is known of one submission."""
    uploaded = f"{submission.received_bytes:,} of {submission.archive_bytes:,} bytes"
    tried = f"{len(submission.trials)} of {counted(submission.scenarios, 'scenario')} tested"
    rejection = submission.rejection
    about = facts(
        ("submission", short(submission.name)),
        ("state", _state(submission)),
        ("version", short(submission.version)),
        ("archive", f"{submission.archive_bytes:,} bytes, SHA-256 {submission.archive_sha256}"),
        ("uploaded", uploaded if submission.state == _Submission.STATE_UPLOADING else ""),
        ("submitted", format_time(submission.create_time)),
        ("ended", format_time(submission.end_time)),
        ("scenarios", tried if submission.scenarios else ""),
        ("rejected", format_rejection(rejection) if submission.HasField("rejection") else ""),
        ("output", rejection.output.rstrip()),
    )
    columns: Columns[_Trial] = {
        "scenario": lambda trial: trial.scenario,
        "verdict": lambda trial: enum_word(_Trial.Verdict, trial.verdict).replace("_", " "),
        "finding": lambda trial: (
            trial.sentence or (rejection.sentence if trial.verdict == _Trial.VERDICT_FAILED else "")
        ),
    }
    return Group(about, table_of(columns, submission.trials)) if submission.trials else about


def _state(submission: submission_pb2.Submission) -> str:
    return enum_word(_Submission.State, submission.state)


SUBMISSIONS: Final[Columns[submission_pb2.Submission]] = {
    ">number": lambda each: short(each.name),
    "state": _state,
    "!version": lambda each: short_version(each.version),
    "submitted": lambda each: format_time(each.create_time),
    "~rejected": lambda each: each.rejection.sentence,
}


def versions_table(bot: bot_pb2.Bot, every: Sequence[bot_pb2.BotVersion]) -> RenderableType:
    """Return a table of a bot's versions that marks the one that plays."""
    pinned = bot.hosting.mode == bot_pb2.Hosting.MODE_PINNED
    plays = "suspended" if bot.hosting.benched else "pinned" if pinned else "newest"
    columns: Columns[bot_pb2.BotVersion] = {
        "!version": lambda each: short_version(each.name),
        "plays": lambda each: plays if each.name == bot.hosting.version else "",
        "origin": origin,
        "language": lambda each: each.language,
        "games": lambda each: ", ".join(each.program.games),
        "?>files": lambda each: f"{each.program.files:,}" if each.program.files else "",
        "?>bytes": lambda each: f"{each.program.bytes:,}" if each.program.files else "",
        "first seen": lambda each: format_time(each.create_time),
    }
    none = f"No versions yet: {short(bot.name)} has one when it connects or a submission is admitted."
    return listing_table(columns, every, none)


def origin(version: bot_pb2.BotVersion) -> str:
    """Return how a version is known, in a word."""
    return enum_word(bot_pb2.BotVersion.Origin, version.origin)


def _failures(failed: Sequence[_Trial], why: str) -> RenderableType:
    """Return a table with one row per finding. `why`: the reason for failures without a finding of their own."""
    alike: dict[str, list[str]] = {}
    for trial in failed:
        alike.setdefault(trial.sentence or why, []).append(trial.scenario)
    for names in alike.values():
        if len(names) > _MOST_NAMED:
            names[_MOST_NAMED:] = [f"and {len(names) - _MOST_NAMED} more"]
    return table(("scenario", "finding"), (("\n".join(names), sentence) for sentence, names in alike.items()))
