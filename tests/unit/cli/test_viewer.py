"""A match on a terminal: the board stays in its place, and the last turns are told below."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console, Group

from arena.cli.viewer import Viewer, follower
from arena.drawings.drawing import Step, drawing_for
from arena.drawings.narration import BoardFrequency, Narrator
from arena.match_log.reader import read_log
from arena.runner.history import SeatActed
from arena.runner.spectator_view import SpectatorFrame, recorded_view_of
from engine.caravanserai import CARAVANSERAI
from engine.game import SPECTATOR
from engine.randomness import SEED_BYTES, Stream
from engine.wasteland import WASTELAND, actions
from engine.wasteland.event_cards import ATTACK_EVENT
from engine.wasteland.events import Rolled, Side, TurnBegan
from tests.unit.engine.caravanserai.positions import in_round_one

LOG = read_log((Path(__file__).parents[2] / "data" / "logs" / "caravan-2-seats.arenalog").read_bytes())
SCENES = recorded_view_of(LOG).frames()
NAMES = ("greedy", "mcts")


def shown(count: int, *, height: int, terminal: bool = True, end: bool = True) -> str:
    """Return what is written for the first frames of the log."""
    return shown_of("caravan", SCENES[:count], height=height, terminal=terminal, end=end)


def shown_of(
    game: str, frames: Sequence[SpectatorFrame], *, height: int, terminal: bool = True, end: bool = True
) -> str:
    """Return what is written for frames."""
    out = StringIO()
    console = Console(
        file=out, width=80, height=height, force_terminal=terminal, color_system=None, legacy_windows=False
    )
    with Viewer(console, drawing_for(game), NAMES, pace=0) as viewer:
        for frame in frames:
            viewer.show(frame)
        if end:
            viewer.end()
    return out.getvalue()


def test_on_a_terminal_every_step_draws_the_board_again_in_its_place() -> None:
    assert len(SCENES) <= shown(len(SCENES), height=60).count("┌") <= len(SCENES) + 2
    written = shown(12, height=60)
    assert written.count("\x1b[1A\x1b[2K") > 12 * 40
    last = written.rpartition("┌")[2]
    assert "Turn 6: mcts to act" in last or "Turn 5: greedy to act" in last
    assert "Turn 4 · mcts · 4 points" in last


@pytest.mark.parametrize(("height", "terminal"), [(30, True), (60, False)])
def test_on_low_terminals_and_in_files_turns_are_printed_as_text(height: int, terminal: bool) -> None:
    written = shown(len(SCENES), height=height, terminal=terminal)
    assert "\x1b[1A" not in written
    assert written.count("Turn 3 · greedy · 3 points\n") == 1
    assert written.rstrip().splitlines()[-1].split()[:2] == ["1", "mcts"]


def test_a_long_turn_is_printed_whole_without_the_one_before() -> None:
    """Turns of five lines and more, where the board leaves room for eight."""
    drawing, state, stream = drawing_for("caravanserai"), in_round_one(), Stream(bytes(SEED_BYTES))
    frames, steps = [SpectatorFrame((), state.observe(SPECTATOR))], list[Step]()
    while state.round < 4:
        seat, action = state.seat_to_act, CARAVANSERAI.sensible_action(state, stream)
        state.apply(action)
        events, before = tuple(state.take_events()), frames[-1].observation
        frames.append(SpectatorFrame((SeatActed(seat, action, False), *events), state.observe(SPECTATOR)))
        steps.append(Step(seat, before, action, events, frames[-1].observation))
    board = drawing.draw(frames[0].observation).plain.count("\n") + 1
    drawn = shown_of("caravanserai", frames, height=board + 9).split("\r\x1b[2K")
    for turn in range(1, 4):
        for seat in range(2):
            of_turn = [step for step in steps if (step.seat, drawing.turn(step.before)) == (seat, turn)]
            narrator = Narrator(drawing, NAMES, BoardFrequency.NEVER)
            with (told := Console(width=80, color_system=None)).capture() as text:
                told.print(Group(*narrator.turn(of_turn)))
            assert any(shot.rstrip().endswith(text.get().rstrip()) for shot in drawn)


def test_consequences_of_hidden_actions_are_printed_once_with_the_running_turn() -> None:
    """W70: a pass is not seen, the fight that begins with it is; and a scene may hold actions of several seats."""
    view = WASTELAND.new_match(2, WASTELAND.options(2, {}), bytes(SEED_BYTES)).observe(SPECTATOR)
    richer = replace(view, seats=tuple(seat._replace(score=seat.score + 1) for seat in view.seats))
    load, attack = SeatActed(0, actions.load(0), False), SeatActed(1, actions.play(ATTACK_EVENT), False)
    frames = [
        SpectatorFrame((), view),
        SpectatorFrame((load,), view),
        SpectatorFrame((Rolled(Side.CARAVAN, (1, 2)),), view),
        SpectatorFrame((load, Rolled(Side.CARAVAN, (6, 4)), attack, Rolled(Side.ATTACK, (5, 3))), richer),
    ]
    written = shown_of("wasteland", frames, height=60, terminal=False)
    told = [line.strip() for line in written.splitlines() if line.startswith("   ") and line.endswith(".")]
    assert told == [
        "Loads fuel.",
        "Dice: caravan 1 2.",
        "greedy loads fuel.",
        "Dice: caravan 6 4.",
        'Plays "Attack!".',
        "Dice: attack 5 3.",
        "Score: greedy 5 → 6 and mcts 5 → 6.",
    ]


def test_a_card_in_a_turn_that_began_unseen_counts_as_played_on_that_turn() -> None:
    """W70: between the turn that begins and its first step there is no view, since somebody is asked in secret."""
    view = WASTELAND.new_match(2, WASTELAND.options(2, {}), bytes(SEED_BYTES)).observe(SPECTATOR)
    keep, attack = SeatActed(0, actions.KEEP_ACTION, False), SeatActed(1, actions.play(ATTACK_EVENT), False)
    before, after = replace(view, round=1, current=1), replace(view, round=2, current=0)
    frames = [SpectatorFrame((), before), SpectatorFrame((keep, TurnBegan(2, 0), attack), after)]
    written = shown_of("wasteland", frames, height=60, terminal=False)
    (told,) = re.findall(r"Turn 2 · mcts · .*\n   (.*)\n", written)
    assert "greedy" in told
    assert '"Attack!"' in told


def test_a_match_in_this_process_is_followed_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    async def follow() -> None:
        await follower("caravan", NAMES, pace=0)(recorded_view_of(LOG))

    asyncio.run(follow())
    told = capsys.readouterr().out
    assert "Turn 1 · greedy · 1 point\n" in told
    assert "FINAL_DELIVERY" in told or "ended" in told
