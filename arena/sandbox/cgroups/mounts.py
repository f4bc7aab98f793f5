"""The mounts of cgroups on this machine, and the groups of this process."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_ESCAPES: Final = {"\\040": " ", "\\011": "\t", "\\012": "\n", "\\134": "\\"}


@dataclass(frozen=True, slots=True)
class Mount:
    """A mounted tree of cgroups."""

    folder: Path
    root: str
    """The group mounted at `folder`: in a container not the root of the tree."""
    controllers: frozenset[str]
    """Of a tree of version 1; empty for version 2."""

    def folder_of(self, group: str) -> Path:
        """Return the folder of a group in /proc/self/cgroup; that of the mount if the group is outside."""
        below = group.removeprefix(self.root.rstrip("/")).lstrip("/")
        path = self.folder / below
        return path if path.is_dir() and ".." not in below else self.folder


def cgroup_mounts(mountinfo: str) -> tuple[Mount | None, tuple[Mount, ...]]:
    """Return the tree of version 2, if any, and those of version 1. `mountinfo`: /proc/self/mountinfo."""
    v2: Mount | None = None
    v1: list[Mount] = []
    for line in mountinfo.splitlines():
        fields, _, rest = line.partition(" - ")
        words, kinds = fields.split(), rest.split()
        if len(words) < 5 or len(kinds) < 3:
            continue
        root, folder = _plain(words[3]), Path(_plain(words[4]))
        if kinds[0] == "cgroup2" and v2 is None:
            v2 = Mount(folder, root, frozenset())
        elif kinds[0] == "cgroup":
            v1.append(Mount(folder, root, frozenset(kinds[2].split(","))))
    return v2, tuple(v1)


def own_groups(cgroup: str) -> Mapping[str, str]:
    """Return this process's group by controller; that of version 2 under "". `cgroup`: /proc/self/cgroup."""
    found: dict[str, str] = {}
    for line in cgroup.splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            found[controller] = path
    return found


def _plain(word: str) -> str:
    for escape, character in _ESCAPES.items():
        word = word.replace(escape, character)
    return word
