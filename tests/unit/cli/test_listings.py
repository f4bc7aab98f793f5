"""Listings: tables for people, one JSON document for programs, however many pages there are."""

import json

import grpc
import pytest

from arena.v1 import match_pb2
from tests.unit.cli.fake_arena import Answer, Refusal
from tests.unit.cli.screens import Screens, check_screen, check_screens

MORNING = "seconds: 1795254000"  # 2026-11-21 09:40:00Z, by `date -u -d @1795254000`
SECRET = "\\000" * 32
BOT = f"""
    name: "bots/greedy" owner: "owners/alice" description: "takes [what] it can" connections: 2 playing: 1 capacity: 3
    create_time {{ {MORNING} }}
    versions {{
      name: "bots/greedy/versions/2" origin: ORIGIN_DECLARED language: "python" create_time {{ {MORNING} }}
    }}
"""
GAME = """
    name: "games/caravan" title: "Caravan" rules_version: 1 min_seats: 2 max_seats: 4 chance: CHANCE_HIDDEN
    engine: "interpreted"
    options { name: "camels" default_value: "5" allowed: "5 or 6" description: "Camels a seat." }
"""
LADDER = f"""
    name: "ladders/main" game: "caravan" rules_version: 1 seat_counts: [2, 3, 4] same_owner: true state: STATE_RUNNING
    remaining_matches: 7 finished_matches: 12 running_matches: 2 entries: 4 create_time {{ {MORNING} }}
    waiting_for: "a second bot" secrets {{ commitment: "{SECRET}" day: "2026-11-21" }}
    time_control {{ per_decision_ms: 1000 bank_ms: 10000 increment_ms: 50 strikes: 2 }}
"""
MATCH = f"""
    name: "matches/17" ladder: "ladders/main" group: "g5" group_index: 1 game: "caravan" rules_version: 1
    state: MATCH_STATE_FINISHED rated: true ending: "FINAL_DELIVERY" plies: 211 log: "{"ab" * 32}"
    start_time {{ {MORNING} }} end_time {{ seconds: 1795254004 nanos: 250000000 }}
    seats {{
      bot: "bots/random" bot_version: "bots/random/versions/1" placing: 2 score: -3
      ending {{ termination: TERMINATION_TIME_FORFEIT sentence: "Decision 4 came 12 ms late." }}
    }}
    seats {{
      bot: "bots/greedy" bot_version: "bots/greedy/versions/2" placing: 1 score: 31 used_ms: 1234
      ending {{ termination: TERMINATION_NORMAL }}
    }}
"""
LONGEST = "a-bot-with-the-longest-name-of-32"
OWN_TOKEN = f"""
    name: "tokens/c1e2" role: ROLE_OWNER owner: "owners/alice" create_time {{ {MORNING} }} scopes: SCOPE_BOTS
    scopes: SCOPE_PRIVATE note: "CI"
"""
USER = f"""
    name: "users/alice" role: ROLE_OWNER create_time {{ {MORNING} }} quotas {{ bots: 3 }}
    quotas_in_force {{
      bots: 3 submissions_per_day: 50 archive_mib: 64 versions_mib: 4096 connections: 512 tokens: 200
    }}
    usage {{ bots: 1 tokens: 2 versions_mib: 7 }}
"""
ANSWERS: dict[str, Answer] = {
    "ListBots": f"bots {{ {BOT} }}",
    "GetBot": f"bot {{ {BOT} }}",
    "ListSubmissions": "",
    "ListGames": f"games {{ {GAME} }}",
    "GetGame": f"game {{ {GAME} }}",
    "ListLadders": f"ladders {{ {LADDER} }}",
    "GetLadder": f"ladder {{ {LADDER} }}",
    "ListStandings": """
        standings {
          rank: 1 bot: "bots/greedy" rating_milli: 1612499 uncertainty_milli: 87501 matches: 12
          mean_placing_milli: 1083 decisions: 300 mean_think_us: 1250 max_think_us: 20000
        }
        standings { bot: "bots/new" rating_milli: 1500000 uncertainty_milli: 686000 }
    """,
    "GetRatingHistory": f"""
        ladder: "ladders/main" bot: "bots/greedy" total_points: 14
        points {{
          rating_milli: 1512499 uncertainty_milli: 487501 matches: 2 bot_version: "bots/greedy/versions/1" group: "g1"
          match: "matches/2" time {{ {MORNING} }}
        }}
        points {{
          rating_milli: 1499999 uncertainty_milli: 387501 matches: 4 group: "g2" match: "matches/4"
          bot_version: "bots/greedy/versions/{"ab" * 32}" time {{ {MORNING} }}
        }}
        points {{
          rating_milli: 1612499 uncertainty_milli: 387501 matches: 2 group: "g1" match: "matches/2" taken_back: true
          bot_version: "bots/greedy/versions/{"ab" * 32}" time {{ {MORNING} }}
        }}
    """,
    "GetBotRecord": f"""
        opponents {{
          bot: "bots/{LONGEST}" matches: 1200 wins: 700 ties: 50 losses: 450 mean_score_difference_milli: -3456
          last_match: "matches/9999" last_match_time {{ {MORNING} }}
        }}
        opponents {{
          bot: "bots/random" matches: 1 wins: 1 last_match: "matches/17" last_match_time {{ {MORNING} }}
        }}
        endings {{
          termination: TERMINATION_NORMAL fault: FAULT_NONE matches: 1200 last_match: "matches/9999"
          last_match_time {{ {MORNING} }}
        }}
        endings {{
          termination: TERMINATION_TIME_FORFEIT fault: FAULT_BOT matches: 1 last_match: "matches/17"
          last_match_time {{ {MORNING} }}
        }}
        totals {{ matches: 1201 firsts: 701 ties: 50 }}
    """,
    "ListBotStandings": """
        standings {
          ladder: "ladders/alone" game: "caravanserai" entries: 4 ranked: 3
          standing {
            rank: 2 bot: "bots/greedy" matches: 9
            solo { adjusted_score_milli: 31456 uncertainty_milli: 1204 boards: 8 }
          }
        }
        standings {
          ladder: "ladders/boards" game: "caravanserai" entries: 4 standing { bot: "bots/greedy" solo {} }
        }
        standings {
          ladder: "ladders/main" game: "caravan" entries: 4 ranked: 5 withdrawn: true
          standing {
            rank: 5 bot: "bots/greedy" rating_milli: 1612499 uncertainty_milli: 87501 matches: 12 forfeits: 1
          }
        }
        standings {
          ladder: "ladders/new" game: "caravan" entries: 4
          standing { bot: "bots/greedy" rating_milli: 1500000 uncertainty_milli: 686000 }
        }
    """,
    "RefitRatings": f"""
        matches: 12
        ratings {{
          bot_version: "bots/greedy/versions/2" rating_milli: 1612499 low_milli: 1524998 high_milli: 1700000
          matches: 12 superiority_ppm: 999999
        }}
        ratings {{
          bot_version: "bots/greedy/versions/1" rating_milli: 1500000 low_milli: 1400000 high_milli: 1600000
          matches: 9 superiority_ppm: 876543
        }}
        ratings {{
          bot_version: "bots/{LONGEST}/versions/1.0.0" rating_milli: 1387501 low_milli: 901000 high_milli: 1874002
          matches: 3
        }}
        seat_advantages {{
          seats: 2 advantage_milli: [31415, -31415] uncertainty_milli: [12001, 12001] matches: 12
        }}
    """,
    "ListQueue": f"""
        places {{
          bot: "bots/greedy" position: 1 waited_groups: 3 wait_bound_groups: 5 open_matches: 2 free_matches: 1
          matches_last_hour: 412
        }}
        places {{
          bot: "bots/{LONGEST}" waited_groups: 14 wait_bound_groups: 4
          waiting_for: "it plays 12 of the 12 matches that it takes at once"
        }}
    """,
    "ListMatches": lambda request: (
        f"matches {{ {MATCH} }}"
        if request.state in (match_pb2.MATCH_STATE_UNSPECIFIED, match_pb2.MATCH_STATE_FINISHED)
        else ""
    ),
    "GetMatch": f"match {{ {MATCH} }}",
    "ListTokens": f"""
        tokens {{ name: "tokens/7f3a" role: ROLE_BOT bot: "bots/greedy" create_time {{ {MORNING} }} revoked: true }}
        tokens {{ {OWN_TOKEN} }}
    """,
    "GetOwnToken": f"token {{ {OWN_TOKEN} }}",
    "ListUsers": f"""
        users {{ {USER} }}
        users {{ name: "users/mal" role: ROLE_SPECTATOR create_time {{ {MORNING} }} disabled: true }}
    """,
    "GetUser": f"user {{ {USER} }}",
}


