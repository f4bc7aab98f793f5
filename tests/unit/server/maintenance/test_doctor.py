"""What the doctor finds in a folder that is broken in one place, and of the sandbox (docs/operations.md)."""

import os
import socket
from pathlib import Path
from random import Random

import pytest
from structlog.testing import capture_logs

from arena.match_log.files import LogFiles
from arena.sandbox.capabilities import Capabilities
from arena.sandbox.protections import Protection
from arena.sandbox.seccomp.system_calls import ARCHITECTURES
from arena.server.data_folder import DataFolder
from arena.server.maintenance import checks
from arena.server.maintenance.checks import CheckResult, Level
from arena.server.maintenance.doctor import (
    check_logs,
    check_open_matches,
    check_standings,
)
from arena.server.maintenance.prune import Retention, prune
from arena.server.serve import warn_of_findings
from arena.store.store import Store
from tests.unit.server.maintenance.old_folder import no_progress, rows

MS = 1_000_000


def logs(folder: DataFolder, store: Store, *, deep: bool = True, seed: int = 1) -> list[CheckResult]:
    """Return what is said of the logs."""
    return list(check_logs(folder, store, Random(seed), deep=deep, progress=no_progress))


def test_all_findings_of_a_good_folder_are_ok(folder, store):
    findings = [
        checks.check_software("arena 9.9"),
        checks.check_disk(folder, 0),
        checks.check_rights(folder),
        checks.check_database(folder),
        checks.check_schema(store),
        checks.check_keys(folder),
        checks.check_clock(2**60, checks.newest_moment_us(store)),
        check_open_matches(store, runs=False),
        check_standings(store),
        *logs(folder, store),
    ]
    assert {finding.level for finding in findings} == {Level.OK}, findings
    assert not any(finding.do for finding in findings)
    assert "All 10 logs are there." in [finding.says for finding in findings]
    assert any("10 of 10 logs" in finding.says for finding in findings)


def test_a_missing_log_is_named_and_a_pruned_one_is_not(folder, store):
    prune(folder, store, Retention(2**62, keep_last=5), now_us=5)
    LogFiles(folder.logs).path(11).unlink()

    there, contents = logs(folder, store)

    assert (there.level, contents.level) == (Level.FAIL, Level.OK)
    assert there.says.endswith("of match 11.")
    assert "4 of 4" in contents.says


@pytest.mark.parametrize("byte", [0, 4_000, None])
def test_a_log_that_was_changed_or_exchanged_is_found_if_all_are_looked_at(folder, store, byte):
    path = LogFiles(folder.logs).path(8)
    data = bytearray((path if byte is not None else LogFiles(folder.logs).path(1)).read_bytes())
    if byte is not None:
        data[byte] ^= 1
    path.write_bytes(data)

    there, contents = logs(folder, store)

    assert (there.level, contents.level) == (Level.OK, Level.FAIL)
    assert contents.says.endswith("of match 8.")


def test_without_deep_a_sample_is_looked_at(folder, store, monkeypatch):
    monkeypatch.setattr("arena.server.maintenance.doctor.SAMPLE", 3)
    assert logs(folder, store, deep=False)[1].says.startswith("3 of 10 logs")


def test_a_rating_that_the_ledger_does_not_give_is_found(folder, store):
    rows(folder.database, "UPDATE ladder_entries SET rating_milli = rating_milli + 1 WHERE bot = 'cedar'")

    found = check_standings(store)

    assert (found.level, "standings of main" in found.says) == (Level.FAIL, True)


def test_a_damaged_database_and_a_reference_that_leads_nowhere_are_found(folder):
    rows(folder.database, "DELETE FROM bots WHERE id = 'cedar'")
    assert "leads nowhere" in checks.check_database(folder).says

    data = bytearray(folder.database.read_bytes())
    data[4096 * 3 : 4096 * 4] = os.urandom(4096)
    folder.database.write_bytes(data)
    assert checks.check_database(folder).level is Level.FAIL
    folder.database.write_bytes(b"no database" * 1000)
    assert checks.check_database(folder).level is Level.FAIL


def test_an_older_database_is_a_warning_and_a_newer_one_a_failure(folder, store):
    rows(folder.database, "UPDATE alembic_version SET version_num = '0001'")
    assert checks.check_schema(store).level is Level.WARN
    rows(folder.database, "UPDATE alembic_version SET version_num = '9001'")
    assert checks.check_schema(store).level is Level.FAIL
    rows(folder.database, "DELETE FROM alembic_version")
    assert checks.check_schema(store).level is Level.FAIL


@pytest.mark.parametrize("name", ["organiser.token", "keys/signing.key"])
def test_a_secret_that_others_may_read_is_found_and_a_closed_folder_shuts_the_rest(folder, name):
    folder.database.chmod(0o644)
    assert checks.check_rights(folder).level is Level.OK

    (folder.path / name).chmod(0o640)
    found = checks.check_rights(folder)
    assert found.level is Level.WARN
    assert found.says.endswith(f"may read {name}.")

    (folder.path / name).chmod(0o600)
    folder.path.chmod(0o755)
    assert checks.check_rights(folder).says.endswith("may read arena.db.")


