"""The usual tools of gRPC work with an arena as they are: in plain text, with TLS and on the Unix socket."""

import json
import os
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.checkout import text
from tests.system.play.arena_process import ArenaProcess
from tests.unit.server.certificates import Authority

MODULES: Final = {
    "grpcurl": "github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.4",
    "grpc-health-probe": "github.com/grpc-ecosystem/grpc-health-probe@v0.4.61",
    "ghz": "github.com/bojand/ghz/cmd/ghz@v0.93.0",
}
"""Go modules of the tools; buf comes with the environment of the developers."""

BUF: Final = Path(sysconfig.get_path("scripts")) / "buf"
WITHIN_S: Final = 120.0


@dataclass(frozen=True)
class Place:
    """One address of an arena, as each tool wants it written."""

    arena: ArenaProcess
    target: str
    """For grpcurl, ghz and the probe."""
    url: str
    """For buf."""
    options: Mapping[str, Sequence[str]]
    """By tool, what it needs to connect."""

    @property
    def token(self) -> str:
        """The header with the organiser's token."""
        return f"authorization: {dict(self.arena.organiser)['authorization']}"


@pytest.fixture(scope="session")
def tools(request: pytest.FixtureRequest) -> Mapping[str, Path]:
    """Install the tools from the Go module proxy, once."""
    if shutil.which("go") is None:
        pytest.skip("the tools are built with Go, which is not installed")
    cache = request.config.cache
    assert cache is not None
    folder = cache.mkdir("grpc_tools")
    for name, module in MODULES.items():
        stamp = folder / f"{name}.version"
        if not stamp.exists() or stamp.read_text() != module:
            # Settings of the build of the Go bots: with them Go has compiled its own packages before.
            settings = {"GOBIN": str(folder), "GOFLAGS": "-buildvcs=false -trimpath", "CGO_ENABLED": "0"}
            environment = os.environ | settings
            subprocess.run(["go", "install", module], env=environment, check=True)
            stamp.write_text(module)
    return {name: folder / name for name in MODULES} | {"buf": BUF}


def plain(folder: Path) -> Iterator[Place]:
    """Yield a plain TCP port."""
    with ArenaProcess(folder / "data") as arena:
        options = {
            "grpcurl": ["-plaintext"],
            "ghz": ["--insecure"],
            "grpc-health-probe": [],
            "buf": ["--http2-prior-knowledge"],
        }
        yield Place(arena, arena.tcp, f"http://{arena.tcp}", options)


def tls(folder: Path) -> Iterator[Place]:
    """Yield a TCP port with TLS."""
    authority = Authority(folder, "authority")
    issued, ca = authority.issue("arena"), str(authority.file)
    keys = ("--tls-cert", str(issued.certificate), "--tls-key", str(issued.key))
    with ArenaProcess(folder / "data", *keys) as arena:
        options = {
            "grpcurl": ["-cacert", ca],
            "ghz": ["--cacert", ca],
            "grpc-health-probe": ["-tls", "-tls-ca-cert", ca],
            "buf": ["--cacert", ca],
        }
        yield Place(arena, arena.tcp, f"https://{arena.tcp}", options)


def unix(folder: Path) -> Iterator[Place]:
    """Yield the Unix socket."""
    with ArenaProcess(folder / "data") as arena:
        path = arena.unix.removeprefix("unix:")
        options = {
            "grpcurl": ["-plaintext", "-unix"],
            "ghz": ["--insecure"],
            "grpc-health-probe": [],
            "buf": ["--http2-prior-knowledge", "--unix-socket", path],
        }
        yield Place(arena, f"unix://{path}", "http://arena", options)


@pytest.fixture(scope="module", params=[plain, tls, unix], ids=lambda place: place.__name__)
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    yield from request.param(tmp_path_factory.mktemp("tools"))


def run(*command: str | Path) -> tuple[int, str]:
    """Return the exit code and the output of a tool."""
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=WITHIN_S
    )
    return done.returncode, done.stdout


def test_grpcurl_lists_describes_and_calls(tools: Mapping[str, Path], place: Place) -> None:
    grpcurl: tuple[str | Path, ...] = (tools["grpcurl"], *place.options["grpcurl"])
    target = place.target.removeprefix("unix://")

    code, listed = run(*grpcurl, target, "list")
    assert code == 0, listed
    assert {"arena.v1.PlayService", "grpc.reflection.v1.ServerReflection"} <= set(listed.split())

    code, described = run(*grpcurl, target, "describe", "arena.v1.BotService.GetBot")
    assert code == 0, described
    assert "rpc GetBot" in described

    call = (target, "arena.v1.UserService/ListUsers")
    code, answer = run(*grpcurl, "-H", place.token, *call)
    assert code == 0, answer
    assert [user["name"] for user in json.loads(answer)["users"]] == ["users/organiser"]
    code, refused = run(*grpcurl, *call)
    assert (code, "Unauthenticated" in refused) == (64 + 16, True)


def test_ghz_loads_a_method_that_it_finds_by_reflection(tools: Mapping[str, Path], place: Place) -> None:
    metadata = json.dumps(dict([place.token.split(": ")]))
    method = ("--call", "arena.v1.GameService.ListGames", "--metadata", metadata)
    amount = ("-n", "40", "-c", "2", "--format", "json")
    code, report = run(tools["ghz"], *place.options["ghz"], *method, *amount, place.target)
    assert code == 0, report
    assert json.loads(report)["statusCodeDistribution"] == {"OK": 40}


@pytest.mark.parametrize(
    ("service", "healthy"), [("", True), ("arena.v1.PlayService", True), ("arena.v1.Nothing", False)]
)
def test_the_health_probe_asks_for_the_arena_and_for_a_service(
    tools: Mapping[str, Path], place: Place, service: str, healthy: bool
) -> None:
    options = place.options["grpc-health-probe"]
    code, said = run(tools["grpc-health-probe"], *options, "-addr", place.target, "-service", service)
    assert (code == 0, "status: SERVING" in said) == (healthy, healthy)


def test_buf_curl_calls_by_reflection(tools: Mapping[str, Path], place: Place) -> None:
    options = ("curl", "--protocol", "grpc", *place.options["buf"], "-H", place.token)
    code, answer = run(tools["buf"], *options, f"{place.url}/arena.v1.GameService/ListGames")
    assert code == 0, answer
    assert "games/caravan" in {game["name"] for game in json.loads(answer)["games"]}


def test_the_page_on_operations_shows_the_tools() -> None:
    page = text("docs/operations.md")
    assert [name for name in (*MODULES, "buf curl") if name not in page] == []
