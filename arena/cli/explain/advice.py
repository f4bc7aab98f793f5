"""Advice for the author of a bot that forfeited: the limit, where it is set, and what to do."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from arena.submissions.manifest import MEMORY_MIB, PIDS, STANDARD


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice on one ending."""

    limit: str
    """The limit that the bot exceeded and where it is set; empty if it was no limit."""
    next: str
    """What to do."""


Facts = Mapping[str, str]
"""The evidence of an ending, by fact."""

_REPLAY: Final = 'Replay the same decisions: `arena log replay MATCH --seat SEAT --bot "COMMAND"`.'
_MEND: Final = f"Mend the exceptions. {_REPLAY}"
_NOT_ALLOWED: Final = "Its owner is not allowed to play here at present. Ask the organiser."


def advice(termination: str, evidence: Facts, *, raised: bool = False) -> Advice | None:
    """Return the advice for a seat that ended so, for example by "MEMORY"; None if it did not forfeit.

    `raised`: whether exceptions of the bot's code are known. The texts contain the placeholders `MATCH`, `SEAT` and
    `BOT`.
    """
    match termination:
        case "TIME_FORFEIT":
            return _time(evidence)
        case "DISCONNECT":
            return _disconnect(evidence)
        case "NO_SHOW":
            return _never_began(evidence)
        case "EXITED" if evidence.get("code") != "0":
            return Advice("", f"See its last output: usually an uncaught error. {_REPLAY}")
        case "SIGNALLED":
            return Advice("", f"{_SIGNALS.get(evidence.get('signal', ''), '')} {_REPLAY}".strip())
    if (known := _ENDINGS.get(termination)) is None:
        return None
    limits = {
        "memory_limit_mib": "the configured",
        "pids_limit": "the number of",
        "output_limit_kib": "1024",
        "strikes_allowed": "see its clock",
    }
    mended = _MEND if raised and termination == "ILLEGAL_ACTION" else known.next
    return Advice(known.limit.format_map(limits | dict(evidence)), mended)


_ENDINGS: Final = {
    "ILLEGAL_ACTION": Advice(
        "the number of strikes that the match allows (`strikes`): {strikes_allowed}",
        f"Choose from the legal actions that come with each decision. {_REPLAY}",
    ),
    "RESIGNATION": Advice(
        "", "It sent `resign`. The Python SDK does so if creating the bot's class fails; see the debug lines."
    ),
    "EXITED": Advice(
        "",
        "It exited without an error. A hosted bot plays match after match until it receives `goodbye`: check where "
        "its main loop returns or calls exit.",
    ),
    "MEMORY": Advice(
        "{memory_limit_mib} MiB for all its processes and its files in /tmp: `memory_mib` under [limits] in bot.toml, "
        f"{MEMORY_MIB[0]} to {STANDARD.memory_mib}, or what the arena gives",
        "Limit its tables and caches, also across matches: one process plays many. Or submit it with a larger "
        "`memory_mib`.",
    ),
    "PIDS": Advice(
        "{pids_limit} processes and threads at once: `pids` under [limits] in bot.toml, "
        f"{PIDS[0]} to {PIDS[-1]}",
        "Start fewer threads and join those that are done. Or submit it with a larger `pids`.",
    ),
    "OUTPUT": Advice(
        "{output_limit_kib} KiB of stdout and stderr per match, the same for all bots",
        "Print less: one line per decision, nothing per position searched.",
    ),
    "FORBIDDEN_CALL": Advice(
        "`strict = true` in bot.toml: a system call that no runtime needs ends the process (docs/sandbox.md)",
        "Remove the call. Without `strict`, it fails with EPERM and the process continues.",
    ),
}
"""By termination; limits contain the names of facts in braces."""

_SIGNALS: Final = {
    "SIGSEGV": "Invalid memory access: a bad index or pointer, or too deep a recursion.",
    "SIGBUS": "Access to missing memory: usually a truncated file in /tmp, or a full /dev/shm.",
    "SIGABRT": "It aborted: a failed assertion or an uncaught exception.",
    "SIGFPE": "Division by zero.",
    "SIGILL": "It was built for another processor: remove -march=native, and let the arena build it.",
    "SIGPIPE": "It wrote to a closed connection and does not ignore SIGPIPE.",
    "SIGXFSZ": "It wrote a file larger than /tmp may be.",
    "SIGKILL": "It was killed from inside its sandbox or by the operator. Limits are reported by other names.",
}


_IN_TIME: Final = (
    "Answer within the `time_left_ms` of each decision, with a margin for slow moments. " + _REPLAY
)

_ANY_CLOCK_LIMIT: Final = Advice("the clock of the match: free time per decision, then the bank", _IN_TIME)
"""Of logs and matches whose evidence does not name the limit."""

