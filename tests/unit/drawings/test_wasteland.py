"""The table of Wasteland as a person reads it, without colours, and its turns in plain words."""

import json
from dataclasses import replace
from random import Random

import pytest

from arena.drawings.drawing import Step
from arena.drawings.wasteland.drawing import DRAWING
from engine.game import SPECTATOR, Event
from engine.randomness import SEED_BYTES
from engine.wasteland import WASTELAND, event_cards, events, position
from engine.wasteland.actions import KIND_NAMES
from engine.wasteland.attack_cards import ATTACKER_IDS, ATTACKER_NAMES, ATTACKERS
from engine.wasteland.board import SPACE_IDS
from engine.wasteland.caravan_cards import CARD_NAMES, CARDS, HEAD, HEALTH
from engine.wasteland.notation import parse_action
from engine.wasteland.observation import FightView, Observation, TurnView, WindowView
from engine.wasteland.resources import FUEL, KINDS, NAMES, RATIONS
from tests.unit.cli.screens import check_screen
from tests.unit.codecs.test_wasteland import DOGS, EVENTS, TANK
from tests.unit.drawings.played_steps import check_drawings, news, words
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


SEED = bytes(SEED_BYTES)
VIEW = WASTELAND.new_match(4, WASTELAND.options(4, {}), SEED).observe(SPECTATOR)


def a_step(*events: Event, **action: object) -> Step:
    """Return a step of seat 0 with an action and its consequences."""
    packed = parse_action(json.dumps(action or {"type": "done"}))
    return Step(0, VIEW, packed, events, VIEW)


def caravan_rolls(*dice: int) -> events.Rolled:
    return events.Rolled(events.Side.CARAVAN, dice)


def attack_rolls(*dice: int) -> events.Rolled:
    return events.Rolled(events.Side.ATTACK, dice)


def told(*actions: dict[str, object]) -> str:
    return DRAWING.describe([a_step(**action) for action in actions], SHORT).plain


ACTIONS: list[dict[str, object]] = [
    {"type": "start_city", "city": "W"},
    {"type": "pass"},
    {"type": "play", "card": "attack"},
    {"type": "play", "card": "road_block", "space": "X0"},
    {"type": "play", "card": "salvage", "resource": "fuel"},
    {"type": "play", "card": "dry_market", "resource": "rations"},
    {"type": "play", "card": "contract_cancelled", "mission": "c2B"},
    {"type": "play", "card": "field_repairs", "hits": ["head", "war_rig"]},
    {"type": "play", "card": "field_repairs", "hits": ["head", "head"]},
    {"type": "lose", "resource": "medicine"},
    {"type": "step", "to": "i1"},
    {"type": "step", "to": "X1", "scout": True},
    {"type": "outrider"},
    {"type": "stop"},
    {"type": "fight"},
    {"type": "pay"},
    {"type": "pay", "resource": "fuel"},
    {"type": "deter"},
    {"type": "boost"},
    {"type": "reroll"},
    {"type": "hit", "card": "gun_truck"},
    {"type": "load", "resource": "rations"},
    {"type": "ditch", "resource": "fuel"},
    {"type": "buy", "card": "scout_rig"},
    {"type": "deliver", "mission": "i1B"},
    {"type": "heal", "hits": ["cook_wagon"]},
    {"type": "heal", "hits": ["cook_wagon", "head"]},
    {"type": "done"},
    {"type": "keep"},
    {"type": "discard", "card": "ambush"},
    {"type": "cook"},
]

ROLLS = (
    caravan_rolls(1, 5),
    events.Rolled(events.Side.REROLL, (2,)),
    attack_rolls(6, 6, 1),
)

TURNS: dict[str, list[Step]] = {
    "the same action several times": [
        *[a_step(type="step", to=to) for to in ("i1", "X0", "i1", "X0")],
        a_step(type="stop"),
        *[a_step(type="load", resource=resource) for resource in ("fuel", "fuel", "rations")],
        a_step(type="done"),
        a_step(type="keep"),
    ],
    "a turn without an action": [a_step(type=kind) for kind in ("pass", "stop", "done", "pass")],
    "no turn": [a_step(type="pass"), a_step(type="pass")],
    "W43 to W45: the dice of a fight": [a_step(events.FightBegan(DOGS), *ROLLS, events.Destroyed(0, HEAD))],
    "W36 to W53: after a fight": [
        replace(step, before=replace(VIEW, current=0), after=replace(VIEW, current=0))
        for step in (
            a_step(type="step", to="X4"),
            a_step(events.AttackDrawn(DOGS, True), events.FightBegan(DOGS), type="stop"),
            a_step(
                caravan_rolls(1, 1),
                attack_rolls(6),
                type="fight",
            ),
            a_step(
                caravan_rolls(2, 2),
                attack_rolls(5),
                type="hit",
                card="gun_truck",
            ),
            a_step(events.Destroyed(0, HEAD), events.Defeated(0), type="hit", card="head"),
            a_step(events.EventDrawn(0, None), type="start_city", city="W"),
        )
    ],
    "W23, W28: a card of seat 0 on the turn of seat 1, whose fight it is": [
        replace(
            a_step(
                events.FightBegan(DOGS),
                caravan_rolls(5, 5, 5),
                events.TurnBegan(2, 0),
                events.FightBegan(TANK),
                type="play",
                card="attack",
            ),
            before=replace(VIEW, current=1),
        )
    ],
    "a new leader": [
        replace(
            a_step(events.AttackDefeated(TANK, 5)),
            after=replace(
                VIEW,
                seats=tuple(view._replace(score=view.score + 4 * n) for n, view in enumerate(VIEW.seats)),
            ),
        )
    ],
}


def test_actions_events_and_turns_in_words() -> None:
    """W72, W75."""
    listed = [" ".join(map(str, action.values())) + ": " + told(action) for action in ACTIONS]
    screens = {"actions": "\n".join(listed)}
    sentences = [(event, news(DRAWING, [a_step(event)], SHORT)) for event in EVENTS]
    screens["events"] = "\n".join(f"{type(event).__name__}: {' '.join(told)}" for event, told in sentences)
    screens |= {title: words(DRAWING, turn, SHORT) for title, turn in TURNS.items()}
    check_screen("words/wasteland", screens)


def test_no_kind_of_action_is_left_out_above() -> None:
    assert {action["type"] for action in ACTIONS} == set(KIND_NAMES)


def test_a_card_played_in_the_next_turn_begins_a_paragraph() -> None:
    """W23."""
    card = {"type": "play", "card": "flat_tire"}
    assert DRAWING.continues(a_step(type="stop"), a_step(type="keep"))
    assert not DRAWING.continues(
        a_step(events.EventDrawn(0, None), events.TurnBegan(1, 1), type="keep"), a_step(**card)
    )
    assert not DRAWING.continues(a_step(type="stop"), replace(a_step(**card), seat=1))
    assert not DRAWING.continues(a_step(), replace(a_step(), before=replace(VIEW, round=2)))


def test_a_loss_that_is_the_action_itself_is_not_described_again() -> None:
    """W30, W49: those that follow without a choice are told."""
    chosen, forced = events.LostResource(0, RATIONS, 1), events.LostResource(0, FUEL, 1)
    assert news(DRAWING, [a_step(chosen, forced, type="lose", resource="rations")], SHORT) == [
        "ant loses 1 fuel."
    ]
