"""Callers, and the table of who may call which method.

A method without a line is refused; a test compares the table with the service descriptors.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from typing import Final

from arena.core.errors import ErrorReason, PermissionDeniedError
from arena.store.accounts.tokens import Role, Scope
from arena.store.audit.entries import Actor


class Right(Enum):
    """Who may call a method."""

    ANYBODY = "anybody"
    """Needs no token."""
    PLAYER = "a bot"
    """Bot tokens only. The method checks it itself, since it answers in its own way."""
    SPECTATOR = "a spectator, owner or organiser"
    """Everyone but bots."""
    OWNER = "an owner or organiser"
    ORGANISER = "an organiser"


@dataclass(frozen=True, slots=True)
class Rule:
    """Who may call a method. The method itself checks whose resources it may touch."""

    right: Right
    scope: Scope | None = None
    """Must be among the scopes of a token that names any; None: no scope is needed."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The holder of a valid token."""

    token_id: str
    role: Role
    owner: str
    bot: str | None
    """For Role.BOT: the bot it plays as."""
    scopes: frozenset[Scope] = frozenset()
    """The part of the role's scopes that it has; empty: all of them."""
    expires_us: int | None = None
    """When the token expires, in microseconds since 1970 UTC; None: never."""

    @property
    def is_organiser(self) -> bool:
        """Whether the caller may manage resources of others."""
        return self.role is Role.ORGANISER

    @property
    def actor(self) -> Actor:
        """The caller as an actor of the audit trail."""
        return Actor(self.owner, self.token_id)

    def has(self, scope: Scope) -> bool:
        """Return whether role and token have the scope."""
        return scope in SCOPES[self.role] and (not self.scopes or scope in self.scopes)

    def check_owns(self, owner: str, thing: str) -> None:
        """Raise PermissionDeniedError (NOT_OWNER) if somebody else owns it; organisers own everything."""
        if not self.is_organiser and self.owner != owner:
            raise PermissionDeniedError(
                ErrorReason.NOT_OWNER,
                f"{thing} belongs to somebody else; use its owner's token or an organiser's.",
                resource=thing,
            )

    def check_organiser(self, what: str, scope: Scope) -> None:
        """Raise PermissionDeniedError (ROLE_REQUIRED, SCOPE_REQUIRED) unless an organiser with the scope calls."""
        check_rule(what, Rule(Right.ORGANISER, scope), self)

    def check_scope(self, what: str, scope: Scope) -> None:
        """Raise PermissionDeniedError (SCOPE_REQUIRED) if the token names scopes, but not this one."""
        if self.scopes and scope not in self.scopes:
            raise scope_required(what, scope, self)


SCOPES: Final[Mapping[Role, frozenset[Scope]]] = {
    Role.BOT: frozenset(),
    Role.SPECTATOR: frozenset({Scope.READ, Scope.TOKENS}),
    Role.OWNER: frozenset({Scope.READ, Scope.BOTS, Scope.COMPETE, Scope.PRIVATE, Scope.TOKENS}),
    Role.ORGANISER: frozenset(Scope),
}
"""The scopes of each role."""

_WATCH: Final = Rule(Right.SPECTATOR, Scope.READ)
_REGISTER: Final = Rule(Right.OWNER, Scope.BOTS)
_COMPETE: Final = Rule(Right.OWNER, Scope.COMPETE)
_PRIVATE: Final = Rule(Right.OWNER, Scope.PRIVATE)
_TOKENS: Final = Rule(Right.SPECTATOR, Scope.TOKENS)
_ORGANISE: Final = Rule(Right.ORGANISER, Scope.ORGANISE)
_OVERSEE: Final = Rule(Right.ORGANISER, Scope.OVERSEE)
_ONESELF: Final = Rule(Right.SPECTATOR)

