"""Real connections cut at every kind of moment and in every way: the match goes on as if nothing had happened.

Rows 21 to 23 and 42 of docs/bad_inputs.md; docs/protocol.md, "Coming back".
"""

from collections.abc import Mapping
from itertools import product
from random import Random

import pytest

from arena.codecs.codec import codec_for
from arena.core.match import Cause
from arena.match_log.reader import MatchLog, read_log
from arena.v1 import ending_pb2, games_pb2, match_pb2, play_pb2
from engine.game import State
from engine.registry import GAMES
from tests.system.play.conftest import BotFactory
from tests.system.play.reconnecting_bot import WAYS, Cut, ReconnectingBot, ReplayedState, policy

CODEC = codec_for("caravan")
OPTIONS = {"turn_limit": "5", "no_progress_turns": "100"}
"""Five turns with 1 to 5 points: 15 decisions, up to five of one seat in a row."""
MOMENTS = ("hello", "welcome", "assigned", "ready", "match_started", "decision", "answer", "answered")


def duel(
    bot_factory: BotFactory, *, matches: int = 1, hello: Mapping[str, object] | None = None, **how: object
) -> tuple[ReconnectingBot, ReconnectingBot]:
    """Play the matches of a bot that is cut off, and of one that is not, to the end. `hello`: of both."""
    ids = [bot_factory.register(letter) for letter in "ab"]
    cut, calm = (
        ReconnectingBot(
            bot_factory.arena.tcp,
            bot_factory.tokens[bot],
            matches=matches,
            hello=dict(hello or {}),
            **(how if bot == ids[0] else {}),  # type: ignore[arg-type]
        )
        for bot in ids
    )
    with cut, calm:
        bot_factory.arena.ladder(f"l{bot_factory.number}", *ids, options=OPTIONS, matches=matches)
        return cut.finish(), calm.finish()


def uninterrupted(log: MatchLog) -> list[tuple[int, int, int, Cause]]:
    """(seat, decision, action, cause) of the match as it goes when nobody is ever cut."""
    state = beginning(log)
    asked = [0] * len(log.setup.seats)
    plies: list[tuple[int, int, int, Cause]] = []
    while state.outcome() is None:
        seat = state.seat_to_act
        legal = state.legal_actions()
        asked[seat] += 1
        action = legal[policy(asked[seat], len(legal))]
        plies.append((seat, asked[seat], action, Cause.CHOSEN))
        state.apply(action)
    return plies


def views(log: MatchLog, seat: int) -> list[games_pb2.Observation]:
    """Return what a seat is shown: at the start, then with each of its decisions."""
    state = beginning(log)
    shown = [observed(state, seat)]
    for ply in log.plies:
        if ply.seat == seat:
            shown.append(observed(state, seat))
        state.apply(ply.action)
    return shown


def beginning(log: MatchLog) -> State:
    """Return the position in which the match begins."""
    setup = log.setup
    return GAMES[setup.game].new_match(len(setup.seats), setup.options, setup.seed)


def observed(state: State, seat: int) -> games_pb2.Observation:
    """Return what a seat sees of a position."""
    return games_pb2.Observation.FromString(CODEC.encode_observation(state.observe(seat)))


def check(bot_factory: BotFactory, cut: ReconnectingBot) -> None:
    """All matches went as without any cut, and no comeback showed more than the last position given."""
    for name, ended in cut.ended.items():
        assert ended.match.state == match_pb2.MATCH_STATE_FINISHED
        assert {seat.ending.termination for seat in ended.match.seats} == {ending_pb2.TERMINATION_NORMAL}
        assert [seat.strikes for seat in ended.match.seats] == [0, 0]
        log = read_log(bot_factory.arena.log_bytes(name))
        assert [(ply.seat, ply.decision, ply.action, ply.cause) for ply in log.plies] == uninterrupted(log)
        bot = cut.welcomes[0].bot.removeprefix("bots/")
        seat = [holder.bot for holder in log.setup.seats].index(bot)
        shown = views(log, seat)
        own = {ply.decision: ply.action for ply in log.plies if ply.seat == seat}
        for told in cut.retold:
            if told.match == name:
                check_retold(told, shown, own)


