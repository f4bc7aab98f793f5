"""No token, key or seed stands anywhere but where its holder keeps it.

An arena with everybody in it - organiser, owner, bots of every kind, strangers with mistyped tokens - and then a look
at all that was written or can be seen, for each secret in each form. `test_secret_scanner.py` tests the scanner.
"""

import json
import sqlite3
import subprocess
import sys
import tarfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import grpc
import pytest
import zstandard
from typer.testing import CliRunner

from arena.cli.app import app
from arena.v1 import bot_pb2, game_pb2, play_pb2, token_pb2
from tests.checkout import ROOT
from tests.system.e2e.metrics import metrics_url
from tests.system.e2e.secret_scanner import Process, SecretScanner, processes
from tests.system.hosting.needs import needs_sandbox
from tests.system.play.arena_process import WAIT_S, ArenaProcess, Service
from tests.system.play.raw_bot import RawBot
from tests.unit.cli.programs import environment, finish, start
from tests.unit.hosting.sample_submissions import MANIFEST, RANDOM_BOT, plant
from tests.unit.server.certificates import Authority

pytestmark = needs_sandbox

RANDOM = ROOT / "sample_bots" / "python" / "random_bot.py"

BEFORE = """
import arena.cli  # first of all, as in the program `arena`: gRPC's settings come before gRPC
import arena.hosting.admission.trials as trials
trials.SCENARIOS = [each for each in trials.SCENARIOS if each.name == "hello"]

from arena.server.services.games import GameService
async def get_game(self, request, context):
    metadata = dict(context.invocation_metadata())
    raise RuntimeError("this call fails: " + str(metadata))
GameService.GetGame = get_game
"""
"""A short suite for what is submitted, and a call that fails with a token in its locals and in its words."""

SNOOP = RANDOM_BOT.replace(
    "        return",
    """        if not RandomBot.told:
            RandomBot.told = True
            for line in self.look():
                for start in range(0, len(line), 3000):
                    self.debug(line[start : start + 3000])
        return""",
).replace(
    "    def choose",
    '''    told = False

    def look(self):
        """What a hosted bot can see: environments, command lines, open files, and files with words of secrets."""
        import os, pathlib, re, sys
        yield "environ " + repr(dict(os.environ))
        for entry in pathlib.Path("/proc").iterdir():
            for name in ("cmdline", "environ"):
                try:
                    yield f"{entry}/{name} " + repr((entry / name).read_bytes())
                except OSError:
                    pass
        fds = pathlib.Path("/proc/self/fd").iterdir()
        yield "fds " + repr([os.readlink(each) for each in fds if each.is_symlink()])
        seen = 0
        words = re.compile(rb"arn_[0-9a-f]{12}_[0-9a-f]{9}|PRIVATE KEY-----\\s[A-Za-z0-9+/]{30}")
        own = sys.base_prefix  # Python's own tests have keys
        for folder, folders, names in os.walk("/"):
            folders[:] = [each for each in folders if (folder, each) not in (("/", "proc"), ("/", "sys"), ("/", "usr"))
                          and each != "site-packages" and not (folder == "/" and each.startswith("lib"))]
            for name in names:
                path = pathlib.Path(folder, name)
                try:
                    if path.is_file() and path.stat().st_size < 1_000_000:
                        seen += 1
                        data = path.read_bytes()
                        if words.search(data) and not folder.startswith(own):
                            yield f"suspicious {path}"
                except OSError:
                    pass
        yield f"looked at {seen} files"

    def choose''',
)
"""A hosted bot that tells its owner all that it can see."""


