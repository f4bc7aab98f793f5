"""The options of bubblewrap for one program: what it sees, where it may write, what it is cut off from."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.sandbox.process_spec import BOT_FOLDER, SOCKETS_FOLDER, ProcessLimits, ProcessSpec
from arena.sandbox.protections import Protection
from arena.sandbox.runtimes import SYSTEM_PATH, Runtime, VisiblePaths

READY: Final = "ready"
"""What is written when the sandbox stands and the program waits for its line."""

_MERGED: Final = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""Folders of / that are links into /usr on most machines."""
_FROM_ETC: Final = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives")
"""What the loader of programs reads, and what names in /usr/bin lead to."""
_HIDDEN_OF_PROC: Final = (
    "cmdline",
    "kallsyms",
    "keys",
    "key-users",
    "modules",
    "sched_debug",
    "timer_list",
    "slabinfo",
)
"""Facts of the machine that no runtime reads."""
_OWN: Final = {"dev", "proc", "tmp", "run", "bot", "venv", "lost+found"}
"""What a program has of its own even where it sees the whole machine."""
_TERMINALS: Final = "/dev/pts"
_EMPTY: Final = 4096
"""Bytes of a tmpfs in which nothing is."""
_NOBODY: Final = 65534
_SHM_PART: Final = 4
"""/dev/shm holds this part of what /tmp holds."""


@dataclass(frozen=True, slots=True)
class SandboxUser:
    """As whom a program runs."""

    uid: int
    """Root: the uid that is really taken on. Otherwise: what the program sees in its user namespace."""
    setpriv: Path | None
    """Takes on the uid; None: bubblewrap's user namespace does."""
    env: Path
    """Sets the environment and runs the program."""
    keeps_root: bool = False
    """The arena is root, and so is the program: only in an attack's control."""


@dataclass(slots=True)
class BubblewrapOptions:
    """Options, and the contents of the files that are made up for the program."""

    options: list[str] = field(default_factory=list)
    contents: list[bytes] = field(default_factory=list)
    """Each is handed over in a file descriptor, whose number the options are still to get."""
    slots: dict[int, int] = field(default_factory=dict)
    """Index of an option -> index of the contents whose descriptor stands there."""
    made: set[str] = field(default_factory=set)
    """Folders that are there already."""

    def add(self, *words: str) -> None:
        """One more option."""
        self.options += words

    def make_way(self, path: str) -> None:
        """The folders above a path are there, for all to pass: bubblewrap itself would make them root's alone."""
        for folder in reversed(Path(path).parents[:-1]):
            if str(folder) not in self.made:
                self.made.add(str(folder))
                self.add("--perms", "0755", "--dir", str(folder))

    def show(self, option: str, source: str, path: str) -> None:
        """One more option that shows something of the machine, or a link."""
        self.make_way(path)
        self.add(option, source, path)

    def give(self, option: str, content: bytes, *after: str) -> None:
        """One more option that reads a descriptor."""
        self.slots[len(self.options) + 1] = len(self.contents)
        self.contents.append(content)
        self.options += (option, "", *after)

    def with_descriptors(self, descriptors: Iterable[int]) -> list[str]:
        """The options once the contents have descriptors, in their order."""
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
    """All that bubblewrap is told but for the filter and its own descriptors.

    `protections`: what is on; one that is missing is the only thing that changes.
    """
    shown = runtime.show(limits, program.tools)
    layout = BubblewrapOptions()
    _cut_off(layout, identity, protections)
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
    _tmpfs(layout, "/tmp", limits.tmp_bytes if Protection.TMP in protections else None)
    _show_runtime(layout, shown)
    writable = program.writable or Protection.READ_ONLY not in protections
    layout.add("--bind" if writable else "--ro-bind", str(program.folder.resolve()), BOT_FOLDER)
    if program.sockets is not None:
        writable_sockets = Protection.READ_ONLY not in protections
        option = "--bind" if writable_sockets else "--ro-bind"
        layout.show(option, str(program.sockets.resolve()), SOCKETS_FOLDER)
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
    """What bubblewrap runs: the program, by way of what takes on its uid, waits for a line and sets its environment.

    The environment comes last, because it is the program's own: what takes on the uid must not load a library that
    the program names.
    """
    settings = settings_of(program, runtime.show(limits, program.tools))
    clean = ["-i"] if Protection.ENVIRONMENT in protections else []
    held = [
        "/bin/sh",
        "-c",
        f'cd {BOT_FOLDER} && echo {READY} && read -r line && exec "$@" </dev/null',
        "sh",
        str(identity.env),
        *clean,
    ]
    command = [*held, *(f"{name}={value}" for name, value in settings.items()), *program.command]
    if identity.setpriv is None or identity.keeps_root:
        return command
    uid = str(identity.uid)
    return [
        str(identity.setpriv), f"--reuid={uid}", f"--regid={uid}", "--clear-groups",
        "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--", *command,
    ]  # fmt: skip


