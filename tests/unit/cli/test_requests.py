"""What commands ask an arena for."""

import json

import pytest

from arena.cli.match.commands import seconds
from arena.core.clock.time_control import TimeControl
from arena.v1 import match_pb2
from tests.unit.cli.screens import check_screen, words

EACH_PLAN = pytest.mark.parametrize(
    "command", ["ladder create main", "tournament create cup --bots a,b"], ids=["ladder", "tournament"]
)


def test_a_bot_is_registered_with_its_owner_and_a_request_id_of_its_own(fake, ask):
    fake.answers["CreateBot"] = lambda request: f'bot {{ name: "bots/{request.bot_id}" }}'

    result = ask("bot", "create", "greedy", "--owner", "alice", "--description", "quick")
    ask("bot", "create", "bots/greedy")

    first, second = fake.requests("CreateBot")
    assert (first.bot_id, first.owner, first.description) == ("greedy", "owners/alice", "quick")
    assert (second.bot_id, second.owner) == ("greedy", "")
    assert len({first.request_id, second.request_id, ""}) == 3
    assert result.exit_code == 0


def test_a_bot_is_hidden_and_shown_again(fake, ask):
    fake.answers["SetBotHidden"] = lambda request: (
        f'bot {{ name: "{request.name}" hidden: {request.hidden} }}'
    )

    assert "hidden" in ask("bot", "hide", "greedy").stdout
    assert "hidden" not in ask("bot", "hide", "greedy", "--undo").stdout


def test_only_the_secret_of_a_new_token_is_on_standard_output(fake, ask):
    fake.answers["CreateToken"] = 'token { name: "tokens/7f3a90c1e2d4" } secret: "arn_7f3a_secret_crc"'

    result = ask("bot", "token", "greedy", "--expire-days", "3")

    assert result.stdout == "arn_7f3a_secret_crc\n"
    assert "secret" not in result.stderr
    assert fake.texts("CreateToken") == ['role: ROLE_BOT bot: "bots/greedy" expire_days: 3']


@pytest.mark.parametrize(
    ("options", "request_text"),
    [
        ("--owner alice", 'role: ROLE_OWNER owner: "owners/alice"'),
        ("--organiser bob", 'role: ROLE_ORGANISER owner: "owners/bob"'),
        ("--bot greedy", 'role: ROLE_BOT bot: "bots/greedy"'),
        (
            "--spectator class --scope read --scope tokens --expire-minutes 30 --note page",
            (
                'role: ROLE_SPECTATOR owner: "owners/class" scopes: SCOPE_READ scopes: SCOPE_TOKENS'
                ' expire_minutes: 30 note: "page"'
            ),
        ),
    ],
)
def test_a_token_is_made_for_every_role_with_scopes_a_note_and_minutes(fake, ask, options, request_text):
    fake.answers["CreateToken"] = 'secret: "arn_x"'

    ask("token", "create", *options.split())

    assert sorted(fake.texts("CreateToken")[0].split()) == sorted(request_text.split())


def test_a_ladder_is_created_with_seats_options_and_clock_rules(fake, ask):
    fake.answers["CreateLadder"] = ""

    ask(
        "ladder", "create", "main", "--seats", "2,4", "--option", "camels=6", "--option", "goods=short",
        "--clock", "per_decision_ms=250", "--clock", "strikes=0", "--forbid-same-owner",
    )  # fmt: skip
    ask("ladder", "create", "main")

    request, plain = fake.requests("CreateLadder")
    assert (request.ladder_id, request.game, list(request.seat_counts)) == ("main", "caravan", [2, 4])
    assert dict(request.options) == {"camels": "6", "goods": "short"}
    assert (request.time_control.per_decision_ms, request.time_control.strikes) == (250, 0)
    assert request.time_control.bank_ms == TimeControl().bank_ms
    assert request.forbid_same_owner
    assert request.seed_policy == match_pb2.SEED_POLICY_UNSPECIFIED
    assert not plain.HasField("time_control"), "left to the arena"


