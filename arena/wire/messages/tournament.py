"""Tournaments, their plans and standings as messages."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from arena.codecs.shared_messages import time_control_message
from arena.core.finished_match import FinishedMatch
from arena.core.pairing.formats.plan import NextRound
from arena.core.pairing.formats.progress import BotProgress
from arena.core.pairing.formats.ties import BracketTie, TieEnd
from arena.core.pairing.round_robin import PlannedPairing
from arena.core.rating.refit import FittedRating, refit
from arena.core.sequential.sprt import SequentialTest
from arena.core.suites import Suite
from arena.core.tournaments import Crosstable, TournamentStanding, TournamentState
from arena.scheduling.isolation import is_isolated
from arena.store.store import Transaction
from arena.store.tournaments.pairings import NumberedPairing, PairingRow, numbered
from arena.store.tournaments.rounds import RoundRow
from arena.store.tournaments.tournaments import TournamentRow
from arena.v1 import match_pb2, tournament_pb2
from arena.wire.fields import same, timestamp
from arena.wire.game_catalogue import GameCatalogue
from arena.wire.messages.gate import gate_message
from arena.wire.messages.tournament_format import VISIBILITIES, parameters_message
from arena.wire.resource_names import bot_name, group_name, ladder_name, match_name, tournament_name


@dataclass(frozen=True, slots=True)
class TournamentView:
    """A tournament with its counts."""

    row: TournamentRow
    running_matches: int = 0
    test: SequentialTest | None = None
    """How a gate stands, if that is asked for."""


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
        hosted_only=any(is_isolated(row.game, policy) for policy in row.seed_policies),
        state=tournament_pb2.Tournament.State.ValueType(row.state.value),
        running_matches=view.running_matches,
        secret_commitment=row.commitment,
        secret=row.secret if over else b"",
        waiting_for=waiting_for if row.state is TournamentState.RUNNING else "",
        create_time=timestamp(row.created_us),
        end_time=timestamp(row.ended_us),
        parameters=parameters_message(row.parameters),
        withdrawals=[
            tournament_pb2.Withdrawal(bot=bot_name(each.bot), after_round=each.after_round)
            for each in row.withdrawals
        ],
        visibility=VISIBILITIES[row.seed_policy],
        suite=_suite_message(row.suite),
        seeded_by=ladder_name(row.seeded_by) if row.seeded_by else "",
        gate=gate_message(row, view.test),
    )


def _suite_message(suite: Suite | None) -> tournament_pb2.TournamentSuite | None:
    if suite is None:
        return None
    digest = bytes.fromhex(suite.sha256)
    return tournament_pb2.TournamentSuite(name=suite.name, sha256=digest, entries=len(suite.entries))


_SAME: Final = (
    *("game", "rules_version", "seats", "rounds", "owner"),
    *("pairings", "matches", "ended_matches", "unplayed_matches", "current_round"),
    *("title", "hidden", "archived"),
)
"""The fields that are the same in row and message."""


def planned_messages(whole: Iterable[PlannedPairing], first: NextRound) -> list[tournament_pb2.Pairing]:
    """Return the pairings of a plan that is not stored: a whole one, or a first round."""
    plan = numbered(whole) or [
        NumberedPairing(number, 1, pairing) for number, pairing in enumerate(first.pairings, start=1)
    ]
    return [
        tournament_pb2.Pairing(
            **same(each, "number", "round"),
            **same(each.pairing, "stage", "table", "game", "pool"),
            bracket=tournament_pb2.Pairing.Bracket.ValueType(each.pairing.bracket.value),
            bots=[bot_name(bot) for bot in each.pairing.bots],
        )
        for each in plan
    ]


def pairing_message(pairing: PairingRow) -> tournament_pb2.Pairing:
    """Return a pairing of a tournament."""
    played = pairing.played
    results = () if played is None else zip(played.score_milli, played.pairs, played.absent, strict=True)
    return tournament_pb2.Pairing(
        **same(pairing, "number", "ended", "round", "stage", "table", "game", "pool"),
        bracket=tournament_pb2.Pairing.Bracket.ValueType(pairing.bracket.value),
        bots=[bot_name(bot) for bot in pairing.bots],
        group=group_name(pairing.group),
        matches=[match_name(match) for match in pairing.matches],
        results=[
            tournament_pb2.PairingResult(bot=bot_name(bot), score_milli=score, pairs=pairs, absent=absent)
            for bot, (score, pairs, absent) in zip(pairing.bots, results, strict=False)
        ],
    )


def round_message(row: RoundRow) -> tournament_pb2.Round:
    """Return a round of a tournament."""
    return tournament_pb2.Round(
        **same(row, "number", "pairings", "ended_pairings"),
        byes=map(bot_name, row.byes),
        create_time=timestamp(row.created_us),
    )


def tie_message(tie: BracketTie) -> tournament_pb2.Tie:
    """Return a tie of a bracket."""
    order = () if tie.result is None else tie.result.order
    was_needed = tie.result is None or tie.result.end is not TieEnd.NOT_NEEDED
    return tournament_pb2.Tie(
        **same(tie, "level", "number", "stage", "pool"),
        bracket=tournament_pb2.Pairing.Bracket.ValueType(tie.bracket.value),
        places=[
            tournament_pb2.Tie.Place(
                bot="" if bot is None else bot_name(bot),
                points_milli=points,
                rank=order.index(bot) + 1 if bot in order else 0,
                advances=bot in order[: tie.advance] and was_needed,
            )
            for bot, points in zip(tie.bots, tie.points_milli, strict=True)
        ],
        ended_pairings=tie.groups,
        end=tournament_pb2.Tie.End.ValueType(0 if tie.result is None else tie.result.end.value),
    )


def crosstable_message(
    table: Crosstable,
    played: Iterable[FinishedMatch],
    row: TournamentRow,
    progress: Mapping[str, BotProgress],
) -> tournament_pb2.GetCrosstableResponse:
    """Return standings and crosstable as a message, with ratings from the matches of this tournament only.

    `progress`: how far each bot has come, if the format says so.
    """
    ratings = {rating.player: rating for rating in refit(played).ratings}
    lines = table.standings
    return tournament_pb2.GetCrosstableResponse(
        standings=[
            _standing_message(line, ratings.get(line.bot), row, progress.get(line.bot)) for line in lines
        ],
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
    line: TournamentStanding, rating: FittedRating | None, row: TournamentRow, progress: BotProgress | None
) -> tournament_pb2.TournamentStanding:
    won = row.state is TournamentState.FINISHED and line.rank == 1
    return tournament_pb2.TournamentStanding(
        bot=bot_name(line.bot),
        **same(line, "rank", "score_milli", "pairs", "matches", "firsts", "forfeits", "not_played"),
        rating_milli=0 if rating is None else rating.rating_milli,
        uncertainty_milli=0 if rating is None else (rating.high_milli - rating.low_milli) // 2,
        withdrawn=line.bot in row.withdrawn,
        points_milli=None if progress is None else progress.points_milli,
        progress=None if progress is None else _progress_message(progress, won=won),
    )


def _progress_message(progress: BotProgress, *, won: bool) -> tournament_pb2.BotProgress | None:
    """Return how far a bot has come; None if its format eliminates nobody."""
    if progress.status is None:
        return None
    status = tournament_pb2.BotProgress.Status.ValueType(progress.status.value)
    return tournament_pb2.BotProgress(
        status=tournament_pb2.BotProgress.STATUS_WON if won else status,
        **same(progress, "stage", "pool", "level"),
        bracket=tournament_pb2.Pairing.Bracket.ValueType(progress.bracket.value),
    )
