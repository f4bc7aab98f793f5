"""The record of a match that is in no database."""

from arena.core.match import MatchResult, MatchSetup, SeatHolder, SeatResult
from arena.core.match_record import MatchRecord, MatchTerms, SeatRecord
from arena.core.units import NS_PER_US
from engine.randomness import commitment
from engine.registry import GAMES


def report(setup: MatchSetup, result: MatchResult, log: str, now_us: int) -> MatchRecord:
    """Return the match as a store would show it, ended now. `log`: the name of its log."""
    started_us = now_us - result.duration_ns // NS_PER_US
    return MatchRecord(
        id=setup.match,
        terms=MatchTerms(
            game=setup.game,
            rules_version=setup.rules_version,
            options=GAMES[setup.game].option_values(setup.options),
            time_control=setup.time_control,
            rated=setup.rated,
            ladder=setup.ladder,
            tournament=setup.tournament,
        ),
        group=setup.group,
        slot=setup.place,
        voids=setup.replay,
        seed_group_index=setup.seed_group_index,
        seed_attempt=setup.seed_attempt,
        state=result.state,
        ending=result.ending,
        plies=result.plies,
        seed_commitment=commitment(setup.seed),
        seed=setup.seed,
        log=log,
        void_reason=result.void_reason,
        created_us=started_us,
        started_us=started_us,
        ended_us=now_us,
        seed_policy=setup.seed_policy,
        group_complete=True,
        frozen=False,
        replayed_as=None,
        replay_of=None,
        ruled_us=None,
        seats=tuple(_seat(*pair) for pair in zip(setup.seats, result.seats, strict=True)),
    )


def _seat(holder: SeatHolder, result: SeatResult) -> SeatRecord:
    return SeatRecord(
        bot=holder.bot,
        version=holder.version,
        placing=result.placing,
        score=result.score,
        ending=result.ending,
        decisions=result.decisions,
        used_us=result.used_ns // NS_PER_US,
        longest_us=result.longest_ns // NS_PER_US,
        strikes=result.strikes,
    )
