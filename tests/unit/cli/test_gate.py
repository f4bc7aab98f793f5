"""`arena gate`: what is asked of the arena, what is refused before that, and the exit codes."""

import pytest

from tests.unit.cli.test_tournaments import DECIDED, GATE

LADDER = """ladder {
  name: "ladders/main" game: "caravan" rules_version: 1 seat_counts: [2, 3]
  options { caravan { camels: 5 goods: GOODS_SET_FULL board: "classic" no_progress_turns: 8 turn_limit: 60 } }
  options { caravan { camels: 6 goods: GOODS_SET_FULL board: "classic" no_progress_turns: 8 turn_limit: 60 } }
  time_control { per_decision_ms: 250 strikes: 3 absence_ms: 5000 hold_ms: 500 seat_limit_ms: 60000 }
}"""
CANDIDATE = "cd" * 6
ASKED = ("gate", "mine", "--candidate", CANDIDATE)
ON_LADDER = (*ASKED, "--ladder", "main", "--against", "field:10")


@pytest.fixture
def arena(fake):
    fake.answers |= {"GetLadder": LADDER, "CreateTournament": DECIDED, "GetTournament": DECIDED}
    return fake


def sent(arena):
    """Return the request to create the gate."""
    return arena.requests("CreateTournament")[-1]


def test_a_gate_takes_game_seats_options_clock_and_field_of_a_ladder(arena, ask):
    assert (
        ask(*ON_LADDER, "--against", "ann", "--apply", "--sprt", "-5,12.5", "--alpha", "0.01").exit_code == 0
    )
    request = sent(arena)
    assert (request.game, request.seats, request.seeded_by) == ("caravan", 2, "ladders/main")
    assert list(request.bots) == ["bots/ann"]
    assert request.options["turn_limit"] == "60"
    assert request.time_control.per_decision_ms == 250
    gate, test = request.gate, request.parameters.gate
    assert (gate.bot, gate.candidate) == ("bots/mine", f"bots/mine/versions/{CANDIDATE}")
    assert (gate.field, gate.apply) == (10, True)
    assert (test.elo0_milli, test.elo1_milli, test.alpha_milli, test.beta_milli) == (-5_000, 12_500, 10, 50)
    assert test.set_ups == 0


def test_the_set_ups_may_be_those_of_a_suite(arena, ask):
    assert ask(*ON_LADDER, "--suite", "caravan-2").exit_code == 0
    assert sent(arena).suite.name == "caravan-2"
    assert sent(arena).suite.text.startswith("game caravan\nseats 2\n")
    assert ask(*ON_LADDER, "--suite", "no-such").exit_code == 2


def test_matches_are_asked_for_in_whole_set_ups(arena, ask):
    assert ask(*ON_LADDER, "--seats", "3", "--matches", "20").exit_code == 0
    assert sent(arena).parameters.gate.set_ups == 3
    assert ask(*ON_LADDER, "--seats", "3", "--matches", "5").exit_code == 2


@pytest.mark.parametrize(
    "words",
    [
        (*ASKED, "--against", "ann"),
        (*ASKED, "--against", "ann", "--game", "caravan", "--ladder", "main"),
        (*ASKED, "--against", "field:3", "--game", "caravan"),
        (*ASKED, "--game", "caravan"),
        (*ASKED, "--game", "caravan", "--against", "ann", "--against", "ann"),
        (*ASKED, "--ladder", "main", "--against", "field:0"),
        (*ASKED, "--ladder", "main", "--against", "field:3", "--against", "field:4"),
        (*ON_LADDER, "--sprt", "20,0"),
        (*ON_LADDER, "--sprt", "0,20.0005"),
        (*ON_LADDER, "--alpha", "0.5"),
        (*ON_LADDER, "--beta", "0.00001"),
        ("gate", "mine", "--ladder", "main", "--against", "ann"),
    ],
)
def test_what_cannot_be_asked_for_is_a_usage_error(arena, ask, words):
    assert ask(*words).exit_code == 2
    assert not arena.requests("CreateTournament")


@pytest.mark.parametrize(
    ("verdict", "code"), [("VERDICT_BETTER", 0), ("VERDICT_NOT_BETTER", 5), ("VERDICT_UNDECIDED", 6)]
)
def test_the_exit_code_is_the_verdict_if_it_was_waited_for(arena, ask, verdict, code):
    over = GATE.replace("STATE_RUNNING", "STATE_FINISHED").replace("VERDICT_UNDECIDED", verdict)
    arena.answers["GetTournament"] = over
    assert ask(*ON_LADDER, "--wait").exit_code == code
    assert ask(*ON_LADDER).exit_code == 0
