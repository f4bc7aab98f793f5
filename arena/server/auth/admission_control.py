"""Which callers are admitted: rate limits, time budgets and authentication."""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import unquote

from arena.core.errors import UnauthenticatedError
from arena.core.tokens import parse_token
from arena.server import limits
from arena.server.auth.authentication import Authenticator, bearer
from arena.server.auth.limiters import CallSlots, CallSource, RateLimiter, TimeBudgets
from arena.server.auth.permissions import Caller
from arena.server.auth.revocation import End, OpenCalls
from arena.server.context import Context
from arena.server.receiving import RequestReceiver

Metadata = Iterable[tuple[str, str | bytes]]

_MOST_KNOWN: Final = 10_000
_NETWORK_BITS: Final = 64
"""The holder of an IPv6 address has the 2^64 of its network."""


class AdmissionControl:
    """Admits callers, and bans those who flood the arena or guess tokens."""

    def __init__(
        self,
        authenticator: Authenticator,
        rate_limiter: RateLimiter,
        open_calls: OpenCalls,
        budgets: TimeBudgets,
    ) -> None:
        """`rate_limiter` and `budgets` must not be shared with other objects."""
        self._budgets = budgets
        self._authenticator = authenticator
        self._rate_limiter = rate_limiter
        self._open_calls = open_calls
        self._known: dict[str, str] = {}
        """The owner of each token that was valid, by the key of its source."""
        self.open_streams = CallSlots("streams without a token", limits.OPEN_STREAMS, limits.OPEN_STREAMS)
        """Those of gRPC's own services."""
        self._from_strangers = RequestReceiver(limits.STRANGERS_RECEIVED, limits.STRANGERS_WAITING)
        self._from_known = RequestReceiver(limits.KNOWN_RECEIVED, limits.KNOWN_WAITING)

    def receiver(self, source: CallSource | None) -> RequestReceiver:
        """Return the receiver for the caller's request; unknown callers share one of their own."""
        return self._from_known if self._is_known(source) else self._from_strangers

    def _is_known(self, source: CallSource | None) -> bool:
        return source is not None and source.key in self._known

    async def turn(self, source: CallSource | None) -> None:
        """Return when the call may run. Raises ResourceExhaustedError (RATE_LIMITED)."""
        await self._budgets.turn(self._user(source))

    def charge(self, source: CallSource | None, work_s: float) -> None:
        """Charge the caller for `work_s` seconds of work."""
        self._budgets.charge(self._user(source), work_s)

    def _user(self, source: CallSource | None) -> str:
        """Return the user whose budget the call uses; empty for all unknown tokens together."""
        return "" if source is None else self._known.get(source.key, "")

    def take_call(self, token: CallSource | None, peer: str) -> CallSource | None:
        """Charge a call to its token, or to its address if the token is unknown; return the source that is charged.

        Raises ResourceExhaustedError (RATE_LIMITED).
        """
        address = self._checked_address(token, peer)
        source = address or token  # an unknown token may be invented, a new one for every call
        if source is not None:
            self._rate_limiter.take(source, limits.CALLS)
        return source

    def answered(self, source: CallSource) -> None:
        """Give back the charge of a call that was answered."""
        self._rate_limiter.give_back(source, limits.CALLS)

    def take_play_call(self, context: Context) -> None:
        """Charge a new Play call to its token or address, and to the user if the token was valid before.

        A token that is banned costs its user nothing. Raises ResourceExhaustedError (RATE_LIMITED).
        """
        token = token_source(context.invocation_metadata() or ())
        address = self._checked_address(token, context.peer())
        source = token or address
        if source is not None:
            self._rate_limiter.take(source, limits.OPENINGS)
        if owner := self._user(token):
            user = CallSource(f"user:{owner}", f"user {owner}")
            self._rate_limiter.check(user)
            self._rate_limiter.take(user, limits.USER_OPENINGS)

    def _checked_address(self, token: CallSource | None, peer: str) -> CallSource | None:
        """Return the caller's address, unless the token is known. Raises ResourceExhaustedError if one is banned."""
        address = None if self._is_known(token) else _address_source(peer)
        for source in (token, address):
            if source is not None:
                self._rate_limiter.check(source)
        return address

    def entered(self, context: Context, end: End) -> AbstractContextManager[None]:
        """Return a context that calls `end` when the call's token is revoked or expires."""
        text = bearer(context.invocation_metadata() or ())
        token = parse_token(text) if text else None
        return nullcontext() if token is None else self._open_calls.entered(token.id, end)

    async def authenticate(self, context: Context) -> Caller:
        """Return the caller (docs/bad_inputs.md rows 1 and 2).

        Raises UnauthenticatedError (TOKEN_MISSING, TOKEN_INVALID); ResourceExhaustedError (RATE_LIMITED): too many
        tokens from this address were not valid.
        """
        metadata = tuple(context.invocation_metadata() or ())
        try:
            caller = await self._authenticator.authenticate(metadata)
        except UnauthenticatedError:
            address = _address_source(context.peer())
            if address is not None:
                self._rate_limiter.take(address, limits.GUESSES)
            raise
        source = token_source(metadata)
        # A known token is served even from a banned address.
        if source is not None and not self._is_known(source):
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[source.key] = caller.owner
        if caller.expires_us is not None:
            self._open_calls.note_expiry(caller.token_id, caller.expires_us)
        return caller


def token_source(metadata: Metadata) -> CallSource | None:
    """Return the token in the metadata, valid or not, as a source. Only its holder can use up its allowance."""
    text = bearer(metadata)
    if not text:
        return None
    token = parse_token(text)
    label = "an unreadable token" if token is None else f"token {token.id}"
    return CallSource(f"token:{sha256(text.encode(errors='replace')).hexdigest()}", label)


def _address_source(peer: str) -> CallSource | None:
    """Return the address of a peer as gRPC names it; None for this machine, whose programs share one address."""
    family, _, place = peer.partition(":")
    if family not in ("ipv4", "ipv6"):
        return None
    host = unquote(place).rpartition(":")[0].strip("[]").partition("%")[0]
    address = ip_address(host)
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback:
        return None
    label = str(address)
    if isinstance(address, IPv6Address):
        label = str(ip_network((address, _NETWORK_BITS), strict=False))
    return CallSource(f"address:{label}", f"address {label}")
