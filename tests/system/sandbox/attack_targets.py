"""What there is on the host for an attack to reach: files, sockets, a process, locks, all of them the test's own."""

import asyncio
import contextlib
import ctypes
import itertools
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Final

SAID_BY_HOST: Final = "server on the host"
IPC_CREATE: Final = 0o1666
"""IPC_CREAT, and open to everybody."""
IPC_REMOVE: Final = 0

_libc = ctypes.CDLL(None, use_errno=True)
_libc.shmat.restype = ctypes.c_void_p
_libc.shmdt.argtypes = (ctypes.c_void_p,)


class AttackTargets:
    """The host as the attacks meet it. Everybody may read and write it, so that only the sandbox is in the way."""

    def __init__(self, root: Path) -> None:
        self.root = root
        """Not below /tmp: there every program sees a /tmp of its own, and the attack would fail for want of a file."""
        self.settings: dict[str, str] = {}
        """What an attack is told: the names of what it is to reach."""
        self._numbers = itertools.count()

    def bot_folder(self, *, alone: bool) -> Path:
        """Return the folder of all attacks' programs; `alone`: a copy, for one that might change it."""
        whole = self.root / "bot"
        if not alone:
            return whole
        copy = self.root / f"bot-{next(self._numbers)}"
        shutil.copytree(whole, copy)
        open_up(copy)
        return copy

    def uids(self) -> range:
        """Return a new range of one uid, so that programs of independent sandboxes share none."""
        first = 1_000_000_000 + os.getpid() % 100_000 * 1_000
        return range(uid := first + next(self._numbers) % 1_000, uid + 1)

    def folder_for_sandbox(self) -> Path:
        """Make a new folder for a sandbox's own files."""
        folder = self.root / f"sandbox-{next(self._numbers)}"
        folder.mkdir(mode=0o700)
        return folder

    @contextlib.asynccontextmanager
    async def sockets(self) -> AsyncIterator[Path]:
        """Make a folder like the one with the sockets of a bot."""
        folder = self.root / f"run-{next(self._numbers)}"
        folder.mkdir()
        (folder / "movable").touch()
        async with contextlib.AsyncExitStack() as stack:
            for name, words in (("play.sock", "the arena"), ("private.sock", "private socket")):
                server = await asyncio.start_unix_server(_greeter(words), folder / name)
                await stack.enter_async_context(server)
            open_up(folder)
            yield folder


def open_up(folder: Path) -> None:
    """Everybody may read and write what is in it, but for what is private."""
    for path in (folder, *folder.rglob("*")):
        private = path.name.startswith("private")
        executable = path.is_dir() or os.access(path, os.X_OK) or path.parent.name == "c"
        path.chmod(0o600 if private else 0o777 if executable else 0o666)


@contextlib.contextmanager
def files(programs: Callable[[Path], None]) -> Iterator[AttackTargets]:
    """Make files to reach. `programs` puts the attacks into the folder that it is given."""
    with tempfile.TemporaryDirectory(prefix="arena-attacks-", dir="/var/tmp") as name:
        root = Path(name)
        root.chmod(0o755)
        targets = AttackTargets(root)
        bot = root / "bot"
        bot.mkdir()
        programs(bot)
        texts = {
            "bot/locked": "all bots see this",
            "bot/watched": "all bots see this",
            "bot/replaceable": "a program",
            "bot/private": "for the arena alone",
            "host/file": "a file of the host",
            "host/program": "#!/bin/sh\necho program of the host\n",
            "data/arena.db": "rows of the arena",
            "data/organiser.token": "token of the organiser",
            "data/versions/5e1f/bot.py": "program of another bot",
        }
        for path, text in texts.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        (root / "other").mkdir()
        (root / "host" / "program").chmod(0o755)
        for folder in ("bot", "host", "data", "other"):
            open_up(root / folder)
        targets.settings = {
            "HOST_FILE": str(root / "host" / "file"),
            "HOST_PROGRAM": str(root / "host" / "program"),
            "DATA_FOLDER": str(root / "data"),
            "OTHER_VERSION": str(root / "data" / "versions" / "5e1f"),
            "OTHER_SOCKET": str(root / "other" / "play.sock"),
            "ARENA_UID": str(os.getuid()),
        }
        yield targets


@contextlib.contextmanager
def populated(programs: Callable[[Path], None]) -> Iterator[AttackTargets]:
    """Make all targets that need no event loop: a process, its locks, objects of the kernel, an environment."""
    with contextlib.ExitStack() as stack:
        targets = stack.enter_context(files(programs))
        process = _process(targets.root / "bot" / "locked", targets.root / "bot" / "watched")
        targets.settings["HOST_PID"] = str(stack.enter_context(process))
        targets.settings["IPC_KEY"] = str(stack.enter_context(_kernel_objects()))
        targets.settings["QUEUE_NAME"] = stack.enter_context(_message_queue())
        targets.settings["SHM_FILE"] = stack.enter_context(_shared_memory_file())
        targets.settings["TERMINAL"] = stack.enter_context(_terminal())
        stack.enter_context(_inheritance(targets.root))
        yield targets


