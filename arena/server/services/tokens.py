"""TokenService: creates, shows and revokes tokens."""
# ruff: noqa: N802 - the methods are named as in the .proto

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from arena.core.errors import invalid_field
from arena.core.tokens import TokenText, new_token
from arena.core.units import US_PER_MINUTE
from arena.server.auth.authentication import check_still_valid
from arena.server.auth.permissions import SCOPES, Caller, current_caller, scope_required
from arena.server.auth.quotas import check_pace, check_quota, quotas_for
from arena.server.auth.revocation import REVOKED
from arena.server.context import Context
from arena.server.services.paging import PageRequest
from arena.server.services.service_context import Service, complete, record_decision
from arena.server.services.user_fields import user_for
from arena.store.accounts.tokens import Role, Scope, TokenRow
from arena.store.accounts.users import Quotas, UserRow
from arena.store.audit.entries import AuditKind
from arena.store.store import Transaction
from arena.v1 import token_pb2 as pb
from arena.v1 import token_pb2_grpc
from arena.wire import resource_names as names
from arena.wire.fields import enum_of, one_line, timestamp

MAX_EXPIRE_DAYS: Final = 3650
MAX_NOTE: Final = 64

_MINUTES_PER_DAY: Final = 24 * 60


def read_new_token(request: pb.CreateTokenRequest, caller: Caller, text: TokenText, now_us: int) -> TokenRow:
    """Return the requested token, checked as far as the request alone allows; a bot's is owned by the caller yet.

    Raises:
        InvalidArgumentError: FIELD_INVALID.
        PermissionDeniedError: ROLE_REQUIRED, the token would have a higher role than the caller's, or be somebody
            else's; SCOPE_REQUIRED, it would have a scope that the caller's has not.
    """
    role = enum_of(Role, "role", request.role, "ROLE_BOT, ROLE_SPECTATOR, ROLE_OWNER or ROLE_ORGANISER")
    bot = names.parse_bot("bot", request.bot) if role is Role.BOT else None
    owner = _owner(request, caller)
    if owner != caller.user:
        caller.check_organiser("A token of somebody else", Scope.TOKENS)
    elif not role.within(caller.role):
        caller.check_manages(f"Making the token of {role.person}", role)
    scopes, note = _scopes(request.scopes, role, caller), one_line("note", request.note, MAX_NOTE)
    minutes = _minutes(request)
    # Never after the caller's own expiry: a stolen token must not outlive itself.
    expires_us = earliest(now_us + minutes * US_PER_MINUTE if minutes else None, caller.expires_us)
    return TokenRow(
        text.id, role, owner, bot, text.secret_sha256, now_us, expires_us=expires_us, scopes=scopes, note=note
    )


def store_new_token(tx: Transaction, new: TokenRow, caller: Caller) -> TokenRow:
    """Store the token, with its user if there was none; return it as it is stored.

    Raises NotFoundError (BOT_NOT_FOUND), PermissionDeniedError (NOT_OWNER; SCOPE_REQUIRED, the user would be new),
    InvalidArgumentError (FIELD_INVALID), ResourceExhaustedError (QUOTA_EXCEEDED), UnauthenticatedError (TOKEN_INVALID).
    """
    now_us = new.created_us
    check_still_valid(tx, caller, now_us)
    check_pace(tx, caller, now_us)
    if new.bot is None:
        user = user_for(tx, caller, new.owner, new.role, now_us, "token")
    else:
        owner = tx.bots.get(new.bot).owner
        caller.check_owns(owner, names.bot_name(new.bot))
        user = tx.users.get(owner)
    _check_fits(user, new)
    check_token_quota(tx, user, quotas_for(caller, user), now_us)
    token = replace(new, owner=user.id)
    tx.tokens.add(token)
    about = [names.token_name(token.id), names.user_name(user.id)]
    if new.bot is not None:
        about.append(names.bot_name(new.bot))
    record_decision(tx, AuditKind.TOKEN, caller, now_us, _sentence(token), *about)
    return token


