"""What failures of processes mean for their versions: suspension, trials, and the end of it."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from arena.hosting.admission.admission import program_of
from arena.hosting.host import process as programs
from arena.hosting.host.hosted_bot import FAIR_MATCHES, LONGEST_PAUSE_US, HostedBot, pause_us
from arena.sandbox.runtimes import BUILT_IN
from arena.store.bots.hosting import HostedRow, HostingMode
from arena.store.webhooks.outbox import NotificationType
from tests.unit.hosting.host_fixture import OTHER_VERSION, VERSION, HostFixture, ended, with_host
from tests.unit.hosting.sample_submissions import a_content, admit
from tests.unit.store.webhook_rows import a_webhook, notifications

NS_PER_MS = 1_000_000
SECOND_MS = 1_000
MINUTE_MS = 60_000


async def fail(hosting: HostFixture, times: int) -> None:
    """Start ant's process and end it at once, several times."""
    for _ in range(times):
        await hosting.prepare("ant guest")
        await hosting.end(-1, ended())


@with_host("ant", "bee")
async def test_webhooks_are_told_of_a_suspension(hosting: HostFixture) -> None:
    kind = NotificationType.VERSION_SUSPENDED
    await hosting.database.write(lambda tx: tx.webhooks.add(a_webhook(kind)))
    await fail(hosting, 3)
    assert (await hosting.stored("ant")).suspended
    [told] = await hosting.database.read(notifications)
    assert (told.type, told.data["bot"], told.data["version"]) == (kind, "bots/ant", VERSION)
    assert told.data["suspensions"] == 1


@with_host("ant", "bee")
async def test_the_third_failure_in_a_row_suspends_the_version(hosting: HostFixture) -> None:
    await fail(hosting, 2)
    assert hosting.host.is_there("ant")
    await fail(hosting, 1)
    assert not hosting.host.is_there("ant")
    assert hosting.host.is_there("bee")
    assert hosting.host.capacity_for("ant", "caravan", 1) == 0
    assert "failed 3 times" in hosting.host.why_suspended("ant")
    stored = await hosting.stored("ant")
    assert stored.suspended
    assert stored.suspensions == 1
    started = len(hosting.started)
    await hosting.prepare("ant guest")
    await hosting.move(MINUTE_MS - SECOND_MS)
    assert (hosting.tried, len(hosting.started)) == ([], started)
    await hosting.move(2 * SECOND_MS)
    assert hosting.tried == [("ant", VERSION)]
    assert hosting.host.is_there("ant")
    assert not (await hosting.stored("ant")).suspended
    await fail(hosting, 2)
    assert hosting.host.is_there("ant")  # it begins with a clean slate


async def test_suspensions_get_longer_until_matches_are_played(hosting: HostFixture) -> None:
    hosting.trials = ["it does not answer"]
    await fail(hosting, 3)
    await hosting.move(MINUTE_MS + SECOND_MS)
    assert hosting.host.why_suspended("ant").endswith("does not answer")
    assert (await hosting.stored("ant")).suspensions == 2
    await hosting.move(MINUTE_MS)
    assert len(hosting.tried) == 1
    await hosting.move(MINUTE_MS + SECOND_MS)
    assert hosting.host.is_there("ant")
    session = await hosting.connect("ant guest")
    for _ in range(3):
        hosting.host.note_played(session.identity)
    assert (await hosting.stored("ant")).suspensions == 0


async def test_a_trial_that_cannot_run_is_repeated_without_blame(hosting: HostFixture) -> None:
    await fail(hosting, 3)
    hosting.broken = "No cgroup can be made."
    for _ in range(2):
        await hosting.move(MINUTE_MS + SECOND_MS)
    assert len(hosting.tried) == 2
    assert (await hosting.stored("ant")).suspensions == 1
    hosting.broken = ""
    await hosting.move(MINUTE_MS + SECOND_MS)
    assert hosting.host.is_there("ant")


async def test_a_suspension_outlives_a_restart_but_not_another_version(hosting: HostFixture) -> None:
    await fail(hosting, 3)
    await hosting.stored("ant")
    host = hosting.another_host(slots=4)
    await host.load()
    assert not host.is_there("ant")
    admit(hosting.store, "ant", a_content(OTHER_VERSION))
    await host.load()
    assert (host.is_there("ant"), host.version("ant")) == (True, OTHER_VERSION)
    await host.close()


@pytest.mark.parametrize("failures", [2, 3])
async def test_turning_a_version_off_and_on_keeps_its_failures(hosting: HostFixture, failures: int) -> None:
    """Otherwise no version of an owner who does so would ever be suspended for long."""
    await fail(hosting, failures)
    for mode in (HostingMode.OFF, HostingMode.NEWEST):
        hosting.store.write(lambda tx, mode=mode: tx.hosting.set_mode("ant", mode))  # type: ignore[misc]
        await hosting.host.load()
    if failures == 2:
        assert hosting.host.is_there("ant")
        await fail(hosting, 1)
    await hosting.settle()
    assert not hosting.host.is_there("ant")
    assert "failed 3 times" in (await hosting.stored("ant")).suspended
    await hosting.move(MINUTE_MS + SECOND_MS)
    assert (len(hosting.tried), hosting.host.is_there("ant")) == (1, True)


