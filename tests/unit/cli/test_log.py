"""Logs on the command line: downloaded, read, verified, exported; from an arena or from a file."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import grpc
import pytest

from arena.match_log.keys import read_public_key
from arena.match_log.reader import read_stored
from arena.v1 import ladder_pb2, match_pb2
from engine.caravan.game import CARAVAN
from tests.checkout import ROOT
from tests.unit.cli.fake_arena import Answer, Refusal
from tests.unit.cli.screens import Screens, check_screens

LOGS = ROOT / "tests" / "data" / "logs"
GOLDEN = LOGS / "caravan-2-seats.arenalog"
FORFEITS = LOGS / "caravan-4-seats-with-forfeits.arenalog"
KEY = LOGS / "arena.pub"
CHUNK = 1000


FILES = {"matches/1": GOLDEN.read_bytes(), "matches/2": FORFEITS.read_bytes()}
MATCHES = {
    name: match_pb2.Match(
        name=name,
        ladder="ladders/main",
        log=read_stored(FILES[name]).end.hex() if name in FILES else "",
    )
    for name in ("matches/3", "matches/2", "matches/1")
}


def chunks(request: match_pb2.DownloadMatchLogRequest) -> Any:
    if request.name not in FILES:
        return Refusal(grpc.StatusCode.FAILED_PRECONDITION, "The match has not ended.", "LOG_SEALED")
    data = FILES[request.name]
    pieces = (data[at : at + CHUNK] for at in range(0, len(data), CHUNK))
    return [match_pb2.DownloadMatchLogResponse(chunk=piece) for piece in pieces]


PUBLISHED = read_public_key(KEY)
ANSWERS: dict[str, Answer] = {
    "DownloadMatchLog": chunks,
    "GetMatch": lambda request: match_pb2.GetMatchResponse(match=MATCHES[request.name]),
    "ListMatches": match_pb2.ListMatchesResponse(matches=MATCHES.values()),
    "ListLogKeys": match_pb2.ListLogKeysResponse(
        keys=[match_pb2.LogKey(key_id=PUBLISHED.key_id, public_key=PUBLISHED.raw)]
    ),
    "GetLadder": "",
}
"""Of an arena with the golden logs as matches 1 and 2 of the ladder main, and match 3 without a log."""


@pytest.fixture
def arena(fake):
    fake.answers |= ANSWERS
    return fake


def tampered(folder: Path) -> Path:
    """Write the golden log with one wrong bit in its signature."""
    data = bytearray(GOLDEN.read_bytes())
    data[-1] ^= 1
    path = folder / "tampered.arenalog"
    path.write_bytes(data)
    return path


def verified(command, *args: str) -> tuple[int, list[dict[str, Any]]]:
    """Return the exit code of `arena log verify` and its verdicts."""
    result = command("log", "verify", *args, "--format", "json")
    return result.exit_code, json.loads(result.stdout)["logs"]


def statuses(verdict: dict[str, Any]) -> dict[str, str]:
    """Return the statuses of its checks by name."""
    return {check["name"]: check["status"] for check in verdict["checks"]}


def test_a_downloaded_log_equals_that_of_the_arena_wherever_it_goes(arena, ask, tmp_path):
    assert ask("log", "download", "1").exit_code == 0
    ask("log", "download", "matches/2", "-o", "lost.arenalog")
    piped = ask("log", "download", "1", "-o", "-")

    assert (tmp_path / "1.arenalog").read_bytes() == piped.stdout_bytes == GOLDEN.read_bytes()
    assert (tmp_path / "lost.arenalog").read_bytes() == FORFEITS.read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("words_of_it", "named"),
    [("3", "(LOG_SEALED)"), ("1 -o mine", "--force"), ("1 -o no/such/1.arenalog", "no/such/1.arenalog")],
)
def test_a_download_that_fails_leaves_files_as_they_were(arena, ask, tmp_path, words_of_it, named):
    (tmp_path / "mine").write_text("mine")

    refused = ask("log", "download", *words_of_it.split())

    assert refused.exit_code == 1
    assert named in refused.stderr
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


def test_a_download_with_force_overwrites_a_file(arena, ask, tmp_path):
    (tmp_path / "1.arenalog").write_text("mine")

    assert ask("log", "download", "1", "--force").exit_code == 0
    assert (tmp_path / "1.arenalog").read_bytes() == GOLDEN.read_bytes()


def test_logs_of_an_arena_verify_with_its_published_keys_those_of_a_ladder_oldest_first(arena, ask):
    code, verdicts = verified(ask, "1", "2")

    assert verified(ask, "--ladder", "main") == (code, verdicts) == (0, verdicts)
    assert [(one["log"], one["verdict"]) for one in verdicts] == [("matches/1", "ok"), ("matches/2", "ok")]
    checks = statuses(verdicts[0])
    assert (checks["signature"], checks["replay"], checks["derivation"]) == ("ok", "ok", "not_checked")


def test_a_revealed_secret_is_used_to_check_where_the_seed_comes_from(arena, ask):
    secret = bytes.fromhex((LOGS / "secret.hex").read_text().strip())
    commitment = read_stored(GOLDEN.read_bytes()).header.secret_commitment
    arena.answers["GetLadder"] = ladder_pb2.GetLadderResponse(
        ladder=ladder_pb2.Ladder(
            secrets=[
                ladder_pb2.SecretCommitment(commitment=bytes(32)),
                ladder_pb2.SecretCommitment(commitment=commitment, secret=secret),
            ]
        )
    )

    _, [verdict] = verified(ask, "1")

    assert statuses(verdict)["derivation"] == "ok"


def test_a_log_that_was_changed_fails_and_its_first_bad_record_is_named(run, tmp_path):
    code, [bad, good] = verified(run, str(tampered(tmp_path)), str(GOLDEN), "--key", str(KEY))

    assert (code, bad["verdict"], good["verdict"]) == (1, "failed", "ok")
    assert isinstance(bad["first_bad_record"], int)
    assert good["first_bad_record"] is None


def test_a_log_of_other_rules_is_exit_code_3_but_a_failed_one_weighs_more(run, tmp_path, monkeypatch):
    monkeypatch.setattr("arena.match_log.verify._other_rules", lambda version, codec: "Other rules.")

    alone = run("log", "verify", str(GOLDEN), "--key", str(KEY))
    code, verdicts = verified(run, str(GOLDEN), str(tampered(tmp_path)), "--key", str(KEY))

    assert alone.exit_code == 3
    assert "not re-simulated" in alone.stdout
    assert (code, [one["verdict"] for one in verdicts]) == (1, ["not_replayed", "failed"])


def test_logs_are_exported_one_record_a_line(run):
    result = run("log", "export", str(GOLDEN), str(FORFEITS), "--format", "jsonl")

    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [record["record"] for record in records].count("header") == 2
    shown = json.loads(run("log", "show", str(GOLDEN), "--format", "json").stdout)["records"]
    assert records[: len(shown)] == shown


def debug_page(request: match_pb2.ListDebugLinesRequest) -> match_pb2.ListDebugLinesResponse:
    """One line a page."""
    texts = [(0, "hello"), (12, "best [bold]4[/bold]\nof 7"), (12, "hurried")]
    place = int(request.page_token or "0")
    decision, text = texts[place]
    return match_pb2.ListDebugLinesResponse(
        lines=[match_pb2.DebugLine(seat=1, decision=decision, text=text)],
        next_page_token=str(place + 1) if place + 1 < len(texts) else "",
    )


PRINTED = """
    lines { decision: 1 text: "sent" source: SOURCE_MESSAGE }
    lines { decision: 2 text: "printed" source: SOURCE_STDOUT }
    lines { decision: 0 text: "failed" source: SOURCE_STDERR }
