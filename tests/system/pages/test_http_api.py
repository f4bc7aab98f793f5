"""The HTTP API: what the gRPC methods say, as JSON, to those who may read it; and whatever is asked, a clear answer."""

import json
from collections.abc import Mapping
from typing import Any

import grpc
import pytest
import schemathesis
from google.protobuf.json_format import MessageToDict, ParseDict
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from arena.pages.api_methods import EVENTS, PREFIX, READS, ReadMethod
from arena.pages.openapi import openapi_document
from arena.server.auth.permissions import RULES, Right
from arena.store.accounts.tokens import Scope
from tests.system.pages.conftest import World
from tests.system.pages.pages_process import Answer, PagesProcess
from tests.unit.server.services.harness import METHODS

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)
HTTP = {
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.FAILED_PRECONDITION: 409,
    grpc.StatusCode.PERMISSION_DENIED: 403,
}


def place_of(method: ReadMethod, world: World) -> str:
    """Return a place of the method at which there is something."""
    ids = {
        "games": "caravan",
        "bots": "ant",
        "ladders": "open",
        "tournaments": "later",
        "matches": world.public.removeprefix("matches/"),
        "users": "alice",
        "teams": "reds",
        "auditEntries": "1",
    }
    return method.path.format(id=ids.get(method.path.split("/")[1], ""), number=1)


def get(pages: PagesProcess, place: str, token: str = "", **headers: str) -> Answer:
    """Return the answer for a place below /v1."""
    own = {"Authorization": f"Bearer {token}"} if token else {}
    return pages.get(f"{PREFIX.strip('/')}{place}", **own, **headers)


def error_of(answer: Answer) -> dict[str, Any]:
    """Return what a refusal says."""
    assert answer.headers["content-type"] == "application/json"
    error: dict[str, Any] = json.loads(answer.body)["error"]
    assert error["status"] == answer.status
    assert error["message"]
    return error


