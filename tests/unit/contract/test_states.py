"""What the contract of engine/game.py promises of every state."""

from itertools import pairwise

import pytest

from engine.game import EVERYBODY, SPECTATOR, TERMINAL, IllegalActionError, UnreadableActionError
from engine.randomness import Stream
from tests.unit.contract.cases import Case, all_events, final, sample, walk

A_STREAM = Stream(bytes(range(32)))
NO_ACTIONS = (-1, -(2**70), 2**32 - 1, 2**32, 2**200)


def test_the_legal_list_is_ascending_without_repetition_in_uint32_and_never_empty(case: Case) -> None:
    for step in walk(case):
        listed = memoryview(step.state.legal_actions())  # type: ignore[arg-type]
        assert listed.format == "I"
        assert listed.itemsize == 4
        assert listed.readonly
        actions = listed.tolist()
        assert actions
        assert all(a < b for a, b in pairwise(actions))


def test_every_listed_action_is_legal_and_can_be_played(case: Case) -> None:
    for step in sample(case, every=60):
        for action in step.state.legal_actions():
            assert step.state.is_legal(action)
            step.state.clone().apply(action)


def test_an_illegal_action_is_refused_and_changes_nothing(case: Case) -> None:
    others: list[int] = []
    """Of the position before."""
    for step in sample(case, every=20):
        state, digest = step.state, step.state.digest()
        listed = list(state.legal_actions())
        beside = {action + 1 for action in listed[-8:]} | {listed[0] - 1, *NO_ACTIONS, *others}
        for action in beside:
            if not state.is_legal(action):
                with pytest.raises(IllegalActionError, match=r"\.$"):
                    state.apply(action)
        assert state.digest() == digest
        assert list(state.legal_actions()) == listed
        assert state.take_events() == []
        others = listed[:: len(listed) // 5 + 1]


def test_the_default_action_is_legal(case: Case) -> None:
    for step in walk(case):
        assert step.state.is_legal(step.state.default_action())


def test_a_match_of_default_actions_ends(case: Case) -> None:
    state = case.new_match()
    options = case.rules.options(case.seats, case.options)
    for _ in range(case.rules.max_plies(case.seats, options)):
        if state.seat_to_act == TERMINAL:
            break
        state.apply(state.default_action())
    assert state.outcome() is not None


def test_playing_a_match_of_one_seat_to_its_end_is_never_worse_than_a_forfeit(case: Case) -> None:
    """A forfeited one counts 0 (docs/ratings.md)."""
    outcome = final(case).outcome()
    assert outcome is not None
    assert case.seats > 1 or outcome.scores[0] >= 0


def test_the_sensible_action_is_legal_the_same_for_the_same_stream_and_changes_nothing(case: Case) -> None:
    for step in sample(case, every=10):
        digest = step.state.digest()
        first, second = (case.rules.sensible_action(step.state, A_STREAM.clone()) for _ in range(2))
        assert first == second
        assert step.state.is_legal(first)
        assert step.state.digest() == digest


def test_the_notation_of_every_listed_action_is_read_back(case: Case) -> None:
    for step in sample(case, every=25):
        texts = [step.state.format_action(action) for action in step.state.legal_actions()]
        assert [step.state.parse_action(text) for text in texts] == list(step.state.legal_actions())
        assert len(set(texts)) == len(texts)
        assert all(text == text.strip() and "\n" not in text for text in texts)


@pytest.mark.parametrize("text", ["", " ", "?", "\x00", "1e9", "9" * 400, "ПАС"])
def test_text_that_is_no_action_is_refused(case: Case, text: str) -> None:
    with pytest.raises(UnreadableActionError):
        case.new_match().parse_action(text)


def test_a_copy_is_equal_independent_and_has_no_events_waiting(case: Case) -> None:
    for step in sample(case, every=15):
        original, copy = step.state, step.state.clone()
        assert copy.take_events() == []
        assert copy.digest() == original.digest()
        digest, listed = original.digest(), list(original.legal_actions())
        seen = original.observe(original.seat_to_act)
        copy.apply(step.action)
        assert copy.digest() != digest
        assert (original.digest(), list(original.legal_actions())) == (digest, listed)
        assert original.observe(original.seat_to_act) == seen
        original.apply(step.action)
        assert original.digest() == copy.digest()


def test_a_copy_goes_its_own_way(case: Case) -> None:
    for step in sample(case, every=40):
        for played, kept in (("copy", "original"), ("original", "copy")):
            states = {"original": step.state.clone()}
            states["copy"] = states["original"].clone()
            digest, seen = step.state.digest(), [step.state.observe(viewer) for viewer in case.viewers]
            states[played].playout(A_STREAM.clone(), 30)
            assert states[kept].digest() == digest
            assert [states[kept].observe(viewer) for viewer in case.viewers] == seen


def test_what_is_of_another_game_is_refused(case: Case) -> None:
    with pytest.raises(TypeError, match="Options is needed"):
        case.rules.max_plies(case.seats, {"sandstorm": 1})
    with pytest.raises(TypeError, match="Observation is needed"):
        case.rules.from_observation("a view", A_STREAM)


def test_asking_changes_nothing(case: Case) -> None:
    for step in sample(case, every=30):
        digest = step.state.digest()
        step.state.legal_actions()
        for viewer in case.viewers:
            step.state.observe(viewer)
        step.state.outcome()
        step.state.take_events()
        assert step.state.digest() == digest


def test_there_is_no_outcome_before_the_end_and_a_whole_one_from_then_on(case: Case) -> None:
    for step in walk(case):
        assert step.state.outcome() is None
        assert 0 <= step.state.seat_to_act < case.seats
    state = final(case)
    outcome = state.outcome()
    assert outcome is not None
    assert len(outcome.scores) == len(outcome.placings) == case.seats
    assert outcome.ending == outcome.ending.upper().strip() != ""
    assert state.seat_to_act == TERMINAL
    assert len(state.legal_actions()) == 0
    with pytest.raises(IllegalActionError):
        state.apply(0)
    assert state.outcome() == outcome
    for viewer in case.viewers:
        again = case.rules.from_observation(state.observe(viewer), A_STREAM.clone())
        assert (again.seat_to_act, again.outcome()) == (TERMINAL, outcome)


def test_placings_are_one_more_than_the_number_of_seats_ahead(case: Case) -> None:
    outcome = final(case).outcome()
    assert outcome is not None
    for placing in outcome.placings:
        assert placing == 1 + sum(other < placing for other in outcome.placings)
    by_placing = sorted(zip(outcome.placings, outcome.scores, strict=True))
    assert all(a[1] >= b[1] for a, b in pairwise(by_placing))


def test_no_match_is_longer_than_the_bound(case: Case) -> None:
    options = case.rules.options(case.seats, case.options)
    assert sum(1 for _ in walk(case)) <= case.rules.max_plies(case.seats, options)


def test_events_are_given_once_and_reach_their_audience_alone(case: Case) -> None:
    events = all_events(case)
    assert events
    for event in events:
        audience = event.audience()
        for viewer in case.viewers:
            if audience is EVERYBODY or viewer in audience:
                assert event.seen_by(viewer) == event
            else:
                assert event.seen_by(viewer) != event
        if not case.rules.spec.hidden_information:
            assert audience is EVERYBODY


def test_a_seat_sees_its_own_actions_and_all_actions_where_nothing_is_hidden(case: Case) -> None:
    for step in walk(case):
        assert step.state.action_seen_by(step.action, step.state.seat_to_act) == step.action
        if not case.rules.spec.hidden_information:
            assert step.state.action_seen_by(step.action, SPECTATOR) == step.action


def test_the_public_form_of_an_action_is_never_legal_and_has_a_notation(case: Case) -> None:
    for step in walk(case):
        state = step.state
        for seen in {state.action_seen_by(step.action, viewer) for viewer in case.viewers} - {
            step.action,
            None,
        }:
            assert seen is not None
            assert not state.is_legal(seen)
            assert state.parse_action(state.format_action(seen)) == seen
