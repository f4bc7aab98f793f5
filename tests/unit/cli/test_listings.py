"""Listings: tables for people, one JSON document for programs, however many pages there are."""

from __future__ import annotations

import json

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from arena.v1 import bot_pb2, ending_pb2, game_pb2, ladder_pb2, match_pb2, token_pb2, user_pb2
from tests.unit.cli.fake_arena import Refusal
from tests.unit.cli.screens import check_screen

MORNING = Timestamp(seconds=1_795_254_000)  # 2026-11-21 09:40:00Z, by `date -u -d @1795254000`


def lines(text: str) -> list[str]:
    """Return the lines of a table without padding."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip(" ─")]


@pytest.fixture
def arena(fake):
    """Let the arena answer with bots, ladders, matches, tokens and users."""
    greedy = bot_pb2.Bot(
        name="bots/greedy",
        owner="owners/alice",
        description="takes [what] it can",
        connections=2,
        playing=1,
        capacity=3,
        create_time=MORNING,
        versions=[
            bot_pb2.BotVersion(
                name="bots/greedy/versions/2",
                origin=bot_pb2.BotVersion.ORIGIN_DECLARED,
                language="python",
                create_time=MORNING,
            )
        ],
    )
    game = game_pb2.Game(
        name="games/caravan",
        title="Caravan",
        rules_version=1,
        min_seats=2,
        max_seats=4,
        chance=game_pb2.CHANCE_HIDDEN,
        engine="interpreted",
        options=[
            game_pb2.GameOption(
                name="camels", default_value="5", allowed="5 or 6", description="Camels a seat."
            )
        ],
    )
    ladder = ladder_pb2.Ladder(
        name="ladders/main",
        game="caravan",
        rules_version=1,
        seat_counts=[2, 3, 4],
        same_owner=True,
        state=ladder_pb2.Ladder.STATE_RUNNING,
        remaining_matches=7,
        finished_matches=12,
        running_matches=2,
        entries=4,
        create_time=MORNING,
        waiting_for="a second bot",
        secrets=[ladder_pb2.SecretCommitment(commitment=bytes(32), day="2026-11-21")],
    )
    ladder.time_control.per_decision_ms = 1000
    ladder.time_control.bank_ms = 10_000
    ladder.time_control.increment_ms = 50
    ladder.time_control.strikes = 2
    match = match_pb2.Match(
        name="matches/17",
        ladder="ladders/main",
        group="g5",
        group_index=1,
        game="caravan",
        rules_version=1,
        state=match_pb2.MATCH_STATE_FINISHED,
        rated=True,
        ending="FINAL_DELIVERY",
        plies=211,
        log="ab" * 32,
        start_time=MORNING,
        end_time=Timestamp(seconds=MORNING.seconds + 4, nanos=250_000_000),
        seats=[
            match_pb2.MatchSeat(bot="bots/random", bot_version="bots/random/versions/1", placing=2, score=-3),
            match_pb2.MatchSeat(
                bot="bots/greedy", bot_version="bots/greedy/versions/2", placing=1, score=31, used_ms=1234
            ),
        ],
    )
    match.seats[0].ending.termination = ending_pb2.TERMINATION_TIME_FORFEIT
    match.seats[0].ending.sentence = "Decision 4 came 12 ms late."
    match.seats[1].ending.termination = ending_pb2.TERMINATION_NORMAL
    standings = [
        ladder_pb2.Standing(
            rank=1,
            bot="bots/greedy",
            rating_milli=1_612_499,
            uncertainty_milli=87_501,
            matches=12,
            mean_placing_milli=1_083,
            decisions=300,
            mean_think_us=1_250,
            max_think_us=20_000,
        ),
        ladder_pb2.Standing(bot="bots/new", rating_milli=1_500_000, uncertainty_milli=686_000),
    ]
    places = [
        ladder_pb2.ListQueueResponse.QueuePlace(
            bot="bots/greedy",
            position=1,
            waited_groups=3,
            wait_bound_groups=5,
            open_matches=2,
            free_matches=1,
            matches_last_hour=412,
        ),
        ladder_pb2.ListQueueResponse.QueuePlace(
            bot="bots/a-bot-with-the-longest-name-of-32",
            waited_groups=14,
            wait_bound_groups=4,
            waiting_for="it plays 12 of the 12 matches that it takes at once",
        ),
    ]
    fitted = [
        ladder_pb2.FittedRating(
            bot_version="bots/greedy/versions/2",
            rating_milli=1_612_499,
            low_milli=1_524_998,
            high_milli=1_700_000,
            matches=12,
            superiority_ppm=999_999,
        ),
        ladder_pb2.FittedRating(
            bot_version="bots/greedy/versions/1",
            rating_milli=1_500_000,
            low_milli=1_400_000,
            high_milli=1_600_000,
            matches=9,
            superiority_ppm=876_543,
        ),
        ladder_pb2.FittedRating(
            bot_version="bots/a-bot-with-the-longest-name-of-32/versions/1.0.0",
            rating_milli=1_387_501,
            low_milli=901_000,
            high_milli=1_874_002,
            matches=3,
        ),
    ]
    seats = ladder_pb2.SeatAdvantage(
        seats=2, advantage_milli=[31_415, -31_415], uncertainty_milli=[12_001, 12_001], matches=12
    )
    token = token_pb2.Token(
        name="tokens/7f3a", role=token_pb2.ROLE_BOT, bot="bots/greedy", create_time=MORNING, revoked=True
    )
    own = token_pb2.Token(
        name="tokens/c1e2",
        role=token_pb2.ROLE_OWNER,
        owner="owners/alice",
        create_time=MORNING,
        scopes=[token_pb2.SCOPE_BOTS, token_pb2.SCOPE_PRIVATE],
        note="CI",
    )
    general = {
        "submissions_per_day": 50,
        "archive_mib": 64,
        "versions_mib": 4096,
        "connections": 512,
        "tokens": 200,
    }
    alice = user_pb2.User(
        name="users/alice",
        role=token_pb2.ROLE_OWNER,
        create_time=MORNING,
        quotas=user_pb2.UserQuotas(bots=3),
        quotas_in_force=user_pb2.UserQuotas(bots=3, **general),
        usage=user_pb2.UserUsage(bots=1, tokens=2, versions_mib=7),
    )
    out = user_pb2.User(name="users/mal", role=token_pb2.ROLE_SPECTATOR, create_time=MORNING, disabled=True)
    fake.answers |= {
        "ListBots": bot_pb2.ListBotsResponse(bots=[greedy]),
        "GetBot": bot_pb2.GetBotResponse(bot=greedy),
        "ListGames": game_pb2.ListGamesResponse(games=[game]),
        "GetGame": game_pb2.GetGameResponse(game=game),
        "ListLadders": ladder_pb2.ListLaddersResponse(ladders=[ladder]),
        "GetLadder": ladder_pb2.GetLadderResponse(ladder=ladder),
        "ListStandings": ladder_pb2.ListStandingsResponse(standings=standings),
        "RefitRatings": ladder_pb2.RefitRatingsResponse(ratings=fitted, seat_advantages=[seats], matches=12),
        "ListQueue": ladder_pb2.ListQueueResponse(places=places),
        "ListMatches": lambda request: match_pb2.ListMatchesResponse(
            matches=[match] if request.state in (match_pb2.MATCH_STATE_UNSPECIFIED, match.state) else []
        ),
        "GetMatch": match_pb2.GetMatchResponse(match=match),
        "ListTokens": token_pb2.ListTokensResponse(tokens=[token, own]),
        "GetOwnToken": token_pb2.GetOwnTokenResponse(token=own),
        "ListUsers": user_pb2.ListUsersResponse(users=[alice, out]),
        "GetUser": user_pb2.GetUserResponse(user=alice),
    }
    return fake


COMMANDS = [
    "games list",
    "games show caravan",
    "bot list",
    "bot show greedy",
    "token list",
    "token show",
    "user list",
    "user show alice",
    "ladder list",
    "ladder show main",
    "ladder standings main",
    "ladder ratings main",
    "ladder queue main",
    "match list",
    "match show 17",
    "log list",
]


def test_people_get_a_table(arena, ask):
    screens = {command: ask(*command.split()) for command in COMMANDS}

    assert "\x1b" not in "".join(result.output for result in screens.values())
    check_screen("listings", screens)


@pytest.mark.parametrize("command", COMMANDS)
def test_programs_get_one_json_document_with_the_names_of_the_proto(arena, ask, command):
    result = ask(*command.split(), "--format", "json")

    document = json.loads(result.stdout)
    assert isinstance(document, dict)
    assert all(name == name.lower() for name in document)


def test_json_has_fields_that_are_zero_and_enums_by_name(arena, ask):
    document = json.loads(ask("match", "show", "17", "--format", "json").stdout)

    assert document["attempt"] == 0
    assert document["state"] == "MATCH_STATE_FINISHED"
    assert document["seats"][0]["score"] == -3


def in_pages(total: int):
    """Return an answer to ListMatches with matches in pages of the requested size."""

    def answer(request: match_pb2.ListMatchesRequest) -> match_pb2.ListMatchesResponse:
        start = int(request.page_token or 0)
        end = min(start + request.page_size, total)
        return match_pb2.ListMatchesResponse(
            matches=[match_pb2.Match(name=f"matches/{total - n}") for n in range(start, end)],
            next_page_token=str(end) if end < total else "",
        )

    return answer


@pytest.mark.parametrize(
    ("limit", "shown", "more"), [("0", 450, False), ("450", 450, False), ("250", 250, True), ("7", 7, True)]
)
def test_pages_are_one_listing_in_their_order_up_to_the_limit(fake, ask, limit, shown, more):
    fake.answers["ListMatches"] = in_pages(450)

    document = json.loads(ask("match", "list", "--limit", limit, "--format", "json").stdout)

    assert [match["name"] for match in document["matches"]] == [f"matches/{450 - n}" for n in range(shown)]
    assert bool(document["next_page_token"]) is more


def test_people_are_told_when_there_is_more(fake, ask):
    fake.answers["ListMatches"] = in_pages(60)

    assert "--limit" in ask("match", "list").stdout
    assert "--limit" not in ask("match", "list", "--limit", "0").stdout


def test_a_log_is_shown_by_its_first_12_digits_and_whole_to_programs(arena, ask):
    assert "ab" * 6 in ask("log", "list").stdout
    assert "ab" * 7 not in ask("log", "list").stdout
    assert "ab" * 32 in ask("log", "list", "--format", "json").stdout


def test_matches_fit_80_columns_without_a_broken_word(arena, ask, monkeypatch):
    monkeypatch.setattr("arena.cli.framework.output._PIPE_WIDTH", 80)
    match = arena.answers["GetMatch"].match
    for name in ("planner", "mcts"):
        match.seats.add(bot=f"bots/{name}", placing=3)
    arena.answers["ListMatches"] = match_pb2.ListMatchesResponse(matches=[match])

    shown = ask("match", "list").stdout.splitlines()

    rows = [line for line in shown if line.strip(" ─")]
    assert len(rows) == 2
    assert all(len(line) <= 80 for line in shown)
    assert "FINAL_DELIVERY" in rows[1]
    assert "1 greedy, 2 rand" in rows[1]
    assert "…" in rows[1]


def test_a_match_of_six_fits_80_columns_with_a_row_for_each_seat(arena, ask, monkeypatch):
    monkeypatch.setattr("arena.cli.framework.output._PIPE_WIDTH", 80)
    match = arena.answers["GetMatch"].match
    for place in range(3, 7):
        match.seats.add(bot=f"bots/a-bot-with-a-very-long-name-{place}", placing=place, decisions=1_234)
        match.seats[-1].ending.termination = ending_pb2.TERMINATION_ILLEGAL_ACTION

    shown = ask("match", "show", "17").stdout

    table = shown.partition(" seat ")[2].partition("Seat 0")[0].splitlines()
    rows = [line.split() for line in table if line.strip(" ─")][1:]
    assert [row[0] for row in rows] == list("012345")
    assert {row[-1] for row in rows} == {"0"}
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_ladders_fit_80_columns_without_a_broken_word(arena, ask, monkeypatch):
    monkeypatch.setattr("arena.cli.framework.output._PIPE_WIDTH", 80)
    listing = arena.answers["ListLadders"]
    why = "2 of its bots are connected and not paused, and a match needs 3"
    listing.ladders[0].game, listing.ladders[0].waiting_for = "caravanserai", why
    listing.ladders[0].seat_counts[:] = [2, 3, 4, 5, 6]

    shown = lines(ask("ladder", "list").stdout)

    assert shown[1:] == ["main caravanserai 2,3,4,5,6 running 4 12 2", f"main waits: {why}"]


@pytest.mark.parametrize("command", ["match list", "log list"])
def test_an_empty_listing_says_so_and_is_an_empty_list_for_programs(fake, ask, command):
    fake.answers["ListMatches"] = match_pb2.ListMatchesResponse()

    assert ask(*command.split()).stdout in {"No matches.\n", "No logs.\n"}
    assert json.loads(ask(*command.split(), "--format", "json").stdout)["matches"] == []


@pytest.mark.parametrize(("option", "method"), [("--bot", "GetBot"), ("--ladder", "GetLadder")])
@pytest.mark.parametrize("command", ["match list", "log list"])
def test_a_filter_by_what_is_not_there_is_refused(fake, ask, command, option, method):
    fake.answers[method] = Refusal(grpc.StatusCode.NOT_FOUND, "There is none.")

    result = ask(*command.split(), option, "nobody")

    assert (result.exit_code, result.stderr) == (1, "arena: There is none.\n")


def test_a_match_that_has_not_begun_waits_for_its_bots(arena, ask):
    pending = match_pb2.Match(name="matches/17", state=match_pb2.MATCH_STATE_PENDING)
    arena.answers["GetMatch"] = match_pb2.GetMatchResponse(match=pending)
    arena.answers["ListMatches"] = match_pb2.ListMatchesResponse(matches=[pending])

    commands = ("match show 17", "log show 17", "match explain 17")
    check_screen("pending_match", {command: ask(*command.split()) for command in commands})
    assert "1 pending" in ask("ladder", "show", "main").stdout
