"""The afternoon of docs/class.md, from a roster to grades: 12 students, or as many as STUDENTS says."""

import csv
import io
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.cli.framework.connection import fetch_all
from arena.v1 import invite_pb2, match_pb2, play_pb2, token_pb2, user_pb2
from tests.system.e2e.playing import play_on
from tests.system.play.arena_process import ArenaProcess, Metadata
from tests.system.play.raw_bot import RawBot
from tests.unit.cli.programs import finish, start

STUDENTS = int(os.environ.get("STUDENTS", "12"))
ABSENT, IDLE = "s001", "s002"
"""One never joins; the bot of another one is never started."""
REFERENCE = "ref"
MATCHES = 4 * STUDENTS
PASS_PERCENT = 50

Problem = user_pb2.UserProgress.Problem


@dataclass(frozen=True)
class ClassDay:
    """What is left of the afternoon."""

    arena: ArenaProcess
    report: list[dict[str, str]]
    matches: list[match_pb2.Match]


def command(arena: ArenaProcess, *args: str) -> str:
    """Run a command of the organiser; return its output."""
    code, out, err = finish(start(*args, "--data", str(arena.data)))
    assert code == 0, err
    return out


def codes(arena: ArenaProcess, folder: Path) -> dict[str, str]:
    """Import the roster; return the code of each student."""
    lines = ["user,name,bots", *(f"s{number:03},Student {number},2" for number in range(1, STUDENTS + 1))]
    (folder / "class.csv").write_text("\n".join(lines))
    written = folder / "codes.csv"
    command(arena, "user", "import", str(folder / "class.csv"), "--codes", str(written))
    with written.open(encoding="utf-8", newline="") as file:
        return {row["user"]: row["code"] for row in csv.DictReader(file)}


def join(arena: ArenaProcess, code: str) -> Metadata:
    """Join as a student does; return what their calls carry."""
    joined = arena.service(invite_pb2).AcceptInvite(code=code, metadata=())
    return (("authorization", f"Bearer {joined.secret}"),)


def enter(arena: ArenaProcess, student: str, own: Metadata) -> str:
    """Register a bot, and enter it; return its token."""
    bot = f"bots/{student}-bot"
    arena.bots.CreateBot(bot_id=f"{student}-bot", metadata=own)
    arena.ladders.JoinLadder(name="ladders/main", bot=bot, metadata=own)
    return str(arena.tokens.CreateToken(role=token_pb2.ROLE_BOT, bot=bot, metadata=own).secret)


def play(arena: ArenaProcess, tokens: Mapping[str, str]) -> None:
    """Let all bots play until the ladder has its matches."""
    bots = {}
    for name, token in tokens.items():
        bots[name] = RawBot(arena.unix, token, own_connection=True)
        bots[name].hello(bot_version="1", capacity=play_pb2.Capacity(matches=1, open_decisions=1))
    with ThreadPoolExecutor(len(bots)) as threads:
        for bot in bots.values():
            threads.submit(play_on, bot)
        command(arena, "ladder", "run", "main", "--matches", str(MATCHES))
        arena.wait_for("match over", MATCHES)
        for bot in bots.values():
            bot.say(capacity=play_pb2.Capacity(matches=0)).half_close()


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClassDay]:
    folder = tmp_path_factory.mktemp("class")
    with ArenaProcess(folder / "data") as arena:
        command(
            arena,
            "ladder",
            "create",
            "main",
            "--game",
            "caravan",
            "--seats",
            "2",
            "--option",
            "turn_limit=20",
        )
        by_student = codes(arena, folder)
        assert len(by_student) == STUDENTS
        tokens = {REFERENCE: arena.bot(REFERENCE)}
        arena.ladders.JoinLadder(name="ladders/main", bot=f"bots/{REFERENCE}")
        for student, code in by_student.items():
            if student != ABSENT:
                tokens[student] = enter(arena, student, join(arena, code))
        del tokens[IDLE]
        play(arena, tokens)
        report = command(arena, "class", "report", "main", "--reference", f"{REFERENCE}:{PASS_PERCENT}")
        request = match_pb2.ListMatchesRequest(ladder="ladders/main", state=match_pb2.MATCH_STATE_FINISHED)
        listing = fetch_all(arena.matches.ListMatches, request, metadata=arena.organiser)
        yield ClassDay(arena, list(csv.DictReader(io.StringIO(report))), list(listing.matches))


def test_the_overview_says_how_far_everybody_is(day: ClassDay) -> None:
    listing = fetch_all(
        day.arena.users.ListUserProgress, user_pb2.ListUserProgressRequest(), metadata=day.arena.organiser
    )
    students = {
        each.user.name.removeprefix("users/"): each for each in listing.progress if each.user.full_name
    }
    assert len(students) == STUDENTS
    absent, idle = students.pop(ABSENT), students.pop(IDLE)
    assert (absent.joined, list(absent.bots)) == (False, [])
    assert (idle.joined, idle.connected) == (True, False)
    assert [each.kind for each in idle.problems] == [Problem.KIND_NOT_CONNECTED]
    assert all(each.joined and each.connected and each.matches for each in students.values())
    table = command(day.arena, "class", "overview", "--problems")
    assert (ABSENT in table, IDLE in table) == (True, True)


def test_the_report_has_every_student_once_with_the_points_of_the_matches(day: ClassDay) -> None:
    """The points are counted here once more, from the matches themselves."""
    points: defaultdict[str, list[float]] = defaultdict(list)
    for match in day.matches:
        placings = {seat.bot.removeprefix("bots/"): seat.placing for seat in match.seats}
        if reference := placings.pop(REFERENCE, 0):
            [(bot, own)] = placings.items()
            points[bot].append(1.0 if own < reference else 0.5 if own == reference else 0.0)
    lines = {line["user"]: line for line in day.report}
    assert len(lines) == len(day.report) == STUDENTS
    assert any(points.values())
    for student, line in lines.items():
        won = points[f"{student}-bot"]
        assert int(line[f"matches_{REFERENCE}"]) == len(won)
        share = f"{100 * sum(won) / len(won):.1f}" if won else ""
        assert line[f"points_{REFERENCE}"] == share
        assert line[f"passed_{REFERENCE}"] == ("yes" if won and float(share) >= PASS_PERCENT else "no")
        assert line["name"] == f"Student {int(student[1:])}"
    assert (lines[ABSENT]["joined"], lines[ABSENT]["rank"], lines[IDLE]["rank"]) == ("", "", "")
    ranked = [line for student, line in lines.items() if student not in (ABSENT, IDLE)]
    assert all(int(line["rank"]) and int(line["matches"]) for line in ranked)


def test_a_report_is_not_written_over_another_file(day: ClassDay, tmp_path: Path) -> None:
    report = tmp_path / "grades.csv"
    command(day.arena, "class", "report", "main", "--output", str(report))
    assert len(report.read_text().splitlines()) == STUDENTS + 1
    data = ("--data", str(day.arena.data))
    assert finish(start("class", "report", "main", "--output", str(report), *data))[0] == 1
    assert finish(start("class", "report", "main", "--reference", "nobody", *data))[0] == 1
    assert finish(start("class", "report", "main", "--reference", "ref:101", *data))[0] == 2