@pytest.mark.parametrize("name", ["shared", "derived"])
def test_ladders_and_tournaments_are_asked_for_with_a_seed_policy(fake, ask, name):
    fake.answers |= {"CreateLadder": "", "CreateTournament": 'tournament { bots: ["bots/a", "bots/b"] }'}

    ask("ladder", "create", "main", "--seed-policy", name)
    ask("tournament", "create", "cup", "--bots", "a,b", "--seed-policy", name)

    for method in ("CreateLadder", "CreateTournament"):
        [request] = fake.requests(method)
        assert match_pb2.SeedPolicy.Name(request.seed_policy) == f"SEED_POLICY_{name.upper()}"


def plans(fake, *games_and_pads: tuple[str, int]) -> None:
    """Let the arena answer with these games and pads, one after the other."""
    left = iter(games_and_pads)

    def planned(kind: str, bots: str) -> str:
        game, pad = next(left)
        return f'{kind} {{ game: "{game}" time_control {{ secret_pad_ms: {pad} }} {bots} }}'

    fake.answers["CreateLadder"] = lambda _: planned("ladder", "")
    fake.answers["CreateTournament"] = lambda _: planned("tournament", 'bots: ["bots/a", "bots/b"]')


@EACH_PLAN
def test_a_plan_of_secret_decisions_without_a_pad_warns_of_what_a_pause_tells(fake, ask, command):
    plans(fake, ("wasteland", 0), ("wasteland", 20), ("caravan", 0))

    told, padded, open_game = (ask(*command.split(), "--format", "json") for _ in range(3))

    assert "--clock secret_pad_ms=" in told.stderr
    assert told.stderr.count("\n") == 1
    assert json.loads(told.stdout)
    assert (padded.stderr, open_game.stderr) == ("", "")


@EACH_PLAN
def test_a_pad_is_said_to_do_nothing_where_no_decision_is_secret(fake, ask, command):
    plans(fake, ("caravan", 20))

    idle = ask(*command.split())

    assert "secret_pad_ms=20" in idle.stderr
    assert idle.stderr.count("\n") == 1


def test_a_ladder_shows_its_pad_where_there_is_one(fake, ask):
    plans(fake, ("wasteland", 20), ("wasteland", 0))

    padded, bare = (words(ask("ladder", "create", "main").stdout) for _ in range(2))

    assert "secret_pad_ms 20" in padded
    assert "secret_pad_ms" not in bare


def test_a_challenge_tells_who_is_offline_but_not_of_a_bot_whose_program_is_started_for_it(fake, ask):
    bots = {"bots/ant": "bot { hosting { mode: MODE_NEWEST } }", "bots/bee": "bot {}"}
    fake.answers |= {
        "CreateTournament": 'tournament { name: "tournaments/c1" }',
        "GetTournament": "",
        "GetBot": lambda request: bots[request.name],
    }

    told = ask("challenge", "ant", "bee").stderr

    assert "bee is not connected" in told
    assert "ant" not in told


def test_a_ladder_says_whether_its_groups_share_a_seed_and_who_plays_therefore(fake, ask):
    fake.answers["ListMatches"] = ""
    shown = {}
    for policy, hosted_only in (("DERIVED", False), ("SHARED", False), ("SHARED", True)):
        fake.answers["GetLadder"] = (
            f'ladder {{ name: "ladders/main" seed_policy: SEED_POLICY_{policy} hosted_only: {hosted_only} }}'
        )
        shown[f"{policy}, {hosted_only}"] = ask("ladder", "show", "main")

    check_screen("seed_policies", shown)


def test_bots_join_and_leave_a_ladder_that_runs_and_pauses(fake, ask):
    verbs = ("Join", "Leave", "Run", "Pause")
    fake.answers |= {f"{verb}Ladder": 'ladder { name: "ladders/main" }' for verb in verbs}

    for command in ("join main greedy", "leave main greedy", "run main --matches 9", "pause main"):
        assert ask("ladder", *command.split()).exit_code == 0

    assert [fake.texts(f"{verb}Ladder") for verb in verbs] == [
        ['name: "ladders/main" bot: "bots/greedy"'],
        ['name: "ladders/main" bot: "bots/greedy"'],
        ['name: "ladders/main" matches: 9'],
        ['name: "ladders/main"'],
    ]


