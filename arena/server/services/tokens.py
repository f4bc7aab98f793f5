"""TokenService: hands out tokens, shows them without their secrets, ends their lives."""
# ruff: noqa: N802 - the methods are named as in the .proto

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from arena.core.errors import ErrorReason, InvalidArgumentError, NotFoundError
from arena.server.access import Caller, current_caller
from arena.server.context import Context
from arena.server.resources import bot_name, owner_name, parse_bot, parse_owner, parse_token, token_name
from arena.server.services.paging import Place
from arena.server.services.platform import Platform
from arena.server.services.timestamps import US_PER_S, timestamp
from arena.store.store import Transaction
from arena.store.token_text import TokenText, new_token
from arena.store.tokens import Role, Scope, TokenPlace, TokenRow
from arena.v1 import token_pb2, token_pb2_grpc

MAX_EXPIRE_DAYS: Final = 3650

_US_PER_DAY: Final = 24 * 3600 * US_PER_S


class TokenService(token_pb2_grpc.TokenServiceServicer):
    """Keeps the tokens."""

    def __init__(self, platform: Platform, random_bytes: Callable[[int], bytes]) -> None:
        """`random_bytes`: `secrets.token_bytes` in a real arena."""
        self._platform = platform
        self._random_bytes = random_bytes

    async def CreateToken(
        self, request: token_pb2.CreateTokenRequest, context: Context
    ) -> token_pb2.CreateTokenResponse:
        """The token is stored; its secret is in the response and nowhere else."""
        caller = current_caller()
        _check_expire_days(request.expire_days)
        bot, owner = _holder(request)
        text = new_token(self._random_bytes)

        def create(tx: Transaction) -> TokenRow:
            if bot is None:
                caller.check_organiser(f"A token of {token_pb2.Role.Name(request.role)}", Scope.TOKENS)
            token = self._row(text, request, bot, owner if bot is None else _bot_owner(tx, caller, bot))
            tx.users.ensure(token.owner, token.role, token.created_us)
            tx.tokens.add(token)
            return token

        token = await self._platform.database.write(create)
        return token_pb2.CreateTokenResponse(token=token_message(token), secret=str(text))

    async def ListTokens(
        self, request: token_pb2.ListTokensRequest, context: Context
    ) -> token_pb2.ListTokensResponse:
        """Tokens, oldest first: an owner's own and those of his bots, an organiser's all."""
        caller, pages = current_caller(), self._platform.pages
        owner = None if caller.is_organiser else caller.owner
        wanted = pages.read(request.page_size, request.page_token, "ListTokens", owner or "")
        after = _token_place(wanted.after)
        rows = await self._platform.database.read(
            lambda tx: tx.tokens.page(owner=owner, after=after, limit=wanted.fetch)
        )
        page = pages.cut(wanted, rows, lambda token: (token.created_us, token.id))
        return token_pb2.ListTokensResponse(
            tokens=[token_message(token) for token in page.rows], next_page_token=page.next_token
        )

    async def RevokeToken(
        self, request: token_pb2.RevokeTokenRequest, context: Context
    ) -> token_pb2.RevokeTokenResponse:
        """The token is revoked and its connections are being closed."""
        caller, token_id = current_caller(), parse_token("name", request.name)
        now_us = self._platform.now_us()

        def change(tx: Transaction) -> TokenRow:
            caller.check_owns(_get(tx, token_id).owner, request.name)
            tx.tokens.revoke(token_id, now_us)
            return _get(tx, token_id)

        token = await self._platform.database.write(change)
        self._platform.live.close_connections(token_id)
        return token_pb2.RevokeTokenResponse(token=token_message(token))

    async def GetOwnToken(
        self, request: token_pb2.GetOwnTokenRequest, context: Context
    ) -> token_pb2.GetOwnTokenResponse:
        """The token that makes the call."""
        caller = current_caller()
        token = await self._platform.database.read(lambda tx: _get(tx, caller.token_id))
        return token_pb2.GetOwnTokenResponse(token=token_message(token))

    def _row(
        self, text: TokenText, request: token_pb2.CreateTokenRequest, bot: str | None, owner: str
    ) -> TokenRow:
        now_us = self._platform.now_us()
        return TokenRow(
            id=text.id,
            role=Role(request.role),
            owner=owner,
            bot=bot,
            secret_sha256=text.secret_sha256,
            created_us=now_us,
            expires_us=now_us + request.expire_days * _US_PER_DAY if request.expire_days else None,
        )


def token_message(token: TokenRow) -> token_pb2.Token:
    """The token as a message, without its secret."""
    return token_pb2.Token(
        name=token_name(token.id),
        role=token_pb2.Role.ValueType(token.role.value),
        owner=owner_name(token.owner),
        bot="" if token.bot is None else bot_name(token.bot),
        create_time=timestamp(token.created_us),
        expire_time=timestamp(token.expires_us),
        revoked=token.revoked_us is not None,
        scopes=sorted(token_pb2.Scope.ValueType(scope.value) for scope in token.scopes),
        note=token.note,
        last_use_time=timestamp(token.last_used_us),
    )


def _holder(request: token_pb2.CreateTokenRequest) -> tuple[str | None, str]:
    """The bot that the token is for, or None and the owner. Raises InvalidArgumentError (FIELD_INVALID)."""
    if request.role == token_pb2.ROLE_BOT:
        return parse_bot("bot", request.bot), ""
    if request.role in (token_pb2.ROLE_OWNER, token_pb2.ROLE_ORGANISER):
        return None, parse_owner("owner", request.owner)
    raise InvalidArgumentError(
        ErrorReason.FIELD_INVALID, "role must be ROLE_BOT, ROLE_OWNER or ROLE_ORGANISER.", field="role"
    )


def _bot_owner(tx: Transaction, caller: Caller, bot: str) -> str:
    owner = tx.bots.get(bot).owner
    caller.check_owns(owner, bot_name(bot))
    return owner


def _check_expire_days(days: int) -> None:
    if days > MAX_EXPIRE_DAYS:
        raise InvalidArgumentError(
            ErrorReason.FIELD_INVALID,
            f"expire_days is {days}, but must be at most {MAX_EXPIRE_DAYS}.",
            field="expire_days",
        )


def _token_place(after: Place | None) -> TokenPlace | None:
    return None if after is None else TokenPlace(int(after[0]), str(after[1]))


def _get(tx: Transaction, token_id: str) -> TokenRow:
    token = tx.tokens.get(token_id)
    if token is None:
        raise NotFoundError(
            ErrorReason.TOKEN_NOT_FOUND,
            f"There is no token {token_id}; `arena token list` shows all.",
            token=token_id,
        )
    return token
