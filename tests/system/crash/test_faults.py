"""Faults of the arena, injected into a real one: the match is void, nobody is charged, it is played again, and told."""

import json
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import grpc
import pytest
from typer.testing import CliRunner

from arena.cli.app import app
from arena.match_log.files import LogFiles
from arena.match_log.reader import read_log
from arena.v1 import (
    audit_pb2,
    ending_pb2,
    game_pb2,
    games_pb2,
    match_pb2,
    play_pb2,
    time_control_pb2,
    token_pb2,
)
from tests.system.crash.faulty_arena import (
    SECRET,
    FaultyArena,
    Playing,
    a_ladder,
    facts,
    playing,
    wait_for_entry,
)
from tests.system.play.oracle import reason_and_wait
from tests.system.play.raw_bot import RawBot, begin_match, connect
from tests.system.play.test_match import SHORT
from tests.unit.server.services.harness import RefusedError

VOID = match_pb2.MATCH_STATE_ABORTED
FINISHED = match_pb2.MATCH_STATE_FINISHED
STALLED_S = 0.8
"""How long a stopped arena stands still: longer than any stall that happens by itself on a busy machine is short."""


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FaultyArena]:
    folder: Path = tmp_path_factory.mktemp("faulty")
    running = FaultyArena(folder / "data")
    yield running
    running.close()


def one_void(matches: list[match_pb2.Match]) -> match_pb2.Match:
    """Check that one match of a ladder of two is void and replayed on another seed, and the rest has results."""
    [void] = [match for match in matches if match.state == VOID]
    assert [match.state for match in matches if match is not void] == [FINISHED, FINISHED]
    [replay] = [match for match in matches if match.name == void.replayed_as]
    assert (void.attempt, replay.attempt) == (0, 1)
    assert (void.replay_of, replay.replay_of) == ("", void.name)
    assert (replay.group, replay.group_index) == (void.group, void.group_index)
    assert replay.seed_commitment != void.seed_commitment
    return void


def check_nobody_charged(arena: FaultyArena, ladder: str) -> None:
    """Two matches count for each bot, and the ledger gives the same ratings again."""
    assert [(line.matches, line.forfeits) for line in arena.standings(ladder)] == [(2, 0), (2, 0)]
    assert arena.ladders.RecomputeLadder(name=f"ladders/{ladder}").identical


@pytest.mark.parametrize("fault", ["set_up", "start", "referee", "read", "words", "log", "record"])
def test_row_46_an_exception_in_a_match_makes_it_void_alone_and_it_is_played_again(
    arena: FaultyArena, fault: str
) -> None:
    name = fault.replace("_", "-")
    tokens = [arena.bot(f"{name}-{letter}") for letter in "ab"]
    with playing(arena, tokens) as bots:
        arena.inject(fault)
        arena.ladder(name, f"{name}-a", f"{name}-b", options=SHORT)
        for bot in bots:
            bot.finished(2)
    assert arena.has_happened(fault)
    void = one_void(arena.listed(name))
    check_nobody_charged(arena, name)
    for seat in void.seats:
        assert (seat.ending.fault, seat.placing) == (ending_pb2.FAULT_ARENA, 0)
        assert facts(seat.ending.evidence)["fault"] == "error"
    error_id = facts(void.seats[0].ending.evidence)["error_id"]
    assert any(error_id in line for line in arena.log), "the service log tells more under the error id"
    told = {entry.kind: entry for entry in arena.entries(about=void.name)}
    assert set(told) == {audit_pb2.AUDIT_KIND_MATCH_VOID, audit_pb2.AUDIT_KIND_INTERNAL_ERROR}
    assert void.replayed_as in told[audit_pb2.AUDIT_KIND_MATCH_VOID].about
    number = int(void.replayed_as.removeprefix("matches/"))
    setup = read_log(LogFiles(arena.data / "logs").read(number)).setup
    assert (setup.place, setup.replay, f"matches/{setup.replay_of}") == (void.group_index, 1, void.name)
    for entry in told.values():
        evidence = facts(entry.evidence)
        assert (evidence["error_id"], evidence["exception"]) == (error_id, "RuntimeError")
        assert re.fullmatch(r"[\w.]+:\d+", evidence["place"])
        assert SECRET not in str(entry)


