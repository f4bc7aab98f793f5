"""The capabilities of this machine for sandboxes, found once."""

import os
import platform
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from arena.sandbox.bubblewrap_options import NAMESPACE_UID
from arena.sandbox.cgroups.cgroup import Cgroups
from arena.sandbox.cgroups.mounts import cgroup_mounts, own_groups
from arena.sandbox.cgroups.v1 import find_v1
from arena.sandbox.cgroups.v2 import find_v2
from arena.sandbox.protections import ALWAYS, MISSING, NEEDED_IN_PUBLIC, Protection, ProtectionState
from arena.sandbox.seccomp.call_filter import MATCH, build_filter
from arena.sandbox.seccomp.system_calls import ARCHITECTURES, Architecture

GROUPS_FOLDER: Final = "caravan-arena"
"""The folder of this machine's cgroups that holds the arenas' groups."""

_PROBE: Final = (
    "--unshare-net --unshare-pid --unshare-ipc --unshare-uts --die-with-parent --ro-bind / / --dev /dev --proc /proc "
    "--size 65536 --tmpfs /tmp --as-pid-1"
)
"""Options of a sandbox like that of a bot. With another first process that one would be left as a zombie."""
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
        if not self.can_run:
            no = "no sandbox can be made here", "No submitted bot is run here."
            return tuple(ProtectionState(each, False, *no) for each in Protection)
        means = dict(ALWAYS)
        if self.root:
            means[Protection.PIDS] = "RLIMIT_NPROC of a uid of its own"
            means[Protection.UID] = "a uid from a range, no capabilities"
        if self.architecture is not None:
            means[Protection.SECCOMP] = "a filter of system calls"
        if self.cgroups is not None:
            version = self.cgroups.version
            means |= {each: f"cgroup v{version} ({each.value})" for each in self.cgroups.covers()}
        return tuple(
            ProtectionState(each, True, means[each])
            if each in means
            else ProtectionState(each, False, *MISSING[each])
            for each in Protection
        )

    def missing_in_public(self) -> tuple[Protection, ...]:
        """Return which of NEEDED_IN_PUBLIC are missing."""
        missing = {each.protection for each in self.protection_states() if not each.live}
        return tuple(each for each in NEEDED_IN_PUBLIC if each in missing)


def find_capabilities() -> Capabilities:
    """Examine this machine. Blocks for a fraction of a second, since it starts a sandbox."""
    bwrap, setpriv, env = map(_program, ("bwrap", "setpriv", "env"))
    version = ""
    if bwrap is not None:
        shown = subprocess.run([bwrap, "--version"], capture_output=True, text=True, check=False, env={})
        version = shown.stdout.strip()
    root, architecture = os.geteuid() == 0, ARCHITECTURES.get(platform.machine())
    found = Capabilities(bwrap, version, root, setpriv, env, architecture, find_cgroups(), why_not="")
    return replace(found, why_not=_why_not(found))


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


def _why_not(machine: Capabilities) -> str:
    if platform.system() != "Linux":
        return f"Submitted bots can be run on Linux alone; {_REMOTE}."
    if machine.bwrap is None:
        return f"The program bwrap is missing, in which submitted bots are run. {_INSTALL_BWRAP}"
    if machine.env is None or (machine.root and machine.setpriv is None):
        missing = "env" if machine.env is None else "setpriv"
        return (
            f"The program {missing} is missing, which is needed to start submitted bots: install coreutils and "
            f"util-linux; until then {_REMOTE}."
        )
    flaw = _try_out(machine.bwrap, machine)
    advice = _ADVICE_FOR_ROOT if machine.root else _ADVICE_FOR_USERS
    return f"bubblewrap cannot make a sandbox here ({flaw}). {advice} {_REMOTE.capitalize()}." if flaw else ""


def _try_out(bwrap: Path, machine: Capabilities) -> str:
    """Run `true` in a sandbox like that of a bot; return bubblewrap's message if it fails, else ""."""
    uid = "--cap-drop ALL" if machine.root else f"--unshare-user --disable-userns --uid {NAMESPACE_UID}"
    options = [*_PROBE.split(), *uid.split()]
    with tempfile.TemporaryFile() as calls:
        if machine.architecture is not None:
            calls.write(build_filter(machine.architecture, MATCH, strict=True))
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
