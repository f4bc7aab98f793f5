"""A node as a machine: versions are there before a match is, and whatever fails is no bot's fault."""

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.scheduling.dispatch import NotBegun
from arena.server.cluster import messages, node_machine
from arena.server.cluster.messages import ToClient
from arena.server.cluster.node_machine import NodeMachine
from arena.server.match_workers.channel import pack
from arena.server.match_workers.messages import Beat, Begin, Over, Play, ProgramMissing, Stop
from arena.submissions.manifest import STANDARD
from tests.unit.server.cluster.test_cluster_nodes import HERE

VERSIONS = ("a" * 64, "b" * 64)


class MachineFixture:
    """A node, and what the cluster's client is told."""

    def __init__(self, folder: Path) -> None:
        for version in VERSIONS:
            (folder / version).mkdir()
        self.told: list[ToClient] = []
        self.failed: list[str] = []
        self.machine = NodeMachine(
            "lab",
            messages.NodeJoined(3, 2, 8, replace(HERE)),
            versions=folder,
            lacking=(),
            gives=STANDARD,
            tell=self.told.append,
            failed=self.failed.append,
        )

    def passed_on(self) -> list[bytes]:
        return [each.data for each in self.told if isinstance(each, messages.ToWorker)]

    def wanted(self) -> list[str]:
        return [each.version for each in self.told if isinstance(each, messages.InstallVersion)]


def play() -> Play:
    seats = tuple(
        SimpleNamespace(bot=bot, version=version) for bot, version in zip("xy", VERSIONS, strict=True)
    )
    ticket: Any = SimpleNamespace(setup=SimpleNamespace(match=5, seats=seats))
    return Play(ticket)


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_match_is_passed_on_once_its_versions_are_there_and_all_else_after_it(tmp_path: Path) -> None:
    fixture = MachineFixture(tmp_path)
    worker = await fixture.machine.start_worker(1, "worker 1 of node lab")
    match = play()
    worker.send(match)
    worker.send(Begin(5))
    await settle()
    assert fixture.passed_on() == []
    fixture.machine.note_installed(VERSIONS[0], "")
    await settle()
    assert fixture.wanted() == list(VERSIONS)
    fixture.machine.note_installed(VERSIONS[1], "")
    await settle()
    assert fixture.passed_on() == [pack(match), pack(Begin(5))]
    worker.send(match)
    await settle()
    assert fixture.wanted() == list(VERSIONS), "each is sent once"
    fixture.machine.give_up()
    await worker.end()


async def test_a_match_whose_version_cannot_be_installed_does_not_begin_and_the_node_is_named(
    tmp_path: Path,
) -> None:
    fixture = MachineFixture(tmp_path)
    worker = await fixture.machine.start_worker(1, "worker 1 of node lab")
    worker.send(play())
    await settle()
    fixture.machine.note_installed(VERSIONS[0], "the disk is full")
    assert await worker.receive() == Over(5, NotBegun())
    assert fixture.failed == ["the disk is full"]
    assert fixture.passed_on() == []
    fixture.machine.give_up()
    await worker.end()


async def test_a_version_that_the_arena_has_lost_keeps_its_bot_out_and_no_node(tmp_path: Path) -> None:
    fixture = MachineFixture(tmp_path)
    (tmp_path / VERSIONS[1]).rmdir()
    worker = await fixture.machine.start_worker(1, "worker 1 of node lab")
    worker.send(play())
    missing = await worker.receive()
    assert isinstance(missing, ProgramMissing)
    assert (missing.bot, missing.version) == ("y", VERSIONS[1])
    assert await worker.receive() == Over(5, NotBegun())
    assert (fixture.failed, fixture.wanted()) == ([], [])
    fixture.machine.give_up()
    await worker.end()


async def test_a_worker_says_what_it_has_packed_and_nothing_that_is_no_message(tmp_path: Path) -> None:
    fixture = MachineFixture(tmp_path)
    worker = await fixture.machine.start_worker(1, "worker 1 of node lab")
    fixture.machine.note_worker(1, pack(Beat(0.5)))
    fixture.machine.note_worker(1, b"garbage")
    fixture.machine.note_worker(1, None)
    said = [await worker.receive() for _ in range(3)]
    assert said[0] == Beat(0.5)
    assert isinstance(said[1], ValueError)
    assert said[2] is None
    fixture.machine.give_up()
    await worker.end()


async def test_a_worker_that_is_ended_is_told_all_that_was_said_to_it_before(tmp_path: Path) -> None:
    fixture = MachineFixture(tmp_path)
    worker = await fixture.machine.start_worker(1, "worker 1 of node lab")
    worker.send(Stop())
    ending = asyncio.create_task(worker.end())
    await settle()
    fixture.machine.note_worker(1, None)
    await ending
    assert fixture.told[1:] == [messages.ToWorker(3, 1, pack(Stop()))]


async def test_a_worker_that_does_not_end_by_itself_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_machine, "_STOP_WITHIN_S", 0)
    fixture = MachineFixture(tmp_path)
    worker = await fixture.machine.start_worker(1, "worker 1 of node lab")
    await worker.end()
    assert fixture.told[1:] == [messages.KillWorker(3, 1)]


@pytest.mark.parametrize("waits_for", ["version", "worker"])
async def test_nothing_waits_any_longer_for_a_node_that_is_gone(tmp_path: Path, waits_for: str) -> None:
    fixture = MachineFixture(tmp_path)
    worker = await fixture.machine.start_worker(1, "worker 1 of node lab")
    ready: Coroutine[Any, Any, object] = (
        fixture.machine.has_versions(play().ticket.setup) if waits_for == "version" else worker.receive()
    )
    waiting = asyncio.create_task(ready)
    await settle()
    fixture.machine.give_up()
    assert await waiting in (False, None)
    assert fixture.failed == [], "the version is not at fault"
    await worker.end()
