"""MatchService over a real connection."""

from random import Random
from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from arena.core.match import MatchState, SeedPolicy
from arena.core.seeds import match_seed
from arena.match_log.framing import chain_end, pack, signature_record
from arena.store.audit.entries import AuditKind
from arena.store.bots.bots import BotRow
from arena.store.ladders.recompute import recompute
from arena.store.matches.results import MatchReport
from arena.store.store import Transaction
from arena.v1 import ending_pb2, match_log_pb2, match_pb2
from engine.randomness import commitment
from tests.unit.server.services.harness import KEYS, Arena, refusal_of
from tests.unit.store.store_fixture import StoreFixture, a_result

RECORDS = [
    match_log_pb2.LogRecord(
        header=match_log_pb2.LogHeader(seed_commitment=Random(1).randbytes(150_000))
    ).SerializeToString(),
    match_log_pb2.LogRecord(footer=match_log_pb2.LogFooter()).SerializeToString(),
]
LOG = pack([*RECORDS, signature_record(bytes(64))])
"""Long, since nothing in it can be compressed."""
NAME = chain_end(RECORDS).hex()


def get(arena: Arena, match: int, who: str = "ada") -> Any:
    """Return the match as it is shown."""
    return arena.call("GetMatch", who, name=f"matches/{match}").match


def matches_listed(arena: Arena, who: str, **which: object) -> list[match_pb2.Match]:
    """Return the matches listed."""
    return list(arena.call("ListMatches", who, **which).matches)


def download(arena: Arena, match: int) -> list[bytes]:
    """Return the pieces of its log."""
    return [each.chunk for each in arena.call("DownloadMatchLog", "bob", name=f"matches/{match}")]


def test_a_pending_match_shows_its_bots_but_no_seed(arena: Arena, db: StoreFixture) -> None:
    match = get(arena, db.pair("bee", "cat")[1], "organiser")
    assert (match.name, match.ladder) == ("matches/2", "ladders/main")
    assert (match.group, match.group_index) == ("g1", 1)
    assert match.state == match_pb2.MATCH_STATE_PENDING
    assert [(seat.bot, seat.bot_version) for seat in match.seats] == [("bots/cat", ""), ("bots/bee", "")]
    assert not any(seat.HasField("ending") for seat in match.seats)
    assert (match.seed, match.log, len(match.seed_commitment)) == (b"", "", 32)
    assert match.options.caravan.camels == 6
    assert not match.HasField("start_time")


def test_a_pending_match_hides_group_and_bots_from_others(arena: Arena, db: StoreFixture) -> None:
    """Else a bot could choose by them which matches it takes."""
    arena.change(lambda tx: tx.bots.add(BotRow("owl", "bob", "", False, arena.now_us)))
    arena.change(lambda tx: tx.entries.join("main", "owl", arena.now_us))
    first, second = db.pair("bee", "owl")
    for match in (get(arena, second, "bob"), matches_listed(arena, "bob")[0]):
        assert [seat.bot for seat in match.seats] == ["bots/owl", ""], "their own bot, and no other"
        assert (match.group, match.group_index, match.attempt, match.seed_commitment) == ("", 0, 0, b"")
        assert (match.seed_group_index, match.seed_attempt) == (0, 0)
        assert (match.state, match.ladder) == (match_pb2.MATCH_STATE_PENDING, "ladders/main")
    assert matches_listed(arena, "bob", bot="bots/bee") == []
    listed = matches_listed(arena, "bob", bot="bots/owl"), matches_listed(arena, "organiser", bot="bots/bee")
    assert list(map(len, listed)) == [2, 2]
    db.start(first)
    [begun] = matches_listed(arena, "bob", bot="bots/bee")
    assert [seat.bot for seat in begun.seats] == ["bots/bee", "bots/owl"]
    assert (begun.group, len(begun.seed_commitment)) == ("g1", 32)


def test_a_finished_match_shows_result_seed_and_log(arena: Arena, db: StoreFixture) -> None:
    number = db.pair("bee", "cat")[0]
    db.finish(number, 2, 1)
    match = get(arena, number)
    assert (match.state, match.ending, match.plies) == (match_pb2.MATCH_STATE_FINISHED, "FINAL_DELIVERY", 40)
    assert (match.seed, match.log) == (bytes(32), "ab" * 32)
    bee = match.seats[0]
    assert bee.bot_version == "bots/bee/versions/1"
    assert (bee.placing, bee.score, bee.decisions, bee.used_ms) == (2, 48, 10, 20)
    assert bee.ending.termination == ending_pb2.TERMINATION_NORMAL
    assert (match.start_time.ToMicroseconds(), match.end_time.ToMicroseconds()) == (1_000, 1_500)


