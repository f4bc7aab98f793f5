"""bot.toml is read as docs/submitting.md says, and each fault of it is named with its key."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import ArenaError, ErrorReason, InvalidArgumentError
from arena.submissions.manifest import (
    Grant,
    Manifest,
    check_command,
    check_games,
    check_limits,
    check_runtime,
    parse_manifest,
    read_manifest,
)

LEAST = 'command = ["./bot"]\ngames = ["caravan"]\nruntime = "go"\n'

MOST = """
command = ["java", "-jar", "bot.jar"]
build = ["javac", "Bot.java"]
games = ["caravan", "caravanserai"]
runtime = "java"
language = "kotlin"
strict = true

[limits]
memory_mib = 512
cores = 2
pids = 100
build_seconds = 600
"""

FAULTS = {
    "command = 1": ("command", "must be a list"),
    'command = "python bot.py"': ("command", "must be a list"),
    "command = []": ("command", "is empty"),
    'command = [""]': ("command", "is empty"),
    "command = [1]": ("command", "must be a list"),
    'command = ["/bin/sh"]': ("command", "'/bin/sh'"),
    'command = ["../bot"]': ("command", "'../bot'"),
    'command = ["bin/"]': ("command", "'bin/'"),
    'command = ["a\\nb"]': ("command", "cannot be printed"),
    f"command = {['x'] * 65}": ("command", "longer than 64"),
    f"command = ['{'x' * 5000}']": ("command", "longer than 64"),
    'build = "make"': ("build", "must be a list"),
    "build = []": ("build", "is empty"),
    'build = ["/usr/bin/make"]': ("build", "'/usr/bin/make'"),
    "games = []": ("games", "name 1 to 32"),
    'games = "caravan"': ("games", "must be a list"),
    'games = ["Caravan"]': ("games", "'Caravan'"),
    'games = ["caravan", "caravan"]': ("games", "twice"),
    'runtime = "Perl 5"': ("runtime", "'Perl 5'"),
    "runtime = 3": ("runtime", "name of 1 to 32"),
    'language = ""': ("language", "1 to 32"),
    "language = 1": ("language", "1 to 32"),
    'strict = "yes"': ("strict", "true or false"),
    "limits = 3": ("limits", "table"),
    "[limits]\nmemory_mib = 15": ("limits.memory_mib", "16 to 65536"),
    "[limits]\nmemory_mib = 65537": ("limits.memory_mib", "16 to 65536"),
    "[limits]\ncores = 0": ("limits.cores", "1 to 64"),
    "[limits]\ncores = 1.5": ("limits.cores", "whole number"),
    "[limits]\nmemory_mib = 256.0": ("limits.memory_mib", "whole number"),
    "[limits]\npids = true": ("limits.pids", "whole number"),
    "[limits]\npids = 0": ("limits.pids", "1 to 256"),
    "[limits]\nbuild_seconds = 601": ("limits.build_seconds", "1 to 600"),
    "comand = 1": ("comand", "did you mean command?"),
    "memory_mib = 64": ("memory_mib", "did you mean limits.memory_mib?"),
    "pids = 64": ("pids", "did you mean limits.pids?"),
    "[limits]\nmemory = 64": ("limits.memory", "did you mean limits.memory_mib?"),
    "xyzzy = 1": ("xyzzy", "there are command, build, games"),
    f"[limits]\nmemory_mib = {'9' * 5000}": ("", "too many digits"),
    f"[limits]\nmemory_mib = -{'9' * 5000}": ("", "too many digits"),
    f"[limits]\nmemory_mib = 0x{'f' * 9000}": ("limits.memory_mib", "too large"),
    f"[limits]\nmemory_mib = 1{'_1' * 5000}": ("", "too many digits"),
    f"[limits]\n{'.'.join('a' * 502)} = 1": ("", "500 dots"),
    "command = [": ("", "not TOML"),
    f"xyzzy = {'[' * 10_000}": ("", "not TOML"),
}
"""A line too many or in place of the one with the same key, the key that is named, and words of the sentence."""


def with_line(line: str) -> str:
    """Return the shortest manifest with this line, and without its own of the same key."""
    key = line.partition(" ")[0]
    others = [other for other in LEAST.splitlines() if not other.startswith(f"{key} ")]
    return "\n".join([*others, line])


def test_the_shortest_manifest_gets_the_defaults() -> None:
    assert parse_manifest(LEAST) == Manifest(
        ("./bot",), (), ("caravan",), "go", "go", 256, 1, 64, 120, strict=False
    )


def test_everything_that_a_manifest_says_is_taken() -> None:
    manifest = parse_manifest(MOST)
    assert manifest == Manifest(
        command=("java", "-jar", "bot.jar"),
        build=("javac", "Bot.java"),
        games=("caravan", "caravanserai"),
        runtime="java",
        language="kotlin",
        memory_mib=512,
        cores=2,
        pids=100,
        build_seconds=600,
        strict=True,
    )


@pytest.mark.parametrize("line", FAULTS, ids=range(len(FAULTS)))
def test_a_fault_is_named_with_its_key(line: str) -> None:
    key, words = FAULTS[line]
    with pytest.raises(InvalidArgumentError, match=re.escape(words)) as refused:
        parse_manifest(with_line(line))
    assert refused.value.reason is ErrorReason.MANIFEST_INVALID
    assert refused.value.metadata == {"key": key}
    assert refused.value.sentence.startswith("bot.toml: ")
    assert not refused.value.sentence.endswith(("?.", ".."))


@pytest.mark.parametrize("key", ["command", "games", "runtime"])
def test_a_missing_key_is_named_with_an_example(key: str) -> None:
    text = "\n".join(line for line in LEAST.splitlines() if not line.startswith(key))
    with pytest.raises(InvalidArgumentError, match=rf"{key} is missing.* {key} = "):
        parse_manifest(text)


def test_a_command_of_the_runtime_binary_starts_a_file() -> None:
    text = LEAST.replace('"go"', '"binary"')
    assert parse_manifest(text).runtime == "binary"
    with pytest.raises(InvalidArgumentError, match=r"'sh'.* such as \./bot") as error:
        parse_manifest(text.replace("./bot", "sh"))
    assert error.value.metadata == {"key": "command"}


@pytest.mark.parametrize("key", ["cores", "memory_mib"])
def test_no_program_gets_more_than_the_arena_gives(key: str) -> None:
    manifest = parse_manifest(f"{LEAST}[limits]\ncores = 4\nmemory_mib = 2048\n")
    check_limits(manifest, Grant(4, 2048))
    with pytest.raises(InvalidArgumentError) as error:
        check_limits(manifest, replace(Grant(4, 2048), **{key: 3 if key == "cores" else 2047}))
    assert error.value.reason is ErrorReason.MANIFEST_INVALID
    assert error.value.metadata == {"key": f"limits.{key}"}


def test_a_runtime_that_is_not_there_is_named_with_those_that_are_and_the_nearest_one() -> None:
    manifest = parse_manifest(LEAST.replace('"go"', '"rubi"'))
    check_runtime(manifest, {"rubi", "go"})
    with pytest.raises(
        InvalidArgumentError, match=r"'rubi' here; did you mean ruby\? There are go, ruby"
    ) as error:
        check_runtime(manifest, {"ruby", "go"})
    assert error.value.reason is ErrorReason.MANIFEST_INVALID
    assert error.value.metadata == {"key": "runtime"}


def refused(text: str) -> ArenaError | None:
    """Return what is said of a manifest, if it is refused."""
    try:
        parse_manifest(text)
    except ArenaError as error:
        return error
    return None


def toml(value: object) -> str:
    """Return a value as TOML has it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


