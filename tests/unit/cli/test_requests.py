"""What commands ask an arena for, and what they say of its answer."""

import json
import re
import shlex

import grpc
import pytest
from google.protobuf import text_format

from arena.cli.match.commands import seconds
from arena.codecs.codec import codec_for
from arena.core.clock.time_control import TimeControl
from arena.games.caravan.v1 import caravan_pb2
from arena.v1 import games_pb2, match_pb2
from arena.wire.wording import format_options
from engine.registry import GAMES
from tests.unit.cli.fake_arena import Answer, Refusal
from tests.unit.cli.screens import Screens, check_screens

ANSWERS = {
    "TestWebhook": "accepted: true status: 204",
    "CreateTournament": 'tournament { bots: ["bots/a", "bots/b"] }',
    "GetBot": "",
    "GetLadder": "",
    "GetTournament": "",
    "GetOwnToken": 'token { name: "tokens/7f3a90c1e2d4" owner: "owners/root" role: ROLE_ORGANISER }',
}
"""What an arena answers where an empty message is not enough."""

CLOCK = TimeControl()
REQUESTS = [
    ("bot create greedy --owner alice --description quick", "CreateBot",
     'bot_id: "greedy" owner: "owners/alice" description: "quick"'),
    ("bot create bots/greedy", "CreateBot", 'bot_id: "greedy"'),
    ("bot hide greedy", "SetBotHidden", 'name: "bots/greedy" hidden: true'),
    ("bot hide greedy --undo", "SetBotHidden", 'name: "bots/greedy"'),
    ("bot token greedy --expire-days 3", "CreateToken", 'role: ROLE_BOT bot: "bots/greedy" expire_days: 3'),
    ("token create --owner alice", "CreateToken", 'role: ROLE_OWNER owner: "owners/alice"'),
    ("token create --organiser bob", "CreateToken", 'role: ROLE_ORGANISER owner: "owners/bob"'),
    ("token create --bot greedy", "CreateToken", 'role: ROLE_BOT bot: "bots/greedy"'),
    ("token create --spectator class --scope read --scope tokens --expire-minutes 30 --note page", "CreateToken",
     'role: ROLE_SPECTATOR owner: "owners/class" scopes: [SCOPE_READ, SCOPE_TOKENS] expire_minutes: 30 note: "page"'),
    *((f"token revoke {name}", "RevokeToken", 'name: "tokens/7f3a90c1e2d4"')
      for name in ("7f3a90c1e2d4", "arn_7f3a90c1e2d4", "arn_7f3a90c1e2d4_secret_crc", "tokens/7f3a90c1e2d4")),
    ("user create alice --bots 3 --tokens 0", "CreateUser",
     'user_id: "alice" role: ROLE_OWNER quotas { bots: 3 tokens: 0 }'),
    ("user create users/class --role spectator", "CreateUser", 'user_id: "class" role: ROLE_SPECTATOR quotas {}'),
    ("user show", "GetUser", ""),
    ("user role ben organiser", "SetUserRole", 'name: "users/ben" role: ROLE_ORGANISER'),
    ("user disable mal", "SetUserDisabled", 'name: "users/mal" disabled: true'),
    ("user enable mal", "SetUserDisabled", 'name: "users/mal"'),
    ("user create s01 --full-name Žofie", "CreateUser", 'user_id: "s01" role: ROLE_OWNER quotas {} full_name: "Žofie"'),
    ("invite create --uses 30 --bots 3 --expire-days 7 --token-expire-days 120 --note term", "CreateInvite",
     'role: ROLE_OWNER uses: 30 quotas { bots: 3 } expire_days: 7 token_expire_days: 120 note: "term"'),
    ("invite create --user alice --renewable --role spectator", "CreateInvite",
     'role: ROLE_SPECTATOR user: "users/alice" quotas {} expire_days: 30 renewable: true'),
    ("invite create --uses 4 --team lions", "CreateInvite",
     'role: ROLE_OWNER uses: 4 quotas {} expire_days: 30 team: "teams/lions"'),
    ("ladder deadline main 2026-12-01T18:00", "SetLadderDeadline",
     'name: "ladders/main" deadline { seconds: 1796148000 }'),
    ("ladder deadline main --remove", "SetLadderDeadline", 'name: "ladders/main"'),
    ("ladder freeze main 2026-12-01T18:00", "SetLadderFreeze",
     'name: "ladders/main" freeze_time { seconds: 1796148000 }'),
    ("ladder freeze main --remove", "SetLadderFreeze", 'name: "ladders/main"'),
    ("ladder reveal main", "RevealLadderRanks", 'name: "ladders/main"'),
    ("ladder reveal main --ranks 3", "RevealLadderRanks", 'name: "ladders/main" ranks: 3'),
    ("ladder reveal main --all", "RevealLadderRanks", 'name: "ladders/main" all: true'),
    ("team create lions", "CreateTeam", 'team_id: "lions"'),
    ("team join TEAM-1", "JoinTeam", 'code: "TEAM-1"'),
    ("team show", "GetTeam", ""),
    ("team show lions", "GetTeam", 'name: "teams/lions"'),
    ("team list", "ListTeams", "page_size: 200"),
    ("team code", "RenewTeamCode", ""),
    ("team leave", "LeaveTeam", ""),
    ("team add lions alice", "SetUserTeam", 'user: "users/alice" team: "teams/lions"'),
    ("team remove alice", "SetUserTeam", 'user: "users/alice"'),
    ("invite list", "ListInvites", "page_size: 200"),
    ("invite revoke 7f3a90c1e2d4", "RevokeInvite", 'name: "invites/7f3a90c1e2d4"'),
    ("announcement create 'Closed [today]' --until 2030-12-01T18:00+02:00", "CreateAnnouncement",
     'text: "Closed [today]" expire_time { seconds: 1922371200 }'),
    ("announcement create Closed", "CreateAnnouncement", 'text: "Closed"'),
    ("announcement list", "ListAnnouncements", "page_size: 200"),
    ("announcement delete 3", "DeleteAnnouncement", 'name: "announcements/3"'),
    ("webhook create https://a.org/ --on node.lost,match.ended --ladder main --style slack", "CreateWebhook",
     'url: "https://a.org/" types: [7, 1] ladder: "ladders/main" style: WEBHOOK_STYLE_SLACK'),
    ("webhook create https://example.org/ --on version.admitted", "CreateWebhook",
     'url: "https://example.org/" types: NOTIFICATION_TYPE_VERSION_ADMITTED style: WEBHOOK_STYLE_JSON'),
    ("webhook list", "ListWebhooks", ""),
    ("webhook test 7f3a90c1e2d4", "TestWebhook", 'name: "webhooks/7f3a90c1e2d4"'),
    ("webhook delete webhooks/7f3a90c1e2d4", "DeleteWebhook", 'name: "webhooks/7f3a90c1e2d4"'),
    ("cluster show", "ListNodes", ""),
    ("cluster drain Lab-2.example.org", "SetNodeDrained", 'name: "nodes/Lab-2.example.org" drained: true'),
    ("cluster drain nodes/lab2 --off", "SetNodeDrained", 'name: "nodes/lab2"'),
    ("ladder create main", "CreateLadder", 'ladder_id: "main" game: "caravan"'),
    (("ladder create main --seats 2,4 --option camels=6 --option goods=short --clock per_decision_ms=250"
     " --clock strikes=0 --forbid-same-owner --seed-policy shared"), "CreateLadder",
     ('ladder_id: "main" game: "caravan" seat_counts: [2, 4] options { key: "camels" value: "6" }'
     ' options { key: "goods" value: "short" } forbid_same_owner: true seed_policy: SEED_POLICY_SHARED'
     f" time_control {{ per_decision_ms: 250 bank_ms: {CLOCK.bank_ms} increment_ms: {CLOCK.increment_ms}"
     f" grace_ms: {CLOCK.grace_ms} strikes: 0 absence_ms: {CLOCK.absence_ms} hold_ms: {CLOCK.hold_ms}"
     f" seat_limit_ms: {CLOCK.seat_limit_ms} secret_pad_ms: {CLOCK.secret_pad_ms} }}")),
    ("tournament create cup --bots a,b --seed-policy derived", "CreateTournament",
     ('tournament_id: "cup" format: FORMAT_ROUND_ROBIN game: "caravan" bots: ["bots/a", "bots/b"] seats: 2'
     " seed_policy: SEED_POLICY_DERIVED")),
    (("tournament create cup --bots a,b,c --kind knockout --best-of 3 --third-place --seeded-by main"
      " --visibility live"), "CreateTournament",
     ('tournament_id: "cup" format: FORMAT_KNOCKOUT game: "caravan" bots: ["bots/a", "bots/b", "bots/c"] seats: 2'
      ' parameters { best_of: 3 third_place: true } seeded_by: "ladders/main" visibility: VISIBILITY_LIVE')),
    (("tournament create cup --bots a,b --kind stages --stage swiss,rounds=3,pools=2,qualifiers=4,seeding=drawn"
      " --stage knockout,best_of=3,third_place,visibility=live"), "CreateTournament",
     ('tournament_id: "cup" format: FORMAT_STAGES game: "caravan" bots: ["bots/a", "bots/b"] seats: 2 parameters {'
      " stages { format: FORMAT_SWISS rounds: 3 pools: 2 qualifiers: 4 parameters { seeding: SEEDING_DRAWN } }"
      " stages { format: FORMAT_KNOCKOUT parameters { best_of: 3 third_place: true } visibility: VISIBILITY_LIVE } }")),
    ("tournament withdraw cup greedy", "WithdrawFromTournament", 'name: "tournaments/cup" bot: "bots/greedy"'),
    ("challenge a b --visibility sealed", "CreateTournament",
     'format: FORMAT_CHALLENGE game: "caravan" bots: ["bots/a", "bots/b"] rounds: 1 visibility: VISIBILITY_SEALED'),
    ("ladder leave main cheat --lock", "LeaveLadder", 'name: "ladders/main" bot: "bots/cheat" lock: true'),
    ("ladder pause 2026-spring", "PauseLadder", 'name: "ladders/2026-spring"'),
    ("challenge a b --seed-policy derived", "CreateTournament",
     'format: FORMAT_CHALLENGE game: "caravan" bots: ["bots/a", "bots/b"] rounds: 1 seed_policy: SEED_POLICY_DERIVED'),
    ("match void --bot greedy --since 2026-11-21 --reason 'a cheat' --yes", "VoidBotMatches",
     'bot: "bots/greedy" since { seconds: 1795219200 } reason: "a cheat"'),
    ("match void --bot greedy --reason 'a cheat'", "VoidBotMatches",
     'bot: "bots/greedy" reason: "a cheat" validate_only: true'),
    ("ladder join main greedy", "JoinLadder", 'name: "ladders/main" bot: "bots/greedy"'),
    ("ladder leave main greedy", "LeaveLadder", 'name: "ladders/main" bot: "bots/greedy"'),
    ("ladder run main --matches 9", "RunLadder", 'name: "ladders/main" matches: 9'),
    ("ladder pause main", "PauseLadder", 'name: "ladders/main"'),
    ("ladder list --hidden", "ListLadders", "page_size: 200 show_hidden: true"),
    ("ladder anchor main greedy --rating 1500.5", "SetLadderAnchor",
     'name: "ladders/main" bot: "bots/greedy" rating_milli: 1500500'),
    ("ladder anchor main greedy --remove", "SetLadderAnchor", 'name: "ladders/main" bot: "bots/greedy"'),
    ("ladder rename main 'Spring term'", "RenameLadder", 'name: "ladders/main" title: "Spring term"'),
    ("ladder rename main", "RenameLadder", 'name: "ladders/main"'),
    ("ladder hide main", "SetLadderHidden", 'name: "ladders/main" hidden: true'),
    ("ladder hide main --undo", "SetLadderHidden", 'name: "ladders/main"'),
    ("tournament list --hidden", "ListTournaments", "page_size: 200 show_hidden: true"),
    ("tournament rename cup 'Spring cup'", "RenameTournament", 'name: "tournaments/cup" title: "Spring cup"'),
    ("bot host greedy --off --lock", "SetHosting", 'bot: "bots/greedy" mode: MODE_OFF lock: true'),
    ("ladder archive main", "SetLadderArchived", 'name: "ladders/main" archived: true'),
    ("ladder archive main --undo", "SetLadderArchived", 'name: "ladders/main"'),
    ("ladder delete main", "DeleteLadder", 'name: "ladders/main"'),
    ("ladder list --archived", "ListLadders", "page_size: 200 show_archived: true"),
    ("tournament archive cup", "SetTournamentArchived", 'name: "tournaments/cup" archived: true'),
    ("tournament archive cup --undo", "SetTournamentArchived", 'name: "tournaments/cup"'),
    ("tournament delete cup", "DeleteTournament", 'name: "tournaments/cup"'),
    ("tournament list --archived", "ListTournaments", "page_size: 200 show_archived: true"),
    ("tournament hide cup", "SetTournamentHidden", 'name: "tournaments/cup" hidden: true'),
    ("season list main", "ListSeasons", 'ladder: "ladders/main" page_size: 200'),
    *((f"{group} fair-play main --bots 'ash, bay' --matches 50", "GetFairPlayReport",
       f'name: "{group}s/main" bots: ["bots/ash", "bots/bay"] matches: 50') for group in ("ladder", "tournament")),
    ("match list --ladder main --bot greedy --state no_contest --limit 3", "ListMatches",
     'page_size: 3 ladder: "ladders/main" bot: "bots/greedy" state: MATCH_STATE_NO_CONTEST'),
    ("match replay 17", "ReplayMatch", 'name: "matches/17"'),
    ("match void 17 --reason 'a cheat'", "VoidMatch", 'name: "matches/17" reason: "a cheat"'),
    ("log debug 17 --bot greedy", "ListDebugLines", 'name: "matches/17" bot: "bots/greedy" page_size: 200'),
]  # fmt: skip