def test_a_shared_seed_is_sealed_until_the_group_has_ended(arena: Arena, db: StoreFixture) -> None:
    first, second = db.pair("bee", "cat", policy=SeedPolicy.SHARED)
    arena.logs.write(first, LOG)
    db.finish(first, 1, 2, log=NAME)
    assert (get(arena, first).seed, get(arena, first).log) == (b"", "")
    assert refusal_of(download, arena, first).status == ("FAILED_PRECONDITION", "LOG_SEALED")
    db.finish(second, 1, 2)
    assert get(arena, first).seed == bytes(32)
    assert b"".join(download(arena, first)) == LOG


def test_a_log_comes_in_pieces_of_at_most_64_kib(arena: Arena, db: StoreFixture) -> None:
    match = db.pair("bee", "cat")[0]
    arena.logs.write(match, LOG)
    db.finish(match, 1, 2, log=NAME)
    pieces = download(arena, match)
    assert [len(piece) for piece in pieces] == [65536, 65536, len(LOG) - 2 * 65536]
    assert b"".join(pieces) == LOG


def test_the_log_of_a_running_match_is_sealed(arena: Arena, db: StoreFixture) -> None:
    match = db.pair("bee", "cat")[0]
    db.start(match)
    assert refusal_of(download, arena, match).reason == "LOG_SEALED"


@pytest.mark.parametrize(("file", "name"), [(None, NAME), (LOG, "cd" * 32), (LOG[:-1], NAME)])
def test_a_damaged_log_is_missing(arena: Arena, db: StoreFixture, file: bytes | None, name: str) -> None:
    match = db.pair("bee", "cat")[0]
    arena.logs.write(match, file or LOG)
    db.finish(match, 1, 2, log=name)
    if file is None:
        arena.logs.path(match).unlink()
    assert refusal_of(download, arena, match).status == ("DATA_LOSS", "LOG_MISSING")


def test_a_void_match_has_no_log(arena: Arena, db: StoreFixture) -> None:
    first, second = db.pair("bee", "cat")
    db.report(MatchReport(first, a_result(0, 0, state=MatchState.ABORTED), None, ""))
    db.finish(second, 1, 2)
    arena.change(lambda tx: tx.rulings.void(tx.matches.get(first), "let it rest", 9))
    assert refusal_of(download, arena, first).status == ("DATA_LOSS", "LOG_MISSING")


def test_a_void_match_says_why(arena: Arena, db: StoreFixture) -> None:
    match = db.pair("bee", "cat")[0]
    db.abort(match, None)
    shown = get(arena, match)
    assert (shown.state, shown.void_reason) == (match_pb2.MATCH_STATE_ABORTED, "The arena was stopped.")


def test_matches_are_filtered(arena: Arena, db: StoreFixture) -> None:
    db.populate_more("dog")
    db.pair("bee", "cat")
    third = db.pair("cat", "dog")[0]
    db.finish(third, 1, 2)

    def listed(**which: object) -> list[str]:
        return [match.name for match in matches_listed(arena, "ada", **which)]

    assert listed(bot="bots/dog") == ["matches/4", "matches/3"]
    assert listed(bot="bots/dog", state=match_pb2.MATCH_STATE_FINISHED) == ["matches/3"]
    assert listed(ladder="ladders/other") == []
    assert len(listed(ladder="ladders/main")) == 4
    token = arena.call("ListMatches", "ada", page_size=3).next_page_token
    for changed in ({"bot": "bots/cat"}, {"ladder": "ladders/main"}, {"state": 1}):
        assert refusal_of(listed, page_token=token, **changed).reason == "PAGE_TOKEN_INVALID"


def test_the_log_keys_are_listed_the_one_in_use_first(arena: Arena) -> None:
    keys = arena.call("ListLogKeys", "ada").keys
    assert [(key.key_id, key.public_key) for key in keys] == [(key.key_id, key.raw) for key in KEYS]


def left_to_the_organiser(arena: Arena, db: StoreFixture, policy: SeedPolicy = SeedPolicy.DERIVED) -> int:
    """Create a match that was void too often, in a group of which the other match is finished."""
    first, second = db.pair("bee", "cat", policy=policy)
    db.finish(first, 1, 2)
    db.report(MatchReport(second, a_result(0, 0, state=MatchState.ABORTED), None, ""))
    return second


def test_an_organiser_replays_a_match_that_was_left_to_them(arena: Arena, db: StoreFixture) -> None:
    """Row 46."""
    number = left_to_the_organiser(arena, db)
    assert get(arena, number).left_to_organiser
    replay = arena.call("ReplayMatch", "organiser", name=f"matches/{number}").match
    assert (replay.name, replay.state) == ("matches/3", match_pb2.MATCH_STATE_PENDING)
    assert replay.seed_commitment != get(arena, number).seed_commitment
    assert (get(arena, number).left_to_organiser, get(arena, number).replayed_as) == (False, "matches/3")
    assert arena.runtime.wakes == 1


