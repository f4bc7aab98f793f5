"""BotService over a real connection: bots, their versions, and which of them the arena runs."""

from collections.abc import Callable
from typing import Any

import pytest

from arena.sessions.registry import Presence
from arena.store.accounts.tokens import Role
from arena.store.bots.bots import BotVersionRow, VersionOrigin
from arena.store.store import Store
from arena.v1 import bot_pb2
from tests.unit.server.services.harness import (
    PAGE_TOKEN_INVALID,
    Arena,
    refusal_of,
)
from tests.unit.store.store_fixture import StoreFixture

REQUEST_ID = "8a6e0804-2bd0-4672-b79d-d97027f9071a"


def create(arena: Arena, bot: str, token: str = "ada", **fields: str) -> Any:
    """Return the bot registered."""
    return arena.call("CreateBot", token, bot_id=bot, **fields).bot


def test_an_owner_registers_a_bot(arena: Arena) -> None:
    bot = create(arena, "wasp", description="Stings.")
    assert (bot.name, bot.owner, bot.description, bot.hidden) == ("bots/wasp", "owners/ada", "Stings.", False)
    assert bot.create_time.ToMicroseconds() == arena.now_us
    assert arena.call("GetBot", "bob", name="bots/wasp").bot == bot


def test_an_organiser_registers_a_bot_for_a_new_user(arena: Arena) -> None:
    new = ({"bot_id": bot, "owner": "owners/zoe"} for bot in ("wasp", "bee"))
    made = [arena.call("CreateBot", "organiser", **fields) for fields in new]
    assert [each.bot.owner for each in made] == ["owners/zoe"] * 2
    assert [each.user_made for each in made] == [True, False]


def test_a_request_id_is_free_after_a_refusal_and_for_other_callers(arena: Arena) -> None:
    refusal_of(create, arena, "ant", request_id=REQUEST_ID)
    assert create(arena, "wasp", request_id=REQUEST_ID).name == "bots/wasp"
    assert create(arena, "hornet", "bob", request_id=REQUEST_ID).owner == "owners/bob"


def test_a_bot_shows_its_newest_versions_and_whether_it_is_there(arena: Arena) -> None:
    for n in range(25):
        version = BotVersionRow("ant", f"v{n}", VersionOrigin.DECLARED, "python", arena.now_us + n)
        arena.change(lambda tx, version=version: tx.bots.ensure_version(version))  # type: ignore[misc]
    arena.runtime.presences["ant"] = Presence(connections=2, capacity=5, playing=3, paused="no-shows")
    bot = arena.call("GetBot", "ada", name="bots/ant").bot
    assert [version.name for version in bot.versions] == [f"bots/ant/versions/v{n}" for n in range(24, 4, -1)]
    assert bot.versions[0].language == "python"
    assert (bot.connections, bot.capacity, bot.playing, bot.paused) == (2, 5, 3, "no-shows")


@pytest.mark.parametrize("hosted", [False, True])
def test_the_presence_of_a_bot_is_shown_to_its_owner_alone(arena: Arena, hosted: bool) -> None:
    """A program of the arena is started for a match, so even its connection tells of one."""
    if hosted:
        label = "ab" * 32
        version = BotVersionRow("ant", label, VersionOrigin.SUBMITTED, "python", arena.now_us)
        arena.change(lambda tx: tx.bots.ensure_version(version))
        arena.change(lambda tx: tx.hosting.admitted("ant", label))
    arena.runtime.presences["ant"] = Presence(2, 5, 3, "not ready in time, so it gets no match for 5 s", 1)

    def shown(token: str) -> tuple[int, int, int, str, int]:
        bot = arena.call("GetBot", token, name="bots/ant").bot
        listed = arena.call("ListBots", token).bots
        assert [each for each in listed if each.name == "bots/ant"] == [bot]
        return bot.connections, bot.capacity, bot.playing, bot.paused, bot.hosting.programs

    everything = (2, 5, 3, "not ready in time, so it gets no match for 5 s", int(hosted))
    assert shown("ada") == shown("organiser") == everything
    assert shown("bob") == ((0, 0, 0, "", 0) if hosted else (2, 5, 0, "", 0))


def test_a_bot_whose_owner_may_not_play_says_so(arena: Arena) -> None:
    def paused() -> str:
        message = arena.call("GetBot", "bob", name="bots/ant").bot
        listed = arena.call("ListBots", "bob").bots
        assert [bot.paused for bot in listed if bot.name == "bots/ant"] == [message.paused]
        return str(message.paused)

    assert paused() == ""
    arena.change(lambda tx: tx.users.set_disabled("ada", True))
    assert "disabled" in paused()
    arena.change(lambda tx: tx.users.set_disabled("ada", False))
    arena.change(lambda tx: tx.users.set_role("ada", Role.SPECTATOR))
    assert paused() == "its owner is a spectator"


VERSION = "ab" * 32


def make_hosted(arena: Arena) -> None:
    version = BotVersionRow("ant", VERSION, VersionOrigin.SUBMITTED, "python", arena.now_us)
    arena.change(lambda tx: tx.bots.ensure_version(version))
    arena.change(lambda tx: tx.hosting.admitted("ant", VERSION))


