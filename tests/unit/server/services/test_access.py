"""Who may call what: every method of the .proto files with every kind of caller."""

import grpc
import pytest

from arena.server.auth.permissions import RULES, SCOPES, Right
from arena.store.accounts.tokens import Role, Scope
from arena.v1 import token_pb2
from tests.unit.server.services.callers import GUARDED, KINDS, Kind, add_tokens, token_of
from tests.unit.server.services.harness import METHODS, Arena, RefusedError, refusal_of

CODES = {
    "TOKEN_MISSING": grpc.StatusCode.UNAUTHENTICATED,
    "TOKEN_INVALID": grpc.StatusCode.UNAUTHENTICATED,
    "ROLE_REQUIRED": grpc.StatusCode.PERMISSION_DENIED,
    "SCOPE_REQUIRED": grpc.StatusCode.PERMISSION_DENIED,
}
STREAMED = {path for path, method in METHODS.items() if method.client_streaming}


@pytest.fixture(scope="module")
def populated(shared_arena: Arena) -> Arena:
    """Return an arena with a token of every kind."""
    add_tokens(shared_arena)
    return shared_arena


def test_every_method_has_a_rule_and_every_rule_a_method() -> None:
    assert set(RULES) == set(METHODS)
    assert len(METHODS) > 50


def test_only_the_play_stream_is_left_to_guard_itself() -> None:
    own = {path for path, rule in RULES.items() if rule.right is Right.PLAYER}
    assert own == {
        path for path, method in METHODS.items() if method.client_streaming and method.server_streaming
    }


def test_every_scope_of_a_rule_is_one_of_the_admitted_roles() -> None:
    """A scope that an admitted role cannot have would shut out tokens that name it, and nobody else."""
    for path, rule in RULES.items():
        if rule.right is not Right.ANYBODY and rule.scope is not None:
            admitted = [role for role in Role if Kind("", role).expected(path) == ""]
            assert admitted, path
            assert all(rule.scope in SCOPES[role] for role in admitted), path


def test_the_scopes_are_those_of_the_wire() -> None:
    on_wire = {name.removeprefix("SCOPE_"): number for name, number in token_pb2.Scope.items() if number}
    assert {scope.name: scope.value for scope in Scope} == on_wire
    roles = {name.removeprefix("ROLE_"): number for name, number in token_pb2.Role.items() if number}
    assert {role.name: role.value for role in Role} == roles


def outcome(arena: Arena, path: str, kind: Kind) -> tuple[grpc.StatusCode, str]:
    """Status and reason of an empty request."""
    try:
        arena.raw(path, b"", token_of(kind), streamed=path in STREAMED)
    except RefusedError as refused:
        return refused.code, refused.reason
    return grpc.StatusCode.OK, ""


@pytest.mark.parametrize("path", GUARDED)
def test_a_method_answers_every_kind_of_caller_as_its_rule_says(populated: Arena, path: str) -> None:
    """Rows 1 to 3. A caller who is admitted gets the error of an empty request, as the organiser does."""
    admitted = outcome(populated, path, Kind("organiser", Role.ORGANISER))
    empty = grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND
    assert admitted[0] in empty  # not found: the team of somebody who is in none
    expected = {
        kind.name: (CODES[reason], reason) if (reason := kind.expected(path)) else admitted for kind in KINDS
    }
    assert {kind.name: outcome(populated, path, kind) for kind in KINDS} == expected


def test_a_refusal_names_the_scope_that_is_needed(populated: Arena) -> None:
    refused = refusal_of(populated.raw, "/arena.v1.BotService/ListBots", b"", "owner with tokens")
    assert refused.metadata["required"] == "READ"
    assert "the scope read" in refused.sentence


@pytest.mark.parametrize("path", GUARDED)
def test_an_unreadable_request_is_malformed(shared_arena: Arena, path: str) -> None:
    """A request of garbage, from somebody who may make requests."""
    assert refusal_of(
        shared_arena.raw, path, b"\xff\xff\xff\xff", "organiser", streamed=path in STREAMED
    ).status == ("INVALID_ARGUMENT", "MALFORMED_MESSAGE")


def test_an_unknown_method_is_unimplemented(shared_arena: Arena) -> None:
    """Row 4."""
    refused = refusal_of(shared_arena.raw, "/arena.v1.BotService/DeleteBot", b"", "organiser")
    assert refused.code is grpc.StatusCode.UNIMPLEMENTED
