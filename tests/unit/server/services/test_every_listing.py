"""Row 30 of docs/bad_inputs.md for every method that pages, found by its descriptor."""

from typing import Any

import pytest
from google.protobuf.message_factory import GetMessageClass

from tests.unit.server.services.callers import METHODS
from tests.unit.server.services.harness import PAGE_TOKEN_INVALID, Arena, refusal_of
from tests.unit.store.store_fixture import StoreFixture

LISTINGS = {
    path: method for path, method in METHODS.items() if "page_size" in method.input_type.fields_by_name
}
OF_WHAT = {
    "/arena.v1.MatchService/ListDebugLines": {"name": "matches/1", "bot": "bots/bee"},
    "/arena.v1.LadderService/ListStandings": {"name": "ladders/main"},
    "/arena.v1.TournamentService/ListPairings": {"name": "tournaments/none"},
}
"""Listings of something, which has to be named."""


@pytest.fixture
def db(arena: Arena) -> StoreFixture:
    """Two bots on a ladder, with matches."""
    db = StoreFixture(arena.store)
    db.populate("bee", "cat")
    db.pair("bee", "cat")
    return db


def ask(arena: Arena, path: str, **fields: Any) -> Any:
    """Return the response to a request for a page."""
    method = LISTINGS[path]
    request = GetMessageClass(method.input_type)(**OF_WHAT.get(path, {}), **fields)
    return GetMessageClass(method.output_type).FromString(
        arena.raw(path, request.SerializeToString(), "organiser")
    )


@pytest.mark.parametrize("path", LISTINGS)
@pytest.mark.parametrize(
    "fields",
    [
        {"page_size": -1},
        {"page_size": -(2**31)},
        {"page_token": "x"},
        {"page_token": "é/../"},
        {"page_token": "A" * 64},
    ],
    ids=["negative", "most negative", "no base64", "no ASCII", "not signed"],
)
def test_row_30_an_invalid_page_is_refused(
    arena: Arena, db: StoreFixture, path: str, fields: dict[str, Any]
) -> None:
    refused = refusal_of(ask, arena, path, **fields)
    assert refused.status == PAGE_TOKEN_INVALID
    assert refused.metadata["field"] in fields


@pytest.mark.parametrize("path", LISTINGS)
def test_row_30_a_page_token_is_bound_to_its_listing(arena: Arena, db: StoreFixture, path: str) -> None:
    source = "/arena.v1.MatchService/ListMatches"
    token = ask(arena, source, page_size=1).next_page_token
    assert token
    if path == source:
        assert ask(arena, path, page_token=token).matches
        fields = {"bot": "bots/bee"}
    else:
        fields = {}
    assert refusal_of(ask, arena, path, page_token=token, **fields).reason == "PAGE_TOKEN_INVALID"