def suspend(arena: Arena) -> None:
    make_hosted(arena)
    arena.change(lambda tx: tx.hosting.suspend("ant", VERSION, "It crashed.", arena.now_us))


UNAVAILABLE = [
    (Presence(), lambda arena: None, bot_pb2.UNAVAILABLE_REASON_NOT_CONNECTED),
    (Presence(1, 2, 1), lambda arena: None, bot_pb2.UNAVAILABLE_REASON_UNSPECIFIED),
    (Presence(1, 2, 2), lambda arena: None, bot_pb2.UNAVAILABLE_REASON_FULL),
    (Presence(1), lambda arena: None, bot_pb2.UNAVAILABLE_REASON_NO_CAPACITY),
    (Presence(1, 2, 0, "it rests"), lambda arena: None, bot_pb2.UNAVAILABLE_REASON_PAUSED),
    (Presence(), make_hosted, bot_pb2.UNAVAILABLE_REASON_UNSPECIFIED),
    (Presence(paused="it rests"), make_hosted, bot_pb2.UNAVAILABLE_REASON_PAUSED),
    (
        Presence(paused="no processor", hosting_unavailable=True),
        make_hosted,
        bot_pb2.UNAVAILABLE_REASON_HOSTING_UNAVAILABLE,
    ),
    (Presence(paused="it crashed"), suspend, bot_pb2.UNAVAILABLE_REASON_SUSPENDED),
    (
        Presence(1, 2),
        lambda arena: arena.change(lambda tx: tx.users.set_disabled("ada", True)),
        bot_pb2.UNAVAILABLE_REASON_OWNER_INACTIVE,
    ),
    (
        Presence(1, 2),
        lambda arena: arena.change(lambda tx: tx.bots.set_hidden("ant", True)),
        bot_pb2.UNAVAILABLE_REASON_HIDDEN,
    ),
]


@pytest.mark.parametrize(("presence", "prepare", "reason"), UNAVAILABLE)
def test_a_bot_says_in_one_word_why_it_gets_no_match(
    arena: Arena, presence: Presence, prepare: Callable[[Arena], object], reason: int
) -> None:
    arena.runtime.presences["ant"] = presence
    prepare(arena)
    assert arena.call("GetBot", "organiser", name="bots/ant").bot.unavailable_reason == reason


def test_the_word_shows_others_nothing_of_matches(arena: Arena) -> None:
    arena.runtime.presences["ant"] = Presence(1, 2, 2)
    assert (
        arena.call("GetBot", "ada", name="bots/ant").bot.unavailable_reason == bot_pb2.UNAVAILABLE_REASON_FULL
    )
    assert arena.call("GetBot", "bob", name="bots/ant").bot.unavailable_reason == 0
    make_hosted(arena)
    arena.runtime.presences["ant"] = Presence(paused="it rests")
    assert arena.call("GetBot", "bob", name="bots/ant").bot.unavailable_reason == 0


def test_only_its_owner_and_organisers_hide_a_bot(arena: Arena) -> None:
    hide = {"name": "bots/ant", "hidden": True}
    assert arena.refusal("SetBotHidden", "bob", **hide).reason == "NOT_OWNER"
    assert arena.runtime.wakes == 0
    assert arena.call("SetBotHidden", "ada", **hide).bot.hidden
    assert arena.runtime.wakes == 1
    assert list(arena.call("ListBots", "bob").bots) == []
    assert not arena.call("SetBotHidden", "organiser", name="bots/ant", hidden=False).bot.hidden


def list_names(arena: Arena, **fields: object) -> tuple[list[str], str]:
    """Return a page of bots by name, and the token of the next."""
    response = arena.call("ListBots", "ada", **fields)
    return [bot.name.removeprefix("bots/") for bot in response.bots], response.next_page_token


def test_a_page_begins_after_the_last_row_of_the_previous_one_even_if_bots_are_added(arena: Arena) -> None:
    for bot in ("bee", "cat"):
        create(arena, bot)
    _, token = list_names(arena, page_size=2)
    create(arena, "aardvark")
    assert list_names(arena, page_size=2, page_token=token) == (["cat"], "")


@pytest.mark.parametrize("flip", [3, 30, None])
def test_row_30_a_changed_page_token_or_filter_is_refused(arena: Arena, flip: int | None) -> None:
    create(arena, "bee")
    _, token = list_names(arena, page_size=1)
    if flip is not None:
        token = token[:flip] + ("B" if token[flip] != "B" else "C") + token[flip + 1 :]
    refused = refusal_of(list_names, arena, page_token=token, show_hidden=flip is None)
    assert refused.status == PAGE_TOKEN_INVALID


def test_a_created_bot_is_on_disk_when_the_call_returns(arena: Arena) -> None:
    create(arena, "wasp")
    second = Store(arena.url)
    assert second.read(lambda tx: tx.bots.get("wasp")).owner == "ada"
    second.close()


OLD, NEW, TWIN = "aa" * 32, "ab" * 32, "ab" * 31 + "cd"
Hosting = bot_pb2.Hosting


