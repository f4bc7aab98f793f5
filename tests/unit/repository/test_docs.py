"""The documents keep up with the code: commands, targets, games, clauses and links that they name are there."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from arena.cli.app import app
from engine.registry import GAMES
from tests.checkout import ROOT, files, python_files, text

DOCUMENTS = [path for path in files() if path.endswith(".md")]

ELSEWHERE = {
    "the folder it was written in": r"(?<![\w.])/wor[k]\b",
    "somebody's home": r"(?<![\w.])/(roo[t]|hom[e])\b",
    "documents beside the checkout": r"\.\./share[d]|/share[d]/",
    "a registry of packages": r"pyp[i]\.org|pythonhoste[d]|registry\.npmj[s]|crates\.i[o]|proxy\.golan[g]",
    "how the work was organised": r"\bissu[e] \d",
}
"""What a clone cannot follow, as patterns that do not match themselves."""


def parts(group: Any) -> dict[str, Any]:
    """Return the commands of a click group by name; none of what is no group."""
    found: dict[str, Any] = getattr(group, "commands", {})
    return found


def commands(group: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """All commands of the command line that do something, as (words after `arena`, command)."""
    for word, part in parts(group).items():
        if parts(part):
            yield from commands(part, f"{name}{word} ")
        else:
            yield f"{name}{word}", part


ARENA = typer.main.get_command(app)
COMMANDS = dict(commands(ARENA))


def code_of(document: str) -> list[str]:
    """Return the lines of a document's fenced blocks and its inline code, prompts taken off."""
    words = text(document)
    blocks = re.findall(r"^```[^\n]*\n(.*?)^```", words, re.MULTILINE | re.DOTALL)
    lines = [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines()]
    return lines + re.findall(
        r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", words, flags=re.MULTILINE | re.DOTALL)
    )


def without_global_options(words: list[str]) -> list[str]:
    """Return the words after `arena` from the command's name on."""
    flags = {
        option
        for parameter in ARENA.params
        if getattr(parameter, "is_flag", False)
        for option in parameter.opts
    }
    while words and words[0].startswith("-"):
        alone = words[0] in flags | {"--help"} or "=" in words[0]
        words = words[1 if alone else 2 :]
    return words


def follow(words: list[str]) -> Any:
    """Return the command or group that words after `arena` lead to; None if there is none."""
    here: Any = ARENA
    for word in without_global_options(words):
        if not parts(here) or not re.fullmatch(r"[a-z][a-z-]*", word):
            break
        here = parts(here).get(word)
        if here is None:
            break
    return here


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_command_a_document_names_is_there(document: str) -> None:
    called = [line.split()[1:] for line in code_of(document) if line.startswith("arena ")]
    assert not [words for words in called if follow(words) is None]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_make_target_a_document_names_is_there(document: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.MULTILINE))
    called = {match[1] for line in code_of(document) if (match := re.match(r"make ([a-z-]+)", line))}
    assert called <= targets


def test_every_command_is_documented() -> None:
    page = text("docs/cli.md")
    assert not [name for name in COMMANDS if f"arena {name}" not in page]


def options(command: Any) -> set[str]:
    """Return the long options of a command; those of the shell's completion are typer's own."""
    every = {option for parameter in command.params for option in parameter.opts if option.startswith("--")}
    return {option for option in every if not option.endswith("-completion")}


def test_every_option_is_documented() -> None:
    page = text("docs/cli.md")
    every = options(ARENA) | {option for command in COMMANDS.values() for option in options(command)}
    assert not [option for option in sorted(every) if option not in page]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_option_that_a_document_gives_to_a_command_is_there(document: str) -> None:
    for line in code_of(document):
        if line.startswith("arena "):
            words = line.split(" -- ")[0].split()[1:]
            given = {word.split("=")[0] for word in words if re.match(r"--[a-z]", word)}
            known = options(ARENA) | options(follow(words)) | {"--help"}
            assert given <= known, line


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_page_of_rules(game: str) -> None:
    assert (ROOT / "docs" / "rules" / f"{game}.md").is_file()


@pytest.mark.parametrize("game", GAMES)
def test_the_changelog_names_the_version_of_the_rules(game: str) -> None:
    assert f"| rules of `{game}` | {GAMES[game].spec.rules_version} |" in text("CHANGELOG.md")


def test_every_target_of_the_makefile_is_explained() -> None:
    shown = set(re.findall(r"^([a-z-]+):.*## ", text("Makefile"), re.MULTILINE))
    page = text("docs/development.md")
    assert not [target for target in shown if f"`make {target}`" not in page]


def letters(game: str) -> set[str]:
    """Return what the numbers of a game's clauses begin with."""
    return set(re.findall(r"^- \*\*([A-Z])[1-9]", text(f"docs/rules/{game}.md"), re.MULTILINE))