def check_token_quota(tx: Transaction, user: UserRow, quotas: Quotas | None, now_us: int) -> None:
    """Raise ResourceExhaustedError (QUOTA_EXCEEDED) if the user has too many tokens for another one."""
    if quotas is not None:
        used = tx.users.count_tokens(user.id, now_us)
        what = f"Tokens of {user.id}, neither revoked nor expired"
        check_quota(quotas.tokens, used, what, "Revoke one (`arena token revoke`)")


def earliest(*ends_us: int | None) -> int | None:
    """Return the first of some ends; None: there is no end."""
    return min((end for end in ends_us if end is not None), default=None)


def format_end(end_us: int | None) -> str:
    """Return an end as part of a sentence of the audit trail."""
    end = timestamp(end_us)
    return "without an end" if end is None else f"until {end.ToDatetime():%Y-%m-%d %H:%M}Z"


def _check_fits(user: UserRow, new: TokenRow) -> None:
    """Raise InvalidArgumentError (FIELD_INVALID) if the user may not have such a token."""
    if user.is_team and new.bot is None:
        raise invalid_field(
            "owner", f"{user.id} is a team: its members have tokens of their own, and its bots theirs."
        )
    if user.disabled:
        raise invalid_field(
            "owner" if new.bot is None else "bot",
            f"{user.id} is disabled, so a token would be rejected. Run `arena user enable {user.id}` first.",
        )
    if not new.role.within(user.role):
        raise invalid_field(
            "role",
            f"{user.id} may have the tokens of {user.role.person} at most: `arena user role {user.id}` changes that.",
        )


def _owner(request: pb.CreateTokenRequest, caller: Caller) -> str:
    """Return the owner; for a bot's token the request has none."""
    if not request.owner or request.role == pb.ROLE_BOT:
        return caller.user
    if request.owner.startswith("users/"):
        return names.parse_user("owner", request.owner)
    return names.parse_owner("owner", request.owner)


def _scopes(asked: Iterable[int], role: Role, caller: Caller) -> frozenset[Scope]:
    """Return the scopes, within those of the role and of the caller."""
    scopes = frozenset(enum_of(Scope, "scopes", number, "a Scope of this arena") for number in asked)
    if role is Role.BOT:
        if scopes:
            raise invalid_field(
                "scopes", "scopes must be empty for a bot's token: it plays, and does nothing else."
            )
        return scopes
    beyond = sorted(scope.word for scope in scopes - SCOPES[role])
    if beyond:
        raise invalid_field(
            "scopes", f"scopes has {beyond[0]}, which the token of {role.person} cannot have: leave it out."
        )
    if not caller.scopes:
        return scopes
    wanted = scopes or SCOPES[role]
    for scope in sorted(wanted - caller.scopes, key=lambda each: each.value):
        what = f"A token with the scope {scope.word}" if scopes else "A token that names no scopes"
        raise scope_required(what, scope, caller)
    return wanted  # named in any case: what the role may do one day is more than what the caller may today


def _minutes(request: pb.CreateTokenRequest) -> int:
    """Return how long the token is valid, in minutes; 0: for ever."""
    days, minutes = request.expire_days, request.expire_minutes
    if days and minutes:
        raise invalid_field(
            "expire_minutes", "expire_minutes and expire_days are both set: set one of the two."
        )
    if days > MAX_EXPIRE_DAYS:
        raise invalid_field("expire_days", f"expire_days is {days}, but must be at most {MAX_EXPIRE_DAYS}.")
    most = MAX_EXPIRE_DAYS * _MINUTES_PER_DAY
    if minutes > most:
        raise invalid_field("expire_minutes", f"expire_minutes is {minutes}, but must be at most {most}.")
    return minutes or days * _MINUTES_PER_DAY


def _sentence(token: TokenRow) -> str:
    """Return the sentence of the audit trail on a new token."""
    of = token.owner if token.bot is None else f"{token.owner}'s bot {token.bot}"
    scopes = ", ".join(scope.word for scope in sorted(token.scopes, key=lambda each: each.value))
    until = format_end(token.expires_us)
    limits = f", only for {scopes}" if scopes else ""
    return f"A token of the role {token.role.name.lower()} was created for {of}{limits}, {until}."