@pytest.fixture
def ant(arena: Arena) -> Arena:
    """Two versions of ant were admitted, and one was declared before."""
    declared = BotVersionRow("ant", "1.0", VersionOrigin.DECLARED, "rust", 5)
    arena.change(lambda tx: tx.bots.ensure_version(declared))
    StoreFixture(arena.store, arena.now_us).submit("ant", OLD, NEW)
    return arena


def set_hosting(arena: Arena, token: str = "ada", bot: str = "bots/ant", **fields: Any) -> Any:
    """Choose what the arena runs; return the bot."""
    return arena.call("SetHosting", token, bot=bot, **fields).bot


def pin(arena: Arena, beginning: str, token: str = "ada") -> Any:
    """Do the same with a pinned version."""
    name = f"bots/ant/versions/{beginning}"
    return set_hosting(arena, token, mode=Hosting.MODE_PINNED, version=name).hosting


def test_submitted_versions_are_shown_with_their_program(ant: Arena) -> None:
    newest, _, declared = ant.call("ListVersions", "bob", bot="bots/ant").versions
    assert newest.origin == bot_pb2.BotVersion.ORIGIN_SUBMITTED
    assert (list(newest.program.command), newest.program.runtime) == (["python", "bot.py"], "python")
    assert (newest.program.files, newest.program.bytes, newest.program.memory_mib) == (2, 400, 256)
    assert not declared.HasField("program")


def test_a_version_is_pinned_by_the_beginning_of_its_hash_and_unpinned(ant: Arena) -> None:
    before = ant.call("GetBot", "ada", name="bots/ant").bot.hosting
    assert (before.mode, before.version) == (Hosting.MODE_NEWEST, f"bots/ant/versions/{NEW}")
    pinned = pin(ant, OLD[:6])
    assert (pinned.mode, pinned.version) == (Hosting.MODE_PINNED, f"bots/ant/versions/{OLD}")
    off = set_hosting(ant, mode=Hosting.MODE_OFF).hosting
    assert (off.mode, off.version) == (Hosting.MODE_OFF, "")
    newest = set_hosting(ant, "organiser", mode=Hosting.MODE_NEWEST).hosting
    assert newest.version == f"bots/ant/versions/{NEW}"
    assert ant.runtime.hosting_changes == 3


def test_hosting_that_an_organiser_has_locked_is_turned_on_again_by_organisers_alone(ant: Arena) -> None:
    denied = "PERMISSION_DENIED"
    refused = refusal_of(set_hosting, ant, mode=Hosting.MODE_OFF, lock=True)
    assert refused.status == (denied, "ROLE_REQUIRED")
    assert not set_hosting(ant, mode=Hosting.MODE_OFF).hosting.locked
    set_hosting(ant, mode=Hosting.MODE_NEWEST)
    assert set_hosting(ant, "organiser", mode=Hosting.MODE_OFF, lock=True).hosting.locked
    assert "Only an organiser" in ant.audited()[0].sentence
    for _ in range(2):
        refused = refusal_of(set_hosting, ant, mode=Hosting.MODE_NEWEST)
        assert (refused.status, refused.metadata["bot"]) == ((denied, "HOSTING_LOCKED"), "ant")
        assert refusal_of(pin, ant, OLD).status == (denied, "HOSTING_LOCKED")
        assert set_hosting(ant, mode=Hosting.MODE_OFF).hosting.locked, "an owner's call ends no lock"
    StoreFixture(ant.store, ant.now_us + 10).submit("ant", TWIN)
    assert ant.call("GetBot", "bob", name="bots/ant").bot.hosting.mode == Hosting.MODE_OFF
    on = set_hosting(ant, "organiser", mode=Hosting.MODE_NEWEST).hosting
    assert (on.locked, on.version) == (False, f"bots/ant/versions/{TWIN}")
    assert pin(ant, OLD).version.endswith(OLD)


def test_a_suspension_is_shown_and_ends_with_another_version(ant: Arena) -> None:
    ant.change(lambda tx: tx.hosting.suspend("ant", NEW, "It crashed three times.", 77_000_000))
    shown = ant.call("GetBot", "ada", name="bots/ant").bot.hosting
    assert (shown.benched, shown.retry_time.seconds) == ("It crashed three times.", 77)
    assert not pin(ant, OLD).benched


def test_a_bot_without_a_submitted_version_has_no_hosting(arena: Arena) -> None:
    bot = arena.call("GetBot", "ada", name="bots/ant").bot
    assert not bot.HasField("hosting")
    not_found = ("NOT_FOUND", "VERSION_NOT_FOUND")
    assert refusal_of(set_hosting, arena, mode=Hosting.MODE_NEWEST).status == not_found


def test_an_ambiguous_beginning_of_a_hash_is_not_found(ant: Arena) -> None:
    not_found = ("NOT_FOUND", "VERSION_NOT_FOUND")
    assert refusal_of(pin, ant, "ffffff").status == not_found
    StoreFixture(ant.store, ant.now_us + 10).submit("ant", TWIN)
    assert refusal_of(pin, ant, NEW[:12]).status == not_found
    assert pin(ant, TWIN).version.endswith(TWIN)
