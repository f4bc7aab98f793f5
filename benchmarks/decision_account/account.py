"""The account of a decision: what its processor time was spent on, and whether that is all of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from benchmarks.decision_account import entry_points as at

TOLERANCE: Final = 0.10
"""By how much the parts may differ from the whole, as a share of the whole."""

LOOP_THREAD: Final = "loop"
TELLER: Final = "account"
"""The thread that tells the figures, which is none of the arena's."""

_NS_PER_US: Final = 1e3

PARTS: Final[tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]] = (
    ("handling: frame, session, match runner", (at.HANDLING,), (at.REFEREE, at.RECORD, at.QUESTION, at.NEWS)),
    ("handling: referee and clock", (at.REFEREE,), (at.ENGINE_PLY,)),
    ("handling: engine, the ply", (at.ENGINE_PLY,), ()),
    ("handling: engine, list and view", (at.ENGINE_QUESTION,), ()),
    ("handling: log record, history, metrics", (at.RECORD,), ()),
    ("handling: next question", (at.QUESTION,), (at.ENGINE_QUESTION,)),
    ("handling: news and spectators", (at.NEWS,), ()),
    ("putting into words: the view", (at.VIEW_WORDS,), ()),
    ("putting into words: the rest", (at.WORDS,), ()),
    ("reading and handing over", (at.READING,), (at.GRPC_READ,)),
    ("writing, and starting the clock", (at.WRITING,), (at.GRPC_WRITE, at.WORDS, at.VIEW_WORDS)),
    ("scheduling and settling", (at.SCHEDULING,), ()),
    ("heartbeat", (at.HEARTBEAT,), ()),
    ("alarms of matches", (at.ALARMS,), ()),
    ("other callbacks", (at.OTHER,), ()),
    ("gRPC: read", (at.GRPC_READ,), ()),
    ("gRPC: write", (at.GRPC_WRITE,), ()),
    ("gRPC: finished operations", (at.GRPC_EVENTS,), ()),
    ("the loop itself: sockets, waking up", (at.LOOP,), ()),
)
"""Of the loop's thread: the title, the sections that it holds, and those within them that are parts of their own."""

THREADS: Final = (
    ("store-writer", "database: writer"),
    ("store-reader", "database: readers"),
    ("uvloop_", "log writer, and other work in threads"),
    ("_poll_wrapper", "gRPC: poller"),
    ("native", "gRPC: its own threads"),
)
"""What marks the name of a thread, and the part that it counts for."""

OTHER_THREADS: Final = "other threads"


@dataclass(slots=True)
class Turn:
    """Processor time of the arena in turns with one set of probes, in nanoseconds."""

    decisions: int = 0
    threads_ns: dict[str, float] = field(default_factory=dict)
    """By part, without that of the thread that tells the figures."""
    sections_ns: dict[str, float] = field(default_factory=dict)
    """By section, without the probes' own time."""
    probes_ns: float = 0.0

    def add(self, before: Mapping[str, Any], after: Mapping[str, Any], decisions: int) -> None:
        """Add what was spent between two answers of `probed_arena`, on so many decisions."""
        self.decisions += decisions
        for name, spent in after["threads"].items():
            if name != TELLER:
                part = _thread_part(name)
                spent -= before["threads"].get(name, 0)
                self.threads_ns[part] = self.threads_ns.get(part, 0.0) + spent
        for name, now in after["sections"].items():
            then = before["sections"].get(name)
            spent = now["spent_ns"] - (then["spent_ns"] if then else 0)
            probes = probes_ns(now, then, after["costs"])
            self.probes_ns += probes
            self.sections_ns[name] = self.sections_ns.get(name, 0.0) + spent - probes

    @property
    def whole_ns(self) -> float:
        """All threads, without the probes' own time."""
        return sum(self.threads_ns.values()) - self.probes_ns

    def share(self, section: str) -> float:
        """Return the part of the whole that was spent in a section, or in all whose name it begins."""
        spent = sum(ns for name, ns in self.sections_ns.items() if name.startswith(section))
        return spent / self.whole_ns


