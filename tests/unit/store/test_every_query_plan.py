"""Every question that the store answers, and every match, finds its rows by an index and in its order.

The questions are collected from the store itself: a new one is asked here too, and fails if it has no index.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, cast

import pytest

from arena.core.match import MatchState
from arena.store.accounts.idempotency import RequestKey
from arena.store.audit.entries import AuditEntry, AuditFilter, AuditKind
from arena.store.ladders.entries import EntryPlace
from arena.store.matches.bot_records import OpponentPlace
from arena.store.matches.matches import MatchFilter
from arena.store.repository import Repository
from arena.store.store import Transaction
from tests.unit.store.store_fixture import LADDER, VERSION, StoreFixture, a_tournament

SAMPLES: dict[str, object] = {
    "version": VERSION,
    "archive_sha256": "cd" * 32,
    "beginning": VERSION[:6],
    "bot": "ant",
    "bots": ["ant", "bee"],
    "code_sha256": bytes(32),
    "day": "2026-11-21",
    "each": 2,
    "each_side": 3,
    "group": 1,
    "groups": [1],
    "kind": "tournament",
    "invite_id": "0" * 12,
    "key": RequestKey("ada", "r", "CreateBot", b""),
    "ladder": LADDER,
    "label": VERSION,
    "limit": 5,
    "match": 1,
    "matches": [1, 2],
    "name": "cup2",
    "newer": 3,
    "number": 1,
    "owner": "ada",
    "place": EntryPlace(1_500_000, "bee"),
    "show_hidden": False,
    "season": 1,
    "since_us": 0,
    "round_number": 1,
    "row": a_tournament(),
    "state": MatchState.RUNNING,
    "token_id": "t",
    "team": "lions",
    "tournament": "cup",
    "user": "ada",
    "webhook": "0" * 12,
    "webhook_id": "0" * 12,
    "withdrawals": (),
    "now_us": 5,
}
"""What questions are asked with, by the name of the parameter."""

PLACES: dict[str, dict[str, Iterable[object]]] = {
    "audit.page": {
        "before": (None, 99),
        "wanted": (
            AuditFilter(),
            AuditFilter(kind=AuditKind.MATCH_VOID),
            AuditFilter(about="bots/ant"),
            AuditFilter(user="ada"),
            AuditFilter(since_us=0),
            AuditFilter(since_us=10**18),
            AuditFilter(about="bots/ant", since_us=0),
        ),
    },
    "announcements.page": {"after": (None, 3)},
    "invites.page": {"after": (None, (5, "x"))},
    "tokens.page": {"after": (None, (5, "x")), "owner": (None, "ada")},
    "bot_records.opponents": {
        "after": (None, OpponentPlace(1, "bee")),
        "ladder": (None, LADDER),
        "public": (True, False),
    },
    "bot_records.endings": {"ladder": (None, LADDER), "public": (True, False)},
    "bot_records.totals": {"ladder": (None, LADDER), "public": (True, False)},
    "frozen_standings.page": {"after": (None, (False, 3))},
    "ledger.history": {"until": (None, 99)},
    "entries.of_bot": {"after": (None, "a"), "show_hidden": (True, False)},
    "bots.versions_page": {"before": (None, (5, "x"))},
    "users.page": {"after": (None, "ada")},
    "teams.page": {"after": (None, "lions")},
    "submissions.page": {"before": (None, 99)},
    "bots.page": {"after": (None, "ant"), "show_hidden": (True, False)},
    "ladders.page": {"after": (None, "a"), "show_hidden": (True, False), "show_archived": (True, False)},
    "seasons.page": {"before": (None, 99)},
    "ledger.marks": {"after": (0,)},
    "entries.standings": {
        "after": (None, EntryPlace(1_500_000, "ant"), EntryPlace(1_500_000, "ant", played=False))
    },
    "tournaments.page": {
        "before": (None, (5, "x")),
        "show_hidden": (True, False),
        "show_archived": (True, False),
    },
    "pairings.page": {"after": (3,)},
    "rounds.page": {"after": (0,)},
    "ledger.page": {"after": (0,)},
    "export_order.page": {
        "after": (0,),
        "until": (99,),
        "ladder": (None, LADDER),
        "tournament": (None, "cup"),
    },
    "matches.page": {
        "before": (None, 99),
        "which": (
            MatchFilter(),
            MatchFilter(ladder=LADDER),
            MatchFilter(tournament="cup"),
            MatchFilter(bot="ant"),
            MatchFilter(state=MatchState.FINISHED),
            MatchFilter(ladder=LADDER, state=MatchState.FINISHED),
            MatchFilter(tournament="cup", state=MatchState.FINISHED),
            MatchFilter(public=True),
            MatchFilter(ladder=LADDER, public=True),
        ),
    },
}
"""Where listings begin, and what they are narrowed to."""

CHANGES = {
    "announcements.add",
    "announcements.remove",
    "audit.add",
    "outbox.remove",
    "bots.ensure_version",
    "hosting.admitted",
    "hosting.suspend",
    "hosting.resume",
    "submissions.add",
    "groups.add_matches",
    "groups.create",
    "ladders.next_group_number",
    "ladders.next_ledger_seq",
    "matches.add",
    "matches.start",
    "pairings.give_up",
    "rulings.replay",
    "seasons.close",
    "seasons.swap",
    "rulings.void",
    "tournaments.withdraw",
    "users.ensure",
}
"""They answer, but change something."""

BOUNDED = {
    "bot_records.endings": "sorts the few ways in which seats end",
    "bot_records.opponents": "sorts the opponents of one bot by the number of matches",
    "frozen_standings.hidden": "sorts the lines of one ladder, when an organiser reveals a rank",
    "void_counts.all": "counts the seats of all matches, when an organiser asks",
    "logs.all": "is all logs",
    "hosting.all": "every bot that the arena runs counts",
    "matches.of_group": "sorts the matches of one group",
    "pairings.page": "sorts the matches of the pairings of a page",
    "pairings.played": "sorts the matches of one round",
    "solo_boards.all": "every board counts for every score",
    "solo_boards.counted": "counts all boards again, when they are recomputed",
}
"""May sort or go through a table, and why."""


def questions() -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield all that a transaction answers, "kind.method"."""
    for kind, tables in vars(Transaction(cast(Any, None))).items():
        for name, method in vars(type(tables)).items():
            public = not name.startswith("_") and inspect.isfunction(method)
            if (
                isinstance(tables, Repository)
                and public
                and inspect.signature(method).return_annotation not in {None, "None"}
            ):
                yield f"{kind}.{name}", method