class SecretsFixture:
    """The arena, everybody in it, every secret, and all that was said."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scanner = SecretScanner()
        self.said: dict[str, bytes | str] = {}
        """What stands where nobody's secret may stand: a place, and what is there."""
        self.seen: dict[int, Process] = {}
        self.bots: dict[str, str] = {}
        """Tokens of bots that were given to a program."""
        self.organiser = self.alice = ""
        """Tokens of users."""
        self.debug_lines = ""
        """What the hosted bot has told its owner."""
        authority = Authority(folder, "authority")
        self.ca = authority.file
        certificate = authority.issue("arena")
        certificate.key.chmod(0o600)
        self.scanner.add_key("TLS key", certificate.key.read_bytes())
        (folder / "data").mkdir(mode=0o700)
        plant(folder / "data", "inmate", SNOOP)
        (folder / "data" / "arena.db").chmod(0o600)  # as an arena would have made it
        self.arena = ArenaProcess(
            folder / "data",
            *("--tls-cert", str(certificate.certificate), "--tls-key", str(certificate.key)),
            *("--metrics-port", "0", "--log-format", "json"),
            before=BEFORE,
        )

    def open(self) -> None:
        """Wait until the arena listens, and add its own secrets."""
        data = self.arena.wait_open().data
        self.organiser = (data / "organiser.token").read_text().strip()
        self.scanner.add_token("local organiser token", self.organiser)
        self.scanner.add_key("log signing key", (data / "keys" / "signing.key").read_bytes())
        self.scanner.add("page key", bytes.fromhex((data / "keys" / "pages.key").read_text()))
        credentials = grpc.ssl_channel_credentials(self.ca.read_bytes())
        self.channel = grpc.secure_channel(self.arena.tcp, credentials)

    def start(self, *words: str, **variables: str) -> subprocess.Popen[str]:
        """Start `arena WORDS...` over the encrypted port, with these variables."""
        return start(*words, ARENA_ADDRESS=self.arena.tcp, ARENA_TLS_CA=str(self.ca), **variables)

    def command(self, *words: str, makes: str = "", code: int = 0, **variables: str) -> str:
        """Run the command in this process, to its end; its output is searched later.

        `makes`: the token that it prints, and may print.
        """
        given = {"ARENA_ADDRESS": self.arena.tcp, "ARENA_TLS_CA": str(self.ca), **variables}
        result = CliRunner().invoke(app, words, prog_name="arena", env=given)
        assert result.exit_code == code, (words, result.output)
        if makes:
            self.scanner.add_token(makes, result.stdout.strip())
        self.note(" ".join(words)[:40], result.stderr if makes else result.output)
        return result.stdout.strip()

    def note(self, place: str, data: bytes | str) -> None:
        """Add data to the output of a place."""
        self.said[f"{len(self.said)} {place}"] = data

    def look_around(self) -> list[Process]:
        """All processes at this moment; they are looked at later, when all secrets are known."""
        found = processes()
        self.seen.update({each.pid: each for each in found})
        return found


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecretsFixture]:
    """Everything has happened."""
    with pytest.MonkeyPatch.context() as patch:
        # Whoever starts the arena with these wants to see gRPC's traces, in which headers stand.
        patch.setenv("GRPC_TRACE", "http,chttp2_hpack_parser")
        patch.setenv("GRPC_VERBOSITY", "DEBUG")
        made = SecretsFixture(tmp_path_factory.mktemp("secrets"))
        made.arena.wait_open()
    try:
        made.open()
        _make_tokens(made)
        _play(made)
        _submit(made)
        _mistype(made)
        _read_everything(made)
        yield made
    finally:
        made.arena.close()


def _make_tokens(secrets: SecretsFixture) -> None:
    """Each way of giving a token to a command is used once."""
    data = str(secrets.arena.data)
    secrets.alice = secrets.command(
        "token", "create", "--owner", "alice", makes="alice's token", ARENA_TOKEN=f"{data}/organiser.token"
    )
    secrets.command("bot", "create", "ada", ARENA_TOKEN=secrets.alice)
    file = secrets.folder / "alice.token"
    file.write_text(secrets.alice + "\n")
    secrets.command("bot", "create", "bee", "--token", str(file))
    secrets.command("bot", "create", "cee", "--token", secrets.alice)
    for bot in ("bee", "cee"):
        secrets.bots[bot] = secrets.command(
            "bot", "token", bot, makes=f"token of {bot}", ARENA_TOKEN=secrets.alice
        )
    secrets.command("token", "list", ARENA_TOKEN=secrets.alice)


