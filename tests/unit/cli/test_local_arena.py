"""An arena on a data folder: found if it runs, whatever an earlier one has left behind."""

import json
import os

import pytest

from arena.cli.demo.processes import already_running, wait_for
from arena.cli.framework.errors import CliError
from arena.cli.framework.processes import Child


def announce(folder, tcp: str, pid: int = 1) -> None:
    (folder / "server.json").write_text(json.dumps({"tcp": tcp, "unix": None, "pid": pid}))


def test_an_arena_that_answers_is_found_with_its_token(fake, tmp_path):
    fake.answers["ListGames"] = ""
    announce(tmp_path, fake.address)
    (tmp_path / "organiser.token").write_text("arn_it")

    found = already_running(tmp_path)

    assert found is not None
    assert (found.running.tcp, found.token) == (fake.address, "arn_it")


@pytest.mark.parametrize("text", [None, "", "{}", '{"tcp": "127.0.0.1:1", "unix": null, "pid": 1}'])
def test_what_a_killed_arena_left_behind_is_no_arena(tmp_path, text):
    if text is not None:
        (tmp_path / "server.json").write_text(text)

    assert already_running(tmp_path) is None


def test_an_arena_whose_token_is_gone_is_refused_in_a_sentence(fake, tmp_path):
    fake.answers["ListGames"] = ""
    announce(tmp_path, fake.address)

    with pytest.raises(CliError, match="organiser token"):
        already_running(tmp_path)


def test_the_file_of_another_process_is_not_the_one_that_is_waited_for(fake, tmp_path):
    fake.answers["ListGames"] = ""
    announce(tmp_path, fake.address)
    log = tmp_path / "log"
    child = Child("the arena", ["sh", "-c", "echo it cannot be >&2"], environment=os.environ, log=log)

    with pytest.raises(CliError, match=r":\nit cannot be$"):
        wait_for(child, tmp_path)
