"""Row 29 of docs/bad_inputs.md: which certificates are good, how they are renewed, what clients say of others."""

import os
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography import x509
from typer.testing import CliRunner

from arena.cli.app import app
from tests.checkout import ROOT
from tests.system.play.arena_process import ArenaProcess
from tests.unit.server.certificates import Authority, Files


class Arena:
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
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    made = Arena(tmp_path_factory.mktemp("certificates"))
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


def expired(arena: Arena) -> Path | None:
    arena.use(arena.authority.issue("expired", ended=True))
    return arena.authority.file


def of_another_name(arena: Arena) -> Path | None:
    arena.use(arena.authority.issue("elsewhere", hosts=[x509.DNSName("elsewhere.example")]))
    return arena.authority.file


CASES: list[tuple[Callable[[Arena], Path | None], str]] = [
    (expired, "the arena's certificate has expired"),
    (of_another_name, "for another name than the one in the address"),
    (lambda arena: arena.other_authority.file, "of no authority that is trusted here"),
    (lambda _arena: None, "if it encrypts, set ARENA_TLS=1 or ARENA_TLS_CA"),
]
"""What gives the arena a certificate that is not trusted, and returns the client's authority; what is said of it."""


@pytest.mark.parametrize(("authority_of", "words"), CASES, ids=[words for _, words in CASES])
def test_row_29_command_line_and_sdk_say_why_no_connection_comes_about(
    arena: Arena,
    authority_of: Callable[[Arena], Path | None],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    authority, address = authority_of(arena), arena.process.tcp
    try:
        code, said = said_by_the_cli(address, authority, monkeypatch)
        line = said_by_a_bot(address, authority)
    finally:
        arena.use(arena.good)
    assert code == 4
    assert words in said
    assert words in line
    assert len(said.splitlines()) == 1
    assert "arn_secret" not in said + line


def test_who_encrypts_where_nobody_does_is_told_so(
    arena: Arena, plain: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, said = said_by_the_cli(plain, arena.authority.file, monkeypatch)
    assert code == 4
    assert "does not encrypt" in said


def test_a_new_certificate_is_in_force_from_the_next_connection_on(arena: Arena) -> None:
    before = arena.shown()
    arena.use(arena.authority.issue("renewed"))
    after = arena.shown()
    arena.use(arena.good)
    assert after.serial_number != before.serial_number
    assert arena.shown().serial_number == before.serial_number


def test_a_certificate_whose_key_is_not_there_yet_is_not_used_and_with_its_key_it_is(arena: Arena) -> None:
    before = arena.shown()
    renewed = arena.authority.issue("in two steps")
    arena.replace(certificate=renewed.certificate)
    assert arena.shown().serial_number == before.serial_number
    arena.process.wait_for("the new certificate is not used; the old one stays")
    arena.replace(key=renewed.key)
    assert arena.shown().serial_number != before.serial_number
    arena.use(arena.good)


def test_the_operator_is_warned_of_a_key_that_all_may_read_and_of_a_certificate_that_has_ended(
    arena: Arena,
) -> None:
    arena.process.wait_for(
        "every user of this machine can get at the key of the encrypted port; chmod 600 it"
    )
    arena.use(arena.authority.issue("over", ended=True))
    arena.shown()
    arena.use(arena.good)
    arena.process.wait_for("the certificate has expired: nobody can connect")


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
    arena: Arena, newest: ssl.TLSVersion, agreed: str | None
) -> None:
    """RFC 8996 took TLS 1.0 and 1.1 out of use."""
    context = ssl.create_default_context(cafile=str(arena.authority.file))
    context.set_ciphers("DEFAULT@SECLEVEL=0")  # with these TLS 1.1 would be spoken if the arena did
    context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, newest
    host, port = arena.process.tcp.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=60) as plain:
        if agreed is None:
            with pytest.raises((ssl.SSLError, OSError)):
                context.wrap_socket(plain, server_hostname="localhost")
        else:
            with context.wrap_socket(plain, server_hostname="localhost") as encrypted:
                assert encrypted.version() == agreed