def _play(secrets: SecretsFixture) -> None:
    """Three bots in every way that a bot is run; all processes are seen while they play."""
    tls = {"ARENA_ADDRESS": secrets.arena.tcp, "ARENA_TLS_CA": str(secrets.ca)}
    supervised = secrets.start(
        "bot", "run", "ada", "--", sys.executable, str(RANDOM), ARENA_TOKEN=secrets.alice
    )
    alone = subprocess.Popen(
        [sys.executable, RANDOM], env=environment(**tls, ARENA_TOKEN=secrets.bots["bee"]),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        cee = _resume(secrets)
        options = {"turn_limit": "20"}
        secrets.arena.ladder("main", "ada", "bee", "inmate", seat_counts=[3], options=options, matches=3)
        _until(secrets, lambda found: _token_of(found, "ada", secrets) is not None)
        for ended in range(1, 4):
            secrets.arena.wait_for("match over", ended)
        secrets.look_around()
        cee.cut()
    finally:
        for process in (supervised, alone):
            process.terminate()
            out, err = process.communicate(timeout=WAIT_S)
            secrets.note("a bot's program", out + err)


def _until(secrets: SecretsFixture, holds: Callable[[list[Process]], bool]) -> None:
    give_up = time.monotonic() + WAIT_S
    while not holds(secrets.look_around()):
        assert time.monotonic() < give_up
        time.sleep(0.02)  # /proc tells nobody that it has changed


def _token_of(found: Sequence[Process], bot: str, secrets: SecretsFixture) -> str | None:
    """Return the token that `arena bot run` has made for the bot, from its program's environment."""
    programs = (each for each in found if str(RANDOM).encode() in each.command_line)
    for process in programs:
        token = process.variable("ARENA_TOKEN")
        is_here = process.variable("ARENA_ADDRESS") == secrets.arena.tcp
        if is_here and token and token not in (secrets.alice, *secrets.bots.values()):
            secrets.bots[bot] = token
            secrets.scanner.add_token(f"token of {bot}", token)
            return token
    return None


def _resume(secrets: SecretsFixture) -> RawBot:
    """Reconnect a bot: its old and new resume tokens are secrets too."""
    first = RawBot(secrets.arena.unix, secrets.bots["cee"])
    tokens = [first.hello().resume_token]
    second = RawBot(secrets.arena.unix, secrets.bots["cee"])
    tokens.append(second.hello(resume_token=tokens[0]).resume_token)
    assert first.hear_end().code == play_pb2.Goodbye.CODE_REPLACED
    for number, token in enumerate(tokens):
        secrets.scanner.add(f"resume token {number}", token.partition("-")[2].encode())
    return second


def _submit(secrets: SecretsFixture) -> None:
    folder = secrets.folder / "submitted"
    folder.mkdir()
    (folder / "bot.py").write_text(RANDOM_BOT)
    (folder / "bot.toml").write_text(MANIFEST)
    process = secrets.start("bot", "submit", "cee", str(folder), ARENA_TOKEN=secrets.alice)
    while process.poll() is None:
        secrets.look_around()
        time.sleep(0.05)  # as above
    out, err = finish(process)[1:]
    assert process.returncode == 0, out + err
    secrets.note("bot submit", out + err)


def _mistype(secrets: SecretsFixture) -> None:
    """Rows 1 to 3 of docs/bad_inputs.md, and tokens where a name belongs: nobody is sent back what he sent."""
    token = secrets.bots["bee"]
    alice = (("authorization", f"Bearer {secrets.alice}"),)
    bots, tokens, games = (
        Service(module, secrets.channel, alice) for module in (bot_pb2, token_pb2, game_pb2)
    )
    half, secret = token[:40], token.split("_")[2]
    wrong = [token[:-1], token[4:], token.upper(), f"{token}0", half, f"{token} {token}", secret]
    calls: list[Callable[[], object]] = [
        lambda each=each: bots.ListBots(metadata=(("authorization", f"Bearer {each}"),))  # type: ignore[misc]
        for each in wrong
    ]
    calls += [
        lambda: bots.GetBot(name=f"bots/{token}"),
        lambda: bots.GetBot(name=token),
        lambda: bots.CreateBot(bot_id=token),
        lambda: bots.ListBots(page_token=token),
        lambda: tokens.RevokeToken(name=f"tokens/{token}"),
        lambda: games.GetGame(name=f"games/{token}"),
    ]
    for number, call in enumerate(calls):
        with pytest.raises(grpc.RpcError) as refused:
            call()
        error = refused.value
        assert isinstance(error, grpc.Call)
        if number < len(wrong):
            assert error.code() is grpc.StatusCode.UNAUTHENTICATED
        secrets.note(f"status of call {number}", f"{error.details()} {error.trailing_metadata()}")
    end = RawBot(secrets.arena.unix, token[:-1]).say(hello=play_pb2.Hello()).hear_end()
    assert end.code == play_pb2.Goodbye.CODE_UNAUTHENTICATED
    secrets.note("goodbye", str(end))
    secrets.command("ladder", "show", token, code=2, ARENA_TOKEN=secrets.alice)
    secrets.command("bot", "show", token, code=2, ARENA_TOKEN=secrets.alice)
    secrets.command("bot", "list", code=1, ARENA_TOKEN=f"{token}\nx")
    secrets.command("bot", "list", code=1, ARENA_TOKEN=token[:-1])
    secrets.command("bot", "list", code=1, ARENA_TOKEN=token[4:])


def _read_everything(secrets: SecretsFixture) -> None:
    """Add what can be read of an arena while it runs and afterwards."""
    local = ("--data", str(secrets.arena.data))
    for number in range(1, 4):
        target = str(secrets.folder / f"{number}.arenalog")
        secrets.command("log", "download", str(number), "--output", target, ARENA_TOKEN=secrets.alice)
    secrets.note("downloaded logs", b"".join(_unpacked(path) for path in secrets.folder.glob("*.arenalog")))
    secrets.command("log", "export", "1", "2", "3", ARENA_TOKEN=secrets.alice)
    secrets.command("log", "show", "1", ARENA_TOKEN=secrets.alice)
    secrets.command("match", "explain", "1", "--format", "json", ARENA_TOKEN=secrets.alice)
    secrets.debug_lines = secrets.command(
        "log", "debug", "1", "--bot", "inmate", ARENA_TOKEN=secrets.organiser
    )
    secrets.note("metrics", urllib.request.urlopen(metrics_url(secrets.arena), timeout=60).read())
    secrets.command("doctor", "--deep", *local, ARENA_TOKEN=secrets.organiser)
    secrets.command("data", "backup", str(secrets.folder / "backup.tar.zst"), *local)
    with closing(sqlite3.connect(secrets.arena.data / "arena.db")) as database:
        for (secret,) in database.execute("SELECT secret FROM ladder_secrets"):
            secrets.scanner.add("secret of the day", bytes(secret))
    assert secrets.arena.terminate() == 0
    secrets.note("service log", "".join(secrets.arena.log))


def _unpacked(path: Path) -> bytes:
    data = path.read_bytes()
    try:
        with zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True) as plain:
            return data + plain.read()
    except zstandard.ZstdError:
        return data