_CLOCK_LIMITS: Final = {
    "per_decision_ms": Advice(
        "per_decision_ms {per_decision_ms}, with no bank, and grace_ms {grace_ms}", _IN_TIME
    ),
    "bank_ms": Advice(
        "per_decision_ms {per_decision_ms}, then the bank: {bank_ms} ms were left of bank_ms {bank_start_ms} and "
        "{earned_ms} ms earned by increment_ms {increment_ms}; then grace_ms {grace_ms}",
        _IN_TIME,
    ),
    "seat_limit_ms": Advice(
        "seat_limit_ms {seat_limit_ms}, for all decisions of a seat in a match: {seat_used_ms} ms were used, so "
        "per_decision_ms {per_decision_ms} no longer applied; {bank_ms} ms of bank were left",
        "Divide the time of the whole match: each decision says what is left of it (`seat_time_left_ms`). Or ask the "
        f"organiser for a clock with a larger `seat_limit_ms`, or a smaller `per_decision_ms`. {_REPLAY}",
    ),
    "hold_ms": Advice(
        "hold_ms {hold_ms}: the decision was held back {held_ms} ms while the bot had others to answer, and "
        "{hold_used_ms} ms of the hold of the whole match were used; then its clock ran, with per_decision_ms "
        "{per_decision_ms} and {bank_ms} ms of bank",
        "Answer several decisions at once and say so in `capacity` (`open_decisions`), or take fewer matches at once "
        "(`matches`; in the Python SDK the attribute `matches`).",
    ),
}
"""By the clock rule that a missed decision ran into; limits contain the names of facts in braces."""


def _time(facts: Facts) -> Advice:
    if "cpu_limit_s" in facts:
        return Advice(
            f"{facts['cpu_limit_s']} s of processor time in the life of one process, the same for all bots",
            "One of its threads is always busy. Check which threads run while no decision is open.",
        )
    if "wall_limit_s" in facts:
        limit = f"{facts['wall_limit_s']} s in the life of one process, the same for all bots"
        return Advice(limit, "No match takes that long. Ask the organiser.")
    known = _CLOCK_LIMITS.get(facts.get("limit", ""), _ANY_CLOCK_LIMIT)
    limit, remedy = known.limit.format_map(defaultdict(lambda: "?", facts)), known.next
    if facts.get("connected") == "no":
        away = _disconnect({fact: value for fact, value in facts.items() if fact != "absence_allowed_ms"})
        remedy = away.next
        if "absent_ms" in facts:
            limit += f"; absence_ms {facts.get('absence_allowed_ms', '?')}, {facts['absent_ms']} ms used"
    if "strikes_allowed" in facts:
        limit += f"; and {facts['strikes_allowed']} strikes (`strikes`)"
    return Advice(limit, remedy)


def _never_began(facts: Facts) -> Advice:
    """Return the advice for a match that waited for the bot."""
    if "no_shows" in facts:
        return Advice(
            f"{facts['no_shows']} offers of one match without an answer: `ready` is due within 10 s",
            "Answer every `assigned` with `ready` (the Python SDK does so). To get fewer matches, lower its capacity "
            "or leave the ladder.",
        )
    if "owner" in facts:
        return Advice("", _NOT_ALLOWED)
    if "organiser" in facts:
        return Advice(
            "", "Ask the organiser what was wrong. `arena bot show BOT` shows what the arena runs now."
        )
    if "benched" in facts:
        return Advice(
            "a version whose process keeps failing is suspended; the bot plays nothing until the version passes again",
            "`arena bot show BOT` shows the reason and the time of the next automatic attempt. Submit a fix as a new "
            "version.",
        )
    what = "is offline or paused"
    remedy = "`arena bot show BOT` shows whether it is connected or paused. Leave the ladder before a long absence."
    if facts.get("takes") == "no":
        what = "is connected but accepts no such match"
        remedy = (
            "Check the games and rules versions in its `hello`, and its capacity. Leave the ladder if it no longer "
            "plays the game."
        )
    elif facts.get("hosted") == "no":
        what = "the arena does not host, in a match for hosted bots only"
        remedy = "Let the arena run it (`arena bot host BOT --newest`), or leave the ladder before the bot is removed."
    return Advice(f"{facts.get('absent_min', '10')} minutes of waiting for a bot that {what}", remedy)


_TOKEN_ENDED: Final = {
    "the token was revoked": "",
    "the token has expired": "",
    "the token's user": f"{_NOT_ALLOWED} ",
}
"""The beginning of the reason of a connection that ended with its token, and what to do first."""


def _disconnect(facts: Facts) -> Advice:
    if not facts.keys().isdisjoint(("benched", "owner", "organiser", "absent_min")):
        return _never_began(facts)
    why, allowed = facts.get("why", ""), facts.get("absence_allowed_ms")
    for reason, first in _TOKEN_ENDED.items():
        if why.startswith(reason):
            return Advice(
                "", f"{first}Create a new token with `arena bot token` and restart the bot with it."
            )
    if why and not allowed:
        return Advice("", "See docs/errors.md for the reason that ended its connection.")
    return Advice(
        f"{allowed} ms of absence in all (`absence_ms`): the clock of the match"
        if allowed
        else "the clock, which keeps running",
        "Check on its machine whether the process ended, or sent a frame of more than 128 KiB, which ends the call "
        "without `goodbye`. Otherwise it should reconnect and resume (docs/protocol.md); the Python SDK does so.",
    )
