"""Tournaments, their plans and standings as messages."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from arena.codecs.shared_messages import time_control_message
from arena.core.finished_match import FinishedMatch
from arena.core.pairing.round_robin import PlannedPairing
from arena.core.rating.refit import FittedRating, refit
from arena.core.tournaments import Crosstable, TournamentStanding, TournamentState
from arena.scheduling.isolation import is_isolated
from arena.store.store import Transaction
from arena.store.tournaments.pairings import PairingRow
from arena.store.tournaments.tournaments import TournamentRow
from arena.v1 import match_pb2, tournament_pb2
from arena.wire.fields import same, timestamp
from arena.wire.game_catalogue import GameCatalogue
from arena.wire.resource_names import bot_name, group_name, match_name, tournament_name


@dataclass(frozen=True, slots=True)
class TournamentView:
    """A tournament with its counts."""

    row: TournamentRow
    running_matches: int = 0


def read_tournament(tx: Transaction, row: TournamentRow) -> TournamentView:
    """Read the tournament's counts."""
    return TournamentView(row, tx.tournaments.count_running_matches(row.id))


def tournament_message(
    view: TournamentView, catalogue: GameCatalogue, waiting_for: str
) -> tournament_pb2.Tournament:
    """Return the tournament as a message, without its secret until it has ended."""
    row = view.row
    over = row.state is TournamentState.FINISHED
    return tournament_pb2.Tournament(
        name=tournament_name(row.id) if row.id else "",
        format=tournament_pb2.Tournament.Format.ValueType(row.format.value),
        **same(row, *_SAME),
        options=catalogue.options_message(row.game, row.seats, row.options),
        time_control=time_control_message(row.time_control),
        bots=[bot_name(bot) for bot in row.bots],
        seed_policy=match_pb2.SeedPolicy.ValueType(row.seed_policy.value),
        hosted_only=is_isolated(row.game, row.seed_policy),
        state=tournament_pb2.Tournament.State.ValueType(row.state.value),
        running_matches=view.running_matches,
        secret_commitment=row.commitment,
        secret=row.secret if over else b"",
        waiting_for=waiting_for if row.state is TournamentState.RUNNING else "",
        create_time=timestamp(row.created_us),
        end_time=timestamp(row.ended_us),
    )


_SAME: Final = (
    *("game", "rules_version", "seats", "rounds", "owner"),
    *("pairings", "matches", "ended_matches", "unplayed_matches"),
)
"""The fields that are the same in row and message."""


def planned_message(pairing: PlannedPairing) -> tournament_pb2.Pairing:
    """Return a pairing of a plan that is not stored."""
    return tournament_pb2.Pairing(
        number=pairing.number, round=pairing.round, bots=[bot_name(bot) for bot in pairing.bots]
    )


def pairing_message(row: TournamentRow, pairing: PairingRow) -> tournament_pb2.Pairing:
    """Return a pairing of a tournament."""
    in_a_round = row.pairings // row.rounds
    return tournament_pb2.Pairing(
        **same(pairing, "number", "ended"),
        round=(pairing.number - 1) // in_a_round + 1,
        bots=[bot_name(bot) for bot in pairing.bots],
        group=group_name(pairing.group),
        matches=[match_name(match) for match in pairing.matches],
    )


def crosstable_message(
    table: Crosstable, played: Iterable[FinishedMatch]
) -> tournament_pb2.GetCrosstableResponse:
    """Return standings and crosstable as a message, with ratings from the matches of this tournament only."""
    ratings = {rating.player: rating for rating in refit(played).ratings}
    lines = table.standings
    return tournament_pb2.GetCrosstableResponse(
        standings=[_standing_message(line, ratings.get(line.bot)) for line in lines],
        rows=[
            tournament_pb2.CrosstableRow(
                bot=bot_name(line.bot),
                cells=[
                    tournament_pb2.CrosstableCell(**same(cell, "score_milli", "matches")) for cell in cells
                ],
            )
            for line, cells in zip(lines, table.cells, strict=True)
        ],
    )


def _standing_message(
    line: TournamentStanding, rating: FittedRating | None
) -> tournament_pb2.TournamentStanding:
    return tournament_pb2.TournamentStanding(
        bot=bot_name(line.bot),
        **same(line, "rank", "score_milli", "pairs", "matches", "firsts", "forfeits", "not_played"),
        rating_milli=0 if rating is None else rating.rating_milli,
        uncertainty_milli=0 if rating is None else (rating.high_milli - rating.low_milli) // 2,
    )