class TokenService(Service, token_pb2_grpc.TokenServiceServicer):
    """Manages tokens."""

    async def CreateToken(self, request: pb.CreateTokenRequest, _: Context) -> pb.CreateTokenResponse:
        """Store a token; only the response has its secret."""
        caller, text = current_caller(), new_token(self._platform.random_bytes)
        new = read_new_token(request, caller, text, self._platform.now_us())

        def make(tx: Transaction) -> tuple[TokenRow, bool]:
            known = new.bot is not None or tx.users.find(new.owner) is not None
            return store_new_token(tx, new, caller), not known

        token, user_made = await self._platform.database.write(make)
        return pb.CreateTokenResponse(token=token_message(token), secret=str(text), user_made=user_made)

    async def ListTokens(self, request: pb.ListTokensRequest, _: Context) -> pb.ListTokensResponse:
        """Return tokens, oldest first: those of the user, their bots, and their team's; for an organiser, all."""
        caller = current_caller()
        owners = (None,) if caller.is_organiser else tuple({caller.user, caller.owner})

        def rows(tx: Transaction, wanted: PageRequest) -> list[TokenRow]:
            found = [
                token
                for owner in owners
                for token in tx.tokens.page(owner=owner, after=wanted.after, limit=wanted.fetch)
            ]
            return sorted(found, key=_place)[: wanted.fetch]

        filters = () if caller.is_organiser else (caller.user, caller.owner)
        page = await self._platform.page(request, rows, _place, *filters)
        return pb.ListTokensResponse(tokens=map(token_message, page.rows), next_page_token=page.next_token)

    async def RevokeToken(self, request: pb.RevokeTokenRequest, _: Context) -> pb.RevokeTokenResponse:
        """Revoke the token, and end its connections and calls."""
        caller, token_id = current_caller(), names.parse_token("name", request.name)
        now_us = self._platform.now_us()

        def change(tx: Transaction) -> TokenRow:
            check_still_valid(tx, caller, now_us)
            before = tx.tokens.get(token_id)
            caller.check_owns(before.owner, request.name)
            if not before.role.within(caller.role):
                # A spectator's token that was lent, or lost, must not lock its user out.
                caller.check_manages(f"Revoking the token of {before.role.person}", before.role)
            if before.revoked_us is None:
                tx.tokens.revoke(token_id, now_us)
                of = before.owner if before.bot is None else f"{before.owner}'s bot {before.bot}"
                what = f"The token {token_id} of {of} was revoked."
                about = request.name, names.user_name(before.owner)
                record_decision(tx, AuditKind.TOKEN, caller, now_us, what, *about)
            return tx.tokens.get(token_id)

        async def revoke() -> TokenRow:
            token = await self._platform.database.write(change)
            self._platform.runtime.end_calls((token_id,), REVOKED)
            return token

        return pb.RevokeTokenResponse(token=token_message(await complete(revoke())))

    async def GetOwnToken(self, request: pb.GetOwnTokenRequest, _: Context) -> pb.GetOwnTokenResponse:
        """Return the token that makes the call."""
        caller = current_caller()
        token = await self._platform.database.read(lambda tx: tx.tokens.get(caller.token_id))
        return pb.GetOwnTokenResponse(token=token_message(token), owner=names.owner_name(caller.owner))


def _place(token: TokenRow) -> tuple[int, str]:
    """Return the place in listings."""
    return token.created_us, token.id


def token_message(token: TokenRow) -> pb.Token:
    """Return the token as a message, without its secret."""
    return pb.Token(
        name=names.token_name(token.id),
        role=pb.Role.ValueType(token.role.value),
        owner=names.owner_name(token.owner),
        bot="" if token.bot is None else names.bot_name(token.bot),
        create_time=timestamp(token.created_us),
        expire_time=timestamp(token.expires_us),
        revoked=token.revoked_us is not None,
        scopes=sorted(pb.Scope.ValueType(scope.value) for scope in token.scopes),
        note=token.note,
        last_use_time=timestamp(token.last_used_us),
    )
