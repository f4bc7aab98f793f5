"""What commands ask an arena for."""

from __future__ import annotations

import json

import pytest

from arena.cli.match.commands import seconds
from arena.core.clock.time_control import TimeControl
from arena.v1 import audit_pb2, bot_pb2, ladder_pb2, match_pb2, time_control_pb2, token_pb2, tournament_pb2
from tests.unit.cli.screens import check_screen, words


def test_a_bot_is_registered_with_its_owner_and_a_request_id_of_its_own(fake, ask):
    fake.answers["CreateBot"] = lambda request: bot_pb2.CreateBotResponse(
        bot=bot_pb2.Bot(name=f"bots/{request.bot_id}", owner=request.owner)
    )

    result = ask("bot", "create", "greedy", "--owner", "alice", "--description", "quick")
    ask("bot", "create", "bots/greedy")

    first, second = fake.requests("CreateBot")
    assert (first.bot_id, first.owner, first.description) == ("greedy", "owners/alice", "quick")
    assert (second.bot_id, second.owner) == ("greedy", "")
    assert len({first.request_id, second.request_id, ""}) == 3
    assert result.exit_code == 0


def test_a_bot_is_hidden_and_shown_again(fake, ask):
    fake.answers["SetBotHidden"] = lambda request: bot_pb2.SetBotHiddenResponse(
        bot=bot_pb2.Bot(name=request.name, hidden=request.hidden)
    )

    assert "hidden" in ask("bot", "hide", "greedy").stdout
    assert "hidden" not in ask("bot", "hide", "greedy", "--undo").stdout


def test_a_tokens_secret_stands_alone_on_standard_output_so_that_it_can_be_piped(fake, ask):
    fake.answers["CreateToken"] = token_pb2.CreateTokenResponse(
        token=token_pb2.Token(name="tokens/7f3a90c1e2d4"), secret="arn_7f3a_secret_crc"
    )

    result = ask("bot", "token", "greedy", "--expire-days", "3")

    assert result.stdout == "arn_7f3a_secret_crc\n"
    assert "secret" not in result.stderr
    assert fake.requests("CreateToken") == [
        token_pb2.CreateTokenRequest(role=token_pb2.ROLE_BOT, bot="bots/greedy", expire_days=3)
    ]


def test_tokens_are_made_for_owners_and_organisers_too(fake, ask):
    fake.answers["CreateToken"] = token_pb2.CreateTokenResponse(secret="arn_x")

    ask("token", "create", "--owner", "alice")
    ask("token", "create", "--organiser", "bob")
    ask("token", "create", "--bot", "greedy")

    assert fake.requests("CreateToken") == [
        token_pb2.CreateTokenRequest(role=token_pb2.ROLE_OWNER, owner="owners/alice"),
        token_pb2.CreateTokenRequest(role=token_pb2.ROLE_ORGANISER, owner="owners/bob"),
        token_pb2.CreateTokenRequest(role=token_pb2.ROLE_BOT, bot="bots/greedy"),
    ]


def test_a_token_is_made_with_scopes_a_note_and_minutes(fake, ask):
    fake.answers["CreateToken"] = token_pb2.CreateTokenResponse(secret="arn_x")

    ask(
        "token", "create", "--spectator", "class", "--scope", "read", "--scope", "tokens",
        "--expire-minutes", "30", "--note", "the page",
    )  # fmt: skip

    assert fake.requests("CreateToken") == [
        token_pb2.CreateTokenRequest(
            role=token_pb2.ROLE_SPECTATOR,
            owner="owners/class",
            scopes=[token_pb2.SCOPE_READ, token_pb2.SCOPE_TOKENS],
            expire_minutes=30,
            note="the page",
        )
    ]


def test_a_ladder_is_created_with_seats_options_and_clock_rules(fake, ask):
    fake.answers["CreateLadder"] = ladder_pb2.CreateLadderResponse()

    ask(
        "ladder", "create", "main", "--seats", "2,4", "--option", "camels=6", "--option", "goods=short",
        "--clock", "per_decision_ms=250", "--clock", "strikes=0", "--forbid-same-owner",
    )  # fmt: skip

    [request] = fake.requests("CreateLadder")
    assert (request.ladder_id, request.game, list(request.seat_counts)) == ("main", "caravan", [2, 4])
    assert dict(request.options) == {"camels": "6", "goods": "short"}
    assert (request.time_control.per_decision_ms, request.time_control.strikes) == (250, 0)
    assert request.time_control.bank_ms == TimeControl().bank_ms
    assert request.forbid_same_owner
    assert request.seed_policy == match_pb2.SEED_POLICY_UNSPECIFIED


