"""The host runs the version that has begun a match group until the group has ended, whatever its owner chooses."""

import pytest

from arena.hosting.host.host import HELD
from arena.store.bots.hosting import HostingMode
from tests.unit.hosting.host_fixture import NOW_US, OTHER_VERSION, VERSION, HostFixture
from tests.unit.hosting.sample_submissions import OWNER, a_content, admit
from tests.unit.hosting.test_host import until


@pytest.mark.parametrize("off", [False, True])
async def test_a_held_version_plays_before_the_chosen_one(hosting: HostFixture, off: bool) -> None:
    host = hosting.host
    host.hold({"ant": VERSION})
    assert not host.is_held("ant")
    await hosting.connect("ant guest")
    if off:
        hosting.store.write(lambda tx: tx.hosting.set_mode("ant", HostingMode.OFF))
    else:
        admit(hosting.store, "ant", a_content(OTHER_VERSION))
    await host.load()
    assert (host.is_held("ant"), host.version("ant"), host.why_away("ant")) == (True, VERSION, HELD)
    assert (host.is_there("ant"), host.capacity_for("ant", "caravan", 1)) == (True, 1)
    # It ends what it has begun, and is given nothing else.
    assert (host.free("ant", "caravan", 1), hosting.sessions.free("ant", "caravan", 1)) == (0, 1)

    host.hold({})
    await until(lambda: hosting.changes > 0 and not host.is_held("ant"))
    assert host.version("ant") == ("" if off else OTHER_VERSION)
    assert (host.hosts("ant"), host.free("ant", "caravan", 1)) == (not off, int(not off))
    assert hosting.sessions.free("ant", "caravan", 1) == 0


async def test_a_held_version_is_not_suspended_for_another_one(hosting: HostFixture) -> None:
    admit(hosting.store, "ant", a_content(OTHER_VERSION))
    hosting.store.write(lambda tx: tx.hosting.suspend("ant", OTHER_VERSION, "it failed", NOW_US))
    host = hosting.another_host(slots=4)
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


async def test_what_is_held_no_more_while_it_is_read_does_not_stay(hosting: HostFixture) -> None:
    admit(hosting.store, "ant", a_content(OTHER_VERSION))
    await hosting.host.load()
    hosting.host.hold({"ant": VERSION})
    await hosting.settle()  # it has begun to be read
    hosting.host.hold({})
    await until(lambda: hosting.changes >= 2)
    assert hosting.host.version("ant") == OTHER_VERSION


async def test_looks_that_hold_what_is_held_already_have_nothing_read_again(hosting: HostFixture) -> None:
    """Or each would wake the next look, which would find it still being read, for ever."""
    hosting.host.hold({"ant": VERSION})
    hosting.host.reload()
    await hosting.settle()  # it has begun to be read
    for _ in range(20):
        hosting.host.hold({"ant": VERSION})
    await until(lambda: hosting.changes > 0)
    for _ in range(5):  # whatever else was to be read has been
        await hosting.stored("ant")
        await hosting.settle()
    assert hosting.changes == 1


async def test_nothing_is_held_of_a_bot_whose_owner_is_shut_out(hosting: HostFixture) -> None:
    hosting.store.write(lambda tx: tx.users.set_disabled(OWNER, True))
    hosting.host.hold({"ant": VERSION})
    await hosting.host.load()
    assert (hosting.host.hosts("ant"), hosting.host.is_held("ant")) == (False, False)
