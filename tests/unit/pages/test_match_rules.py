"""The game, the options and the clock of a form."""

import pytest

from arena.core.clock.time_control import CHALLENGE_CLOCK, RANGES, TimeControl
from arena.pages import account, by_hand
from arena.pages.match_rules import CLOCK_FIELDS, ClockChoice, RulesForm
from arena.pages.reads import PageError
from arena.v1 import game_pb2, time_control_pb2

GAMES = [
    game_pb2.Game(
        name=f"games/{name}",
        title=name.title(),
        options=[game_pb2.GameOption(name="size", default_value="5", allowed="5 or 6")],
    )
    for name in ("hills", "dunes")
]
CLOCKS = (
    ClockChoice("usual", "usual", TimeControl()),
    ClockChoice("slow", "slow", TimeControl(per_decision_ms=9_000, strikes=7)),
)


def form(error: PageError | None = None, **sent: str) -> RulesForm:
    """Return a form; "__" in the names of fields is a dot."""
    return RulesForm(
        GAMES, CLOCKS, {name.replace("__", "."): text for name, text in sent.items()}, error, ("bot",)
    )


def test_options_are_those_of_the_chosen_game_that_are_filled() -> None:
    rules = form(game="dunes", options__hills__size="5", options__dunes__size=" 6 ").read()
    assert (rules.game, rules.options) == ("dunes", {"size": "6"})
    assert form(game="dunes", options__hills__size="5", options__dunes__size=" ").read().options == {}


def test_a_clock_is_one_of_the_list_with_changes() -> None:
    assert form(game="hills").read().time_control.per_decision_ms == TimeControl().per_decision_ms
    chosen = (
        form(game="hills", clock="slow", time_control__bank_ms="0", time_control__strikes="")
        .read()
        .time_control
    )
    assert (chosen.per_decision_ms, chosen.bank_ms, chosen.strikes) == (9_000, 0, 7)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("game", "seas"),
        ("game", ""),
        ("clock", "eternal"),
        ("time_control.bank_ms", "-1"),
        ("time_control.bank_ms", "1e3"),
        ("time_control.bank_ms", "9" * 5000),
        ("time_control.strikes", "²"),
        ("options.hills.size", "x" * 81),
    ],
)
def test_a_wrong_value_is_named_by_its_field_and_kept(field: str, value: str) -> None:
    sent = {"game": "hills", "clock": "slow"} | {field: value}
    with pytest.raises(PageError) as caught:
        RulesForm(GAMES, CLOCKS, sent).read()
    assert caught.value.status == 400
    shown = RulesForm(GAMES, CLOCKS, sent, caught.value)
    assert shown.wrong_field == field
    assert shown.sent[field] == value


@pytest.mark.parametrize(
    ("named", "field"),
    [
        ("options.size", "options.dunes.size"),
        ("options.wings", ""),
        ("time_control.bank_ms", "time_control.bank_ms"),
        ("time_control.grace_ms", ""),
        ("bot", "bot"),
        ("seats", ""),
        ("", ""),
    ],
)
def test_what_the_arena_names_is_a_field_of_the_form_or_none(named: str, field: str) -> None:
    """Without a field the sentence is shown above the form, so it is never lost."""
    assert form(PageError(400, "No.", named), game="dunes").wrong_field == field


def test_fields_that_are_filled_or_wrong_are_open() -> None:
    assert not form(game="dunes").is_open("options.dunes.")
    assert form(options__dunes__size="6").is_open("options.dunes.")
    wrong = form(PageError(400, "No.", "options.size"), game="dunes")
    assert wrong.is_open("options.dunes.")
    assert not wrong.is_open("options.hills.")


def test_every_bounded_rule_of_the_clock_can_be_changed() -> None:
    bounds = {field.name: (field.least, field.most) for field in CLOCK_FIELDS}
    assert bounds == {
        f"time_control.{rule}": (RANGES[rule][0], most) for rule, most in CHALLENGE_CLOCK.items()
    }
    assert {field.name for field in time_control_pb2.TimeControl.DESCRIPTOR.fields} >= set(CHALLENGE_CLOCK)


@pytest.mark.parametrize("choice", account.CLOCKS + by_hand.CLOCKS, ids=lambda choice: choice.name)
def test_an_owner_may_choose_every_clock_of_the_lists(choice: ClockChoice) -> None:
    for rule, most in CHALLENGE_CLOCK.items():
        assert getattr(choice.clock, rule) <= most