@pytest.mark.parametrize("name", ["shared", "derived"])
def test_ladders_and_tournaments_are_asked_for_with_a_seed_policy(fake, ask, name):
    fake.answers["CreateLadder"] = ladder_pb2.CreateLadderResponse()
    fake.answers["CreateTournament"] = tournament_pb2.CreateTournamentResponse(
        tournament=tournament_pb2.Tournament(bots=["bots/a", "bots/b"])
    )

    ask("ladder", "create", "main", "--seed-policy", name)
    ask("tournament", "create", "cup", "--bots", "a,b", "--seed-policy", name)

    for method in ("CreateLadder", "CreateTournament"):
        [request] = fake.requests(method)
        assert match_pb2.SeedPolicy.Name(request.seed_policy) == f"SEED_POLICY_{name.upper()}"


def plans(fake, *games_and_pads: tuple[str, int]) -> None:
    """Let the arena answer with these games and pads, one after the other."""
    left = iter(games_and_pads)

    def ladder(request: ladder_pb2.CreateLadderRequest) -> ladder_pb2.CreateLadderResponse:
        game, pad = next(left)
        control = time_control_pb2.TimeControl(secret_pad_ms=pad)
        return ladder_pb2.CreateLadderResponse(ladder=ladder_pb2.Ladder(game=game, time_control=control))

    def tournament(
        request: tournament_pb2.CreateTournamentRequest,
    ) -> tournament_pb2.CreateTournamentResponse:
        game, pad = next(left)
        control = time_control_pb2.TimeControl(secret_pad_ms=pad)
        planned = tournament_pb2.Tournament(game=game, time_control=control, bots=["bots/a", "bots/b"])
        return tournament_pb2.CreateTournamentResponse(tournament=planned)

    fake.answers["CreateLadder"], fake.answers["CreateTournament"] = ladder, tournament


@pytest.mark.parametrize(
    "command", [("ladder", "create", "main"), ("tournament", "create", "cup", "--bots", "a,b")]
)
def test_whoever_plans_secret_decisions_without_a_pad_is_told_what_a_pause_tells(fake, ask, command):
    plans(fake, ("wasteland", 0), ("wasteland", 20), ("caravan", 0))

    told, padded, open_game = (ask(*command, "--format", "json") for _ in range(3))

    assert "--clock secret_pad_ms=" in told.stderr
    assert told.stderr.count("\n") == 1
    assert json.loads(told.stdout)
    assert (padded.stderr, open_game.stderr) == ("", "")


def test_a_ladder_shows_its_pad_where_there_is_one(fake, ask):
    plans(fake, ("wasteland", 20), ("wasteland", 0))

    padded, bare = (" ".join(ask("ladder", "create", "main").stdout.split()) for _ in range(2))

    assert "0 strikes, secret_pad_ms 20" in padded
    assert "secret_pad_ms" not in bare


@pytest.mark.parametrize(
    "command", [("ladder", "create", "main"), ("tournament", "create", "cup", "--bots", "a,b")]
)
def test_a_pad_is_said_to_do_nothing_where_no_decision_is_secret(fake, ask, command):
    plans(fake, ("caravan", 20))

    idle = ask(*command)

    assert "secret_pad_ms=20" in idle.stderr
    assert idle.stderr.count("\n") == 1


def test_a_challenge_tells_who_is_away_but_not_of_a_bot_whose_program_is_started_for_its_matches(fake, ask):
    newest = bot_pb2.Hosting(mode=bot_pb2.Hosting.MODE_NEWEST)
    fake.answers["CreateTournament"] = tournament_pb2.CreateTournamentResponse(
        tournament=tournament_pb2.Tournament(name="tournaments/c1")
    )
    fake.answers["GetTournament"] = tournament_pb2.GetTournamentResponse()
    bots = {"bots/ant": bot_pb2.Bot(hosting=newest), "bots/bee": bot_pb2.Bot()}
    fake.answers["GetBot"] = lambda request: bot_pb2.GetBotResponse(bot=bots[request.name])

    told = ask("challenge", "ant", "bee").stderr

    assert "bee is not connected" in told
    assert "ant" not in told


