"""The methods that the HTTP API has, and the places at which it has them."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

PREFIX: Final = "/v1"
"""The version of the gRPC services that it shows."""


@dataclass(frozen=True)
class ReadMethod:
    """A method of a service that only reads, at a place."""

    path: str
    """Below `PREFIX`, for example "/bots/{bot}/versions"."""
    module: str
    """The module of the service in `arena.v1`, for example "bot"."""
    method: str
    name_field: str = ""
    """The field of the request that holds the resource name; empty: the place has none."""
    name_form: str = ""
    """The resource name, for example "bots/{bot}"."""
    is_public: bool = True
    """Whether it needs no token, because it shows what the pages show to everybody."""

    def resource_name(self, parts: Mapping[str, str]) -> str:
        """Return the resource name with these parts of the place."""
        return self.name_form.format(**parts)

    @cached_property
    def descriptor(self) -> MethodDescriptor:
        """The method as its .proto declares it."""
        file = importlib.import_module(f"arena.v1.{self.module}_pb2").DESCRIPTOR
        found: list[MethodDescriptor] = [
            service.methods_by_name[self.method]
            for service in file.services_by_name.values()
            if self.method in service.methods_by_name
        ]
        [method] = found
        return method

    @property
    def full_name(self) -> str:
        """The method as gRPC calls it."""
        return f"/{self.descriptor.containing_service.full_name}/{self.method}"

    @property
    def request_class(self) -> type[Message]:
        """The class of its requests."""
        return GetMessageClass(self.descriptor.input_type)

    @property
    def response_class(self) -> type[Message]:
        """The class of its answers."""
        return GetMessageClass(self.descriptor.output_type)

    @property
    def parameters(self) -> list[FieldDescriptor]:
        """The fields of its request that are not in the place."""
        return [field for field in self.descriptor.input_type.fields if field.name != self.name_field]


def _of(collection: str, module: str, get: str, listing: str) -> tuple[ReadMethod, ReadMethod]:
    """Return the methods of a collection of resources: its listing, and one of them."""
    form = f"{collection}/{{id}}"
    return ReadMethod(f"/{collection}", module, listing), ReadMethod(f"/{form}", module, get, "name", form)


def _below(form: str, part: str, module: str, method: str, field: str = "name") -> ReadMethod:
    """Return a method about one resource, at a part of its place."""
    return ReadMethod(f"/{form}/{part}", module, method, field, form)


_BOT: Final = "bots/{id}"
_LADDER: Final = "ladders/{id}"
_TOURNAMENT: Final = "tournaments/{id}"
_SUBMISSION: Final = "bots/{id}/submissions/{number}"
_SEASON: Final = "ladders/{id}/seasons/{number}"

READS: Final = (
    *_of("games", "game", "GetGame", "ListGames"),
    *_of("bots", "bot", "GetBot", "ListBots"),
    _below(_BOT, "versions", "bot", "ListVersions", "bot"),
    _below(_BOT, "record", "bot", "GetBotRecord", "bot"),
    _below(_BOT, "standings", "ladder", "ListBotStandings", "bot"),
    ReadMethod(f"/{_BOT}/submissions", "submission", "ListSubmissions", "bot", _BOT, is_public=False),
    ReadMethod(f"/{_SUBMISSION}", "submission", "GetSubmission", "name", _SUBMISSION, is_public=False),
    ReadMethod("/runtimes", "submission", "ListRuntimes"),
    *_of("ladders", "ladder", "GetLadder", "ListLadders"),
    _below(_LADDER, "standings", "ladder", "ListStandings"),
    _below(_LADDER, "queue", "ladder", "ListQueue"),
    _below(_LADDER, "fit", "ladder", "RefitRatings"),
    _below(_LADDER, "ratings", "ladder", "GetRatingHistory"),
    _below(_LADDER, "seasons", "season", "ListSeasons", "ladder"),
    ReadMethod(f"/{_SEASON}", "season", "GetSeason", "name", _SEASON),
    *_of("tournaments", "tournament", "GetTournament", "ListTournaments"),
    _below(_TOURNAMENT, "pairings", "tournament", "ListPairings"),
    _below(_TOURNAMENT, "rounds", "tournament", "ListRounds"),
    _below(_TOURNAMENT, "bracket", "tournament", "GetBracket"),
    _below(_TOURNAMENT, "crosstable", "tournament", "GetCrosstable"),
    *_of("matches", "match", "GetMatch", "ListMatches"),
    ReadMethod(
        "/matches/{id}/debugLines", "match", "ListDebugLines", "name", "matches/{id}", is_public=False
    ),
    ReadMethod("/announcements", "announcement", "ListAnnouncements"),
    ReadMethod("/logKeys", "match", "ListLogKeys"),
    ReadMethod("/user", "user", "GetUser", is_public=False),
    ReadMethod("/users", "user", "ListUsers", is_public=False),
    ReadMethod("/users/{id}", "user", "GetUser", "name", "users/{id}", is_public=False),
    ReadMethod("/userProgress", "user", "ListUserProgress", is_public=False),
    ReadMethod("/team", "team", "GetTeam", is_public=False),
    ReadMethod("/teams", "team", "ListTeams", is_public=False),
    ReadMethod("/teams/{id}", "team", "GetTeam", "name", "teams/{id}", is_public=False),
    ReadMethod("/token", "token", "GetOwnToken", is_public=False),
    ReadMethod("/tokens", "token", "ListTokens", is_public=False),
    ReadMethod("/invites", "invite", "ListInvites", is_public=False),
    ReadMethod("/webhooks", "webhook", "ListWebhooks", is_public=False),
    ReadMethod("/auditEntries", "audit", "ListAuditEntries", is_public=False),
    ReadMethod("/auditEntries/{id}", "audit", "GetAuditEntry", "name", "auditEntries/{id}", is_public=False),
    ReadMethod("/voidCounts", "audit", "ListVoidCounts", is_public=False),
    ReadMethod("/fairPlayReport", "fair_play", "GetFairPlayReport", is_public=False),
    ReadMethod("/nodes", "cluster", "ListNodes", is_public=False),
)
"""All methods that answer once and change nothing."""

EVENTS: Final = ReadMethod("/events", "export", "ExportMatches")
"""What became final after a cursor, as lines."""
