"""What an agent reads through the tools of `arena mcp` contains nothing that its seat may not see, in every game."""

import asyncio
import json

from arena.sdk.llm.match_texts import MatchTexts, rules_of
from arena.sdk.mcp.arguments import Explain, State, Wait
from arena.sdk.mcp.calls import Calls
from arena.sdk.mcp.presence import Presence
from arena.sdk.mcp.seats import Seats
from arena.sdk.settings import Endpoint
from arena.v1 import happening_pb2
from engine.game import Chance
from engine.game import State as Position
from engine.randomness import Stream
from tests.unit.contract.cases import Case, sample
from tests.unit.contract.sent import sent_since
from tests.unit.sdk.llm.matches import a_match, observation

EXPLAINED = 3
"""Legal actions, of which what they lead to is compared."""


def read(
    case: Case, before: Position, state: Position, happened: list[happening_pb2.Happening], unlisted: str
) -> list[str]:
    """Return all that an agent can read at a decision. `unlisted`: an action that may be illegal."""
    viewer = state.seat_to_act
    match = a_match(case.game, before, case.seats, viewer, **case.options)
    texts = MatchTexts(match)
    texts.happened(happened)
    seen, listed = observation(case.game, state, viewer), list(state.legal_actions())
    seats = Seats(now=lambda: 0.0, run="run")
    seats.begin(match, texts, "A match has begun.")
    seats.open(match, texts.read(seen), listed, texts.question(seen, listed), until=60.0)

    async def call() -> list[str]:
        calls = Calls(Presence("agent", Endpoint("unix:///nothing", ""), seats), seats, None)
        numbers = [1 + place * len(listed) // EXPLAINED for place in range(EXPLAINED)]
        asked: list[int | str] = [*numbers, unlisted, "camel"]
        replies = [await calls.state(State()), await calls.wait(Wait())]
        replies += [await calls.explain(Explain(action=each)) for each in asked]
        if rules_of(case.game, "short"):
            replies.append(await calls.explain(Explain()))
        return [f"{each.text}\n{json.dumps(each.fields)}" for each in replies]

    return asyncio.run(call())


def test_positions_that_differ_in_hidden_things_alone_are_read_alike(case: Case) -> None:
    differing, before_it = 0, "PASS"
    for step in sample(case, every=45):
        viewer = step.state.seat_to_act
        before, happened = sent_since(case, step.ply, viewer)
        unlisted, before_it = before_it, step.state.format_action(step.action)
        whole = read(case, before, step.state, happened, unlisted)
        assert not [name for name in ("name-of-0", "name-of-1") if name in "".join(whole)]
        stream = Stream(bytes([1]) * 32)
        other_before = case.rules.from_observation(before.observe(viewer), stream)
        other = case.rules.from_observation(step.state.observe(viewer), stream)
        differing += other.digest() != step.state.digest()
        assert read(case, other_before, other, happened, unlisted) == whole
    assert differing or case.rules.spec.chance is not Chance.HIDDEN
