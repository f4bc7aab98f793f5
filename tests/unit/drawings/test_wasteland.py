"""The table of Wasteland as a person reads it, without colours."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from arena.drawings.wasteland.drawing import DRAWING
from engine.game import SPECTATOR
from engine.randomness import SEED_BYTES, Stream
from engine.wasteland import WASTELAND
from engine.wasteland.attack_cards import ATTACKER_IDS, ATTACKER_NAMES, ATTACKERS
from engine.wasteland.board import NOWHERE, SPACE_IDS
from engine.wasteland.caravan_cards import CARD_NAMES, CARDS, HEALTH
from engine.wasteland.event_cards import (
    AMBUSH,
    BEFORE_LOCATION,
    BEFORE_MOVE,
    ENCOUNTER,
    END,
    ESCORT,
    EVENT_NAMES,
    EVENTS,
)
from engine.wasteland.missions import MISSION_IDS, NEEDS, REWARD
from engine.wasteland.observation import FightView, Observation, TurnView, WindowView
from engine.wasteland.position import (
    ASK_BOOST,
    ASK_CITY,
    ASK_COOK,
    ASK_DISCARD,
    ASK_DODGE,
    ASK_EVENT,
    ASK_HIT,
    ASK_LOCATION,
    ASK_MOVE,
    ASK_NOTHING,
    ASK_OVERFLOW,
    ASK_REROLL,
    ASK_RESPOND,
    ASK_SPOIL,
    NOT_IN_PLAY,
)
from engine.wasteland.resources import KINDS, NAMES
from engine.wasteland.state import WastelandState

LONG = tuple(f"{letter}-bot-with-a-name-as-long-as-an-arm" for letter in "abcd")
SHORT = ("ant", "bee", "cat", "dog")
RESOURCES = dict(zip(("Fuel", "Mun", "Rat", "Med"), range(KINDS), strict=True))


def a_match(seats: int, number: int = 1, **values: str) -> WastelandState:
    """A match before its first question."""
    seed = number.to_bytes(SEED_BYTES, "big")
    return WASTELAND.new_match(seats, WASTELAND.options(seats, values), seed)


def played_on(match: WastelandState, dice: Random, plies: int) -> WastelandState:
    """The match so many plies later, or at its end: half of them sensible, half of them any."""
    for _ in range(plies):
        if match.outcome() is None:
            sensible = WASTELAND.sensible_action(match, Stream(dice.randbytes(SEED_BYTES)))
            match.apply(dice.choice((sensible, dice.choice(list(match.legal_actions())))))
    return match


LATER = played_on(a_match(4), Random(4), 100)


def a_view(viewer: int = SPECTATOR, **changes: object) -> Observation:
    """A position of four seats after a while, changed."""
    return replace(LATER.observe(viewer), **changes)  # type: ignore[arg-type]


def lines(seen: Observation, names: tuple[str, ...] = SHORT) -> list[str]:
    """The drawing, without colours."""
    return DRAWING.draw(seen, names[: len(seen.seats)]).plain.splitlines()


def in_one_line(drawn: list[str], head: str) -> str:
    """What stands behind the head, on its line and on those that go on further in."""
    (place,) = [place for place, line in enumerate(drawn) if line.lstrip().startswith(head)]
    indent = drawn[place].index(head) + len(head)
    told = [drawn[place][indent:]]
    for line in drawn[place + 1 :]:
        if line[:indent].strip() or not line.strip():
            break
        told.append(line.strip())
    return " ".join(told)


@pytest.mark.parametrize(("seats", "rule"), [(2, "engage"), (3, "deter"), (4, "engage")])
def test_the_whole_position_can_be_read_from_the_drawing_without_colours(seats: int, rule: str) -> None:
    match, dice = a_match(seats, check_rule=rule, max_rounds="12"), Random(seats)
    while match.outcome() is None:
        match = played_on(match, dice, 23)
        for viewer in (0, SPECTATOR):
            check_drawing(match.observe(viewer), lines(match.observe(viewer)))


def check_drawing(seen: Observation, drawn: list[str]) -> None:
    assert max(map(len, drawn)) <= 80
    text = "\n".join(drawn)
    assert drawn[1].strip() == "who stands where: space, seat"
    where = {
        (space, int(seat)) for space, seat in re.findall(r"  (\w\w?)  (\d) ?(?= |$)", "\n".join(drawn[2:11]))
    }
    assert where == {
        (SPACE_IDS[view.space], seat) for seat, view in enumerate(seen.seats) if view.space != NOWHERE
    }
    missions = [
        f"{MISSION_IDS[each]} "
        + " ".join(f"{short} {NEEDS[each][kind]}" for short, kind in RESOURCES.items() if NEEDS[each][kind])
        + f" → {REWARD[each]}"
        for each in seen.missions
    ]
    assert in_one_line(drawn, "Missions: ") == ", ".join(missions)
    sizes = re.search(r"Event (\d+) \(\+(\d+)\), Attack (\d+) \(\+(\d+)\), Mission (\d+) \(\+(\d+)\)", text)
    assert sizes
    numbers = [int(number) for number in sizes.groups()]
    assert (*numbers[::2],) == seen.decks
    assert numbers[1::2] == [len(pile) for pile in seen.discards]
    for seat, view in enumerate(seen.seats):
        (place,) = [n for n, line in enumerate(drawn) if re.match(rf"[▶ ]  {seat}  {SHORT[seat]}", line)]
        row = drawn[place].replace("▶", " ").split()[2:]
        space = "-" if view.space == NOWHERE else SPACE_IDS[view.space]
        assert row == list(map(str, (view.score, view.cash, space, *view.stores, view.cards)))
        assert caravan(drawn, place) == {
            CARD_NAMES[card]: f"{HEALTH[card] - view.hits[card]}/{HEALTH[card]}"
            for card in range(CARDS)
            if view.hits[card] != NOT_IN_PLAY
        }
        if view.hand is not None and view.cards:
            hand = [EVENT_NAMES[card] for card in range(EVENTS) for _ in range(view.hand[card])]
            assert in_one_line(drawn, "Hand: ") == ", ".join(hand)
    assert text.count("Hand: ") == sum(1 for view in seen.seats if view.hand is not None and view.cards)


def caravan(drawn: list[str], place: int) -> dict[str, str]:
    """By name the health left of the cards told below a seat's line."""
    found: dict[str, str] = {}
    for line in drawn[place + 1 :]:
        cards = re.findall(r"([A-Z][\w ]+) (\d+/\d+)", line)
        if not cards:
            break
        found.update(cards)
    return found