def test_row_46_a_connection_that_the_arena_cannot_write_to_is_ended_and_its_bot_comes_back(
    arena: FaultyArena,
) -> None:
    tokens = a_ladder(arena, "unwritten")
    arena.inject("write")
    with playing(arena, tokens) as bots:
        arena.wait_for("a connection could not be written to")
        [line] = [each for each in arena.log if "a connection could not be written to" in each]
        [number] = [
            number for number, bot in enumerate(("unwritten-a", "unwritten-b")) if f"bot={bot} " in line
        ]
        away = bots[number]
        away.wait_sent_away()
        assert away.bot.status is grpc.StatusCode.INTERNAL
        assert reason_and_wait(away.bot.trailing)[0] == "INTERNAL"
        bots[number] = Playing(arena, tokens[number])
        for bot in bots:
            bot.finished(2)
    void = one_void(arena.listed("unwritten"))
    assert {facts(seat.ending.evidence)["fault"] for seat in void.seats} == {"error"}
    check_nobody_charged(arena, "unwritten")


def answers_typed(bot: RawBot, decision: play_pb2.Decision) -> None:
    """With an action that holds nothing, which has to be read."""
    answer = play_pb2.Answer(
        assignment=decision.assignment, decision=decision.decision, action=games_pb2.Action()
    )
    bot.say(answer=answer)


def test_a_bot_that_makes_the_arena_fail_wins_nothing_by_it_and_is_named(arena: FaultyArena) -> None:
    """Row 46: the third void in one place of a group is the organiser's."""
    tokens = a_ladder(arena, "escape")
    honest = a_ladder(arena, "honest")

    def fails(bot: RawBot, decision: play_pb2.Decision) -> None:
        arena.inject("read")
        answers_typed(bot, decision)

    with playing(arena, tokens, first_chooses=fails) as (_, opponent):
        for _ in range(6):
            assert opponent.ends.get(timeout=60).state == VOID
    (arena.faults / "read").unlink(missing_ok=True)  # it may have begun a match more
    with playing(arena, honest) as players:
        for each in players:
            assert len(each.finished(2)) == 2, "the arena continues"
    listed = arena.listed("escape")
    matches = [match for match in listed if match.group == listed[0].group]
    assert [match.state for match in matches] == [VOID] * 6
    assert sorted(match.attempt for match in matches) == [0, 0, 1, 1, 2, 2]
    assert len({match.seed_commitment for match in matches}) == 6
    left = [match for match in matches if match.left_to_organiser]
    assert [match.attempt for match in left] == [2, 2]
    assert all(line.matches == 0 for line in arena.standings("escape"))
    assert arena.ladders.RecomputeLadder(name="ladders/escape").identical
    for match in left:
        [entry] = arena.entries(about=match.name, kind=audit_pb2.AUDIT_KIND_LEFT_TO_ORGANISER)
        assert facts(entry.evidence)["voids"] == "3"
        assert facts(entry.evidence)["during_bot"] == "escape-a"
    voids = sum(match.state == VOID for match in listed)
    errors = {"kind": audit_pb2.AUDIT_KIND_INTERNAL_ERROR}
    assert len(arena.entries(about="bots/escape-a", **errors)) == voids
    assert arena.entries(about="bots/escape-b", **errors) == []
    counts = arena.audit.ListVoidCounts().counts
    assert {count.bot: (count.void_matches, count.matches) for count in counts[:2]} == {
        "bots/escape-a": (voids, len(listed)),
        "bots/escape-b": (voids, len(listed)),
    }
    check_command_line(arena)


