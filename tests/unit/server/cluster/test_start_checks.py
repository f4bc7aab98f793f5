"""What is checked before a head or a node begins: address, ports, folder, head and token."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest

from arena.core.errors import FailedPreconditionError, UnavailableError
from arena.server.cluster import start_checks
from arena.server.cluster.start_checks import (
    check_head,
    check_own_address,
    check_ports_free,
    lock_folder,
)

LOCAL = "127.0.0.1"
HOLDS = "import sys; from pathlib import Path; from arena.server.cluster.start_checks import lock_folder\n"
HOLDS += "lock_folder(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start_checks, "GONE_WITHIN_S", 0.0)
    monkeypatch.delenv("RAY_USE_TLS", raising=False)


@pytest.fixture
def token(tmp_path: Path) -> Path:
    file = tmp_path / "cluster.token"
    file.write_text("f" * 64)
    return file


def field_of(error: FailedPreconditionError) -> str:
    return error.metadata["field"]


def test_an_address_of_another_machine_is_refused() -> None:
    check_own_address(LOCAL)
    with pytest.raises(FailedPreconditionError) as refused:
        check_own_address("192.0.2.10")
    assert field_of(refused.value) == "host"


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server((LOCAL, 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(FailedPreconditionError) as refused:
            check_ports_free(LOCAL, (port,), "--first-port")
        assert (field_of(refused.value), str(port) in refused.value.sentence) == ("first_port", True)
    check_ports_free(LOCAL, (port,), "--first-port")


def test_two_nodes_do_not_share_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "node"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdin is not None
    assert holder.stdout is not None
    with holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(FailedPreconditionError) as refused:
            lock_folder(folder)
        assert field_of(refused.value) == "data"
        holder.stdin.close()
    lock_folder(folder)


@contextmanager
def head(code: grpc.StatusCode, method: str = start_checks._ALIVE) -> Iterator[str]:
    """Serve a head that answers with a code; yield its address."""

    class Handler(grpc.GenericRpcHandler):
        def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
            def answer(_request: bytes, context: grpc.ServicerContext) -> bytes:
                sent = dict(context.invocation_metadata())
                if sent.get("authorization") != f"Bearer {'f' * 64}":
                    context.abort(grpc.StatusCode.UNAUTHENTICATED, "no")
                if code is not grpc.StatusCode.OK:
                    context.abort(code, "no")
                return b""

            return grpc.unary_unary_rpc_method_handler(answer) if details.method == method else None

    server = grpc.server(ThreadPoolExecutor(1), handlers=[Handler()])
    port = server.add_insecure_port(f"{LOCAL}:0")
    server.start()
    try:
        yield f"{LOCAL}:{port}"
    finally:
        server.stop(None)


def test_a_head_that_takes_the_token_is_joined(token: Path) -> None:
    with head(grpc.StatusCode.OK) as address:
        check_head(address, token)


def test_a_wrong_token_and_something_that_is_no_head_are_told_apart(token: Path) -> None:
    with (
        head(grpc.StatusCode.OK, "/another/Method") as address,
        pytest.raises(FailedPreconditionError) as other,
    ):
        check_head(address, token)
    token.write_text("0" * 64)
    with head(grpc.StatusCode.OK) as address, pytest.raises(FailedPreconditionError) as wrong:
        check_head(address, token)
    assert (field_of(other.value), field_of(wrong.value)) == ("head", "token_file")


def test_a_head_that_is_not_there_is_said_after_a_while(token: Path) -> None:
    with socket.create_server((LOCAL, 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(UnavailableError):
        check_head(f"{LOCAL}:{port}", token, within_s=0.0)
