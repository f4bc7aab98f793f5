"""Which version of a bot plays, and which version a suspension belongs to."""

import pytest

from arena.core.errors import NotFoundError
from arena.store.bots.bots import BotVersionRow, VersionOrigin
from arena.store.bots.hosting import HostedRow, HostingMode
from tests.unit.store.store_fixture import StoreFixture, a_program, a_version

OLD, NEW, OTHER = "aa" * 32, "ab" * 32, "c0" * 32


def hosted(db: StoreFixture, bot: str = "ant") -> HostedRow:
    """How the bot is run."""
    found = db.store.read(lambda tx: tx.hosting.get(bot))
    assert found is not None
    return found


def set_mode(db: StoreFixture, mode: HostingMode, pinned: str | None = None) -> None:
    """Set how ant is hosted."""
    db.store.write(lambda tx: tx.hosting.set_mode("ant", mode, pinned))


def suspend(db: StoreFixture, version: str) -> bool:
    """Suspend the version of ant."""
    return db.store.write(lambda tx: tx.hosting.suspend("ant", version, "It crashed three times.", 77))


@pytest.fixture
def ant(db: StoreFixture) -> StoreFixture:
    """Two versions of ant were admitted, the newer one plays."""
    db.populate("ant", "bee")
    db.submit("ant", OLD, NEW)
    return db


def test_the_version_admitted_last_plays_also_an_old_one_again_until_another_is_pinned(
    ant: StoreFixture,
) -> None:
    assert hosted(ant).version == NEW
    set_mode(ant, HostingMode.PINNED, OLD)
    assert hosted(ant).version == OLD
    assert not ant.store.write(lambda tx: tx.hosting.admitted("ant", NEW))
    assert hosted(ant).version == OLD
    set_mode(ant, HostingMode.OFF)
    assert hosted(ant).version is None
    set_mode(ant, HostingMode.NEWEST)
    assert hosted(ant).version == NEW
    assert ant.store.write(lambda tx: tx.hosting.admitted("ant", OLD))
    assert hosted(ant).version == OLD


def test_all_hosted_bots_are_listed_with_their_owners_and_no_others(ant: StoreFixture) -> None:
    (only,) = ant.store.read(lambda tx: tx.hosting.all())
    assert (only.bot, only.owner) == ("ant", "ada")
    assert ant.store.read(lambda tx: tx.hosting.get("bee")) is None
    assert ant.store.read(lambda tx: tx.hosting.of(["bee", "ant"])) == {"ant": only}


def test_suspensions_of_a_version_are_counted_until_they_are_forgiven(ant: StoreFixture) -> None:
    assert suspend(ant, NEW)
    assert (hosted(ant).suspended, hosted(ant).retry_us) == ("It crashed three times.", 77)
    assert ant.store.write(lambda tx: tx.hosting.resume("ant", NEW))
    assert (hosted(ant).suspended, hosted(ant).retry_us, hosted(ant).suspensions) == ("", None, 1)
    assert suspend(ant, NEW)
    assert hosted(ant).suspensions == 2
    ant.store.write(lambda tx: tx.hosting.forgive("ant", NEW))
    assert hosted(ant).suspensions == 0


def test_only_the_version_that_plays_is_suspended_or_released(ant: StoreFixture) -> None:
    assert not suspend(ant, OLD)
    assert hosted(ant).suspended == ""
    suspend(ant, NEW)
    assert not ant.store.write(lambda tx: tx.hosting.resume("ant", OLD))
    ant.store.write(lambda tx: tx.hosting.forgive("ant", OLD))
    assert hosted(ant).suspensions == 1


def test_a_suspension_ends_when_another_version_plays(ant: StoreFixture) -> None:
    suspend(ant, NEW)
    assert ant.store.write(lambda tx: tx.hosting.admitted("ant", NEW))
    assert hosted(ant).suspended
    set_mode(ant, HostingMode.PINNED, OLD)
    assert (hosted(ant).suspended, hosted(ant).retry_us, hosted(ant).suspensions) == ("", None, 0)
    suspend(ant, OLD)
    ant.submit("ant", OTHER)
    assert hosted(ant).suspended
    set_mode(ant, HostingMode.NEWEST)
    assert (hosted(ant).version, hosted(ant).suspended) == (OTHER, "")


def test_a_submitted_version_is_found_by_its_beginning(ant: StoreFixture) -> None:
    found = ant.store.read(lambda tx: tx.bots.submitted_version("ant", NEW[:2] + "ab"))
    assert (found.label, found.origin, found.program) == (NEW, VersionOrigin.SUBMITTED, a_program())
    assert ant.store.read(lambda tx: tx.bots.version("ant", NEW)) == found


def test_a_declared_version_is_no_submitted_one(ant: StoreFixture) -> None:
    declared = BotVersionRow("bee", NEW, VersionOrigin.DECLARED, "rust", 9)
    ant.store.write(lambda tx: tx.bots.ensure_version(declared))
    with pytest.raises(NotFoundError):
        ant.store.read(lambda tx: tx.bots.submitted_version("bee", NEW))
    with pytest.raises(NotFoundError):
        ant.store.read(lambda tx: tx.bots.version("bee", OLD))


def test_a_submitted_version_replaces_a_declared_one(ant: StoreFixture) -> None:
    declared = BotVersionRow("bee", NEW, VersionOrigin.DECLARED, "rust", 9)
    ant.store.write(lambda tx: tx.bots.ensure_version(declared))
    submitted = a_version("bee", NEW)
    assert ant.store.write(lambda tx: tx.bots.ensure_version(submitted)) == submitted
    assert ant.store.write(lambda tx: tx.bots.ensure_version(declared)) == submitted


def test_the_hashes_of_all_bots_are_known_each_once(ant: StoreFixture) -> None:
    ant.submit("bee", NEW, OTHER)
    assert ant.store.read(lambda tx: tx.bots.submitted_hashes()) == (OLD, NEW, OTHER)
    assert ant.store.read(lambda tx: tx.bots.count_submitted("bee")) == 2
