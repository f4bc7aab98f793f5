"""`arena log replay`: with real bots over gRPC, and with logs and options that make no sense."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.codecs.codec import codec_for
from arena.core.clock.time_control import TimeControl
from arena.core.match import SeatHolder
from arena.match_log.reader import read_log
from arena.v1 import play_pb2
from tests.checkout import ROOT
from tests.unit.cli.conftest import Run
from tests.unit.cli.programs import check_ctrl_c, finish, start
from tests.unit.cli.screens import words
from tests.unit.match_log.matches import KEY, a_match, a_match_cut_off, a_setup, caravan_setup
from tests.unit.match_log.tamper import records_of, resigned

LOGS = ROOT / "tests" / "data" / "logs"
GOLDEN = LOGS / "caravan-2-seats.arenalog"
FORFEITS = LOGS / "caravan-4-seats-with-forfeits.arenalog"
BOTS = ROOT / "tests" / "unit" / "replay" / "bots.py"
SHORT = {"caravan": "turn_limit=12", "caravanserai": "expert=true"}


def a_bot(name: str, *args: object) -> str:
    return " ".join(map(str, (sys.executable, BOTS, name, *args)))


def replayed(log: Path, bot: str, *args: str) -> tuple[int, str, str]:
    return finish(start("log", "replay", str(log), "--bot", bot, *args))


def document_of(log: Path, bot: str, *args: str) -> tuple[int, dict[str, Any]]:
    code, out, _ = replayed(log, bot, "--format", "json", *args)
    return code, json.loads(out)


def played(folder: Path, game: str, *bots: str) -> Path:
    """Return the log of a match that was really played."""
    log = folder / f"{game}.arenalog"
    options = ["--option", SHORT[game]]
    code, out, err = finish(start("play", game, *bots, "--log", str(log), *options))
    assert code == 0, out + err
    return log


def told(diary: Path) -> list[play_pb2.ServerMessage]:
    return list(play_pb2.PlayResponse.FromString(diary.read_bytes()).messages)


def without_its_times(message: play_pb2.ServerMessage) -> play_pb2.ServerMessage:
    for field in ("create_time", "start_time", "end_time", "log", "group"):
        message.match_ended.match.ClearField(field)
    return message


def kinds(messages: list[play_pb2.ServerMessage]) -> list[str]:
    return [str(message.WhichOneof("kind")) for message in messages]


@pytest.mark.parametrize(
    ("game", "wishes"),
    [
        ("caravan", ("LEGAL_ACTIONS_FORM_PACKED", "text")),
        ("caravanserai", ("LEGAL_ACTIONS_FORM_TYPED", "VIEW_FORM_EVENTS")),
    ],
)
def test_a_bot_receives_the_bytes_that_it_received_then(game: str, wishes: tuple[str, ...], tmp_path: Path):
    then, now, otherwise = tmp_path / "then", tmp_path / "now", tmp_path / "otherwise"
    log = played(tmp_path, game, "random", a_bot("Diarist", then, *wishes))

    same, _, err = replayed(log, a_bot("Diarist", now, *wishes), "--seat", "1")
    other, _, _ = replayed(log, a_bot("OtherDiarist", otherwise, *wishes), "--seat", "1")

    assert same == 0, err
    first = told(then)
    assert kinds(first)[:3] == ["assigned", "match_started", "decision"]
    assert kinds(first)[-1] == "match_ended"
    again = told(now)
    assert again[:-1] == first[:-1]
    assert without_its_times(again[-1]) == without_its_times(first[-1])
    assert other == 1
    assert "decision_closed" in kinds(told(otherwise))
    of_the_match = [each for each in told(otherwise) if each.WhichOneof("kind") != "decision_closed"]
    assert of_the_match[:-1] == first[:-1]


def test_a_live_bot_gets_the_same_news_and_decisions(tmp_path: Path):
    then, now = tmp_path / "then", tmp_path / "now"
    log = played(tmp_path, "caravan", a_bot("Diarist", then, "live"), "random", "random")

    code, _, err = replayed(log, a_bot("Diarist", now, "live"))

    assert code == 0, err
    for kind in ("decision", "match_ended"):
        first, again = (
            [getattr(each, kind).happened for each in told(diary) if each.WhichOneof("kind") == kind]
            for diary in (then, now)
        )
        assert first == again
    # Several messages of news may be one: only what they report counts.
    first, again = (
        [happening for each in told(diary) for happening in each.match_news.happened] for diary in (then, now)
    )
    assert first == again != []


@pytest.mark.parametrize("game", ["caravan", "caravanserai"])
def test_a_deterministic_bot_decides_as_recorded_and_another_one_differently(game: str, tmp_path: Path):
    log = played(tmp_path, game, "greedy", "random")

    code, out, err = replayed(log, "greedy", "--as", "greedy", "--all")
    other, document = document_of(log, a_bot("Stepper"), "--as", "bots/greedy")

    assert code == 0, err
    *_, summary, next_steps = out.splitlines()
    assert summary == f"All {document['asked']} decisions as recorded."
    assert f"`arena log analyse {log} --seat 0`" in next_steps
    assert all(entry["replay"] == f"#ply={entry['ply'] + 1}" for entry in document["decisions"])
    assert ("), " in out) == (game == "caravanserai")  # its greedy answers with plans
    assert [line for line in err.splitlines() if not line.startswith("seat 0 greedy")] == []
    assert other == 1
    differing = [entry for entry in document["decisions"] if not entry["same"]]
    assert document["first_difference"] == differing[0]["ply"]
    assert document["as_recorded"] == document["asked"] - len(differing)
    assert (document["bot"], document["seat"], document["game"]) == ("bots/greedy", 0, game)
    assert all(entry["now"] != entry["recorded"] for entry in differing)


def test_differences_alone_are_listed_or_all_decisions_with_the_recorded_clock():
    code, out, err = replayed(GOLDEN, a_bot("Bot"), "--from-ply", "180")
    _, every, _ = replayed(GOLDEN, a_bot("Bot"), "--from-ply", "180", "--all")
    _, document = document_of(GOLDEN, a_bot("Bot"), "--from-ply", "180")

    rows = [line.split() for line in every.splitlines() if line.strip()[:1].isdigit() and " as " not in line]
    assert code == 1
    assert "--seat or --as" in err
    assert [int(row[0]) for row in rows] == [entry["ply"] for entry in document["decisions"]]
    assert min(int(row[0]) for row in rows) >= 180
    listed = [line for line in out.splitlines() if " other " in line]
    assert len(listed) == sum(not entry["same"] for entry in document["decisions"])
    first = document["decisions"][0]
    ply = read_log(GOLDEN.read_bytes()).plies[first["ply"]]
    assert first["took_then_ms"] == pytest.approx(ply.used_ns / 1e6, abs=0.001)
    assert first["decision"] == ply.decision


def test_from_a_later_ply_the_bot_begins_as_after_a_reconnection(tmp_path: Path):
    whole, part = tmp_path / "whole", tmp_path / "part"
    log = played(tmp_path, "caravan", a_bot("Diarist", tmp_path / "then"), "random")
    replayed(log, a_bot("Diarist", whole))
    decisions = [each.decision for each in told(whole) if each.WhichOneof("kind") == "decision"]
    plies = [number for number, ply in enumerate(read_log(log.read_bytes()).plies) if ply.seat == 0]

    code, _, err = replayed(log, a_bot("Diarist", part), "--from-ply", str(plies[4]))

    assert code == 0, err
    messages = told(part)
    started = messages[1].match_started
    assert kinds(messages)[:3] == ["assigned", "match_started", "decision"]
    assert started.comeback
    assert started.view == decisions[3].view
    assert [given.decision for given in started.answers] == [4]
    assert len(started.answers[0].actions) == 1
    asked = [each.decision for each in messages if each.WhichOneof("kind") == "decision"]
    assert asked == decisions[4:]


def test_a_seat_that_forfeited_ends_where_it_forfeited(tmp_path: Path):
    diary = tmp_path / "diary"

    _, out, _ = replayed(FORFEITS, a_bot("Diarist", diary), "--seat", "2")

    assert "DISCONNECT" in out
    assert kinds(told(diary))[-2:] == ["seat_ended", "match_ended"]


def tight(folder: Path) -> Path:
    """Return the log of a match whose clock leaves 1 ms for a decision, with many missed."""
    control = TimeControl(per_decision_ms=1, bank_ms=0, increment_ms=0, strikes=1000)
    match = a_match(setup=replace(caravan_setup(2), time_control=control), codec=codec_for("caravan"))
    path = folder / "tight.arenalog"
    path.write_bytes(match.log.data)
    return path


def test_late_answers_are_reported_and_have_no_effect(tmp_path: Path):
    code, out, _ = replayed(tight(tmp_path), a_bot("ThinksTooLong"))
    _, document = document_of(tight(tmp_path), a_bot("ThinksTooLong"))

    asked = document["asked"]
    assert code == 1
    assert document["late"] == asked == document["answered"]
    assert all(entry["late_ms"] > 0 for entry in document["decisions"])
    assert f"{asked} answers" in out
    assert "seat 0" in out
    assert "(default, no answer" in out


def test_an_invalid_answer_is_reported_and_the_replay_continues():
    code, document = document_of(GOLDEN, a_bot("CountsFromOne"))

    third = document["decisions"][2]
    assert (code, document["answered"], third["now"]) == (1, document["asked"], None)
    assert "actions were listed" in third["objection"]


@pytest.mark.parametrize(
    ("bot", "named"),
    [
        ("ResignsAtTheSecond", "decision 2, ply 3"),
        ("Crashes", "exit code 41"),
        ("FallsSilent", "decision 4"),
        ("PlaysChess", "chess"),
        ("SpeaksAnotherProtocol", "protocol 2"),
        ("TakesNoMatches", "hello"),
        ("HidesItsToken", "token"),
    ],
)
def test_a_bot_that_stops_playing_is_reported_in_one_sentence(bot: str, named: str, tmp_path: Path):
    log = tight(tmp_path) if bot == "FallsSilent" else GOLDEN
    name = a_bot(bot) if bot[:2] in {"Re", "Fa"} else f"{sys.executable} {ONE_FLAW} {bot}"

    code, out, err = replayed(log, name, "--patience", "2")

    [told_once] = [line for line in err.splitlines() if line.startswith("arena: ")]
    assert code == 1
    assert named in told_once
    assert ("read its output" in err) == ("at line 7" in err) == (bot == "Crashes")
    assert "Traceback" not in out + err


ONE_FLAW = ROOT / "tests" / "unit" / "conformance" / "one_flaw.py"


def test_a_bot_that_thinks_for_long_gets_pings():
    pinging_often = (
        "import arena.replay.replay_session as session; session.PING_SECONDS = 0.05;"
        "from arena.cli.app import main; main()"
    )

    code, out, err = finish(
        start("log", "replay", str(GOLDEN), "--bot", a_bot("AnswersOncePinged"), code=pinging_often)
    )

    assert code == 1, err
    assert " of 94 decisions as recorded" in out
    assert "arena: " not in err


def test_the_output_of_a_program_that_ended_is_shown():
    _, document = document_of(GOLDEN, f"{sys.executable} {ONE_FLAW} Crashes")

    assert document["answered"] == 0
    assert "at line 7" in " ".join(document["broken_off"]["output"])


def test_a_bot_that_sat_twice_at_the_table_is_asked_for_by_seat(run: Run, tmp_path: Path):
    holders = (SeatHolder("greedy", "v1"), SeatHolder("greedy", "v1"))
    match = a_match(setup=replace(caravan_setup(2), seats=holders), codec=codec_for("caravan"))
    log = tmp_path / "twins.arenalog"
    log.write_bytes(match.log.data)

    result = run("log", "replay", str(log), "--bot", "greedy", "--as", "greedy")

    assert result.exit_code == 2
    assert "seats 0 and 1" in words(result.output)


def test_ctrl_c_leaves_no_process_behind(tmp_path: Path):
    pipe = tmp_path / "pipe"
    check_ctrl_c(pipe, "log", "replay", str(GOLDEN), "--bot", a_bot("Waits", pipe))


def of_other_rules() -> bytes:
    setup = replace(caravan_setup(2), rules_version=77)
    return a_match(setup=setup, codec=codec_for("caravan")).log.data


def of_other_actions() -> bytes:
    """Leave out a ply in the middle, and sign the log anew."""
    records = records_of(GOLDEN.read_bytes())
    return resigned([*records[:40], *records[41:-1]], KEY)


def of_twins() -> bytes:
    """Let one bot play on both seats."""
    holders = (SeatHolder("greedy", "v1"), SeatHolder("greedy", "v1"))
    return a_match(setup=replace(caravan_setup(2), seats=holders), codec=codec_for("caravan")).log.data


@pytest.mark.parametrize(
    ("data", "options", "code", "named"),
    [
        (GOLDEN.read_bytes()[:-100], "", 1, "match log"),
        (b"", "", 1, "match log"),
        (of_other_rules(), "", 3, "version 77"),
        (of_other_actions(), "", 1, "rules"),
        (a_match(setup=a_setup()).log.data, "", 1, '"pile"'),
        (of_twins(), "--as greedy", 2, "seats 0 and 1"),
        (a_match_cut_off(1).data, "--seat 1", 1, "Seat 1"),
    ],
    ids=["cut off", "empty", "other rules", "other actions", "unknown game", "two seats", "never asked"],
)
def test_a_log_or_seat_that_cannot_be_replayed_is_refused(
    run: Run, data: bytes, options: str, code: int, named: str
):
    Path("odd.arenalog").write_bytes(data)

    result = run("log", "replay", "odd.arenalog", "--bot", "greedy", *options.split())

    assert result.exit_code == code, result.output
    assert named in words(result.output)
