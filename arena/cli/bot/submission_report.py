"""Submissions and submitted versions for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding

from arena.cli.framework.output import Column, facts, out, plain, say, short, show, table, when
from arena.core.versions import shown_version
from arena.drawings.wording import counted
from arena.v1 import bot_pb2, errors_pb2, submission_pb2

_Submission = submission_pb2.Submission
_Trial = _Submission.Trial

_MOST_NAMED: Final = 3
"""Of more scenarios that failed alike the others are counted."""


def short_version(name: str) -> str:
    """The last part of a version's name; of a hash its first digits."""
    return shown_version(short(name))


def tell_end(bot: str, submission: submission_pb2.Submission) -> None:
    """Prints what became of a submission that has ended."""
    if submission.state == _Submission.STATE_ADMITTED:
        say(_admitted(bot, submission))
        return
    if submission.rejection.output:
        out().print("[bold]It wrote[/bold]", highlight=False)
        show(Padding(plain(submission.rejection.output.rstrip()), (0, 0, 1, 2), expand=False))
    failed = [trial for trial in submission.trials if trial.verdict == _Trial.VERDICT_FAILED]
    if failed:
        show(_failures(failed, submission.rejection.sentence))
    reason = errors_pb2.ErrorReason.Name(submission.rejection.reason).removeprefix("ERROR_REASON_")
    say(
        f"Submission {short(submission.name)} of {bot} was rejected: {submission.rejection.sentence} ({reason})"
    )


def _admitted(bot: str, submission: submission_pb2.Submission) -> str:
    version = short_version(submission.version)
    what = "is known already: it is" if submission.known else "is admitted as"
    plays = (
        f"It plays from now on. {next_step(bot)}"
        if submission.plays
        else f"It does not play, since another version is pinned or the bot dials in: `arena bot host {bot} --newest`."
    )
    advice = [trial.scenario for trial in submission.trials if trial.verdict == _Trial.VERDICT_ADVICE]
    hint = f" Advice came of {', '.join(advice)}." if advice else ""
    return f"Submission {short(submission.name)} of {bot} {what} version {version}. {plays}{hint}"


def next_step(bot: str) -> str:
    """What its owner does once a version of the bot plays: being run alone brings it no matches."""
    return f"If it is on no ladder yet: `arena ladder join LADDER {bot}`."


def page(submission: submission_pb2.Submission) -> RenderableType:
    """One submission with all that is known of it."""
    rejection = submission.rejection
    reason = errors_pb2.ErrorReason.Name(rejection.reason).removeprefix("ERROR_REASON_")
    about = facts(
        (
            ("submission", short(submission.name)),
            ("state", _state(submission)),
            ("version", short(submission.version)),
            ("archive", f"{submission.archive_bytes:,} bytes, SHA-256 {submission.archive_sha256}"),
            ("uploaded", _uploaded(submission)),
            ("announced", when(submission.create_time)),
            ("ended", when(submission.end_time)),
            ("scenarios", _scenarios(submission)),
            ("rejected", f"{rejection.sentence} ({reason})" if submission.HasField("rejection") else ""),
            ("it wrote", rejection.output.rstrip()),
        )
    )
    return Group(about, _trials(submission.trials, rejection.sentence)) if submission.trials else about


def listing(submissions: Sequence[submission_pb2.Submission]) -> RenderableType:
    """Submissions, a line each."""
    columns = (
        Column("number", True),
        Column("state"),
        Column("version"),
        Column("announced"),
        Column("rejected", cut=True),
    )
    return table(columns, (_line(each) for each in submissions))


def _line(submission: submission_pb2.Submission) -> tuple[str, ...]:
    return (
        short(submission.name),
        _state(submission),
        short_version(submission.version),
        when(submission.create_time),
        submission.rejection.sentence,
    )


def versions(bot: bot_pb2.Bot, every: Sequence[bot_pb2.BotVersion]) -> RenderableType:
    """The versions of a bot, a line each; the one that plays is marked."""
    columns = (
        Column("version"),
        Column("plays"),
        Column("known by"),
        Column("language"),
        Column("games"),
        Column("files", True),
        Column("bytes", True),
        Column("first seen"),
    )
    return table(columns, _version_lines(bot, every))


def _version_lines(bot: bot_pb2.Bot, every: Sequence[bot_pb2.BotVersion]) -> Iterator[tuple[str, ...]]:
    for version in every:
        program = version.program
        yield (
            short_version(version.name),
            _plays(bot.hosting) if version.name == bot.hosting.version else "",
            origin(version),
            version.language,
            ", ".join(program.games),
            f"{program.files:,}" if program.files else "",
            f"{program.bytes:,}" if program.files else "",
            when(version.create_time),
        )


def origin(version: bot_pb2.BotVersion) -> str:
    """How a version is known, in a word."""
    return bot_pb2.BotVersion.Origin.Name(version.origin).removeprefix("ORIGIN_").lower()


def _plays(hosting: bot_pb2.Hosting) -> str:
    if hosting.benched:
        return "benched"
    return "pinned" if hosting.mode == bot_pb2.Hosting.MODE_PINNED else "newest"


def hosting_words(hosting: bot_pb2.Hosting) -> str:
    """How the arena runs a bot, in a sentence."""
    version = short_version(hosting.version)
    match hosting.mode:
        case bot_pb2.Hosting.MODE_NEWEST:
            return f"run by the arena: version {version}, the newest"
        case bot_pb2.Hosting.MODE_PINNED:
            return f"run by the arena: version {version}, pinned"
        case _:
            return "not run by the arena: it dials in"


def _trials(trials: Sequence[_Trial], why: str) -> RenderableType:
    columns = (Column("scenario"), Column("verdict"), Column("what was found"))
    return table(columns, ((each.scenario, _verdict(each), _found(each, why)) for each in trials))


def _found(trial: _Trial, why: str) -> str:
    """`why`: the submission was rejected, which is what a failure without words of its own was found to be."""
    return trial.sentence or (why if trial.verdict == _Trial.VERDICT_FAILED else "")


def _failures(failed: Sequence[_Trial], why: str) -> RenderableType:
    """A line for each finding; scenarios with the same one share it. One that has no words of its own is why at all."""
    alike: dict[str, list[str]] = {}
    for trial in failed:
        alike.setdefault(trial.sentence or why, []).append(trial.scenario)
    columns = (Column("scenario"), Column("what was found"))
    return table(columns, ((_named(names), sentence) for sentence, names in alike.items()))


def _named(names: Sequence[str]) -> str:
    more = f"and {len(names) - _MOST_NAMED} more"
    return "\n".join([*names[:_MOST_NAMED], more] if len(names) > _MOST_NAMED else names)


def _verdict(trial: submission_pb2.Submission.Trial) -> str:
    return _Trial.Verdict.Name(trial.verdict).removeprefix("VERDICT_").lower().replace("_", " ")


def _state(submission: submission_pb2.Submission) -> str:
    return _Submission.State.Name(submission.state).removeprefix("STATE_").lower()


def _uploaded(submission: submission_pb2.Submission) -> str:
    if submission.state != _Submission.STATE_UPLOADING:
        return ""
    return f"{submission.received_bytes:,} of {submission.archive_bytes:,} bytes"


def _scenarios(submission: submission_pb2.Submission) -> str:
    if not submission.scenarios:
        return ""
    return f"{len(submission.trials)} of {counted(submission.scenarios, 'scenario')} tried"