@pytest.mark.parametrize(
    ("command", "method", "expected"), REQUESTS, ids=[command for command, *_ in REQUESTS]
)
def test_a_command_sends_its_request(fake, ask, command, method, expected):
    fake.answers |= {method: ""} | ANSWERS

    result = ask(*shlex.split(command))

    assert result.exit_code == 0, result.output
    [request] = fake.requests(method)
    if "request_id" in request.DESCRIPTOR.fields_by_name:
        assert re.fullmatch("[0-9a-f-]{36}", request.request_id)
        request.ClearField("request_id")
    assert request == text_format.Parse(expected, type(request)())


@pytest.mark.parametrize(
    ("command", "method"), [("bot create greedy", "CreateBot"), ("user create alice", "CreateUser")]
)
def test_each_creation_has_a_request_id_of_its_own(fake, ask, command, method):
    fake.answers[method] = ""

    for _ in range(2):
        ask(*command.split())

    first, second = fake.requests(method)
    assert first.request_id != second.request_id


def test_only_the_secret_of_a_new_token_is_on_standard_output(fake, ask):
    fake.answers["CreateToken"] = 'token { name: "tokens/7f3a90c1e2d4" } secret: "arn_7f3a_secret_crc"'

    result = ask("bot", "token", "greedy", "--expire-days", "3")

    assert result.stdout == "arn_7f3a_secret_crc\n"
    assert "secret" not in result.stderr


