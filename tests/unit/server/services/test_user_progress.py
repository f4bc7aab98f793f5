"""ListUserProgress: how far each user is, and what prevents their bots from playing."""

from typing import Any

from arena.core.errors import ErrorReason
from arena.sessions.registry import Presence
from arena.store.bots.bots import BotVersionRow, VersionOrigin
from arena.store.bots.submissions import Rejection
from arena.v1 import bot_pb2, user_pb2
from tests.unit.server.services.harness import Arena
from tests.unit.store.store_fixture import StoreFixture

Kind = user_pb2.UserProgress.Problem


def progress_of(arena: Arena, user: str) -> Any:
    listing = arena.call("ListUserProgress", "organiser", page_size=100).progress
    [found] = [each for each in listing if each.user.name == f"users/{user}"]
    return found


def kinds(progress: Any) -> list[Any]:
    return [each.kind for each in progress.problems]


def test_a_new_user_has_not_joined(arena: Arena) -> None:
    arena.call("ImportUsers", "organiser", entries=[user_pb2.RosterEntry(user_id="s01", full_name="Ada")])
    new = progress_of(arena, "s01")
    assert (new.user.full_name, new.joined, new.connected, new.submitted) == ("Ada", False, False, False)
    assert (list(new.bots), kinds(new), new.HasField("last_use_time")) == ([], [], False)


def test_who_uses_a_token_has_joined(arena: Arena) -> None:
    assert not progress_of(arena, "ada").joined
    arena.call("GetOwnToken", "ada")
    assert progress_of(arena, "ada").joined
    assert progress_of(arena, "ada").last_use_time.ToMicroseconds() == arena.now_us


def test_who_accepts_an_invite_has_joined_before_the_token_is_used(arena: Arena) -> None:
    code = arena.call("CreateInvite", "organiser", uses=1).code
    arena.call("AcceptInvite", None, code=code, user_id="yan")
    assert progress_of(arena, "yan").joined


def test_a_bot_that_connected_once_counts_and_one_that_is_on_no_ladder_is_a_problem(arena: Arena) -> None:
    registered = progress_of(arena, "ada")
    assert (list(registered.bots), kinds(registered)) == (["bots/ant"], [Kind.KIND_NOT_ENTERED])
    assert "not connected" in registered.problems[0].sentence
    version = BotVersionRow("ant", "1.0", VersionOrigin.DECLARED, "rust", 5)
    arena.change(lambda tx: tx.bots.ensure_version(version))
    arena.runtime.presences["ant"] = Presence(connections=1, capacity=4, playing=2)
    now = progress_of(arena, "ada")
    assert (now.connected, now.playing, kinds(now)) == (True, 2, [Kind.KIND_NOT_ENTERED])


def test_a_bot_that_is_not_used_is_no_problem_while_another_one_is_on_a_ladder(arena: Arena) -> None:
    db = StoreFixture(arena.store)
    db.populate("bee")
    owner = arena.call("GetBot", "organiser", name="bots/bee").bot.owner.removeprefix("owners/")
    before = progress_of(arena, owner)
    arena.call("CreateBot", "organiser", bot_id="cat", owner=f"owners/{owner}")
    after = progress_of(arena, owner)
    assert (len(after.bots), kinds(after)) == (len(before.bots) + 1, kinds(before))


def test_a_bot_of_a_ladder_that_is_gone_is_a_problem(arena: Arena) -> None:
    db = StoreFixture(arena.store)
    db.populate("bee")
    owner = arena.call("GetBot", "organiser", name="bots/bee").bot.owner.removeprefix("owners/")
    gone = progress_of(arena, owner)
    assert Kind.KIND_NOT_CONNECTED in kinds(gone)
    assert gone.problems[0].unavailable_reason == bot_pb2.UNAVAILABLE_REASON_NOT_CONNECTED
    assert gone.problems[0].sentence.startswith("bee ")
    arena.runtime.presences["bee"] = Presence(connections=1, capacity=1, paused="it failed too often")
    assert Kind.KIND_PAUSED in kinds(progress_of(arena, owner))
    arena.runtime.presences["bee"] = Presence(connections=1)
    [full] = [each for each in progress_of(arena, owner).problems if each.bot == "bots/bee"]
    assert (full.kind, full.unavailable_reason) == (
        Kind.KIND_NO_CAPACITY,
        bot_pb2.UNAVAILABLE_REASON_NO_CAPACITY,
    )
    arena.call("SetBotHidden", "organiser", name="bots/bee", hidden=True)
    assert "bots/bee" not in [each.bot for each in progress_of(arena, owner).problems]


def test_a_submission_that_was_rejected_is_named_with_its_reason(arena: Arena) -> None:
    made = arena.change(lambda tx: tx.submissions.add("ant", "ada", "ab" * 32, 10, arena.now_us))
    refused = Rejection(ErrorReason.BUILD_FAILED, "The build failed.", "private output")
    arena.change(lambda tx: tx.submissions.reject(made.number, refused, arena.now_us))
    rejected = progress_of(arena, "ada")
    assert (rejected.submitted, rejected.admitted, kinds(rejected)) == (True, False, [Kind.KIND_REJECTED])
    assert "BUILD_FAILED" in rejected.problems[0].sentence
    assert "private output" not in str(rejected)
    StoreFixture(arena.store, arena.now_us).submit("ant", "cd" * 32)
    assert progress_of(arena, "ada").admitted
