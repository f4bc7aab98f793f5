"""The table of Wasteland as a person reads it, without colours."""

from dataclasses import replace
from random import Random

import pytest

from arena.drawings.wasteland.drawing import DRAWING
from engine.game import SPECTATOR
from engine.wasteland import WASTELAND, event_cards, position
from engine.wasteland.attack_cards import ATTACKER_IDS, ATTACKER_NAMES, ATTACKERS
from engine.wasteland.board import SPACE_IDS
from engine.wasteland.caravan_cards import CARD_NAMES, CARDS, HEALTH
from engine.wasteland.observation import FightView, Observation, TurnView, WindowView
from engine.wasteland.resources import KINDS, NAMES
from tests.unit.cli.screens import check_screen
from tests.unit.drawings.played_steps import check_drawings
from tests.unit.engine.wasteland.matches import a_match, played_on

LONG = tuple(f"{letter}-bot-with-a-name-as-long-as-an-arm" for letter in "abcd")
SHORT = ("ant", "bee", "cat", "dog")

LATER = played_on(a_match(4), Random(4), 100)


def a_view(viewer: int = SPECTATOR, **changes: object) -> Observation:
    """Return a position of four seats after 100 plies, with changes."""
    return replace(LATER.observe(viewer), **changes)  # type: ignore[arg-type]


def lines(seen: Observation, names: tuple[str, ...] = SHORT) -> list[str]:
    """Return the lines of the drawing, without colours."""
    return DRAWING.draw(seen, names[: len(seen.seats)]).plain.splitlines()


def in_one_line(drawn: list[str], head: str) -> str:
    """Return the text after a head, on its line and on the indented ones below."""
    (place,) = [place for place, line in enumerate(drawn) if line.lstrip().startswith(head)]
    indent = drawn[place].index(head) + len(head)
    told = [drawn[place][indent:]]
    for line in drawn[place + 1 :]:
        if line[:indent].strip() or not line.strip():
            break
        told.append(line.strip())
    return " ".join(told)


def test_whole_positions_are_drawn_as_in_the_golden_file() -> None:
    drawings = {}
    for seats, rule in ((2, "engage"), (3, "deter"), (4, "engage")):
        match, dice = a_match(seats, check_rule=rule, max_rounds="12"), Random(seats)
        for _ in range(3):
            match = played_on(match, dice, 60)
            for viewer in (0, SPECTATOR):
                title = f"{seats} seats, {rule}, round {match.round}, viewer {viewer}"
                drawings[title] = lines(match.observe(viewer))
    check_drawings("wasteland_positions", drawings)


def test_a_secret_question_does_not_show_whom_it_asks() -> None:
    """W70: neither who, nor by a mark."""
    secret = 0
    match, dice = a_match(3), Random(2)
    while secret < 5:
        match = played_on(match, dice, 1)
        if match.asks_in_secret:
            secret += 1
            drawn = lines(match.observe(SPECTATOR))
            assert not any("▶" in line for line in drawn)
            asked = f"{SHORT[match.seat_to_act]} may play"
            assert asked not in drawn[0]
            assert asked in lines(match.observe(match.seat_to_act))[0]


FULL = TurnView(
    steps=1,
    tailwinds=2,
    flat_tires=1,
    outrider=True,
    sandstorm=True,
    road_blocks=(SPACE_IDS.index("E"), SPACE_IDS.index("X4")),
    wilds=((SPACE_IDS.index("X0"), 2), (SPACE_IDS.index("X1"), 1)),
    attackers=(0, 3),
    dry=(NAMES.index("fuel"), NAMES.index("rations")),
    bargain=True,
    bonus=True,
    ditched=(NAMES.index("medicine"),),
    healed=True,
    actions=7,
)


