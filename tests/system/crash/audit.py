"""What must be true of a data folder after every crash, computed from its logs alone (docs/storage.md).

The results in the database are compared with those in the logs, ratings and counters are computed again from the
logs in the order of the ledger, and the rest is counted. Only the log's reader, its verification and the rating of
one group are the arena's own; each is tested elsewhere against something independent.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import psycopg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from psycopg.rows import dict_row

from arena.core.finished_match import FinishedMatch
from arena.core.match import MatchState, SeedPolicy
from arena.core.rating.elo import rate_group
from arena.core.rating.rating import INITIAL, Rating
from arena.match_log.durable import UNFINISHED_SUFFIX
from arena.match_log.keys import open_key_ring
from arena.match_log.reader import MatchLog, read_log
from arena.match_log.verify import VerificationExit, verify
from arena.server.data_folder import DataFolder
from arena.v1 import match_pb2, season_pb2

FINISHED: Final = MatchState.FINISHED.value
ABORTED: Final = MatchState.ABORTED.value
_GROUP, _SEASON_CLOSE = 1, 3

Row = Mapping[str, Any]


class Audit:
    """Looks at one data folder again and again; a log that was found whole is not played through a second time."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._logs: dict[int, tuple[bytes, MatchLog]] = {}

    def check(
        self,
        told: Mapping[str, match_pb2.Match],
        closed: Mapping[int, season_pb2.Season] = MappingProxyType({}),
    ) -> None:
        """Everything that must be true while no match is in play.

        `told`: matches whose end a bot has heard; `closed`: seasons of whose close an organiser has, by number.
        """
        logs = self.logs()
        with closing(connect(DataFolder(self._data))) as database:
            check_database(database)
            matches = rows(database, "SELECT * FROM matches ORDER BY id")
            seats = rows(database, "SELECT * FROM match_seats ORDER BY match_id, seat")
            groups = rows(database, "SELECT * FROM match_groups ORDER BY id")
            ledger = rows(database, "SELECT * FROM rating_ledger ORDER BY seq")
            entries = rows(database, "SELECT * FROM ladder_entries ORDER BY bot")
            ladders = rows(database, "SELECT * FROM ladders")
            boards = rows(database, "SELECT * FROM solo_boards")
            seasons = rows(database, "SELECT * FROM seasons ORDER BY number")
        check_results(matches, seats, logs)
        check_told(matches, seats, told)
        check_groups(groups, matches)
        solo = {ladder["id"] for ladder in ladders if json.loads(ladder["seat_counts"]) == [1]}
        check_ratings(of(groups, solo, False), ledger, of(entries, solo, False), logs, seasons)
        keys = {key.key_id: key.raw for key in open_key_ring(self._data / "keys").public}
        check_seasons(seasons, ladders, closed, keys)
        check_boards(of(groups, solo, True), boards, of(entries, solo, True), logs)
        for ladder in ladders:
            finished = sum(row["state"] == FINISHED and row["ladder"] == ladder["id"] for row in matches)
            assert ladder["finished_matches"] == finished, "each match is counted once"
        self.check_litter()

    def logs(self) -> dict[int, MatchLog]:
        """Every log there is, by match; each of them verifies and lies where it should."""
        keys = open_key_ring(self._data / "keys").public
        for path in self._data.glob("logs/*/*.arenalog"):
            data = path.read_bytes()
            number, digest = int(path.name.partition(".")[0]), sha256(data).digest()
            if number in self._logs:
                assert self._logs[number][0] == digest, f"{path} has changed"
                continue
            assert verify(data, keys=keys).exit_code is VerificationExit.OK, path
            log = read_log(data)
            assert log.setup.match == number, path
            self._logs[number] = (digest, log)
        return {number: log for number, (_, log) in self._logs.items()}

    def check_litter(self) -> None:
        """Nothing half-written is left."""
        waste = [path for path in self._data.rglob("*") if UNFINISHED_SUFFIX in path.name]
        assert waste == []


def connect(folder: DataFolder) -> Any:
    """Connect to the database of a data folder, whose rows can be read by the names of columns."""
    if folder.server_url is not None:
        return psycopg.connect(folder.server_url, row_factory=dict_row)
    database = sqlite3.connect(f"file:{folder.database}?mode=ro", uri=True)
    database.row_factory = sqlite3.Row
    return database


def rows(database: Any, query: str) -> list[Row]:
    """Return the rows of a query."""
    return [dict(row) for row in database.execute(query)]


def of(of_any: Sequence[Row], ladders: set[str], belongs: bool) -> list[Row]:
    """Return the groups or entries that belong to one of these ladders, or those that do not."""
    return [row for row in of_any if (row["ladder"] in ladders) == belongs]


def check_database(database: Any) -> None:
    """SQLite finds nothing wrong with the file. A PostgreSQL server checks references at each commit."""
    if isinstance(database, psycopg.Connection):
        return
    assert [row[0] for row in database.execute("PRAGMA integrity_check")] == ["ok"]
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []


