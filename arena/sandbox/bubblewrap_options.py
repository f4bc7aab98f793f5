"""The options of bubblewrap for one program: what it sees, where it may write, and its namespaces."""

import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.sandbox.process_spec import BOT_FOLDER, SOCKETS_FOLDER, ProcessLimits, ProcessSpec
from arena.sandbox.protections import Protection
from arena.sandbox.runtimes import SYSTEM_PATH, Runtime, VisiblePaths

READY: Final = "ready"
"""Written when the sandbox is made and the program waits for its line."""

_SYSTEM: Final = ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""All but the first are links to /usr on most machines."""
_FROM_ETC: Final = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives")
"""Read by the dynamic loader, and targets of links in /usr/bin."""
_HIDDEN_OF_PROC: Final = (
    "cmdline", "kallsyms", "keys", "key-users", "modules", "sched_debug", "timer_list", "slabinfo",
)  # fmt: skip
"""Facts of the machine that no runtime reads."""
_OWN: Final = {"dev", "proc", "tmp", "run", "bot", "venv", "lost+found"}
"""Private to a program even if it sees the whole machine."""
_TERMINALS: Final = "/dev/pts"
_EMPTY: Final = 4096
"""Bytes of an empty tmpfs."""
NAMESPACE_UID: Final = 65534
"""The uid in a user namespace, where the arena is not root."""
_SHM_PART: Final = 4
"""/dev/shm holds this part of what /tmp holds."""


def is_shown(path: str) -> bool:
    """Return whether a path of the machine exists and is visible to every program."""
    return any(Path(path).is_relative_to(Path("/", name)) for name in _SYSTEM) and Path(path).exists()


@dataclass(frozen=True, slots=True)
class SandboxUser:
    """The user that a program runs as."""

    uid: int
    """The real uid if the arena is root, otherwise the uid in the user namespace."""
    setpriv: Path | None
    """Changes the uid; None: bubblewrap's user namespace does."""
    env: Path
    """Sets the environment and runs the program."""
    keeps_root: bool = False
    """Whether the program runs as root like the arena: only in the control of an attack."""