@pytest.mark.parametrize(
    ("policy", "seed_group_index", "seed_attempt"), [(SeedPolicy.DERIVED, 1, 1), (SeedPolicy.SHARED, 0, 0)]
)
def test_a_match_shows_how_its_seed_is_derived(
    arena: Arena, db: StoreFixture, policy: SeedPolicy, seed_group_index: int, seed_attempt: int
) -> None:
    number = left_to_the_organiser(arena, db, policy)
    replay = arena.call("ReplayMatch", "organiser", name=f"matches/{number}").match
    assert (replay.group, replay.group_index, replay.attempt) == ("g1", 1, 1)
    assert (replay.seed_group_index, replay.seed_attempt) == (seed_group_index, seed_attempt)
    seed = match_seed(bytes(32), 1, replay.seed_group_index, replay.seed_attempt)
    assert replay.seed_commitment == commitment(seed)


def test_the_organiser_voids_a_match_and_its_reason_is_public(arena: Arena, db: StoreFixture) -> None:
    """Row 46."""
    number = left_to_the_organiser(arena, db)
    ruling = {"name": f"matches/{number}", "reason": " it fails "}
    void = arena.call("VoidMatch", "organiser", **ruling).match
    assert void == get(arena, number)
    assert void.void_reason.endswith("organiser: it fails.")
    assert not void.left_to_organiser
    assert arena.refusal("VoidMatch", "organiser", **ruling).reason == "MATCH_STATE"


def test_a_ruling_on_a_rated_match_names_its_consequences(arena: Arena, db: StoreFixture) -> None:
    first, second = db.pair("bee", "cat")
    for match in (first, second):
        db.finish(match, 1, 2)
    told = arena.call("VoidMatch", "organiser", name=f"matches/{first}", reason="a cheat").consequence
    assert f"of the group ({second})" in told
    [entry] = [each for each in arena.audited() if each.kind is AuditKind.RULING]
    assert set(entry.about) == {f"matches/{first}", "ladders/main", "bots/bee", "bots/cat"}
    assert entry.sentence.endswith(told)


def finish_pairs(db: StoreFixture, *bots: tuple[str, str]) -> list[int]:
    """Finish a group of two matches between each two bots; return the matches."""

    def add_dog(tx: Transaction) -> None:
        tx.bots.add(BotRow("dog", "bob", "", False, 1))
        tx.entries.join("main", "dog", 1)

    db.store.write(add_dog)
    matches = [match for pair in bots for match in db.pair(*pair)]
    for match in matches:
        db.finish(match, 1, 2)
    return matches


def test_all_matches_of_a_bot_are_voided_in_one_call_with_an_audit_entry_each(
    arena: Arena, db: StoreFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.services.matches.VOID_TOGETHER", 3)
    finish_pairs(db, ("bee", "cat"), ("cat", "dog"), ("bee", "dog"))
    open_match = db.pair("bee", "cat")[0]
    before = get(arena, 3)
    request = {"bot": "bots/bee", "reason": "a cheat"}

    preview = arena.call("VoidBotMatches", "organiser", validate_only=True, **request)
    assert list(preview.matches) == [f"matches/{match}" for match in (1, 2, 5, 6)]
    assert get(arena, 1).state == match_pb2.MATCH_STATE_FINISHED

    done = arena.call("VoidBotMatches", "organiser", **request)
    assert (done.matches, list(done.unrated_matches)) == (preview.matches, [])
    assert {get(arena, match).state for match in (1, 2, 5, 6)} == {match_pb2.MATCH_STATE_ABORTED}
    assert (get(arena, 3), get(arena, open_match).state) == (before, match_pb2.MATCH_STATE_PENDING)
    rulings = [each for each in arena.audited() if each.kind is AuditKind.RULING]
    assert sorted(each.about[0] for each in rulings) == sorted(done.matches)
    assert db.store.read(lambda tx: recompute(tx, "main")).identical
    assert not arena.call("VoidBotMatches", "organiser", **request).matches


def test_matches_of_a_bot_that_ended_earlier_are_kept(arena: Arena, db: StoreFixture) -> None:
    finish_pairs(db, ("bee", "cat"), ("bee", "dog"))
    ended_us = [row.ended_us or 0 for row in map(db.match, (1, 2, 3, 4))]

    def found(since_us: int) -> list[str]:
        since = Timestamp()
        since.FromMicroseconds(since_us)
        request = {"bot": "bots/bee", "reason": "x", "since": since, "validate_only": True}
        return list(arena.call("VoidBotMatches", "organiser", **request).matches)

    assert len(found(ended_us[0])) == 4
    assert found(ended_us[-1])[-1] == "matches/4"
    assert found(ended_us[-1] + 1) == []
