"""AnnouncementService over a real connection: who may announce, how long it is in force, and how a client knows."""

import asyncio
from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from arena.server.announcements_in_force import ANNOUNCED_KEY, MOST_IN_FORCE, AnnouncementsInForce
from arena.store.accounts.tokens import Role, Scope
from arena.store.audit.entries import AuditKind
from arena.v1 import announcement_pb2 as pb
from tests.unit.server.services.harness import DAY_US, FIELD_INVALID, Arena

NOT_FOUND = ("NOT_FOUND", "ANNOUNCEMENT_NOT_FOUND")


def at(us: int) -> Timestamp:
    time = Timestamp()
    time.FromMicroseconds(us)
    return time


def announce(arena: Arena, text: str = "Lunch.", ahead_us: int | None = None) -> pb.Announcement:
    fields: dict[str, Any] = {} if ahead_us is None else {"expire_time": at(arena.now_us + ahead_us)}
    made: pb.Announcement = arena.call("CreateAnnouncement", "organiser", text=text, **fields).announcement
    return made


def texts(arena: Arena, who: str = "ada") -> list[str]:
    return [each.text for each in arena.call("ListAnnouncements", who).announcements]


def announced_us(runner: asyncio.Runner, arena: Arena, method: str, who: str) -> str | None:
    """Return what the metadata of an answer says."""

    async def ask() -> Any:
        call = arena.open(method, who)
        await call
        return dict(await call.trailing_metadata()).get(ANNOUNCED_KEY)

    found: str | None = runner.run(ask())
    return found


def test_everybody_with_a_token_but_a_bot_reads_what_an_organiser_announces(arena: Arena) -> None:
    arena.add_token("sam", Role.SPECTATOR, "sam")
    made = announce(arena, "  The ladder closes at 18:00. ")
    assert made.name == "announcements/1"
    for who in ("organiser", "ada", "sam"):
        assert texts(arena, who) == ["The ladder closes at 18:00."]
    assert arena.refusal("ListAnnouncements", "ant").reason == "ROLE_REQUIRED"
    assert arena.refusal("ListAnnouncements", None).reason == "TOKEN_MISSING"
    for who in ("ada", "sam"):
        assert arena.refusal("CreateAnnouncement", who, text="Hello.").reason == "ROLE_REQUIRED"
        assert arena.refusal("DeleteAnnouncement", who, name=made.name).reason == "ROLE_REQUIRED"


def test_an_announcement_is_in_force_until_its_end_or_its_deletion(arena: Arena) -> None:
    announce(arena, "short", 10)
    long = announce(arena, "long", DAY_US)
    announce(arena, "for ever")
    assert texts(arena) == ["short", "long", "for ever"]
    arena.now_us += 10
    assert texts(arena) == ["long", "for ever"]
    assert arena.refusal("DeleteAnnouncement", "organiser", name="announcements/1").status == NOT_FOUND
    assert arena.call("DeleteAnnouncement", "organiser", name=long.name).announcement == long
    assert texts(arena) == ["for ever"]
    assert arena.refusal("DeleteAnnouncement", "organiser", name=long.name).status == NOT_FOUND


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("text", ""),
        ("text", "   "),
        ("text", "x" * 501),
        ("text", "two\nlines"),
        ("text", "\x1b[31mred"),
        ("text", "\N{RIGHT-TO-LEFT OVERRIDE}gnorw"),
        ("expire_time", at(1)),
        ("expire_time", at(1_700_000_000_000_000)),
        ("expire_time", at(1_700_000_000_000_000 + 3_651 * DAY_US)),
        ("expire_time", Timestamp(seconds=10**15)),
        ("expire_time", Timestamp(seconds=1_700_000_100, nanos=-1)),
    ],
)
def test_a_text_or_an_end_out_of_bounds_is_refused(arena: Arena, field: str, value: object) -> None:
    refused = arena.refusal("CreateAnnouncement", "organiser", **{"text": "Lunch.", field: value})
    assert (refused.status, refused.metadata["field"]) == (FIELD_INVALID, field)
    assert texts(arena) == []


def test_no_more_than_a_page_can_show_are_in_force(arena: Arena) -> None:
    for number in range(MOST_IN_FORCE):
        announce(arena, "x" * 500, 10 + number)
    full = arena.refusal("CreateAnnouncement", "organiser", text="one more")
    assert full.status == ("RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED")
    arena.now_us += 10
    announce(arena, "one more")
    assert len(texts(arena)) == MOST_IN_FORCE


def test_decisions_are_in_the_audit_trail(arena: Arena) -> None:
    name = announce(arena, "The ladder closes.").name
    arena.call("DeleteAnnouncement", "organiser", name=name)
    deleted, created = arena.audited()[:2]
    assert [each.kind for each in (created, deleted)] == [AuditKind.EVENT] * 2
    for entry in (created, deleted):
        assert entry.about == (name,)
        assert "The ladder closes." in entry.sentence
        assert entry.actor is not None


def test_answers_say_when_the_newest_one_in_force_was_created(runner: asyncio.Runner, arena: Arena) -> None:
    assert announced_us(runner, arena, "ListBots", "ada") is None
    first = announce(arena, "for ever")
    second = announce(arena, "short", 100)
    times = [each.create_time.ToMicroseconds() for each in (first, second)]
    assert times == [arena.now_us, arena.now_us + 1], "two of one moment differ"
    assert announced_us(runner, arena, "ListBots", "ada") == str(times[1])
    assert announced_us(runner, arena, "ListGames", "ada") is None, "a method without a token"
    arena.add_token("narrow", Role.OWNER, "ada", scopes=frozenset({Scope.TOKENS}))
    assert announced_us(runner, arena, "ListTokens", "narrow") is None, "a token that may not list them"
    arena.now_us += 100
    assert announced_us(runner, arena, "ListBots", "ada") == str(times[0])
    arena.call("DeleteAnnouncement", "organiser", name=first.name)
    assert announced_us(runner, arena, "ListBots", "ada") is None


def test_a_restarted_arena_knows_what_is_in_force(runner: asyncio.Runner, arena: Arena) -> None:
    announce(arena, "ended", 5)
    lasting = announce(arena, "lasting", 50)
    arena.now_us += 5
    again = AnnouncementsInForce(lambda: arena.now_us)
    runner.run(again.load(arena.database))
    assert again.newest_us() == lasting.create_time.ToMicroseconds()
    arena.now_us += 50
    assert again.newest_us() is None