def test_recompute_tells_whether_ratings_or_boards_are_the_same_and_which_differ(fake, ask):
    same = "entries: 12 identical: true"
    difference = 'bot: "bots/greedy" stored_milli: 1500001 recomputed_milli: 1500000'
    differs = f"entries: 12 differences {{ {difference} }}"
    shown = {}
    for title, seats, answer in (("same", 2, same), ("solo", 1, same), ("differs", 2, differs)):
        fake.answers |= {"GetLadder": f"ladder {{ seat_counts: {seats} }}", "RecomputeLadder": answer}
        shown[title] = ask("ladder", "recompute", "main")

    assert [result.exit_code for result in shown.values()] == [0, 0, 1]
    check_screen("recompute", shown)


def test_matches_are_filtered_by_ladder_bot_and_state(fake, ask):
    fake.answers |= {"ListMatches": "", "GetLadder": "", "GetBot": ""}

    ask("match", "list", "--ladder", "main", "--bot", "greedy", "--state", "no_contest", "--limit", "3")

    assert fake.requests("ListMatches") == [
        match_pb2.ListMatchesRequest(
            page_size=3, ladder="ladders/main", bot="bots/greedy", state=match_pb2.MATCH_STATE_NO_CONTEST
        )
    ]


def test_the_organiser_rules_on_a_match(fake, ask):
    """Row 46."""
    fake.answers |= {
        "ReplayMatch": 'match { name: "matches/18" }',
        "VoidMatch": """
            match { name: "matches/17" void_reason: "Void by the organiser: a cheat." }
            consequence: "Other matches of the group (18) keep their results."
        """,
    }

    assert "match 18" in ask("match", "replay", "17").stdout
    result = ask("match", "void", "17", "--reason", "a cheat")

    assert "a cheat" in result.stdout
    assert "(18)" in result.stdout
    assert fake.texts("ReplayMatch") == ['name: "matches/17"']
    assert fake.texts("VoidMatch") == ['name: "matches/17" reason: "a cheat"']


def test_a_match_that_is_left_to_the_organiser_shows_it_and_says_what_to_do(fake, ask):
    """Row 46."""
    left = '{ name: "matches/17" state: MATCH_STATE_ABORTED left_to_organiser: true }'
    fake.answers |= {"ListMatches": f"matches {left}", "GetMatch": f"match {left}"}

    listing = words(ask("match", "list", "--state", "aborted").stdout)
    page = words(ask("match", "show", "17").stdout)

    assert "left to the organiser" in listing
    for part in ("left to the organiser", "arena match replay 17", "arena match void 17 --reason"):
        assert part in page


def test_an_empty_audit_trail_says_so_and_a_marked_bot_comes_with_a_list_that_is_not_empty(fake, ask):
    fake.answers |= {
        "ListAuditEntries": "",
        "ListVoidCounts": 'counts { bot: "bots/ant" void_matches: 3 matches: 3 conspicuous: true }',
    }

    assert ask("audit", "list").stdout == "No entries.\n"
    check_screen("audit_voids", ask("audit", "voids"))


def a_hosted_bot(connections: int = 0, benched: str = "") -> str:
    hosting = f'mode: MODE_NEWEST version: "bots/ant/versions/ab" benched: "{benched}"'
    return f'bot {{ name: "bots/ant" hosting {{ {hosting} }} connections: {connections} }}'


@pytest.mark.parametrize(
    ("connections", "benched", "started"), [(0, "", True), (0, "It crashed.", False), (1, "", False)]
)
def test_a_hosted_bot_whose_program_is_not_running_says_when_it_starts(
    fake, ask, connections, benched, started
):
    fake.answers |= {"GetBot": a_hosted_bot(connections, benched), "ListMatches": ""}

    assert ("program is started when" in words(ask("bot", "show", "ant").stdout)) is started


@pytest.mark.parametrize("played", [True, False])
def test_only_a_hosted_bot_without_a_match_is_advised_to_join_a_ladder(fake, ask, played):
    fake.answers |= {
        "GetBot": a_hosted_bot(),
        "ListMatches": 'matches { name: "matches/17" }' if played else "",
    }

    assert ("arena ladder join" not in ask("bot", "show", "ant").stdout) is played


def test_a_match_that_never_began_took_no_time(fake, ask):
    never = match_pb2.Match(name="matches/17", state=match_pb2.MATCH_STATE_NO_CONTEST)
    never.end_time.FromSeconds(1_795_347_962)
    fake.answers["ListMatches"] = match_pb2.ListMatchesResponse(matches=[never])

    assert seconds(never) == ""
    assert "1795347962" not in ask("match", "list").stdout
