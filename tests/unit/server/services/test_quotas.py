"""Quotas: what a user may have of everything, and that no organiser is held up by them."""

from dataclasses import replace
from typing import Any

import grpc
import pytest

from arena.server.limits import CHANGES_A_DAY
from arena.store.accounts.tokens import Role
from arena.store.accounts.users import Quotas
from arena.store.audit.entries import Actor, AuditEntry, AuditKind
from arena.store.store import Transaction
from arena.v1 import errors_pb2, submission_pb2, token_pb2
from tests.unit.server.services.harness import DAY_US, Arena, RefusedError, refusal_of
from tests.unit.server.services.test_submission_service import LARGE, create, submit
from tests.unit.store.store_fixture import a_version

MIB = 1 << 20


def bound(arena: Arena, **quotas: int) -> None:
    """ada may have so much."""
    arena.change(lambda tx: tx.users.set_quotas("ada", Quotas(**quotas)))


def bot(arena: Arena, name: str, token: str = "ada") -> Any:
    """Register a bot of ada's."""
    return arena.call("CreateBot", token, bot_id=name, owner="owners/ada").bot


def token(arena: Arena, caller: str = "ada") -> Any:
    """Make a token of ada's."""
    return arena.call("CreateToken", caller, role=token_pb2.ROLE_OWNER, owner="users/ada").token


def too_much(work: Any, *args: Any, **more: Any) -> RefusedError:
    """How it is refused."""
    error = refusal_of(work, *args, **more)
    assert error.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    return error


def test_bots_are_counted_hidden_ones_too(arena: Arena) -> None:
    bound(arena, bots=2)
    bot(arena, "bee")
    arena.change(lambda tx: tx.bots.set_hidden("bee", True))
    refused = too_much(bot, arena, "cat")
    assert (refused.reason, refused.metadata["bound"]) == ("QUOTA_EXCEEDED", "2")
    assert bot(arena, "cat", "organiser").owner == "owners/ada"


def test_tokens_are_counted_as_long_as_they_are_live(arena: Arena) -> None:
    bound(arena, tokens=3)
    made = token(arena)
    assert too_much(token, arena).reason == "QUOTA_EXCEEDED"
    arena.call("RevokeToken", "ada", name=made.name)
    arena.add_token("short", Role.OWNER, "ada", expires_us=arena.now_us + 10)
    assert too_much(token, arena).reason == "QUOTA_EXCEEDED"
    arena.now_us += 10
    token(arena)
    assert too_much(token, arena).reason == "QUOTA_EXCEEDED"
    assert token(arena, "organiser").owner == "owners/ada"


@pytest.mark.parametrize(
    ("quotas", "size", "reason"),
    [({"archive_mib": 1}, MIB + 1, "ARCHIVE_TOO_LARGE"), ({"versions_mib": 0}, 10, "QUOTA_EXCEEDED")],
)
def test_an_archive_beyond_a_quota_is_not_announced_but_by_an_organiser(
    arena: Arena, quotas: dict[str, int], size: int, reason: str
) -> None:
    bound(arena, **quotas)
    archive: dict[str, Any] = {"archive_sha256": "ab" * 32, "archive_bytes": size}
    assert too_much(create, arena, **archive).reason == reason
    assert create(arena, token="organiser", **archive).state == submission_pb2.Submission.STATE_UPLOADING


def test_the_space_of_versions_is_counted_once_for_each_user(arena: Arena) -> None:
    """Content that one of their bots has already takes no more space for another one."""
    arena.change(lambda tx: tx.users.set_quotas("ada", Quotas(versions_mib=1)))
    bot(arena, "bee")
    first = submit(arena)
    assert first.state == submission_pb2.Submission.STATE_ADMITTED
    assert submit(arena, bot="bots/bee").version.endswith(first.version.rpartition("/")[2])
    sizes = arena.change(lambda tx: tx.bots.submitted_sizes("ada"))
    assert len(sizes) == 1
    assert sum(sizes.values()) == sum(
        path.stat().st_size for path in (arena.folder / "versions").rglob("*") if path.is_file()
    )


def test_a_version_that_does_not_fit_is_rejected_and_its_files_are_gone(arena: Arena) -> None:
    """How much an archive unpacks to, and is built to, is known only then."""
    bound(arena, versions_mib=1)
    bot(arena, "bee")
    taken = replace(a_version("bee", "ab" * 32, created_us=1), bytes=MIB - 10)
    arena.change(lambda tx: tx.bots.ensure_version(taken))
    last = submit(arena, LARGE)
    assert last.state == submission_pb2.Submission.STATE_REJECTED
    assert last.rejection.reason == errors_pb2.ERROR_REASON_QUOTA_EXCEEDED
    assert "the quota is 1" in last.rejection.sentence
    assert not list((arena.folder / "versions").glob("[0-9a-f]*"))
    assert submit(arena, LARGE, "organiser").state == submission_pb2.Submission.STATE_ADMITTED


def hide(arena: Arena, hidden: bool, caller: str = "ada") -> None:
    """ada's bot is hidden, or shown."""
    arena.call("SetBotHidden", caller, name="bots/ant", hidden=hidden)


def test_audited_changes_have_a_quota_a_day(arena: Arena) -> None:
    """Whoever makes and revokes tokens all day would fill the disk; to revoke one is never refused."""
    entry = AuditEntry(AuditKind.TOKEN, arena.now_us, "", actor=Actor("ada", arena.tokens["ada"].id))

    def much(tx: Transaction) -> None:
        for _ in range(CHANGES_A_DAY - 1):
            tx.audit.add(entry)

    arena.change(much)
    arena.now_us += 10
    made = token(arena)
    refused = too_much(token, arena)
    assert (refused.reason, refused.metadata["bound"]) == ("QUOTA_EXCEEDED", str(CHANGES_A_DAY))
    assert too_much(bot, arena, "bee").reason == too_much(hide, arena, True).reason == "QUOTA_EXCEEDED"
    hide(arena, False)  # as it is
    hide(arena, True, "organiser")
    arena.call("RevokeToken", "ada", name=made.name)
    arena.now_us += DAY_US - 10
    assert token(arena)


def test_hiding_a_hidden_bot_is_not_audited(arena: Arena) -> None:
    for _ in range(3):
        hide(arena, True)
    assert len(arena.audited()) == 1
