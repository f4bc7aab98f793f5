"""Templates of pages, and the words and numbers in them."""

import math
import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from itertools import groupby
from typing import Any, Final

import jinja2
from google.protobuf.timestamp_pb2 import Timestamp
from markupsafe import Markup

from arena.core.match import ENDED_BY_FORFEIT
from arena.core.units import NS_PER_MS
from arena.core.versions import shown_version
from arena.drawings.wording import counted, duration
from arena.pages.charts import heat, interval_bar, progress_bar, ratio_chart
from arena.pages.links import Links
from arena.pictures.style import style_sheet
from arena.v1 import (
    audit_pb2,
    bot_pb2,
    ending_pb2,
    ladder_pb2,
    match_pb2,
    submission_pb2,
    time_control_pb2,
    tournament_pb2,
)
from arena.wire.gate_wording import (
    format_elo,
    format_ratio,
    format_scores,
    format_superiority,
    format_verdict,
    format_winner,
)
from arena.wire.owner_wording import (
    DOING,
    format_hosting,
    format_outcome,
    format_readiness,
    format_role,
    format_scopes,
    format_unavailable,
    unavailable_words,
)
from arena.wire.tournament_wording import (
    format_kind,
    format_pairing_state,
    format_parameters,
    format_progress,
    format_results,
    format_size,
    format_suite,
    format_tie_end,
    part_of,
    points,
    seed_lines,
    visibility_lines,
)
from arena.wire.wording import (
    enum_word,
    format_ending,
    format_milli,
    format_options,
    format_rank,
    format_seed_policy,
    format_time,
    is_void,
    short,
)

_TENTHS_BELOW_S: Final = 10.0

LIVE_BLOCK: Final = "live"
"""The block of a template that a server sends again when it has changed."""

_MILLI: Final = 1_000

_Submission = submission_pb2.Submission
_SLOT: Final = re.compile("<!--slot ([a-z]+)-->")


def render(template: str, links: Links, *, part: bool = False, **context: Any) -> str:
    """Return a page. `part`: only its block `live`; it may be empty. `titles` of the context: of games, by name."""
    found = _environment().get_template(f"{template}.html.jinja")
    shown = found.new_context({"to": links, **context})
    root = found.blocks.get(LIVE_BLOCK) if part else found.root_render_func
    return "" if root is None else "".join(root(shown))


def fill_slots(html: str, **parts: str) -> str:
    """Return a page with what its reader alone sees, by the name of the slot; a slot without a part is empty.

    Texts in pages are escaped, so only templates have slots.
    """
    return _SLOT.sub(lambda found: parts.get(found[1], ""), html)


def shared_file(name: str) -> str:
    """Return a file that all pages share: a style sheet or a script."""
    if name == "pictures.css":
        return style_sheet()
    return (resources.files("arena.pages") / "files" / name).read_text(encoding="utf-8")


def _load(name: str) -> str | None:
    file = resources.files("arena.pages") / "templates" / name
    return file.read_text(encoding="utf-8") if file.is_file() else None


_OF_GATES: Final = {
    "verdict_of": format_verdict,
    "scores_of": format_scores,
    "elo_of": format_elo,
    "superiority_of": format_superiority,
    "llr_of": format_ratio,
    "winner_of": format_winner,
}
"""Functions for the page of a gate."""


