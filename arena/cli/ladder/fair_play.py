"""The fair play report: findings worth a look, then a table of all numbers."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Final

import typer
from rich.console import Group, RenderableType

from arena.cli.framework.commands import CommandContext
from arena.cli.framework.names import resource
from arena.cli.framework.output import err, facts, plain, table
from arena.core.fair_play.thresholds import ALIKE, RARE
from arena.drawings.wording import amounts, counted
from arena.v1 import fair_play_pb2
from arena.wire.wording import format_time, short

_SECONDS: Final = 900.0
"""How long the arena may work on a report."""

_SHOWN: Final = 15
"""Lines of the table; JSON has all."""

_KINDS: Final = 4
"""Kinds of things named of what a bot gave; JSON has all."""

BotsOption = Annotated[
    str | None, typer.Option("--bots", metavar="BOT,BOT...", help="Only findings about these bots.")
]
MatchesOption = Annotated[
    int, typer.Option("--matches", min=1, max=2000, help="Number of newest matches to examine.")
]

MATCHES: Final = 500
"""The default of --matches."""

_WEIGHTS: Final = {
    fair_play_pb2.FairPlayFinding.WEIGHT_WORTH_A_LOOK: "worth a look",
    fair_play_pb2.FairPlayFinding.WEIGHT_UNREMARKABLE: "nothing unusual",
    fair_play_pb2.FairPlayFinding.WEIGHT_NOT_ENOUGH: "not enough data",
}

_LIKENESSES: Final = {
    fair_play_pb2.AgreementNumbers.LIKENESS_POSITION: "same position",
    fair_play_pb2.AgreementNumbers.LIKENESS_ACTIONS: "same legal actions",
    fair_play_pb2.AgreementNumbers.LIKENESS_HABIT: "habits",
}

_WAYS: Final = {
    fair_play_pb2.GivingNumbers.WAY_FORFEITS: "forfeits against",
    fair_play_pb2.GivingNumbers.WAY_RESULTS: "results against",
    fair_play_pb2.GivingNumbers.WAY_THIRD_BOTS: "third bots",
}

_COLUMNS: Final = (
    "~bot",
    "~other bot",
    "what",
    ">seen",
    ">expected",
    ">overlap",
    ">by chance",
    ">groups",
    "?weight",
)


def show_report(context: CommandContext, name: str, bots: str | None, matches: int) -> None:
    """Request and print the report on a ladder or tournament. `name`: its resource name."""
    request = fair_play_pb2.GetFairPlayReportRequest(
        name=name,
        bots=[resource("bots", bot.strip()) for bot in bots.split(",")] if bots else [],
        matches=matches,
    )
    err().print(f"Reading up to {matches} matches. This may take a minute.", highlight=False)
    with context.connect() as arena:
        report = arena.fair_play.GetFairPlayReport(request, timeout=_SECONDS).report
    context.show(report, lambda: _details(report))


def _details(report: fair_play_pb2.FairPlayReport) -> RenderableType:
    worth = [each for each in report.findings if _worth(each)]
    others = [each for each in report.findings if not _worth(each)]
    heading = facts(
        ("fair play report", short(report.name)),
        ("bots", str(report.bots)),
        ("matches", f"{report.matches}, decisions read of {report.matches_read}"),
        ("played", f"{format_time(report.first_time)} to {format_time(report.last_time)}"),
    )
    summary = "No finding is worth a look. This proves nothing; the limits of the report are below."
    if worth:
        summary = (
            f"{counted(len(worth), 'finding is', 'findings are')} worth a look. None is a verdict: look at the "
            "matches named and ask the owners before you draw conclusions."
        )
    parts: list[RenderableType] = [heading, plain(f"\n{summary}")]
    parts += [facts(*_finding_facts(number, found)) for number, found in enumerate(worth, start=1)]
    if report.findings:
        shown = (worth + others)[:_SHOWN]
        parts += [table(_COLUMNS, map(_row, shown), title="The numbers"), plain(_LEGEND)]
        parts += [plain(line) for line in _too_wide(shown)]
        left = len(report.findings) - len(shown) + report.findings_left_out
        if left:
            parts.append(plain(f"{counted(left, 'weaker finding')} not shown."))
    parts += [plain(line) for line in _trades(report)]
    parts += [plain("\nLimits of this report:"), *(plain(f"- {limit}") for limit in report.limits)]
    return Group(*parts)


_LEGEND: Final = (
    "seen, expected: agreement, forfeits or points, and their expectation by chance, third bots or ratings. "
    "overlap: 0 is as by chance, 1 is as similar to each other as each is to itself. by chance: how often "
    "chance alone gives as much among all pairs; up to 1 % is worth a look. groups: match groups."
)


def _too_wide(shown: Iterable[fair_play_pb2.FairPlayFinding]) -> Iterator[str]:
    """Yield why a pair with high numbers is not worth a look: the interval of its overlap (docs/fair_play.md)."""
    for found in shown:
        alike = found.agreement
        known = alike.HasField("overlap") and alike.HasField("chance")
        overlap = alike.overlap
        if known and not _worth(found) and alike.chance.corrected <= RARE and overlap.low < ALIKE:
            yield (
                f"{short(found.one)} and {short(found.other)}: the overlap of {overlap.value:z.2f} may be anywhere "
                f"from {overlap.low:z.2f} to {overlap.high:z.2f}; it is worth a look if that begins at {ALIKE} "
                "or above."
            )


def _trades(report: fair_play_pb2.FairPlayReport) -> Iterator[str]:
    """Yield a line for each pair that traded."""
    if report.trades:
        yield "\nTrades, one-sided gifts first (`arena match explain` lists those of a match):"
    for each in report.trades[:_SHOWN]:
        one, other = short(each.one), short(each.other)
        gifts = [
            f"{counted(number, 'gift')} of {bot}"
            for bot, number in ((one, each.one_gifts), (other, each.other_gifts))
            if number
        ]
        accepted = f"{each.accepted} of {counted(each.offers, 'offer')} accepted"
        gave = [amounts(sums, _KINDS) for sums in (each.one_gave, each.other_gave)]
        flows = f"{one} gave {gave[0]}, {other} gave {gave[1]}"
        named = ", ".join(short(match) for match in each.look_at)
        printed = "; ".join([accepted, *([flows] if each.accepted else []), *gifts])
        played = counted(each.matches, "match", "matches")
        yield f"- {one} and {other}, {played} (look at {named}): {printed}"
    if (more := len(report.trades) - _SHOWN) > 0:
        yield f"{counted(more, 'more pair')}: see --format json."
    if report.trades_left_out:
        yield (
            f"{counted(report.trades_left_out, 'pair')} with fewer one-sided gifts not shown; "
            "use --bots BOT,BOT to select bots."
        )


def _worth(found: fair_play_pb2.FairPlayFinding) -> bool:
    return found.weight == fair_play_pb2.FairPlayFinding.WEIGHT_WORTH_A_LOOK


def _finding_facts(number: int, found: fair_play_pb2.FairPlayFinding) -> Iterator[tuple[str, str]]:
    yield f"{number}.", found.sentence
    for reason in found.innocent_reasons:
        yield "  possible reason", reason
    if found.matches:
        yield "  look at", ", ".join(f"match {short(match)}" for match in found.matches)
    if found.HasField("agreement"):
        one, other = short(found.one), short(found.other)
        command = f'arena log replay MATCH --as {one} --bot "COMMAND of {other}"'
        yield (
            "  test it",
            (
                f"{command}, for one of these matches in which {one} plays. Choices are compared across matches, so "
                "one of the two may not have played in it."
            ),
        )


def _row(found: fair_play_pb2.FairPlayFinding) -> tuple[str, ...]:
    seen = expected = overlap = chance = groups = ""
    kind = found.WhichOneof("numbers")
    if kind == "agreement":
        alike = found.agreement
        what, groups = _LIKENESSES.get(alike.likeness, "alike"), str(alike.match_groups)
        seen, expected = _interval(alike.agreement), _percent(alike.expected)
        overlap = f"{alike.overlap.value:z.2f}" if alike.HasField("overlap") else ""
        chance = _chance(alike.chance) if alike.HasField("chance") else ""
    elif kind == "giving":
        given = found.giving
        what, groups = _WAYS.get(given.way, "gives"), str(given.match_groups)
        seen, expected = _interval(given.observed), _percent(given.expected)
        chance = _chance(given.chance) if given.HasField("chance") else ""
    elif kind == "presence":
        times = found.presence
        what, seen, expected = "times of play", _percent(times.together), _percent(times.expected)
        chance = _chance(min(times.apart, times.at_once, key=lambda each: each.corrected))
    else:
        what = "same content" if found.shared_version.submitted else "same label"
    weight = _WEIGHTS.get(found.weight, "")
    return short(found.one), short(found.other), what, seen, expected, overlap, chance, groups, weight


def _interval(share: fair_play_pb2.FairPlayShare) -> str:
    return f"{_percent(share.value)} ({100 * share.low:z.0f} to {100 * share.high:z.0f})"


def _percent(share: float) -> str:
    return f"{100 * share:z.0f} %"


def _chance(chance: fair_play_pb2.FairPlayChance) -> str:
    """Format a probability, never as 0 %."""
    if chance.corrected < 0.0001:
        return "<0.01 %"
    return f"{100 * chance.corrected:.2g} %" if chance.corrected < 0.1 else f"{100 * chance.corrected:.0f} %"