def check_retold(told: ReplayedState, shown: list[games_pb2.Observation], own: dict[int, int]) -> None:
    """Check that the position is that of the last decision asked, at most one after the last one received."""
    started = told.started
    asked = [
        number
        for number in (told.heard, told.heard + 1)
        if number < len(shown) and shown[number] == started.view
    ]
    assert asked, f"a position that was not given by decision {told.heard + 1}"
    if started.answers:
        [given] = started.answers
        assert given.decision in asked
        assert [action.SerializeToString() for action in given.actions] == [
            CODEC.encode_action(own[given.decision])
        ]


@pytest.mark.parametrize(
    ("moment", "way", "claims"),
    [
        *product(MOMENTS, ("reset", "mute"), (False,)),
        *product(("assigned", "decision", "answer"), ("hang_up", "go_away", "cancel"), (False,)),
        *product(("assigned", "match_started", "answered"), ("reset",), (True,)),
        *product(("decision",), ("reset", "hang_up", "go_away", "cancel"), (True,)),
    ],
)
def test_a_match_continues_as_if_its_connection_had_never_been_cut(
    bot_factory: BotFactory, moment: str, way: str, claims: bool
) -> None:
    """`claims`: the bot was started again, and claims its match."""
    cut, _ = duel(bot_factory, cuts=[Cut(moment, way)], claims=claims)
    assert claims or cut.connections == 2
    check(bot_factory, cut)


@pytest.mark.parametrize("seed", range(3))
def test_a_line_that_breaks_again_and_again_costs_nothing_but_time(
    bot_factory: BotFactory, seed: int
) -> None:
    """The seed is the test's parameter."""
    random = Random(seed)
    moments = ("hello", "welcome", "match_started", "decision", "answer", "answered")
    cuts = [Cut(random.choice(moments), random.choice(WAYS), random.randrange(1, 3)) for _ in range(12)]
    cut, _ = duel(bot_factory, cuts=cuts)
    check(bot_factory, cut)


def test_a_welcome_that_is_lost_again_and_again_loses_no_session(bot_factory: BotFactory) -> None:
    cuts = [Cut("decision", "reset"), *[Cut("hello", "hang_up")] * 4, *[Cut("welcome", "mute")] * 3]
    cut, _ = duel(bot_factory, cuts=cuts)
    assert [welcome.resumed for welcome in cut.welcomes][1:] == [True] * (len(cut.welcomes) - 1)
    assert {welcome.session for welcome in cut.welcomes} == {cut.welcomes[0].session}
    check(bot_factory, cut)


@pytest.mark.parametrize("side", ["up", "down"])
def test_frames_that_break_off_in_the_middle_are_asked_or_answered_again(
    bot_factory: BotFactory, side: str
) -> None:
    """The connections are reset after so many bytes, wherever in a frame that is."""
    random = Random(side)
    most = {"up": 900, "down": 3_000}[side]
    limits = [{side: random.randrange(300, most)} for _ in range(12)]
    cut, _ = duel(bot_factory, limits=limits)
    assert cut.connections > 1
    check(bot_factory, cut)


def test_the_end_of_a_match_is_sent_again_to_a_bot_that_was_away(bot_factory: BotFactory) -> None:
    cut, calm = duel(bot_factory, cuts=[Cut("answer", "reset", 5), Cut("match_ended", "reset")])
    assert cut.ended.keys() == calm.ended.keys()
    check(bot_factory, cut)


def test_between_matches_and_in_them_a_second_match_follows_the_first(bot_factory: BotFactory) -> None:
    cuts = [Cut("decision", "mute", 2), Cut("match_ended", "reset"), Cut("decision", "go_away", 2)]
    cut, calm = duel(bot_factory, cuts=cuts, matches=2)
    assert len(cut.ended) == len(calm.ended) == 2
    check(bot_factory, cut)


@pytest.mark.parametrize("open_decisions", [1, 2])
@pytest.mark.parametrize("way", ["reset", "mute", "cancel"])
def test_two_seats_on_one_connection_come_back_together(
    bot_factory: BotFactory, way: str, open_decisions: int
) -> None:
    """With one open decision at a time, that of the other match is held back when the line breaks."""
    capacity = play_pb2.Capacity(matches=2, open_decisions=open_decisions)
    cuts = [Cut("decision", way, 3), Cut("decision", way, 5), Cut("answered", way, 4)]
    cut, _ = duel(bot_factory, matches=2, hello={"capacity": capacity}, cuts=cuts)
    check(bot_factory, cut)
