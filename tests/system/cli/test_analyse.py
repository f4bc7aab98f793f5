"""`arena match analyse` and `arena log analyse`, with real judges."""

import json
import os
import signal
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import grpc
import pytest

from arena.analysis.judging import Reply, Request
from arena.cli import sample_bots
from arena.cli.analyse import judge_processes
from arena.cli.analyse.judge_processes import JudgeProcesses
from arena.cli.framework.processes import Child
from arena.codecs.codec import codec_for
from arena.core.match import MatchSetup, SeatHolder
from arena.match_log.reader import read_log, read_stored
from arena.v1 import match_pb2
from engine.game import Chance
from engine.registry import GAMES
from tests.checkout import ROOT
from tests.unit.cli.fake_arena import Refusal
from tests.unit.cli.screens import check_screen
from tests.unit.match_log.matches import RandomMatch, a_match, a_setup, logged

LOGS = ROOT / "tests" / "data" / "logs"
QUICK = [game for game in GAMES if GAMES[game].spec.chance is Chance.HIDDEN]
"""Games whose positions are not played on to the end of the match."""
SHORT: dict[str, dict[str, str]] = {"caravan": {"turn_limit": "16"}, "wasteland": {"max_rounds": "4"}}
"""Options that keep matches short, and what is played on from their positions."""


def a_log_file(
    folder: Path, game: str, seats: int = 2, *, trouble: float = 0.0, rules: int | None = None
) -> Path:
    """Write the log of a match of sensible actions. `trouble`: how often a seat does something else."""
    codec = codec_for(game)
    setup = a_setup_of(game, seats)
    if rules is not None:
        setup = replace(setup, rules_version=rules)
    path = folder / f"{game}-{seats}.arenalog"
    path.write_bytes(a_match(1, setup=setup, codec=codec, trouble=trouble).log.data)
    return path


def a_setup_of(game: str, seats: int) -> MatchSetup:
    """Return the set-up of a short match of bots that are called by their seats."""
    rules = codec_for(game).game
    return a_setup(
        game=game,
        rules_version=rules.spec.rules_version,
        options=rules.options(seats, SHORT.get(game, {})),
        seats=tuple(SeatHolder(f"bot-{seat}", "v1") for seat in range(seats)),
    )


def analysed(run, *args: str) -> dict[str, Any]:
    result = run("log", "analyse", *args, "--format", "json")
    assert result.exit_code == 0, result.output
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def without(document: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in names}


@pytest.mark.parametrize("game", QUICK)
def test_a_seat_is_analysed(game: str, run, tmp_path: Path) -> None:
    file = a_log_file(tmp_path, game)
    document = analysed(run, str(file), "--seat", "1", "--playouts", "1", "--jobs", "2")
    log = read_log(file.read_bytes())
    own = {ply: each for ply, each in enumerate(log.plies) if each.seat == 1}

    assert (document["seat"], document["bot"], document["game"]) == (1, "bots/bot-1", game)
    assert (document["complete"], document["unit"]) == (True, "expected_score_per_mille")
    assert document["log"] == log.name
    assert document["with_choice"] <= document["decisions"] <= len(own)
    assert len(document["judged"]) <= document["with_choice"]
    assert {each["ply"] for each in document["judged"]} <= own.keys()
    assert 1 <= len(document["costliest"]) <= 3
    assert [each["rank"] for each in document["costliest"]] == [1, 2, 3][: len(document["costliest"])]
    for each in document["costliest"]:
        assert 0 < each["loss"] <= 1000
        assert each["low"] <= each["loss"] <= each["high"]
        assert each["decision"] == own[each["ply"]].decision
        assert each["replay"] == f"#ply={each['ply'] + 1}"
        assert each["better"] != each["played"]
        assert each["better_words"] != each["played_words"]


def test_a_number_of_playouts_gives_the_same_result_with_any_number_of_processes(run, tmp_path: Path) -> None:
    file = str(a_log_file(tmp_path, "ahldarahd", 3))
    one, three = (analysed(run, file, "--playouts", "3000", "--jobs", jobs) for jobs in ("1", "3"))
    other = analysed(run, file, "--playouts", "3000", "--jobs", "3", "--seed", "1")
    assert one == three
    assert other["costliest"] != one["costliest"]


def test_a_solo_match_is_judged_in_points(run, tmp_path: Path) -> None:
    file = a_void_log(tmp_path, 8, "caravanserai", seats=1)
    document = analysed(run, str(file), "--playouts", "1", "--top", "1")
    assert document["unit"] == "points"
    assert len(document["costliest"]) == 1


