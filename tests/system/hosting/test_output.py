"""What a hosted program prints in a real arena and a real sandbox: it is for its owner alone, and at once."""

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from typer.testing import CliRunner

from arena.cli.app import app
from arena.cli.framework.connection import fetch_all
from arena.match_log.files import LogFiles
from arena.match_log.reader import read_log
from arena.sessions.seat import DEBUG_CUT, DEBUG_MATCH_BYTES
from arena.v1 import ending_pb2, match_pb2, play_pb2, token_pb2
from tests.system.hosting.needs import needs_sandbox
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import RawBot
from tests.unit.hosting.sample_submissions import plant

pytestmark = needs_sandbox

SECRET = "sesame"
TALKER = """
import os, sys
import arena.sdk

SECRET = "ses" + "ame"
print(SECRET, "before any match")

class Talker(arena.sdk.Bot):
    name = "talker"
    games = arena.sdk.GAMES
    matches = 1
    asked = 0

    def choose(self, observation, legal_actions, clock):
        Talker.asked += 1
        self.debug(f"{SECRET} sent {self.asked}")
        print(SECRET, "printed", self.asked)
        if self.asked == 2:
            sys.stderr.buffer.write(b"no text: \\xff\\x1b[2J\\n")
        if self.asked == 3:
            print("x" * 400_000)
            sys.stderr.write(SECRET + " at the end")
            os._exit(3)
        return 0

arena.sdk.run(Talker)
"""
"""Prints at every decision; at the third one far too much, and ends."""

Metadata = tuple[tuple[str, str], ...]


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ArenaProcess]:
    """ada's hosted talker; the organiser's bee dials in."""
    (tmp_path / "data").mkdir(mode=0o700)
    plant(tmp_path / "data", "talker", TALKER, owner="ada")
    with ArenaProcess(tmp_path / "data", "--hosted-programs", "6") as process:
        yield process


def told(arena: ArenaProcess, who: Metadata, bot: str = "") -> list[match_pb2.DebugLine]:
    """All lines of match 1, as this caller reads them."""
    listing = fetch_all(
        arena.matches.ListDebugLines, match_pb2.ListDebugLinesRequest(name="matches/1", bot=bot), metadata=who
    )
    return list(listing.lines)


def refusal(arena: ArenaProcess, who: Metadata, bot: str = "") -> grpc.StatusCode:
    with pytest.raises(grpc.RpcError) as error:
        told(arena, who, bot)
    code: grpc.StatusCode = error.value.code()
    return code


def test_what_a_program_prints_is_its_owners_at_once_and_nobody_elses_ever(arena: ArenaProcess) -> None:
    """Row 38; and of row 3 that organiser, opponent and spectator are no exception."""
    request = token_pb2.CreateTokenRequest(role=token_pb2.ROLE_OWNER, owner="owners/ada")
    ada = (("authorization", f"Bearer {arena.tokens.CreateToken(request).secret}"),)
    secret = arena.bot("bee")
    bee = RawBot(arena.unix, secret)
    bee.hello()
    arena.ladder("main", "talker", "bee", matches=1)
    early: list[match_pb2.DebugLine] = []
    while (message := bee.hear_any()) is not None and not message.HasField("match_ended"):
        if message.HasField("assigned"):
            bee.say(ready=play_pb2.Ready(assignment=message.assigned.assignment))
        elif message.HasField("decision"):
            if not any(line.decision for line in early):
                early = told(arena, ada, "bots/talker")
            bee.answer(message.decision)
    assert message is not None
    seats = message.match_ended.match.seats
    [talker] = [seat for seat in seats if seat.bot == "bots/talker"]
    assert talker.ending.termination == ending_pb2.TERMINATION_EXITED, talker.ending

    said = [(line.decision, line.source, line.text) for line in early]
    line = match_pb2.DebugLine
    assert said[0] == (0, line.SOURCE_STDOUT, f"{SECRET} before any match")
    assert {
        (1, line.SOURCE_MESSAGE, f"{SECRET} sent 1"),
        (1, line.SOURCE_STDOUT, f"{SECRET} printed 1"),
    } <= set(said)

    lines = told(arena, ada)
    assert (2, line.SOURCE_STDERR, r"no text: \xff\x1b[2J") in [
        (each.decision, each.source, each.text) for each in lines
    ]
    assert sum(len(each.text) for each in lines) < DEBUG_MATCH_BYTES + 10_000
    assert DEBUG_CUT in [each.text for each in lines]
    assert (lines[-1].source, lines[-1].text) == (line.SOURCE_STDERR, f"{SECRET} at the end")

    asked = ("--server", arena.unix, "--token", ada[0][1].removeprefix("Bearer "), "match", "explain", "1")
    explained = CliRunner().invoke(app, asked, prog_name="arena").stdout
    assert "  evidence: decision 3, code 3\n" in explained
    assert f"    stderr, decision 3: {SECRET} at the end\n" in explained

    opponent = (("authorization", f"Bearer {secret}"),)
    for who in (arena.organiser, opponent):
        assert refusal(arena, who, "bots/talker") is grpc.StatusCode.PERMISSION_DENIED
    assert told(arena, arena.organiser) == [], "bee is the organiser's, and has said nothing"
    watched = arena.matches.WatchMatch(name="matches/1", from_start=True)
    assert SECRET not in "".join(map(str, watched))
    assert SECRET not in "".join(map(str, bee.heard))

    assert arena.terminate() == 0
    assert SECRET not in "".join(arena.log)
    assert SECRET not in str(read_log(LogFiles(arena.data / "logs").read(1)))
    holding = [
        path for path in arena.data.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()
    ]
    assert {path.parent.parent for path in holding} == {arena.data / "debug"}
