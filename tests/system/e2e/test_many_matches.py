"""Two hundred matches at once, on one connection for each bot."""

from concurrent.futures import ThreadPoolExecutor

from arena.v1 import match_pb2, play_pb2
from tests.system.e2e.playing import play_on
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import RawBot, connect

AT_ONCE = 200


def sit_down(bot: RawBot) -> list[play_pb2.Decision]:
    """Take seats in all matches and answer nothing until the last has begun; return the decisions heard so far."""
    decisions: list[play_pb2.Decision] = []
    begun = 0
    while begun < AT_ONCE:
        message = bot.hear_any()
        assert message is not None
        if message.HasField("assigned"):
            bot.say(ready=play_pb2.Ready(assignment=message.assigned.assignment))
        begun += message.HasField("match_started")
        if message.HasField("decision"):
            decisions.append(message.decision)
    return decisions


def play_to_the_end(bot: RawBot, decisions: list[play_pb2.Decision]) -> list[match_pb2.Match]:
    """Pass in every decision until all matches have ended."""
    for decision in decisions:
        bot.answer(decision)
    return play_on(bot, AT_ONCE)


def test_two_hundred_matches_at_once(arena: ArenaProcess) -> None:
    tokens = [arena.bot(bot) for bot in ("left", "right")]
    bots = connect(arena.unix, tokens, capacity=play_pb2.Capacity(matches=AT_ONCE))
    arena.ladder("main", "left", "right", options={"turn_limit": "6"}, matches=AT_ONCE)
    with ThreadPoolExecutor(2) as threads:
        heard = list(threads.map(sit_down, bots))
        # All of them run at this moment: nobody has answered anything.
        ended = list(threads.map(play_to_the_end, bots, heard))
    for bot in bots:
        bot.cut()
    matches = {match.name: match for match in ended[0]}
    assert matches == {match.name: match for match in ended[1]}
    assert len(matches) == AT_ONCE
    assert {match.state for match in matches.values()} == {match_pb2.MATCH_STATE_FINISHED}
    assert {seat.strikes for match in matches.values() for seat in match.seats} == {0}