def test_what_is_drawn_besides_board_and_seats() -> None:
    """W23, W28, W29, W39, W46, W51, W65, W71."""
    dogs, tank = ATTACKER_IDS.index("feral_dogs"), ATTACKER_IDS.index("rust_tank")
    over = a_view(
        decision=position.ASK_NOTHING, seat_to_act=None, current=None, turn=None, window=None, round=9
    )
    fighting = a_view(
        fight=FightView(tank, False, 4, 1, 2, True, (6, 2, 1), 2), queue=((dogs, True), (tank, False))
    )
    surprised = a_view(fight=FightView(dogs, True, 2, 0, 0, False, (), 0), queue=())
    asked = [
        lines(a_view(decision=decision, seat_to_act=2, current=2, round=3))
        for decision in range(position.ASK_CITY, position.ASK_COOK + 1)
    ]
    assert all([line[:8] for line in drawn if "▶" in line] == ["▶  2  ca"] for drawn in asked)
    assert not any("▶" in line for line in lines(over))
    screens = {
        "decisions": "\n".join(drawn[0] for drawn in asked),
        "windows": "\n".join(
            lines(a_view(decision=None, seat_to_act=None, window=WindowView(window, None, None, None)))[0]
            for window in (
                event_cards.BEFORE_MOVE,
                event_cards.ENCOUNTER,
                event_cards.BEFORE_LOCATION,
                event_cards.END,
            )
        ),
        "the last round": lines(
            a_view(decision=position.ASK_MOVE, seat_to_act=1, current=1, goal_reached=True)
        )[0],
        "no names": lines(a_view(decision=position.ASK_MOVE, seat_to_act=3, current=3), ())[0],
        "the end": lines(over)[0],
        "a card to answer": lines(
            a_view(
                decision=position.ASK_RESPOND,
                seat_to_act=0,
                current=0,
                window=WindowView(event_cards.ENCOUNTER, 1, 0, event_cards.AMBUSH),
            )
        )[1],
        "in force": in_one_line(lines(a_view(turn=FULL)), "This turn: "),
        "a fight": "\n".join(in_one_line(lines(fighting), head) for head in ("Fight: ", "Waiting: ")),
        "a surprise": in_one_line(lines(surprised), "Fight: "),
        "heading": DRAWING.heading(a_view(decks=(1, 2, 3))),
    }
    check_screen("drawings/wasteland", screens)


def test_the_fullest_table_keeps_to_80_columns_and_breaks_no_name() -> None:
    hand = tuple(3 if card == event_cards.ESCORT else 0 for card in range(event_cards.EVENTS))
    seats = tuple(
        view._replace(
            hits=tuple(HEALTH), cash=9999, score=99999, cards=3, hand=hand, stores=(24,) * KINDS, space=20
        )
        for view in LATER.observe(SPECTATOR).seats
    )
    queue = tuple((card, True) for card in range(ATTACKERS))
    fight = FightView(0, True, 5, 1, 50, True, (6,) * 12, 12)
    seen = a_view(
        seats=seats, queue=queue, fight=fight, turn=FULL, decision=position.ASK_HIT, seat_to_act=0, current=0
    )
    seen = replace(seen, round=WASTELAND.options(4, {"max_rounds": "1000000"}).max_rounds, goal_reached=True)
    for decision in range(position.ASK_CITY, position.ASK_COOK + 1):
        assert max(map(len, lines(replace(seen, decision=decision), LONG))) <= 80
    drawn = lines(seen, LONG)
    told = "\n".join(drawn)
    assert all(told.count(f"{CARD_NAMES[card]} 0/{HEALTH[card]}") == len(seats) for card in range(CARDS))
    assert all(f"{name} by surprise" in told for name in ATTACKER_NAMES)


@pytest.mark.parametrize(
    ("scores", "cash", "hurt", "order"),
    [
        ((2, 5, 3, 5), (1, 1, 3, 4), (0, 0, 0, 0), (1, 3, 2, 0)),
        ((5, 5, 5, 5), (5, 5, 5, 5), (3, 1, 0, 2), (2, 1, 3, 0)),
    ],
)
def test_the_standing_is_by_score_and_then_by_health(
    scores: tuple[int, ...], cash: tuple[int, ...], hurt: tuple[int, ...], order: tuple[int, ...]
) -> None:
    """W68, W69."""
    seen = LATER.observe(SPECTATOR)
    seats = tuple(
        view._replace(score=score, cash=money, hits=(hits, *(-1,) * (CARDS - 1)))
        for view, score, money, hits in zip(seen.seats, scores, cash, hurt, strict=True)
    )
    told = DRAWING.standing(replace(seen, seats=seats), SHORT).plain
    shown = [f"{SHORT[seat]} {scores[seat]} ({cash[seat]} Cash)" for seat in order]
    assert told == ", ".join(shown)


def test_the_turn_is_the_round() -> None:
    assert DRAWING.turn(a_view(round=7)) == 7
