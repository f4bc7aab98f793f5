"""What each runtime needs of the machine: read-only files, names on the PATH, variables, allowed system calls.

The built-in runtimes are here; an organiser adds others by files (`runtime_files.py`). Interpreters and toolchains are
found through this process and the PATH; none of them is run.
"""

import importlib.util
import shutil
import sys
import sysconfig
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.sandbox.process_spec import MIB, ProcessLimits
from arena.sandbox.seccomp.call_filter import BUILD, MATCH, AllowedCalls

SYSTEM_PATH: Final = ("/usr/local/bin", "/usr/bin", "/bin")
OWN_PACKAGES: Final = ("arena", "engine")
"""Packages of this project that a Python bot may import."""

_VENV: Final = "/venv"
HEAP_SHARE: Final = 2
"""The heap of a runtime is limited to this part of the memory: the rest is for stacks, code and buffers."""


@dataclass(frozen=True, slots=True)
class VisiblePaths:
    """The paths that a program sees beside /usr, /bot and its sockets."""

    binds: tuple[tuple[Path, str], ...] = ()
    """(path on this machine, path in the sandbox), read-only."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Generated files: path -> text."""
    links: Mapping[str, str] = field(default_factory=dict)
    """Path -> target."""
    path: tuple[str, ...] = ()
    """Before the system's folders on the PATH."""
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Runtime:
    """The language or environment of a program."""

    name: str
    visible_paths: Callable[[ProcessLimits, bool], VisiblePaths]
    """(limits, with build tools) -> what the program sees."""
    match: AllowedCalls = MATCH
    build: AllowedCalls = BUILD
    """System calls allowed in a match and in a build."""
    command: tuple[str, ...] = ()
    """Run in place of a first word that is the name of the runtime; empty: the word is run as it is."""
    interpreter: str = ""
    """The program that runs bots: a path, or a name on the PATH; empty: bots are programs themselves."""
    paths: tuple[Path, ...] = ()
    """What it needs to exist, beside the interpreter."""
    version: tuple[str, ...] = ()
    """Prints the version in the sandbox; empty: there is none."""
    compiler: str = ""
    """A program that only builds see and that prints `version`; empty: matches see it as well."""
    start_s: float | None = None
    """Seconds from the start of a program to its hello; None: the usual limit."""

    def why_not(self) -> str:
        """Return why programs of it cannot run on this machine: a sentence part; empty if they can."""
        if self.interpreter and shutil.which(self.interpreter) is None:
            return f"the program {self.interpreter} is not installed on the machine of the arena"
        missing = [str(path) for path in self.paths if not path.exists()]
        return f"{', '.join(missing)} is missing on the machine of the arena" if missing else ""

    def command_line(self, command: tuple[str, ...]) -> tuple[str, ...]:
        """Return what is run for the command of a submission."""
        return (*self.command, *command[1:]) if self.command and command[0] == self.name else command


def _below_usr(path: Path) -> bool:
    return path.is_relative_to("/usr")


def _python(_limits: ProcessLimits, _tools: bool) -> VisiblePaths:
    """Show this interpreter and its packages as a virtual environment."""
    base = Path(sys.base_prefix).resolve()
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    interpreter = Path(sys.executable).resolve()
    packages = Path(sysconfig.get_path("purelib"))
    binds = [] if _below_usr(base) else [(base, str(base))]
    binds.append((packages, f"{_VENV}/lib/{version}/site-packages"))
    own = [(name, folder) for name in OWN_PACKAGES if (folder := _package(name)) is not None]
    elsewhere = [(folder, f"{_VENV}/own/{name}") for name, folder in own if folder.parent != packages]
    config = f"home = {interpreter.parent}\ninclude-system-site-packages = false\nversion = {sys.version.split()[0]}\n"
    settings = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}
    if elsewhere:
        settings["PYTHONPATH"] = f"{_VENV}/own"
    return VisiblePaths(
        binds=(*binds, *elsewhere),
        files={f"{_VENV}/pyvenv.cfg": config},
        links={f"{_VENV}/bin/{name}": str(interpreter) for name in ("python", "python3", version)},
        path=(f"{_VENV}/bin",),
        settings=settings,
    )


