"""What the judges of decisions know, and how they compare moves."""

import base64
import json
from hashlib import sha256

import pytest

from arena.codecs.codec import codec_for
from engine.game import TERMINAL, Chance, State
from engine.randomness import Stream
from engine.registry import GAMES
from sample_bots.python.analysis.evaluation import Evaluation, answer
from sample_bots.python.analysis.judge import NoJudgeError, expected_scores, judge_of

SEED = bytes(range(32))
HIDDEN = [game for game in GAMES if GAMES[game].spec.chance is Chance.HIDDEN]
"""Games in which something stays hidden after the set-up."""


def a_stream(name: str) -> Stream:
    return Stream(sha256(name.encode()).digest())


def a_position(game: str, *, seats: int = 2, plies: int = 30, source: str = "a") -> State:
    """Return a position in the middle of a match of sensible actions, with a choice."""
    rules, stream = GAMES[game], a_stream(source)
    state = rules.new_match(seats, rules.options(seats, {}), sha256(source.encode()).digest())
    for _ in range(plies):
        state.apply(rules.sensible_action(state, stream))
    while len(state.legal_actions()) == 1:
        state.apply(state.legal_actions()[0])
    return state


def a_request(game: str, state: State, **changes: object) -> dict[str, object]:
    seen = codec_for(game).encode_observation(state.observe(state.seat_to_act))
    played = GAMES[game].sensible_action(state, a_stream("played"))
    request = {
        "game": game,
        "observation": base64.b64encode(seen).decode(),
        "played": [played],
        "seed": SEED.hex(),
        "moves": [],
        "first": 0,
        "deals": 2,
        "advised": False,
    }
    return request | changes


@pytest.mark.parametrize("plies", [0, 12, 31])
@pytest.mark.parametrize("game", HIDDEN)
def test_matches_that_differ_in_what_the_seat_could_not_see_have_the_same_judgement(
    game: str, plies: int
) -> None:
    state = a_position(game, plies=plies)
    seen = state.observe(state.seat_to_act)
    others = [GAMES[game].from_observation(seen, a_stream(f"hidden {number}")) for number in range(2)]
    assert len({each.digest() for each in (state, *others)}) == 3
    first, *rest = [json.dumps(answer(a_request(game, each))) for each in (state, *others)]
    assert all(each == first for each in rest)


@pytest.mark.parametrize("game", GAMES)
def test_what_was_played_is_one_of_the_moves_and_there_is_another_one(game: str) -> None:
    request = a_request(game, a_position(game))
    reply = answer(request)
    own = [move for move, is_played in zip(reply["moves"], reply["played"], strict=True) if is_played]
    assert own
    assert all(list(move[:1]) == request["played"] for move in own)
    assert len(reply["moves"]) > len(own)
    assert [len(scores) for scores in reply["scores"]] == [len(reply["moves"])] * 2
    assert all(0 <= score <= 1 for scores in reply["scores"] for score in scores)


@pytest.mark.parametrize("game", GAMES)
def test_every_move_meets_the_same_luck_in_a_deal(game: str) -> None:
    request = a_request(game, a_position(game))
    move = list(answer(request)["moves"][0])
    twice = answer(request | {"moves": [move, move], "deals": 3})
    assert [one for one, _ in twice["scores"]] == [other for _, other in twice["scores"]]


@pytest.mark.parametrize("game", GAMES)
def test_deals_go_on_where_the_last_request_ended(game: str) -> None:
    request = a_request(game, a_position(game))
    moves = [list(move) for move in answer(request)["moves"][:2]]
    together = answer(request | {"moves": moves, "deals": 3})["scores"]
    parts = [answer(request | {"moves": moves, "first": deal, "deals": 1})["scores"][0] for deal in range(3)]
    assert together == parts


@pytest.mark.parametrize("game", HIDDEN)
def test_deals_differ_and_fit_what_the_seat_was_shown(game: str) -> None:
    state = a_position(game)
    seen = state.observe(state.seat_to_act)
    played = (state.legal_actions()[0],)
    evaluation = Evaluation(game, codec_for(game).encode_observation(seen), played, SEED)
    deals = [evaluation.deal(number) for number in range(4)]
    assert [each.observe(state.seat_to_act) for each in deals] == [seen] * 4
    assert len({each.digest() for each in deals}) == 4


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("game", GAMES)
def test_the_expected_scores_of_all_seats_add_up_and_those_at_the_end_follow_the_placings(
    game: str, seats: int
) -> None:
    state = a_position(game, seats=seats)
    assert sum(expected_scores(judge_of(game), state)) == pytest.approx(seats / 2)
    stream = a_stream("on")
    while state.seat_to_act != TERMINAL:
        state.apply(GAMES[game].sensible_action(state, stream))
    outcome = state.outcome()
    assert outcome is not None
    scores = expected_scores(judge_of(game), state)
    assert sum(scores) == pytest.approx(seats / 2)
    ranked = sorted(range(seats), key=lambda seat: -scores[seat])
    assert [outcome.placings[seat] for seat in ranked] == sorted(outcome.placings)
    if sorted(outcome.placings) == list(range(1, seats + 1)):
        assert (max(scores), min(scores)) == (1.0, 0.0)


def test_the_expected_score_of_a_seat_alone_is_in_points() -> None:
    state = a_position("caravanserai", seats=1, plies=10)
    reply = answer(a_request("caravanserai", state))
    assert all(score > 1 for scores in reply["scores"] for score in scores)


@pytest.mark.parametrize("game", ["caravan", "caravanserai"])
def test_the_advice_of_the_sample_bot_is_the_last_of_the_moves(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"sample_bots.python.{game}.search.judge.EFFORT", 6)
    state = a_position(game)
    while game == "caravanserai" and (state.laid or len(state.legal_actions()) < 40):  # type: ignore[attr-defined]
        state.apply(GAMES[game].sensible_action(state, a_stream("on")))
    request = a_request(game, state, deals=0)
    moves = answer(request)["moves"]
    advised = answer(request | {"advised": True})["moves"]
    assert advised[: len(moves)] == moves
    assert len(advised) - len(moves) in {0, 1}
    assert answer(request | {"advised": True})["moves"] == advised


def test_the_end_of_a_match_of_caravan_is_judged_when_the_bag_is_empty() -> None:
    rules, stream = GAMES["caravan"], a_stream("on")
    state = rules.new_match(2, rules.options(2, {}), SEED)
    while sum(state.bag_left) or len(state.legal_actions()) == 1:  # type: ignore[attr-defined]
        state.apply(rules.sensible_action(state, stream))
    reply = answer(a_request("caravan", state))
    assert all(0 <= score <= 1 for scores in reply["scores"] for score in scores)


def test_a_game_without_a_judge_says_so() -> None:
    with pytest.raises(NoJudgeError, match="pile"):
        judge_of("pile")
