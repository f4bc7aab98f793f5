"""Who may call what: every method of the .proto files with every kind of caller."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor

from arena.server.access import RULES, Right
from arena.v1 import (
    bot_pb2,
    game_pb2,
    ladder_pb2,
    match_pb2,
    play_pb2,
    submission_pb2,
    token_pb2,
    tournament_pb2,
)
from tests.server.services.harness import Arena, RefusedError

FILES = (game_pb2, bot_pb2, token_pb2, match_pb2, ladder_pb2, tournament_pb2, submission_pb2, play_pb2)
CALLERS = (None, "ant", "ada", "organiser")
ADMITTED = {
    Right.ANYBODY: set(CALLERS),
    Right.SPECTATOR: {"ada", "organiser"},
    Right.OWNER: {"ada", "organiser"},
    Right.ORGANISER: {"organiser"},
}


def methods() -> Iterator[tuple[str, MethodDescriptor]]:
    """Every method of the services, by its path."""
    for file in FILES:
        for service in file.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                yield f"/{service.full_name}/{method.name}", method


STREAMED = {path for path, method in methods() if method.client_streaming}
GUARDED = [path for path, rule in RULES.items() if rule.right is not Right.PLAYER]


def test_every_method_has_a_rule_and_every_rule_a_method() -> None:
    assert set(RULES) == {path for path, _ in methods()}


def test_only_the_play_stream_is_left_to_guard_itself() -> None:
    own = {path for path, rule in RULES.items() if rule.right is Right.PLAYER}
    assert own == {path for path, method in methods() if method.client_streaming and method.server_streaming}


def outcome(shared_arena: Arena, path: str, caller: str | None) -> tuple[grpc.StatusCode, str]:
    """Status and reason of an empty request."""
    try:
        shared_arena.raw(path, b"", caller, streamed=path in STREAMED)
    except RefusedError as refused:
        return refused.code, refused.reason
    return grpc.StatusCode.OK, ""


@pytest.mark.parametrize("path", GUARDED)
def test_a_method_admits_the_callers_of_its_rule_and_nobody_else(shared_arena: Arena, path: str) -> None:
    """Rows 1 and 3; an admitted caller is told what is wrong with his empty request, if anything."""
    refusals = {
        (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"),
        (grpc.StatusCode.PERMISSION_DENIED, "ROLE_REQUIRED"),
    }
    admitted = {caller for caller in CALLERS if outcome(shared_arena, path, caller) not in refusals}
    assert admitted == ADMITTED[RULES[path].right]


@pytest.mark.parametrize("path", GUARDED)
def test_nothing_is_answered_without_its_reason(shared_arena: Arena, path: str) -> None:
    """A request of garbage, from somebody who may make requests."""
    with pytest.raises(RefusedError) as refused:
        shared_arena.raw(path, b"\xff\xff\xff\xff", "organiser", streamed=path in STREAMED)
    assert (refused.value.code, refused.value.reason) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        "MALFORMED_MESSAGE",
    )


def test_a_method_that_is_not_there_is_unimplemented(shared_arena: Arena) -> None:
    """Row 4."""
    with pytest.raises(RefusedError) as refused:
        shared_arena.raw("/arena.v1.BotService/DeleteBot", b"", "organiser")
    assert refused.value.code is grpc.StatusCode.UNIMPLEMENTED
