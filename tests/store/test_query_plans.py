"""No listing reads more than its page: every query finds its rows by an index (docs/storage.md)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from arena.core.match import MatchState
from arena.store.accounts.tokens import TokenPlace
from arena.store.ladders.entries import EntryPlace
from arena.store.matches.matches import MatchFilter
from arena.store.store import Store, Transaction
from tests.store.world import LADDER

Question = Callable[[Transaction], object]

PLACE = EntryPlace(1_500_000, "m")


def plan(store: Store, question: Question) -> str:
    """How SQLite answers the first query that the question asks."""
    asked: list[str] = []

    def ask(tx: Transaction) -> str:
        # The driver sees every statement, those that go past SQLAlchemy too, and with its values in it.
        driver: Any = tx._connection.connection.driver_connection
        driver.set_trace_callback(asked.append)
        question(tx)
        driver.set_trace_callback(None)
        statement = next(each for each in asked if each.startswith("SELECT"))
        return "\n".join(row[3] for row in driver.execute(f"EXPLAIN QUERY PLAN {statement}"))

    return store.read(ask)


def matches(which: MatchFilter) -> Question:
    """A page of matches."""
    return lambda tx: tx.matches.page(which, before=99, limit=5)


@pytest.mark.parametrize(
    ("question", "index"),
    [
        (matches(MatchFilter()), "INTEGER PRIMARY KEY (rowid<?)"),
        (matches(MatchFilter(ladder=LADDER)), "ix_matches_ladder_id (ladder=? AND id<?)"),
        (
            matches(MatchFilter(ladder=LADDER, state=MatchState.FINISHED)),
            "ix_matches_ladder_state_id (ladder=? AND state=? AND id<?)",
        ),
        (matches(MatchFilter(state=MatchState.ABORTED)), "ix_matches_state_id (state=? AND id<?)"),
        (matches(MatchFilter(bot="ant")), "ix_match_seats_bot_match_id (bot=? AND match_id<?)"),
        (lambda tx: tx.matches.unfinished(), "ix_matches_state_id (state=?)"),
        (lambda tx: tx.matches.of_group(3), "uq_matches_group_id_slot_voids|sqlite_autoindex_matches"),
        (lambda tx: tx.bots.page(show_hidden=True, after="ant", limit=5), "(id>?)"),
        (
            lambda tx: tx.bots.page(show_hidden=False, after="ant", limit=5),
            "ix_bots_hidden_id (hidden=? AND id>?)",
        ),
        (lambda tx: tx.bots.newest_versions(["ant"], 1), "ix_bot_versions_bot_created_us_label (bot=?)"),
        (
            lambda tx: tx.tokens.page(owner="ada", after=TokenPlace(5, "x"), limit=5),
            "ix_tokens_owner_created_us_id (owner=? AND (created_us,id)>(?,?))",
        ),
        (
            lambda tx: tx.tokens.page(owner=None, after=TokenPlace(5, "x"), limit=5),
            "ix_tokens_created_us_id ((created_us,id)>(?,?))",
        ),
        (lambda tx: tx.ladders.page(after="a", limit=5), "(id>?)"),
        (lambda tx: tx.ladders.count_matches(LADDER, MatchState.RUNNING), "ix_matches_ladder_state_id"),
        (
            lambda tx: tx.entries.standings(LADDER, after=PLACE, limit=5),
            "ix_ladder_entries_standings (ladder=? AND rating_milli=? AND bot>?)",
        ),
        (
            lambda tx: tx.entries.count_before(LADDER, PLACE),
            "ix_ladder_entries_standings (ladder=? AND rating_milli>?)",
        ),
        (lambda tx: tx.entries.active(LADDER), "ix_ladder_entries_ladder_active_bot (ladder=? AND active=?)"),
        (lambda tx: tx.groups.recent(LADDER, 5), "sqlite_autoindex_match_groups_1 (ladder=?)"),
        (lambda tx: tx.ledger.page(LADDER, after=7, limit=5), "(ladder=? AND seq>?)"),
        (lambda tx: tx.ledger.newest_seq(LADDER), "(ladder=?)"),
        (
            lambda tx: next(tx.ledger.rated_matches(LADDER), None),
            "ix_matches_ladder_state_id (ladder=? AND state=?)",
        ),
    ],
)
def test_a_listing_is_answered_by_an_index(store: Store, question: Question, index: str) -> None:
    found = plan(store, question)
    assert any(each in found for each in index.split("|")), found
    assert not re.search(r"SCAN (?!\(subquery|anon_)", found)
