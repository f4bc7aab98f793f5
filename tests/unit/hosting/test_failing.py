"""What failures of programs mean for their versions: the bench, the trials on it, and the way back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from arena.hosting.host import process as programs
from arena.store.bots.hosting import HostingMode
from tests.unit.hosting.host_fixture import OTHER_VERSION, VERSION, HostFixture, ended, with_host
from tests.unit.hosting.sample_submissions import a_content, admit

NS_PER_MS = 1_000_000
SECOND_MS = 1_000
MINUTE_MS = 60_000


async def fail(host_fixture: HostFixture, times: int) -> None:
    """Start ant's process and end it at once, several times."""
    for _ in range(times):
        host_fixture.want("ant guest")
        await host_fixture.settle()
        host_fixture.started[-1].end(ended())
        await host_fixture.settle()


def test_the_third_failure_in_a_row_benches_the_version_until_it_has_passed_again(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant", "bee")
    async def _(host_fixture: HostFixture) -> None:
        await fail(host_fixture, 2)
        assert host_fixture.host.is_there("ant")
        await fail(host_fixture, 1)
        assert not host_fixture.host.is_there("ant")
        assert host_fixture.host.is_there("bee")
        assert host_fixture.host.capacity_for("ant", "caravan", 1) == 0
        assert "failed 3 times" in host_fixture.host.why_suspended("ant")
        stored = await host_fixture.stored("ant")
        assert stored.benched
        assert stored.benchings == 1
        started = len(host_fixture.started)
        host_fixture.want("ant guest")
        host_fixture.timers.move(MINUTE_MS - SECOND_MS)
        await host_fixture.settle()
        assert (host_fixture.tried, len(host_fixture.started)) == ([], started)
        host_fixture.timers.move(2 * SECOND_MS)
        await host_fixture.settle()
        assert host_fixture.tried == [("ant", VERSION)]
        assert host_fixture.host.is_there("ant")
        assert not (await host_fixture.stored("ant")).benched
        await fail(host_fixture, 2)
        assert host_fixture.host.is_there("ant")  # it begins with a clean slate


def test_the_bench_gets_longer_each_time_and_good_matches_make_it_short_again(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.trials = ["it does not answer"]
        await fail(host_fixture, 3)
        host_fixture.timers.move(MINUTE_MS + SECOND_MS)
        await host_fixture.settle()
        assert host_fixture.host.why_suspended("ant").endswith("does not answer")
        assert (await host_fixture.stored("ant")).benchings == 2
        host_fixture.timers.move(MINUTE_MS)
        await host_fixture.settle()
        assert len(host_fixture.tried) == 1
        host_fixture.timers.move(MINUTE_MS + SECOND_MS)
        await host_fixture.settle()
        assert host_fixture.host.is_there("ant")
        host_fixture.want("ant guest")
        await host_fixture.settle()
        session = host_fixture.hello(-1)
        for _ in range(3):
            host_fixture.host.note_played(session.identity)
        assert (await host_fixture.stored("ant")).benchings == 0


def test_a_trial_that_the_arena_cannot_make_is_made_later_and_held_against_nobody(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        await fail(host_fixture, 3)
        host_fixture.broken = "No cgroup can be made."
        for _ in range(2):
            host_fixture.timers.move(MINUTE_MS + SECOND_MS)
            await host_fixture.settle()
        assert len(host_fixture.tried) == 2
        assert (await host_fixture.stored("ant")).benchings == 1
        host_fixture.broken = ""
        host_fixture.timers.move(MINUTE_MS + SECOND_MS)
        await host_fixture.settle()
        assert host_fixture.host.is_there("ant")


def test_a_benched_version_is_still_benched_after_a_restart_and_another_one_is_not(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        await fail(host_fixture, 3)
        await host_fixture.stored("ant")

    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        assert not host_fixture.host.is_there("ant")
        admit(host_fixture.store, "ant", a_content(OTHER_VERSION))
        await host_fixture.host.load()
        assert host_fixture.host.is_there("ant")
        host_fixture.want("ant guest")
        await host_fixture.settle()
        assert host_fixture.sockets[-1].identity.version == OTHER_VERSION


@pytest.mark.parametrize("failures", [2, 3])
def test_turning_a_version_off_and_on_makes_no_failure_undone(tmp_path: Path, failures: int) -> None:
    """Otherwise no version of an owner who does so would ever be benched for long."""

    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        await fail(host_fixture, failures)
        for mode in (HostingMode.OFF, HostingMode.NEWEST):
            host_fixture.store.write(lambda tx, mode=mode: tx.hosting.set_mode("ant", mode))  # type: ignore[misc]
            await host_fixture.host.load()
        if failures == 2:
            assert host_fixture.host.is_there("ant")
            await fail(host_fixture, 1)
        await host_fixture.settle()
        assert not host_fixture.host.is_there("ant")
        assert "failed 3 times" in (await host_fixture.stored("ant")).benched
        host_fixture.timers.move(MINUTE_MS + SECOND_MS)
        await host_fixture.settle()
        assert (len(host_fixture.tried), host_fixture.host.is_there("ant")) == (1, True)


def test_a_program_that_leaves_after_a_match_has_not_failed_and_one_that_never_played_has(
    tmp_path: Path,
) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        for _ in range(5):
            host_fixture.want("ant guest")
            await host_fixture.settle()
            session = host_fixture.hello(-1)
            host_fixture.host.note_played(session.identity)
            host_fixture.started[-1].end(ended(code=0))
            await host_fixture.settle()
        assert host_fixture.host.is_there("ant")
        for _ in range(3):
            host_fixture.want("ant guest")
            await host_fixture.settle()
            host_fixture.hello(-1)
            host_fixture.started[-1].end(ended(code=0))
            await host_fixture.settle()
        assert not host_fixture.host.is_there("ant")


def test_not_saying_hello_in_time_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/bad_inputs.md row 34."""
    monkeypatch.setattr(programs, "HELLO_WITHIN_S", 0.0)

    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        for _ in range(3):
            host_fixture.want("ant guest")
            await host_fixture.settle()
            await asyncio.wait_for(host_fixture.started[-1].wait(), 10)
            await host_fixture.settle()
        assert "said no hello" in host_fixture.host.why_suspended("ant")
        assert host_fixture.host.stats.ends == {"silent": 3}


def test_a_program_is_started_when_another_one_has_said_hello_or_has_ended(tmp_path: Path) -> None:
    """Else many that start at once get so little of the processors that none of them says hello in time."""

    @with_host(tmp_path, "ant", "bee", "cat", starts=1)
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant bee", "cat guest")
        await host_fixture.settle()
        assert host_fixture.running() == ["ant"]
        host_fixture.hello(0)
        await host_fixture.settle()
        assert host_fixture.running() == ["ant", "bee"]
        host_fixture.started[1].end(ended(code=3))
        await host_fixture.settle()
        assert host_fixture.running() == ["ant", "cat"]


def test_a_silent_program_keeps_others_from_being_started_only_until_its_time_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "HELLO_WITHIN_S", 0.0)

    @with_host(tmp_path, "ant", "bee", starts=1)
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant bee")
        while len(host_fixture.started) < 2:
            await host_fixture.settle()
        assert [each.bot for each in host_fixture.started] == ["ant", "bee"]
        assert host_fixture.started[0].ending.done()


def test_not_taking_seats_in_time_is_a_failure(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant guest")
        await host_fixture.settle()
        session = host_fixture.hello(0)
        for _ in range(3):
            host_fixture.host.note_not_ready(session.identity)
        assert "ready in time" in host_fixture.host.why_suspended("ant")
        host_fixture.timers.move(SECOND_MS)
        await host_fixture.settle()
        host_fixture.started[0].end(ended(code=0))
        await host_fixture.settle()
        assert host_fixture.running() == []


def test_a_bot_whose_files_were_lost_is_benched_and_the_others_play(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant", "bee")
    async def _(host_fixture: HostFixture) -> None:
        admit(host_fixture.store, "ant", a_content(OTHER_VERSION))
        await host_fixture.host.load()
        lost = host_fixture.versions / OTHER_VERSION
        lost.rename(tmp_path / "lost")
        host_fixture.want("ant bee", "bee")
        await host_fixture.settle()
        assert host_fixture.running() == ["bee"]
        assert host_fixture.host.is_there("bee")
        assert "submit it again" in host_fixture.host.why_suspended("ant")
        (tmp_path / "lost").rename(lost)
        host_fixture.timers.move(MINUTE_MS + SECOND_MS)
        await host_fixture.settle()
        assert host_fixture.host.is_there("ant")


@pytest.mark.parametrize(("why_not", "tried"), [("", 1), ("This arena runs no submitted bots.", 0)])
def test_a_benched_version_is_tried_again_only_where_hosted_bots_are_run(
    tmp_path: Path, why_not: str, tried: int
) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        await host_fixture.database.write(lambda tx: tx.hosting.bench("ant", VERSION, "it failed", 1))
        host = host_fixture.another_host(slots=6, why_not=why_not)
        await host.load()
        host_fixture.timers.move(SECOND_MS)
        await host_fixture.settle()
        assert len(host_fixture.tried) == tried
        await host.close()
