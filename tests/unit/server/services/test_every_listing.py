"""Every method that pages, found by its descriptor: its order, and row 30 of docs/bad_inputs.md."""

from typing import Any

import pytest

from arena.server.services.paging import ListRequest, PageRequest, Pages
from tests.unit.server.services.harness import METHODS, PAGE_TOKEN_INVALID, Arena
from tests.unit.store.store_fixture import VERSION

LISTINGS = [each.name for each in METHODS.values() if "page_size" in each.input_type.fields_by_name]

OF_WHAT = {
    "GetBotRecord": {"bot": "bots/cat"},
    "ListBotStandings": {"bot": "bots/cat"},
    "ListDebugLines": {"name": "matches/1", "bot": "bots/bee"},
    "ListPairings": {"name": "tournaments/taken"},
    "ListRounds": {"name": "tournaments/rounds"},
    "ListSeasons": {"ladder": "ladders/main"},
    "ListStandings": {"name": "ladders/main"},
    "ListSubmissions": {"bot": "bots/ant"},
    "ListVersions": {"bot": "bots/ant"},
}
"""Listings of something, which has to be named."""

ROWS = {
    "ListBots": [f"bots/{bot}" for bot in ("ant", "bee", "cat", "dog", "outcast")],
    "GetBotRecord": ["bots/bee"],
    "ListBotStandings": ["ladders/main", "ladders/solo"],
    "ListVersions": [f"bots/ant/versions/{label}" for label in (VERSION, "aa" * 32, "1.0")],
    "ListSubmissions": ["bots/ant/submissions/2", "bots/ant/submissions/1"],
    "ListMatches": ["matches/2", "matches/1"],
    "ListDebugLines": ["line 0", "line 1", "line 2"],
    "ListLadders": ["ladders/main", "ladders/solo"],
    "ListSeasons": [1],
    "ListStandings": ["bots/bee", "bots/cat", "bots/dog"],
    "ListTournaments": ["tournaments/rounds", "tournaments/later", "tournaments/taken"],
    "ListPairings": [1, 2, 3],
    "ListRounds": [1, 2],
    "ListUserProgress": [f"users/{user}" for user in ("ada", "bob", "out", "root", "sam")],
    "ListUsers": [f"users/{user}" for user in ("ada", "bob", "out", "root", "sam")],
    "ListTeams": ["teams/lions", "teams/tigers"],
    "ListInvites": [f"invites/{digit * 12}" for digit in "01"],
    "ListTokens": ["organiser", "ada", "bob", "ant", "reader", "sam", "spare", "outcast"],
    "ListAnnouncements": ["The doors open at nine.", "The ladder closes at six."],
    "ListAuditEntries": [f"auditEntries/{number}" for number in (4, 3, 2, 1)],
}
"""What `populated` has to list, in order."""


def caller_of(method: str) -> str:
    """Return somebody who may see the listing."""
    return "ada" if method == "ListDebugLines" else "organiser"


def ask(arena: Arena, method: str, **fields: Any) -> Any:
    """Return a page."""
    return arena.call(method, caller_of(method), **{**OF_WHAT.get(method, {}), **fields})


def shown(arena: Arena, page: Any) -> list[object]:
    """Return what identifies each row of a page."""
    names = {f"tokens/{token.id}": name for name, token in arena.tokens.items()}
    rows = next(list(value) for field, value in page.ListFields() if field.is_repeated)
    if rows[0].DESCRIPTOR.name == "UserProgress":
        rows = [row.user for row in rows]
    key = next(
        key for key in ("number", "text", "name", "bot", "ladder") if key in rows[0].DESCRIPTOR.fields_by_name
    )
    return [names.get(getattr(row, key), getattr(row, key)) for row in rows]


@pytest.mark.parametrize("size", [1, 2, 2_000_000])
@pytest.mark.parametrize("method", LISTINGS)
def test_pages_together_are_the_whole_listing_in_its_order(populated: Arena, method: str, size: int) -> None:
    found: list[object] = []
    token, pages = "", 0
    while token or not pages:
        page = ask(populated, method, page_size=size, page_token=token)
        found += shown(populated, page)
        token, pages = page.next_page_token, pages + 1
    assert found == ROWS[method]
    assert pages == -(-len(found) // size)


@pytest.mark.parametrize("method", LISTINGS)
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("page_size", -1),
        ("page_size", -(2**31)),
        ("page_token", "x"),
        ("page_token", "é/../"),
        ("page_token", "A" * 64),
    ],
    ids=["negative", "most negative", "no base64", "no ASCII", "not signed"],
)
def test_row_30_an_invalid_page_is_refused(populated: Arena, method: str, field: str, value: object) -> None:
    refused = populated.refusal(method, caller_of(method), **{**OF_WHAT.get(method, {}), field: value})
    assert refused.status == PAGE_TOKEN_INVALID
    assert refused.metadata["field"] == field


@pytest.mark.parametrize("method", LISTINGS)
def test_row_30_a_page_token_is_bound_to_its_listing(populated: Arena, method: str) -> None:
    token = ask(populated, "ListMatches", page_size=1).next_page_token
    assert token
    fields = {"bot": "bots/bee"} if method == "ListMatches" else OF_WHAT.get(method, {})
    refused = populated.refusal(method, caller_of(method), **fields, page_token=token)
    assert refused.reason == "PAGE_TOKEN_INVALID"


@pytest.mark.parametrize("method", LISTINGS)
def test_no_page_has_more_than_a_hundred_rows(
    populated: Arena, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However large it is wanted: matches in play wait while a call reads and encodes its rows."""
    sizes: list[int] = []
    read = Pages.read

    def noted(self: Pages, request: ListRequest, *filters: str) -> PageRequest:
        page = read(self, request, *filters)
        sizes.append(page.size)
        return page

    monkeypatch.setattr(Pages, "read", noted)
    ask(populated, method, page_size=1_000)
    assert sizes == [100]