def check_results(matches: Sequence[Row], seats: Sequence[Row], logs: Mapping[int, MatchLog]) -> None:
    """Every match with a result is as its log tells it, every log belongs to one, and no match is running."""
    assert {row["id"] for row in matches if row["log"]} == set(logs)
    assert {row["id"] for row in matches if row["state"] == FINISHED} == {
        number for number, log in logs.items() if log.result.state is MatchState.FINISHED
    }
    assert not [row["id"] for row in matches if row["state"] == MatchState.RUNNING.value]
    by_match = seats_by_match(seats)
    for row in matches:
        if row["id"] in logs:
            log = logs[row["id"]]
            told, setup = log.result, log.setup
            assert (row["state"], row["ending"], row["plies"]) == (told.state.value, told.ending, told.plies)
            assert (row["seed"], row["log"], row["group_id"]) == (setup.seed, log.name, setup.group)
            assert by_match[row["id"]] == seats_of(log), row["id"]


_SEAT: Final = (
    *("bot", "version", "placing", "score", "termination", "fault", "sentence"),
    *("decisions", "used_us", "longest_us", "strikes"),
)


def seats_by_match(seats: Sequence[Row]) -> dict[int, list[tuple[Any, ...]]]:
    """Return the seats of the database, in the order of `seats_of`."""
    by_match = defaultdict(list)
    for seat in seats:
        by_match[seat["match_id"]].append(tuple(seat[column] for column in _SEAT))
    return by_match


