"""What is checked before Ray's command begins, since Ray says such things late, and not in words of an arena."""

import errno
import fcntl
import os
import socket
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import grpc

from arena.core.errors import ErrorReason, FailedPreconditionError, UnavailableError

HEAD_WITHIN_S: Final = 30.0
"""So long a node waits for the head, which may be starting."""

GONE_WITHIN_S: Final = 10.0
"""So long what has just ended may hold ports and folder."""

LOCK: Final = "node.lock"
"""In the data folder of a node: held while a node runs on it."""

_ALIVE: Final = "/ray.rpc.NodeInfoGcsService/CheckAlive"
"""A method of every head; its request may be empty."""
_CALL_S: Final = 5.0
_LOOK_S: Final = 0.5


def check_own_address(host: str) -> None:
    """Raise FailedPreconditionError (FIELD_INVALID) if this machine has no such address."""
    try:
        with socket.create_server((host, 0)):
            return
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise _refused("host", f"{host} is no address of this machine: {why}.") from None


def check_ports_free(host: str, ports: Iterable[int], option: str) -> None:
    """Raise FailedPreconditionError (FIELD_INVALID) if another program listens on one of these ports for good.

    `option`: of the command, which gives other ports.
    """
    give_up = time.monotonic() + GONE_WITHIN_S
    for port in ports:
        while (why := _why_not_free(host, port)) and time.monotonic() < give_up:
            time.sleep(_LOOK_S)
        if why:
            sentence = (
                f"Port {port} cannot be used: {why}. Another head or node may run on this machine; choose other ports "
                f"with {option}."
            )
            raise _refused(option.removeprefix("--").replace("-", "_"), sentence)


def check_head(address: str, token: Path, within_s: float = HEAD_WITHIN_S) -> None:
    """Return when a head answers at host:port and accepts the token; with RAY_USE_TLS=1 that is left to Ray.

    Raises UnavailableError (STORAGE): nothing answers; FailedPreconditionError (FIELD_INVALID): something else answers,
    or the token is another cluster's.
    """
    if os.environ.get("RAY_USE_TLS", "") in ("1", "true", "True"):
        return  # Ray has certificates of its own
    give_up = time.monotonic() + within_s
    code = _answer(address, token)
    while code is grpc.StatusCode.UNAVAILABLE and time.monotonic() < give_up:
        time.sleep(_LOOK_S)
        code = _answer(address, token)
    if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
        raise UnavailableError(
            ErrorReason.STORAGE,
            f"No head of a cluster answers at {address}. Is `arena cluster start` running there, and does no firewall "
            "prevent the connection?",
        )
    if code is grpc.StatusCode.UNAUTHENTICATED:
        raise _refused(
            "token_file",
            f"The head at {address} does not accept the token in {token}. Copy cluster.token from the data folder of "
            "the head's machine again.",
        )
    if code is grpc.StatusCode.UNIMPLEMENTED:
        raise _refused(
            "head",
            f"What answers at {address} is no head of a cluster. The head's port is 6379 unless `arena cluster start "
            "--port` says otherwise; that of an arena is another one.",
        )


def lock_folder(data: Path) -> None:
    """Hold the data folder of a node until this process, or the program that it becomes, has ended.

    Raises FailedPreconditionError (FIELD_INVALID): another node runs on it; OSError.
    """
    data.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(data / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    give_up = time.monotonic() + GONE_WITHIN_S
    while not _is_locked(descriptor):
        if time.monotonic() > give_up:
            os.close(descriptor)
            raise _refused(
                "data", f"Another node runs on the folder {data}. Name a folder of its own with --data."
            )
        time.sleep(_LOOK_S)
    os.set_inheritable(descriptor, True)


def _is_locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _why_not_free(host: str, port: int) -> str:
    """Return why a port cannot be used; empty if it can, or if Ray has to find out."""
    try:
        with socket.create_server((host, port)):
            return ""
    except OSError as error:
        return os.strerror(error.errno) if error.errno in (errno.EADDRINUSE, errno.EACCES) else ""


def _answer(address: str, token: Path) -> grpc.StatusCode:
    metadata = (("authorization", f"Bearer {token.read_text(encoding='ascii').strip()}"),)
    with grpc.insecure_channel(address, options=(("grpc.enable_http_proxy", 0),)) as channel:
        call: Any = channel.unary_unary(_ALIVE)
        try:
            call(b"", metadata=metadata, timeout=_CALL_S)
        except grpc.RpcError as error:
            failed: Any = error
            code: grpc.StatusCode = failed.code()
            return code
    return grpc.StatusCode.OK


def _refused(field: str, sentence: str) -> FailedPreconditionError:
    return FailedPreconditionError(ErrorReason.FIELD_INVALID, sentence, field=field)
