"""What a model is told of a match contains nothing that its seat may not see, in every game."""

from typing import Any

from arena.codecs.codec import codec_for
from arena.sdk.game_messages import inner
from arena.sdk.llm.folder import Folder
from arena.sdk.llm.prompt import Briefing
from arena.v1 import games_pb2, happening_pb2
from engine.game import Chance, State
from engine.randomness import Stream
from tests.checkout import ROOT
from tests.unit.contract.cases import Case, sample
from tests.unit.contract.sent import sent_since
from tests.unit.sdk.llm.matches import a_match, observation

FOLDER = Folder(path=ROOT, prompt="Win.", model="m", base_url="http://localhost/v1")


def told(case: Case, before: State, state: State, happened: list[happening_pb2.Happening]) -> str:
    """Return all that a model reads at a decision."""
    viewer = state.seat_to_act
    match = a_match(case.game, before, case.seats, viewer, **case.options)
    briefing = Briefing(match, FOLDER)
    briefing.happened(happened)
    question = briefing.ask(observation(case.game, state, viewer), list(state.legal_actions()), "")
    return "\n".join([briefing.system, question.text, *question.notations])


def test_positions_that_differ_in_hidden_things_alone_are_told_alike(case: Case) -> None:
    differing = 0
    for step in sample(case, every=30):
        viewer = step.state.seat_to_act
        before, happened = sent_since(case, step.ply, viewer)
        text = told(case, before, step.state, happened)
        for number in range(2):
            stream = Stream(bytes([number + 1]) * 32)
            other_before = case.rules.from_observation(before.observe(viewer), stream)
            other = case.rules.from_observation(step.state.observe(viewer), stream)
            differing += other.digest() != step.state.digest()
            assert told(case, other_before, other, happened) == text
    assert differing or case.rules.spec.chance is not Chance.HIDDEN


def test_a_model_is_not_told_who_its_opponents_are(case: Case) -> None:
    state = case.new_match()
    seen: Any = inner(
        games_pb2.Observation.FromString(codec_for(case.game).encode_observation(state.observe(0)))
    )
    match = a_match(case.game, state, case.seats, 0, **case.options)
    briefing = Briefing(match, FOLDER)
    text = briefing.system + briefing.ask(seen, list(state.legal_actions()), "").text
    assert not [name for name in match.participants if name.partition("/")[2] in text]
