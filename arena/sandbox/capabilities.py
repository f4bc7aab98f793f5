"""The capabilities of this machine for sandboxes, found once."""

import os
import platform
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.sandbox.bubblewrap_options import NAMESPACE_UID
from arena.sandbox.cgroups.cgroup import Cgroups
from arena.sandbox.cgroups.mounts import cgroup_mounts, own_groups
from arena.sandbox.cgroups.v1 import find_v1
from arena.sandbox.cgroups.v2 import find_v2
from arena.sandbox.protections import NEEDED_IN_PUBLIC, Protection, ProtectionState, protection_states
from arena.sandbox.seccomp.call_filter import MATCH, build_filter
from arena.sandbox.seccomp.system_calls import ARCHITECTURES, Architecture

GROUPS_FOLDER: Final = "caravan-arena"
"""The folder of this machine's cgroups that holds the arenas' groups."""

_PROBE_S: Final = 10.0
_REMOTE: Final = "bots that dial in from elsewhere play as always"
_ADVICE_FOR_ROOT: Final = (
    "In a container, allow it to make namespaces and mounts, or run the arena outside of it."
)
_ADVICE_FOR_USERS: Final = (
    "Allow user namespaces (on Debian and Ubuntu `sysctl kernel.unprivileged_userns_clone=1` and "
    "`sysctl kernel.apparmor_restrict_unprivileged_userns=0`), or run the arena as root."
)
_INSTALL_BWRAP: Final = (
    "Install bubblewrap (`apt-get install bubblewrap`, `dnf install bubblewrap` or `apk add bubblewrap`); until then "
    f"{_REMOTE}."
)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What the machine offers; constant while the arena runs."""

    bwrap: Path | None
    version: str
    """Of bubblewrap, for people."""
    root: bool
    """Whether the arena may change to other uids."""
    setpriv: Path | None
    env: Path | None
    architecture: Architecture | None
    """None: no filter of system calls for this processor."""
    cgroups: Cgroups | None
    why_not: str
    """Why no program can run here, and what to do; empty if programs can run."""

    @property
    def can_run(self) -> bool:
        """Whether programs can run at all."""
        return not self.why_not

    def protection_states(self) -> tuple[ProtectionState, ...]:
        """Return the state of each protection, in their order."""
        return protection_states(
            runs=self.can_run,
            root=self.root,
            covered=frozenset() if self.cgroups is None else self.cgroups.covers(),
            cgroup_version=None if self.cgroups is None else self.cgroups.version,
            filters=self.architecture is not None,
        )

    def missing_in_public(self) -> tuple[Protection, ...]:
        """Return which of NEEDED_IN_PUBLIC are missing."""
        missing = {each.protection for each in self.protection_states() if not each.live}
        return tuple(each for each in NEEDED_IN_PUBLIC if each in missing)


def find_capabilities() -> Capabilities:
    """Examine this machine. Blocks for a fraction of a second, since it starts a sandbox."""
    bwrap, setpriv, env = map(_program, ("bwrap", "setpriv", "env"))
    root = os.geteuid() == 0
    architecture = ARCHITECTURES.get(platform.machine())
    version = ""
    if bwrap is not None:
        shown = subprocess.run([bwrap, "--version"], capture_output=True, text=True, check=False, env={})
        version = shown.stdout.strip()
    return Capabilities(
        bwrap=bwrap,
        version=version,
        root=root,
        setpriv=setpriv,
        env=env,
        architecture=architecture,
        cgroups=find_cgroups(),
        why_not=_why_not(bwrap, env, setpriv, architecture, root=root),
    )


def find_cgroups() -> Cgroups | None:
    """Return where cgroups can be made: version 2 if it limits memory and processes, else the better version."""
    try:
        mountinfo = Path("/proc/self/mountinfo").read_text(encoding="utf-8")
        own = own_groups(Path("/proc/self/cgroup").read_text(encoding="utf-8"))
    except OSError:
        return None
    v2, v1 = cgroup_mounts(mountinfo)
    second = find_v2(v2, own.get("", "/"), GROUPS_FOLDER) if v2 is not None else None
    if second is not None and second.covers() >= {Protection.MEMORY, Protection.PIDS}:
        return second
    first = find_v1(v1, own, GROUPS_FOLDER)
    found = [each for each in (second, first) if each is not None and each.covers()]
    return max(found, key=lambda each: len(each.covers()), default=None)


def _program(name: str) -> Path | None:
    found = shutil.which(name)
    return None if found is None else Path(found).absolute()


def _why_not(
    bwrap: Path | None,
    env: Path | None,
    setpriv: Path | None,
    architecture: Architecture | None,
    *,
    root: bool,
) -> str:
    if platform.system() != "Linux":
        return f"Submitted bots can be run on Linux alone; {_REMOTE}."
    if bwrap is None:
        return f"The program bwrap is missing, in which submitted bots are run. {_INSTALL_BWRAP}"
    if env is None or (root and setpriv is None):
        missing = "env" if env is None else "setpriv"
        return (
            f"The program {missing} is missing, which is needed to start submitted bots: install coreutils and "
            f"util-linux; until then {_REMOTE}."
        )
    flaw = _try_out(bwrap, architecture, root=root)
    advice = _ADVICE_FOR_ROOT if root else _ADVICE_FOR_USERS
    return f"bubblewrap cannot make a sandbox here ({flaw}). {advice} {_REMOTE.capitalize()}." if flaw else ""


def _try_out(bwrap: Path, architecture: Architecture | None, *, root: bool) -> str:
    """Run `true` in a sandbox like that of a bot; return bubblewrap's message if it fails, else ""."""
    options = ["--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"]
    options += ["--as-pid-1"]  # otherwise its first process would be left as a zombie
    if root:
        options += ["--cap-drop", "ALL"]
    else:
        options += ["--unshare-user", "--disable-userns", "--uid", str(NAMESPACE_UID)]
    options += [
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        "--size",
        "65536",
        "--tmpfs",
        "/tmp",
    ]
    with tempfile.TemporaryFile() as calls:
        if architecture is not None:
            calls.write(build_filter(architecture, MATCH, strict=True))
            calls.seek(0)
            options += ["--seccomp", str(calls.fileno())]
        try:
            ran = subprocess.run(
                [bwrap, *options, "--", "/bin/true"],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False, env={},
                pass_fds=[calls.fileno()], timeout=_PROBE_S,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
    if ran.returncode == 0:
        return ""
    message = ran.stderr.strip().rpartition("\n")[2].removeprefix("bwrap: ")
    return message or f"it ended with {ran.returncode}"