"""
OTHERS = Refusal(grpc.StatusCode.PERMISSION_DENIED, "They are for their owner alone.", "NOT_OWNER")
WITH_KEY = f"--key {KEY}"
OTHER_NAME = {"GetMatch": f'match {{ name: "matches/1" log: "{"00" * 32}" }}'}
PRUNED = Refusal(grpc.StatusCode.DATA_LOSS, "It was pruned.", "LOG_MISSING", {"pruned": "2026-11-21"})
LOST = Refusal(grpc.StatusCode.DATA_LOSS, "It is not where it should be.", "LOG_MISSING")


def without_second_log(request: match_pb2.DownloadMatchLogRequest) -> Any:
    return PRUNED if request.name == "matches/2" else chunks(request)


VERIFIED: dict[str, tuple[str, Mapping[str, Answer]]] = {
    "with a key": (f"verify good.arenalog {WITH_KEY}", {}),
    "with the keys of the arena": ("verify good.arenalog", {}),
    "changed": (f"verify bad.arenalog good.arenalog {WITH_KEY}", {}),
    "no key": ("verify good.arenalog --key good.arenalog", {}),
    "missing": (f"verify good.arenalog nowhere.arenalog forfeits.arenalog {WITH_KEY}", {}),
    "not that of the arena": ("verify 1", OTHER_NAME),
    "pruned, of a ladder": ("verify --ladder main", {"DownloadMatchLog": without_second_log}),
    "pruned": ("verify 2", {"DownloadMatchLog": without_second_log}),
    "lost": ("verify --ladder main", {"DownloadMatchLog": LOST}),
    "show, missing": ("show nowhere.arenalog", {}),
    "show, no log": ("show x.arenalog", {}),
    "export, missing": ("export nowhere.arenalog", {}),
    "export, no log": ("export x.arenalog", {}),
    "list": ("list", {}),
}
SCREENS: Screens = {
    "debug_lines": {
        "messages": ("log debug 17 --bot greedy", {"ListDebugLines": debug_page}),
        "output too": ("log debug 17", {"ListDebugLines": PRINTED}),
        "of one decision": ("log debug 17 --decision 12", {"ListDebugLines": debug_page}),
        "of one decision as JSON": (
            "log debug 17 --decision 12 --format json",
            {"ListDebugLines": debug_page},
        ),
        "none": ("log debug 17 --decision 3", {"ListDebugLines": debug_page}),
        "of another owner": ("log debug 17", {"ListDebugLines": OTHERS}),
    },
    "log_verify_nonsense": {"": (f"log verify x.arenalog {WITH_KEY}", {})},
    "logs": {
        title: (f"log {command}", {**ANSWERS, **answers}) for title, (command, answers) in VERIFIED.items()
    },
}


@pytest.mark.parametrize("name", SCREENS)
def test_logs_verdicts_and_debug_lines_are_shown(fake, ask, tmp_path, name):
    tampered(tmp_path).rename("bad.arenalog")
    Path("good.arenalog").write_bytes(GOLDEN.read_bytes())
    Path("forfeits.arenalog").write_bytes(FORFEITS.read_bytes())
    Path("x.arenalog").write_bytes(b"nonsense")
    check_screens(name, SCREENS, fake, ask)


def test_a_log_reads_the_same_from_a_file_as_from_an_arena(arena, ask, run):
    from_file = run("log", "show", str(GOLDEN))

    assert "FINAL_DELIVERY" in from_file.stdout
    assert "\x1b" not in from_file.stdout
    assert ask("log", "show", "1").stdout == from_file.stdout


def test_without_key_and_arena_a_file_cannot_be_verified(run):
    result = run("log", "verify", str(GOLDEN))

    assert result.exit_code == 4
    assert "--key FILE" in result.stderr


def test_pictures_show_the_position_after_a_ply(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("log", "picture", str(FORFEITS)).exit_code == 0
    [last] = tmp_path.iterdir()
    plies = int(last.stem.split("-")[1])
    assert run("log", "picture", str(FORFEITS), "--ply", str(plies), "-o", "-").stdout == last.read_text()
    shown = [
        run("log", "picture", str(GOLDEN), *options, "-o", "-").stdout
        for options in (
            ("--ply", "0"),
            ("--ply", "7"),
            ("--ply", "7", "--seat", "1"),
            ("--ply", "7", "--theme", "dark"),
        )
    ]
    assert all(ET.fromstring(each).tag.endswith("svg") for each in shown)
    assert len(set(shown)) == 3
    assert shown[1] == shown[2]  # nothing of Caravan is hidden


@pytest.mark.parametrize("options", [("--ply", "5000"), ("--seat", "2")])
def test_a_picture_of_what_a_match_has_not_is_refused(run, tmp_path, options):
    refused = run("log", "picture", str(GOLDEN), *options, "-o", str(tmp_path / "x.svg"))
    assert refused.exit_code == 1
    assert not list(tmp_path.iterdir())


def test_a_picture_replaces_no_file_unless_it_is_forced(run, tmp_path):
    file = tmp_path / "x.svg"
    file.write_text("mine")
    assert run("log", "picture", str(GOLDEN), "-o", str(file)).exit_code == 1
    assert file.read_text() == "mine"
    assert run("log", "picture", str(GOLDEN), "-o", str(file), "--force").exit_code == 0
    assert file.read_text().startswith("<svg")


def test_a_log_of_other_rules_has_no_picture(run, tmp_path, monkeypatch):
    monkeypatch.setattr(CARAVAN, "spec", replace(CARAVAN.spec, rules_version=2))
    assert run("log", "picture", str(GOLDEN), "-o", str(tmp_path / "x.svg")).exit_code == 1
    assert not list(tmp_path.iterdir())


def test_a_log_is_rendered_as_a_page(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("log", "render", str(FORFEITS)).exit_code == 0
    [page] = tmp_path.iterdir()
    assert run("log", "render", str(FORFEITS), "-o", "-").stdout == page.read_text()
    assert run("log", "render", str(FORFEITS)).exit_code == 1  # no file is replaced
    monkeypatch.setattr(CARAVAN, "spec", replace(CARAVAN.spec, rules_version=2))
    assert run("log", "render", str(FORFEITS), "--force").exit_code == 1