RULES: Final[Mapping[str, Rule]] = {
    "/arena.v1.GameService/ListGames": Rule(Right.ANYBODY),
    "/arena.v1.GameService/GetGame": Rule(Right.ANYBODY),
    "/arena.v1.UserService/CreateUser": _OVERSEE,
    "/arena.v1.UserService/GetUser": _ONESELF,
    "/arena.v1.UserService/ListUsers": _OVERSEE,
    "/arena.v1.UserService/SetUserRole": _OVERSEE,
    "/arena.v1.UserService/SetUserDisabled": _OVERSEE,
    "/arena.v1.UserService/SetUserQuotas": _OVERSEE,
    "/arena.v1.TokenService/CreateToken": _TOKENS,
    "/arena.v1.TokenService/ListTokens": _TOKENS,
    "/arena.v1.TokenService/RevokeToken": _TOKENS,
    "/arena.v1.TokenService/GetOwnToken": _ONESELF,
    "/arena.v1.AuditService/ListAuditEntries": _OVERSEE,
    "/arena.v1.AuditService/GetAuditEntry": _OVERSEE,
    "/arena.v1.AuditService/ListVoidCounts": _OVERSEE,
    "/arena.v1.BotService/CreateBot": _REGISTER,
    "/arena.v1.BotService/GetBot": _WATCH,
    "/arena.v1.BotService/ListBots": _WATCH,
    "/arena.v1.BotService/SetBotHidden": _REGISTER,
    "/arena.v1.BotService/SetBotChallenges": _REGISTER,
    "/arena.v1.BotService/ListVersions": _WATCH,
    "/arena.v1.BotService/SetHosting": _REGISTER,
    "/arena.v1.SubmissionService/CreateSubmission": _REGISTER,
    "/arena.v1.SubmissionService/UploadArchive": _REGISTER,
    "/arena.v1.SubmissionService/GetSubmission": _PRIVATE,
    "/arena.v1.SubmissionService/ListSubmissions": _PRIVATE,
    "/arena.v1.SubmissionService/WatchSubmission": _PRIVATE,
    "/arena.v1.MatchService/GetMatch": _WATCH,
    "/arena.v1.MatchService/ListMatches": _WATCH,
    "/arena.v1.MatchService/WatchMatch": _WATCH,
    "/arena.v1.MatchService/ListDebugLines": _PRIVATE,
    "/arena.v1.MatchService/DownloadMatchLog": _WATCH,
    "/arena.v1.MatchService/ListLogKeys": _WATCH,
    "/arena.v1.MatchService/ReplayMatch": _ORGANISE,
    "/arena.v1.MatchService/VoidMatch": _ORGANISE,
    "/arena.v1.LadderService/CreateLadder": _ORGANISE,
    "/arena.v1.LadderService/GetLadder": _WATCH,
    "/arena.v1.LadderService/ListLadders": _WATCH,
    "/arena.v1.LadderService/JoinLadder": _COMPETE,
    "/arena.v1.LadderService/LeaveLadder": _COMPETE,
    "/arena.v1.LadderService/RunLadder": _ORGANISE,
    "/arena.v1.LadderService/PauseLadder": _ORGANISE,
    "/arena.v1.LadderService/ListStandings": _WATCH,
    "/arena.v1.LadderService/ListQueue": _WATCH,
    "/arena.v1.LadderService/RefitRatings": _WATCH,
    "/arena.v1.LadderService/RecomputeLadder": _ORGANISE,
    "/arena.v1.TournamentService/CreateTournament": _COMPETE,
    "/arena.v1.TournamentService/GetTournament": _WATCH,
    "/arena.v1.TournamentService/ListTournaments": _WATCH,
    "/arena.v1.TournamentService/ListPairings": _WATCH,
    "/arena.v1.TournamentService/RunTournament": _ORGANISE,
    "/arena.v1.TournamentService/PauseTournament": _ORGANISE,
    "/arena.v1.TournamentService/GetCrosstable": _WATCH,
    "/arena.v1.FairPlayService/GetFairPlayReport": _OVERSEE,
    "/arena.v1.PlayService/Play": Rule(Right.PLAYER),
}
"""The rule of every method."""

ROLES: Final[Mapping[Right, frozenset[Role]]] = {
    Right.ANYBODY: frozenset(Role),
    Right.PLAYER: frozenset({Role.BOT}),
    Right.SPECTATOR: frozenset({Role.SPECTATOR, Role.OWNER, Role.ORGANISER}),
    Right.OWNER: frozenset({Role.OWNER, Role.ORGANISER}),
    Right.ORGANISER: frozenset({Role.ORGANISER}),
}
"""The roles that have each right."""

_CALLER: Final[ContextVar[Caller]] = ContextVar("caller")


def check_rule(what: str, rule: Rule, caller: Caller) -> None:
    """Raise PermissionDeniedError: ROLE_REQUIRED, or SCOPE_REQUIRED if only the scope is missing.

    `what`: the call, to begin a sentence with.
    """
    if caller.role not in ROLES[rule.right]:
        raise PermissionDeniedError(
            ErrorReason.ROLE_REQUIRED,
            f"{what} needs the token of {rule.right.value}.",
            required=rule.right.name,
        )
    if rule.scope is not None:
        caller.check_scope(what, rule.scope)


def right_over(role: Role) -> Right:
    """Return who may make and revoke tokens of a role beside their holders."""
    return Right.ORGANISER if role is Role.ORGANISER else Right.OWNER


def scope_required(what: str, scope: Scope, caller: Caller) -> PermissionDeniedError:
    """Return the error of a token that lacks the scope (SCOPE_REQUIRED)."""
    held = ", ".join(each.word for each in sorted(caller.scopes, key=lambda each: each.value))
    return PermissionDeniedError(
        ErrorReason.SCOPE_REQUIRED,
        f"{what} needs a token with the scope {scope.word}, and this one has only: {held}. Use one that has it.",
        required=scope.name,
    )


def act_as(caller: Caller) -> None:
    """Make this the caller of the current call."""
    _CALLER.set(caller)


def current_caller() -> Caller:
    """Return who makes the current call. Raises LookupError in a method that needs no token."""
    return _CALLER.get()
