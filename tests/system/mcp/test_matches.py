"""Whole matches that agents play with the official client, over standard input and output, at a real arena."""

import random
from pathlib import Path
from typing import Any

import pytest

from arena.v1 import ending_pb2, match_pb2, time_control_pb2, token_pb2
from tests.system.mcp.agents import agent_of, challenge, play, random_plays
from tests.system.play.arena_process import SLOW, ArenaProcess
from tests.system.relay import Relay

pytestmark = pytest.mark.usefixtures("_opponent")


def newest(arena: ArenaProcess) -> list[match_pb2.Match]:
    """Return the two newest matches of the agent's bot."""
    return list(arena.matches.ListMatches(match_pb2.ListMatchesRequest(bot="bots/ada")).matches)[:2]


def check_unharmed(arena: ArenaProcess) -> None:
    """Check that the newest matches were played to their end by the rules, without a strike of the agent."""
    for match in newest(arena):
        assert match.state == match_pb2.MATCH_STATE_FINISHED
        (seat,) = [seat for seat in match.seats if seat.bot == "bots/ada"]
        assert (seat.ending.termination, seat.strikes) == (ending_pb2.TERMINATION_NORMAL, 0)


@pytest.mark.parametrize(
    ("game", "options"), [("caravan", {"turn_limit": "8"}), ("wasteland", {"max_rounds": "4"})]
)
async def test_an_agent_plays_whole_matches_two_at_once(
    arena: ArenaProcess, game: str, options: dict[str, str]
) -> None:
    async with agent_of(arena) as agent:
        tools = (await agent.client.list_tools()).tools
        assert [tool.name for tool in tools] == ["join", "wait", "state", "act", "explain"]
        _, joined = await agent.call("join", game=game, matches=2)
        assert joined == {"bot": "ada", "games": [game], "matches": 2, "ladders": []}
        challenge(arena, game, options=options)
        read = await play(agent, 2, random.Random(1))
    check_unharmed(arena)
    assert len(read) > 8
    assert all("## The position" in text and "\n1. " in text for text in read)
    assert not [text for text in read if "bots/" in text or "random" in text]
    assert {each["kind"] for each in agent.told} == {"MATCH_STARTED", "MATCH_ENDED"}
    tokens = arena.tokens.ListTokens(token_pb2.ListTokensRequest()).tokens
    assert all(each.revoked for each in tokens if each.note == "arena mcp")


async def test_an_agent_that_does_not_answer_loses_no_decision_and_learns_what_was_played(
    arena: ArenaProcess,
) -> None:
    fast = time_control_pb2.TimeControl()
    fast.CopyFrom(SLOW)
    fast.per_decision_ms = 1200
    fast.grace_ms = 10_000  # bots are not told of it: only for a busy machine
    async with agent_of(arena) as agent:
        await agent.call("join")
        challenge(arena, clock=fast, options={"turn_limit": "2"})
        text, due = await agent.due()
        fields: dict[str, Any] = {"decisions": [due]}
        while due["decision"] in [each["decision"] for each in fields["decisions"]]:
            _, fields = await agent.call("wait")
        await agent.news("FALLBACK_PLAYED")
        assert await agent.refusal("act", decision=due["decision"], action=1) == "DECISION_CLOSED"
        text, _ = await agent.call("state")
        await agent.news("MATCH_ENDED", times=2)
    assert "--clock slow" in text or "fallback has played" in text
    check_unharmed(arena)


async def test_a_match_outlives_a_lost_connection_and_the_end_of_the_program(arena: ArenaProcess) -> None:
    dice = random.Random(2)
    with Relay(arena.tcp) as relay:
        async with agent_of(arena, server=relay.address) as agent:
            await agent.call("join")
            challenge(arena, options={"turn_limit": "6"})
            _, due = await agent.due()
            relay.cut()
            await agent.call("act", decision=due["decision"], action=1)  # sent when the connection is back
            _, due = await agent.due()
        assert f"during {due['match']}" in agent.last_words
        assert newest(arena)[-1].state == match_pb2.MATCH_STATE_RUNNING
        async with agent_of(arena) as agent:
            await agent.call("join")
            assert await agent.refusal("act", decision=due["decision"], action=1) == "DECISION_UNKNOWN"
            await play(agent, 2, dice)
    check_unharmed(arena)


async def test_matches_that_an_arena_forgets_are_lost_and_played_again(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path / "data") as arena, random_plays(arena):
        arena.bots.CreateBot(bot_id="ada")
        async with agent_of(arena) as agent:
            await agent.call("join")
            challenge(arena, options={"turn_limit": "2"})
            _, due = await agent.due()
            arena.kill()
            await agent.news("CONNECTION_LOST")
            with ArenaProcess(arena.data):
                await agent.news("CONNECTION_BACK")
                await agent.news("MATCH_LOST")
                assert await agent.refusal("act", decision=due["decision"], action=1) == "DECISION_CLOSED"
                await agent.news("MATCH_STARTED", times=2)


async def test_calls_that_cannot_be_are_refused_with_their_reason_and_the_next_is_answered(
    arena: ArenaProcess,
) -> None:
    arena.ladders.CreateLadder(ladder_id="main", game="caravan", seat_counts=[2], time_control=SLOW)
    async with agent_of(arena) as agent:
        assert await agent.refusal("wait") == "NOT_JOINED"
        assert await agent.refusal("fly") == "TOOL_UNKNOWN"
        assert await agent.refusal("join", game="chess") == "GAME_UNKNOWN"
        assert await agent.refusal("join", matches="many") == "ARGUMENT_INVALID"
        assert await agent.refusal("act", decision="1-1-x", action=1) == "DECISION_UNKNOWN"
        assert await agent.refusal("act") == "ARGUMENT_INVALID"
        assert await agent.refusal("join", ladder="main") == "LADDER_UNKNOWN"
        arena.ladders.JoinLadder(name="ladders/main", bot="bots/ada")
        _, joined = await agent.call("join", ladder="main")
        assert (joined["games"], joined["ladders"]) == (["caravan"], ["main"])
        assert await agent.refusal("state", match="matches/9") == "MATCH_UNKNOWN"
        _, fields = await agent.call("wait", seconds=0)
        assert (fields["reason"], fields["connected"]) == ("TIMEOUT", True)
        tokens = arena.tokens.ListTokens(token_pb2.ListTokensRequest()).tokens
        (own,) = [each for each in tokens if each.note == "arena mcp" and not each.revoked]
        arena.tokens.RevokeToken(name=own.name)
        assert await agent.refusal("wait", seconds=50) == "REFUSED"
        assert await agent.refusal("join") == "REFUSED"
    arena.ladders.LeaveLadder(name="ladders/main", bot="bots/ada")


async def test_the_token_of_the_bot_in_a_file_is_enough(arena: ArenaProcess) -> None:
    file = arena.data / "ada.token"
    file.write_text(arena.tokens.CreateToken(role=token_pb2.ROLE_BOT, bot="bots/ada").secret)
    async with agent_of(arena, ARENA_BOT_TOKEN=str(file)) as agent:
        _, joined = await agent.call("join")
        assert "ladders" not in joined
        assert await agent.refusal("join", ladder="main") == "LADDER_UNKNOWN"
