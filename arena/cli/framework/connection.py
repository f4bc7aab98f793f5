"""A connection to an arena: the stubs of its management services, with token and time limit on every call."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import grpc
from google.protobuf.message import Message

from arena.v1 import (
    announcement_pb2_grpc,
    audit_pb2_grpc,
    bot_pb2_grpc,
    cluster_pb2_grpc,
    export_pb2_grpc,
    fair_play_pb2_grpc,
    game_pb2_grpc,
    invite_pb2_grpc,
    ladder_pb2_grpc,
    match_pb2_grpc,
    season_pb2_grpc,
    submission_pb2_grpc,
    team_pb2_grpc,
    token_pb2_grpc,
    tournament_pb2_grpc,
    user_pb2_grpc,
    webhook_pb2_grpc,
)

if TYPE_CHECKING:
    from arena.sdk.tls import Tls

CALL_SECONDS: Final = 30.0
"""The default time limit of a call."""
HISTORY_SECONDS: Final = 600.0
"""The time limit of calls that work through a whole history."""

_SERVING: Final = b"\x08\x01"
"""HealthCheckResponse with its only field, status, at SERVING."""

_ANNOUNCED_KEY: Final = "arena-announced-us"
"""The metadata that says when the newest announcement was created (announcement.proto)."""

_MOST_DIGITS: Final = 18
"""Of a number of 64 bits."""

_OPTIONS: Final = (("grpc.enable_http_proxy", 0), ("grpc.max_receive_message_length", 32 * 1024 * 1024))


class _Caller(
    grpc.UnaryUnaryClientInterceptor, grpc.UnaryStreamClientInterceptor, grpc.StreamUnaryClientInterceptor
):
    """Adds the bearer token to the metadata, and a time limit to unary calls that have none; notes announcements."""

    def __init__(self, token: str | None) -> None:
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self.announced_us = 0
        """When the newest announcement was created, in microseconds since 1970 UTC; 0: none was mentioned."""

    def _call(
        self, continuation: Callable[..., Any], details: Any, request: object, limit: float | None = None
    ) -> Any:
        signed = details._replace(
            timeout=limit if details.timeout is None else details.timeout,
            metadata=(*(details.metadata or ()), *self._metadata),
        )
        return continuation(signed, request)

    def intercept_unary_unary(
        self, continuation: Callable[..., Any], client_call_details: grpc.ClientCallDetails, request: object
    ) -> Any:
        call = self._call(continuation, client_call_details, request, CALL_SECONDS)
        for key, value in call.trailing_metadata() or ():
            if key == _ANNOUNCED_KEY and value.isdecimal() and len(value) <= _MOST_DIGITS:
                self.announced_us = max(self.announced_us, int(value))
        return call

    intercept_unary_stream = intercept_stream_unary = _call  # type: ignore[assignment]


class ArenaClient:
    """The management services of one arena. Use it in a `with` statement."""

    def __init__(
        self,
        address: str,
        token: str | None,
        tls: "Tls | None" = None,
        *,
        closing: Callable[["ArenaClient"], None] = lambda _arena: None,
    ) -> None:
        """Create the stubs; the first call connects. `closing`: called before the connection is closed normally."""
        self.address = address
        self._closing = closing
        self._channel = (
            grpc.insecure_channel(address, options=_OPTIONS)
            if tls is None
            else grpc.secure_channel(address, tls.credentials(), options=_OPTIONS)
        )
        self._caller = _Caller(token)
        channel = grpc.intercept_channel(self._channel, self._caller)
        self.games = game_pb2_grpc.GameServiceStub(channel)
        self.bots = bot_pb2_grpc.BotServiceStub(channel)
        self.users = user_pb2_grpc.UserServiceStub(channel)
        self.webhooks = webhook_pb2_grpc.WebhookServiceStub(channel)
        self.invites = invite_pb2_grpc.InviteServiceStub(channel)
        self.teams = team_pb2_grpc.TeamServiceStub(channel)
        self.tokens = token_pb2_grpc.TokenServiceStub(channel)
        self.ladders = ladder_pb2_grpc.LadderServiceStub(channel)
        self.seasons = season_pb2_grpc.SeasonServiceStub(channel)
        self.tournaments = tournament_pb2_grpc.TournamentServiceStub(channel)
        self.submissions = submission_pb2_grpc.SubmissionServiceStub(channel)
        self.fair_play = fair_play_pb2_grpc.FairPlayServiceStub(channel)
        self.matches = match_pb2_grpc.MatchServiceStub(channel)
        self.exports = export_pb2_grpc.ExportServiceStub(channel)
        # The generated code of the health service is in a package of [server]; its messages are these bytes.
        self._health: Any = channel.unary_unary("/grpc.health.v1.Health/Check")
        self.audit = audit_pb2_grpc.AuditServiceStub(channel)
        self.cluster = cluster_pb2_grpc.ClusterServiceStub(channel)
        self.announcements = announcement_pb2_grpc.AnnouncementServiceStub(channel)

    @property
    def announced_us(self) -> int:
        """When the newest announcement in force was created, as answers said; 0: none has said."""
        return self._caller.announced_us

    def is_serving(self, timeout: float) -> bool:
        """Return whether the standard health service says so. Raises grpc.RpcError."""
        return bool(self._health(b"", timeout=timeout) == _SERVING)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        try:
            if error is None:
                self._closing(self)
        finally:
            self._channel.close()


PAGE_SIZE: Final = 200
"""Lines per page."""

P = TypeVar("P", bound=Message)


def fetch_all(call: Callable[..., P], request: Any, *, limit: int = 0, **options: Any) -> P:
    """Return all pages as one message, at most `limit` lines (0: all).

    Its next_page_token is empty iff nothing was left out. `request`: a listing's request; its first field of the
    response holds the lines. `options`: those of the call.
    """
    listing: Any = None
    count = 0
    while listing is None or (listing.next_page_token and (not limit or count < limit)):
        request.page_size = min(limit - count, PAGE_SIZE) if limit else PAGE_SIZE
        request.page_token = listing.next_page_token if count else ""
        page = call(request, **options)
        if listing is None:
            listing = page
        else:
            listing.next_page_token = ""
            listing.MergeFrom(page)
        count = len(getattr(listing, listing.DESCRIPTOR.fields[0].name))
    return listing  # type: ignore[no-any-return]