def test_a_ladder_says_whether_its_groups_share_a_seed_and_who_plays_therefore(fake, ask):
    fake.answers["ListMatches"] = match_pb2.ListMatchesResponse()
    shown = {}
    for policy, hosted_only in (("DERIVED", False), ("SHARED", False), ("SHARED", True)):
        seed_policy = match_pb2.SeedPolicy.Value(f"SEED_POLICY_{policy}")
        ladder = ladder_pb2.Ladder(name="ladders/main", seed_policy=seed_policy, hosted_only=hosted_only)
        fake.answers["GetLadder"] = ladder_pb2.GetLadderResponse(ladder=ladder)
        shown[f"{policy}, {hosted_only}"] = ask("ladder", "show", "main")

    check_screen("seed_policies", shown)


def test_a_ladder_without_clock_rules_leaves_them_to_the_arena(fake, ask):
    fake.answers["CreateLadder"] = ladder_pb2.CreateLadderResponse()

    ask("ladder", "create", "main")

    assert not fake.requests("CreateLadder")[0].HasField("time_control")


def test_bots_join_and_leave_a_ladder_that_runs_and_pauses(fake, ask):
    ladder = ladder_pb2.Ladder(name="ladders/main")
    fake.answers |= {
        "JoinLadder": ladder_pb2.JoinLadderResponse(ladder=ladder),
        "LeaveLadder": ladder_pb2.LeaveLadderResponse(ladder=ladder),
        "RunLadder": ladder_pb2.RunLadderResponse(ladder=ladder),
        "PauseLadder": ladder_pb2.PauseLadderResponse(ladder=ladder),
    }

    for command in ("join main greedy", "leave main greedy", "run main --matches 9", "pause main"):
        assert ask("ladder", *command.split()).exit_code == 0

    assert [call.request for call in fake.calls] == [
        ladder_pb2.JoinLadderRequest(name="ladders/main", bot="bots/greedy"),
        ladder_pb2.LeaveLadderRequest(name="ladders/main", bot="bots/greedy"),
        ladder_pb2.RunLadderRequest(name="ladders/main", matches=9),
        ladder_pb2.PauseLadderRequest(name="ladders/main"),
    ]


def test_recompute_tells_whether_ratings_or_boards_are_the_same_and_which_differ(fake, ask):
    same = ladder_pb2.RecomputeLadderResponse(entries=12, identical=True)
    difference = ladder_pb2.RecomputeLadderResponse.Difference(
        bot="bots/greedy", stored_milli=1_500_001, recomputed_milli=1_500_000
    )
    differs = ladder_pb2.RecomputeLadderResponse(entries=12, differences=[difference])
    shown = {}
    for title, seats, answer in (("same", 2, same), ("solo", 1, same), ("differs", 2, differs)):
        ladder = ladder_pb2.Ladder(seat_counts=[seats])
        fake.answers["GetLadder"] = ladder_pb2.GetLadderResponse(ladder=ladder)
        fake.answers["RecomputeLadder"] = answer
        shown[title] = ask("ladder", "recompute", "main")

    assert [result.exit_code for result in shown.values()] == [0, 0, 1]
    check_screen("recompute", shown)


def test_matches_are_filtered_by_ladder_bot_and_state(fake, ask):
    fake.answers |= {
        "ListMatches": match_pb2.ListMatchesResponse(),
        "GetLadder": ladder_pb2.GetLadderResponse(),
        "GetBot": bot_pb2.GetBotResponse(),
    }

    ask("match", "list", "--ladder", "main", "--bot", "greedy", "--state", "no_contest", "--limit", "3")

    assert fake.requests("ListMatches") == [
        match_pb2.ListMatchesRequest(
            page_size=3, ladder="ladders/main", bot="bots/greedy", state=match_pb2.MATCH_STATE_NO_CONTEST
        )
    ]


def test_waiting_for_a_ladder_ends_when_it_has_paused_and_its_last_match_is_over(fake, ask):
    running, paused = ladder_pb2.Ladder.STATE_RUNNING, ladder_pb2.Ladder.STATE_PAUSED
    stages = [(running, 5, 0), (running, 5, 2), (paused, 6, 1), (paused, 7, 0), (paused, 7, 0)]

    def stand(request: ladder_pb2.GetLadderRequest) -> ladder_pb2.GetLadderResponse:
        state, finished, playing = stages.pop(0)
        ladder = ladder_pb2.Ladder(
            name=request.name, state=state, finished_matches=finished, running_matches=playing
        )
        return ladder_pb2.GetLadderResponse(ladder=ladder)

    fake.answers |= {"GetLadder": stand, "RunLadder": ladder_pb2.RunLadderResponse()}

    result = ask("ladder", "run", "main", "--matches", "2", "--wait")

    assert result.exit_code == 0, result.output
    assert stages == []
    assert "7 finished, 0 running" in result.stdout
    assert fake.requests("RunLadder") == [ladder_pb2.RunLadderRequest(name="ladders/main", matches=2)]