_OF_BOTS: Final = {
    "hosting_mode": lambda hosting: enum_word(bot_pb2.Hosting.Mode, hosting.mode),
    "hosting": format_hosting,
    "readiness": format_readiness,
    "unavailable": format_unavailable,
    "unavailable_in": lambda place: unavailable_words(place.unavailable_reason, place.waiting_for),
}
"""Functions for pages with bots."""


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_load),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "short": short,
        "version": lambda name: shown_version(short(name)),
        "milli": format_milli,
        "points": points,
        "rank": format_rank,
        "time": format_time,
        "clock": _clock,
        "seconds": lambda milliseconds: duration(round(milliseconds * NS_PER_MS)),
        "counted": counted,
    }
    environment.globals |= {
        "ladder_state": lambda ladder: (
            "archived" if ladder.archived else enum_word(ladder_pb2.Ladder.State, ladder.state)
        ),
        "tournament_state": lambda each: enum_word(tournament_pb2.Tournament.State, each.state),
        "format_of": lambda each: format_kind(each.format),
        "match_state": lambda match: enum_word(match_pb2.MatchState, match.state).replace("_", " "),
        "origin": lambda version: enum_word(bot_pb2.BotVersion.Origin, version.origin),
        "termination": lambda value: enum_word(ending_pb2.Termination, value).upper(),
        "fault": lambda value: enum_word(ending_pb2.Fault, value),
        "options_of": _options,
        "parameters_of": format_parameters,
        "part_of": part_of,
        "reached": format_progress,
        "size_of": format_size,
        "pairing_state": format_pairing_state,
        "results_of": lambda pairing: format_results(pairing.results),
        "bracket_of": bracket_parts,
        "tie_end": format_tie_end,
        "ratio_of": _ratio_chart,
        "visibility_lines": visibility_lines,
        "seed_lines": seed_lines,
        "suite_of": format_suite,
        "seeds_of": lambda event: format_seed_policy(event.seed_policy, hosted_only=event.hosted_only),
        "ending": format_ending,
        "is_void": is_void,
        "scored": _scored,
        "took": _took,
        "by_placing": by_placing,
        "result": result,
        "scale_of": _scale_of,
        "interval": _interval,
        "heat": heat,
        "progress": lambda done, of, title: Markup(progress_bar(done, of, title)),
        "svg": Markup,
        "role": format_role,
        "scopes": format_scopes,
        "submission_state": lambda each: enum_word(_Submission.State, each.state),
        "doing": lambda submission: DOING.get(submission.state, "in progress"),
        "outcome": format_outcome,
        "verdict": lambda trial: enum_word(_Submission.Trial.Verdict, trial.verdict).replace("_", " "),
        "audit_kind": lambda entry: enum_word(audit_pb2.AuditKind, entry.kind).replace("_", "-"),
        "slot": lambda name: Markup(f"<!--slot {name}-->"),
    }
    environment.globals |= _OF_GATES
    environment.globals |= _OF_BOTS
    environment.globals["parts"] = environment.get_template("parts.html.jinja").module
    return environment


def _ratio_chart(tournament: tournament_pb2.Tournament) -> Markup:
    """Return the chart of the test of a gate."""
    gate = tournament.gate
    ratios = [ratio / _MILLI for ratio in gate.llr_milli]
    title = f"Log-likelihood ratio of {short(tournament.name)}"
    return Markup(ratio_chart(title, ratios, gate.lower_milli / _MILLI, gate.upper_milli / _MILLI))


def bracket_parts(
    ties: Iterable[tournament_pb2.Tie],
) -> list[tuple[str, list[list[tournament_pb2.Tie]]]]:
    """Return the parts of a bracket by title: for each of its rounds the ties, from top to bottom."""
    order = sorted(ties, key=lambda tie: (tie.stage, tie.pool, tie.bracket, tie.level, tie.number))
    return [
        (title, [list(of_level) for _, of_level in groupby(of_part, key=lambda tie: tie.level)])
        for title, of_part in groupby(order, key=part_of)
    ]


def _options(event: Any) -> str:
    """Return the game options of a ladder or tournament that differ from the defaults."""
    if isinstance(event, ladder_pb2.Ladder):
        given = list(zip(event.seat_counts, event.options, strict=False))
    else:
        given = [(event.seats, event.options)]
    return format_options(short(event.game), given)


