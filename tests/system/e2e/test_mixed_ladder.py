"""A ladder of Caravanserai with small and large tables, over the wire, and all that can be checked of it afterwards."""

from collections import defaultdict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from arena.cli.framework.connection import fetch_all
from arena.match_log.checks.check import Status
from arena.match_log.keys import read_public_key
from arena.match_log.verify import verify
from arena.store.store import Store
from arena.v1 import match_pb2, play_pb2
from tests.system.e2e.playing import play_on
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import RawBot
from tests.system.play.reconnecting_bot import policy

ROOM = {"ant": 1, "bee": 1, "cat": 2, "dog": 4, "eel": 4, "fox": 4, "gnu": 8}
"""How many matches each bot takes at once. Two of them can play one group of six only one match after the other."""

TABLES = (3, 6)
MATCHES = 18
"""At least: what is begun is played to its end. Threes may be 12 matches ahead, so there is a group of six."""


def choose(decision: play_pb2.Decision) -> int:
    return policy(decision.decision, len(decision.legal_actions))


def play_them_all(arena: ArenaProcess) -> dict[str, int]:
    """All that is to be played is played; how many matches each bot has heard the end of."""
    bots = {name: RawBot(arena.unix, arena.bot(name)) for name in ROOM}
    for name, bot in bots.items():
        bot.hello(capacity=play_pb2.Capacity(matches=ROOM[name], open_decisions=ROOM[name]))
    with ThreadPoolExecutor(len(bots)) as threads:
        playing = {name: threads.submit(play_on, bot, choose=choose) for name, bot in bots.items()}
        arena.ladder("mixed", *bots, game="caravanserai", seat_counts=TABLES, matches=MATCHES)
        ended = 0
        while ended < max(MATCHES, sum(map(len, groups_of(arena).values()))):
            ended += 1
            arena.wait_for("match over", ended)
        for bot in bots.values():
            bot.say(capacity=play_pb2.Capacity(matches=0)).half_close()
        return {name: len(each.result()) for name, each in playing.items()}


def groups_of(arena: ArenaProcess) -> Mapping[str, list[match_pb2.Match]]:
    """Return the matches by group, in the order of the groups."""
    groups: defaultdict[str, list[match_pb2.Match]] = defaultdict(list)
    listing = fetch_all(
        arena.matches.ListMatches,
        match_pb2.ListMatchesRequest(ladder="ladders/mixed"),
        metadata=arena.organiser,
    )
    for match in listing.matches:
        groups[match.group].append(match)
    return groups


def test_a_mixed_ladder_plays_small_and_large_tables_and_everything_can_be_checked(
    arena: ArenaProcess,
) -> None:
    heard = play_them_all(arena)
    groups = groups_of(arena)
    assert {len(matches) for matches in groups.values()} == set(TABLES)
    for matches in groups.values():
        check_group(matches)
    assert sum(heard.values()) == sum(len(matches) ** 2 for matches in groups.values())
    check_ratings(arena, heard)
    check_logs(arena, [match for matches in groups.values() for match in matches])


def check_group(matches: list[match_pb2.Match]) -> None:
    """As many matches as seats, on one seed, since all chance is open; and every bot once on every seat."""
    assert len({match.seed for match in matches}) == 1
    assert sorted(match.group_index for match in matches) == list(range(len(matches)))
    assert {match.state for match in matches} == {match_pb2.MATCH_STATE_FINISHED}
    seats = len(matches)
    seated = {(seat.bot, place) for match in matches for place, seat in enumerate(match.seats)}
    assert len(seated) == seats * seats
    assert len({bot for bot, _ in seated}) == seats
    for match in matches:
        assert sorted(seat.placing for seat in match.seats) == list(range(1, seats + 1))  # S42: never shared


def check_ratings(arena: ArenaProcess, heard: Mapping[str, int]) -> None:
    """One ledger for all sizes, with an entry for each bot of each group."""
    recomputed = arena.ladders.RecomputeLadder(name="ladders/mixed")
    assert recomputed.identical
    standings = arena.ladders.ListStandings(name="ladders/mixed").standings
    assert {each.bot.removeprefix("bots/"): each.matches for each in standings} == heard


def check_logs(arena: ArenaProcess, matches: list[match_pb2.Match]) -> None:
    """Everything holds, the derivation of the seeds too, with the secret that is published when the day is over."""
    [path] = (arena.data / "keys").glob("*.pub")
    key = read_public_key(path)
    logs = {match.name: arena.log_bytes(match.name) for match in matches}
    arena.terminate()
    store = Store(f"sqlite:///{arena.data / 'arena.db'}")
    secrets = store.read(lambda tx: tx.ladders.secrets("mixed", 2))
    store.close()
    for match in matches:
        found = [verify(logs[match.name], keys=[key], secret=each.secret, name=match.log) for each in secrets]
        assert any({check.status for check in each.checks} == {Status.OK} for each in found), found
