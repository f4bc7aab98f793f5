"""Commands show each announcement once per person, after their output, and ask for none without news."""

import json

import grpc
import pytest

from arena.cli.framework.joined_arenas import accounts_file
from tests.unit.cli.conftest import Run
from tests.unit.cli.fake_arena import FakeArena, Refusal

DOORS = 'announcements { name: "announcements/1" text: "Doors [b]open" create_time { seconds: 1000 } }'
CLOSES = (
    'announcements { name: "announcements/2" text: "Closes at\\n18\\033[31m" create_time { seconds: 2000 } '
    "expire_time { seconds: 9000 } }"
)
KEY = "arena-announced-us"


@pytest.fixture
def news(fake: FakeArena) -> FakeArena:
    """Return an arena with one announcement."""
    fake.answers |= {"ListBots": 'bots { name: "bots/ant" }', "ListAnnouncements": DOORS}
    fake.trailing = ((KEY, "1000000000"),)
    return fake


def asked(arena: FakeArena) -> int:
    return len(arena.requests("ListAnnouncements"))


def test_an_announcement_is_shown_once_on_stderr_and_only_then_asked_for(news: FakeArena, ask: Run) -> None:
    first, second = ask("bot", "list"), ask("bot", "list")
    assert "Doors [b]open" in first.stderr
    assert "Doors" not in first.stdout
    assert second.stderr == ""
    assert asked(news) == 1


def test_only_what_is_new_is_shown_and_control_characters_never(news: FakeArena, ask: Run) -> None:
    ask("bot", "list")
    news.answers["ListAnnouncements"] = DOORS + CLOSES
    news.trailing = ((KEY, "2000000000"),)
    shown = ask("bot", "list").stderr
    assert "Doors" not in shown
    assert "Closes at 18\N{REPLACEMENT CHARACTER}[31m" in shown
    assert len(shown.splitlines()) == 1


def test_json_on_stdout_stays_json(news: FakeArena, ask: Run) -> None:
    result = ask("bot", "list", "--format", "json")
    assert json.loads(result.stdout)["bots"][0]["name"] == "bots/ant"
    assert "Doors" in result.stderr


def test_what_the_command_itself_shows_is_not_shown_again(news: FakeArena, ask: Run) -> None:
    assert "Doors" not in ask("announcement", "list").stderr
    assert "Doors" not in ask("bot", "list").stderr


def test_who_announces_something_is_shown_what_others_have_announced_before(
    news: FakeArena, ask: Run
) -> None:
    news.answers["CreateAnnouncement"] = "announcement { create_time { seconds: 2000 } }"
    news.answers["ListAnnouncements"] = DOORS + CLOSES
    news.trailing = ((KEY, "2000000000"),)
    shown = ask("announcement", "create", "Closes").stderr
    assert ("Doors" in shown, "Closes" in shown) == (True, False)
    assert ask("bot", "list").stderr == ""


@pytest.mark.parametrize("content", ["{", "[]", '{"x": "y"}'])
def test_a_broken_file_of_what_was_seen_is_as_none(news: FakeArena, ask: Run, content: str) -> None:
    file = accounts_file().with_name("announcements.json")
    file.parent.mkdir(parents=True)
    file.write_text(content)
    assert "Doors" in ask("bot", "list").stderr
    assert ask("bot", "list").stderr == ""


def test_where_nothing_can_be_kept_the_command_works_all_the_same(news: FakeArena, ask: Run) -> None:
    accounts_file().with_name("announcements.json").mkdir(parents=True)
    for _ in range(2):
        result = ask("bot", "list")
        assert result.exit_code == 0
        assert "Doors" in result.stderr


@pytest.mark.parametrize("value", ["", "soon", "-5", "9" * 5000, "²"])
def test_strange_metadata_is_no_news(news: FakeArena, ask: Run, value: str) -> None:
    news.trailing = ((KEY, value),) if value.isascii() else ()
    news.answers["ListAnnouncements"] = ""
    assert ask("bot", "list").exit_code == 0


def test_an_arena_that_refuses_the_listing_breaks_no_command(news: FakeArena, ask: Run) -> None:
    news.answers["ListAnnouncements"] = Refusal(grpc.StatusCode.PERMISSION_DENIED, "No.")
    result = ask("bot", "list")
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("until", ["soon", "9999-12-31T23:00-14:00", "0001-01-01T00:00+14:00", "5x"])
def test_a_time_that_is_none_is_an_error_of_the_command_line(ask: Run, until: str) -> None:
    result = ask("announcement", "create", "Closed", "--until", until)
    assert result.exit_code == 2
    assert "--until" in result.stderr
