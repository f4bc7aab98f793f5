"""TokenService: hands out tokens, shows them without their secrets, ends their lives."""
# ruff: noqa: N802 - the methods are named as in the .proto

from __future__ import annotations

from collections.abc import Callable

from arena.core.errors import ErrorReason, NotFoundError
from arena.core.tokens import new_token
from arena.server.auth.authentication import check_still_opens
from arena.server.auth.permissions import Rule, check_rule, current_caller, right_over
from arena.server.auth.revocation import REVOKED
from arena.server.context import Context
from arena.server.services.decisions import carried_out, decided
from arena.server.services.new_token import read_new_token, store_new_token
from arena.server.services.paging import Place
from arena.server.services.service_context import ServiceContext
from arena.store.accounts.tokens import TokenPlace, TokenRow
from arena.store.audit.entries import AuditKind
from arena.store.store import Transaction
from arena.v1 import token_pb2, token_pb2_grpc
from arena.wire.resource_names import bot_name, owner_name, parse_token, token_name, user_name
from arena.wire.timestamps import timestamp


class TokenService(token_pb2_grpc.TokenServiceServicer):
    """Keeps the tokens."""

    def __init__(self, platform: ServiceContext, random_bytes: Callable[[int], bytes]) -> None:
        """`random_bytes`: `secrets.token_bytes` in a real arena."""
        self._platform = platform
        self._random_bytes = random_bytes

    async def CreateToken(
        self, request: token_pb2.CreateTokenRequest, context: Context
    ) -> token_pb2.CreateTokenResponse:
        """The token is stored; its secret is in the response and nowhere else."""
        caller, now_us = current_caller(), self._platform.now_us()
        new, text = read_new_token(request, caller), new_token(self._random_bytes)

        def make(tx: Transaction) -> tuple[TokenRow, bool]:
            known = new.bot is not None or tx.users.find(new.owner) is not None
            return store_new_token(tx, new, caller, text, now_us), not known

        token, user_made = await self._platform.database.write(make)
        return token_pb2.CreateTokenResponse(
            token=token_message(token), secret=str(text), user_made=user_made
        )

    async def ListTokens(
        self, request: token_pb2.ListTokensRequest, context: Context
    ) -> token_pb2.ListTokensResponse:
        """Tokens, oldest first: a user's own and those of his bots, an organiser's all."""
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
        """The token is revoked; its connections and calls are about to end."""
        caller, token_id = current_caller(), parse_token("name", request.name)
        now_us = self._platform.now_us()

        def change(tx: Transaction) -> TokenRow:
            check_still_opens(tx, caller, now_us)
            before = _get(tx, token_id)
            caller.check_owns(before.owner, request.name)
            if not before.role.within(caller.role):
                # A spectator's token that was lent, or lost, must not lock its user out.
                check_rule(
                    f"Revoking the token of {before.role.person}", Rule(right_over(before.role)), caller
                )
            if before.revoked_us is None:
                tx.tokens.revoke(token_id, now_us)
                of = before.owner if before.bot is None else f"{before.owner}'s bot {before.bot}"
                what = f"The token {token_id} of {of} was revoked."
                about = request.name, user_name(before.owner)
                decided(tx, AuditKind.TOKEN, caller, now_us, what, *about)
            return _get(tx, token_id)

        async def revoke() -> TokenRow:
            token = await self._platform.database.write(change)
            self._platform.live.end_calls((token_id,), REVOKED)
            return token

        return token_pb2.RevokeTokenResponse(token=token_message(await carried_out(revoke())))

    async def GetOwnToken(
        self, request: token_pb2.GetOwnTokenRequest, context: Context
    ) -> token_pb2.GetOwnTokenResponse:
        """The token that makes the call."""
        caller = current_caller()
        token = await self._platform.database.read(lambda tx: _get(tx, caller.token_id))
        return token_pb2.GetOwnTokenResponse(token=token_message(token))


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