def test_the_organiser_rules_on_a_match(fake, ask):
    """Row 46."""
    fake.answers |= {
        "ReplayMatch": match_pb2.ReplayMatchResponse(match=match_pb2.Match(name="matches/18")),
        "VoidMatch": match_pb2.VoidMatchResponse(
            match=match_pb2.Match(name="matches/17", void_reason="Void by the organiser: a cheat."),
            consequence="Other matches of the group (18) keep their results.",
        ),
    }

    assert "match 18" in ask("match", "replay", "17").stdout
    result = ask("match", "void", "17", "--reason", "a cheat")

    assert "a cheat" in result.stdout
    assert "(18)" in result.stdout
    assert [call.request for call in fake.calls] == [
        match_pb2.ReplayMatchRequest(name="matches/17"),
        match_pb2.VoidMatchRequest(name="matches/17", reason="a cheat"),
    ]


def test_a_match_that_is_left_to_the_organiser_shows_it_and_says_what_to_do(fake, ask):
    """Row 46."""
    left = match_pb2.Match(name="matches/17", state=match_pb2.MATCH_STATE_ABORTED, left_to_organiser=True)
    fake.answers |= {
        "ListMatches": match_pb2.ListMatchesResponse(matches=[left]),
        "GetMatch": match_pb2.GetMatchResponse(match=left),
    }

    listing = " ".join(ask("match", "list", "--state", "aborted").stdout.split())
    page = " ".join(ask("match", "show", "17").stdout.split())

    assert "left to the organiser" in listing
    assert "left to the organiser" in page
    assert "arena match replay 17" in page
    assert "arena match void 17 --reason" in page


def test_an_empty_audit_trail_says_so_and_a_marked_bot_comes_with_a_list_that_is_not_empty(fake, ask):
    count = audit_pb2.VoidCount(bot="bots/ant", void_matches=3, matches=3, conspicuous=True)
    fake.answers |= {
        "ListAuditEntries": audit_pb2.ListAuditEntriesResponse(),
        "ListVoidCounts": audit_pb2.ListVoidCountsResponse(counts=[count]),
    }

    assert ask("audit", "list").stdout == "No entries.\n"
    check_screen("audit_voids", ask("audit", "voids"))


@pytest.mark.parametrize(
    ("connections", "benched", "started"), [(0, "", True), (0, "It crashed.", False), (1, "", False)]
)
def test_a_hosted_bot_without_a_program_is_not_told_to_take_no_match(
    fake, ask, connections, benched, started
):
    hosting = bot_pb2.Hosting(
        mode=bot_pb2.Hosting.MODE_NEWEST, version="bots/ant/versions/ab", benched=benched
    )
    bot = bot_pb2.Bot(name="bots/ant", hosting=hosting, connections=connections)
    fake.answers |= {
        "GetBot": bot_pb2.GetBotResponse(bot=bot),
        "ListMatches": match_pb2.ListMatchesResponse(),
    }

    assert ("program is started when" in words(ask("bot", "show", "ant").stdout)) is started


@pytest.mark.parametrize("played", [True, False])
def test_only_a_hosted_bot_without_a_match_is_told_to_join_a_ladder(fake, ask, played):
    hosting = bot_pb2.Hosting(mode=bot_pb2.Hosting.MODE_NEWEST, version="bots/ant/versions/ab")
    matches = [match_pb2.Match(name="matches/17")] if played else []
    fake.answers |= {
        "GetBot": bot_pb2.GetBotResponse(bot=bot_pb2.Bot(name="bots/ant", hosting=hosting)),
        "ListMatches": match_pb2.ListMatchesResponse(matches=matches),
    }

    assert ("arena ladder join" not in ask("bot", "show", "ant").stdout) is played


def test_a_match_that_never_began_took_no_time(fake, ask):
    never = match_pb2.Match(name="matches/17", state=match_pb2.MATCH_STATE_NO_CONTEST)
    never.end_time.FromSeconds(1_795_347_962)
    fake.answers["ListMatches"] = match_pb2.ListMatchesResponse(matches=[never])

    assert seconds(never) == ""
    assert "1795347962" not in ask("match", "list").stdout
