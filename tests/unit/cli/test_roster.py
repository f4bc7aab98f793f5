"""The roster of `arena user import`: what a CSV file may look like, and every fault named by its line."""

import re
from pathlib import Path
from typing import Any

import pytest

from arena.cli.framework.errors import CliError
from arena.cli.roster import new_files, read_roster
from arena.v1 import token_pb2, user_pb2


def read(tmp_path: Path, text: str, encoding: str = "utf-8"):
    file = tmp_path / "class.csv"
    file.write_bytes(text.encode(encoding))
    return read_roster(file)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_files_of_spreadsheets_are_read(tmp_path: Path, delimiter: str, encoding: str, end: str) -> None:
    rows = [
        ["User", "name", "role", "bots", "team"],
        ["s01", "Žofie", "Spectator", "3", "lions"],
        ["s02", "", "", "", ""],
        ["", "", "", "", ""],
    ]
    roster = read(tmp_path, end.join(delimiter.join(row) for row in rows), encoding)
    assert [line.entry for line in roster.lines] == [
        user_pb2.RosterEntry(
            user_id="s01",
            full_name="Žofie",
            role=token_pb2.ROLE_SPECTATOR,
            quotas=user_pb2.UserQuotas(bots=3),
            team_id="lions",
        ),
        user_pb2.RosterEntry(user_id="s02"),
    ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("user,bots\nS01,1\ns02,x\ns03,1,2\ns04,1\ns04,2\n", (2, 3, 4, 6)),
        ("user,role\ns01,bot\n", (2,)),
        ('user,name\ns01,"over\ntwo"\ns01,again\n', (4,)),
    ],
)
def test_every_wrong_line_is_named(tmp_path: Path, text: str, lines: tuple[int, ...]) -> None:
    with pytest.raises(CliError) as caught:
        read(tmp_path, text)
    named = [int(part.split(":")[0].split()[0]) for part in caught.value.sentence.split("Line ")[1:]]
    assert tuple(named) == lines


@pytest.mark.parametrize("text", ["", "name,mail\na,b\n", "user,user\na,b\n", "user\n", "user,name\n,\n"])
def test_a_file_that_is_no_roster_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(CliError):
        read(tmp_path, text)


def test_other_encodings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CliError, match="UTF-8"):
        read(tmp_path, "user,name\ns01,é\n", "latin-1")


def test_codes_come_with_all_columns_and_no_formula(tmp_path: Path) -> None:
    roster = read(tmp_path, "mail;user;name\n=cmd();s01;Žofie\n-;s02;x\n")
    assert roster.codes_csv({"s01": "JOIN-1"}) == "mail;user;name;code\n'=cmd();s01;Žofie;JOIN-1\n"
    page = roster.sheet_html({"s01": "JOIN-1"}, "<host>:7450")
    assert ("JOIN-1" in page, "<host>" in page, "s02" in page) == (True, False, False)


def test_new_files_are_private_and_go_with_a_failure(tmp_path: Path) -> None:
    kept, lost = tmp_path / "kept", tmp_path / "lost"
    with new_files([kept]) as write:
        write({kept: "text", None: ""})
    assert (kept.read_text(), kept.stat().st_mode & 0o077) == ("text", 0)
    with pytest.raises(CliError), new_files([lost, kept]):
        pass
    with pytest.raises(KeyError), new_files([lost]):
        raise KeyError
    assert (lost.exists(), kept.read_text()) == (False, "text")


def test_owners_whom_a_later_roster_lacks_are_named(tmp_path: Path, fake: Any, ask: Any) -> None:
    file = tmp_path / "class.csv"
    file.write_text("user\ns01\n")
    users = "".join(
        f'users {{ name: "users/{name}" role: {role} disabled: {str(disabled).lower()} }}'
        for name, role, disabled in (
            ("root", "ROLE_ORGANISER", False),
            ("s01", "ROLE_OWNER", False),
            ("s02", "ROLE_OWNER", True),
            ("s03", "ROLE_OWNER", False),
        )
    )
    for outcome, named in (("OUTCOME_UNCHANGED", True), ("OUTCOME_CREATED", False)):
        imported = f'users {{ user {{ name: "users/s01" }} outcome: {outcome} }}'
        fake.answers |= {"ImportUsers": imported, "ListUsers": users}
        result = ask("user", "import", str(file))
        assert result.exit_code == 0
        assert ("s03" in result.stderr) is named
        assert not {"s02", "root"} & set(result.stderr.replace(",", " ").split())


def test_a_roster_reads_teams(tmp_path: Path) -> None:
    with pytest.raises(CliError, match="Line 2"):
        read(tmp_path, "user,team\ns01,The Lions\n")


def test_codes_are_kept_although_the_list_of_users_cannot_be_read(
    tmp_path: Path, fake: Any, ask: Any
) -> None:
    file, codes = tmp_path / "class.csv", tmp_path / "codes.csv"
    file.write_text("user\ns01\ns02\n")
    fake.answers |= {
        "ImportUsers": 'users { user { name: "users/s01" } outcome: OUTCOME_UNCHANGED }'
        'users { user { name: "users/s02" } outcome: OUTCOME_CREATED code: "JOIN-1" }'
    }
    assert ask("user", "import", str(file), "--codes", str(codes)).exit_code != 0
    assert "JOIN-1" in codes.read_text()


def test_what_the_arena_finds_wrong_is_named_by_its_line(tmp_path: Path) -> None:
    roster = read(tmp_path, "user,team\n\ns01,lions\ns02,s01\n")
    fault = CliError("entries[1].team_id is s01, which is the user of entries[0]. (FIELD_INVALID)")
    named = roster.with_lines(fault)
    assert re.findall("line ([0-9])(, team)?", named.sentence) == [("4", ", team"), ("3", "")]
    assert "entries" not in named.sentence
    assert named.code is fault.code


def test_other_errors_stay_as_they_are(tmp_path: Path) -> None:
    fault = CliError("No arena answers.")
    assert read(tmp_path, "user\ns01\n").with_lines(fault) is fault