def test_defaults_are_judged_and_marked_and_a_forfeited_seat_as_far_as_it_was_asked(
    run, tmp_path: Path
) -> None:
    file = a_log_file(tmp_path, "caravan", 4, trouble=0.1)
    log = read_log(file.read_bytes())
    seat = next(ply.seat for ply in log.plies if ply.cause.name == "ILLEGAL_ACTION")
    assert "FORFEITED" in {ply.cause.name for ply in log.plies if ply.seat == seat}
    document = analysed(run, str(file), "--seat", str(seat), "--playouts", "1", "--top", "100")
    asked = {ply.decision for ply in log.plies if ply.seat == seat and ply.cause.name != "FORFEITED"}
    assert document["decisions"] == len(asked)
    marked = [each for each in document["costliest"] if each["cause"] == "ILLEGAL_ACTION"]
    assert marked
    assert all("Default, the answer was not legal" in each["sentence"] for each in marked)
    assert "FORFEITED" not in {each["cause"] for each in document["costliest"]}


def test_the_table_names_decisions_in_words_and_the_commands_to_see_them(run, monkeypatch) -> None:
    monkeypatch.chdir(LOGS)
    shown = run("log", "analyse", "caravan-2-seats.arenalog", "--playouts", "1500", "--top", "2")
    assert shown.exit_code == 0
    check_screen("analyse", shown)