_SLEEPER: Final = """
import fcntl, pathlib, sys, time
file = open(sys.argv[1], "r+b")
fcntl.flock(file, fcntl.LOCK_EX)
fcntl.lockf(file, fcntl.LOCK_EX)
print("locked", flush=True)
while True:
    pathlib.Path(sys.argv[2]).read_bytes()
    time.sleep(0.05)
"""


@contextlib.contextmanager
def _process(locked: Path, watched: Path) -> Iterator[int]:
    """Run a process that holds both kinds of lock on one file, and reads another again and again.

    The test itself could not hold them: a process that closes a file loses its locks on it.
    """
    command = [sys.executable, "-c", _SLEEPER, str(locked), str(watched), "sleeper of the host"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"locked\n"
        yield process.pid
        process.kill()


@contextlib.contextmanager
def _kernel_objects() -> Iterator[int]:
    """Shared memory, a semaphore and a queue under one key."""
    key = secrets.randbits(30) | 1 << 29
    shared = _libc.shmget(key, 4096, IPC_CREATE)
    semaphore = _libc.semget(key, 1, IPC_CREATE)
    queue = _libc.msgget(key, IPC_CREATE)
    assert min(shared, semaphore, queue) >= 0, "the host gives no System V objects"
    address = _libc.shmat(shared, None, 0)
    ctypes.memmove(address, b"memory of the host\0", 19)
    _libc.shmdt(address)
    try:
        yield key
    finally:
        _libc.shmctl(shared, IPC_REMOVE, None)
        _libc.semctl(semaphore, 0, IPC_REMOVE)
        _libc.msgctl(queue, IPC_REMOVE, None)


@contextlib.contextmanager
def _message_queue() -> Iterator[str]:
    name = f"/arena-attacks-{secrets.token_hex(8)}"
    umask = os.umask(0)
    queue = _libc.mq_open(name.encode(), os.O_CREAT | os.O_RDWR, 0o666, None)
    os.umask(umask)
    assert queue >= 0, "the host gives no message queues"
    try:
        yield name
    finally:
        os.close(queue)
        _libc.mq_unlink(name.encode())


@contextlib.contextmanager
def _shared_memory_file() -> Iterator[str]:
    with tempfile.NamedTemporaryFile("w", prefix="arena-attacks-", dir="/dev/shm") as file:
        file.write("memory of another program")
        file.flush()
        Path(file.name).chmod(0o644)
        yield Path(file.name).name


@contextlib.contextmanager
def _terminal() -> Iterator[str]:
    ours, theirs = os.openpty()
    try:
        yield Path(os.ttyname(theirs)).name
    finally:
        os.close(ours)
        os.close(theirs)


@contextlib.contextmanager
def _inheritance(root: Path) -> Iterator[None]:
    """Set an environment variable with a secret, and open a file that programs inherit."""
    os.environ["ARENA_SENTINEL"] = "token in the environment"
    secret = root / "inherited"
    secret.write_text("inherited secret")
    file = os.open(secret, os.O_RDONLY)
    os.set_inheritable(file, True)
    try:
        yield
    finally:
        os.close(file)
        del os.environ["ARENA_SENTINEL"]


def _greeter(words: str) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    async def greet(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(words.encode())
        with contextlib.suppress(OSError):
            await writer.drain()
            writer.close()
            await writer.wait_closed()

    return greet


class _Echo(asyncio.DatagramProtocol):
    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override]
        self.transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        self.transport.sendto(SAID_BY_HOST.encode(), addr)


@contextlib.asynccontextmanager
async def listening(targets: AttackTargets) -> AsyncIterator[None]:
    """Serve the servers among the targets."""
    abstract = f"arena-attacks-{secrets.token_hex(8)}"
    async with contextlib.AsyncExitStack() as stack:

        async def serve(address: str) -> str:
            """Return the port of a new server."""
            server = await asyncio.start_server(_greeter(SAID_BY_HOST), address, 0)
            await stack.enter_async_context(server)
            return str(server.sockets[0].getsockname()[1])

        targets.settings["TCP_PORT"] = await serve("127.0.0.1")
        with contextlib.suppress(OSError):
            targets.settings["TCP6_PORT"] = await serve("::1")
        other = targets.root / "other" / "play.sock"
        for path, words in (("\0" + abstract, SAID_BY_HOST), (str(other), "another bot's socket")):
            await stack.enter_async_context(await asyncio.start_unix_server(_greeter(words), path))
        other.chmod(0o777)
        udp, _ = await asyncio.get_running_loop().create_datagram_endpoint(_Echo, ("127.0.0.1", 0))
        stack.callback(udp.close)
        targets.settings |= {"UDP_PORT": str(udp.get_extra_info("sockname")[1]), "ABSTRACT_NAME": abstract}
        yield