def plan(kind: str, game: str, secret_pad_ms: int) -> dict[str, Answer]:
    """Return the answer to the creation of a ladder or tournament of this game with this padding."""
    bots = 'bots: ["bots/a", "bots/b"]' if kind == "tournament" else ""
    control = f"time_control {{ secret_pad_ms: {secret_pad_ms} }}"
    return {f"Create{kind.title()}": f'{kind} {{ game: "{game}" {control} {bots} }}'}


def a_ladder(policy: str, *, hosted_only: bool) -> dict[str, Answer]:
    fields = f'name: "ladders/main" seed_policy: SEED_POLICY_{policy} hosted_only: {hosted_only}'
    return {"GetLadder": f"ladder {{ {fields} }}", "ListMatches": ""}


def recomputed(seats: int, answer: str) -> tuple[str, dict[str, Answer]]:
    answers = {"GetLadder": f"ladder {{ seat_counts: {seats} }}", "RecomputeLadder": f"entries: 12 {answer}"}
    return "ladder recompute main", {**answers}


def hosted(
    connections: int = 0, benched: str = "", ladders: str = 'standings { ladder: "ladders/main" }'
) -> tuple[str, dict[str, Answer]]:
    """Return how a bot is shown that the arena runs."""
    hosting = f'mode: MODE_NEWEST version: "bots/ant/versions/ab" benched: "{benched}"'
    bot = f'bot {{ name: "bots/ant" hosting {{ {hosting} }} connections: {connections} }}'
    return "bot show ant", {"GetBot": bot, "ListBotStandings": ladders}