@pytest.fixture
def arena(fake):
    """Let the arena answer with bots, ladders, matches, tokens and users."""
    fake.answers |= ANSWERS
    return fake


COMMANDS = [
    "games list", "games show caravan", "bot list", "bot show greedy", "token list", "token show", "user list",
    "user show alice", "ladder list", "ladder show main", "ladder standings main", "ladder ratings main",
    "ladder queue main", "ladder history main greedy", "bot record greedy --ladder main", "bot standings greedy",
    "match list", "match show 17", "log list",
]  # fmt: skip


def in_pages(total: int):
    """Return an answer to ListMatches with matches in pages of the requested size."""

    def answer(request: match_pb2.ListMatchesRequest) -> str:
        start = int(request.page_token or 0)
        end = min(start + request.page_size, total)
        more = f'next_page_token: "{end}"' if end < total else ""
        return " ".join([*(f'matches {{ name: "matches/{total - n}" }}' for n in range(start, end)), more])

    return answer


NONE = Refusal(grpc.StatusCode.NOT_FOUND, "There is none.")
PENDING = 'name: "matches/17" state: MATCH_STATE_PENDING'
WAITING: dict[str, Answer] = {"GetMatch": f"match {{ {PENDING} }}", "ListMatches": f"matches {{ {PENDING} }}"}
SCREENS: Screens = {
    "listings": {command: (command, ANSWERS) for command in COMMANDS},
    "pending_match": {
        command: (command, WAITING) for command in ("match show 17", "log show 17", "match explain 17")
    },
    "bot_results": {
        "no rating yet": (
            "ladder history main greedy",
            {"GetRatingHistory": 'ladder: "ladders/main" bot: "bots/greedy"'},
        ),
        "one rating": (
            "ladder history main greedy",
            {
                "GetRatingHistory": """
                    ladder: "ladders/main" bot: "bots/greedy" total_points: 1
                    points { rating_milli: 1510000 matches: 2 group: "g1" match: "matches/2" }
                """
            },
        ),
        "no match yet": ("bot record greedy", {"GetBotRecord": "totals {}"}),
        "no match on the ladder": ("bot record greedy --ladder main", {"GetBotRecord": "totals {}"}),
        "alone": (
            "bot record greedy",
            {"GetBotRecord": "totals { matches: 2 } endings { termination: TERMINATION_NORMAL matches: 2 }"},
        ),
        "more opponents": (
            "bot record greedy --limit 1",
            {
                "GetBotRecord": """
                    opponents { bot: "bots/random" matches: 3 ties: 3 mean_score_difference_milli: 0 }
                    totals { matches: 3 firsts: 3 ties: 3 } next_page_token: "x"
                """
            },
        ),
        "no ladder": ("bot standings greedy", {"ListBotStandings": ""}),
    },
    "matches": {
        "none": ("match list", {"ListMatches": ""}),
        "no logs": ("log list", {"ListMatches": ""}),
        "no logs as JSON": ("log list --format json", {"ListMatches": ""}),
        "no such bot": ("match list --bot nobody", {"GetBot": NONE}),
        "no such ladder": ("log list --ladder nobody", {"GetLadder": NONE}),
        "more": ("match list --limit 2", {"ListMatches": in_pages(3)}),
        "no more": ("match list --limit 3", {"ListMatches": in_pages(3)}),
        "pending on a ladder": ("ladder show main", {**ANSWERS, "ListMatches": f"matches {{ {PENDING} }}"}),
    },
}


