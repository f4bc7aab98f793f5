"""The words for gates that commands and pages share: versions, Elo difference, log-likelihood ratio, verdict."""

from collections.abc import Sequence
from typing import Final

from arena.core.versions import shown_version
from arena.v1 import tournament_pb2
from arena.wire.wording import short

_MILLI: Final = 1_000
_PERCENT: Final = 10


def format_compared(version: str) -> str:
    """Return the label of a version, "bots/{bot}/versions/{version}", for people."""
    return shown_version(short(version))


def format_elo(gate: tournament_pb2.Gate) -> str:
    """Return the Elo difference with its 95 % interval: "+52.1 (+3.0 to +101.9)"; "unknown" without one."""
    if not gate.HasField("elo_milli"):
        return "unknown"
    found = f"{gate.elo_milli / _MILLI:+.1f}"
    if gate.HasField("elo_low_milli") and gate.HasField("elo_high_milli"):
        found += f" ({gate.elo_low_milli / _MILLI:+.1f} to {gate.elo_high_milli / _MILLI:+.1f})"
    return found


def format_ratio(tournament: tournament_pb2.Tournament) -> str:
    """Return the log-likelihood ratio, its bounds and what it compares: "1.20 (-2.94 to 2.94) for 0 against 20 Elo"."""
    gate, asked = tournament.gate, tournament.parameters.gate
    now = gate.llr_milli[-1] if gate.llr_milli else 0
    bounds = f"{gate.lower_milli / _MILLI:.2f} to {gate.upper_milli / _MILLI:.2f}"
    elo = f"{asked.elo0_milli / _MILLI:g} against {asked.elo1_milli / _MILLI:g} Elo"
    return f"{now / _MILLI:.2f} ({bounds}) for {elo}"


def format_superiority(gate: tournament_pb2.Gate) -> str:
    """Return the likelihood that the candidate is better at all; empty if it is unknown."""
    return f"{gate.superiority_milli / _PERCENT:.1f} %" if gate.HasField("superiority_milli") else ""


def format_scores(gate: tournament_pb2.Gate) -> str:
    """Return what both scored: "candidate 61.5 %, incumbent 50.0 %"; empty before anything counts."""
    if not gate.HasField("candidate_score_milli"):
        return ""
    candidate, incumbent = gate.candidate_score_milli / _PERCENT, gate.incumbent_score_milli / _PERCENT
    return f"candidate {candidate:.1f} %, incumbent {incumbent:.1f} %"


def format_verdict(tournament: tournament_pb2.Tournament) -> str:
    """Return what the test says, in a sentence part."""
    gate = tournament.gate
    match gate.verdict:
        case tournament_pb2.Gate.VERDICT_BETTER:
            return "the candidate is better than the incumbent"
        case tournament_pb2.Gate.VERDICT_NOT_BETTER:
            return "the candidate is not better than the incumbent"
        case tournament_pb2.Gate.VERDICT_UNDECIDED:
            over = tournament.state == tournament_pb2.Tournament.STATE_FINISHED
            return (
                f"it has ended without a verdict: {_why_undecided(tournament)}" if over else "not decided yet"
            )
        case _:
            return ""


def compared_bots(tournament: tournament_pb2.Tournament) -> Sequence[str]:
    """Return the bots that a gate has added for the candidate and the incumbent, "bots/{bot}"."""
    return tournament.bots[:2]


def _why_undecided(tournament: tournament_pb2.Tournament) -> str:
    """Return why a gate has ended without a verdict, in a sentence part."""
    withdrawn = {each.bot for each in tournament.withdrawals}
    for bot, role in zip(compared_bots(tournament), ("candidate", "incumbent"), strict=False):
        if bot in withdrawn:
            return f"the {role} was withdrawn"
    if tournament.pairings >= tournament.parameters.gate.set_ups:
        return "the limit of set-ups was reached"
    return "a version took part in no match of a set-up, or too few bots of the field were left"


def format_winner(tournament: tournament_pb2.Tournament) -> str:
    """Return what becomes of the candidate if it is better, or what has become of it."""
    gate = tournament.gate
    if gate.applied:
        return "the candidate was pinned"
    if not gate.apply:
        return "nothing is pinned by the arena"
    over = tournament.state == tournament_pb2.Tournament.STATE_FINISHED
    return "nothing was pinned" if over else "the candidate is pinned if it is better"
