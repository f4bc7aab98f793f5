"""People join by themselves: with a code on the web pages and on the command line, from a roster and an open invite."""

import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from arena.core.invite_codes import new_code
from arena.pages.failed_sign_ins import BURST
from arena.v1 import token_pb2
from tests.system.pages.pages_process import PagesProcess
from tests.system.pages.reader import Reader
from tests.system.play.arena_process import ArenaProcess

THOUSAND = 1_000


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    with ArenaProcess(tmp_path_factory.mktemp("joining") / "data") as process:
        yield process


@pytest.fixture
def pages(arena: ArenaProcess) -> Iterator[PagesProcess]:
    """Return pages of their own: each test may send wrong codes."""
    with PagesProcess("--data", str(arena.data)) as served:
        yield served


class Person:
    """Somebody with a home of their own at the command line."""

    def __init__(self, home: Path) -> None:
        self.home = home
        home.mkdir(exist_ok=True)

    def arena(self, *args: str, code: int = 0) -> str:
        """Run a command; return its output."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
        done = subprocess.run(
            [sys.executable, "-m", "arena.cli.app", *args],
            cwd=self.home,
            env={**kept, "ARENA_CONFIG": str(self.home / "config")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout


def address_of(arena: ArenaProcess) -> str:
    return str(json.loads((arena.data / "server.json").read_text())["tcp"])


def test_a_class_joins_from_a_roster(arena: ArenaProcess, tmp_path: Path) -> None:
    organiser = Person(tmp_path / "organiser")
    (organiser.home / "class.csv").write_text(
        "\ufeffuser;name;bots;mail\ns01;Žofie Nováková;2;z@example.org\ns02;Jan D.;;=1+1\n", encoding="utf-8"
    )
    take = ("user", "import", "class.csv", "--data", str(arena.data), "--renewable", "--format", "json")
    done = json.loads(
        organiser.arena(
            *take, "--codes", "codes.csv", "--sheet", "codes.html", "--address", "arena.test:7450"
        )
    )
    assert [each["outcome"] for each in done["users"]] == ["OUTCOME_CREATED"] * 2
    assert all(not each.get("code") for each in done["users"])
    assert (organiser.home / "codes.csv").stat().st_mode & 0o077 == 0
    with (organiser.home / "codes.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter=";"))
    assert [row["mail"] for row in rows] == ["z@example.org", "'=1+1"]
    assert all(row["code"] in (organiser.home / "codes.html").read_text(encoding="utf-8") for row in rows)
    again = json.loads(organiser.arena(*take))
    assert [each["outcome"] for each in again["users"]] == ["OUTCOME_UNCHANGED"] * 2

    student = Person(tmp_path / "student")
    student.arena("join", rows[0]["code"], "--server", address_of(arena))
    assert "amber" in student.arena("bot", "create", "amber")
    first = json.loads(student.arena("token", "show", "--format", "json"))
    assert first["owner"] == "owners/s01"
    student.arena("account", "forget", address_of(arena))
    student.arena("bot", "list", code=4)
    student.arena("join", rows[0]["code"], "--server", address_of(arena))
    assert json.loads(student.arena("token", "show", "--format", "json"))["name"] != first["name"]
    tokens = {token.name: token for token in arena.tokens.ListTokens(page_size=100).tokens}
    assert tokens[first["name"]].revoked


def test_a_roster_of_a_thousand_takes_seconds_and_a_wrong_line_stores_nothing(
    arena: ArenaProcess, tmp_path: Path
) -> None:
    organiser = Person(tmp_path / "organiser")
    lines = ["user,name", *(f"t{number:04},Student {number}" for number in range(THOUSAND))]
    take = ("user", "import", "class.csv", "--data", str(arena.data))
    (organiser.home / "class.csv").write_text("\n".join([*lines, "T9,wrong"]))
    organiser.arena(*take, "--codes", "codes.csv", code=1)
    assert not (organiser.home / "codes.csv").exists()
    (organiser.home / "class.csv").write_text("\n".join([*lines, "t0000,twice"]))
    organiser.arena(*take, code=1)
    (organiser.home / "class.csv").write_text("\n".join(lines))
    organiser.arena(*take, "--codes", "codes.csv")
    assert len((organiser.home / "codes.csv").read_text().splitlines()) == THOUSAND + 1
    organiser.arena(*take, "--codes", "codes.csv", code=1)  # it exists, and is kept
    assert len((organiser.home / "codes.csv").read_text().splitlines()) == THOUSAND + 1


def test_a_person_joins_on_the_page_and_is_signed_in(arena: ArenaProcess, pages: PagesProcess) -> None:
    code = arena.invites.CreateInvite(uses=2).code
    reader = Reader(pages)
    form = reader.get(f"join/{code}")
    assert (form.status, code in form.text) == (200, True)
    taken = reader.post("join", {"code": code, "user": "organiser"})
    assert taken.status == 409
    nameless = reader.post("join", {"code": code, "user": ""})
    assert nameless.status == 400
    joined = reader.post("join", {"code": code.lower(), "user": "wim"})
    assert joined.status == 200
    assert joined.headers["cache-control"] == "no-store"
    found = re.search(r'id="secret">(arn_[0-9a-f_]+)<', joined.text)
    assert found is not None
    assert "wim" in reader.get("account").text
    assert Reader(pages, found[1]).get("account").status == 200
    assert found[1] not in reader.get("account").text


def test_an_invite_of_one_user_needs_no_name_on_the_page(arena: ArenaProcess, pages: PagesProcess) -> None:
    arena.users.CreateUser(user_id="noor", role=token_pb2.ROLE_SPECTATOR)
    code = arena.invites.CreateInvite(user="users/noor", role=token_pb2.ROLE_SPECTATOR).code
    reader = Reader(pages)
    assert 'name="user"' not in reader.get(f"join/{code}").text
    assert reader.post("join", {"code": code}).status == 200
    assert reader.post("join", {"code": code}).status == 409


def _bytes_from(first: int, size: int) -> bytes:
    return bytes(range(first, first + size))


def test_who_guesses_codes_has_to_wait_and_another_site_joins_nobody(
    arena: ArenaProcess, pages: PagesProcess
) -> None:
    code = arena.invites.CreateInvite(uses=1).code
    reader = Reader(pages)
    assert reader.post("join", {"code": code, "user": "eve"}, Origin="https://example.org").status == 403
    for number in range(1, BURST + 1):
        wrong = new_code(partial(_bytes_from, number))
        assert reader.get(f"join/{wrong}").status == 404
    assert reader.post("join", {"code": code, "user": "eve"}).status == 429
    assert arena.invites.ListInvites(page_size=100).invites[-1].used == 0


def test_no_code_is_in_a_log(arena: ArenaProcess, pages: PagesProcess) -> None:
    code = arena.invites.CreateInvite(uses=1).code
    Reader(pages).get(f"join/{code}")
    Reader(pages).post("join", {"code": code, "user": "sis"})
    pages.process.terminate()
    out, err = pages.process.communicate()
    assert code.split("-")[2] not in "".join([*arena.log, out, err])
    assert "signed in" in err
