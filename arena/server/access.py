"""Who is calling, and who may call what: one line for every method.

A method without a line is refused; a test compares the table with the service descriptors.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from typing import Final

from arena.core.errors import ErrorReason, PermissionDeniedError
from arena.store.tokens import Role


@dataclass(frozen=True, slots=True)
class Caller:
    """Who a valid token belongs to."""

    token_id: str
    role: Role
    owner: str
    bot: str | None
    """For Role.BOT: the bot it plays as."""

    @property
    def is_organiser(self) -> bool:
        """Whether it may manage what belongs to others."""
        return self.role is Role.ORGANISER

    def check_owns(self, owner: str, thing: str) -> None:
        """Raises PermissionDeniedError (NOT_OWNER) if it is somebody else's; organisers own everything."""
        if not self.is_organiser and self.owner != owner:
            raise PermissionDeniedError(
                ErrorReason.NOT_OWNER,
                f"{thing} belongs to somebody else; use its owner's token or an organiser's.",
                resource=thing,
            )

    def check_organiser(self, what: str) -> None:
        """Raises PermissionDeniedError (ROLE_REQUIRED) if the caller is no organiser."""
        if not self.is_organiser:
            raise _role_required(what, Right.ORGANISER)


class Right(Enum):
    """Who may call a method."""

    ANYBODY = "anybody"
    """No token is asked for."""
    PLAYER = "a bot"
    """Bot tokens, and no others. The method checks it itself, since it answers in its own way."""
    OWNER = "an owner or organiser"
    ORGANISER = "an organiser"


RULES: Final[Mapping[str, Right]] = {
    "/arena.v1.GameService/ListGames": Right.ANYBODY,
    "/arena.v1.GameService/GetGame": Right.ANYBODY,
    "/arena.v1.BotService/CreateBot": Right.OWNER,
    "/arena.v1.BotService/GetBot": Right.OWNER,
    "/arena.v1.BotService/ListBots": Right.OWNER,
    "/arena.v1.BotService/SetBotHidden": Right.OWNER,
    "/arena.v1.BotService/ListVersions": Right.OWNER,
    "/arena.v1.BotService/SetHosting": Right.OWNER,
    "/arena.v1.SubmissionService/CreateSubmission": Right.OWNER,
    "/arena.v1.SubmissionService/UploadArchive": Right.OWNER,
    "/arena.v1.SubmissionService/GetSubmission": Right.OWNER,
    "/arena.v1.SubmissionService/ListSubmissions": Right.OWNER,
    "/arena.v1.SubmissionService/WatchSubmission": Right.OWNER,
    "/arena.v1.TokenService/CreateToken": Right.OWNER,
    "/arena.v1.TokenService/ListTokens": Right.OWNER,
    "/arena.v1.TokenService/RevokeToken": Right.OWNER,
    "/arena.v1.TokenService/GetOwnToken": Right.OWNER,
    "/arena.v1.MatchService/GetMatch": Right.OWNER,
    "/arena.v1.MatchService/ListMatches": Right.OWNER,
    "/arena.v1.MatchService/WatchMatch": Right.OWNER,
    "/arena.v1.MatchService/ListDebugLines": Right.OWNER,
    "/arena.v1.MatchService/DownloadMatchLog": Right.OWNER,
    "/arena.v1.MatchService/ListLogKeys": Right.OWNER,
    "/arena.v1.MatchService/ReplayMatch": Right.ORGANISER,
    "/arena.v1.MatchService/VoidMatch": Right.ORGANISER,
    "/arena.v1.LadderService/CreateLadder": Right.ORGANISER,
    "/arena.v1.LadderService/GetLadder": Right.OWNER,
    "/arena.v1.LadderService/ListLadders": Right.OWNER,
    "/arena.v1.LadderService/JoinLadder": Right.OWNER,
    "/arena.v1.LadderService/LeaveLadder": Right.OWNER,
    "/arena.v1.LadderService/RunLadder": Right.ORGANISER,
    "/arena.v1.LadderService/PauseLadder": Right.ORGANISER,
    "/arena.v1.LadderService/ListStandings": Right.OWNER,
    "/arena.v1.LadderService/ListQueue": Right.OWNER,
    "/arena.v1.LadderService/RefitRatings": Right.OWNER,
    "/arena.v1.LadderService/RecomputeLadder": Right.ORGANISER,
    "/arena.v1.TournamentService/CreateTournament": Right.OWNER,
    "/arena.v1.TournamentService/GetTournament": Right.OWNER,
    "/arena.v1.TournamentService/ListTournaments": Right.OWNER,
    "/arena.v1.TournamentService/ListPairings": Right.OWNER,
    "/arena.v1.TournamentService/RunTournament": Right.ORGANISER,
    "/arena.v1.TournamentService/PauseTournament": Right.ORGANISER,
    "/arena.v1.TournamentService/GetCrosstable": Right.OWNER,
    "/arena.v1.PlayService/Play": Right.PLAYER,
}
"""Who may call each method; whose things it may touch is checked by the method."""

_ROLES: Final[Mapping[Right, frozenset[Role]]] = {
    Right.PLAYER: frozenset({Role.BOT}),
    Right.OWNER: frozenset({Role.OWNER, Role.ORGANISER}),
    Right.ORGANISER: frozenset({Role.ORGANISER}),
}

_CALLER: Final[ContextVar[Caller]] = ContextVar("caller")


def check_right(method: str, right: Right, caller: Caller) -> None:
    """Raises PermissionDeniedError (ROLE_REQUIRED) if the caller's role does not have the right."""
    if caller.role not in _ROLES[right]:
        raise _role_required(method.rpartition("/")[2], right)


def act_as(caller: Caller) -> None:
    """The rest of this call is made by the caller."""
    _CALLER.set(caller)


def current_caller() -> Caller:
    """Who makes the current call. Raises LookupError in a method that needs no token."""
    return _CALLER.get()


def _role_required(what: str, right: Right) -> PermissionDeniedError:
    return PermissionDeniedError(
        ErrorReason.ROLE_REQUIRED,
        f"{what} needs the token of {right.value}.",
        required=right.name,
    )
