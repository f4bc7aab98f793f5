"""The host runs the version that has begun a match group until the group has ended, whatever its owner chooses."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.hosting.host.host import HELD
from arena.store.bots.hosting import HostingMode
from tests.unit.hosting.host_fixture import NOW_US, OTHER_VERSION, VERSION, HostFixture, with_host
from tests.unit.hosting.sample_submissions import OWNER, a_content, admit
from tests.unit.hosting.test_host import until


@pytest.mark.parametrize("off", [False, True])
def test_the_version_that_is_held_plays_on_and_what_the_owner_has_chosen_comes_after_it(
    tmp_path: Path, off: bool
) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        host = host_fixture.host
        host.hold({"ant": VERSION})
        assert not host.is_held("ant")
        host_fixture.want("ant guest")
        await host_fixture.settle()
        host_fixture.hello(-1)
        if off:
            host_fixture.store.write(lambda tx: tx.hosting.set_mode("ant", HostingMode.OFF))
        else:
            admit(host_fixture.store, "ant", a_content(OTHER_VERSION))
        await host.load()
        assert (host.is_held("ant"), host.version("ant"), host.why_away("ant")) == (True, VERSION, HELD)
        assert (host.is_there("ant"), host.capacity_for("ant", "caravan", 1)) == (True, 1)
        # It ends what it has begun, and is given nothing else.
        assert (host.free("ant", "caravan", 1), host_fixture.sessions.free("ant", "caravan", 1)) == (0, 1)

        host.hold({})
        await until(lambda: host_fixture.changes > 0 and not host.is_held("ant"))
        assert host.version("ant") == ("" if off else OTHER_VERSION)
        assert (host.hosts("ant"), host.free("ant", "caravan", 1)) == (not off, int(not off))
        assert host_fixture.sessions.free("ant", "caravan", 1) == 0


def test_after_a_restart_the_version_that_is_held_plays_and_not_with_the_bench_of_the_other_one(
    tmp_path: Path,
) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        admit(host_fixture.store, "ant", a_content(OTHER_VERSION))
        host_fixture.store.write(lambda tx: tx.hosting.bench("ant", OTHER_VERSION, "it failed", NOW_US))
        host = host_fixture.another_host(slots=4)
        await host.load()
        assert (host.version("ant"), host.is_there("ant")) == (OTHER_VERSION, False)
        host.hold({"ant": VERSION})
        await until(lambda: host.version("ant") == VERSION)
        assert (host.is_there("ant"), host.why_suspended("ant")) == (True, "")
        host.hold({"ant": VERSION})  # as at every look
        host.hold({})
        await until(lambda: host.version("ant") == OTHER_VERSION)
        assert host.why_suspended("ant").endswith("it failed")
        await host.close()


def test_what_is_held_no_more_while_it_is_read_does_not_stay(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        admit(host_fixture.store, "ant", a_content(OTHER_VERSION))
        await host_fixture.host.load()
        host_fixture.host.hold({"ant": VERSION})
        await host_fixture.settle()  # it has begun to be read
        host_fixture.host.hold({})
        await until(lambda: host_fixture.changes >= 2)
        assert host_fixture.host.version("ant") == OTHER_VERSION


def test_looks_that_hold_what_is_held_already_have_nothing_read_again(tmp_path: Path) -> None:
    """Or each would wake the next look, which would find it still being read, for ever."""

    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.host.hold({"ant": VERSION})
        host_fixture.host.reload()
        await host_fixture.settle()  # it has begun to be read
        for _ in range(20):
            host_fixture.host.hold({"ant": VERSION})
        await until(lambda: host_fixture.changes > 0)
        for _ in range(5):  # whatever else was to be read has been
            await host_fixture.stored("ant")
            await host_fixture.settle()
        assert host_fixture.changes == 1


def test_nothing_is_held_of_a_bot_whose_owner_is_shut_out(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.store.write(lambda tx: tx.users.set_disabled(OWNER, True))
        host_fixture.host.hold({"ant": VERSION})
        await host_fixture.host.load()
        assert (host_fixture.host.hosts("ant"), host_fixture.host.is_held("ant")) == (False, False)
