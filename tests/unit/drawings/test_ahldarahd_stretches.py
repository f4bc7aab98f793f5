"""Paragraphs of Ahldarahd: an auction, a building chance with the replies to its offers, a Night."""

import json
from collections.abc import Iterator, Sequence
from random import Random

from rich.console import Console

from arena.drawings.ahldarahd.drawing import DRAWING
from arena.drawings.drawing import Step
from arena.drawings.narration import BoardFrequency, Narrator
from engine.ahldarahd.actions import OPEN_AUCTION, kind_of
from engine.ahldarahd.observation import Observation
from engine.ahldarahd.state import AhldarahdState
from engine.game import own
from tests.unit.cli.screens import check_screen
from tests.unit.drawings.played_steps import play_step, steps
from tests.unit.engine.ahldarahd.choosing import TABLES, a_match, choose
from tests.unit.engine.ahldarahd.do import (
    ACCEPT,
    DONE,
    PASS,
    bid,
    claim,
    lose,
    offer,
    opening,
    pledge,
    sell,
    shah_to,
    side,
)
from tests.unit.engine.ahldarahd.naive_legal import Json
from tests.unit.engine.ahldarahd.positions import NIGHT, TRADING, a_position

NAMES = ("ant", "bee", "cat", "dog", "eel")


def paragraphs(state: AhldarahdState, *actions: Json) -> list[str]:
    """Heading and sentences of what is told, without boards."""
    played = steps(state, *[json.dumps(action) for action in actions])
    return [" ".join(part) for part in told(played)]


def told(played: Sequence[Step]) -> Iterator[list[str]]:
    narrator = Narrator(DRAWING, NAMES, BoardFrequency.NEVER)
    for stretch in stretches(played):
        console = Console(width=1000, color_system=None)
        with console.capture() as text:
            for part in narrator.turn(stretch):
                console.print(part)
        yield [line.strip() for line in text.get().splitlines()]


def stretches(played: Sequence[Step]) -> list[list[Step]]:
    found: list[list[Step]] = []
    narrator = Narrator(DRAWING, NAMES, BoardFrequency.NEVER)
    for step in played:
        if not found or not narrator.continues(found[-1], step):
            found.append([])
        found[-1].append(step)
    return found


def test_what_belongs_together_is_one_paragraph() -> None:
    """A10 to A17, A38 to A45; who passed last opens the next auction, and who acted last may go on building."""
    deal = offer(1, side(gold=1), side("salt"))
    night_over_salt = a_position(
        options=NIGHT,
        routes={1: {1: [19, 21]}, 0: {0: [10, 12, 14]}},
        hands=["gems", "salt"],
        gold=20,
        items={"right:1": 0},
        cup=(0, 1000),
    )
    night_over_salt.deck[night_over_salt.top] = 6
    night = (sell(1), PASS, PASS, pledge(1), pledge(0), lose(0, 10))
    building = a_position(options=TRADING, hands=["gems", "salt"])
    screens = {
        "two auctions": paragraphs(
            a_position(3, bidding=True),
            opening("eyes", 1),
            bid(2),
            PASS,
            PASS,
            opening("queen", 0),
            PASS,
            PASS,
        ),
        "an auction of the Shah": paragraphs(a_position(bidding=True), opening("shah", 1), PASS, shah_to(1)),
        "a building chance with an offer": paragraphs(
            building, deal, ACCEPT, claim(0, 14, "salt"), DONE, DONE
        ),
        "a Night": paragraphs(night_over_salt, *night, DONE),
        "a Night in a building chance": paragraphs(night_over_salt, *night, claim(0, 10, "gems")),
    }
    assert [len(each) for each in screens.values()] == [2, 1, 2, 2, 3]
    check_screen("words/ahldarahd_paragraphs", {title: "\n".join(each) for title, each in screens.items()})


def test_paragraphs_of_whole_matches() -> None:
    """Each clause is about the seat that acted; auctions and building chances are not mixed."""
    screens = {}
    for seats, values in TABLES[::9]:
        match, dice = a_match(seats, values), Random(seats)
        played = []
        while match.outcome() is None:
            played.append(play_step(match, choose(match, dice)))
        for stretch in stretches(played):
            assert len({own(step.before, Observation).phase for step in stretch}) == 1
            assert sum(kind_of(step.action) == OPEN_AUCTION for step in stretch) <= 1
        options = ", ".join(name for name, value in values.items() if value)
        screens[f"{seats} seats, {options or 'no options'}"] = "\n".join(
            " ".join(part) for part in told(played)
        )
    check_screen("words/ahldarahd_whole_matches", screens)


def test_with_a_board_after_every_action_each_is_below_the_name_of_who_acted() -> None:
    played = steps(a_position(3, bidding=True), json.dumps(opening("eyes", 1)), json.dumps(bid(2)))
    console = Console(width=100, color_system=None)
    with console.capture() as text:
        for part in Narrator(DRAWING, NAMES, BoardFrequency.EVERY).turn(played):
            console.print(part)
    lines = [line.strip() for line in text.get().splitlines()]
    assert lines[0].startswith("Turn 1 · ant · auction 1 of 3")
    place = lines.index("Bids 2.")
    assert lines[place - 1].startswith("Turn 1 · bee · auction 1 of 3")
