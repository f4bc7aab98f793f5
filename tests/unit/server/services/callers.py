"""Every kind of caller there is, with a token of each; and every method that there is to call."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from arena.server.auth.permissions import RULES, SCOPES, Right
from arena.store.accounts.tokens import Role, Scope
from arena.store.store import Transaction
from tests.unit.server.services.harness import Arena

GUARDED: Final = sorted(path for path, rule in RULES.items() if rule.right is not Right.PLAYER)
"""All methods but Play, which guards itself."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of caller."""

    name: str
    role: Role | None = None
    """None: the caller has no token, or one that is not valid."""
    scopes: frozenset[Scope] = frozenset()
    refusal: str = ""
    """The reason with which every method with a rule refuses the caller."""

    def expected(self, path: str) -> str:
        """Return the reason of the refusal by the method's rule; empty if the call is allowed."""
        rule = RULES[path]
        if rule.right is Right.ANYBODY:
            return ""
        if self.role is None:
            return self.refusal
        if self.role not in ADMITTED[rule.right]:
            return "ROLE_REQUIRED"
        return (
            "SCOPE_REQUIRED"
            if self.scopes and rule.scope is not None and rule.scope not in self.scopes
            else ""
        )


ADMITTED: Final = {
    Right.SPECTATOR: {Role.SPECTATOR, Role.OWNER, Role.ORGANISER},
    Right.OWNER: {Role.OWNER, Role.ORGANISER},
    Right.ORGANISER: {Role.ORGANISER},
}
"""Written here once more: the table of the arena could be wrong."""

NOBODY: Final = Kind("nobody", refusal="TOKEN_MISSING")
OPENS_NOTHING: Final = tuple(
    Kind(name, refusal="TOKEN_INVALID")
    for name in ("garbage", "an unknown token", "revoked", "expired", "of a disabled user", "above its user")
)
WHOLE: Final = (
    Kind("ant", Role.BOT),
    Kind("sam", Role.SPECTATOR),
    Kind("ada", Role.OWNER),
    Kind("bob", Role.OWNER),
    Kind("organiser", Role.ORGANISER),
)


def scoped_kinds() -> Iterator[Kind]:
    """Each role with each single scope that it may have."""
    for role, scopes in SCOPES.items():
        for scope in sorted(scopes, key=lambda each: each.value):
            yield Kind(f"{role.name.lower()} with {scope.word}", role, frozenset({scope}))


KINDS: Final = (NOBODY, *OPENS_NOTHING, *WHOLE, *scoped_kinds())


def add_tokens(arena: Arena) -> None:
    """All kinds have their tokens, by their names; the arena has the organiser, ada, bob and ant already."""
    users = {Role.SPECTATOR: "sam", Role.OWNER: "ada", Role.ORGANISER: "root"}
    arena.add_token("sam", Role.SPECTATOR, "sam")
    for kind in scoped_kinds():
        assert kind.role is not None
        arena.add_token(kind.name, kind.role, users[kind.role], scopes=kind.scopes)
    for name, owner in (("revoked", "ada"), ("of a disabled user", "dan"), ("above its user", "bob")):
        arena.add_token(name, Role.ORGANISER if name.startswith("above") else Role.OWNER, owner)
    arena.add_token("expired", Role.OWNER, "ada", expires_us=arena.now_us)

    def end(tx: Transaction) -> None:
        tx.tokens.revoke(arena.tokens["revoked"].id, arena.now_us)
        tx.users.set_disabled("dan", True)

    arena.change(end)


def token_of(kind: Kind) -> str | None:
    """Return the caller's token, or a name that the harness knows."""
    if kind is NOBODY:
        return None
    return {"garbage": "arn_nonsense", "an unknown token": f"arn_{'0' * 12}_{'0' * 64}_00000000"}.get(
        kind.name, kind.name
    )
