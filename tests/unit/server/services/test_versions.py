"""The versions of a bot, and which of them its owner lets the arena run."""

from typing import Any

import pytest

from arena.store.bots.bots import BotVersionRow, VersionOrigin
from arena.v1 import bot_pb2
from tests.unit.server.services.harness import Arena, refusal_of
from tests.unit.store.store_fixture import StoreFixture

OLD, NEW, TWIN = "aa" * 32, "ab" * 32, "ab" * 31 + "cd"
Hosting = bot_pb2.Hosting


@pytest.fixture
def ant(arena: Arena) -> Arena:
    """Two versions of ant were admitted, and one was declared before."""
    declared = BotVersionRow("ant", "1.0", VersionOrigin.DECLARED, "rust", 5)
    arena.change(lambda tx: tx.bots.ensure_version(declared))
    StoreFixture(arena.store, arena.now_us).submit("ant", OLD, NEW)
    return arena


def set_hosting(arena: Arena, token: str = "ada", bot: str = "bots/ant", **fields: Any) -> Any:
    """Choose what the arena runs; return the bot."""
    return arena.call("SetHosting", token, bot=bot, **fields).bot


def pin(arena: Arena, beginning: str, token: str = "ada") -> Any:
    """Do the same with a pinned version."""
    name = f"bots/ant/versions/{beginning}"
    return set_hosting(arena, token, mode=Hosting.MODE_PINNED, version=name).hosting


def test_submitted_versions_are_shown_with_their_program(ant: Arena) -> None:
    newest, _, declared = ant.call("ListVersions", "bob", bot="bots/ant").versions
    assert newest.origin == bot_pb2.BotVersion.ORIGIN_SUBMITTED
    assert (list(newest.program.command), newest.program.runtime) == (["python", "bot.py"], "python")
    assert (newest.program.files, newest.program.bytes, newest.program.memory_mib) == (2, 400, 256)
    assert not declared.HasField("program")


def test_a_version_is_pinned_by_the_beginning_of_its_hash_and_let_go_again(ant: Arena) -> None:
    before = ant.call("GetBot", "ada", name="bots/ant").bot.hosting
    assert (before.mode, before.version) == (Hosting.MODE_NEWEST, f"bots/ant/versions/{NEW}")
    pinned = pin(ant, OLD[:6])
    assert (pinned.mode, pinned.version) == (Hosting.MODE_PINNED, f"bots/ant/versions/{OLD}")
    off = set_hosting(ant, mode=Hosting.MODE_OFF).hosting
    assert (off.mode, off.version) == (Hosting.MODE_OFF, "")
    newest = set_hosting(ant, "organiser", mode=Hosting.MODE_NEWEST).hosting
    assert newest.version == f"bots/ant/versions/{NEW}"
    assert ant.runtime.hosting_changes == 3


def test_a_bench_is_shown_and_ends_with_another_version(ant: Arena) -> None:
    ant.change(lambda tx: tx.hosting.bench("ant", NEW, "It crashed three times.", 77_000_000))
    shown = ant.call("GetBot", "ada", name="bots/ant").bot.hosting
    assert (shown.benched, shown.retry_time.seconds) == ("It crashed three times.", 77)
    assert not pin(ant, OLD).benched


def test_a_bot_without_a_submitted_version_has_no_hosting(arena: Arena) -> None:
    bot = arena.call("GetBot", "ada", name="bots/ant").bot
    assert not bot.HasField("hosting")
    not_found = ("NOT_FOUND", "VERSION_NOT_FOUND")
    assert refusal_of(set_hosting, arena, mode=Hosting.MODE_NEWEST).status == not_found


def test_a_version_that_is_not_there_or_not_the_only_one_that_begins_so_is_not_found(ant: Arena) -> None:
    not_found = ("NOT_FOUND", "VERSION_NOT_FOUND")
    assert refusal_of(pin, ant, "ffffff").status == not_found
    StoreFixture(ant.store, ant.now_us + 10).submit("ant", TWIN)
    assert refusal_of(pin, ant, NEW[:12]).status == not_found
    assert pin(ant, TWIN).version.endswith(TWIN)