def test_who_may_be_asked_in_secret_is_not_told() -> None:
    """W70: neither who, nor by a mark."""
    secret = 0
    match, dice = a_match(3), Random(2)
    while secret < 5:
        match = played_on(match, dice, 1)
        if match.asks_in_secret:
            secret += 1
            drawn = lines(match.observe(SPECTATOR))
            assert not any("▶" in line for line in drawn)
            assert re.search(r"turn of (ant|bee|cat) · Event cards ", drawn[0])
            own = lines(match.observe(match.seat_to_act))
            assert re.search(rf"{SHORT[match.seat_to_act]} may play an? (card|Escort)", own[0])


@pytest.mark.parametrize(
    ("window", "told"),
    [
        (BEFORE_MOVE, "Event cards before Movement"),
        (ENCOUNTER, "Event cards before the fights"),
        (BEFORE_LOCATION, "Event cards before Location"),
        (END, "Event cards at the end of the turn"),
    ],
)
def test_an_open_window_is_told(window: int, told: str) -> None:
    """W23."""
    seen = a_view(decision=None, seat_to_act=None, window=WindowView(window, None, None, None))
    assert lines(seen)[0].endswith(told)


@pytest.mark.parametrize(
    ("decision", "asked"),
    [
        (ASK_CITY, "chooses a City"),
        (ASK_EVENT, "may play a card"),
        (ASK_RESPOND, "may play an Escort"),
        (ASK_SPOIL, "chooses what is lost"),
        (ASK_MOVE, "moves"),
        (ASK_DODGE, "faces an Attack card"),
        (ASK_BOOST, "may roll more dice"),
        (ASK_REROLL, "may roll again"),
        (ASK_HIT, "places a Hit"),
        (ASK_OVERFLOW, "gives up resources"),
        (ASK_LOCATION, "is in Location"),
        (ASK_DISCARD, "may discard a card"),
        (ASK_COOK, "may cook"),
    ],
)
def test_who_is_asked_what_stands_first(decision: int, asked: str) -> None:
    drawn = lines(a_view(decision=decision, seat_to_act=2, current=2, round=3))
    assert drawn[0] == f"Round 3 · turn of cat · cat {asked}"
    assert [line[:8] for line in drawn if "▶" in line] == ["▶  2  ca"]


def test_a_match_that_is_over_says_so_and_asks_nobody() -> None:
    drawn = lines(
        a_view(decision=ASK_NOTHING, seat_to_act=None, current=None, turn=None, window=None, round=9)
    )
    assert drawn[0] == "Round 9 · the match is over"
    assert not any("▶" in line for line in drawn)


def test_the_last_round_is_told() -> None:
    """W65."""
    seen = a_view(decision=ASK_MOVE, seat_to_act=1, current=1, goal_reached=True)
    assert lines(seen)[0].startswith(f"Round {seen.round} (last) · turn of bee")


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


def test_what_is_in_force_is_told() -> None:
    """W71."""
    told = in_one_line(lines(a_view(turn=FULL)), "This turn: ")
    assert told == (
        "1 step made, Tailwind x2, Flat Tire x1, Outrider Bikes, Sandstorm, no way to E, no way to X4, no fuel, "
        "no rations, Wild X0 (2), Wild X1 (1), Bargain, Bonus Contract, medicine ditched, Field Hospital, "
        "Attack!-type card of ant, Attack!-type card of dog"
    )


