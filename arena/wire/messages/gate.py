"""Gates as messages: what is compared, and how the comparison stands."""

import math
from typing import Final

from arena.core.pairing.formats.parameters import GateParameters
from arena.core.sequential.sprt import SequentialTest, Verdict
from arena.core.tournaments import TournamentState
from arena.store.tournaments.tournaments import TournamentRow
from arena.v1 import tournament_pb2
from arena.wire.resource_names import bot_name, version_name

_MILLI: Final = 1_000

_MOST_MILLI: Final = 2**31 - 1
"""Elo differences beyond it are not shown; they come from one lucky match."""

_VERDICTS: Final = {
    Verdict.BETTER: tournament_pb2.Gate.VERDICT_BETTER,
    Verdict.NOT_BETTER: tournament_pb2.Gate.VERDICT_NOT_BETTER,
    Verdict.UNDECIDED: tournament_pb2.Gate.VERDICT_UNDECIDED,
}


def gate_message(row: TournamentRow, test: SequentialTest | None) -> tournament_pb2.Gate | None:
    """Return what a gate compares; None if the tournament is none. `test`: how it stands; None: that is left out."""
    gate = row.gate
    if gate is None:
        return None
    message = tournament_pb2.Gate(
        bot=bot_name(gate.bot),
        candidate=version_name(gate.bot, gate.candidate),
        incumbent=version_name(gate.bot, gate.incumbent),
        apply=gate.apply,
        applied=gate.applied,
    )
    if test is not None:
        _add_standing(message, row, test)
    return message


def _add_standing(message: tournament_pb2.Gate, row: TournamentRow, test: SequentialTest) -> None:
    now = test.estimate()
    message.verdict = _VERDICTS[test.verdict]
    message.set_ups = now.groups
    message.llr_milli.extend(round(_MILLI * ratio) for ratio in test.ratios)
    message.lower_milli = round(_MILLI * test.hypotheses.lower)
    message.upper_milli = round(_MILLI * test.hypotheses.upper)
    found = {
        "elo_milli": now.elo,
        "elo_low_milli": now.low,
        "elo_high_milli": now.high,
        "superiority_milli": now.superiority,
        "candidate_score_milli": now.new,
        "incumbent_score_milli": now.old,
    }
    for name, value in found.items():
        if value is not None and abs(_MILLI * value) < _MOST_MILLI:
            setattr(message, name, round(_MILLI * value))
    if row.state is not TournamentState.FINISHED:
        left = (row.parameters.gate or GateParameters()).set_ups - row.pairings
        message.set_ups_left = max(0, math.ceil(min(now.groups_left, left)))