def _cut_off(layout: BubblewrapOptions, identity: SandboxUser, protections: frozenset[Protection]) -> None:
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
    """The operating system's programs and libraries, and a made-up /etc."""
    layout.add("--ro-bind", "/usr", "/usr")
    for name in _MERGED:
        path = Path("/") / name
        if path.is_symlink():
            layout.add("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            layout.add("--ro-bind", str(path), str(path))
    for shown in _FROM_ETC:
        if Path(shown).exists():
            layout.show("--ro-bind", shown, shown)
    for made, text in _made_up(identity.uid).items():
        _file(layout, made, text)


def _show_everything(layout: BubblewrapOptions) -> None:
    """All of the machine that its users may enter, for the control of an attack on files; nothing can be changed."""
    for path in sorted(Path("/").iterdir()):
        if path.is_symlink():
            layout.add("--symlink", str(path.readlink()), str(path))
        elif path.is_dir() and path.name not in _OWN and path.stat().st_mode & stat.S_IXOTH:
            layout.add("--ro-bind", str(path), str(path))
            layout.made.add(str(path))


def _made_up(uid: int) -> Mapping[str, str]:
    return {
        "/etc/passwd": f"root:x:0:0::/:/bin/false\nbot:x:{uid}:{uid}::/tmp:/bin/sh\n",
        "/etc/group": f"root:x:0:\nbot:x:{uid}:\n",
        "/etc/hosts": "127.0.0.1 localhost\n",
        "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }


def _file(layout: BubblewrapOptions, path: str, text: str) -> None:
    layout.make_way(path)
    layout.add("--perms", "0444")
    layout.give("--ro-bind-data", text.encode(), path)


def _make_devices(
    layout: BubblewrapOptions, limits: ProcessLimits, protections: frozenset[Protection]
) -> None:
    if Protection.DEVICES not in protections:
        layout.add("--dev-bind", "/dev", "/dev")
        return
    layout.add("--dev", "/dev")
    # Terminals of its own would be memory of the kernel that no cgroup counts, out of a number that all share.
    layout.add("--perms", "0755", "--size", str(_EMPTY), "--tmpfs", _TERMINALS)
    _tmpfs(layout, "/dev/shm", limits.tmp_bytes // _SHM_PART if Protection.TMP in protections else None)


def _tmpfs(layout: BubblewrapOptions, path: str, size: int | None) -> None:
    layout.add("--perms", "1777")
    if size is not None:
        layout.add("--size", str(size))
    layout.add("--tmpfs", path)


def _show_runtime(layout: BubblewrapOptions, shown: VisiblePaths) -> None:
    for source, path in shown.binds:
        layout.show("--ro-bind", str(source), path)
    for path, text in shown.files.items():
        _file(layout, path, text)
    for path, target in shown.links.items():
        layout.show("--symlink", target, path)


def settings_of(program: ProcessSpec, shown: VisiblePaths) -> Mapping[str, str]:
    """The program's environment, whole."""
    own = {
        "PATH": ":".join((*shown.path, *SYSTEM_PATH)),
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        **shown.settings,
    }
    return own | dict(program.settings)


NAMESPACE_UID: Final = _NOBODY
"""What a program sees as its uid where the arena is not root."""
