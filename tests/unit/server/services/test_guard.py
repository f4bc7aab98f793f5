"""What stands around every call: authentication, and that faults of the arena stay inside (rows 1, 2, 46, 48)."""

import sqlite3
from pathlib import Path
from typing import NoReturn

import grpc
import pytest
from structlog.testing import capture_logs

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.wire.game_catalogue import GameCatalogue
from tests.unit.server.services.callers import OPENS_NOTHING, add_tokens
from tests.unit.server.services.harness import Arena, RefusedError
from tests.unit.store.store_fixture import StoreFixture


def refusal(arena: Arena, metadata: list[tuple[str, str]]) -> RefusedError:
    """How a call with this metadata is refused."""
    arena.metadata = lambda token: metadata  # type: ignore[method-assign]
    return arena.refusal("ListBots", None)


def test_a_call_without_a_token_gets_an_error_that_says_how_to_send_one(arena: Arena) -> None:
    """Row 1."""
    refused = refusal(arena, [])
    assert refused.status == ("UNAUTHENTICATED", "TOKEN_MISSING")
    assert "authorization: Bearer" in refused.sentence


def test_all_invalid_tokens_get_the_same_error(arena: Arena) -> None:
    """Row 2: malformed, wrong scheme, unknown, wrong secret, and every other kind of invalid token."""
    add_tokens(arena)
    good = arena.tokens["ada"]
    unknown = type(good)("ffffffffffff", good.secret)
    wrong_secret = type(good)(good.id, "f" * 64)
    invalid = [
        "",
        "Bearer",
        "Bearer nonsense",
        f"Basic {good}",
        f"Bearer {str(good)[:-1]}",
        f"Bearer {unknown}",
        f"Bearer {wrong_secret}",
        *(f"Bearer {arena.tokens.get(kind.name, kind.name)}" for kind in OPENS_NOTHING),
    ]
    refusals = [refusal(arena, [("authorization", value)]) for value in invalid]
    assert {(each.code, each.reason) for each in refusals} == {
        (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID")
    }
    assert len({each.sentence for each in refusals}) == 1


def test_the_scheme_is_read_in_any_case(arena: Arena) -> None:
    arena.metadata = lambda token: [("authorization", f"bearer {arena.tokens['ada']}")]  # type: ignore[method-assign]
    assert len(arena.call("ListBots", None).bots) == 1


def test_the_use_of_a_token_is_stored_to_the_minute(arena: Arena) -> None:
    for later_us, stored_us in ((0, 0), (59_999_999, 0), (1, 60_000_000), (1, 60_000_000)):
        arena.now_us += later_us
        arena.call("ListBots", "ada")
        token = arena.store.read(lambda tx: tx.tokens.get(arena.tokens["ada"].id))
        assert token is not None
        assert token.last_used_us == 1_700_000_000_000_000 + stored_us


def test_an_internal_error_is_logged_under_its_id(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 46."""

    def fail(catalogue: GameCatalogue) -> NoReturn:
        raise RuntimeError("the password is swordfish")

    monkeypatch.setattr(GameCatalogue, "games", fail)
    with capture_logs() as logs, pytest.raises(RefusedError) as refused:
        arena.call("ListGames", None)
    assert (refused.value.code, refused.value.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    assert refused.value.metadata == {"error_id": "error-17"}
    assert "swordfish" not in refused.value.sentence
    (line,) = logs
    assert (line["error_id"], line["method"]) == ("error-17", "/arena.v1.GameService/ListGames")
    assert "swordfish" in str(line["exc_info"])


def test_an_internal_error_in_a_stream_hides_its_details(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 46."""

    def fail(match: int) -> NoReturn:
        raise RuntimeError("the password is swordfish")

    db = StoreFixture(arena.store)
    db.populate("bee", "cat")
    match = db.pair("bee", "cat")[0]
    db.finish(match, 1, 2)
    monkeypatch.setattr(arena.logs, "read", fail)
    with capture_logs(), pytest.raises(RefusedError) as refused:
        arena.call("DownloadMatchLog", "ada", name=f"matches/{match}")
    assert (refused.value.code, refused.value.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    assert "swordfish" not in refused.value.sentence


def test_a_locked_database_is_unavailable_with_a_retry_delay(arena: Arena, tmp_path: Path) -> None:
    """Row 48: no acknowledgement, nothing stored."""
    arena.call("ListBots", "ada")
    arena.change(lambda tx: tx._connection.exec_driver_sql("PRAGMA busy_timeout = 1").scalar())
    holder = sqlite3.connect(tmp_path / "arena.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    refused = arena.refusal("CreateBot", "ada", bot_id="wasp")
    assert refused.status == ("UNAVAILABLE", "STORAGE")
    assert [retry.retry_delay.seconds for retry in refused.retries] == [1]
    assert [bot.name for bot in arena.call("ListBots", "ada").bots] == ["bots/ant"]
    holder.execute("ROLLBACK")
    holder.close()
    assert arena.call("CreateBot", "ada", bot_id="wasp").bot.name == "bots/wasp"


def test_a_permanent_error_has_no_retry_delay(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(catalogue: GameCatalogue) -> NoReturn:
        raise FailedPreconditionError(ErrorReason.LOG_SEALED, "Not now.")

    monkeypatch.setattr(GameCatalogue, "games", refuse)
    refused = arena.refusal("ListGames", None)
    assert refused.retries == []
