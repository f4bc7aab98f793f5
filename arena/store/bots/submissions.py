"""Submissions: archives on their way to becoming versions, and what became of them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from sqlalchemy import func, select

from arena.core.errors import ErrorReason
from arena.store.json_columns import pack
from arena.store.repository import Repository, found, from_row
from arena.store.schema import SUBMISSIONS


class SubmissionState(Enum):
    """How far a submission has come; the numbers of proto/arena/v1/submission.proto."""

    UPLOADING = 1
    WAITING = 2
    UNPACKING = 3
    BUILDING = 4
    TRYING = 5
    ADMITTED = 6
    REJECTED = 7


class TrialVerdict(Enum):
    """How a scenario came out; the numbers of proto/arena/v1/submission.proto."""

    PASSED = 1
    FAILED = 2
    ADVICE = 3
    NOT_TRIED = 4


@dataclass(frozen=True, slots=True)
class TrialRow:
    """One scenario of the conformance suite."""

    scenario: str
    verdict: TrialVerdict
    sentence: str


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a submission did not become a version."""

    reason: ErrorReason
    sentence: str
    output: str = ""
    """The end of what the program or its build has written; for its owner alone."""


@dataclass(frozen=True, slots=True)
class SubmissionRow:
    """One archive on its way to becoming a version of a bot."""

    number: int
    bot: str
    owner: str
    """Of the bot; their quotas are charged."""
    archive_sha256: str
    archive_bytes: int
    state: SubmissionState
    created_us: int
    version: str | None = None
    """The hash of its content; None before it has been unpacked."""
    known: bool = False
    """Whether the bot had this version already."""
    plays: bool = False
    """Whether the version, once admitted, was the one that plays."""
    scenarios: int = 0
    trials: tuple[TrialRow, ...] = ()
    rejection: Rejection | None = None
    ended_us: int | None = None
    charged: bool = True
    """Whether the quotas of the owner hold for it; not if an organiser has submitted it for them."""


class Submissions(Repository):
    """The submissions."""

    def add(
        self,
        bot: str,
        owner: str,
        archive_sha256: str,
        archive_bytes: int,
        now_us: int,
        *,
        charged: bool = True,
    ) -> SubmissionRow:
        """Store a submission of which nothing was uploaded yet; its bot exists."""
        made = self._insert(
            SUBMISSIONS,
            bot=bot,
            owner=owner,
            archive_sha256=archive_sha256,
            archive_bytes=archive_bytes,
            state=SubmissionState.UPLOADING.value,
            **dict.fromkeys(("known", "plays"), False),
            scenarios=0,
            trials="[]",
            **dict.fromkeys(("reason", "sentence", "output"), ""),
            created_us=now_us,
            charged=charged,
        )
        number: int = made.inserted_primary_key[0]  # type: ignore[index]
        return self.get(bot, number)

    def get(self, bot: str, number: int) -> SubmissionRow:
        """Return the bot's submission of this number. Raises NotFoundError (SUBMISSION_NOT_FOUND)."""
        query = select(SUBMISSIONS).where(SUBMISSIONS.c.number == number, SUBMISSIONS.c.bot == bot)
        submission, listing = self._first(query, _submission), f"bot submissions {bot}"
        return found(
            submission, ErrorReason.SUBMISSION_NOT_FOUND, "submission", number, listing=listing, bot=bot
        )

    def page(self, bot: str, *, before: int | None, limit: int) -> tuple[SubmissionRow, ...]:
        """Return the bot's submissions, newest first, those with a number below `before`."""
        query, number = select(SUBMISSIONS).where(SUBMISSIONS.c.bot == bot), SUBMISSIONS.c.number
        return self._page(query, number, after=before, limit=limit, make=_submission, descending=True)

    def unfinished(self) -> tuple[SubmissionRow, ...]:
        """Return all that have not ended, oldest first."""
        return self._all(_UNFINISHED, _submission)

    def on_its_way(self, bot: str) -> SubmissionRow | None:
        """Return the bot's submission that has not ended; it has at most one."""
        return self._first(_UNFINISHED.where(SUBMISSIONS.c.bot == bot), _submission)

    def admitted_as(self, bot: str, archive_sha256: str) -> str | None:
        """Return the version that the bot has by this very archive; None if it was never admitted."""
        query = (
            select(SUBMISSIONS.c.version)
            .where(
                SUBMISSIONS.c.bot == bot,
                SUBMISSIONS.c.archive_sha256 == archive_sha256,
                SUBMISSIONS.c.state == SubmissionState.ADMITTED.value,
            )
            .order_by(SUBMISSIONS.c.number.desc())
            .limit(1)
        )
        version: str | None = self._connection.execute(query).scalar_one_or_none()
        return version

    def count_since(self, owner: str, since_us: int) -> int:
        """Return how many submissions of an owner were announced at this moment or later."""
        query = select(func.count()).where(SUBMISSIONS.c.owner == owner, SUBMISSIONS.c.created_us >= since_us)
        return self._number(query)

    def advance(self, number: int, state: SubmissionState, *, version: str | None = None) -> None:
        """Store how far it has come; results of a stage that was broken off are forgotten."""
        known = {} if version is None else {"version": version}
        self._set(number, state=state.value, scenarios=0, trials="[]", **known)

    def tell_trials(self, number: int, trials: Sequence[TrialRow], scenarios: int) -> None:
        """Store what the conformance suite has found so far, of so many scenarios."""
        rows = [[each.scenario, each.verdict.value, each.sentence] for each in trials]
        self._set(number, trials=pack(rows), scenarios=scenarios)

    def admit(self, number: int, version: str, *, known: bool, plays: bool, now_us: int) -> None:
        """End it as a version of its bot, which is stored already."""
        state = SubmissionState.ADMITTED.value
        self._set(number, state=state, version=version, known=known, plays=plays, ended_us=now_us)

    def reject(self, number: int, rejection: Rejection, now_us: int) -> None:
        """End it without a version."""
        self._set(
            number,
            state=SubmissionState.REJECTED.value,
            reason=rejection.reason.value,
            sentence=rejection.sentence,
            output=rejection.output,
            ended_us=now_us,
        )

    def _set(self, number: int, **values: object) -> None:
        self._update(SUBMISSIONS, SUBMISSIONS.c.number == number, **values)


_UNFINISHED: Final = (
    select(SUBMISSIONS).where(SUBMISSIONS.c.ended_us.is_(None)).order_by(SUBMISSIONS.c.number)
)


def _submission(row: Any) -> SubmissionRow:
    return from_row(
        SubmissionRow,
        row,
        state=SubmissionState(row.state),
        trials=tuple(
            TrialRow(scenario, TrialVerdict(verdict), sentence)
            for scenario, verdict, sentence in json.loads(row.trials)
        ),
        rejection=Rejection(ErrorReason(row.reason), row.sentence, row.output) if row.reason else None,
    )