def check_command_line(arena: FaultyArena) -> None:
    """`arena audit` tells it all."""

    def run(*words: str) -> str:
        done = CliRunner().invoke(app, ["--data", str(arena.data), *words], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    table = run("audit", "list", "--limit", "0")
    for kind in ("start", "match-void", "internal-error", "left-to-organiser"):
        assert f" {kind} " in table
    listed = json.loads(run("audit", "list", "--kind", "match-void", "--since", "1h", "--format", "json"))
    number = listed["entries"][0]["name"].partition("/")[2]
    assert "fault" in run("audit", "show", number)
    assert "escape-a" in run("audit", "voids")


def test_an_exception_that_ends_the_writer_thread_loses_nothing(arena: FaultyArena) -> None:
    """Row 48: who waits hears of it and tries again; here an exception that ends threads, while a result is stored."""
    tokens = a_ladder(arena, "thread")

    def breaks(bot: RawBot, decision: play_pb2.Decision) -> None:
        arena.inject("store")
        bot.answer(decision)

    with playing(arena, tokens, first_chooses=breaks) as players:
        for bot in players:
            bot.finished(2)
    (arena.faults / "store").unlink(missing_ok=True)
    assert [match.state for match in arena.listed("thread")] == [FINISHED, FINISHED]
    check_nobody_charged(arena, "thread")
    arena.wait_for("The thread that stores has failed (SystemExit)")


def test_row_46_a_failed_call_is_in_the_audit_trail_with_the_error_id_of_its_caller(
    arena: FaultyArena,
) -> None:
    arena.inject("call")
    games = arena.games
    with pytest.raises(grpc.RpcError) as failed:
        games.GetGame(game_pb2.GetGameRequest(name="games/caravan"))
    refused = RefusedError(failed.value)  # type: ignore[arg-type]
    assert (refused.code, refused.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    error_id = refused.infos[0].metadata["error_id"]
    wait_for_entry(arena, audit_pb2.AUDIT_KIND_INTERNAL_ERROR, error_id)


TIGHT = time_control_pb2.TimeControl(
    per_decision_ms=5_000, bank_ms=0, strikes=0, absence_ms=30_000, hold_ms=5_000, seat_limit_ms=86_400_000
)
"""Half of `LONG_S`, and no strike is survived. It is also long enough for a test on a busy machine to answer."""

LONG_S = 10.0


def stand_still(arena: FaultyArena, meanwhile: list[RawBot], seconds: float = STALLED_S) -> None:
    """Stop the whole process for so long, in which these bots lose their connections."""
    arena.process.send_signal(signal.SIGSTOP)
    try:
        for bot in meanwhile:
            bot.cut()
        threading.Event().wait(seconds)
    finally:
        arena.process.send_signal(signal.SIGCONT)


def begin(arena: FaultyArena, tokens: list[str]) -> list[RawBot]:
    """Both bots are in their first match, and one is asked; by seat."""
    return begin_match(connect(arena.unix, tokens))


def test_no_bot_is_charged_for_the_time_in_which_the_arena_is_stopped(arena: FaultyArena) -> None:
    tokens = a_ladder(arena, "still", time_control=TIGHT)
    bots = begin(arena, tokens)
    asked = bots[0].hear("decision")
    stand_still(arena, [], LONG_S)
    bots[0].answer(asked)
    bots[1].hear("decision")
    closed = [message for bot in bots for message in bot.heard if message.HasField("decision_closed")]
    assert closed == [], "no default was played, and no strike given"
    entry = wait_for_entry(arena, audit_pb2.AUDIT_KIND_STALL, "stood still")
    assert int(facts(entry.evidence)["longest_ms"]) >= 500
    for bot in bots:
        bot.cut()


BRIEF_ABSENCE = time_control_pb2.TimeControl(
    per_decision_ms=60_000, bank_ms=0, strikes=2, absence_ms=1_000, hold_ms=5_000, seat_limit_ms=86_400_000
)
"""Who is away with a decision open has soon lost."""


def owned_tables(arena: FaultyArena, event: str, tables: int, **more: Any) -> list[str]:
    """Ladders of two bots each, each bot of another owner; their tokens, those of a table behind each other."""
    tokens = []
    for table in range(tables):
        bots = [f"{event}{table}-{letter}" for letter in "ab"]
        for bot in bots:
            arena.bots.CreateBot(bot_id=bot, owner=f"owners/o-{bot}")
            tokens.append(arena.tokens.CreateToken(role=token_pb2.ROLE_BOT, bot=f"bots/{bot}").secret)
        arena.ladder(f"{event}{table}", *bots, options=SHORT, **more)
    return tokens


def test_connections_that_play_nothing_make_no_match_void_however_many_are_lost(arena: FaultyArena) -> None:
    """Nineteen of three owners, with the one that is losing."""
    tokens = owned_tables(arena, "idle", 2, time_control=BRIEF_ABSENCE)
    cheat, honest = begin(arena, tokens[:2])
    cheat.hear("decision")
    owners = [cheat.token, *tokens[2:]]
    idle = connect(
        arena.unix, [owners[number % 3] for number in range(18)], capacity=play_pb2.Capacity(matches=0)
    )
    before = len(arena.entries(kind=audit_pb2.AUDIT_KIND_MASS_LOSS))
    for bot in (*idle, cheat):
        bot.cut()
    ended = honest.hear("match_ended").match
    honest.cut()
    assert ended.state == FINISHED
    assert [seat.placing for seat in ended.seats] == [2, 1]
    assert ended.seats[0].ending.termination == ending_pb2.TERMINATION_DISCONNECT
    assert len(arena.entries(kind=audit_pb2.AUDIT_KIND_MASS_LOSS)) == before


def test_a_stall_over_which_most_bots_in_play_lose_their_connections_makes_their_matches_void(
    arena: FaultyArena,
) -> None:
    """Six owners in play, of six."""
    tokens = owned_tables(arena, "mass", 3)
    tables = [tokens[first : first + 2] for first in range(0, 6, 2)]
    bots = [bot for table in tables for bot in begin(arena, table)]
    stand_still(arena, bots)
    wait_for_entry(arena, audit_pb2.AUDIT_KIND_MASS_LOSS, "owners, lost their connections within 5 s")
    with playing(arena, tokens) as players:
        for each in players:
            each.finished(2)
    for table in range(3):
        void = one_void(arena.listed(f"mass{table}"))
        evidence = facts(void.seats[0].ending.evidence)
        assert (evidence["fault"], evidence["within_s"]) == ("mass_loss", "5")
        assert int(evidence["owners"]) >= 5
        assert 2 * int(evidence["owners"]) >= int(evidence["of_owners"])
        check_nobody_charged(arena, f"mass{table}")


def test_the_audit_trail_holds_no_token_and_no_words_of_an_exception(arena: FaultyArena) -> None:
    audit_writer = "".join(map(str, arena.entries()))
    assert SECRET not in audit_writer
    organiser = (arena.data / "organiser.token").read_text().strip()
    assert organiser.split("_")[2] not in audit_writer


def test_after_kill_9_the_audit_trail_has_the_start_and_each_match_that_was_lost(
    arena: FaultyArena,
) -> None:
    """The last test: the arena dies of it, and another one goes on."""
    tokens = a_ladder(arena, "killed")
    begin(arena, tokens)[0].hear("decision")
    arena.kill()
    with closing(FaultyArena(arena.data)) as again:
        start = wait_for_entry(again, audit_pb2.AUDIT_KIND_START, "after it had been killed")
        voids = again.entries(kind=audit_pb2.AUDIT_KIND_MATCH_VOID)
        assert facts(start.evidence)["stopped"] == "killed"
        [void] = [match for match in again.listed("killed") if match.state == VOID]
        [entry] = [entry for entry in voids if void.name in entry.about]
        evidence = facts(entry.evidence)
        assert (evidence["fault"], evidence["stopped"]) == ("killed", "killed")
        assert evidence["began"] <= evidence["found"]
        assert facts(void.seats[0].ending.evidence).items() <= evidence.items()
        with playing(again, tokens) as players:
            for each in players:
                each.finished(2)
        one_void(again.listed("killed"))
        check_nobody_charged(again, "killed")