def ways_to_ask(name: str, method: Callable[..., object]) -> list[dict[str, object]]:
    """Return the values to ask a question with: all that are known for its parameters, together."""
    parameters = [each for each in inspect.signature(method).parameters if each != "self"]
    ways: list[dict[str, object]] = [{}]
    for each in parameters:
        known = PLACES.get(name, {}).get(each) or (SAMPLES[each],)
        ways = [{**way, each: value} for way in ways for value in known]
    return ways


def driver_of(tx: Transaction) -> Any:
    """Return the connection of sqlite3."""
    return tx._connection.connection.driver_connection


def plans(driver: Any, asked: Iterable[str]) -> dict[str, str]:
    """How SQLite answers each of these statements that reads or changes rows."""
    statements = {each for each in asked if re.match("SELECT|UPDATE|DELETE", each)}
    return {
        each: "\n".join(row[3] for row in driver.execute(f"EXPLAIN QUERY PLAN {each}")) for each in statements
    }


def go_wrong(tx: Transaction) -> None:
    """Store a void match and its entry."""
    tx.void_counts.add(["ant"])
    tx.audit.add(AuditEntry(AuditKind.MATCH_VOID, 5, "It was void.", ("bots/ant",)))


def bad(plans: Mapping[str, str]) -> dict[str, str]:
    """Those that go through a table beyond a page of it, or sort rows that an index could have given in order."""
    return {statement: plan for statement, plan in plans.items() if _is_bad(statement, plan)}


def _is_bad(statement: str, plan: str) -> bool:
    whole = (
        re.search(r"^SCAN (?!CONSTANT|\(|\w+ VIRTUAL TABLE)", plan, re.MULTILINE) and "LIMIT" not in statement
    )
    return bool(whole or re.search("TEMP B-TREE FOR .*(ORDER|GROUP) BY", plan))


@pytest.mark.parametrize("name", [name for name, _ in questions() if name not in CHANGES])
def test_a_question_to_the_store_is_answered_by_an_index(db: StoreFixture, name: str) -> None:
    db.populate("ant", "bee")
    db.finish(db.pair("ant", "bee")[0], 1, 2)
    db.submit("ant", VERSION)
    db.store.write(go_wrong)
    method = dict(questions())[name]
    kind, _, called = name.partition(".")

    def ask(tx: Transaction) -> dict[str, str]:
        driver, asked = driver_of(tx), list[str]()
        driver.set_trace_callback(asked.append)
        for way in ways_to_ask(name, method):
            if name.endswith(".get") and way.keys() & {
                "season",
                "team",
                "tournament",
                "token_id",
                "invite_id",
                "webhook_id",
            }:
                continue  # there is none; it is found as `find` finds it
            answer = getattr(getattr(tx, kind), called)(**way)
            if isinstance(answer, Iterator):
                list(answer)
        driver.set_trace_callback(None)
        return plans(driver, asked)

    found = db.store.read(ask)
    assert (bad(found) != {}) == (name in BOUNDED), found


def test_a_whole_match_from_its_pairing_to_its_rating_goes_by_indexes(db: StoreFixture) -> None:
    db.populate("ant", "bee")
    driver, asked = db.store.write(driver_of), list[str]()  # the only connection that writes
    driver.set_trace_callback(asked.append)
    for match in db.pair("ant", "bee"):
        db.finish(match, 1, 2)
    driver.set_trace_callback(None)
    found = plans(driver, asked)
    assert len(found) > 10
    assert all("(group_id=?)" in plan for plan in bad(found).values()), (
        "only the matches of one group are sorted"
    )