def said_by_grpc(world: World, method: ReadMethod, place: str, token: str) -> tuple[int, dict[str, Any]]:
    """Return the status, and the answer as JSON, of the gRPC method itself."""
    fields = {method.name_field: place.removeprefix("/")} if method.name_field else {}
    if method.name_field:
        depth = len(method.name_form.split("/"))
        fields = {method.name_field: "/".join(place.strip("/").split("/")[:depth])}
    request = ParseDict(fields, method.request_class())
    call: Any = world.arena.channel.unary_unary(
        method.full_name,
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=method.response_class.FromString,
    )
    try:
        answer = call(request, metadata=(("authorization", f"Bearer {token}"),))
    except grpc.RpcError as error:
        return HTTP[error.code()], {}
    return 200, MessageToDict(
        answer, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def test_every_method_that_reads_has_a_place_and_the_public_ones_need_no_token() -> None:
    reading = {
        path
        for path, method in METHODS.items()
        if method.name.startswith(("Get", "List", "Refit")) and not method.server_streaming
    }
    assert {method.full_name for method in READS} == reading
    for method in READS:
        rule = RULES[method.full_name]
        is_public = rule.right is Right.ANYBODY or (
            rule.right is Right.SPECTATOR and rule.scope is Scope.READ
        )
        assert method.is_public is is_public, method.full_name
    assert EVENTS.is_public


@pytest.mark.parametrize("method", READS, ids=lambda method: method.path)
def test_the_answer_is_that_of_the_grpc_method_for_everybody(
    world: World, pages: PagesProcess, method: ReadMethod
) -> None:
    place = place_of(method, world)
    callers = {"": world.spectator, world.organiser: world.organiser, world.alice: world.alice}
    for token, meant in callers.items():
        answer = get(pages, place, token)
        if not token and not method.is_public:
            assert (answer.status, answer.headers["www-authenticate"]) == (401, "Bearer")
            continue
        status, document = said_by_grpc(world, method, place, meant)
        assert answer.status == status, answer.text[:500]
        if status == 200:
            assert without_moments(json.loads(answer.body)) == without_moments(document)
        if token != world.organiser:
            assert world.secrets.found_in(answer.all) <= owned(token, world)


def owned(token: str, world: World) -> set[str]:
    """Return the secrets that a caller may read: none without a token."""
    return set() if not token or token == world.alice else {"debug lines", "exceptions"}


def without_moments(document: Any) -> Any:
    """Return JSON without what differs between two calls: times of use, and what plays at the moment."""
    if isinstance(document, Mapping):
        left_out = ("last_use_time", "playing", "capacity", "connections", "waiting_for", "waiting_ms")
        return {name: without_moments(value) for name, value in document.items() if name not in left_out}
    return [without_moments(each) for each in document] if isinstance(document, list) else document


def test_a_reader_who_has_it_gets_no_body(world: World, pages: PagesProcess) -> None:
    first = get(pages, "/games")
    tag = first.headers["etag"]
    for known in (tag, f'"x", {tag}', f"W/{tag}"):
        again = get(pages, "/games", If_None_Match=known)
        assert (again.status, again.body) == (304, b"")
    assert get(pages, "/bots", If_None_Match=tag).status == 200
    assert "Authorization" in first.headers["vary"]


def test_any_website_may_read_and_no_cookie_counts(world: World, pages: PagesProcess) -> None:
    assert get(pages, "/games", Origin="https://example.org").headers["access-control-allow-origin"] == "*"
    asked = {
        "Origin": "https://example.org",
        "Access_Control_Request_Method": "GET",
        "Access_Control_Request_Headers": "authorization",
    }
    allowed = pages.get("v1/users", method="OPTIONS", **asked)
    assert allowed.status == 200
    assert "authorization" in allowed.headers["access-control-allow-headers"].lower()
    assert "access-control-allow-credentials" not in allowed.headers
    assert get(pages, "/users", Cookie=f"arena-session={world.organiser}").status == 401


@pytest.mark.parametrize(
    ("place", "status", "field"),
    [
        ("/nothing", 404, ""),
        ("/bots/nobody", 404, ""),
        ("/bots/NOBODY", 400, "name"),
        ("/matches?state=MATCH_STATE_RUNNING&state=MATCH_STATE_FINISHED", 400, "state"),
        ("/matches?state=nonsense", 400, "state"),
        ("/matches?wrong=1", 400, "wrong"),
        ("/bots?show_hidden=perhaps", 400, "show_hidden"),
        ("/bots?page_size=many", 400, "page_size"),
        ("/bots?page_size=99999999999999", 400, ""),
        ("/bots?page_token=x", 400, "page_token"),
        ("/events?cursor=999999", 400, "cursor"),
        ("/events?cursor=-1", 400, ""),
    ],
)
def test_a_wrong_request_is_explained(pages: PagesProcess, place: str, status: int, field: str) -> None:
    answer = get(pages, place)
    assert answer.status == status
    assert error_of(answer)["field"] == field


def test_a_wrong_token_and_another_method_are_refused(world: World, pages: PagesProcess) -> None:
    assert error_of(get(pages, "/bots", "arn_nonsense"))["reason"] == "TOKEN_INVALID"
    for header in ("Basic eDp5", "Bearer", "Bearer a b"):
        assert get(pages, "/bots", Authorization=header).status == 401
    assert error_of(get(pages, "/users", world.alice))["reason"] == "ROLE_REQUIRED"
    assert error_of(pages.get("v1/bots", method="POST"))["status"] == 405
    assert get(pages, "/bots", X_Forwarded_For="203.0.113.9", Host="arena.example.org").status == 200
    refused = get(pages, "/bots", world.alice, Host="arena.example.org")
    assert refused.status == 403  # the connection is not encrypted


def test_the_feed_has_every_final_match_once_in_whatever_steps_it_is_read(
    world: World, pages: PagesProcess
) -> None:
    def read(step: int) -> list[dict[str, Any]]:
        lines: list[dict[str, Any]] = []
        cursor, end = "0", "1"
        while int(cursor) < int(end):
            answer = get(pages, f"/events?cursor={cursor}&max_positions={step}")
            assert answer.headers["content-type"].startswith("application/x-ndjson")
            *new, last = (json.loads(line) for line in answer.body.splitlines())
            lines += new
            cursor, end = last["cursor"], last["end"]
        return lines

    whole = read(1_000)
    assert read(1) == whole
    matches = [line["match"]["match"]["name"] for line in whole if "match" in line]
    assert {world.public, world.void} == set(matches)
    assert len(matches) == len(set(matches)) + 1 or len(matches) == len(set(matches))
    assert [line for line in whole if "ledger_entry" in line]


def test_the_document_describes_every_place(pages: PagesProcess) -> None:
    served = json.loads(get(pages, "/openapi.json").body)
    assert served == json.loads(json.dumps(openapi_document()))
    assert len(served["paths"]) == len(READS) + 1
    named = json.dumps(served)
    for reference in {part.split('"')[0] for part in named.split("#/components/schemas/")[1:]}:
        assert reference in served["components"]["schemas"]


@pytest.mark.parametrize("caller", ["organiser", "nobody"])
def test_whatever_is_asked_the_answer_is_as_the_document_says(
    world: World, pages: PagesProcess, caller: str
) -> None:
    """Schemathesis sends what the document allows."""
    headers = {"Authorization": f"Bearer {world.organiser}"} if caller == "organiser" else {}
    schema = schemathesis.openapi.from_dict(openapi_document())
    operations: Any = schema.get_all_operations()
    for found in operations:

        @given(case=found.ok().as_strategy())
        @settings(max_examples=3, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        def ask(case: Any) -> None:
            answer = case.call(base_url=f"http://{pages.address.netloc}", headers=headers)
            case.validate_response(answer, checks=CHECKS)

        ask()
