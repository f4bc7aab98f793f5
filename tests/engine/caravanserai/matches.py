"""The matches of Caravanserai that the suite of tests/contract plays, and how they are written down.

They go by what the suite can do without a codec and a drawing.
"""

from __future__ import annotations

from pathlib import Path

from engine.caravanserai import CARAVANSERAI
from engine.game import Game, State
from tests.contract.cases import Case, read_case, walk

PLAYTHROUGHS = Path(__file__).parents[2] / "data" / "engine_playthroughs" / "caravanserai"
_DIGEST_EVERY = 20
_DIGEST_DIGITS = 16


class CaravanseraiCase(Case):
    """A case whose game is not found in the registry."""

    @property
    def rules(self) -> Game:
        """The game's object."""
        return CARAVANSERAI


def _read(path: Path) -> CaravanseraiCase:
    case = read_case(path)
    return CaravanseraiCase(case.path, case.game, case.seats, case.options, case.seed)


CASES = [_read(path) for path in sorted(PLAYTHROUGHS.glob("*.txt"))]


def playthrough(case: Case) -> str:
    """The whole file of the case: its head, its plies with their events, now and then a digest, the outcome."""
    options = " ".join(f"{name}={value}" for name, value in case.options.items())
    lines = [f"seats: {case.seats}", f"options: {options or 'defaults'}", f"seed: {case.seed.hex()}", ""]
    last = case.new_match()
    for step in walk(case):
        last = step.state
        lines += _events(last)
        if step.ply % _DIGEST_EVERY == 0:
            lines.append(_digest(last))
        action = last.format_action(step.action)
        lines.append(
            f"ply {step.ply}: seat {last.seat_to_act}, {len(last.legal_actions())} legal actions: {action}"
        )
    outcome = last.outcome()
    assert outcome is not None
    scores, placings = (" ".join(map(str, values)) for values in (outcome.scores, outcome.placings))
    lines += [*_events(last), _digest(last), ""]
    lines += [f"ending: {outcome.ending}", f"scores: {scores}", f"placings: {placings}"]
    return "\n".join(lines) + "\n"


def _events(state: State) -> list[str]:
    """Each event in the words of its fields, enums by their names."""
    found = []
    for event in state.take_events():
        fields = [f"{name}={_text(getattr(event, name))}" for name in event.__dataclass_fields__]
        found.append(f"    {type(event).__name__} {' '.join(fields)}")
    return found


def _text(value: object) -> str:
    if isinstance(value, tuple) and type(value) is tuple:
        return ",".join(map(_text, value))
    name = getattr(value, "name", None)
    return str(name).lower() if name is not None else str(value)


def _digest(state: State) -> str:
    return f"    digest {state.digest().hex()[:_DIGEST_DIGITS]}"
