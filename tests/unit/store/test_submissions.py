"""What is stored of submissions, and in which order it is listed."""

import pytest

from arena.core.errors import ErrorReason, NotFoundError
from arena.store.bots.submissions import SubmissionRow, SubmissionState, TrialRow, TrialVerdict
from tests.unit.store.store_fixture import StoreFixture

ARCHIVE = "cd" * 32
VERSION = "ab" * 32


@pytest.fixture
def ant(db: StoreFixture) -> StoreFixture:
    """Two bots of ada."""
    db.populate("ant", "bee")
    return db


def add(db: StoreFixture, bot: str = "ant", archive: str = ARCHIVE, at_us: int = 5) -> SubmissionRow:
    """Add a submission."""
    return db.store.write(lambda tx: tx.submissions.add(bot, "ada", archive, 400, at_us))


def get(db: StoreFixture, number: int, bot: str = "ant") -> SubmissionRow:
    """Return the submission as it is stored."""
    return db.store.read(lambda tx: tx.submissions.get(bot, number))


def test_a_submission_is_found_under_its_bot_alone(ant: StoreFixture) -> None:
    made = add(ant)
    assert get(ant, made.number) == made
    assert (made.state, made.archive_sha256, made.archive_bytes) == (SubmissionState.UPLOADING, ARCHIVE, 400)
    for bot, number in (("bee", made.number), ("ant", made.number + 1)):
        with pytest.raises(NotFoundError) as caught:
            get(ant, number, bot)
        assert caught.value.reason is ErrorReason.SUBMISSION_NOT_FOUND


def test_what_a_stage_has_found_is_forgotten_when_it_is_begun_again(ant: StoreFixture) -> None:
    number = add(ant).number
    trials = (TrialRow("hello", TrialVerdict.PASSED, ""), TrialRow("reset", TrialVerdict.FAILED, "It left."))
    ant.store.write(lambda tx: tx.submissions.advance(number, SubmissionState.TRYING, version=VERSION))
    ant.store.write(lambda tx: tx.submissions.tell_trials(number, trials, 28))
    row = get(ant, number)
    assert (row.state, row.version, row.trials, row.scenarios) == (
        SubmissionState.TRYING,
        VERSION,
        trials,
        28,
    )
    ant.store.write(lambda tx: tx.submissions.advance(number, SubmissionState.WAITING))
    row = get(ant, number)
    assert (row.state, row.version, row.trials, row.scenarios) == (SubmissionState.WAITING, VERSION, (), 0)


def test_an_archive_that_was_admitted_is_known_again_for_its_bot_alone(ant: StoreFixture) -> None:
    first = add(ant)
    assert ant.store.read(lambda tx: tx.submissions.admitted_as("ant", ARCHIVE)) is None
    ant.store.write(lambda tx: tx.submissions.admit(first.number, VERSION, known=False, plays=True, now_us=9))
    assert ant.store.read(lambda tx: tx.submissions.admitted_as("ant", ARCHIVE)) == VERSION
    assert ant.store.read(lambda tx: tx.submissions.admitted_as("bee", ARCHIVE)) is None
    row = get(ant, first.number)
    assert (row.known, row.plays, row.version, row.ended_us) == (False, True, VERSION, 9)