def own_bot(connections: int, ladders: str = "", submissions: Answer = "") -> tuple[str, dict[str, Answer]]:
    """Return how a bot is shown that connects by itself."""
    bot = f'bot {{ name: "bots/ant" connections: {connections} }}'
    return "bot show ant", {"GetBot": bot, "ListBotStandings": ladders, "ListSubmissions": submissions}


WITHDRAWN = (
    'standings { ladder: "ladders/main" withdrawn: true } standings { ladder: "ladders/old" withdrawn: true }'
)
ENTERED = 'standings { ladder: "ladders/main" } standings { ladder: "ladders/old" withdrawn: true }'
FOREIGN = Refusal(grpc.StatusCode.PERMISSION_DENIED, "Not yours.", "NOT_OWNER")
REJECTED = 'submissions { name: "submissions/7" rejection { sentence: "It ended." } }'


CREATE = {"ladder": "ladder create main", "tournament": "tournament create cup --bots a,b"}
CHALLENGED: dict[str, Answer] = {
    "CreateTournament": 'tournament { name: "tournaments/c1" }',
    "GetTournament": "",
    "GetBot": lambda request: "bot { hosting { mode: MODE_NEWEST } }" if "ant" in request.name else "bot {}",
}
DIFFERENCE = 'bot: "bots/greedy" stored_milli: 1500001 recomputed_milli: 1500000'
LEFT = '{ name: "matches/17" state: MATCH_STATE_ABORTED left_to_organiser: true }'
VOIDED = """
    match { name: "matches/17" void_reason: "Void by the organiser: a cheat." }
    consequence: "Other matches of the group (18) keep their results."
"""
SCREENS: Screens = {
    "padding": {
        f"{kind}, {game}, {pad} ms": (CREATE[kind], plan(kind, game, pad))
        for kind in CREATE
        for game in ("wasteland", "caravan")
        for pad in (0, 20)
    },
    "seed_policies": {
        "DERIVED, False": ("ladder show main", a_ladder("DERIVED", hosted_only=False)),
        "SHARED, False": ("ladder show main", a_ladder("SHARED", hosted_only=False)),
        "SHARED, True": ("ladder show main", a_ladder("SHARED", hosted_only=True)),
    },
    "recompute": {
        "same": recomputed(2, "identical: true"),
        "solo": recomputed(1, "identical: true"),
        "differs": recomputed(2, f"differences {{ {DIFFERENCE} }}"),
    },
    "hosted_bot": {
        "idle": hosted(),
        "idle, on no ladder": hosted(ladders=""),
        "suspended": hosted(benched="It crashed."),
        "connected": hosted(1),
    },
    "bot_without_matches": {
        "connected": own_bot(1, ENTERED),
        "connected, on no ladder": own_bot(1),
        "connected, withdrawn": own_bot(1, WITHDRAWN),
        "not connected": own_bot(0, ENTERED),
        "not connected, and of another owner": own_bot(0, ENTERED, FOREIGN),
        "its submission was rejected": own_bot(0, ENTERED, REJECTED),
    },
    "bot_list": {
        "connected, hosted": (
            "bot list",
            {
                "ListBots": """
                    bots { name: "bots/ant" connections: 1 }
                    bots { name: "bots/bee" hosting { mode: MODE_NEWEST version: "bots/bee/versions/ab" } }
                    bots { name: "bots/cat" }
                """
            },
        )
    },
    "rulings": {
        "replayed, row 46": ("match replay 17", {"ReplayMatch": 'match { name: "matches/18" }'}),
        "voided, row 46": ("match void 17 --reason 'a cheat'", {"VoidMatch": VOIDED}),
        "listed, left to the organiser, row 46": ("match list", {"ListMatches": f"matches {LEFT}"}),
        "left to the organiser, row 46": ("match show 17", {"GetMatch": f"match {LEFT}"}),
    },
    "audit_voids": {
        "": (
            "audit voids",
            {"ListVoidCounts": 'counts { bot: "bots/ant" void_matches: 3 matches: 3 conspicuous: true }'},
        )
    },
    "answers": {
        "hidden": ("bot hide greedy", {"SetBotHidden": 'bot { name: "bots/greedy" hidden: true }'}),
        "visible": ("bot hide greedy --undo", {"SetBotHidden": 'bot { name: "bots/greedy" }'}),
        "a challenge of a hosted bot and one that is offline": ("challenge ant bee", CHALLENGED),
        "no audit entries": ("audit list", {"ListAuditEntries": ""}),
        "a token of a known user": ("token create --owner ada", {"CreateToken": 'secret: "arn_x"'}),
        "a user": ("user create ada", {"CreateUser": 'user { name: "users/ada" role: ROLE_OWNER }'}),
        "a lower role": (
            "user role ben spectator --yes",
            {"SetUserRole": 'user { name: "users/ben" role: ROLE_SPECTATOR } revoked_tokens: 2'},
        ),
    },
}


