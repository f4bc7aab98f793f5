"""The one table from errors to statuses, and the page that explains them."""

import re
from pathlib import Path

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo

from arena.core import errors
from arena.core.errors import ArenaError, ErrorReason, NotFoundError
from arena.server.errors import CODES, RETRY_AFTER_S, as_arena_error, code_of, internal_error, status_message
from arena.v1 import errors_pb2
from engine.game import InvalidOptionsError

PAGE = Path(__file__).parents[4] / "docs" / "errors.md"


def test_every_kind_of_error_has_a_code_of_its_own() -> None:
    kinds = {
        kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, ArenaError)
    }
    assert set(CODES) == kinds - {ArenaError}
    assert len(set(CODES.values())) == len(CODES)
    assert grpc.StatusCode.INTERNAL not in CODES.values()
    assert code_of(internal_error("e1")) is grpc.StatusCode.INTERNAL


def test_the_reasons_are_those_of_the_proto() -> None:
    prefix = "ERROR_REASON_"
    names = {name.removeprefix(prefix) for name in errors_pb2.ErrorReason.keys()}  # noqa: SIM118 - an enum, no dict
    assert {reason.value for reason in ErrorReason} == names - {"UNSPECIFIED"}


def test_a_status_has_a_sentence_and_an_error_info() -> None:
    error = NotFoundError(ErrorReason.BOT_NOT_FOUND, "No wasp.", bot="wasp")
    status = status_message(error)
    assert (status.code, status.message) == (5, "No wasp.")
    info = ErrorInfo()
    status.details[0].Unpack(info)
    assert (info.reason, info.domain, dict(info.metadata)) == ("BOT_NOT_FOUND", "arena.v1", {"bot": "wasp"})


@pytest.mark.parametrize("reason", list(RETRY_AFTER_S))
def test_temporary_errors_have_a_retry_delay(reason: ErrorReason) -> None:
    status = status_message(errors.UnavailableError(reason, "Not now."))
    assert len(status.details) == 2


def test_invalid_options_are_an_invalid_argument() -> None:
    error = as_arena_error(InvalidOptionsError("Caravan has no wings."))
    assert error is not None
    assert (code_of(error), error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, ErrorReason.OPTION_INVALID)
    assert error.sentence == "Caravan has no wings."
    assert error.metadata == {}
    named = as_arena_error(InvalidOptionsError("Camels are 5 or 6.", "camels"))
    assert named is not None
    assert named.metadata == {"field": "options.camels"}
    assert as_arena_error(ValueError("secret")) is None


def test_every_reason_is_explained_once_with_its_code() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| ([A-Z_, ]+) \| (.+) \| (.+) \|$", PAGE.read_text(), re.MULTILINE)
    assert [name for name, *_ in rows] == [reason.value for reason in ErrorReason]
    codes = {code.name for code in (*CODES.values(), grpc.StatusCode.INTERNAL)}
    assert {code for _, shown, *_ in rows for code in shown.split(", ")} <= codes