class BubblewrapOptions:
    """All options of bubblewrap but for the filter of system calls and its own descriptors; and what it runs."""

    def __init__(
        self,
        program: ProcessSpec,
        runtime: Runtime,
        limits: ProcessLimits,
        user: SandboxUser,
        protections: frozenset[Protection],
        memory_file: Callable[[bytes], int],
    ) -> None:
        """`memory_file`: returns a descriptor from which bubblewrap reads a content."""
        self._program = program
        self._limits = limits
        self._user = user
        self._protections = protections
        self._memory_file = memory_file
        self.options: list[str] = []
        self._made: set[str] = set()
        """Folders that exist."""
        visible = runtime.visible_paths(limits, program.tools)
        self.command = self._command(visible, runtime.command_line(program.command))
        self._add_namespaces()
        if Protection.FILES in protections:
            self._show_system()
        else:
            self._show_everything()
        self._make_devices()
        self._add("--proc", "/proc")
        if Protection.FILES in protections:
            for name in _HIDDEN_OF_PROC:
                if (Path("/proc") / name).exists():
                    self._add("--ro-bind", "/dev/null", f"/proc/{name}")
        self._add_tmpfs("/tmp", limits.tmp_bytes)
        for source, path in visible.binds:
            self._mount("--ro-bind", str(source), path)
        for path, text in visible.files.items():
            self._add_file(path, text)
        for path, target in visible.links.items():
            self._mount("--symlink", target, path)
        bind = "--ro-bind" if Protection.READ_ONLY in protections else "--bind"
        self._add("--bind" if program.writable else bind, str(program.folder.resolve()), BOT_FOLDER)
        if program.sockets is not None:
            self._mount(bind, str(program.sockets.resolve()), SOCKETS_FOLDER)
        if Protection.READ_ONLY in protections:
            if Protection.DEVICES in protections:
                self._add("--remount-ro", "/dev", "--remount-ro", _TERMINALS)
            self._add("--remount-ro", "/")
        if Protection.ENVIRONMENT in protections:
            self._add("--clearenv")

    def _command(self, visible: VisiblePaths, program: Sequence[str]) -> list[str]:
        """Return what bubblewrap runs: change the uid, wait for a line, set the environment, run the program.

        The environment is set last because the program chooses it: setpriv must not load a library that it names.
        """
        settings = {
            "PATH": ":".join((*visible.path, *SYSTEM_PATH)),
            "HOME": "/tmp",
            "LANG": "C.UTF-8",
            **visible.settings,
            **self._program.settings,
        }
        wait = f'cd {BOT_FOLDER} && echo {READY} && read -r line && exec "$@" </dev/null'
        clean = ["-i"] if Protection.ENVIRONMENT in self._protections else []
        environment = [*clean, *(f"{name}={value}" for name, value in settings.items())]
        command = ["/bin/sh", "-c", wait, "sh", str(self._user.env), *environment, *program]
        if self._user.setpriv is None or self._user.keeps_root:
            return command
        uid = str(self._user.uid)
        return [
            str(self._user.setpriv), f"--reuid={uid}", f"--regid={uid}", "--clear-groups",
            "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--", *command,
        ]  # fmt: skip

    def _add(self, *words: str) -> None:
        """Add an option."""
        self.options += words

    def _mount(self, option: str, source: str, path: str) -> None:
        """Add a bind mount or a link at a path, with the folders above it."""
        self._make_parents(path)
        self._add(option, source, path)

    def _make_parents(self, path: str) -> None:
        """Make the folders above a path, accessible to all: bubblewrap would make them accessible to root alone."""
        for folder in reversed(Path(path).parents[:-1]):
            if str(folder) not in self._made:
                self._made.add(str(folder))
                self._add("--perms", "0755", "--dir", str(folder))

    def _add_file(self, path: str, text: str) -> None:
        """Add a read-only file with this text."""
        self._make_parents(path)
        self._add("--perms", "0444", "--ro-bind-data", str(self._memory_file(text.encode())), path)

    def _add_tmpfs(self, path: str, size: int) -> None:
        """Add a tmpfs that all may write to."""
        bounds = ("--size", str(size)) if Protection.TMP in self._protections else ()
        self._add("--perms", "1777", *bounds, "--tmpfs", path)

    def _add_namespaces(self) -> None:
        self._add("--die-with-parent", "--new-session", "--unshare-cgroup-try")
        uid = str(self._user.uid)
        if self._user.setpriv is None:
            self._add("--unshare-user", "--disable-userns", "--uid", uid, "--gid", uid)
        else:
            self._add("--cap-drop", "ALL")
            if not self._user.keeps_root:
                for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
                    self._add("--cap-add", capability)
        if Protection.NETWORK in self._protections:
            self._add("--unshare-net")
        if Protection.PROCESSES in self._protections:
            self._add("--unshare-pid")
        if Protection.IPC in self._protections:
            self._add("--unshare-ipc", "--unshare-uts", "--hostname", "bot")

    def _show_folder(self, path: Path) -> None:
        """Show a folder of the machine read-only, or the link that is there."""
        if path.is_symlink():
            self._add("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            self._add("--ro-bind", str(path), str(path))
            self._made.add(str(path))

    def _show_system(self) -> None:
        """Show the operating system's programs and libraries, and a generated /etc."""
        for name in _SYSTEM:
            self._show_folder(Path("/") / name)
        for shared in _FROM_ETC:
            if Path(shared).exists():
                self._mount("--ro-bind", shared, shared)
        uid = self._user.uid
        self._add_file("/etc/passwd", f"root:x:0:0::/:/bin/false\nbot:x:{uid}:{uid}::/tmp:/bin/sh\n")
        self._add_file("/etc/group", f"root:x:0:\nbot:x:{uid}:\n")
        self._add_file("/etc/hosts", "127.0.0.1 localhost\n")
        self._add_file("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n")

    def _show_everything(self) -> None:
        """Show all folders of the machine that users may enter: for the control of an attack on files."""
        for path in sorted(Path("/").iterdir()):
            if path.is_symlink() or (path.name not in _OWN and path.stat().st_mode & stat.S_IXOTH):
                self._show_folder(path)

    def _make_devices(self) -> None:
        if Protection.DEVICES not in self._protections:
            self._add("--dev-bind", "/dev", "/dev")
            return
        self._add("--dev", "/dev")
        # Pseudo-terminals would be memory of the kernel that no cgroup counts, out of a number that all share.
        self._add("--perms", "0755", "--size", str(_EMPTY), "--tmpfs", _TERMINALS)
        self._add_tmpfs("/dev/shm", self._limits.tmp_bytes // _SHM_PART)
