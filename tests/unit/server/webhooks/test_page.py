"""docs/webhooks.md is true: its code verifies what the arena signs, its example and tables name what is sent."""

import json
import re
import time
from collections.abc import Callable

import pytest

from arena.core.finished_match import FinishedMatch
from arena.server.tournament_results import TournamentResults
from arena.server.webhooks.bodies import TEST
from arena.server.webhooks.deliveries import GIVE_UP_S, MOST_LINES, best_lines
from arena.server.webhooks.signature import secret_text, signed_headers
from arena.store.tournaments.pairings import TournamentHistory
from arena.store.webhooks import notifications
from arena.store.webhooks.notifications import (
    admitted_data,
    match_data,
    node_data,
    rejected_data,
    suspended_data,
)
from arena.store.webhooks.outbox import MOST_PENDING, MOST_WEBHOOKS, NotificationType
from tests.checkout import text
from tests.unit.store.store_fixture import StoreFixture, a_result, a_tournament, open_store

PAGE = text("docs/webhooks.md")
SECRET, BODY = bytes(range(32)), b'{"type":"webhook.test"}'


@pytest.fixture(scope="module")
def verify() -> Callable[[str, dict[str, str], bytes], bool]:
    """Return the function of the page."""
    [code] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Callable[[str, dict[str, str], bytes], bool]] = {}
    exec(compile(code, "docs/webhooks.md", "exec"), names)
    return names["is_from_the_arena"]


def test_the_code_accepts_what_the_arena_signs_and_nothing_else(
    verify: Callable[[str, dict[str, str], bytes], bool],
) -> None:
    now, secret = int(time.time()), secret_text(SECRET)
    headers = signed_headers(SECRET, "m1", now, BODY)
    assert verify(secret, headers, BODY)
    assert not verify(secret, headers, BODY + b" ")
    assert not verify(secret, headers | {"webhook-id": "m2"}, BODY)
    assert not verify(secret_text(bytes(32)), headers, BODY)
    assert not verify(secret, signed_headers(SECRET, "m1", now - 3_600, BODY), BODY)


def rows() -> dict[str, str]:
    """Return the last cell of each line of the table, by type."""
    return dict(re.findall(r"^\| `([a-z_.]+)` \|.*\| ([^|]*) \|$", PAGE, re.MULTILINE))


def test_the_table_has_every_type() -> None:
    assert list(rows()) == [*(kind.word for kind in NotificationType), TEST]


def test_the_table_has_every_field(tmp_path) -> None:
    store = open_store(tmp_path)
    db = StoreFixture(store)
    db.populate("ant", "bee")
    match = db.match(db.pair("ant", "bee")[0])
    store.close()
    played = TournamentHistory((FinishedMatch(("ant", "bee"), (1, 2), (False, False)),), ())
    data = {
        "match.ended": match_data(match, a_result(1, 2)),
        "tournament.ended": {
            **notifications.tournament_data(a_tournament("cup", "ant", "bee")),
            "standings": best_lines(TournamentResults(a_tournament("cup", "ant", "bee"), played, None)),
        },
        "version.admitted": admitted_data("ant", 1, "1", plays=True),
        "version.rejected": rejected_data("ant", 1, "BUILD_FAILED"),
        "version.suspended": suspended_data("ant", "1", 1, 1),
        "node.lost": node_data("lab", ""),
    }
    named = {kind: re.findall(r"`([a-z_]+)`", cell) for kind, cell in rows().items()}
    for kind, fields in data.items():
        inner = [name for value in fields.values() if isinstance(value, list) for name in value[0]]
        assert named[kind] == [*fields, *inner]
    [example] = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    shown = json.loads(example)["data"]
    assert (list(shown), list(shown["seats"][0])) == (
        list(data["match.ended"]),
        list(data["match.ended"]["seats"][0]),
    )


def test_the_numbers_of_the_page_are_those_of_the_arena() -> None:
    assert (MOST_PENDING, MOST_WEBHOOKS, GIVE_UP_S, MOST_LINES) == (1_000, 20, 24 * 3_600, 10)
    for words in (
        "at most 10 lines",
        "At most 1000 notifications",
        "at most 20 webhooks",
        "older than 24 hours",
    ):
        assert words in PAGE
