"""The runtimes of an arena: the built-in ones, and those that its organiser has added."""

from collections.abc import Mapping
from pathlib import Path

from arena.sandbox.bubblewrap_options import is_shown
from arena.sandbox.runtimes import BUILT_IN, Runtime


class RuntimeRegistry:
    """All runtimes by name; constant while the arena runs."""

    def __init__(self, added: Mapping[str, Runtime] | None = None) -> None:
        self.added = dict(added or {})
        """Those of the organiser."""
        self.all = {**BUILT_IN, **self.added}

    def why_unavailable(self, name: str) -> str:
        """Return why programs of a runtime cannot run here: a sentence part; empty if they can."""
        runtime = self.all.get(name)
        if runtime is None:
            return f"this arena has no runtime {name}"
        why = runtime.why_not()
        return f"the runtime {name} does not work here: {why}" if why else ""

    def start_s(self, name: str, usual: float) -> float:
        """Return how long a program has from its start to its hello, in seconds. `usual`: unless its runtime says."""
        runtime = self.all.get(name)
        return usual if runtime is None or runtime.start_s is None else runtime.start_s

    def shows(self, name: str, path: str) -> bool:
        """Return whether programs of a known runtime see a file of the machine."""
        own = self.all[name].paths
        return is_shown(path) or (
            any(Path(path).is_relative_to(each) for each in own) and Path(path).exists()
        )