@given(text=st.text() | st.text(alphabet='ab"[]={}\n.,\'#\\"1 '))
def test_any_text_is_a_manifest_or_a_fault_in_one_line(text: str) -> None:
    error = refused(text)
    assert error is None or error.reason is ErrorReason.MANIFEST_INVALID
    assert error is None or error.sentence.isprintable()


@given(
    values=st.dictionaries(
        st.sampled_from(["command", "build", "games", "runtime", "language", "strict", "limits"]),
        st.recursive(
            st.booleans() | st.integers() | st.floats(0, 9) | st.sampled_from(["go", "caravan", "./bot"]),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.just("pids"), inner, max_size=1),
            max_leaves=5,
        ),
    )
)
def test_values_of_any_kind_are_taken_or_refused(values: dict[str, object]) -> None:
    error = refused("\n".join(f"{key} = {toml(value)}" for key, value in values.items()))
    assert error is None or error.reason is ErrorReason.MANIFEST_INVALID
    assert error is None or "TOML" not in error.sentence


def test_a_byte_order_mark_is_passed_over() -> None:
    assert read_manifest(b"\xef\xbb\xbf" + LEAST.encode()) == parse_manifest(LEAST)


def test_a_game_that_is_not_there_is_named_with_those_that_are() -> None:
    manifest = parse_manifest(MOST)
    check_games(manifest, {"caravan", "caravanserai", "wasteland"})
    with pytest.raises(InvalidArgumentError, match=r"'caravanserai'.* caravan, wasteland"):
        check_games(manifest, {"wasteland", "caravan"})


@pytest.mark.parametrize(
    ("first", "build", "good"),
    [
        ("python", "", True),
        ("./bot", "", True),
        ("bin/../bot", "", None),
        (".//bot", "", True),
        ("./plain", "", False),
        ("./missing", "", False),
        ("./missing", 'build = ["make"]', True),
    ],
)
def test_a_command_must_exist_unless_it_is_built(first: str, build: str, good: bool | None) -> None:
    text = LEAST.replace("./bot", first) + build
    if good is None:
        with pytest.raises(InvalidArgumentError):
            parse_manifest(text)
        return
    files = {"bot": True, "plain": False}
    if good:
        check_command(parse_manifest(text), files)
    else:
        with pytest.raises(InvalidArgumentError, match=re.escape(first)):
            check_command(parse_manifest(text), files)


def test_the_manifests_of_the_page_are_valid() -> None:
    page = (Path(__file__).parents[3] / "docs" / "submitting.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(shown) >= 2
    for text in shown:
        parse_manifest(text)