def _package(name: str) -> Path | None:
    """Return the folder of a package; None if it cannot be imported."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations))).resolve()


_SIGNS: Final[Mapping[str, str]] = {
    "go": "src/runtime",
    "cargo": "lib/rustlib",
    "rustc": "lib/rustlib",
    "node": "include/node",
    "java": "lib/modules",
    "javac": "lib/modules",
}
"""A path in the installation of a program, which is absent where bin/ belongs to a home, or to /."""


def _found(program: str) -> Path | None:
    """Return the path of a program on the PATH, without links; None if there is none."""
    found = shutil.which(program)
    return None if found is None else Path(found).resolve()


def _prefix_of(program: str) -> Path | None:
    """Return the folder of the installation of a program on the PATH; None without one."""
    found = _found(program)
    if found is None:
        return None
    prefix = found.parent.parent
    return prefix if _below_usr(found) or (prefix / _SIGNS[program]).exists() else None


def _prefixes(*programs: str) -> tuple[tuple[tuple[Path, str], ...], tuple[str, ...]]:
    """Return the binds that the programs need, and the folders for the PATH."""
    binds: dict[Path, str] = {}
    """By what is bound, the folder for the PATH."""
    for program in programs:
        if (prefix := _prefix_of(program)) is not None:
            binds[prefix] = f"{prefix}/bin"
        elif (alone := _found(program)) is not None:
            binds[alone] = str(alone.parent)
    path = tuple(folder for folder in binds.values() if folder != "/usr/bin")
    return tuple((bind, str(bind)) for bind in binds if not _below_usr(bind)), path


def _go(limits: ProcessLimits, tools: bool) -> VisiblePaths:
    settings = {"GOMEMLIMIT": f"{limits.memory_bytes * 3 // 4 // MIB}MiB"}
    if not tools:
        return VisiblePaths(settings=settings)
    binds, path = _prefixes("go")
    settings |= {"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local", "GOPATH": "/tmp/go"}
    return VisiblePaths(binds=binds, path=path, settings=settings | {"GOCACHE": "/tmp/go-build"})


def _rust(_limits: ProcessLimits, tools: bool) -> VisiblePaths:
    if not tools:
        return VisiblePaths()
    toolchain = _rust_toolchain()
    if toolchain is None:
        binds, path = _prefixes("cargo", "rustc")
    else:
        binds, path = ((toolchain, str(toolchain)),), (f"{toolchain}/bin",)
    return VisiblePaths(
        binds=binds, path=path, settings={"CARGO_HOME": "/tmp/cargo", "CARGO_NET_OFFLINE": "true"}
    )


def _rust_toolchain() -> Path | None:
    """Return the toolchain of rustup, whose `cargo` is only a proxy; None without rustup."""
    proxy = shutil.which("rustup")
    if proxy is None:
        return None
    toolchains = Path(proxy).absolute().parent.parent.parent / ".rustup" / "toolchains"
    found = sorted(toolchains.glob("stable-*")) or sorted(toolchains.glob("*"))
    return found[0] if found else None


def _node(limits: ProcessLimits, tools: bool) -> VisiblePaths:
    binds, path = _prefixes("node")
    heap = limits.memory_bytes // HEAP_SHARE // MIB
    settings = {"NODE_OPTIONS": f"--max-old-space-size={heap}"}
    if tools:
        settings |= {"npm_config_cache": "/tmp/npm", "npm_config_offline": "true"}
    return VisiblePaths(binds=binds, path=path, settings=settings)


def _java(limits: ProcessLimits, tools: bool) -> VisiblePaths:
    prefix = _prefix_of("javac" if tools else "java") or _prefix_of("java")
    heap = limits.memory_bytes // HEAP_SHARE // MIB
    options = (f"-Xmx{heap}m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss512k", "-XX:-UsePerfData")
    # Debian has settings of the runtime in /etc.
    kept = tuple((path, str(path)) for path in sorted(Path("/etc").glob("java-*")))
    settings = {"JDK_JAVA_OPTIONS": " ".join(options)}
    if prefix is None:
        return VisiblePaths(settings=settings)
    binds = () if _below_usr(prefix) else ((prefix, str(prefix)),)
    settings["JAVA_HOME"] = str(prefix)
    return VisiblePaths(binds=(*binds, *kept), path=(f"{prefix}/bin",), settings=settings)


def _nothing(_limits: ProcessLimits, _tools: bool) -> VisiblePaths:
    return VisiblePaths()


BUILT_IN: Final[Mapping[str, Runtime]] = {
    each.name: each
    for each in (
        Runtime("python", _python, version=("python", "--version")),
        Runtime("go", _go, version=("go", "version"), compiler="go"),
        Runtime("rust", _rust, version=("rustc", "--version"), compiler="rustc"),
        Runtime("node", _node, interpreter="node", version=("node", "--version")),
        Runtime("java", _java, interpreter="java", version=("java", "--version")),
        Runtime("cpp", _nothing, version=("c++", "--version"), compiler="c++"),
        Runtime("binary", _nothing),
    )
}
"""The runtimes that every arena has, by name."""
