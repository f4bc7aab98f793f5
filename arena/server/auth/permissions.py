"""Callers, and the table of who may call which method.

A method that is not in the table is refused; a test compares the table with the service descriptors.
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
    user: str
    """Whose token it is; for a token of a bot its owner, who may be a team."""
    bot: str | None
    """For Role.BOT: the bot it plays as."""
    scopes: frozenset[Scope] = frozenset()
    """The part of the role's scopes that it has; empty: all of them."""
    expires_us: int | None = None
    """When the token expires, in microseconds since 1970 UTC; None: never."""
    team: str = ""
    """The team that the user is a member of; empty: none."""

    @property
    def owner(self) -> str:
        """The owner of what the caller registers: their team, or themselves."""
        return self.team or self.user

    @property
    def is_organiser(self) -> bool:
        """Whether the caller may manage resources of others."""
        return self.role is Role.ORGANISER

    @property
    def actor(self) -> Actor:
        """The caller as an actor of the audit trail."""
        return Actor(self.user, self.token_id)

    def has(self, scope: Scope) -> bool:
        """Return whether role and token have the scope."""
        return scope in SCOPES[self.role] and (not self.scopes or scope in self.scopes)

    def check_owns(self, owner: str, thing: str) -> None:
        """Raise PermissionDeniedError (NOT_OWNER) if somebody else owns it; organisers own everything."""
        if not self.is_organiser and owner not in (self.owner, self.user):
            raise PermissionDeniedError(
                ErrorReason.NOT_OWNER,
                f"{thing} belongs to somebody else; use its owner's token or an organiser's.",
                resource=thing,
            )

    def check_organiser(self, what: str, scope: Scope) -> None:
        """Raise PermissionDeniedError (ROLE_REQUIRED, SCOPE_REQUIRED) unless an organiser with the scope calls."""
        check_rule(what, Rule(Right.ORGANISER, scope), self)

    def check_manages(self, what: str, role: Role) -> None:
        """Raise PermissionDeniedError (ROLE_REQUIRED) if they may not make and revoke tokens of another role."""
        check_rule(what, Rule(Right.ORGANISER if role is Role.ORGANISER else Right.OWNER), self)

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

_ANYBODY: Final = Rule(Right.ANYBODY)
_WATCH: Final = Rule(Right.SPECTATOR, Scope.READ)
_REGISTER: Final = Rule(Right.OWNER, Scope.BOTS)
_COMPETE: Final = Rule(Right.OWNER, Scope.COMPETE)
_PRIVATE: Final = Rule(Right.OWNER, Scope.PRIVATE)
_TOKENS: Final = Rule(Right.SPECTATOR, Scope.TOKENS)
_TEAM: Final = Rule(Right.OWNER, Scope.TOKENS)
_ORGANISE: Final = Rule(Right.ORGANISER, Scope.ORGANISE)
_OVERSEE: Final = Rule(Right.ORGANISER, Scope.OVERSEE)
_ONESELF: Final = Rule(Right.SPECTATOR)

_TABLE: Final = (
    ("Game", _ANYBODY, "ListGames GetGame"),
    (
        "User",
        _OVERSEE,
        "CreateUser ImportUsers ListUsers ListUserProgress SetUserRole SetUserDisabled SetUserQuotas",
    ),
    ("Team", _TEAM, "CreateTeam JoinTeam LeaveTeam RenewTeamCode"),
    ("Team", _ONESELF, "GetTeam"),
    ("Team", _OVERSEE, "ListTeams SetUserTeam"),
    ("User", _ONESELF, "GetUser"),
    ("Token", _TOKENS, "CreateToken ListTokens RevokeToken"),
    ("Token", _ONESELF, "GetOwnToken"),
    ("Invite", _OVERSEE, "CreateInvite ListInvites RevokeInvite"),
    ("Invite", _ANYBODY, "LookUpInvite AcceptInvite"),
    ("Announcement", _WATCH, "ListAnnouncements"),
    ("Announcement", _ORGANISE, "CreateAnnouncement DeleteAnnouncement"),
    ("Audit", _OVERSEE, "ListAuditEntries GetAuditEntry ListVoidCounts"),
    ("Bot", _WATCH, "GetBot ListBots ListVersions GetBotRecord"),
    ("Bot", _REGISTER, "CreateBot SetBotHidden SetBotChallenges SetHosting"),
    ("Submission", _REGISTER, "CreateSubmission UploadArchive"),
    ("Submission", _WATCH, "ListRuntimes"),
    ("Submission", _PRIVATE, "GetSubmission ListSubmissions WatchSubmission"),
    ("Match", _WATCH, "GetMatch ListMatches WatchMatch DownloadMatchLog ListLogKeys"),
    ("Match", _PRIVATE, "ListDebugLines"),
    ("Match", _ORGANISE, "ReplayMatch VoidMatch VoidBotMatches"),
    ("Export", _WATCH, "ExportMatches"),
    ("Ladder", _WATCH, "GetLadder ListLadders ListStandings ListQueue RefitRatings"),
    ("Ladder", _WATCH, "ListBotStandings GetRatingHistory"),
    ("Ladder", _COMPETE, "JoinLadder LeaveLadder"),
    ("Ladder", _ORGANISE, "CreateLadder RunLadder PauseLadder RecomputeLadder"),
    ("Ladder", _ORGANISE, "SetLadderAnchor RenameLadder SetLadderHidden SetLadderDeadline"),
    ("Ladder", _ORGANISE, "SetLadderFreeze RevealLadderRanks SetLadderArchived DeleteLadder"),
    ("Season", _WATCH, "GetSeason ListSeasons"),
    ("Season", _ORGANISE, "CloseSeason"),
    ("Tournament", _WATCH, "GetTournament ListTournaments ListPairings ListRounds GetBracket GetCrosstable"),
    ("Tournament", _COMPETE, "CreateTournament WithdrawFromTournament"),
    ("Tournament", _ORGANISE, "RunTournament PauseTournament RenameTournament SetTournamentHidden"),
    ("Tournament", _ORGANISE, "SetTournamentArchived DeleteTournament"),
    ("FairPlay", _OVERSEE, "GetFairPlayReport"),
    ("Cluster", _OVERSEE, "ListNodes SetNodeDrained"),
    ("Webhook", _OVERSEE, "CreateWebhook ListWebhooks DeleteWebhook TestWebhook"),
    ("Play", Rule(Right.PLAYER), "Play"),
)
"""Services, and the methods of each that have the same rule."""

RULES: Final[Mapping[str, Rule]] = {
    f"/arena.v1.{service}Service/{method}": rule
    for service, rule, methods in _TABLE
    for method in methods.split()
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
