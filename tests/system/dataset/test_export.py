"""`arena data export` on a real arena: steps while matches are played come to one whole export (docs/data.md)."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from arena.codecs.codec import codec_for
from arena.match_log.reader import read_log
from arena.match_report.export import export_lines
from tests.checkout import ROOT, text
from tests.system.dataset.played_arena import BOTS, MATCHES, PlayedArena, Row, played_arena

BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", text("docs/data.md"), re.MULTILINE | re.DOTALL)
WITHIN_S = 120


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedArena]:
    """Return the arena, exported in steps and once more as a whole."""
    with played_arena(tmp_path_factory.mktemp("dataset")) as arena:
        assert arena.export("whole", "--ladder", "main") == arena.cursor
        yield arena


def newest(rows: list[Row], *key: str) -> list[Row]:
    """Return the row with the largest position of each key."""
    kept: dict[tuple[object, ...], Row] = {}
    for row in sorted(rows, key=lambda row: row["position"]):
        kept[tuple(row[name] for name in key)] = row
    return sorted(kept.values(), key=lambda row: [row[name] for name in key])


KEYS = {
    "matches": ("match",),
    "seats": ("match", "seat"),
    "decisions": ("match", "ply"),
    "ratings": ("ladder", "seq", "bot"),
}


@pytest.mark.parametrize("table", KEYS)
def test_the_steps_come_to_the_whole(played: PlayedArena, table: str) -> None:
    steps, whole = played.rows("steps", table), played.rows("whole", table)
    assert newest(whole, *KEYS[table]) == sorted(whole, key=lambda row: [row[name] for name in KEYS[table]])
    assert newest(steps, *KEYS[table]) == newest(whole, *KEYS[table])


def test_every_match_is_there_and_only_the_void_one_came_twice(played: PlayedArena) -> None:
    listed = played.process.matches.ListMatches(ladder="ladders/main", page_size=100).matches
    numbers = sorted(int(each.name.removeprefix("matches/")) for each in listed)
    assert len(numbers) == MATCHES
    assert sorted(row["match"] for row in played.rows("whole", "matches")) == numbers
    stepped = [row["match"] for row in played.rows("steps", "matches")]
    (void,) = [row["match"] for row in played.rows("whole", "matches") if row["state"] == "ABORTED"]
    assert sorted(stepped) == sorted([*numbers, void])
    assert len(list((played.folder / "steps").iterdir())) > 2


def test_decisions_are_those_of_the_logs(played: PlayedArena) -> None:
    """The export of `arena log` is made by other code."""
    for match in played.rows("whole", "matches"):
        log = read_log(played.process.log_bytes(f"matches/{match['match']}"))
        lines = map(json.loads, export_lines(log, codec_for("caravan")))
        logged = [line for line in lines if line["record"] == "ply"]
        rows = [row for row in played.rows("whole", "decisions") if row["match"] == match["match"]]
        assert [row["ply"] for row in rows] == list(range(match["plies"]))
        for row, line in zip(rows, logged, strict=True):
            same = ("seat", "decision", "cause", "notation", "action", "over_seat_limit")
            assert [row[name] for name in same] == [line[name] for name in same]
            for name in ("started", "used", "credit", "stall", "wait", "bank"):
                assert row[f"{name}_ns"] == round(line[f"{name}_ms"] * 1e6)
            assert 0 <= row["list_place"] < row["legal_actions"]


def test_ratings_end_where_the_standings_are(played: PlayedArena) -> None:
    standings = played.process.ladders.ListStandings(name="ladders/main").standings
    last = {row["bot"]: row["rating_milli_after"] for row in played.rows("whole", "ratings")}
    assert last == {each.bot.removeprefix("bots/"): each.rating_milli for each in standings}
    assert "VOID" in {row["kind"] for row in played.rows("whole", "ratings")}


def test_the_card_counts_and_hashes_what_is_there(played: PlayedArena) -> None:
    (folder,) = (played.folder / "whole").iterdir()
    card = json.loads((folder / "data_card.json").read_text())
    matches = played.rows("whole", "matches")
    assert card["games"] == [{"game": "caravan", "rules_version": 1, "seats": 2, "matches": MATCHES}]
    assert card["states"] == {"ABORTED": 1, "FINISHED": MATCHES - 1}
    assert card["rows"]["matches"] == MATCHES
    names = "".join(f"{row['log']}\n" for row in sorted(matches, key=lambda row: row["match"]))
    assert card["logs_sha256"] == sha256(names.encode()).hexdigest()
    for name, described in card["files"].items():
        assert sha256((folder / name).read_bytes()).hexdigest() == described["sha256"]
    assert (card["cursor"], card["schema"]) == (played.cursor, 1)


def test_an_anonymous_data_set_has_no_name_and_nothing_that_finds_a_match(played: PlayedArena) -> None:
    key = played.folder / "key"
    for place in ("anonymous", "again"):
        played.export(place, "--anonymous", "--key", str(key), "--with", "observations")
    played.export("other", "--anonymous")
    (folder,) = (played.folder / "anonymous").iterdir()
    written = "".join(file.read_text() for file in folder.iterdir())
    secrets = [
        row[name] for row in played.rows("whole", "matches") for name in ("log", "seed", "seed_commitment")
    ]
    for word in secrets:
        assert word not in written, word
    without_digests = re.sub(r"\b[0-9a-f]{64}\b", "", written)  # bee is written in hexadecimal digits, too
    for word in (*BOTS, "main", "bots/", "a test"):
        assert word not in without_digests, word
    ids = {row["match"] for row in played.rows("whole", "matches")}
    for table in ("matches", "seats", "decisions", "observations"):
        rows = played.rows("anonymous", table)
        assert not ids & {row["match"] for row in rows}
        assert {row["position"] for row in rows} == {None}
        assert rows == played.rows("again", table)
        assert not {row["match"] for row in rows} & {row["match"] for row in played.rows("other", table)}
    seats = [row["bot"] for row in played.rows("anonymous", "seats")]
    assert {row["bot"] for row in played.rows("anonymous", "ratings")} == set(seats)
    assert len(set(seats)) == len(BOTS)
    assert key.stat().st_mode & 0o777 == 0o600


def run(folder: Path, language: str, code: str) -> str:
    """Run a block in the folder; return what it has printed."""
    command = {"": ["bash", "-ec", code], "python": [sys.executable, "-W", "error", "-c", code]}[language]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    path = os.pathsep.join([str(Path(sys.executable).parent), kept.get("PATH", os.defpath)])
    done = subprocess.run(
        command,
        cwd=folder,
        env=kept | {"PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=WITHIN_S,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_commands_and_programs_of_the_page_run_as_pasted(played: PlayedArena) -> None:
    """The programs in one process, as in a notebook."""
    for language, code in BLOCKS:
        if language == "":
            run(played.folder, language, code)
    programs = "".join(code for language, code in BLOCKS if language == "python")
    printed = run(played.folder, "python", programs)
    assert all(bot in printed for bot in BOTS)
    libraries = set(re.findall(r"^import (\w+)", programs, re.MULTILINE))
    assert {"duckdb", "pandas", "polars"} <= libraries
