"""What follows from the free space of the disk."""

from arena.scheduling.disk_space import DiskLevel, DiskSpace, level_of
from arena.store.audit.entries import AuditKind
from tests.unit.store.audit_recorder import AuditRecorder

KEEP = 200_000_000


def test_below_what_is_kept_no_match_begins_and_below_five_times_of_it_the_operator_is_warned() -> None:
    assert [level_of(free, KEEP) for free in (0, KEEP - 1, KEEP, 5 * KEEP - 1, 5 * KEEP)] == [
        DiskLevel.NONE,
        DiskLevel.NONE,
        DiskLevel.LOW,
        DiskLevel.LOW,
        DiskLevel.PLENTY,
    ]


def test_why_no_match_begins_says_how_much_is_free_and_ends_with_room(capsys) -> None:
    free = [199_999_999, 300_000_000, 2_000_000_000]
    space = DiskSpace(lambda: free[0], KEEP)

    assert all(size in space.why_full() for size in ("199 MB", "200 MB"))
    free.pop(0)
    assert not space.why_full()
    free.pop(0)
    assert not space.why_full()

    told = capsys.readouterr().out
    assert told.count("the disk is full") == 1
    assert told.index("the disk is full") < told.index("filling up") < told.index("room on the disk")


def test_a_disk_that_cannot_be_asked_holds_nothing_up() -> None:
    def measure() -> int:
        raise OSError(5, "Input/output error")

    assert DiskSpace(measure, KEEP).free_bytes() == -1
    assert not DiskSpace(measure, KEEP).why_full()


def test_what_takes_much_needs_that_much_more() -> None:
    space = DiskSpace(lambda: KEEP + 1_000_000, KEEP)
    assert not space.why_full()
    assert not space.why_full(1_000_000)
    assert "1 MB are needed" in space.why_full(1_000_001)


def test_a_full_disk_and_the_room_after_it_stand_in_the_audit_trail_and_a_warning_does_not() -> None:
    free, recorder = [300_000_000, 1, 2, 2_000_000_000], AuditRecorder()
    space = DiskSpace(lambda: free[0], KEEP, recorder)
    while len(free) > 1:
        space.why_full()
        free.pop(0)
    space.why_full()
    full, room = (told.what for told in recorder.told)
    assert ("the disk is full" in full, "room on the disk" in room) == (True, True)
    assert set(recorder.kinds) == {AuditKind.STORAGE}