def seats_of(log: MatchLog) -> list[tuple[Any, ...]]:
    """Return the seats of a match as its log has them."""
    return [
        (
            *(holder.bot, holder.version, seat.placing, seat.score),
            *(seat.ending.termination.value, seat.ending.fault.value, seat.ending.sentence),
            *(seat.decisions, seat.used_ns // 1_000, seat.longest_ns // 1_000, seat.strikes),
        )
        for holder, seat in zip(log.setup.seats, log.result.seats, strict=True)
    ]


def check_told(matches: Sequence[Row], seats: Sequence[Row], told: Mapping[str, match_pb2.Match]) -> None:
    """Check that what a bot was sent has happened, and nothing else."""
    by_id, by_match = {row["id"]: row for row in matches}, seats_by_match(seats)
    for name, match in told.items():
        number = int(name.partition("/")[2])
        row = by_id[number]
        # With a seed that is shared the log stays sealed until the group has ended.
        assert (row["state"], row["log"] if match.log else "") == (match.state, match.log), name
        placings = [(f"bots/{seat[0]}", seat[2]) for seat in by_match[number]]
        assert placings == [(seat.bot, seat.placing) for seat in match.seats], name


def check_groups(groups: Sequence[Row], matches: Sequence[Row]) -> None:
    """In each slot one match at most counts, the others are void before it; complete is what has nothing open."""
    by_group: dict[int, dict[int, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in matches:
        by_group[row["group_id"]][row["slot"]].append(row)
    for group in groups:
        slots = by_group[group["id"]]
        if not slots and group["ladder"] is None:
            continue  # a pairing of a tournament whose turn has not come
        assert sorted(slots) == list(range(len(json.loads(group["bots"])))), "a match for each bot"
        if group["seed_policy"] == SeedPolicy.SHARED.value:
            seeds = {row["seed_commitment"] for played in slots.values() for row in played}
            assert len(seeds) == 1, "all play the same, also what is played again"
        for played in slots.values():
            assert [row["voids"] for row in played] == list(range(len(played)))
            assert {row["state"] for row in played[:-1]} <= {ABORTED}
        last = [played[-1]["state"] for played in slots.values()]
        assert (group["completed_us"] is not None) == (set(last) == {FINISHED}), group["id"]


def check_ratings(
    groups: Sequence[Row],
    ledger: Sequence[Row],
    entries: Sequence[Row],
    logs: Mapping[int, MatchLog],
    seasons: Sequence[Row],
) -> None:
    """Ratings and counters are those that the logs give, each complete group taken once.

    A close of a season pulls all ratings once; its final standings have those of before, and counters begin anew.
    """
    complete = [group["id"] for group in groups if group["completed_us"] is not None and group["ladder"]]
    assert [row["seq"] for row in ledger] == list(range(1, len(ledger) + 1))
    assert {row["kind"] for row in ledger} <= {_GROUP, _SEASON_CLOSE}
    assert sorted(row["group_id"] for row in ledger if row["kind"] == _GROUP) == complete
    closes = {json.loads(season["document"])["ledger_seq"]: season for season in seasons}
    assert sorted(closes) == [row["seq"] for row in ledger if row["kind"] == _SEASON_CLOSE]
    ratings: dict[str, Rating] = defaultdict(lambda: INITIAL)
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    by_group = defaultdict(list)
    for log in logs.values():
        if log.result.state is MatchState.FINISHED:
            by_group[log.setup.group].append(log)
    for row in ledger:
        if row["kind"] == _SEASON_CLOSE:
            season = closes[row["seq"]]
            check_final_standings(season, ratings, counts)
            counts.clear()
            ratings.update({bot: pulled(rating, season["keep_percent"]) for bot, rating in ratings.items()})
            continue
        played = by_group[row["group_id"]]
        for change in rate_group(ratings, [rated(log) for log in played]):
            ratings[change.bot] = change.after
        for log in played:
            count(log, counts)
    for entry in entries:
        stored = (entry["rating_milli"], entry["information"], entry["version"], entry["version_matches"])
        again = ratings[entry["bot"]]
        assert Rating(*stored) == again, entry["bot"]
    check_counts(entries, counts)


def check_final_standings(
    season: Row, ratings: Mapping[str, Rating], counts: Mapping[str, Sequence[int]]
) -> None:
    """Check that each bot of which a match counted is in them, with its rating and counters at the close."""
    lines = json.loads(season["document"])["lines"]
    assert {line["bot"]: (line["value_milli"], line["matches"], line["placing_sum"]) for line in lines} == {
        bot: (ratings[bot].rating_milli, matches, placings)
        for bot, (matches, placings, *_) in counts.items()
        if matches
    }
    assert len(lines) == season["bots"]


def pulled(rating: Rating, keep_percent: int) -> Rating:
    """Return a rating after the close of a season, by the formulas of docs/seasons.md in fractions."""
    kept = Fraction(keep_percent, 100)
    variance = kept**2 * Fraction(10**12, rating.information) + (1 - kept**2) * 350**2
    return replace(
        rating,
        rating_milli=1_500_000 + round((rating.rating_milli - 1_500_000) * kept),
        information=max(INITIAL.information, round(10**12 / variance)),
        version_matches=0,
    )


def check_seasons(
    seasons: Sequence[Row],
    ladders: Sequence[Row],
    closed: Mapping[int, season_pb2.Season],
    keys: Mapping[str, bytes],
) -> None:
    """Each season that was told of is stored as told; all are signed, one follows the other, and the next has begun."""
    for ladder in ladders:
        own = [season for season in seasons if season["ladder"] == ladder["id"]]
        assert [season["number"] for season in own] == list(range(1, ladder["season"]))
        before = ""
        for season in own:
            document = json.loads(season["document"])
            assert document["previous_sha256"] == before
            assert document["season"] == season["number"]
            before = sha256(season["document"].encode()).hexdigest()
            signer = Ed25519PublicKey.from_public_bytes(keys[season["key_id"]])
            signer.verify(season["signature"], b"arena-season-v1\n" + season["document"].encode())
    stored = {season["number"]: (season["document"], season["signature"]) for season in seasons}
    for number, told in closed.items():
        assert stored[number] == (told.document, told.signature)


def check_boards(
    groups: Sequence[Row], boards: Sequence[Row], entries: Sequence[Row], logs: Mapping[int, MatchLog]
) -> None:
    """Boards and counters of a solo ladder are those that the logs give, each complete board taken once."""
    complete = {group["id"] for group in groups if group["completed_us"] is not None}
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    scores: dict[int, dict[str, int]] = defaultdict(dict)
    for log in logs.values():
        if log.setup.group in complete and log.result.state is MatchState.FINISHED:
            ((holder, seat),) = zip(log.setup.seats, log.result.seats, strict=True)
            player = f"{holder.bot}/{holder.version}"
            scores[log.setup.group][player] = 0 if seat.ending.forfeited else seat.score
            count(log, counts)
    expected: dict[tuple[str, ...], list[int]] = {}
    for board in scores.values():
        players = tuple(sorted(board))
        before = expected.get(players, [0] * (1 + len(players)))
        more = [1, *(board[player] for player in players)]
        expected[players] = [old + new for old, new in zip(before, more, strict=True)]
    stored = {
        tuple(json.loads(row["players"])): [row["boards"], *json.loads(row["scores"])] for row in boards
    }
    assert stored == expected
    check_counts(entries, counts)


def rated(log: MatchLog) -> FinishedMatch:
    """Return the match as ratings see it."""
    return FinishedMatch(
        bots=tuple(holder.bot for holder in log.setup.seats),
        placings=tuple(seat.placing for seat in log.result.seats),
        forfeited=tuple(seat.ending.forfeited for seat in log.result.seats),
        match=log.setup.match,
        versions=tuple(holder.version for holder in log.setup.seats),
    )


def check_counts(entries: Sequence[Row], counts: defaultdict[str, list[int]]) -> None:
    """Check that the counters of the entries are those that `count` has gathered."""
    for entry in entries:
        counted_now = [entry[name] for name in ("matches", "placing_sum", "decisions", "used_us")]
        assert counted_now == counts[entry["bot"]], entry["bot"]


def count(log: MatchLog, counts: dict[str, list[int]]) -> None:
    """Add the match to the counters of its bots: matches, placings, decisions, microseconds."""
    for holder, seat in zip(log.setup.seats, log.result.seats, strict=True):
        more = (1, seat.placing, seat.decisions, seat.used_ns // 1_000)
        counts[holder.bot] = [old + new for old, new in zip(counts[holder.bot], more, strict=True)]
