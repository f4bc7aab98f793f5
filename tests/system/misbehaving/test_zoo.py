"""Whatever a bot does, the arena answers it exactly as `zoo.toml` says, and honest bots get their results.

The numbers in the table are rows of docs/bad_inputs.md; docs/zoo.md tells how to add a bot.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.system.misbehaving.build import need
from tests.system.misbehaving.checks import check_honest, check_lines, check_seat
from tests.system.misbehaving.table import Row, Seat, rows
from tests.system.misbehaving.zoo_arena import Outcome, ZooArena
from tests.system.play.arena_process import ArenaProcess
from tests.unit.server.certificates import Authority

GROUPS = tuple(dict.fromkeys(row.group for row in rows()))
AT_ONCE = 12
"""So many bots of a group misbehave at the same time."""


@pytest.fixture(scope="module")
def zoo_arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ZooArena]:
    with ArenaProcess(tmp_path_factory.mktemp("zoo") / "data") as arena:
        yield ZooArena(arena)


@pytest.fixture(scope="module")
def encrypted_arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ZooArena]:
    """Open an arena whose port is encrypted; honest bots connect to its Unix socket."""
    folder = tmp_path_factory.mktemp("encrypted")
    authority = Authority(folder, "authority")
    certificate = authority.issue("arena")
    with ArenaProcess(
        folder / "data",
        *("--tls-cert", str(certificate.certificate), "--tls-key", str(certificate.key)),
        *("--tls-client-ca", str(authority.file)),
    ) as arena:
        yield ZooArena(arena, honest_at=arena.unix)


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_of_misbehaving_bots_is_answered_as_the_table_says(
    group: str, request: pytest.FixtureRequest
) -> None:
    members = [row for row in rows() if row.group == group]
    need(members[0].language)
    zoo_arena = request.getfixturevalue("encrypted_arena" if members[0].encrypted else "zoo_arena")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        failures = list(pool.map(lambda row: failure(zoo_arena, row), members))
    assert not any(failures), "\n".join(filter(None, failures))
    assert not (errors := zoo_arena.log_errors()), "\n".join(errors)


def failure(zoo_arena: ZooArena, row: Row) -> str:
    """Return what differs from the table; empty if nothing does."""
    try:
        outcome = zoo_arena.run(row)
        check_answers(row, outcome)
        # Without a seat of its own, the honest bot's other opponent is to end normally.
        check_seat(row.seat or Seat(), 1 - outcome.during.seat, outcome.during)
        check_honest(outcome.during, alone=row.seat is not None and row.seat.termination != "NORMAL")
        check_honest(outcome.after)
    except Exception as error:  # noqa: BLE001 - told with all others
        return f"{row}: {type(error).__name__}: {error}"
    return ""


def check_answers(row: Row, outcome: Outcome) -> None:
    """Check that the bot has heard what the table says, and nothing else."""
    assert outcome.exit == row.exit, outcome.stderr
    check_lines(outcome.ends, row.ends)
    check_lines(outcome.incidents, row.incidents, row.possible)
    assert len(outcome.incidents) == len(set(outcome.incidents)), "its report grows with what it has done"