@pytest.mark.parametrize("name", SCREENS)
def test_people_get_a_table(fake, ask, name):
    check_screens(name, SCREENS, fake, ask)


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


@pytest.mark.parametrize(
    ("limit", "shown", "more"), [("0", 450, False), ("450", 450, False), ("250", 250, True), ("7", 7, True)]
)
def test_pages_are_one_listing_in_their_order_up_to_the_limit(fake, ask, limit, shown, more):
    fake.answers["ListMatches"] = in_pages(450)

    document = json.loads(ask("match", "list", "--limit", limit, "--format", "json").stdout)

    assert [match["name"] for match in document["matches"]] == [f"matches/{450 - n}" for n in range(shown)]
    assert bool(document["next_page_token"]) is more


def seats(name: str, places: range, more: str = "") -> str:
    """Return seats of bots with this name and their places."""
    return " ".join(f'seats {{ bot: "bots/{name}-{place}" placing: {place} {more} }}' for place in places)


FORFEITS = "decisions: 1234 ending { termination: TERMINATION_ILLEGAL_ACTION }"
NARROW: dict[str, dict[str, Answer]] = {
    **{
        command: {**ANSWERS}
        for command in ("ladder history main greedy", "bot record greedy", "bot standings greedy")
    },
    "match list": {"ListMatches": f"matches {{ {MATCH} {seats('planner', range(3, 5))} }}"},
    "match show 17": {
        "GetMatch": f"match {{ {MATCH} {seats('a-bot-with-a-very-long-name', range(3, 7), FORFEITS)} }}"
    },
    "ladder list": {
        "ListLadders": """
            ladders {
              name: "ladders/main" game: "caravanserai" seat_counts: [2, 3, 4, 5, 6] state: STATE_RUNNING entries: 4
              finished_matches: 12 running_matches: 2
              waiting_for: "2 of its bots are connected and not paused, and a match needs 3"
            }
        """
    },
}


