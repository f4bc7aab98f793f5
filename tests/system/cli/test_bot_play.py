"""`arena bot play`: a person plays as their bot on an arena, under its clocks, at a terminal of 80 columns."""

import random

import pytest

from arena.v1 import ending_pb2, match_pb2, time_control_pb2, token_pb2
from tests.system.cli.pseudo_terminal import Terminal
from tests.system.opponent import challenge, greedy_plays
from tests.system.play.arena_process import SLOW, ArenaProcess
from tests.system.relay import Relay

ASKED = "(? for help): "
PLANNED = "(u: undo): "


def terminal_of(arena: ArenaProcess, server: str) -> Terminal:
    """Start the command as it is typed: with the address and the token of an owner."""
    arena.bots.CreateBot(bot_id="ada")
    token = str(arena.data / "organiser.token")
    terminal = Terminal("bot", "play", "ada", "--server", server, "--token", token, columns=80)
    assert "arena challenge ada OPPONENT --clock" in terminal.until("strikes=10")
    return terminal


def ended(arena: ArenaProcess) -> list[match_pb2.Match]:
    """Return the matches, newest first."""
    return list(arena.matches.ListMatches(match_pb2.ListMatchesRequest(bot="bots/ada")).matches)


def test_a_challenge_is_played_by_keys_with_a_lost_connection_in_between(arena: ArenaProcess) -> None:
    keys, shown, over = random.Random(1), "", 0
    with greedy_plays(arena), Relay(arena.tcp) as relay:
        terminal = terminal_of(arena, relay.address)
        challenge(arena)
        shown += terminal.until(ASKED)
        terminal.type("2\n")
        shown += terminal.until(PLANNED)
        relay.cut()
        shown += terminal.until("Trying again")
        terminal.type("\n")  # what was planned before is sent after
        while over < 2:
            screen = terminal.until(ASKED, PLANNED, "Scores: ")
            shown += screen
            if screen.endswith("Scores: "):
                over += 1
            else:
                terminal.type("\n" if screen.endswith(PLANNED) else f"{keys.randint(1, 12)}\n")
        terminal.type("\x03")
        code, rest = terminal.finish()
    assert code == 0, rest
    assert "Unrated match 1." in shown
    assert "1:00 min left. Your action" in shown or "s left. Your action" in shown
    assert "Connected again" in shown
    assert "Traceback" not in shown
    assert all(len(line) <= 80 for line in shown.splitlines() if ASKED not in line and PLANNED not in line)
    first, second = ended(arena)
    for match in (first, second):
        assert match.state == match_pb2.MATCH_STATE_FINISHED
        assert not match.rated
        assert [seat.ending.termination for seat in match.seats] == [ending_pb2.TERMINATION_NORMAL] * 2
        assert [seat.strikes for seat in match.seats] == [0, 0]


def test_a_decision_that_is_too_late_is_closed_on_the_screen_and_what_was_typed_is_dropped(
    arena: ArenaProcess,
) -> None:
    fast = time_control_pb2.TimeControl()
    fast.CopyFrom(SLOW)
    fast.per_decision_ms, fast.strikes = 1500, 1
    with greedy_plays(arena):
        terminal = terminal_of(arena, arena.tcp)
        challenge(arena, fast)
        terminal.until(ASKED)
        terminal.type("5")  # and no Enter
        assert "PASS was played instead" in " ".join(terminal.until(ASKED).split())
        terminal.until("TIME_FORFEIT", "Scores: ")
        terminal.type("\x03")
        terminal.type("\x03")
        assert terminal.finish()[0] == 0
    assert any(
        seat.ending.termination == ending_pb2.TERMINATION_TIME_FORFEIT
        for match in ended(arena)
        for seat in match.seats
    )


def test_the_token_of_the_command_is_revoked_at_its_end(arena: ArenaProcess) -> None:
    terminal = terminal_of(arena, arena.tcp)
    terminal.type("\x03")
    assert terminal.finish()[0] == 0
    tokens = arena.tokens.ListTokens(token_pb2.ListTokensRequest()).tokens
    assert [each.revoked for each in tokens if each.note == "arena bot play"] == [True]


@pytest.mark.parametrize("bot", ["nobody"])
def test_an_unknown_bot_is_refused_before_anything_starts(arena: ArenaProcess, bot: str) -> None:
    terminal = Terminal(
        "bot", "play", bot, "--server", arena.tcp, "--token", str(arena.data / "organiser.token"), columns=80
    )
    code, shown = terminal.finish()
    assert code == 1
    assert b"nobody" in shown