@pytest.mark.parametrize("name", SCREENS)
def test_what_is_printed_of_the_answer(fake, ask, name):
    check_screens(name, SCREENS, fake, ask)


def test_a_warning_about_padding_leaves_standard_output_to_json(fake, ask):
    fake.answers |= plan("ladder", "wasteland", 0)

    result = ask("ladder", "create", "main", "--format", "json")

    assert json.loads(result.stdout)["warnings"] == result.stderr.splitlines()
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "method"),
    [
        ("ladder create main", "CreateLadder"),
        ("tournament create cup --bots a,b", "CreateTournament"),
        ("challenge a b", "CreateTournament"),
    ],
)
def test_warnings_of_the_arena_are_printed_and_in_a_field_of_the_json(fake, ask, command, method):
    kind = "ladder" if method == "CreateLadder" else "tournament"
    plain = "tournament { name: 'tournaments/cup' bots: ['bots/a', 'bots/b'] }"
    fake.answers |= {
        **plan(kind, "caravan", 0),
        "GetBot": "bot { connections: 1 }",
        "GetTournament": plain,
        method: f"{plan(kind, 'caravan', 0)[method]} warnings: 'Too short.'",
    }

    result = ask(*command.split(), "--format", "json")

    assert json.loads(result.stdout)["warnings"] == ["Too short."]
    assert result.stderr == "Too short.\n"