def _thread_part(name: str) -> str:
    if name == LOOP_THREAD:
        return LOOP_THREAD
    return next((part for mark, part in THREADS if mark in name), OTHER_THREADS)


def probes_ns(now: Mapping[str, Any], then: Mapping[str, Any] | None, costs: Mapping[str, Any]) -> float:
    """Return what probes have added to a section between two counts of it. `then`: None if it was not there yet."""

    def count(name: str) -> list[int]:
        before = then[name] if then else [0] * len(now[name])
        return [new - old for new, old in zip(now[name], before, strict=True)]

    scheduled = now["scheduled"] - (then["scheduled"] if then else 0)
    return float(
        sum(times * cost for times, cost in zip(count("entered"), costs["within"], strict=True))
        + sum(times * cost for times, cost in zip(count("within"), costs["around"], strict=True))
        + scheduled * costs["schedule"]
    )


@dataclass(frozen=True, slots=True)
class Account:
    """Microseconds of processor time for a decision."""

    loop: Sequence[tuple[str, float]]
    """Parts of the loop's thread, in the order of the table."""
    threads: Sequence[tuple[str, float]]
    """The other threads."""
    others: Sequence[tuple[str, float]]
    """The other callbacks one by one, the largest first."""
    whole: float
    """All of the process, with all probes taken out."""
    echo: float
    """Of E, which sends the same bytes."""
    echo_loop: float
    """Of it, the loop's thread; the rest is gRPC's threads."""

    @property
    def total(self) -> float:
        """The sum of all parts."""
        return sum(spent for _, spent in (*self.loop, *self.threads))

    @property
    def difference(self) -> float:
        """By which share of the whole the parts differ from it."""
        return self.total / self.whole - 1

    @property
    def adds_up(self) -> bool:
        """Whether the parts are the whole, within the tolerance."""
        return abs(self.difference) <= TOLERANCE


def account(bare: Turn, turns: Mapping[str, Turn], echo: tuple[float, float]) -> Account:
    """Return the account of what was spent.

    `bare`: with no probes; `turns`: by set of probes; `echo`: microseconds of E for a decision, in all and in its loop.

    A part is a share of the turns in which it was measured, and that share of `bare`: what disturbed one turn more
    than another changes neither. Raises ValueError: on no decision.
    """
    if not bare.decisions or not all(turn.decisions for turn in turns.values()):
        raise ValueError("an account needs decisions in each turn")
    whole = bare.whole_ns / bare.decisions / _NS_PER_US
    each = {name: turns[of].share(name) * whole for name, of in _SET_OF.items()}
    callbacks = turns["callbacks"]
    others = sorted(
        (
            (name.removeprefix(f"{at.OTHER}: "), callbacks.share(name) * whole)
            for name in callbacks.sections_ns
            if name.startswith(f"{at.OTHER}: ")
        ),
        key=lambda one: -one[1],
    )
    titles = (*dict.fromkeys(part for _, part in THREADS), OTHER_THREADS)
    return Account(
        loop=[
            (title, sum(each[name] for name in held) - sum(each[name] for name in without))
            for title, held, without in PARTS
        ],
        threads=[(title, bare.threads_ns.get(title, 0.0) / bare.decisions / _NS_PER_US) for title in titles],
        others=others,
        whole=whole,
        echo=echo[0],
        echo_loop=echo[1],
    )


_SET_OF: Final = {
    **dict.fromkeys(
        (
            at.LOOP,
            at.GRPC_EVENTS,
            at.HANDLING,
            at.READING,
            at.WRITING,
            at.SCHEDULING,
            at.HEARTBEAT,
            at.ALARMS,
            at.OTHER,
        ),
        "callbacks",
    ),
    at.GRPC_READ: "gRPC",
    at.GRPC_WRITE: "gRPC",
    **{section: of for of, _, _, section in at.CALLS},
    at.ENGINE_PLY: "engine",
    at.ENGINE_QUESTION: "engine",
}
"""The set of probes in which a section is measured."""
