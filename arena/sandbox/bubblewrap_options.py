"""The options of bubblewrap for one program: what it sees, where it may write, and its namespaces."""

import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.sandbox.process_spec import BOT_FOLDER, SOCKETS_FOLDER, ProcessLimits, ProcessSpec
from arena.sandbox.protections import Protection
from arena.sandbox.runtimes import SYSTEM_PATH, Runtime

READY: Final = "ready"
"""Written when the sandbox is made and the program waits for its line."""

_MERGED: Final = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""Folders of / that are links to /usr on most machines."""
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


@dataclass(slots=True)
class BubblewrapOptions:
    """Options, and the contents of files made for the program."""

    options: list[str] = field(default_factory=list)
    contents: list[bytes] = field(default_factory=list)
    """Each is passed in a file descriptor, whose number is not known yet."""
    slots: dict[int, int] = field(default_factory=dict)
    """Index of an option -> index of the contents whose descriptor it names."""
    made: set[str] = field(default_factory=set)
    """Folders that exist."""

    def add(self, *words: str) -> None:
        """Add an option."""
        self.options += words

    def make_parents(self, path: str) -> None:
        """Make the folders above a path, accessible to all: bubblewrap would make them accessible to root alone."""
        for folder in reversed(Path(path).parents[:-1]):
            if str(folder) not in self.made:
                self.made.add(str(folder))
                self.add("--perms", "0755", "--dir", str(folder))

    def mount(self, option: str, source: str, path: str) -> None:
        """Add a bind mount or a link at a path, with the folders above it."""
        self.make_parents(path)
        self.add(option, source, path)

    def add_file(self, path: str, text: str) -> None:
        """Add a read-only file with this text."""
        self.make_parents(path)
        self.add("--perms", "0444", "--ro-bind-data")
        self.slots[len(self.options)] = len(self.contents)
        self.contents.append(text.encode())
        self.add("", path)

    def add_tmpfs(self, path: str, size: int | None) -> None:
        """Add a tmpfs that all may write to."""
        self.add("--perms", "1777", *(("--size", str(size)) if size is not None else ()), "--tmpfs", path)

    def with_descriptors(self, descriptors: Iterable[int]) -> list[str]:
        """Return the options with the descriptors of the contents, given in their order."""
        numbers = list(descriptors)
        return [
            str(numbers[self.slots[index]]) if index in self.slots else word
            for index, word in enumerate(self.options)
        ]


def lay_out(
    program: ProcessSpec,
    runtime: Runtime,
    limits: ProcessLimits,
    identity: SandboxUser,
    protections: frozenset[Protection],
) -> BubblewrapOptions:
    """Return all options of bubblewrap but for the filter of system calls and its own descriptors."""
    visible = runtime.visible_paths(limits, program.tools)
    layout = BubblewrapOptions()
    _add_namespaces(layout, identity, protections)
    if Protection.FILES in protections:
        _show_system(layout, identity)
    else:
        _show_everything(layout)
    _make_devices(layout, limits, protections)
    layout.add("--proc", "/proc")
    if Protection.FILES in protections:
        for name in _HIDDEN_OF_PROC:
            if (Path("/proc") / name).exists():
                layout.add("--ro-bind", "/dev/null", f"/proc/{name}")
    layout.add_tmpfs("/tmp", limits.tmp_bytes if Protection.TMP in protections else None)
    for source, path in visible.binds:
        layout.mount("--ro-bind", str(source), path)
    for path, text in visible.files.items():
        layout.add_file(path, text)
    for path, target in visible.links.items():
        layout.mount("--symlink", target, path)
    bind = "--ro-bind" if Protection.READ_ONLY in protections else "--bind"
    layout.add("--bind" if program.writable else bind, str(program.folder.resolve()), BOT_FOLDER)
    if program.sockets is not None:
        layout.mount(bind, str(program.sockets.resolve()), SOCKETS_FOLDER)
    if Protection.READ_ONLY in protections:
        if Protection.DEVICES in protections:
            layout.add("--remount-ro", "/dev", "--remount-ro", _TERMINALS)
        layout.add("--remount-ro", "/")
    if Protection.ENVIRONMENT in protections:
        layout.add("--clearenv")
    return layout


def command_of(
    program: ProcessSpec,
    runtime: Runtime,
    limits: ProcessLimits,
    identity: SandboxUser,
    protections: frozenset[Protection],
) -> list[str]:
    """Return what bubblewrap runs: change the uid, wait for a line, set the environment, run the program.

    The environment is set last because the program chooses it: setpriv must not load a library that it names.
    """
    visible = runtime.visible_paths(limits, program.tools)
    settings = {
        "PATH": ":".join((*visible.path, *SYSTEM_PATH)),
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        **visible.settings,
        **program.settings,
    }
    wait = f'cd {BOT_FOLDER} && echo {READY} && read -r line && exec "$@" </dev/null'
    clean = ["-i"] if Protection.ENVIRONMENT in protections else []
    environment = [*clean, *(f"{name}={value}" for name, value in settings.items())]
    command = ["/bin/sh", "-c", wait, "sh", str(identity.env), *environment, *program.command]
    if identity.setpriv is None or identity.keeps_root:
        return command
    uid = str(identity.uid)
    return [
        str(identity.setpriv), f"--reuid={uid}", f"--regid={uid}", "--clear-groups",
        "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--", *command,
    ]  # fmt: skip


def _add_namespaces(
    layout: BubblewrapOptions, identity: SandboxUser, protections: frozenset[Protection]
) -> None:
    layout.add("--die-with-parent", "--new-session", "--unshare-cgroup-try")
    if identity.setpriv is None:
        layout.add(
            "--unshare-user", "--disable-userns", "--uid", str(identity.uid), "--gid", str(identity.uid)
        )
    else:
        layout.add("--cap-drop", "ALL")
        if not identity.keeps_root:
            for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
                layout.add("--cap-add", capability)
    if Protection.NETWORK in protections:
        layout.add("--unshare-net")
    if Protection.PROCESSES in protections:
        layout.add("--unshare-pid")
    if Protection.IPC in protections:
        layout.add("--unshare-ipc", "--unshare-uts", "--hostname", "bot")


def _show_system(layout: BubblewrapOptions, identity: SandboxUser) -> None:
    """Show the operating system's programs and libraries, and a generated /etc."""
    layout.add("--ro-bind", "/usr", "/usr")
    for name in _MERGED:
        path = Path("/") / name
        if path.is_symlink():
            layout.add("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            layout.add("--ro-bind", str(path), str(path))
    for shared in _FROM_ETC:
        if Path(shared).exists():
            layout.mount("--ro-bind", shared, shared)
    uid = identity.uid
    layout.add_file("/etc/passwd", f"root:x:0:0::/:/bin/false\nbot:x:{uid}:{uid}::/tmp:/bin/sh\n")
    layout.add_file("/etc/group", f"root:x:0:\nbot:x:{uid}:\n")
    layout.add_file("/etc/hosts", "127.0.0.1 localhost\n")
    layout.add_file("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n")


def _show_everything(layout: BubblewrapOptions) -> None:
    """Show all folders of the machine that users may enter, read-only: for the control of an attack on files."""
    for path in sorted(Path("/").iterdir()):
        if path.is_symlink():
            layout.add("--symlink", str(path.readlink()), str(path))
        elif path.is_dir() and path.name not in _OWN and path.stat().st_mode & stat.S_IXOTH:
            layout.add("--ro-bind", str(path), str(path))
            layout.made.add(str(path))


def _make_devices(
    layout: BubblewrapOptions, limits: ProcessLimits, protections: frozenset[Protection]
) -> None:
    if Protection.DEVICES not in protections:
        layout.add("--dev-bind", "/dev", "/dev")
        return
    layout.add("--dev", "/dev")
    # Pseudo-terminals would be memory of the kernel that no cgroup counts, out of a number that all share.
    layout.add("--perms", "0755", "--size", str(_EMPTY), "--tmpfs", _TERMINALS)
    layout.add_tmpfs("/dev/shm", limits.tmp_bytes // _SHM_PART if Protection.TMP in protections else None)