def test_every_kind_of_secret_is_looked_for(secrets: SecretsFixture) -> None:
    assert len(secrets.scanner) == 11


def test_no_secret_is_in_any_output(secrets: SecretsFixture) -> None:
    found = {place: secrets.scanner.found_in(data) for place, data in secrets.said.items()}
    assert [place for place, names in found.items() if names] == []


def test_the_expected_output_was_produced(secrets: SecretsFixture) -> None:
    """Otherwise nothing would be shown by the test before."""
    log = "".join(secrets.arena.log)
    assert "this call fails" in log
    assert "GRPC_TRACE" in log
    assert "HDR" not in log
    assert json.loads(next(line for line in secrets.arena.log if '"call failed"' in line))["exception"]
    assert "looked at" in secrets.debug_lines
    assert "ARENA_ADDRESS" in secrets.debug_lines
    assert "suspicious" not in secrets.debug_lines


def test_no_secret_is_on_a_command_line_but_that_which_was_typed_there(secrets: SecretsFixture) -> None:
    found = {each.pid: secrets.scanner.found_in(each.command_line) for each in secrets.seen.values()}
    assert [pid for pid, names in found.items() if names] == []


def test_the_environment_of_a_bot_holds_its_own_token_and_that_of_the_arena_none(
    secrets: SecretsFixture,
) -> None:
    held = {each.pid: secrets.scanner.found_in(each.environment) for each in secrets.seen.values()}
    programs = [each for each in secrets.seen.values() if str(RANDOM).encode() in each.command_line]
    for process in programs:
        if b"arena.cli.app" not in process.command_line:
            owner = {bot for bot, token in secrets.bots.items() if token == process.variable("ARENA_TOKEN")}
            assert held[process.pid] == {f"token of {bot}" for bot in owner}
    assert (
        len({frozenset(held[each.pid]) for each in programs}) >= 3
    )  # ada's, bee's, and alice's who runs ada
    assert held[secrets.arena.process.pid] == set()


def test_the_database_holds_hashes_alone(secrets: SecretsFixture) -> None:
    stored = b"".join(path.read_bytes() for path in secrets.arena.data.glob("arena.db*"))
    assert len(stored) > 10_000
    assert secrets.scanner.found_in(stored) == {"secret of the day"}


OWN_SECRETS = {
    "organiser.token": {"local organiser token"},
    "keys/signing.key": {"log signing key"},
    "keys/pages.key": {"page key"},
    "arena.db": {"secret of the day"},
}
"""Of a data folder, by the file that holds them."""


def test_the_data_folder_holds_its_own_secrets_where_they_belong_and_for_its_user_alone(
    secrets: SecretsFixture,
) -> None:
    data = secrets.arena.data
    files = [path for path in data.rglob("*") if path.is_file()]
    found = {str(path.relative_to(data)): secrets.scanner.found_in(_unpacked(path)) for path in files}
    assert {name: names for name, names in found.items() if names} == OWN_SECRETS
    assert [name for name in OWN_SECRETS if (data / name).stat().st_mode & 0o077] == []


def test_a_backup_holds_the_same_and_no_token_of_a_user_or_a_bot(secrets: SecretsFixture) -> None:
    backup = secrets.folder / "backup.tar.zst"
    assert backup.stat().st_mode & 0o077 == 0
    with (
        zstandard.ZstdDecompressor().stream_reader(backup.read_bytes()) as plain,
        tarfile.open(fileobj=plain, mode="r|") as tar,
    ):
        files = ((member.name, tar.extractfile(member)) for member in tar)
        found = {name: secrets.scanner.found_in(file.read()) for name, file in files if file}
    assert {name: names for name, names in found.items() if names} == OWN_SECRETS
