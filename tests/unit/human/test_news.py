"""What happened since a seat's last decision."""

import pytest
from rich.console import Console, Group

from arena.drawings.drawing import Step, drawing_for
from arena.drawings.narration import BoardFrequency, Narrator
from arena.human.news import News
from arena.v1 import ending_pb2, happening_pb2
from engine.caravan.events import Refill
from tests.unit.human.positions import Sent, decisions

NAMES = ("me", "ant", "bee")


def printed(parts) -> str:
    """Return the text of what is printed at 80 columns."""
    console = Console(width=80, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(Group(*parts))
    return capture.get()


def told(game: str, sent: Sent, now: object) -> str:
    """Return what the seat is told."""
    return printed(News(game, 0, sent.before, NAMES).tell(sent.happened, now))


def true_story(game: str, sent: Sent) -> str:
    """Return the same, told with what the seat would have seen in between."""
    narrator = Narrator(drawing_for(game), NAMES, BoardFrequency.NEVER)
    turns: list[list[Step]] = []
    for step in sent.steps:
        if not turns or not narrator.continues(turns[-1], step):
            turns.append([])
        turns[-1].append(step)
    return printed(part for turn in turns for part in narrator.turn(turn))


def test_in_caravan_it_is_the_story_that_a_seat_sees_whatever_was_drawn_from_the_bag():
    """C15."""
    refills = 0
    for seed in (1, 2, 3):
        for state, sent in decisions("caravan", 3, seed=seed):
            assert told("caravan", sent, state.observe(0)) == true_story("caravan", sent)
            refills += any(isinstance(event, Refill) for step in sent.steps[:-1] for event in step.events)
    assert refills > 5


def test_it_is_the_story_that_a_seat_sees_or_the_notation_of_the_rules():
    same = different = 0
    for state, sent in decisions("caravanserai", 3, seed=1):
        story, truth = told("caravanserai", sent, state.observe(0)), true_story("caravanserai", sent)
        if story == truth:
            same += bool(truth)
            continue
        different += 1
        # Told up to where no position was found, and from there on in notation.
        common = [
            line for line, true in zip(story.splitlines(), truth.splitlines(), strict=False) if line == true
        ]
        assert any(line.startswith(("me: ", "ant: ", "bee: ")) for line in story.splitlines()[len(common) :])
    assert same > 10 * different


@pytest.mark.parametrize("game", ["ahldarahd", "wasteland"])
def test_where_secrets_lie_between_every_action_that_was_seen_is_told(game):
    actions = 0
    for state, sent in decisions(game, 3, seed=2):
        story = told(game, sent, state.observe(0))
        headings = [line for line in story.splitlines() if " · " in line or line.startswith(NAMES)]
        assert bool(headings) == bool(sent.steps)
        actions += len(sent.steps)
    assert actions > 100


def test_a_forfeit_is_told_where_it_came():
    state, sent = next(decisions("caravan", 2, seed=3))
    forfeited = happening_pb2.SeatForfeited(seat=1, termination=ending_pb2.TERMINATION_TIME_FORFEIT)
    sent.happened.append(happening_pb2.Happening(forfeited=forfeited))
    assert told("caravan", sent, state.observe(0)).splitlines()[-1] == "ant forfeits: TIME_FORFEIT."
