"""Statuses of an arena as errors of commands."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import grpc

from arena.cli.framework.errors import CliError, CommandExit, call_of, token_recovery, with_option
from arena.core.errors import ErrorReason
from arena.sdk.tls import why_no_connection
from arena.wire.error_info import DETAILS_KEY, error_info

_NO_NAMES: Final[Mapping[str, str]] = {}


def describe_rpc_error(
    error: grpc.RpcError, place: str, token_file: Path | None = None, names: Mapping[str, str] = _NO_NAMES
) -> CliError:
    """Return the error for a status of the arena at this place.

    `token_file`: the local arena's token file, if its token was used. `names`: as for `with_option`.
    """
    call = call_of(error)
    code = call.code()
    from_arena = any(key == DETAILS_KEY for key, _ in call.trailing_metadata() or ())
    details = (call.details() or "").strip() or f"The arena returned {code.name}."
    if code is grpc.StatusCode.UNAVAILABLE and not from_arena:
        why = why_no_connection(details)
        return CliError(
            f"Connection to {place} failed: {why}."
            if why is not None
            else f"No arena answers at {place}. {_remedy(place)}",
            CommandExit.UNREACHABLE,
        )
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return CliError(
            "The arena did not answer in time. Try again, or check its log.", CommandExit.UNREACHABLE
        )
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return CliError(f"The server does not support this call ({details}). Is it an arena?")
    reason, named = error_info(call.trailing_metadata())
    details = with_option(details, named.get("field", ""), names)
    if reason == ErrorReason.TOKEN_MISSING.value:
        details = f"The arena at {place} requires a token. Use --token or ARENA_TOKEN."
    elif reason == ErrorReason.TOKEN_INVALID.value and token_file is not None:
        details = (
            f"The token in {token_file} is not valid: it was revoked, or its user was disabled or lost rights. "
            f"{token_recovery(token_file)}"
        )
    return CliError(f"{details} ({reason})" if reason else details)


def _remedy(place: str) -> str:
    """Return what to do if no arena answers there."""
    address = place.partition(" ")[0]
    if not address.startswith("unix:") and re.search(r":\d+$", address) is None:
        return f"The address has no port: use for example {address}:7450."
    return "Start one with `arena serve`, or name another with --server."