def test_a_fight_is_told_with_what_waits_behind_it() -> None:
    """W39, W46, W51."""
    dogs, tank = ATTACKER_IDS.index("feral_dogs"), ATTACKER_IDS.index("rust_tank")
    fight = FightView(tank, False, 4, 1, 2, True, (6, 2, 1), 2)
    drawn = lines(a_view(fight=fight, queue=((dogs, True), (tank, False))))
    assert (
        in_one_line(drawn, "Fight: ") == "Rust Tank, 1 of 3 Hits, Defense 4, round 2, dice 6 2 1, 2 to place"
    )
    assert in_one_line(drawn, "Waiting: ") == "Feral Dogs by surprise, Rust Tank"
    before = lines(a_view(fight=FightView(dogs, True, 2, 0, 0, False, (), 0), queue=()))
    assert in_one_line(before, "Fight: ") == "Feral Dogs by surprise, 0 of 2 Hits, Defense 2, before round 1"


def test_a_card_that_is_answered_is_told() -> None:
    """W29."""
    window = WindowView(ENCOUNTER, 1, 0, AMBUSH)
    seen = a_view(decision=ASK_RESPOND, seat_to_act=0, current=0, window=window)
    assert lines(seen)[1] == 'To be answered: "Ambush!"'


def test_the_fullest_table_keeps_to_80_columns_and_breaks_no_name() -> None:
    hand = tuple(3 if card == ESCORT else 0 for card in range(EVENTS))
    seats = tuple(
        view._replace(
            hits=tuple(HEALTH), cash=9999, score=99999, cards=3, hand=hand, stores=(24,) * KINDS, space=20
        )
        for view in LATER.observe(SPECTATOR).seats
    )
    queue = tuple((card, True) for card in range(ATTACKERS))
    fight = FightView(0, True, 5, 1, 50, True, (6,) * 12, 12)
    seen = a_view(
        seats=seats, queue=queue, fight=fight, turn=FULL, decision=ASK_HIT, seat_to_act=0, current=0
    )
    seen = replace(seen, round=WASTELAND.options(4, {"max_rounds": "1000000"}).max_rounds, goal_reached=True)
    for decision in range(ASK_CITY, ASK_COOK + 1):
        assert max(map(len, lines(replace(seen, decision=decision), LONG))) <= 80
    drawn = lines(seen, LONG)
    told = "\n".join(drawn)
    assert all(told.count(f"{CARD_NAMES[card]} 0/{HEALTH[card]}") == len(seats) for card in range(CARDS))
    assert all(f"{name} by surprise" in told for name in ATTACKER_NAMES)


def test_without_names_the_seats_go_by_their_numbers() -> None:
    drawn = lines(a_view(decision=ASK_MOVE, seat_to_act=3, current=3), ())
    assert drawn[0].endswith("turn of seat 3 · seat 3 moves")


def test_the_standing_has_scores_and_cash_the_best_first() -> None:
    """W68."""
    marks = [(2, 1), (5, 1), (3, 3), (5, 4)]
    seen = LATER.observe(SPECTATOR)
    seats = tuple(
        view._replace(score=score, cash=cash, hits=seen.seats[0].hits)
        for view, (score, cash) in zip(seen.seats, marks, strict=True)
    )
    told = DRAWING.standing(replace(seen, seats=seats), SHORT).plain
    assert told == "bee 5 (1 Cash), dog 5 (4 Cash), cat 3 (3 Cash), ant 2 (1 Cash)"


def test_of_equal_scores_more_health_left_stands_before() -> None:
    """W69."""
    seen = LATER.observe(SPECTATOR)
    heads = [tuple(0 if card == 0 else -1 for card in range(CARDS)) for _ in seen.seats]
    hurt = [(hits, *head[1:]) for hits, head in zip((3, 1, 0, 2), heads, strict=True)]
    seats = tuple(
        view._replace(score=5, cash=5, hits=hits) for view, hits in zip(seen.seats, hurt, strict=True)
    )
    told = DRAWING.standing(replace(seen, seats=seats), SHORT).plain
    assert told == "cat 5 (5 Cash), bee 5 (5 Cash), dog 5 (5 Cash), ant 5 (5 Cash)"


def test_a_new_round_and_a_new_leader_are_moments() -> None:
    def led_by(seat: int) -> Observation:
        seats = tuple(
            view._replace(score=3 * (each == seat)) for each, view in enumerate(LATER.observe(0).seats)
        )
        return a_view(seats=seats)

    assert DRAWING.is_moment(led_by(0), led_by(1))
    assert not DRAWING.is_moment(led_by(0), led_by(0))
    assert DRAWING.is_moment(a_view(round=2), a_view(round=3))
    assert not DRAWING.is_moment(a_view(round=0), a_view(round=1))


def test_the_heading_has_the_deck_and_the_turn_is_the_round() -> None:
    assert DRAWING.heading(a_view(decks=(1, 2, 3))) == "1 Event card in the deck"
    assert DRAWING.turn(a_view(round=7)) == 7
