"""`arena class`: how far the users of a class are, and the report for their grades."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Group, RenderableType

from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.connection import ArenaClient, fetch_all
from arena.cli.framework.errors import CliError
from arena.cli.framework.names import resource
from arena.cli.framework.output import Columns, facts, listing_table, plain, print_note
from arena.drawings.wording import counted
from arena.v1 import bot_pb2, ladder_pb2, submission_pb2, token_pb2, user_pb2
from arena.wire.csv_text import csv_of
from arena.wire.wording import format_time, short

app = group("A class or a hackathon: how far everybody is, and a report for grades.")

_FEW_MATCHES: Final = 10
"""A bot with fewer is the best one of its owner only if all others have as few."""

_REFERENCE: Final = re.compile(r"([a-z][a-z0-9-]{0,31})(?::([0-9]{1,2}(?:\.[0-9]+)?|100))?")


@arena_command(app, "overview", example="arena class overview --problems")
def show_overview(
    context: CommandContext,
    problems: Annotated[
        bool,
        typer.Option(
            "--problems",
            help="Only users without a match on a ladder, or whose bots have a problem.",
        ),
    ] = False,
    everybody: Annotated[bool, typer.Option("--everybody", help="Organisers and spectators, too.")] = False,
) -> None:
    """Show how far everybody is: joined, connected, submitted, admitted, playing, and what prevents it."""
    with context.connect() as arena:
        listing = fetch_all(arena.users.ListUserProgress, user_pb2.ListUserProgressRequest())
    shown = user_pb2.ListUserProgressResponse(
        progress=(
            each
            for each in listing.progress
            if (everybody or each.user.role == token_pb2.ROLE_OWNER)
            and (not problems or each.problems or not each.joined or not each.matches)
        )
    )
    context.show(shown, lambda: _overview(shown.progress, problems=problems))


@arena_command(
    app, "report", example="arena class report main --reference greedy:40 > grades.csv", formats=False
)
def write_report(
    context: CommandContext,
    ladder: Annotated[str, typer.Argument(metavar="LADDER", help="The ladder of the class.")],
    reference: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOT[:PERCENT]",
            help="A bot to compare with, and the points against it that pass. Repeatable.",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write to this new file instead of standard output.")
    ] = None,
) -> None:
    """Write a CSV file with one line for each owner: their best bot on a ladder, its versions, rank and points."""
    references = [_reference(each) for each in reference or ()]
    with context.connect() as arena:
        text, lines = _report(arena, resource("ladders", ladder), references)
    if output is None:
        print(text, end="")
        return
    try:
        with output.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
    except FileExistsError:
        raise CliError(f"{output} exists already. Name a new file.") from None
    except OSError as error:
        raise CliError(f"{output} cannot be written: {error.strerror}.") from error
    print_note(f"{counted(lines, 'user')} written to {output}.")


# The overview


_COLUMNS: Final[Columns[user_pb2.UserProgress]] = {
    "user": lambda each: short(each.user.name),
    "~name": lambda each: each.user.full_name,
    "?team": lambda each: short(each.user.team) if each.user.team else "",
    "joined": lambda each: _yes(each.joined),
    "connected once": lambda each: _yes(each.connected),
    "submitted": lambda each: _yes(each.submitted),
    "admitted": lambda each: _yes(each.admitted),
    "?>playing": lambda each: each.playing or "",
    ">matches": lambda each: each.matches or "",
    "?last seen": lambda each: format_time(each.last_use_time),
}


def _overview(progress: Sequence[user_pb2.UserProgress], *, problems: bool) -> RenderableType:
    if problems and not progress:
        return plain("Everybody has matches on a ladder, and no bot has a problem.")
    users = counted(len(progress), "user")
    joined = sum(each.joined for each in progress)
    entered = sum(bool(each.matches) for each in progress)
    troubled = sum(bool(each.problems) for each in progress)
    summary = f"{users}: {joined} joined, {entered} with matches on a ladder, {troubled} with a problem."
    table = listing_table(_COLUMNS, progress, "No users of this kind: `arena user import` creates them.")
    troubles = facts(
        *((short(each.user.name), f"{problem.sentence}.") for each in progress for problem in each.problems)
    )
    return Group(table, plain(summary), troubles) if progress else table


def _yes(fact: bool) -> str:
    return "yes" if fact else ""


# The report


@dataclass(frozen=True, slots=True)
class _Reference:
    """A bot to compare with."""

    bot: str
    percent: float | None
    """Points against it that pass, 0 to 100; None: no threshold."""


def _reference(text: str) -> _Reference:
    found = _REFERENCE.fullmatch(text.removeprefix("bots/"))
    if found is None:
        raise typer.BadParameter(
            f"{text!r} is not BOT or BOT:PERCENT, for example greedy:40. PERCENT is 0 to 100.",
            param_hint="--reference",
        )
    return _Reference(found[1], None if found[2] is None else float(found[2]))


def _report(arena: ArenaClient, ladder: str, references: Sequence[_Reference]) -> tuple[str, int]:
    """Return the CSV text, and how many users it has."""
    for each in references:
        arena.bots.GetBot(bot_pb2.GetBotRequest(name=f"bots/{each.bot}"))
    standings = fetch_all(arena.ladders.ListStandings, ladder_pb2.ListStandingsRequest(name=ladder))
    by_bot = {line.bot: line for line in standings.standings}
    for each in references:
        if f"bots/{each.bot}" not in by_bot:
            raise CliError(
                f"{each.bot} has never been on the ladder {short(ladder)}, so nobody has points against it: "
                f"`arena ladder standings {short(ladder)}` lists its bots."
            )
    listing = fetch_all(arena.users.ListUserProgress, user_pb2.ListUserProgressRequest())
    rows = [
        dict(_row(arena, ladder, each, by_bot, references))
        for each in listing.progress
        if each.user.role == token_pb2.ROLE_OWNER
    ]
    titles = list(rows[0]) if rows else ["user"]
    return csv_of(titles, (row.values() for row in rows)), len(rows)


def _row(
    arena: ArenaClient,
    ladder: str,
    progress: user_pb2.UserProgress,
    standings: Mapping[str, ladder_pb2.Standing],
    references: Sequence[_Reference],
) -> Iterator[tuple[str, object]]:
    """Yield the cells of a user, with their titles."""
    entered = [standings[bot] for bot in progress.bots if bot in standings]
    best = min(
        entered,
        key=lambda line: (line.matches < _FEW_MATCHES, line.rank or len(standings) + 1, line.bot),
        default=None,
    )
    submissions = [each for bot in progress.bots for each in _submissions(arena, bot)]
    submissions.sort(key=lambda each: each.create_time.ToMicroseconds())
    admitted = {
        each.version for each in submissions if each.state == submission_pb2.Submission.STATE_ADMITTED
    }
    yield "user", short(progress.user.name)
    yield "name", progress.user.full_name
    yield "team", short(progress.user.team) if progress.user.team else ""
    yield "joined", _yes(progress.joined)
    yield "bots", len(progress.bots)
    yield "submissions", len(submissions)
    yield "admitted_versions", len(admitted)
    yield "first_submission", format_time(submissions[0].create_time) if submissions else ""
    yield "last_submission", format_time(submissions[-1].create_time) if submissions else ""
    yield "best_bot", "" if best is None else short(best.bot)
    yield "rank", (best.rank or "") if best is not None else ""
    yield (
        "rating",
        f"{best.rating_milli / 1000:.1f}" if best is not None and best.rank and best.rating_milli else "",
    )
    yield "matches", "" if best is None else best.matches
    yield "forfeits", "" if best is None else best.forfeits
    met = {} if best is None or not references else _met(arena, ladder, best.bot)
    for each in references:
        record = met.get(f"bots/{each.bot}")
        points = None if record is None else 100 * (record.wins + record.ties / 2) / record.matches
        yield f"matches_{each.bot}", 0 if record is None else record.matches
        yield f"points_{each.bot}", "" if points is None else f"{points:.1f}"
        if each.percent is not None:
            passed = points is not None and points >= each.percent
            yield f"passed_{each.bot}", "yes" if passed else "no"


def _submissions(arena: ArenaClient, bot: str) -> Sequence[submission_pb2.Submission]:
    request = submission_pb2.ListSubmissionsRequest(bot=bot)
    return fetch_all(arena.submissions.ListSubmissions, request).submissions


def _met(arena: ArenaClient, ladder: str, bot: str) -> dict[str, bot_pb2.OpponentRecord]:
    request = bot_pb2.GetBotRecordRequest(bot=bot, ladder=ladder)
    return {each.bot: each for each in fetch_all(arena.bots.GetBotRecord, request).opponents}
