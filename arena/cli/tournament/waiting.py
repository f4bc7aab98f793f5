"""Waiting for the end of a tournament, challenge or gate, with progress; and the exit code of how it has ended."""

import time
from typing import Final

from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CommandExit, print_error
from arena.cli.framework.output import err, plain
from arena.cli.framework.signals import Interrupted, interruptible
from arena.cli.ladder.watch import POLL_SECONDS, MatchProgress
from arena.drawings.wording import counted
from arena.v1 import tournament_pb2
from arena.wire.gate_wording import format_elo, format_ratio
from arena.wire.wording import short

_POLL_SECONDS_OF_GATE: Final = 1.0
"""Longer, because each answer has the test computed anew."""

_VERDICT_EXITS: Final = {
    tournament_pb2.Gate.VERDICT_BETTER: CommandExit.OK,
    tournament_pb2.Gate.VERDICT_NOT_BETTER: CommandExit.NOT_BETTER,
}
"""The exit codes of the verdicts of gates; of all others `UNDECIDED`."""


def tournament_named(arena: ArenaClient, name: str) -> tournament_pb2.Tournament:
    """Return the tournament of this resource name."""
    return arena.tournaments.GetTournament(tournament_pb2.GetTournamentRequest(name=name)).tournament


def exit_code(tournament: tournament_pb2.Tournament) -> CommandExit:
    """Return the exit code of a command that has waited for this tournament."""
    if tournament.HasField("gate"):
        return _VERDICT_EXITS.get(tournament.gate.verdict, CommandExit.UNDECIDED)
    ended = tournament.state == tournament_pb2.Tournament.STATE_FINISHED
    return CommandExit.OK if ended else CommandExit.FAILED


def wait_for_end(arena: ArenaClient, name: str) -> tournament_pb2.Tournament:
    """Wait while the tournament ("tournaments/{tournament}") runs or has a match in play; return it as it is then.

    Progress is shown on standard error, of a gate also how it stands after each round. An interruption says how to
    wait again.
    """
    with interruptible():
        try:
            return _watch(arena, name)
        except Interrupted:
            print_error(_say_how_to_continue(tournament_named(arena, name)))
            raise


def _watch(arena: ArenaClient, name: str) -> tournament_pb2.Tournament:
    with MatchProgress() as progress:
        set_ups = 0
        while True:
            now = tournament_named(arena, name)
            over = now.state != tournament_pb2.Tournament.STATE_RUNNING and not now.running_matches
            reason = "" if now.running_matches else now.waiting_for
            about = "about " * (now.HasField("gate") and not over)
            progress.show(now.ended_matches, _expected(now), reason, is_over=over, about=about)
            if over:
                return now
            if now.gate.set_ups > set_ups:
                set_ups = now.gate.set_ups
                err().print(plain(_gate_line(now)), highlight=False, soft_wrap=True)
            time.sleep(_POLL_SECONDS_OF_GATE if now.HasField("gate") else POLL_SECONDS)


def _expected(now: tournament_pb2.Tournament) -> int:
    """Return how many matches it may have in all: of a gate about so many, otherwise those planned so far."""
    return now.matches + 2 * now.seats * now.gate.set_ups_left


def _gate_line(now: tournament_pb2.Tournament) -> str:
    """Return how a gate stands, as one line."""
    left = f"; about {now.gate.set_ups_left} more" * bool(now.gate.set_ups_left)
    return (
        f"{counted(now.gate.set_ups, 'set-up')}; Elo {format_elo(now.gate)}; LLR {format_ratio(now)}{left}."
    )


def _say_how_to_continue(left: tournament_pb2.Tournament) -> str:
    """Return what somebody is told who no longer waits."""
    name = short(left.name)
    again = f"To wait again: arena tournament wait {name}."
    if left.HasField("gate"):
        return (
            f"No longer waiting; the gate continues. {again} To see how it stands: arena tournament show {name}. "
            f"To stop it: arena tournament withdraw {name} {name}-candidate."
        )
    return (
        f"No longer waiting. {left.ended_matches} of {left.matches} matches have ended; the tournament continues. "
        f"{again} To pause it: arena tournament pause {name}."
    )