def _took(match: match_pb2.Match) -> str:
    """Return how long an ended match took; empty for others."""
    if not match.end_time.seconds or not match.start_time.seconds:
        return ""
    seconds = max(_seconds(match.end_time) - _seconds(match.start_time), 0.0)
    return f"{seconds:.1f} s" if seconds < _TENTHS_BELOW_S else f"{seconds:.0f} s"


def _scored(match: match_pb2.Match) -> bool:
    """Whether the rules gave the seats of a match their scores."""
    return match.state == match_pb2.MATCH_STATE_FINISHED and match.ending not in ENDED_BY_FORFEIT


def _clock(control: time_control_pb2.TimeControl) -> str:
    """Return a time control for people, without what it does not have."""
    said = [f"{_time(control.per_decision_ms)} a decision"]
    if control.bank_ms or control.increment_ms:
        said.append(
            f"a bank of {_time(control.bank_ms)}, and {_time(control.increment_ms)} for each decision"
        )
    if control.grace_ms:
        said.append(f"{_time(control.grace_ms)} grace")
    said.append(counted(control.strikes, "strike"))
    said += [f"{_time(control.absence_ms)} of absence", f"{_time(control.seat_limit_ms)} for a seat"]
    if control.secret_pad_ms:
        said.append(f"secret decisions take {_time(control.secret_pad_ms)}")
    return ", ".join(said)


def _time(milliseconds: int) -> str:
    """Return a time in its largest unit that is whole or has few digits: 250 ms, 1.5 s, 2 min, 24 h."""
    for unit, size in (("h", 3_600_000), ("min", 60_000)):
        if milliseconds and milliseconds % size == 0:
            return f"{milliseconds // size} {unit}"
    return f"{milliseconds / 1000:g} s" if milliseconds >= 1000 else f"{milliseconds} ms"


def _seconds(time: Timestamp) -> float:
    return time.seconds + time.nanos / 1e9


def by_placing(match: match_pb2.Match) -> Sequence[tuple[int, match_pb2.MatchSeat]]:
    """Return the seats of a match with their numbers, the best first; by number before the end."""
    return sorted(enumerate(match.seats), key=lambda pair: (pair[1].placing or 99, pair[0]))


def result(match: match_pb2.Match) -> str:
    """Return the result of a match in a sentence."""
    if is_void(match):
        return f"{enum_word(match_pb2.MatchState, match.state).replace('_', ' ').capitalize()}: {match.void_reason}"
    if match.state == match_pb2.MATCH_STATE_RUNNING:
        return "In play."
    if match.state != match_pb2.MATCH_STATE_FINISHED:
        return "It has not begun: it waits for its bots."
    if len(match.seats) == 1:
        seat = match.seats[0]
        level = f", level {seat.level}" if seat.level else ""
        return f"{short(seat.bot)}: {seat.score} points{level} ({match.ending})."
    winners = [short(seat.bot) for seat in match.seats if seat.placing == 1]
    forfeits = [
        short(seat.bot) for seat in match.seats if seat.ending.termination > ending_pb2.TERMINATION_NORMAL
    ]
    lost = f" Forfeited: {', '.join(forfeits)}." if forfeits else ""
    if not winners:
        return f"Nobody won ({match.ending}).{lost}"
    names = " and ".join(winners)
    return f"{names} {'wins' if len(winners) == 1 else 'tie'} ({match.ending}).{lost}"


def _scale_of(standings: Sequence[ladder_pb2.Standing]) -> tuple[int, int]:
    """Return the least and the greatest rating within the intervals of a table."""
    low = min(each.rating_milli - each.uncertainty_milli for each in standings)
    high = max(each.rating_milli + each.uncertainty_milli for each in standings)
    return math.floor(low / 1000), math.ceil(high / 1000)


def _interval(standing: ladder_pb2.Standing, scale: tuple[int, int]) -> Markup:
    """Return the interval of a rating. `scale`: of its table."""
    return Markup(interval_bar(standing.rating_milli / 1000, standing.uncertainty_milli / 1000, *scale))