def test_matches_and_ladders_fit_80_columns_with_a_row_for_each(fake, ask, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    shown = {}
    for command, answers in NARROW.items():
        fake.answers = {**answers}
        shown[command] = ask(*command.split())

    check_screen("narrow", shown)
    assert all(len(line) <= 80 for result in shown.values() for line in result.stdout.splitlines())


STANDINGS = """
    standings {
      rank: 1 bot: "bots/planner" matches: 9 language: "python"
      solo {
        bot_version: "bots/planner/versions/2" adjusted_score_milli: 31456 uncertainty_milli: 1204
        mean_score_milli: 30500 boards: 8 best_score: 46 level: "Great camel driver"
      }
    }
    standings {
      rank: 2 bot: "bots/quitter" matches: 1 forfeits: 1 solo { adjusted_score_milli: -500 boards: 1 }
    }
    standings { bot: "bots/new" language: "go" solo {} }
"""


def a_solo_match(ending: str, termination: str, seat: str = "") -> tuple[str, dict[str, Answer]]:
    match = f"""
        match {{
          name: "matches/17" game: "caravanserai" log: "{"ab" * 32}" state: MATCH_STATE_FINISHED ending: "{ending}"
          seats {{ bot: "bots/planner" placing: 1 {seat} ending {{ termination: TERMINATION_{termination} }} }}
        }}
    """
    return "match show 17", {"GetMatch": match}


SOLO_LADDER = (
    'name: "ladders/alone" game: "caravanserai" seat_counts: 1 options { caravanserai { expert: true } }'
)
SOLO_SCREENS: Screens = {
    "solo/ladder": {
        "": ("ladder show alone", {"GetLadder": f"ladder {{ {SOLO_LADDER} }}", "ListMatches": ""})
    },
    "solo/matches": {
        "a level": a_solo_match("STUCK", "NORMAL", 'score: 26 level: "Camel driver"'),
        "a forfeit": a_solo_match("FORFEIT", "RESIGNATION"),
        "a forfeit with the last strike": a_solo_match("STUCK", "RESIGNATION"),
    },
}


@pytest.mark.parametrize("name", SOLO_SCREENS)
def test_a_solo_ladder_and_its_matches_are_shown_as_such(fake, ask, name):
    check_screens(name, SOLO_SCREENS, fake, ask)


def test_the_standings_of_a_solo_ladder_are_by_adjusted_score_and_fit_80_columns(fake, ask, monkeypatch):
    fake.answers["ListStandings"] = STANDINGS

    wide = ask("ladder", "standings", "alone")
    monkeypatch.setenv("COLUMNS", "80")
    narrow = ask("ladder", "standings", "alone")

    assert max(map(len, narrow.stdout.splitlines())) <= 80
    check_screen("solo/standings", {"wide": wide, "80 columns": narrow})


def test_standings_as_json_have_the_fields_that_are_set(fake, ask):
    fake.answers["ListStandings"] = STANDINGS

    lines = json.loads(ask("ladder", "standings", "alone", "--format", "json").stdout)["standings"]

    assert lines[0]["solo"]["adjusted_score_milli"] == 31_456
    assert "uncertainty_milli" not in lines[1]["solo"]


EMPTY: dict[str, dict[str, Answer]] = {
    "audit list": {"ListAuditEntries": ""},
    "audit voids": {"ListVoidCounts": ""},
    "bot list": {"ListBots": ""},
    "bot runtimes": {"ListRuntimes": ""},
    "bot standings greedy": {"ListBotStandings": ""},
    "bot submissions greedy": {"ListSubmissions": ""},
    "bot versions greedy": {"ListVersions": "", "GetBot": 'bot { name: "bots/greedy" }'},
    "ladder history main greedy": {
        "GetRatingHistory": 'ladder: "ladders/main" bot: "bots/greedy"',
    },
    "ladder list": {"ListLadders": ""},
    "ladder queue main": {"ListQueue": "", "GetLadder": 'ladder { name: "ladders/main" }'},
    "ladder standings main": {"ListStandings": ""},
    "log list": {"ListMatches": ""},
    "match list": {"ListMatches": ""},
    "season list main": {"ListSeasons": ""},
    "token list": {"ListTokens": ""},
    "tournament list": {"ListTournaments": ""},
    "tournament pairings cup": {"ListPairings": ""},
    "user list": {"ListUsers": ""},
}


def test_an_empty_listing_is_one_sentence_instead_of_a_head_without_rows(fake, ask):
    shown = {}
    for command, answers in EMPTY.items():
        fake.answers = {**answers}
        shown[command] = ask(*command.split())
        assert shown[command].exit_code == 0, shown[command].output
        assert len(shown[command].stdout.splitlines()) == 1, command
        assert "\N{BOX DRAWINGS LIGHT HORIZONTAL}" not in shown[command].stdout
        assert json.loads(ask(*command.split(), "--format", "json").stdout) is not None
    check_screen("empty_listings", shown)
