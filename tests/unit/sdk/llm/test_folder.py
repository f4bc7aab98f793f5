"""What a folder may hold, and what its author is told about the rest."""

import re
from pathlib import Path

import pytest

from arena.sdk.game_messages import GAMES
from arena.sdk.llm.folder import Caps, FolderError, Price, key_of, new_folder, read_folder

LEAST = 'model = "m"\nbase_url = "http://localhost:1/v1"\n'


def a_folder(path: Path, settings: str = LEAST, prompt: str = "Win.") -> Path:
    """Write both files."""
    (path / "llm.toml").write_text(settings)
    (path / "prompt.md").write_text(prompt)
    return path


def test_what_is_not_given_has_a_default(tmp_path: Path) -> None:
    found = read_folder(a_folder(tmp_path))
    assert (found.model, found.base_url, found.prompt) == ("m", "http://localhost:1/v1", "Win.")
    assert (found.games, found.matches, found.fallback, found.rules) == (GAMES, 1, "sensible", "short")
    assert (found.caps, found.price, found.temperature) == (Caps(), Price(), None)


def test_every_key_is_read(tmp_path: Path) -> None:
    settings = """
model = "org/m"
base_url = "https://host/v1/"
api_key_variable = "MY_KEY"
temperature = 1
response_format = "json_schema"
tokens_field = "max_completion_tokens"
games = ["wasteland"]
matches = 3
fallback = "first"
rules = "full"
[caps]
answer_tokens = 10
tokens_per_decision = 20
tokens_per_match = 30
cost_per_match = 0.5
cost_total = 5
[price]
input = 0.25
output = 2
[request]
reasoning_effort = "low"
"""
    (tmp_path / "rules.md").write_text("My rules.")
    found = read_folder(a_folder(tmp_path, settings))
    assert (found.base_url, found.api_key_variable, found.temperature) == ("https://host/v1", "MY_KEY", 1)
    assert (found.response_format, found.tokens_field) == ("json_schema", "max_completion_tokens")
    assert (found.games, found.matches) == (("wasteland",), 3)
    assert (found.fallback, found.rules, found.own_rules) == ("first", "full", "My rules.")
    assert found.caps == Caps(10, 20, 30, 0.5, 5)
    assert found.price == Price(0.25, 2)
    assert found.request == {"reasoning_effort": "low"}


def test_another_prompt_or_setting_is_another_version(tmp_path: Path) -> None:
    versions = [
        read_folder(a_folder(tmp_path, settings, prompt)).version
        for settings, prompt in ((LEAST, "a"), (LEAST, "b"), (f"{LEAST}matches = 2", "b"), (LEAST, "a"))
    ]
    assert versions[0] == versions[3]
    assert len(set(versions)) == 3
    assert all(version.startswith("m ") and len(version) <= 64 for version in versions)


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ("model = 'm'", "base_url"),
        ("base_url = 'http://a/v1'", "model"),
        (f"{LEAST}temprature = 1", "Did you mean temperature"),
        (f"{LEAST}temperature = 'hot'", "temperature"),
        (f"{LEAST}temperature = true", "temperature"),
        (f"{LEAST}matches = 0", "from 1 to 1000"),
        (f"{LEAST}games = ['chess']", "games"),
        (f"{LEAST}fallback = 'mcts'", '"sensible", "first"'),
        (f"{LEAST}[caps]\nanswer_tokens = 0", "caps.answer_tokens"),
        (f"{LEAST}[caps]\ncost_total = inf", "caps.cost_total"),
        (f"{LEAST}[caps]\ncost_totl = 1", "Did you mean caps.cost_total"),
        (f"{LEAST}[caps]\ncost_total = 1", "price"),
        (f"{LEAST}caps = 3", "a table"),
        (f"{LEAST}[request]\nmessages = []", "request"),
        (f"{LEAST}[[", "not TOML"),
        ("model = 'm'\nbase_url = 'localhost:1/v1'", "base_url"),
        ("model = 'm'\nbase_url = 'http://user:pass@host/v1'", "base_url"),
        ("model = 'm'\nbase_url = 'https://host/v1?key=1'", "base_url"),
        ("model = 'm'\nbase_url = 'https://host:99999/v1'", "base_url"),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path: Path, settings: str, named: str) -> None:
    with pytest.raises(FolderError, match=re.escape(named)):
        read_folder(a_folder(tmp_path, settings))


@pytest.mark.parametrize("line", ['api_key = "sk-secret-1"', 'api_key_variable = "sk-secret-1"'])
def test_a_key_in_the_file_is_refused_and_not_repeated(tmp_path: Path, line: str) -> None:
    with pytest.raises(FolderError, match="variable") as error:
        read_folder(a_folder(tmp_path, f"{LEAST}{line}"))
    assert "sk-secret" not in str(error.value)


def test_a_folder_without_its_files_or_with_unreadable_ones_is_named(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match=r"arena llm new"):
        read_folder(tmp_path)
    with pytest.raises(FolderError, match=r"prompt\.md is empty"):
        read_folder(a_folder(tmp_path, prompt=" \n"))
    (tmp_path / "prompt.md").write_bytes(b"ok \xff")
    with pytest.raises(FolderError, match="not UTF-8 from byte 3"):
        read_folder(tmp_path)
    (tmp_path / "prompt.md").unlink()
    with pytest.raises(FolderError, match="cannot be read"):
        read_folder(tmp_path)


@pytest.mark.parametrize(
    ("url", "environ", "named"),
    [
        ("https://host/v1", {}, "MY_KEY is not set"),
        ("https://host/v1", {"MY_KEY": " "}, "MY_KEY is not set"),
        ("https://host/v1", {"MY_KEY": "sk-secret\u2026"}, "MY_KEY holds characters"),
        ("http://host/v1", {"MY_KEY": "sk-secret"}, "LLM_PLAINTEXT=1"),
    ],
)
def test_a_key_that_is_missing_or_not_safe_to_send_is_reported_without_it(
    tmp_path: Path, url: str, environ: dict[str, str], named: str
) -> None:
    folder = read_folder(
        a_folder(tmp_path, f'model = "m"\nbase_url = "{url}"\napi_key_variable = "MY_KEY"\n')
    )
    with pytest.raises(FolderError, match=named) as error:
        key_of(folder, environ)
    assert "sk-secret" not in str(error.value)
    assert key_of(folder, {"MY_KEY": "sk-1", "LLM_PLAINTEXT": "1"}) == "sk-1"


def test_an_endpoint_without_a_key_needs_no_variable(tmp_path: Path) -> None:
    assert key_of(read_folder(a_folder(tmp_path)), {}) == ""


def test_the_template_is_a_folder_that_can_be_used_and_is_never_overwritten(tmp_path: Path) -> None:
    made = tmp_path / "deep" / "bot"
    new_folder(made, model='a "b" \\', base_url="https://host/v1", api_key_variable="MY_KEY")
    found = read_folder(made)
    assert (found.model, found.base_url, found.api_key_variable) == (
        'a "b" \\',
        "https://host/v1",
        "MY_KEY",
    )
    assert found.caps == Caps()
    with pytest.raises(FolderError, match="already"):
        new_folder(made, model="m", base_url="https://host/v1", api_key_variable="")
    for wrong in ({"model": ""}, {"base_url": "host"}, {"api_key_variable": "sk-1"}):
        values = {"model": "m", "base_url": "https://host/v1", "api_key_variable": ""} | wrong
        with pytest.raises(FolderError, match="cannot be used"):
            new_folder(tmp_path / "other", **values)
    assert not (tmp_path / "other").exists()
