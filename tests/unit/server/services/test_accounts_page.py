"""The table of docs/accounts.md says what the rules say: who may call what."""

import os
import re

from arena.server.auth.permissions import RULES, Right
from arena.store.accounts.tokens import Role
from tests.checkout import ROOT, text
from tests.unit.server.services.callers import Kind
from tests.unit.server.services.harness import METHODS
from tests.unit.server.services.test_ownership import ONES_OWN, OWNED

PAGE = "docs/accounts.md"
ROLES = (Role.BOT, Role.SPECTATOR, Role.OWNER, Role.ORGANISER)
HEAD = "| method | scope | without a token | bot | spectator | owner | organiser |\n|---|---|---|---|---|---|---|\n"
OWN_ALONE = {"ListDebugLines", "GetOwnToken"}
"""What not even organisers are shown of others."""


def cell(path: str, role: Role) -> str:
    """Return what a role may do with a method: nothing, something of its own, or all."""
    right = RULES[path].right
    if right is Right.PLAYER:
        return "yes" if role is Role.BOT else ""
    if Kind("", role).expected(path):
        return ""
    method = path.rpartition("/")[2]
    if method in OWNED or method in ONES_OWN:
        return "all" if role is Role.ORGANISER and method not in OWN_ALONE else "own"
    return "yes"


def table() -> str:
    """Return the table as docs/accounts.md has it."""
    lines = []
    for path in METHODS:
        service, method = path.removeprefix("/arena.v1.").split("/")
        rule = RULES[path]
        scope = "" if rule.scope is None else f"`{rule.scope.word}`"
        nobody = "yes" if rule.right is Right.ANYBODY else ""
        cells = [
            f"`{service.removesuffix('Service')}.{method}`",
            scope,
            nobody,
            *(cell(path, role) for role in ROLES),
        ]
        lines.append(f"| {' | '.join(cells)} |\n".replace("|  |", "| |").replace("|  |", "| |"))
    return HEAD + "".join(lines)


def test_the_page_has_the_table() -> None:
    page = text(PAGE)
    shown = re.search(re.escape(HEAD) + r"(\|.*\n)*", page)
    assert shown is not None
    if os.environ.get("UPDATE_GOLDENS"):
        (ROOT / PAGE).write_text(page.replace(shown[0], table()), encoding="utf-8")
        return
    assert shown[0] == table(), f"UPDATE_GOLDENS=1 writes it anew into {PAGE}"