def test_a_key_that_is_none_or_without_its_public_half_is_found(folder):
    for path in folder.keys.glob("*.pub"):
        path.unlink()
    assert checks.check_keys(folder).level is Level.WARN

    (folder.keys / "signing.key").write_text("no key")
    assert checks.check_keys(folder).level is Level.FAIL


def test_a_clock_behind_the_newest_match_is_found(folder, store):
    newest = checks.newest_moment_us(store)
    assert newest is not None
    assert checks.check_clock(newest, newest).level is Level.OK
    found = checks.check_clock(newest - 90_000_000, newest)
    assert found.level is Level.FAIL
    assert "90 s before the newest match" in found.says
    assert checks.check_clock(0, None).level is Level.OK


def test_a_start_warns_of_open_secrets_and_of_a_clock_that_is_behind(folder, store):
    with capture_logs() as quiet:
        warn_of_findings(folder, store)
    folder.organiser_token.chmod(0o644)
    rows(folder.database, f"UPDATE matches SET ended_us = {2**60} WHERE id = 13")
    with capture_logs() as logs:
        warn_of_findings(folder, store)
    assert quiet == []
    assert [(each["log_level"], each["check"]) for each in logs] == [
        ("warning", "rights"),
        ("warning", "clock"),
    ]
    assert logs[0]["event"].startswith(checks.check_rights(folder).says)


def test_matches_that_have_not_ended_are_a_warning_only_where_no_arena_runs(folder, store):
    rows(folder.database, "UPDATE matches SET state = 2, ended_us = NULL WHERE id = 13")
    assert check_open_matches(store, runs=False).level is Level.WARN
    assert check_open_matches(store, runs=True).level is Level.OK


def test_little_room_is_a_warning_and_too_little_a_failure(folder):
    free_mb = folder.free_bytes() // 1_000_000
    assert checks.check_disk(folder, free_mb // 20).level is Level.OK
    assert checks.check_disk(folder, free_mb // 2).level is Level.WARN
    assert checks.check_disk(folder, free_mb * 2).level is Level.FAIL


def test_a_taken_port_is_found():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert checks.check_port("127.0.0.1", taken.getsockname()[1]).level is Level.WARN
    assert checks.check_port("127.0.0.1", 0).level is Level.OK


def test_a_machine_that_wakes_up_late_is_noisy():
    assert checks.stalls_of([0, 5 * MS, 25 * MS, 46 * MS, 50 * MS]) == [21 * MS]
    clock = [0]

    def sleep(seconds: float) -> None:
        clock[0] += round(seconds * 1_000 * MS)

    assert checks.check_quiet(sleep, lambda: clock[0]).level is Level.OK

    def late(_seconds: float) -> None:
        clock[0] += 35 * MS

    found = checks.check_quiet(late, lambda: clock[0])
    assert found.level is Level.WARN
    assert ("200 stalls" in found.says, "35 ms" in found.says) == (True, True)


def test_an_arena_that_runs_is_noticed_by_its_lock(folder):
    assert not folder.in_use
    with folder.lock():
        assert folder.in_use
    assert not folder.in_use


def a_machine(why_not: str = "") -> Capabilities:
    program = Path("/usr/bin/true")
    return Capabilities(
        bwrap=program,
        version="bubblewrap 0.8.0",
        root=False,
        setpriv=program,
        env=program,
        architecture=ARCHITECTURES["aarch64"],
        cgroups=None,
        why_not=why_not,
    )


def test_each_protection_has_a_line_that_says_whether_it_is_live():
    first, *lines, _ = checks.check_sandbox(a_machine())
    assert first.level is Level.WARN
    assert first.says.endswith("memory, pids missing.")
    assert "--allow-weak-sandbox" in first.do
    assert [line.check for line in lines] == [f"sandbox: {each.value}" for each in Protection]
    warned = {line.check for line in lines if line.level is Level.WARN}
    assert warned == {"sandbox: memory", "sandbox: pids", "sandbox: cpu", "sandbox: uid"}
    for line in lines:
        assert line.says.startswith("Not active: " if line.check in warned else "Active: ")
        assert bool(line.do) is (line.check in warned)


def test_without_a_sandbox_one_line_says_why_and_what_to_do():
    (line,) = checks.check_sandbox(a_machine("Install bubblewrap."))
    assert (line.level, line.do) == (Level.WARN, "Install bubblewrap.")


@pytest.mark.parametrize("why_not", ["", "the kernel has no /proc/PID/schedstat"])
def test_the_last_line_is_about_waiting_for_a_processor(
    monkeypatch: pytest.MonkeyPatch, why_not: str
) -> None:
    monkeypatch.setattr(checks, "why_not_measured", lambda _: why_not)
    *_, line = checks.check_sandbox(a_machine())
    assert line.check == "sandbox: waiting"
    assert line.level is (Level.WARN if why_not else Level.OK)
    assert why_not in line.says
    assert bool(line.do) is bool(why_not)
