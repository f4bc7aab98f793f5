"""What the author of a bot that has forfeited can do about it: the limit it met, where that stands, the next step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from arena.submissions.manifest import MEMORY_MIB, PIDS


@dataclass(frozen=True, slots=True)
class Advice:
    """On one ending."""

    limit: str
    """What the bot has run into and where that stands; empty if it is no limit."""
    next: str
    """What to do."""


Facts = Mapping[str, str]
"""The evidence of an ending, by fact."""


def advice(termination: str, evidence: Facts) -> Advice | None:
    """Return the advice for a seat that ended so, for example by "MEMORY"; None if it did not forfeit.

    Its texts contain the placeholders `MATCH`, `SEAT` and `BOT`.
    """
    if termination == "TIME_FORFEIT" and "cpu_limit_s" in evidence:
        return _cpu(evidence)
    if termination == "TIME_FORFEIT" and "wall_limit_s" in evidence:
        return _wall(evidence)
    given = _ADVICE.get(termination)
    return given(evidence) if given else None


_AGAIN: Final = 'Put the same decisions to it again: `arena log replay MATCH --seat SEAT --bot "COMMAND"`.'


def _exited(facts: Facts) -> Advice:
    if facts.get("code") == "0":
        return Advice(
            "",
            "It ended as if all were done. A program that the arena runs plays match after match until it is told "
            "goodbye: see where it returns from its main loop, or calls exit.",
        )
    return Advice("", f"What it printed last says why: mostly an error that nothing caught. {_AGAIN}")


_SIGNALS: Final = {
    "SIGSEGV": "It has touched memory that is not its own: an index or a pointer gone wrong, or a recursion too deep.",
    "SIGBUS": "It has touched memory that is not there: mostly a file in /tmp that was cut, or /dev/shm that is full.",
    "SIGABRT": "It has given up by itself: an assertion, or an exception that nothing caught.",
    "SIGFPE": "It has divided by zero.",
    "SIGILL": "It was built for another processor: leave out -march=native, and let the arena build it.",
    "SIGPIPE": "It has written to a connection that was closed, and does not ignore SIGPIPE.",
    "SIGXFSZ": "It has written a file that is larger than all of /tmp may be.",
    "SIGKILL": "It was killed from inside its sandbox, or by whoever runs the machine: limits have names of their own.",
}


def _signalled(facts: Facts) -> Advice:
    why = _SIGNALS.get(facts.get("signal", ""), "")
    return Advice("", f"{why} {_AGAIN}".strip())


def _memory(facts: Facts) -> Advice:
    most = facts.get("memory_limit_mib")
    had = f"{most} MiB" if most else "so much"
    return Advice(
        f"{had} for all its processes together, with what it keeps in /tmp: `memory_mib` under [limits] in bot.toml, "
        f"{MEMORY_MIB[0]} to {MEMORY_MIB[-1]}",
        "Bound its tables and caches, also over several matches: one program plays many. Or submit it with a larger "
        "`memory_mib`.",
    )


def _pids(facts: Facts) -> Advice:
    most = facts.get("pids_limit", "so many")
    return Advice(
        f"{most} processes and threads at once: `pids` under [limits] in bot.toml, {PIDS[0]} to {PIDS[-1]}",
        "Start fewer threads, and wait for those that are done: it has one core. Or submit it with a larger `pids`.",
    )


def _output(facts: Facts) -> Advice:
    most = facts.get("output_limit_kib", "1024")
    return Advice(
        f"{most} KiB of stdout and stderr in one match; it is the same for all bots",
        "Print less: a line for a decision, none for a position that is searched.",
    )


def _forbidden(_facts: Facts) -> Advice:
    return Advice(
        "`strict = true` in bot.toml: a system call that no runtime needs ends the program (docs/sandbox.md)",
        "Leave the call out; without `strict` it is refused with EPERM and the program goes on.",
    )


def _cpu(facts: Facts) -> Advice:
    return Advice(
        f"{facts['cpu_limit_s']} s of processor time in the life of one program; it is the same for all bots",
        "Something in it never rests: see which threads go on when no decision is open.",
    )


def _wall(facts: Facts) -> Advice:
    return Advice(
        f"{facts['wall_limit_s']} s in the life of one program; it is the same for all bots",
        "No match lasts so long: ask the organiser why this one did.",
    )


def _time(facts: Facts) -> Advice:
    if facts.get("connected") == "no":
        return _disconnect(facts)
    return Advice(
        "the clock of the match: free time for each decision, then the bank; and the strikes that it allows",
        "Think for less than what each decision says is left, with room for what is slow now and then. "
        + _AGAIN,
    )


def _illegal(_facts: Facts) -> Advice:
    return Advice(
        "the strikes that the clock of the match allows",
        f"Choose from the legal actions that come with each decision. {_AGAIN}",
    )


def _never_began(facts: Facts) -> Advice:
    """Return the advice for a match that waited for the bot."""
    if "no_shows" in facts:
        return Advice(
            f"{facts['no_shows']} offers of one match that the bot does not take: each is to be answered with `ready` "
            "within 10 s",
            "Say `ready` to every `assigned` (the Python SDK does so); a bot that wants fewer matches lowers its "
            "capacity, or leaves the ladder.",
        )
    if "owner" in facts:
        return Advice("", "Its owner may not play here now: ask the organiser.")
    if "organiser" in facts:
        return Advice(
            "", "Ask the organiser what was wrong with it; `arena bot show BOT` says what the arena runs now."
        )
    if "benched" in facts:
        return Advice(
            "a version whose program keeps failing is benched, and its bot plays nothing until it has passed again",
            "`arena bot show BOT` says why it is benched and when it is tried again, by itself; what is mended is "
            "submitted as a new version.",
        )
    if facts.get("takes") == "no":
        return Advice(
            f"{facts['absent_min']} minutes in which a match waits for a bot that is there and takes no such match",
            "See which games and rules versions its `hello` names, and its capacity; leave the ladder if it plays the "
            "game no more.",
        )
    if facts.get("hosted") == "no":
        return Advice(
            f"{facts['absent_min']} minutes in which a match that only programs of the arena may play waits for one",
            "Have the arena run it (`arena bot host BOT --newest`), or leave the ladder before it is taken off.",
        )
    return Advice(
        f"{facts['absent_min']} minutes in which a match waits for a bot that is away or paused",
        "`arena bot show BOT` says whether it is connected or paused; leave the ladder before it is away for long.",
    )


_TOKEN_ENDED: Final = {
    "the token was revoked": "",
    "the token has expired": "",
    "the token's user": "Its owner may not play here now: ask the organiser. ",
}
"""What begins the reason of a connection that ended with its token, and what to do first."""


def _disconnect(facts: Facts) -> Advice:
    if not facts.keys().isdisjoint(("benched", "owner", "organiser", "absent_min")):
        return _never_began(facts)
    for why, first in _TOKEN_ENDED.items():
        if facts.get("why", "").startswith(why):
            return Advice(
                "", f"{first}Make a new token with `arena bot token` and start the bot with it.".strip()
            )
    allowed = facts.get("absence_allowed_ms")
    if facts.get("why") and not allowed:
        return Advice("", "See what the connection was ended for: docs/errors.md names each reason.")
    return Advice(
        f"{allowed} ms of absence in all, of the clock of the match"
        if allowed
        else "the clock, which runs on",
        "See on its machine whether the program ended, or sent a frame of more than 128 KiB, which ends the call "
        "without a goodbye. A program that lives on should connect again and resume (docs/protocol.md); the Python "
        "SDK does so.",
    )


def _resigned(_facts: Facts) -> Advice:
    return Advice(
        "",
        "It said `resign`. The Python SDK does so when the bot's own class cannot be made: the debug lines say why.",
    )


_ADVICE: Final[Mapping[str, Callable[[Facts], Advice]]] = {
    "TIME_FORFEIT": _time,
    "ILLEGAL_ACTION": _illegal,
    "DISCONNECT": _disconnect,
    "NO_SHOW": _never_began,
    "RESIGNATION": _resigned,
    "EXITED": _exited,
    "SIGNALLED": _signalled,
    "MEMORY": _memory,
    "PIDS": _pids,
    "OUTPUT": _output,
    "FORBIDDEN_CALL": _forbidden,
}
