"""A solo ladder played by real programs, one of which gives up: docs/ratings.md, "Solo"."""

import os
import subprocess
import sys
from collections import defaultdict
from contextlib import ExitStack
from statistics import fmean

import pytest

from arena.match_log.keys import PublicKey
from arena.match_log.verify import VerificationExit, verify
from arena.v1 import bot_pb2, ending_pb2, ladder_pb2, match_pb2
from arena.wire.wording import short
from tests.checkout import ROOT
from tests.system.play.arena_process import SLOW, ArenaProcess

NAME = "ladders/alone"

PROGRAM = """
import sys
import arena.sdk

class Bot(arena.sdk.Bot):
    name = sys.argv[1]
    games = arena.sdk.GAMES

    def choose(self, observation, legal_actions, clock):
        if self.name == "quit":
            self.resign()
        return 0 if self.name == "first" else len(legal_actions) - 1

arena.sdk.run(Bot)
"""


class SoloLadder:
    """A solo ladder, and bots that play the first or the last of each list, or give up."""

    def __init__(self, arena: ArenaProcess, programs: ExitStack) -> None:
        self.arena, self._programs = arena, programs
        arena.ladders.CreateLadder(ladder_id="alone", game="caravanserai", seat_counts=[1], time_control=SLOW)

    def enter(self, bot: str, how: str) -> None:
        """Add the bot to the ladder, and connect it."""
        own = {
            "PYTHONPATH": str(ROOT),
            "ARENA_TOKEN": self.arena.bot(bot),
            "ARENA_ADDRESS": self.arena.unix,
        }
        self.arena.ladders.JoinLadder(name=NAME, bot=f"bots/{bot}")
        command = [sys.executable, "-c", PROGRAM, how]
        program = subprocess.Popen(command, env=os.environ | own, stderr=subprocess.DEVNULL)
        self._programs.callback(program.wait)
        self._programs.callback(program.kill)
        while not self.arena.bots.GetBot(bot_pb2.GetBotRequest(name=f"bots/{bot}")).bot.connections:
            assert program.poll() is None

    def run(self, matches: int) -> None:
        """Play so many more matches, in whole boards."""
        before = len(self.matches())
        self.arena.ladders.RunLadder(name=NAME, matches=matches)
        self.arena.wait_for("match over", times=before + matches)
        assert len(self.matches()) == before + matches

    def matches(self) -> list[match_pb2.Match]:
        """Return all matches of the ladder, newest first."""
        return list(self.arena.matches.ListMatches(ladder=NAME, page_size=1000).matches)

    def boards(self) -> dict[str, dict[str, match_pb2.Match]]:
        """Return the matches by group and bot."""
        found: dict[str, dict[str, match_pb2.Match]] = defaultdict(dict)
        for match in self.matches():
            found[match.group][short(match.seats[0].bot)] = match
        return found

    def standings(self) -> dict[str, ladder_pb2.Standing]:
        """Return the lines by bot, best first."""
        return {short(line.bot): line for line in self.arena.ladders.ListStandings(name=NAME).standings}

    def means(self) -> dict[str, float]:
        """Return the mean score of each bot, of the boards that count."""
        scores: dict[str, list[int]] = defaultdict(list)
        for match in self.matches():
            if match.state == match_pb2.MATCH_STATE_FINISHED:
                scores[short(match.seats[0].bot)].append(match.seats[0].score)
        return {bot: fmean(own) for bot, own in scores.items()}

    def verdicts(self) -> set[VerificationExit]:
        """Return the results of `arena log verify` on all logs."""
        keys = [PublicKey(key.public_key) for key in self.arena.matches.ListLogKeys().keys]
        logs = ((match, self.arena.log_bytes(match.name)) for match in self.matches())
        return {verify(data, keys=keys, name=match.log).exit_code for match, data in logs}


def test_all_bots_play_the_same_boards_and_are_ranked_by_their_scores(arena: ArenaProcess) -> None:
    with ExitStack() as programs:
        check_ladder(SoloLadder(arena, programs))


def check_ladder(solo: SoloLadder) -> None:
    for bot, how in (("ant", "first"), ("bee", "last"), ("cat", "quit")):
        solo.enter(bot, how)
    solo.run(9)
    boards = solo.boards()
    assert [sorted(board) for board in boards.values()] == [["ant", "bee", "cat"]] * 3
    assert all(len({match.seed for match in board.values()}) == 1 for board in boards.values())
    assert len({match.seed for match in solo.matches()}) == 3
    lines, expected = solo.standings(), solo.means()
    assert list(lines) == sorted(lines, key=lambda bot: -expected[bot])
    for bot, line in lines.items():
        assert line.solo.adjusted_score_milli == pytest.approx(1_000 * expected[bot], abs=0.51)
        assert (line.solo.boards, line.matches) == (3, 3)
    assert list(lines)[-1] == "cat"
    assert (lines["cat"].forfeits, lines["cat"].solo.adjusted_score_milli) == (3, 0)

    quits = [match for match in solo.matches() if match.seats[0].bot == "bots/cat"]
    assert {(match.ending, match.state, match.rated) for match in quits} == {
        ("FORFEIT", match_pb2.MATCH_STATE_FINISHED, False)
    }
    assert quits[0].seats[0].ending.termination == ending_pb2.TERMINATION_RESIGNATION
    assert solo.verdicts() == {VerificationExit.OK}

    # A twin of ant's comes late: on the same boards it makes the same of them.
    solo.enter("dog", "first")
    solo.run(8)
    shared = [board for board in solo.boards().values() if "dog" in board]
    assert [board["dog"].seats[0].score for board in shared] == [
        board["ant"].seats[0].score for board in shared
    ]
    lines = solo.standings()
    assert (lines["dog"].solo.boards, lines["ant"].solo.boards) == (2, 5)
    for bot in ("ant", "bee", "cat"):
        assert lines[bot].solo.adjusted_score_milli == lines[bot].solo.mean_score_milli

    # What the organiser takes back is as if it had never been played; the rest of its board stays.
    oldest = next(match for match in reversed(solo.matches()) if match.seats[0].bot == "bots/bee")
    solo.arena.matches.VoidMatch(name=oldest.name, reason="the board was wrong")
    lines = solo.standings()
    assert (lines["bee"].solo.boards, lines["bee"].matches) == (4, 4)
    assert (lines["ant"].solo.boards, lines["cat"].solo.boards) == (5, 5)
    expected = solo.means()
    assert lines["bee"].solo.mean_score_milli == pytest.approx(1_000 * expected["bee"], abs=0.51)
    assert lines["ant"].solo.adjusted_score_milli == pytest.approx(1_000 * expected["ant"], abs=0.51)
