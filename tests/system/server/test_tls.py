"""Row 29 of docs/bad_inputs.md: an encrypted port, its certificates, and what clients say of untrusted ones."""

import os
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import grpc
import pytest
from cryptography import x509
from typer.testing import CliRunner

from arena.cli.app import app
from arena.sdk.tls import Tls
from arena.v1 import game_pb2, game_pb2_grpc
from tests.checkout import ROOT
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


class RenewingArena:
    """An arena whose certificate is replaced while it runs."""

    def __init__(self, folder: Path) -> None:
        self._files = Files(folder / "current.pem", folder / "current.key")
        self.authority, self.other_authority = Authority(folder, "ours"), Authority(folder, "other")
        self.good = self.authority.issue("arena")
        self.use(self.good)
        options = ("--tls-cert", str(self._files.certificate), "--tls-key", str(self._files.key))
        self.process = ArenaProcess(folder / "data", *options)

    def use(self, files: Files) -> None:
        """From now on these are the arena's."""
        self.replace(certificate=files.certificate, key=files.key)

    def replace(self, **files: Path) -> None:
        """As programs that renew do it: a new file takes the place of the old one."""
        for part, path in files.items():
            place: Path = getattr(self._files, part)
            shutil.copyfile(path, place.with_suffix(".new"))
            place.with_suffix(".new").chmod(0o644)
            place.with_suffix(".new").replace(place)

    def shown(self) -> x509.Certificate:
        """Return the present certificate."""
        host, port = self.process.tcp.rsplit(":", 1)
        return x509.load_pem_x509_certificate(ssl.get_server_certificate((host, int(port))).encode())


@pytest.fixture(scope="module")
def renewing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RenewingArena]:
    made = RenewingArena(tmp_path_factory.mktemp("certificates"))
    try:
        made.process.wait_open()
        yield made
    finally:
        made.process.close()


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[str]:
    """Yield the address of a server without encryption: it sends what a gRPC server sends first."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        greeting = "import socket, sys; s = socket.socket(fileno=int(sys.argv[1]))\nwhile True:\n c, _ = s.accept(); "
        greeting += "c.sendall(bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])); kept = c"
        number = listener.fileno()
        process = subprocess.Popen([sys.executable, "-c", greeting, str(number)], pass_fds=[number])
        yield f"127.0.0.1:{listener.getsockname()[1]}"
        process.kill()
        process.wait()


def said_by_the_cli(address: str, authority: Path | None, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """Exit code and words of a command; it shows a token, so that one would be echoed."""
    monkeypatch.setenv("ARENA_TOKEN", "arn_secret")
    tls = ("--tls-ca", str(authority)) if authority else ()
    result = CliRunner().invoke(app, ["--server", address, *tls, "games", "list"], prog_name="arena")
    return result.exit_code, result.stderr


def said_by_a_bot(address: str, authority: Path | None) -> str:
    """Return the first line of a bot that is started with these settings."""
    environment = os.environ | {
        "ARENA_ADDRESS": address,
        "ARENA_TOKEN": "arn_secret",
        "PYTHONPATH": str(ROOT),
    }
    environment |= {"ARENA_TLS_CA": str(authority)} if authority else {}
    program = ROOT / "sample_bots" / "python" / "random_bot.py"
    with subprocess.Popen(
        [sys.executable, program], env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        process.kill()
        return line


def expired(renewing: RenewingArena) -> Path | None:
    renewing.use(renewing.authority.issue("expired", ended=True))
    return renewing.authority.file


def of_another_name(renewing: RenewingArena) -> Path | None:
    renewing.use(renewing.authority.issue("elsewhere", hosts=[x509.DNSName("elsewhere.example")]))
    return renewing.authority.file


CASES: list[tuple[Callable[[RenewingArena], Path | None], str]] = [
    (expired, "the arena's certificate has expired"),
    (of_another_name, "for another name than the one in the address"),
    (lambda renewing: renewing.other_authority.file, "of no authority that is trusted here"),
    (lambda _renewing: None, "if it encrypts, set ARENA_TLS=1 or ARENA_TLS_CA"),
]
"""What gives the arena a certificate that is not trusted, and returns the client's authority; what is said of it."""


@pytest.mark.parametrize(("authority_of", "words"), CASES, ids=[words for _, words in CASES])
def test_row_29_command_line_and_sdk_say_why_no_connection_comes_about(
    renewing: RenewingArena,
    authority_of: Callable[[RenewingArena], Path | None],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    authority, address = authority_of(renewing), renewing.process.tcp
    try:
        code, said = said_by_the_cli(address, authority, monkeypatch)
        line = said_by_a_bot(address, authority)
    finally:
        renewing.use(renewing.good)
    assert code == 4
    assert words in said
    assert words in line
    assert len(said.splitlines()) == 1
    assert "arn_secret" not in said + line


def test_the_error_of_an_encrypted_connection_to_a_plain_port_says_so(
    renewing: RenewingArena, plain: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, said = said_by_the_cli(plain, renewing.authority.file, monkeypatch)
    assert code == 4
    assert "does not encrypt" in said


def test_a_new_certificate_is_in_force_from_the_next_connection_on(renewing: RenewingArena) -> None:
    before = renewing.shown()
    renewing.use(renewing.authority.issue("renewed"))
    after = renewing.shown()
    renewing.use(renewing.good)
    assert after.serial_number != before.serial_number
    assert renewing.shown().serial_number == before.serial_number


def test_a_certificate_whose_key_is_not_there_yet_is_not_used_and_with_its_key_it_is(
    renewing: RenewingArena,
) -> None:
    before = renewing.shown()
    renewed = renewing.authority.issue("in two steps")
    renewing.replace(certificate=renewed.certificate)
    assert renewing.shown().serial_number == before.serial_number
    renewing.process.wait_for("the new certificate is not used; the old one stays")
    renewing.replace(key=renewed.key)
    assert renewing.shown().serial_number != before.serial_number
    renewing.use(renewing.good)


def test_the_operator_is_warned_of_a_key_that_all_may_read_and_of_a_certificate_that_has_ended(
    renewing: RenewingArena,
) -> None:
    renewing.process.wait_for(
        "every user of this machine can get at the key of the encrypted port; chmod 600 it"
    )
    renewing.use(renewing.authority.issue("over", ended=True))
    renewing.shown()
    renewing.use(renewing.good)
    renewing.process.wait_for("the certificate has expired: nobody can connect")


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
@pytest.mark.parametrize(
    ("newest", "agreed"),
    [
        (ssl.TLSVersion.TLSv1_1, None),
        (ssl.TLSVersion.TLSv1_2, "TLSv1.2"),
        (ssl.TLSVersion.TLSv1_3, "TLSv1.3"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_nothing_older_than_tls_1_2_is_spoken(
    renewing: RenewingArena, newest: ssl.TLSVersion, agreed: str | None
) -> None:
    """RFC 8996 took TLS 1.0 and 1.1 out of use."""
    context = ssl.create_default_context(cafile=str(renewing.authority.file))
    context.set_ciphers("DEFAULT@SECLEVEL=0")  # with these TLS 1.1 would be spoken if the arena did
    context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, newest
    host, port = renewing.process.tcp.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=60) as plain:
        if agreed is None:
            with pytest.raises((ssl.SSLError, OSError)):
                context.wrap_socket(plain, server_hostname="localhost")
        else:
            with context.wrap_socket(plain, server_hostname="localhost") as encrypted:
                assert encrypted.version() == agreed
