"""A match group that has begun is rated within a bounded time, whatever its bots do, and nobody waits for them."""

import asyncio
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Final, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.cli.explain.explain import document, explanation
from arena.core.endings.terminations import Termination
from arena.core.match import FORFEIT, LAST_STANDING, MatchState, NoteRecord
from arena.core.match_record import MatchRecord, SeatRecord
from arena.match_log.files import LogFiles
from arena.match_log.reader import read_log
from arena.match_log.verify import VerificationExit, verify
from arena.scheduling import ladders
from arena.store.ladders.recompute import recompute
from tests.unit.match_log.matches import KEY
from tests.unit.scheduling.absentees import HONEST, OTHERS, Behaviour, LadderFixture, a_ladder
from tests.unit.store.store_fixture import LADDER

T = TypeVar("T")

RATED_WITHIN_S: Final = 40 * 60
"""Two rests of at most eight minutes between three offers, or ten minutes away, and then the next match."""

NOBODY_STARVES_S: Final = 120
"""So long at most an honest bot ends no match: a few offers of 10 s to bots that refuse, one after the other."""

Turn = tuple[str, Behaviour, int]
"""A bot, what it does, and how many steps follow."""

TURNS: Final = st.lists(
    st.tuples(st.sampled_from(OTHERS), st.sampled_from(Behaviour), st.integers(1, 4)), min_size=4, max_size=14
)


@pytest.fixture(scope="module", autouse=True)
def _same_draws() -> Iterator[None]:
    """Who meets whom follows from the secret of the day, which is the same each time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ladders, "secrets", SimpleNamespace(token_bytes=bytes))
        yield


def on_a_ladder(tables: Path, work: Callable[[LadderFixture], Awaitable[T]]) -> T:
    """Return the result of the work on a ladder of its own."""

    async def run(folder: Path) -> T:
        shutil.copy(tables, folder / "arena.db")
        async with a_ladder(folder) as ladder:
            return await work(ladder)

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(run(Path(folder)))


async def play(ladder: LadderFixture, turns: Sequence[Turn]) -> None:
    """Play these turns one after the other."""
    for bot, act, steps in turns:
        ladder.bots[bot].act(act)
        for _ in range(steps):
            await ladder.step()


async def play_to_the_end(ladder: LadderFixture, turns: Sequence[Turn]) -> list[int]:
    """Repeat the turns without new groups; return the groups that have begun and are not rated in the end."""
    ladder.no_more_groups()
    passed = turn = 0
    while passed < RATED_WITHIN_S and (turn < len(turns) or ladder.not_rated()):
        bot, act, _ = turns[turn % len(turns)]
        ladder.bots[bot].act(act)
        await ladder.step(10)
        turn, passed = turn + 1, passed + 10
    return ladder.not_rated()


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(turns=TURNS)
def test_a_group_that_has_begun_is_rated_and_no_honest_bot_starves(tables: Path, turns: list[Turn]) -> None:
    async def work(ladder: LadderFixture) -> tuple[list[int], int]:
        await play(ladder, [(OTHERS[0], Behaviour.PLAY, 2)])
        await play(ladder, turns)
        idle_s = ladder.longest_idle_s
        return await play_to_the_end(ladder, turns), idle_s

    not_rated, idle_s = on_a_ladder(tables, work)
    assert not_rated == []
    assert idle_s <= NOBODY_STARVES_S


DODGE: Final = [(bot, Behaviour.FIRST_ALONE, 1) for bot in OTHERS]
HELLO_AGAIN: Final = [(bot, Behaviour.HELLO, 1) for bot in OTHERS]


async def dodge(ladder: LadderFixture) -> list[int]:
    """Both take the first match of each group and refuse the second one, and say hello again and again."""
    await play(ladder, DODGE)
    await play(ladder, HELLO_AGAIN * 4)
    return await play_to_the_end(ladder, HELLO_AGAIN)


def was_no_show(seat: SeatRecord) -> bool:
    """Return whether the seat was forfeited by no-shows."""
    return seat.ending is not None and seat.ending.termination is Termination.NO_SHOW


def is_no_show_win(match: MatchRecord) -> bool:
    """Return whether one seat has won since all others were no-shows."""
    there = [seat for seat in match.seats if not was_no_show(seat)]
    return len(there) == 1 and there[0].ending is not None and not there[0].ending.forfeited


async def test_a_no_show_forfeit_has_a_valid_log_and_is_rated(tmp_path: Path) -> None:
    async with a_ladder(tmp_path) as ladder:
        assert await dodge(ladder) == []
        lost = [match for group in ladder.begun_groups().values() for match in group if is_no_show_win(match)]
        assert lost
        logs = LogFiles(tmp_path / "logs")
        for match in lost:
            check_no_show_log(match, logs.read(match.id))
        assert any(match.ending == LAST_STANDING for match in lost)
        entries = {row.bot: row for row in ladder.db.store.read(lambda tx: tx.entries.all(LADDER))}
        assert sum(entries[bot].forfeits for bot in OTHERS) > 0
        assert ladder.db.store.read(lambda tx: recompute(tx, LADDER)).identical
        assert all(entries[bot].matches > 0 for bot in HONEST)


def check_no_show_log(match: MatchRecord, data: bytes) -> None:
    """Check that the log verifies, tells the forfeits, and can be explained."""
    assert verify(data, keys=[KEY.public]).exit_code is VerificationExit.OK
    log = read_log(data)
    assert (log.name, log.result.state, log.result.plies) == (match.log, MatchState.FINISHED, 0)
    absent = [seat for seat in match.seats if was_no_show(seat)]
    assert {seat.placing for seat in absent} == {1 + len(match.seats) - len(absent)}
    notes = [entry.content for entry in log.entries if isinstance(entry.content, NoteRecord)]
    assert [note.what for note in notes] == [FORFEIT] * len(absent)
    assert match.seed is not None
    told = document(log)["seats"]
    assert isinstance(told, list)
    endings = [seat.ending.termination.name for seat in match.seats if seat.ending]
    assert [seat["termination"] for seat in told] == endings
    assert list(explanation(log))
    assert all(seat.decisions == 0 for seat in match.seats)
