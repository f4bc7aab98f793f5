"""What owners write is text in pages, exported files and tables: never markup, a script, a formula or a template."""

import csv
import io
import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.system.pages.conftest import DESCRIPTION, LANGUAGE, REASON, VERSION, World
from tests.system.pages.pages_process import PagesProcess
from tests.system.pages.reader import Reader

OWN_SCRIPTS = {"htmx.min.js", "htmx-sse.min.js", "site.js"}
NEVER = {"img", "b", "base", "object", "embed"}
"""Elements that no page has, but the hostile texts."""


class Document(HTMLParser):
    """The elements, attributes and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element."""
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        """Keep text."""
        self.text += data


def check(html: str, place: str) -> Document:
    """Check that a page has nothing that is not its own."""
    document = Document(html)
    for tag, attributes in document.elements:
        assert tag not in NEVER, place
        assert not [name for name in attributes if name.startswith("on")], place
        links = [attributes[name] for name in ("href", "src", "action") if name in attributes]
        assert not [link for link in links if ":" in link.partition("/")[0]], (place, links)
        if tag == "script" and "src" in attributes:
            assert Path(attributes["src"]).name in OWN_SCRIPTS, place
    return document


def scripts(document: Document) -> int:
    """Return the number of scripts within the page."""
    return sum(tag == "script" and "src" not in attributes for tag, attributes in document.elements)


@pytest.mark.parametrize(
    "place", ["", "bots", "bots/bee", "ladders/open", "matches", "now", "wall", "{public}", "{void}"]
)
def test_texts_of_owners_are_text_on_every_page(world: World, pages: PagesProcess, place: str) -> None:
    named = place.format(public=world.public, void=world.void)
    document = check(pages.get(named).text, named)
    assert scripts(document) == 0


@pytest.mark.parametrize(
    "place",
    [
        *(
            "account",
            "account/bots/bee",
            "bots/bee",
            "bots/ant/challenge",
            "bots/bee/challenge",
            "bots/bee/play",
        ),
        *("{public}", "{void}", "organiser", "organiser/faults", "organiser/audit", "organiser/queue/open"),
        "organiser/audit?user=%3Csvg%3E&about=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E",
        "sign-in?next=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E",
    ],
)
def test_texts_of_owners_are_text_for_people_who_are_signed_in_too(
    world: World, pages: PagesProcess, place: str
) -> None:
    named = place.format(public=world.public, void=world.void)
    document = check(Reader(pages, world.organiser).get(named).text, named)
    assert scripts(document) == 0


def test_the_reason_of_an_organiser_is_shown_as_it_was_written(world: World, pages: PagesProcess) -> None:
    reader = Reader(pages, world.organiser)
    for place in ("organiser/faults", "organiser/audit?kind=ruling"):
        assert REASON in check(reader.get(place).text, place).text


def test_description_version_and_reason_are_shown_as_they_were_written(
    world: World, pages: PagesProcess
) -> None:
    bot = check(pages.get("bots/bee").text, "bots/bee").text
    assert DESCRIPTION in bot
    assert VERSION in bot
    assert LANGUAGE in bot
    assert REASON in check(pages.get(world.void).text, world.void).text


def test_a_replay_has_its_own_script_alone(world: World, pages: PagesProcess) -> None:
    replay = check(pages.get(f"{world.public}/replay").text, "replay")
    kinds = [attributes.get("type", "") for tag, attributes in replay.elements if tag == "script"]
    assert sorted(kinds) == ["", "application/json"]
    assert "bee" in replay.text


def test_tables_have_the_texts_and_no_formula(world: World, pages: PagesProcess) -> None:
    rows = list(csv.DictReader(io.StringIO(pages.get("ladders/open/standings.csv").text)))
    assert {row["bot"] for row in rows} == {"ant", "bee"}
    for ladder in ("open", "sealed", "live"):
        for what in ("standings", "matches"):
            for row in csv.reader(io.StringIO(pages.get(f"ladders/{ladder}/{what}.csv").text)):
                assert not [cell for cell in row if cell.startswith(("=", "@", "+", "\t"))], row
            assert json.loads(pages.get(f"ladders/{ladder}/{what}.json").text)


def test_exported_files_are_the_same(exported: Path) -> None:
    files = [file for file in exported.rglob("*.html") if file.name != "replay.html"]
    assert len(files) > 8
    for file in files:
        assert scripts(check(file.read_text(), str(file))) == 0
    assert all(file.resolve().is_relative_to(exported.resolve()) for file in exported.rglob("*"))