def test_the_page_and_the_page_from_the_json_are_the_same_with_marks(run, tmp_path: Path) -> None:
    file = str(a_log_file(tmp_path, "ahldarahd"))
    request = ("--playouts", "2000", "--seat", "0")
    rendered = run("log", "analyse", file, *request, "--render", "one.html", "--format", "json")
    Path("analysis.json").write_text(rendered.stdout)
    again = run("log", "render", file, "--analysis", "analysis.json", "-o", "two.html")

    assert (rendered.exit_code, again.exit_code) == (0, 0)
    page = Path("one.html").read_text()
    assert Path("two.html").read_text() == page
    costliest = json.loads(rendered.stdout)["costliest"]
    assert costliest
    for each in costliest:
        assert f'<a href="{each["replay"]}" data-ply="{each["ply"] + 1}">' in page


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--budget", "1s", "--playouts", "5"), 2),
        (("--budget", "soon"), 2),
        (("--budget", "0s"), 2),
        (("--budget", "25h"), 2),
        (("--seat", "2"), 2),
        (("--seat", "0", "--as", "bot-1"), 2),
        (("--as", "nobody"), 2),
        (("--playouts", "0"), 2),
        (("--render", "there.html"), 1),
    ],
)
def test_options_that_do_not_fit_are_refused_before_anything_is_judged(
    options: tuple[str, ...], code: int, run, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr("arena.cli.analyse.analyse.JudgeProcesses", None)
    Path("there.html").write_text("kept")
    result = run("log", "analyse", str(a_log_file(tmp_path, "ahldarahd")), *options)
    assert result.exit_code == code
    assert "Traceback" not in result.output
    assert Path("there.html").read_text() == "kept"


def test_a_match_whose_log_is_sealed_is_refused_with_its_reason(fake, ask) -> None:
    sealed = Refusal(grpc.StatusCode.FAILED_PRECONDITION, "The match has not ended.", "LOG_SEALED")
    fake.answers |= {
        "GetMatch": match_pb2.GetMatchResponse(
            match=match_pb2.Match(name="matches/3", state=match_pb2.MATCH_STATE_RUNNING)
        ),
        "DownloadMatchLog": lambda request: sealed,
    }
    result = ask("match", "analyse", "3")
    assert result.exit_code == 1
    assert "LOG_SEALED" in result.stderr


def a_void_log(folder: Path, decisions: int, game: str = "ahldarahd", seats: int = 2) -> Path:
    """Write the log of a match in which the arena failed after so many decisions."""
    codec = codec_for(game)
    setup = a_setup_of(game, seats)
    match = RandomMatch(setup, Random(1), codec=codec, trouble=0.0)
    records, result = match.play(decisions)
    path = folder / "void.arenalog"
    path.write_bytes(logged(setup, records, result, set_up=match.set_up, codec=codec).data)
    return path


def test_a_void_match_is_analysed_as_far_as_it_was_played(run, tmp_path: Path) -> None:
    file = a_void_log(tmp_path, 20)
    log = read_log(file.read_bytes())
    assert log.result.void_reason
    document = analysed(run, str(file), "--seat", "1", "--playouts", "1")
    assert document["decisions"] == len({ply.decision for ply in log.plies if ply.seat == 1}) > 0


def test_a_void_match_in_which_nobody_was_asked_is_not_analysed(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("arena.cli.analyse.analyse.JudgeProcesses", None)
    result = run("log", "analyse", str(a_void_log(tmp_path, 0)))
    assert result.exit_code == 1
    assert "nothing to analyse" in " ".join(result.stderr.split())
    assert not result.stdout


def test_a_void_match_without_a_log_is_not_analysed(fake, ask) -> None:
    missing = Refusal(grpc.StatusCode.DATA_LOSS, "Match 3 has no log.", "LOG_MISSING")
    fake.answers |= {
        "GetMatch": match_pb2.GetMatchResponse(
            match=match_pb2.Match(name="matches/3", state=match_pb2.MATCH_STATE_ABORTED)
        ),
        "DownloadMatchLog": lambda request: missing,
    }
    result = ask("match", "analyse", "3")
    assert result.exit_code == 1
    assert "LOG_MISSING" in result.stderr


def test_a_match_of_the_arena_is_analysed(fake, ask, tmp_path: Path) -> None:
    data = a_log_file(tmp_path, "ahldarahd").read_bytes()
    known = match_pb2.Match(
        name="matches/17", state=match_pb2.MATCH_STATE_FINISHED, log=read_stored(data).end.hex()
    )
    fake.answers |= {
        "GetMatch": match_pb2.GetMatchResponse(match=known),
        "DownloadMatchLog": lambda request: [match_pb2.DownloadMatchLogResponse(chunk=data)],
    }
    result = ask("match", "analyse", "17", "--as", "bots/bot-1", "--playouts", "1", "--format", "json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["seat"] == 1


def test_a_log_of_other_rules_is_not_analysed(run, tmp_path: Path) -> None:
    result = run("log", "analyse", str(a_log_file(tmp_path, "ahldarahd", rules=99)))
    assert result.exit_code == 3
    assert "version 99" in result.stderr


def test_without_the_sample_bots_the_command_says_where_they_are(run, tmp_path: Path, monkeypatch) -> None:
    file = a_log_file(tmp_path, "ahldarahd")
    monkeypatch.setattr(sample_bots, "checkout", lambda: tmp_path)
    result = run("log", "analyse", str(file))
    assert result.exit_code == 1
    assert "checkout" in result.stderr


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "[]",
        "{}",
        '{"costliest": []}',
        '{"log": LOG, "costliest": 5}',
        '{"log": LOG, "costliest": [{"ply": 1}]}',
        '{"log": LOG, "costliest": [{"ply": 99999, "rank": 1, "sentence": "a"}]}',
    ],
)
def test_a_file_that_is_no_analysis_of_the_match_is_refused(text: str, run, tmp_path: Path) -> None:
    file = a_log_file(tmp_path, "ahldarahd")
    Path("analysis.json").write_text(text.replace("LOG", f'"{read_log(file.read_bytes()).name}"'))
    result = run("log", "render", str(file), "--analysis", "analysis.json", "-o", "page.html")
    assert result.exit_code == 1
    assert "analysis.json" in result.stderr
    assert not Path("page.html").exists()


class InterruptedJudges(JudgeProcesses):
    """Judges during whose work Ctrl-C is pressed."""

    children: ClassVar[list[Child]] = []

    def ask(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        self.children.extend(process.child for process in self._processes)
        for number, each in enumerate(super().ask(requests)):
            yield each
            if number == 20:
                os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_prints_what_was_found_so_far_and_leaves_no_process(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("arena.cli.analyse.analyse.JudgeProcesses", InterruptedJudges)
    request = ("--seat", "0", "--playouts", "100000", "--jobs", "2", "--format", "json")
    result = run("log", "analyse", str(a_log_file(tmp_path, "ahldarahd")), *request)
    assert result.exit_code == 128 + signal.SIGINT
    assert "Traceback" not in result.output
    document = json.loads(result.stdout)
    assert document["complete"] is False
    assert 20 <= len(document["judged"]) < document["with_choice"]
    assert document["costliest"]
    assert [each.code() is not None for each in InterruptedJudges.children] == [True, True]


def test_a_judge_that_dies_is_reported_in_one_line(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(judge_processes, "_MODULE", "sample_bots.python.analysis.nowhere")
    result = run("log", "analyse", str(a_log_file(tmp_path, "ahldarahd")), "--seat", "0")
    assert result.exit_code == 1
    assert "exit code 1" in result.stderr
    assert "Traceback" not in result.stderr
