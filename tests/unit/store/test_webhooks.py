"""The outbox: notifications are stored with what they are about, for those who want them."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.pool.base import _ConnectionFairy

from arena.core.match import MatchState
from arena.store.matches.results import MatchReport, ReplacementMatch
from arena.store.store import Transaction
from arena.store.webhooks import outbox
from arena.store.webhooks.outbox import NotificationType, PendingNotification
from tests.unit.store.store_fixture import LADDER, StoreFixture, a_ladder, a_result, a_tournament
from tests.unit.store.webhook_rows import a_webhook, notifications

ENDED, LEFT = NotificationType.MATCH_ENDED, NotificationType.MATCH_LEFT_TO_ORGANISER


def add(db: StoreFixture, name: str, *types: NotificationType, ladder: str | None = None) -> None:
    """Create a webhook."""
    db.store.write(lambda tx: tx.webhooks.add(a_webhook(*types, name=name, ladder=ladder)))


def put(db: StoreFixture, number: int = 0) -> None:
    """Store a notification."""
    db.store.write(lambda tx: tx.outbox.put(ENDED, {"number": number}, db.now_us))


def waiting(db: StoreFixture, name: str) -> list[PendingNotification]:
    """Return what waits for a webhook, in order."""
    return db.store.read(lambda tx: notifications(tx, name))


def test_the_end_of_a_match_is_stored_for_those_who_want_it(db: StoreFixture, pair: tuple[int, ...]) -> None:
    db.store.write(lambda tx: tx.ladders.add(a_ladder("other")))
    add(db, "all", ENDED, LEFT)
    add(db, "main", ENDED, ladder=LADDER)
    add(db, "other", ENDED, ladder="other")
    add(db, "left", LEFT)
    db.finish(pair[0], 1, 2)
    [told] = waiting(db, "main")
    assert [each.data for each in waiting(db, "all")] == [told.data]
    assert waiting(db, "other") == waiting(db, "left") == []
    assert (told.type, told.created_us, told.attempts) == (ENDED, db.now_us + 500, 0)
    data = dict(told.data)
    seats = data.pop("seats")
    assert data == {
        "match": f"matches/{pair[0]}",
        "path": f"/matches/{pair[0]}",
        "ladder": "ladders/main",
        "tournament": "",
        "game": "caravan",
        "rated": True,
        "state": "finished",
        "ending": "FINAL_DELIVERY",
        "plies": 40,
        "void_reason": "",
    }
    assert list(data)[:3] == ["match", "path", "ladder"]  # as on the page
    assert seats[1] == {
        "seat": 1,
        "bot": "bots/bee",
        "version": "1",
        "placing": 2,
        "score": 48,
        "termination": "normal",
    }


def test_a_void_match_is_told_of_only_if_it_is_left_to_the_organiser(
    db: StoreFixture, pair: tuple[int, ...]
) -> None:
    add(db, "all", ENDED, LEFT)
    replay = db.abort(pair[0], ReplacementMatch(1, bytes(32))).replay
    assert replay is not None
    assert waiting(db, "all") == []
    db.abort(replay, None)
    assert [(each.type, each.data["match"]) for each in waiting(db, "all")] == [(LEFT, f"matches/{replay}")]


def test_a_match_that_is_recorded_twice_is_told_of_once(db: StoreFixture, pair: tuple[int, ...]) -> None:
    add(db, "all", ENDED)
    db.finish(pair[0], 1, 2)
    db.report(MatchReport(pair[0], a_result(1, 2), bytes(32), "ab" * 32))
    assert len(waiting(db, "all")) == 1


def test_a_notification_is_stored_with_what_it_is_about_or_not_at_all(
    db: StoreFixture, pair: tuple[int, ...]
) -> None:
    add(db, "all", ENDED)

    def fails(tx: Transaction) -> None:
        tx.record_result(MatchReport(pair[0], a_result(1, 2), bytes(32), "ab" * 32), now_us=5)
        assert tx.outbox.pending("all") == 1
        raise KeyError

    with pytest.raises(KeyError):
        db.store.write(fails)
    assert db.match(pair[0]).state is MatchState.RUNNING
    assert waiting(db, "all") == []


def test_without_a_webhook_a_result_asks_and_stores_nothing_of_them(
    db: StoreFixture, pair: tuple[int, ...]
) -> None:
    db.finish(pair[0], 1, 2)  # the first of a connection looks which types are wanted
    asked = statements(db, lambda: db.finish(pair[1], 1, 2))
    assert asked
    assert not [each for each in asked if "webhooks" in each or "notifications" in each]


def statements(db: StoreFixture, work: Callable[[], object]) -> list[str]:
    """Return the SQL that the connection that writes runs meanwhile."""
    asked: list[str] = []
    cursor = _ConnectionFairy.cursor

    class Recording:
        """A cursor that notes what it is given."""

        def __init__(self, real: Any) -> None:
            self._cursor = real

        def execute(self, sql: str, *values: Any) -> Any:
            asked.append(sql)
            return self._cursor.execute(sql, *values)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._cursor, name)

    def record(connection: Any, *arguments: Any) -> Recording:
        return Recording(cursor(connection, *arguments))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_ConnectionFairy, "cursor", record)
        work()
    return asked


def test_the_end_of_a_tournament_is_told_of_once(db: StoreFixture) -> None:
    db.populate("ant", "bee")
    add(db, "all", NotificationType.TOURNAMENT_ENDED)
    db.store.write(lambda tx: tx.tournaments.add(a_tournament("cup", "ant", "bee")))
    for _ in range(2):
        db.store.write(lambda tx: tx.tournaments.finish("cup", db.now_us))
    [told] = waiting(db, "all")
    assert (told.data["tournament"], told.data["format"], told.data["bots"]) == (
        "tournaments/cup",
        "round_robin",
        2,
    )


def test_beyond_the_most_the_oldest_are_dropped_and_counted(
    db: StoreFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "MOST_PENDING", 3)
    add(db, "all", ENDED)
    for number in range(5):
        put(db, number)
    assert [each.data["number"] for each in waiting(db, "all")] == [2, 3, 4]
    assert db.store.read(lambda tx: tx.webhooks.get("all").dropped) == 2


def test_a_deletion_that_is_rolled_back_loses_no_notification(db: StoreFixture) -> None:
    add(db, "all", ENDED)

    def fails(tx: Transaction) -> None:
        tx.webhooks.remove("all")
        tx.outbox.put(ENDED, {}, 5)
        raise KeyError

    with pytest.raises(KeyError):
        db.store.write(fails)
    put(db)
    assert len(waiting(db, "all")) == 1


def test_a_webhook_is_deleted_with_what_waits_for_it(db: StoreFixture) -> None:
    add(db, "all", ENDED)
    put(db)
    db.store.write(lambda tx: tx.webhooks.remove("all"))
    put(db)
    assert db.store.read(lambda tx: (tx.webhooks.all(), tx.outbox.pending("all"))) == ((), 0)
