"""`arena doctor` as people and programs meet it."""

import json

import grpc
import pytest
from grpc_health.v1 import health_pb2

from arena.server.data_folder import DataFolder
from tests.unit.cli.fake_arena import Refusal
from tests.unit.server.maintenance.old_folder import unpack_old_folder

SERVING = "status: SERVING"
CARAVAN = 'games { name: "games/caravan" title: "Caravan" }'


@pytest.fixture(autouse=True)
def _no_listening(monkeypatch):
    monkeypatch.setattr("arena.server.maintenance.checks._BEATS", 2)


def test_a_broken_folder_fails_with_advice(run, tmp_path):
    folder = DataFolder(unpack_old_folder(tmp_path / "data"))
    (folder.keys / "signing.key").write_text("no key")

    result = run("doctor", "--data", str(folder.path), "--format", "json")

    assert result.exit_code == 1
    assert "keys" in result.stderr
    findings = {line["check"]: line for line in json.loads(result.stdout)["findings"]}
    assert findings["keys"]["level"] == "fail"
    assert "backup" in findings["keys"]["do"]
    assert findings["schema"]["level"] == findings["connection"]["level"] == "warn"
    assert findings["database"]["level"] == findings["software"]["level"] == "ok"


def test_each_finding_is_a_line_with_its_advice_below(run, tmp_path, monkeypatch):
    monkeypatch.setattr("arena.cli.framework.output._PIPE_WIDTH", 80)
    folder = unpack_old_folder(tmp_path / "data")

    result = run("--data", str(folder), "doctor")

    assert result.exit_code == 0, result.output
    shown = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert any(line.startswith("warn schema") for line in shown)
    assert any(line.startswith("-> `arena serve`") for line in shown)
    assert all(len(line) <= 80 for line in result.stdout.splitlines())


def test_a_missing_folder_is_no_failure(run, tmp_path):
    result = run("doctor", "--data", str(tmp_path / "none"))

    assert result.exit_code == 0
    assert "is not there" in result.stdout
    assert not (tmp_path / "none").exists()


def test_with_a_server_only_the_connection_and_the_token_are_checked(fake, ask):
    fake.answers |= {"Check": SERVING, "ListGames": CARAVAN, "ListLadders": ""}

    findings = json.loads(ask("doctor", "--format", "json").stdout)["findings"]

    assert [(line["check"], line["level"]) for line in findings] == [("connection", "ok"), ("token", "ok")]


def test_an_invalid_token_and_a_server_that_does_not_answer_are_failures(fake, ask, run):
    fake.answers |= {
        "Check": SERVING,
        "ListGames": CARAVAN,
        "ListLadders": Refusal(grpc.StatusCode.UNAUTHENTICATED, "The token is not valid.", "TOKEN_INVALID"),
    }
    refused = ask("doctor")
    assert refused.exit_code == 1
    assert "(TOKEN_INVALID)" in refused.stdout
    assert "token" in refused.stderr

    silent = run("--server", "127.0.0.1:1", "doctor")
    assert silent.exit_code == 1
    assert "127.0.0.1:1" in silent.stdout


def test_waiting_ends_when_the_arena_serves_and_then_the_connection_is_checked(fake, ask):
    statuses = iter(["NOT_SERVING", "NOT_SERVING"])
    fake.answers |= {
        "Check": lambda _: health_pb2.HealthCheckResponse(status=next(statuses, "SERVING")),
        "ListGames": CARAVAN,
        "ListLadders": "",
    }

    result = ask("doctor", "--wait", "60", "--format", "json")

    assert result.exit_code == 0, result.output
    assert [line["check"] for line in json.loads(result.stdout)["findings"]] == ["connection", "token"]
    assert len(fake.requests("Check")) == 4


def test_waiting_in_vain_has_an_exit_code_of_its_own(fake, ask, run, tmp_path):
    fake.answers |= {"Check": "status: NOT_SERVING"}
    assert ask("doctor", "--wait", "0").exit_code == 4
    assert run("--server", "127.0.0.1:1", "doctor", "--wait", "0").exit_code == 4
    assert run("doctor", "--wait", "0", "--data", str(tmp_path / "none")).exit_code == 4


def test_a_server_that_is_no_arena_is_not_waited_for(ask):
    assert ask("doctor", "--wait", "600").exit_code == 1


def test_waiting_does_not_go_with_a_deep_examination(ask):
    assert ask("doctor", "--wait", "1", "--deep").exit_code == 2


def test_an_arena_that_closes_is_a_warning(fake, ask):
    fake.answers |= {"Check": "status: NOT_SERVING", "ListGames": CARAVAN, "ListLadders": ""}
    lines = json.loads(ask("doctor", "--format", "json").stdout)["findings"]
    assert [(line["check"], line["level"]) for line in lines] == [("connection", "warn"), ("token", "ok")]


def test_an_arena_that_starts_is_neither_called_running_nor_absent(run, tmp_path):
    folder = DataFolder(unpack_old_folder(tmp_path / "data"))
    with folder.lock():
        result = run("doctor", "--data", str(folder.path), "--format", "json")

    lines = {line["check"]: line for line in json.loads(result.stdout)["findings"]}
    assert "port" not in lines
    assert "in use by an arena" in lines["data folder"]["says"]
    assert "starting or closing" in lines["connection"]["says"]
    assert "arena doctor --wait" in lines["connection"]["says"]