async def test_leaving_is_a_failure_only_before_the_first_match(hosting: HostFixture) -> None:
    for _ in range(5):
        session = await hosting.connect("ant guest")
        hosting.host.note_played(session.identity)
        await hosting.end(-1)
    assert hosting.host.is_there("ant")
    for _ in range(3):
        await hosting.connect("ant guest")
        await hosting.end(-1)
    assert not hosting.host.is_there("ant")


@with_host("ant", "bee", starts=1)
async def test_no_hello_in_time_is_a_failure_and_delays_others_only_for_that_time(
    hosting: HostFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/bad_inputs.md row 34."""
    monkeypatch.setattr(programs, "HELLO_WITHIN_S", 0.0)
    for round_ in range(1, 4):
        await hosting.prepare("ant bee")
        while len(hosting.started) < 2 * round_:
            await hosting.settle()
        assert [each.bot for each in hosting.started[-2:]] == ["ant", "bee"]
        for each in hosting.started[-2:]:
            await asyncio.wait_for(each.wait(), 10)
        await hosting.settle()
    assert "said no hello" in hosting.host.why_suspended("ant")
    assert hosting.host.stats.ends == {"silent": 6}


@with_host("ant", "bee")
async def test_the_time_for_a_hello_is_that_of_the_runtime(hosting: HostFixture) -> None:
    hosting.runtimes.all["python"] = replace(BUILT_IN["python"], start_s=0.0)
    await hosting.prepare("ant bee")
    for each in hosting.started:
        await asyncio.wait_for(each.wait(), 10)
    await hosting.settle()
    assert hosting.host.stats.ends == {"silent": 2}


@with_host("ant", "bee", "cat", starts=1)
async def test_a_start_waits_for_the_hello_or_end_of_another_process(hosting: HostFixture) -> None:
    """Else many that start at once get so little of the processors that none of them says hello in time."""
    await hosting.prepare("ant bee", "cat guest")
    assert hosting.running() == ["ant"]
    hosting.hello(0)
    await hosting.settle()
    assert hosting.running() == ["ant", "bee"]
    await hosting.end(1, ended(code=3))
    assert hosting.running() == ["ant", "cat"]


async def test_not_taking_seats_in_time_is_a_failure(hosting: HostFixture) -> None:
    session = await hosting.connect("ant guest")
    for _ in range(3):
        hosting.host.note_not_ready(session.identity)
    assert "ready in time" in hosting.host.why_suspended("ant")
    await hosting.move(SECOND_MS)
    await hosting.end(0)
    assert hosting.running() == []


@with_host("ant", "bee")
async def test_a_bot_with_lost_files_is_suspended_alone(hosting: HostFixture, tmp_path: Path) -> None:
    admit(hosting.store, "ant", a_content(OTHER_VERSION))
    await hosting.host.load()
    lost = hosting.versions / OTHER_VERSION
    lost.rename(tmp_path / "lost")
    await hosting.prepare("ant bee", "bee")
    assert hosting.running() == ["bee"]
    assert hosting.host.is_there("bee")
    assert "submit it again" in hosting.host.why_suspended("ant")
    (tmp_path / "lost").rename(lost)
    await hosting.move(MINUTE_MS + SECOND_MS)
    assert hosting.host.is_there("ant")


@pytest.mark.parametrize(("why_not", "tried"), [("", 1), ("This arena runs no submitted bots.", 0)])
async def test_trials_run_only_where_hosted_bots_are_run(
    hosting: HostFixture, why_not: str, tried: int
) -> None:
    await hosting.database.write(lambda tx: tx.hosting.suspend("ant", VERSION, "it failed", 1))
    host = hosting.another_host(slots=6, why_not=why_not)
    await host.load()
    await hosting.move(SECOND_MS)
    assert len(hosting.tried) == tried
    await host.close()


MINUTE_US = 60_000_000


def test_failures_are_forgotten_after_enough_matches_in_a_row() -> None:
    row = HostedRow("ant", "ada", HostingMode.NEWEST, VERSION, None, "", None, 0)
    program = program_of(a_content(VERSION))
    hosted = HostedBot(row, VERSION, program)
    for _ in range(2):
        assert not hosted.note_failure()
        assert not hosted.note_played()
    assert hosted.note_failure()

    hosted = HostedBot(row, VERSION, program)
    assert not any(hosted.note_failure() for _ in range(2))
    assert [hosted.note_played() for _ in range(FAIR_MATCHES)] == [False] * (FAIR_MATCHES - 1) + [True]
    assert [hosted.note_failure() for _ in range(3)] == [False, False, True]


def test_the_pause_doubles_from_a_minute_to_an_hour() -> None:
    assert [pause_us(times) // MINUTE_US for times in range(8)] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert pause_us(10_000) == LONGEST_PAUSE_US
