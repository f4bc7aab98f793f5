"""Whatever a program does that the arena runs, its seat ends exactly as `hosted.toml` says, and nobody else is harmed.

The numbers in the table are rows of docs/bad_inputs.md; docs/zoo.md tells how to add a bot.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arena.sandbox.proc_fs import descendants
from tests.system.hosting.leftovers import folders_in
from tests.system.hosting.needs import needs_sandbox
from tests.system.misbehaving.build import need
from tests.system.misbehaving.checks import check_honest, check_lines, check_seat
from tests.system.misbehaving.hosted_zoo_arena import (
    HONEST_PROGRAM,
    HostedOutcome,
    HostedZooArena,
    open_hosted_zoo,
)
from tests.system.misbehaving.table import LANGUAGES, HostedRow, Seat, fits, hosted_rows
from tests.system.misbehaving.zoo_arena import ObservedMatch
from tests.system.play.cgroups import cgroups_of

AT_ONCE = {"python": 8, "go": 4, "javascript": 4}
"""So many misbehave at the same time."""


@needs_sandbox
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_hosted_program_does_is_answered_as_the_table_says(language: str, tmp_path: Path) -> None:
    need(language)
    members = [row for row in hosted_rows() if row.language == language]
    process, versions = open_hosted_zoo(tmp_path / "data", members)
    try:
        zoo_arena = HostedZooArena(process.wait_open())
        with ThreadPoolExecutor(AT_ONCE[language]) as pool:
            failures = list(pool.map(lambda row: failure(zoo_arena, row, versions), members))
        assert not any(failures), "\n".join(filter(None, failures))
        assert not (errors := zoo_arena.log_errors()), "\n".join(errors)
        programs = descendants(process.process.pid)
        assert process.terminate() == 0
        assert not [each for each in programs if Path(f"/proc/{each}").exists()]
        assert cgroups_of(process.data) == []
        assert folders_in(process.data) == 0
    finally:
        process.close()


def failure(zoo_arena: HostedZooArena, row: HostedRow, versions: dict[str, str]) -> str:
    """Return what differs from the table; empty if nothing does."""
    try:
        outcome = zoo_arena.run_hosted(row)
        check_program(row, outcome)
        for during in outcome.during:
            if row.seat is None:
                check_seat(Seat(), 1 - during.seat, during)
                check_honest(during)
            else:
                check_match(row, row.seat, during, versions)
        check_honest(outcome.after)
    except Exception as error:  # noqa: BLE001 - told with all others
        return f"{row}: {type(error).__name__}: {error}\n{zoo_arena.log_lines(row)}"
    return ""


def check_program(row: HostedRow, outcome: HostedOutcome) -> None:
    """Check that the program has ended as the table says, nothing of it is left, and its owner can read why."""
    assert outcome.over
    assert all(any(fits(over, form) for form in row.over) for over in outcome.over), outcome.over
    assert not outcome.left, outcome.left
    assert bool(outcome.suspended) is (row.seat is None), outcome.suspended
    assert outcome.overstayed or not row.overstays
    check_lines(outcome.debug, row.debug)
    missing = [form for form in row.wrote if not any(fits(line, form) for line in outcome.wrote)]
    assert not missing, f"not written: {missing} in {outcome.wrote[:10]} ... {outcome.wrote[-10:]}"


def check_match(row: HostedRow, seat: Seat, during: ObservedMatch, versions: dict[str, str]) -> None:
    """Check that the seat has ended as the table says, by a match of the right version."""
    bots = [each.bot.removeprefix("bots/") for each in during.match.seats]
    place = bots.index(row.bot)
    check_seat(seat, place, during)
    check_honest(during, alone=seat.termination != "NORMAL" and not row.company)
    ended = during.match.seats[place]
    evidence = {each.fact: each.value for each in ended.ending.evidence}
    if seat.termination != "NORMAL":
        assert evidence.keys() == row.evidence.keys(), evidence
    assert all(fits(evidence[fact], form) for fact, form in row.evidence.items()), evidence
    assert during.log.setup.seats[place].version == versions[row.bot]
    if row.company:
        other = during.match.seats[bots.index(HONEST_PROGRAM.bot)]
        assert (other.placing, other.strikes) == (1, 0), other