def test_a_match_that_never_began_took_no_time(fake, ask):
    never = match_pb2.Match(name="matches/17", state=match_pb2.MATCH_STATE_NO_CONTEST)
    never.end_time.FromSeconds(1_795_347_962)
    fake.answers["ListMatches"] = match_pb2.ListMatchesResponse(matches=[never])

    assert seconds(never) == ""
    assert "1795347962" not in ask("match", "list").stdout


def by_seats(game, seat_counts, values):
    """Return the options of a ladder that was created with these values, each with its seat count."""
    return [(n, codec_for(game).encode_options(GAMES[game].options(n, values))) for n in seat_counts]


@pytest.mark.parametrize(
    ("game", "seat_counts", "values", "words"),
    [
        # The default of `goods` and `no_progress_turns` depends on the seat count: still nobody chose anything.
        ("caravan", (2, 3, 4), {}, ""),
        # SHORT is the default of 2 and 3 seats, but not of 4.
        ("caravan", (2, 3, 4), {"goods": "SHORT", "camels": "6"}, "camels 6, goods SHORT"),
        ("caravanserai", (1,), {"expert": "false"}, ""),
        ("caravanserai", (2, 6), {"expert": "true"}, "expert true"),
    ],
)
def test_options_that_are_not_the_defaults_are_named_once(game, seat_counts, values, words):
    assert format_options(game, by_seats(game, seat_counts, values)) == words


