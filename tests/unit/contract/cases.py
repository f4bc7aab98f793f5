"""The matches that the suite plays: one for each file of tests/data/playthroughs, whose first lines say which."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.game import SPECTATOR, TERMINAL, Event, Game, State
from engine.randomness import Stream
from engine.registry import GAMES

PLAYTHROUGHS = Path(__file__).parents[2] / "data" / "playthroughs"
_RANDOM_ONE_TIME_IN = 5
_CHOICES = b"choices of the playthrough"


@dataclass(frozen=True, slots=True)
class Case:
    """One match of one game."""

    path: Path
    game: str
    seats: int
    options: dict[str, str]
    """As they are written; defaults for the rest."""
    seed: bytes

    def __str__(self) -> str:
        return f"{self.game}/{self.path.stem}"

    @property
    def rules(self) -> Game:
        """The game's object."""
        return GAMES[self.game]

    def new_match(self) -> State:
        """Return the position after the set-up."""
        rules = self.rules
        return rules.new_match(self.seats, rules.options(self.seats, self.options), self.seed)

    @property
    def viewers(self) -> list[int]:
        """All seats, and the spectator."""
        return [*range(self.seats), SPECTATOR]


@dataclass(frozen=True, slots=True)
class Step:
    """One ply: the position before it, and what is played."""

    ply: int
    state: State
    action: int


def read_case(path: Path) -> Case:
    """Return the case that the head of a playthrough names: lines of `name: value` up to an empty line."""
    lines = path.read_text(encoding="utf-8").split("\n\n", maxsplit=1)[0].splitlines()
    head = dict(line.split(": ", maxsplit=1) for line in lines)
    options = dict(pair.split("=") for pair in head["options"].split() if "=" in pair)
    return Case(path, path.parent.name, int(head["seats"]), options, bytes.fromhex(head["seed"]))


CASES = [read_case(path) for path in sorted(PLAYTHROUGHS.glob("*/*.txt"))]


def walk(case: Case) -> Iterator[Step]:
    """Yield the plies of the case's match: sensible actions, and now and then any legal one."""
    actions = _CHOSEN.get(case.path)
    if actions is None:
        actions = _CHOSEN[case.path] = tuple(_choose(case))
    state = case.new_match()
    for ply, action in enumerate(actions):
        yield Step(ply, state, action)
        state.apply(action)


_CHOSEN: dict[Path, tuple[int, ...]] = {}
"""The actions of each case, once chosen: that takes longer than playing them, which dozens of tests do."""


def _choose(case: Case) -> Iterator[int]:
    state, stream = case.new_match(), Stream(_CHOICES.ljust(32))
    while state.seat_to_act != TERMINAL:
        if stream.uniform(_RANDOM_ONE_TIME_IN) == 0:
            listed = state.legal_actions()
            action = listed[stream.uniform(len(listed))]
        else:
            action = case.rules.sensible_action(state, stream)
        yield action
        state.apply(action)


def sample(case: Case, every: int) -> Iterator[Step]:
    """Every n-th ply of the match, its position a copy of its own."""
    for step in walk(case):
        if step.ply % every == 0:
            yield Step(step.ply, step.state.clone(), step.action)


def final(case: Case) -> State:
    """Return the position in which the match ends."""
    state = case.new_match()
    for step in walk(case):
        state = step.state
    return state


def all_events(case: Case) -> list[Event]:
    """Everything that happens in the match."""
    events: list[Event] = []
    last = case.new_match()
    for step in walk(case):
        events += step.state.take_events()
        last = step.state
    return events + last.take_events()
