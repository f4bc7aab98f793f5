"""What the engine refuses, and in which words: text that is no action, actions that are not legal, options."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import IllegalActionError, InvalidOptionsError, UnreadableActionError
from engine.wasteland import actions
from engine.wasteland.game import WASTELAND
from engine.wasteland.notation import format_action, parse_action
from engine.wasteland.state import WastelandState
from tests.unit.engine.wasteland.choosing import choose
from tests.unit.engine.wasteland.mapping import EngineMatch
from tests.unit.engine.wasteland.naive_legal import canonical
from tests.unit.engine.wasteland.positions import (
    Json,
    Position,
    a_position,
    attacked,
    buy,
    city,
    deliver,
    ditch,
    heal,
    hit,
    in_fight,
    load,
    lose,
    playing,
    step,
)


def at(*arguments: str, **fields: object) -> Position:
    return a_position(EngineMatch, *arguments, **fields)  # type: ignore[arg-type]


def state_of(position: Position) -> WastelandState:
    assert isinstance(position.match, EngineMatch)
    return position.match.state


def why(position: Position, action: Json | int) -> str:
    """Return the sentence with which it is refused, less the action itself; the position stays as it was."""
    state = state_of(position)
    number = action if isinstance(action, int) else parse_action(canonical(action))
    before = state.digest()
    with pytest.raises(IllegalActionError) as caught:
        state.apply(number)
    assert state.digest() == before
    assert not state.take_events()
    assert not state.is_legal(number)
    text = str(caught.value)
    assert text.endswith(".")
    assert len(text) < 400
    return text.partition(" is not legal here: ")[2]


READ = [
    ("", "is no action of Wasteland"),
    ("[]", "is no action of Wasteland"),
    ("[" * 900, "is no action of Wasteland"),
    (" " * 1001 + '{"type":"done"}', "is no action of Wasteland"),
    ('{"type":"done"', "is no action of Wasteland"),
    ("{}", 'a "type"'),
    ('{"type":7}', 'a "type"'),
    ('{"type":"resign"}', 'field type is "resign"'),
    ('{"type":"done","seat":1}', "type done has the fields type alone"),
    ('{"type":"load"}', "type load has the fields resource"),
    ('{"type":"load","resource":"water"}', "field resource names a resource"),
    ('{"type":"load","resource":["fuel"]}', "field resource names a resource"),
    ('{"type":"load","resource":"fuel","number":2}', "type load has the fields resource"),
    ('{"type":"step","to":"Z"}', "field to names a space"),
    ('{"type":"step","to":"X0","scout":1}', "field scout is true, or left out"),
    ('{"type":"step","to":"X0","scout":false}', "field scout is true, or left out"),
    ('{"type":"step","scout":true}', "type step has the fields to"),
    ('{"type":"start_city","city":"Z"}', "field city names"),
    ('{"type":"buy","card":"tank"}', "field card names"),
    ('{"type":"deliver","mission":"i1D"}', "field mission names"),
    ('{"type":"pay","resource":"cash"}', "field resource names a resource"),
    ('{"type":"pay","card":"toll_gang"}', "type pay has the fields resource"),
    ('{"type":"heal","hits":[]}', "field hits is a list of one or two Caravan cards, sorted"),
    ('{"type":"heal","hits":["war_rig","head"]}', "field hits is a list of one or two Caravan cards, sorted"),
    ('{"type":"heal","hits":["head","head","head"]}', "field hits is a list of one or two"),
    ('{"type":"heal","hits":[1]}', "field hits is a list of one or two"),
    ('{"type":"heal","hits":["tank"]}', "field hits names Caravan cards"),
    ('{"type":"play"}', "type play has the field card"),
    ('{"type":"play","card":"nuke"}', "field card names an Event card"),
    ('{"type":"play","card":"attack","space":"N"}', "card attack has the fields card"),
    ('{"type":"play","card":"road_block"}', "card road_block has the fields card, space"),
    ('{"type":"play","card":"road_block","space":"Z"}', "field space names a space"),
    ('{"type":"play","card":"dry_market","resource":"cash"}', "field resource names a resource"),
    ('{"type":"play","card":"contract_cancelled","mission":3}', "field mission names a mission"),
    ('{"type":"play","card":"field_repairs","hits":"head"}', "field hits is a list"),
]


@pytest.mark.parametrize(("text", "complaint"), READ)
def test_w72_what_is_no_action_is_refused_with_its_field(text: str, complaint: str) -> None:
    with pytest.raises(UnreadableActionError, match=complaint) as caught:
        parse_action(text)
    assert len(str(caught.value)) < 500


@settings(max_examples=40)
@given(st.text(max_size=40))
def test_w72_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(UnreadableActionError):
        parse_action(text)


def test_w72_the_packing_is_the_documented_one() -> None:
    assert parse_action('{"type":"start_city","city":"W"}') == 3
    assert parse_action('{"type":"pass"}') == 1 << 27
    assert parse_action('{"type":"lose","resource":"medicine"}') == 3 << 27 | 3
    assert parse_action('{"to":"N","type":"step","scout":true}') == 4 << 27 | 1 << 8
    assert parse_action('{"type":"pay","resource":"fuel"}') == 8 << 27 | 1
    assert parse_action('{"type":"heal","hits":["head"]}') == 17 << 27
    assert parse_action('{"type":"heal","hits":["head","mobile_garrison"]}') == 17 << 27 | 2 << 4
    assert parse_action('{"type":"play","card":"surprise_attack"}') == 2 << 27 | 1 << 16
    assert parse_action('{"type":"cook"}') == 21 << 27


@pytest.mark.parametrize("number", [-1, -(2**40), 22 << 27, 31 << 27, 1 << 32, 2**200])
def test_w72_an_int_that_is_no_action_is_illegal(number: int) -> None:
    assert why(at(), number) == "it is no action of Wasteland."


def test_w72_an_int_of_any_size_is_refused() -> None:
    for number in (10**5000, -(10**5000)):
        assert why(at(), number) == "it is no action of Wasteland."


LOCATION = [
    ({}, load("medicine"), "medicine is not offered here (W55)."),
    ({"turn": {"dry": ["fuel"]}}, load("fuel"), "fuel is not offered here (W55)."),
    ({"turn": {"ditched": ["fuel"]}}, load("fuel"), "fuel was ditched in this turn (W55)."),
    ({"resources": "fuel:2"}, load("fuel"), "there is no slot for fuel (W20)."),
    ({}, ditch("fuel"), "you have no fuel (W56)."),
    ({}, buy("war_rig"), "war_rig costs 8, and you have 5 Cash (W57)."),
    ({"caravan": "gun_truck"}, buy("gun_truck"), "no such card is in your deck (W57)."),
    ({}, deliver("i1A"), "no such mission lies face up (W58)."),
    ({"missions": "i1A"}, deliver("i1A"), "i1A is delivered at i1 (W58)."),
    ({}, heal("head"), "Field Hospital and 1 Medicine are needed, once per turn (W59)."),
    (
        {"caravan": "field_hospital head:2", "resources": "medicine"},
        heal("head"),
        "it takes two Hits off, or the only one (W59).",
    ),
    ({}, {"type": "stop"}, "the decision is location (W72)."),
    ({}, actions.LOAD << 27 | 4, "there is no such resource (W3)."),
    ({}, actions.DONE_ACTION | 1, "it has no fields (W72)."),
]
TOWN = {"space": "i1", "missions": "i1A i1B", "resources": "munitions medicine fuel"}


@pytest.mark.parametrize(("fields", "action", "words"), LOCATION)
def test_w54_refusals_at_location(fields: Json, action: Json | int, words: str) -> None:
    assert why(at(**fields), action) == words


def test_w54_refusals_in_a_town() -> None:
    position = at(**TOWN)
    assert why(position, deliver("i1B")) == "you do not have all that i1B needs (W58)."
    assert why(position, load("fuel")) == "nothing is loaded or ditched in a Town (W55, W56)."
    assert why(position, buy("gun_truck")) == "Caravan cards are sold in Cities (W57)."


def test_w32_refusals_of_steps() -> None:
    position = at("move", space="i1", turn={"road_blocks": ["N"], "steps": 1})
    assert why(position, step("S")) == "no link leads there from i1 (W32)."
    assert why(position, step("N")) == "N is blocked in this turn (W35)."
    scouting = "only a step into a Wild can be scouted, with Scout Rig and 1 Fuel (W34)."
    assert why(position, step("X0", scout=True)) == scouting
    riding = "Outrider Bikes and 1 Fuel are needed, once, before the first step of a Movement (W33)."
    assert why(position, {"type": "outrider"}) == riding
    storm = at("move", space="i1", turn={"sandstorm": True})
    assert why(storm, step("X0")) == "under a Sandstorm no Wild may be entered (W35)."


def test_w26_refusals_of_plays() -> None:
    position = at("event", window="end", to_move=1, hands=["", "attack pickpockets"])
    assert why(position, playing("ambush")) == "you hold no such card (W26)."
    assert why(position, playing("attack")) == (
        "attack may not be played now, in the window end, by you, or with this target (W8)."
    )
    position = attacked(at, hands=["escort tailwind", "attack"])
    position.play(playing("attack"))
    assert why(position, playing("tailwind")) == "tailwind is no answer to an attack (W29)."


def test_w40_refusals_in_a_fight() -> None:
    position, _ = in_fight(at, "feral_dogs", resources="rations")
    assert "Feral Dogs asks for nothing of the kind" in why(position, {"type": "pay", "resource": "fuel"})
    assert "check_rule deter" in why(position, {"type": "deter"})
    position, _ = in_fight(at, "lone_raider", caravan="war_rig", dice="6....[56]")
    assert why(position, hit("gun_truck")) == "no such card of yours is in play (W47)."
    position, _ = in_fight(
        at, "lone_raider", caravan="cargo_hauler:2", resources="fuel:3 rations:2", dice="6..6"
    )
    position.play(hit("cargo_hauler"))
    assert "given up (W30, W49)" in why(position, lose("medicine"))


def test_w62_refusals_of_other_decisions() -> None:
    position = at(hands=["attack", ""])
    position.play({"type": "done"})
    assert why(position, {"type": "discard", "card": "ambush"}) == "you hold no such card (W62)."
    position, _ = in_fight(at, "lone_raider", caravan="head:3", dice="[1-3]{3}6")
    assert why(position, actions.start_city(4)) == "there is no such City (W15)."
    position.play(city("N"))
    over = at(options={"max_rounds": 1}, first=1)
    over.play({"type": "done"})
    assert why(over, {"type": "done"}) == "the match is over."


@pytest.mark.parametrize("number", range(4))
def test_w73_whatever_is_not_listed_is_refused(number: int) -> None:
    """Any int: legal ones with other bits, every kind with any field. A sentence, never a failure of the engine."""
    dice = Random(number)
    match = EngineMatch.new(2 + number % 3, {"max_rounds": 3}, bytes([number]) * 32)
    while match.legal():
        legal = set(match.state.legal_actions())
        tried = [action ^ 1 << dice.randrange(32) for action in legal]
        tried += [dice.randrange(24) << 27 | dice.randrange(1 << dice.randrange(1, 27)) for _ in range(8)]
        for action in tried:
            if action not in legal:
                with pytest.raises(IllegalActionError):
                    match.state.apply(action)
                format_action(action)
        match.play(choose(match, dice))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"check_rule": "never"}, 'option "check_rule" is engage or deter, not "never"'),
        ({"max_rounds": "0"}, 'option "max_rounds" is a number of rounds from 1'),
        ({"max_rounds": "-1"}, 'option "max_rounds" is a number of rounds from 1'),
        ({"max_rounds": "1.5"}, 'option "max_rounds" is a number of rounds from 1'),
        ({"max_rounds": "٣"}, 'option "max_rounds" is a number of rounds from 1'),
        ({"max_rounds": "9" * 400}, 'option "max_rounds" is a number of rounds from 1'),
        ({"rounds": "3"}, '"rounds"'),
    ],
)
def test_w2_options_that_are_refused(values: dict[str, str], words: str) -> None:
    with pytest.raises(InvalidOptionsError, match=words):
        WASTELAND.options(2, values)


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_w1_two_to_four_play(seats: int) -> None:
    with pytest.raises(InvalidOptionsError):
        WASTELAND.options(seats, {})


def test_w2_options_as_text() -> None:
    options = WASTELAND.options(2, {"check_rule": "deter", "max_rounds": "7"})
    assert WASTELAND.option_values(options) == {"check_rule": "deter", "max_rounds": "7"}