def test_options_that_an_older_arena_does_not_send_are_left_out():
    assert format_options("caravan", [(2, games_pb2.GameOptions())]) == ""
    assert format_options("chess", [(2, games_pb2.GameOptions())]) == ""


def test_options_that_only_the_arena_knows_are_referred_to():
    elsewhere = games_pb2.GameOptions(
        caravan=caravan_pb2.Options(
            camels=5,
            goods=caravan_pb2.GOODS_SET_SHORT,
            board="atlantis",
            no_progress_turns=40,
            turn_limit=1000,
        )
    )

    assert "--format json" in format_options("caravan", [(2, elsewhere)])


@pytest.mark.parametrize(
    ("word", "reason"), [("join", "BOT_NOT_FOUND"), ("leave", "ENTRY_NOT_FOUND")], ids=["join", "leave"]
)
def test_many_bots_join_or_leave_a_ladder_and_an_unknown_one_ends_the_command(fake, ask, word, reason):
    def answer(request):
        if request.bot == "bots/wasp":
            return Refusal(grpc.StatusCode.NOT_FOUND, "There is no wasp.", reason)
        return 'ladder { name: "ladders/main" }'

    method = f"{word.capitalize()}Ladder"
    fake.answers[method] = answer
    result = ask("ladder", word, "main", "ant", "bee", "wasp", "cat")

    assert result.exit_code == 1
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["ant", "bee"]
    assert [request.bot for request in fake.requests(method)] == ["bots/ant", "bots/bee", "bots/wasp"]

    fake.calls.clear()
    named = ask("ladder", word, "main", "ant", "Nope")
    assert (named.exit_code, fake.requests(method)) == (2, [])
    both = json.loads(ask("ladder", word, "main", "ant", "bee", "--format", "json").stdout)
    assert both["name"] == "ladders/main"


def test_the_matches_of_a_bot_are_voided_only_with_yes(fake, ask):
    fake.answers["VoidBotMatches"] = 'matches: ["matches/3", "matches/8"] unrated_matches: "matches/4"'

    assert ask("match", "void", "--bot", "ant", "--reason", "x").exit_code == 1
    assert [request.validate_only for request in fake.requests("VoidBotMatches")] == [True]
    done = ask("match", "void", "--bot", "ant", "--reason", "x", "--yes")
    assert (done.exit_code, "3, 8" in done.stdout) == (0, True)

    for wrong in (["17", "--bot", "ant"], [], ["17", "--yes"], ["17", "--since", "1h"]):
        assert ask("match", "void", *wrong, "--reason", "x").exit_code == 2
