"""The table of the hosted zoo, `hosted.toml`: programs that misbehave in the arena's own sandbox."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from arena.submissions.manifest import Manifest, parse_manifest
from tests.system.misbehaving.table import ZOO, Program, Seat, seat_of


@dataclass(frozen=True)
class HostedRow(Program):
    """One program that the arena runs, and what comes of it."""

    rows: tuple[int, ...]
    """Of docs/bad_inputs.md."""
    seat: Seat | None
    """None: its matches never begin, and it is benched."""
    over: tuple[str, ...]
    """How its programs may come to their ends, and why, as the service log says."""
    clock: str = "endless"
    """The name of the clock of its match."""
    evidence: Mapping[str, str] = field(default_factory=dict)
    """Of its seat's ending, all of it; in the same form as the sentence."""
    debug: tuple[str, ...] = ()
    """The debug lines that it sends, each once."""
    wrote: tuple[str, ...] = ()
    """Lines among those that it has written before its end, as its owner reads them."""
    matches: int = 1
    """How many it plays, at once if it takes so many."""
    overstays: bool = False
    """Whether it has to be ended when it was told to leave."""
    company: bool = False
    """Another hosted bot plays in its match, too."""
    strict: bool = False
    memory_mib: int = 256
    cpu_s: float | None = None
    wall_s: float | None = None
    """Much less processor time, or time, than hosted programs have otherwise."""

    @property
    def bot(self) -> str:
        """Its id as a bot."""
        return self.name.replace("_", "-")[:32].rstrip("-")

    @property
    def word(self) -> str:
        """The last word of its command, which none but its own processes have."""
        script = f"tests/system/misbehaving/javascript/{self.name}.mjs"
        return script if self.language == "javascript" else self.name

    @property
    def manifest(self) -> Manifest:
        """What its bot.toml would say."""
        runtime = {"javascript": "node"}.get(self.language, self.language)
        start = {"go": ["./zoo"], "javascript": ["node"]}.get(self.language) or ["python", "-m", self.module]
        return parse_manifest(
            f"command = {[*start, self.word]}\n"
            f'games = ["caravan"]\nruntime = "{runtime}"\nstrict = {str(self.strict).lower()}\n'
            f"[limits]\nmemory_mib = {self.memory_mib}\n"
        )


def hosted_rows() -> tuple[HostedRow, ...]:
    """Return all misbehaving bots that the arena runs itself."""
    table = tomllib.loads((ZOO / "hosted.toml").read_text(encoding="utf-8"))
    return tuple(_row(given) for given in table["bot"])


def _row(given: dict[str, Any]) -> HostedRow:
    values = dict(given)
    language, _, name = values.pop("program").partition("/")
    seat = seat_of(values.pop("seat", None))
    for key in ("rows", "over", "debug", "wrote"):
        values[key] = tuple(values.get(key, ()))
    return HostedRow(name=name, language=language, seat=seat, **values)
