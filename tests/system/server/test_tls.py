"""Row 29 of docs/bad_inputs.md: an encrypted port, and who does not get through it."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import grpc
import pytest

from arena.sdk.tls import Tls
from arena.v1 import game_pb2, game_pb2_grpc
from tests.system.play.arena_process import ArenaProcess
from tests.unit.cli.programs import finish, start
from tests.unit.server.certificates import Authority, Files


class Certificates:
    """An authority, and what it and another one have signed."""

    def __init__(self, folder: Path) -> None:
        ours, others = Authority(folder, "authority"), Authority(folder, "other-authority")
        self.authority, self.other_authority = ours.file, others.file
        self.arena, self.client = ours.issue("arena"), ours.issue("client")
        self.stranger = others.issue("stranger")

    def environment(self, client: Files | None) -> dict[str, str]:
        """How a client that shows this certificate is started."""
        environment = {"ARENA_TLS_CA": str(self.authority)}
        if client is not None:
            environment |= {"ARENA_TLS_CERT": str(client.certificate), "ARENA_TLS_KEY": str(client.key)}
        return environment


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def arena(certificates: Certificates, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    """Yield an arena that encrypts and asks for certificates."""
    with ArenaProcess(
        tmp_path_factory.mktemp("tls") / "data",
        *("--tls-cert", str(certificates.arena.certificate), "--tls-key", str(certificates.arena.key)),
        *("--tls-client-ca", str(certificates.authority)),
    ) as process:
        yield process


def list_games(arena: ArenaProcess, environment: Mapping[str, str]) -> tuple[int, str]:
    """Return what `arena games list` exits with and says on standard error."""
    code, _, err = finish(start("--server", arena.tcp, "games", "list", **environment))
    return code, err


def test_a_client_with_a_certificate_gets_through(arena: ArenaProcess, certificates: Certificates) -> None:
    assert list_games(arena, certificates.environment(certificates.client)) == (0, "")


@pytest.mark.parametrize(
    ("settings", "remedy"),
    [
        (lambda made: made.environment(None), "ARENA_TLS_CERT"),
        (lambda made: made.environment(made.stranger), "ARENA_TLS_CERT"),
        (lambda _made: {}, "--tls-ca"),
        (lambda made: {"ARENA_TLS_CA": str(made.other_authority)}, "--tls-ca"),
    ],
    ids=["no certificate", "a stranger's certificate", "plain text", "an arena of another authority"],
)
def test_row_29_a_connection_that_is_not_trusted_fails_with_a_remedy(
    arena: ArenaProcess,
    certificates: Certificates,
    settings: Callable[[Certificates], Mapping[str, str]],
    remedy: str,
) -> None:
    code, err = list_games(arena, settings(certificates))
    assert code == 4
    assert remedy in err


def test_row_29_no_bytes_come_back_to_plain_text_and_others_are_not_disturbed(
    arena: ArenaProcess, certificates: Certificates
) -> None:
    host, port = arena.tcp.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=60) as plain:
        plain.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        heard = b"".join(iter(lambda: plain.recv(4096), b""))
    assert not heard or heard[0] == 0x15  # at most a TLS alert (RFC 8446, section 5.1)
    assert list_games(arena, certificates.environment(certificates.client)) == (0, "")


def test_a_name_that_is_not_in_the_certificate_is_not_trusted(
    arena: ArenaProcess, certificates: Certificates
) -> None:
    tls = Tls(
        certificates.authority.read_bytes(),
        certificates.client.certificate.read_bytes(),
        certificates.client.key.read_bytes(),
    )
    options = (("grpc.ssl_target_name_override", "elsewhere.example"),)
    with grpc.secure_channel(arena.tcp, tls.credentials(), options=options) as channel:
        with pytest.raises(grpc.RpcError) as refused:
            game_pb2_grpc.GameServiceStub(channel).ListGames(game_pb2.ListGamesRequest(), timeout=60)
        assert refused.value.code() is grpc.StatusCode.UNAVAILABLE


def test_the_local_socket_stays_plain(arena: ArenaProcess) -> None:
    assert finish(start("--data", str(arena.data), "bot", "list", ARENA_TLS="1"))[0] == 0


def test_a_bot_of_the_sdk_plays_over_an_encrypted_connection(
    arena: ArenaProcess, certificates: Certificates
) -> None:
    bots = {name: arena.bot(name) for name in ("left", "right")}
    arena.ladder("encrypted", *bots, matches=2)
    program = Path(__file__).parents[3] / "sample_bots" / "python" / "random_bot.py"
    processes = []
    try:
        for token in bots.values():
            environment = os.environ | certificates.environment(certificates.client)
            environment |= {"ARENA_ADDRESS": arena.tcp, "ARENA_TOKEN": token}
            processes.append(
                subprocess.Popen([sys.executable, program], env=environment, stderr=subprocess.DEVNULL)
            )
        run = start("--data", str(arena.data), "ladder", "run", "encrypted", "--matches", "2", "--wait")
        assert finish(run)[0] == 0
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.mark.parametrize(
    ("certificate", "key", "named"),
    [
        ("arena.certificate", "client.key", "it is not the key of the first certificate"),
        ("arena.key", "arena.key", "it holds no PEM certificate"),
        ("arena.certificate", "arena.certificate", "it holds no PEM key"),
    ],
)
def test_a_certificate_that_cannot_be_used_is_one_sentence(
    certificates: Certificates, tmp_path: Path, certificate: str, key: str, named: str
) -> None:
    def path(name: str) -> str:
        owner, part = name.split(".")
        return str(getattr(getattr(certificates, owner), part))

    options = ("--tls-cert", path(certificate), "--tls-key", path(key))
    code, _, err = finish(start("serve", "--data", str(tmp_path / "data"), "--port", "0", *options))
    assert code == 1
    assert named in err
    assert len(err.splitlines()) == 1, err
