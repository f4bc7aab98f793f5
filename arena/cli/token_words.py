"""What people call roles and scopes: "owner" for ROLE_OWNER, "read" for SCOPE_READ."""

from __future__ import annotations

from enum import StrEnum

from arena.v1 import token_pb2


class ScopeName(StrEnum):
    """A part of what a role may do."""

    READ = "read"
    BOTS = "bots"
    COMPETE = "compete"
    PRIVATE = "private"
    TOKENS = "tokens"
    ORGANISE = "organise"
    OVERSEE = "oversee"

    @property
    def on_wire(self) -> token_pb2.Scope.ValueType:
        """The scope of the .proto."""
        return token_pb2.Scope.Value(f"SCOPE_{self.name}")


def role_word(role: token_pb2.Role.ValueType) -> str:
    """The role as people call it; a number for one of a newer arena."""
    known = role in token_pb2.Role.values()
    return token_pb2.Role.Name(role).removeprefix("ROLE_").lower() if known else str(role)


def somebody(role: token_pb2.Role.ValueType) -> str:
    """Who has the role, for example "an owner"."""
    word = role_word(role)
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def may_do(token: token_pb2.Token) -> str:
    """What a token is for: the scopes that it names, or all of its role."""
    if token.role == token_pb2.ROLE_BOT:
        return "play"
    names = token_pb2.Scope
    words = [
        names.Name(scope).removeprefix("SCOPE_").lower() if scope in names.values() else str(scope)
        for scope in token.scopes
    ]
    return ", ".join(words) or "all of its role"