def test_the_clauses_of_every_game_have_a_letter_of_its_own() -> None:
    every = [letter for game in GAMES for letter in letters(game)]
    assert len(every) == len(set(every)) == len(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_that_a_test_cites_is_on_the_page_of_its_game(game: str) -> None:
    (letter,) = letters(game)
    defined = set(re.findall(rf"\b{letter}\d+\b", text(f"docs/rules/{game}.md")))
    cited = {
        (path, clause)
        for path in python_files("tests", "engine", "arena", "sample_bots")
        for clause in re.findall(rf"\b{letter}[1-9]\d*\b", re.sub("noqa: .*", "", text(path)))
    }
    assert not {(path, clause) for path, clause in cited if clause not in defined}


def test_every_row_of_bad_behaviour_that_a_test_cites_is_in_the_table() -> None:
    defined = set(re.findall(r"^\| (\d+) \|", text("docs/bad_inputs.md"), re.MULTILINE))
    cited = {
        (path, row)
        for path in python_files("tests", "arena")
        for rows in re.findall(r"\brows? (\d+(?:(?:, | and |-)\d+)*)", text(path), re.IGNORECASE)
        for row in re.findall(r"\d+", rows)
    }
    assert cited
    assert not {(path, row) for path, row in cited if row not in defined}


def test_every_row_of_bad_behaviour_has_a_test_that_names_it() -> None:
    defined = {int(row) for row in re.findall(r"^\| (\d+) \|", text("docs/bad_inputs.md"), re.MULTILINE)}
    named = {
        int(row)
        for path in python_files("tests")
        for rows in re.findall(
            r"\brows? (\d+(?:(?:, | and )\d+)*)|_rows?_(\d+(?:_and_\d+)*)", text(path), re.IGNORECASE
        )
        for row in re.findall(r"\d+", " ".join(rows))
    }
    zoo = "".join(text(f"tests/system/misbehaving/{name}.toml") for name in ("zoo", "hosted"))
    shown = {
        int(row)
        for rows in re.findall(r"^rows = (.*)", zoo, re.MULTILINE)
        for row in re.findall(r"\d+", rows)
    }
    assert defined - named - shown == set()


def anchors(document: str) -> set[str]:
    """Return the anchors of a document's headings, as they are shown on the web."""
    headings = re.findall(r"^#+ +(.+)$", text(document), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_leads_somewhere(document: str) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", text(document)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (ROOT / document).parent / path if path else ROOT / document
        assert target.exists(), f"{document} links to {link}"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target.resolve().relative_to(ROOT).as_posix()), (
                f"{document} links to {link}"
            )


def test_every_document_that_a_file_names_is_there() -> None:
    printed = set(re.findall(r"^\*\*`(docs/[\w/]+\.md)`\*\*$", text("docs/adding_a_game.md"), re.MULTILINE))
    named = {
        (path, document)
        for path in files()
        if Path(path).suffix in {".py", ".proto", ".md", ".toml", ".sh", ""}
        for document in re.findall(r"\bdocs/[\w/]+\.md\b", text(path))
    }
    assert not {
        (path, document)
        for path, document in named
        if document not in printed and not (ROOT / document).is_file()
    }


@pytest.mark.parametrize("what", ELSEWHERE)
def test_no_file_names_what_a_clone_cannot_follow(what: str) -> None:
    pattern = re.compile(ELSEWHERE[what])
    found = [
        f"{path}: {match[0]}"
        for path in files()
        for match in [pattern.search(text(path))]
        if match is not None
    ]
    assert not found


PROTOC_LINES = [
    (document, line.strip())
    for document in ("docs/protocol.md", "docs/bots/another_language.md")
    for line in text(document).replace("\\\n", " ").splitlines()
    if line.strip().startswith("protoc ")
]


@pytest.mark.parametrize(("document", "line"), PROTOC_LINES)
def test_the_protoc_lines_of_the_pages_generate_messages_in_a_checkout(
    document: str, line: str, tmp_path: Path
) -> None:
    """Their folders and files; with Python as the language, since the tools for others are not on every machine."""
    (tmp_path / "proto").symlink_to(ROOT / "proto")
    (tmp_path / "gen").mkdir()
    messages = re.sub(r'--grpc_out=gen --plugin=\S+="\$\(command -v \w+\)"', "", line)
    messages = re.sub(r"--(ruby|php)_out", "--python_out", messages)
    script = f'protoc() {{ "$PYTHON" -m grpc_tools.protoc "$@"; }}\n{messages}'

    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env={"PYTHON": sys.executable}, capture_output=True, check=False
    )

    assert done.returncode == 0, (document, done.stderr)
    names = {path.name for path in (tmp_path / "gen").rglob("*.py")}
    assert {"play_pb2.py", *(f"{game}_pb2.py" for game in GAMES)} <= names


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    required = [
        *project["dependencies"],
        *(one for extra in project["optional-dependencies"].values() for one in extra),
    ]
    names = {re.split(r"[^\w-]", requirement)[0] for requirement in required}
    page = text("docs/dependencies.md")
    companions = ("types-grpcio-",)
    assert not [name for name in sorted(names) if name not in page and not name.startswith(companions)]


EVALUATIONS = {
    "cpp": "random.cpp",
    "go": "random/main.go",
    "java": "src/main/java/RandomBot.java",
    "rust": "src/bin/random.rs",
    "typescript": "src/random.ts",
}
"""Where the page of each language has its example of an evaluation from: a file that the build of the bots compiles."""


@pytest.mark.parametrize("language", EVALUATIONS)
def test_the_example_of_an_evaluation_is_code_of_the_random_bot(language: str) -> None:
    page = text(f"docs/bots/{language}.md").partition("**An [evaluation]")[2]
    example = [
        line.strip() for line in re.split(r"^ *```.*$", page, maxsplit=2, flags=re.MULTILINE)[1].splitlines()
    ]
    source = [line.strip() for line in text(f"sample_bots/{language}/{EVALUATIONS[language]}").splitlines()]
    code = [line for line in example if line]
    assert len(code) >= 3
    assert code in [source[start : start + len(code)] for start in range(len(source))]
