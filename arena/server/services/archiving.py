"""What an archived ladder or tournament refuses, and when one can be deleted."""

from typing import Literal

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.store.ladders.ladders import LadderRow
from arena.store.tournaments.tournaments import TournamentRow

Kind = Literal["ladder", "tournament"]


def check_not_archived(kind: Kind, event: LadderRow | TournamentRow) -> None:
    """Raise FailedPreconditionError (EVENT_ARCHIVED) if it is archived."""
    if event.archived:
        raise FailedPreconditionError(
            ErrorReason.EVENT_ARCHIVED,
            f"The {kind} {event.id} is archived. An organiser can take it out of the archive: "
            f"`arena {kind} archive {event.id} --undo`.",
            **{kind: event.id},
        )


def not_empty(kind: Kind, event: str, why: str) -> FailedPreconditionError:
    """Return the error of one that cannot be deleted (EVENT_NOT_EMPTY). `why`: as part of a sentence."""
    return FailedPreconditionError(
        ErrorReason.EVENT_NOT_EMPTY,
        f"The {kind} {event} cannot be deleted: {why}. Archive it instead: `arena {kind} archive {event}`.",
        **{kind: event},
    )
