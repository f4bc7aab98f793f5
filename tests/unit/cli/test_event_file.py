"""Event files: what they say, and what is wrong with them, with line and nearest right key."""

from pathlib import Path

import pytest

from arena.cli.event.file import EventFile, read_event_file
from arena.cli.event.positions import Positions
from arena.cli.framework.errors import CliError, CommandExit
from arena.v1 import match_pb2, tournament_pb2
from tests.unit.cli.conftest import Run


def read(text: str, folder: Path) -> EventFile:
    path = folder / "event.toml"
    path.write_text(text)
    return read_event_file(path)


def problems(text: str, folder: Path) -> list[str]:
    with pytest.raises(CliError) as caught:
        read(text, folder)
    assert caught.value.code is CommandExit.USAGE
    return caught.value.sentence.split("\n  ")[1:]


def test_a_ladder_is_read_with_its_clock_options_and_bots(tmp_path: Path) -> None:
    text = """
        [clock.quick]
        bank_ms = 0
        [entrants]
        all = ["greedy", "bots/random"]
        [ladder.main]
        game = "caravan"
        seats = [2, 4]
        clock = "quick"
        options = { camels = 6 }
        seed_policy = "derived"
        bots = "all"
        state = "running"
    """
    [ladder] = read(text, tmp_path).ladders
    request = ladder.request
    assert (ladder.name, request.game, list(request.seat_counts)) == ("ladders/main", "caravan", [2, 4])
    assert (request.time_control.bank_ms, request.time_control.per_decision_ms) == (0, 1_000)
    assert dict(request.options) == {"camels": "6"}
    assert request.seed_policy == match_pb2.SEED_POLICY_DERIVED
    assert (ladder.bots, ladder.state) == (("bots/greedy", "bots/random"), "running")


def test_a_tournament_is_a_round_robin_unless_the_file_says_otherwise(tmp_path: Path) -> None:
    text = """
        [tournament.spring]
        game = "ahldarahd"
        bots = ["a", "b"]
        options = { trading = true }
    """
    [tournament] = read(text, tmp_path).tournaments
    assert tournament.request.format == tournament_pb2.Tournament.FORMAT_ROUND_ROBIN
    assert list(tournament.request.bots) == ["bots/a", "bots/b"]
    assert dict(tournament.request.options) == {"trading": "true"}
    assert not tournament.request.HasField("time_control")


def test_stages_are_tables_whose_parameters_are_keys(tmp_path: Path) -> None:
    text = """
        [tournament.open]
        game = "caravan"
        format = "stages"
        bots = ["a", "b", "c", "d"]
        seeded_by = "main"
        visibility = "live"
        title = "The open"
        withdrawn = ["d"]
        [[tournament.open.stages]]
        format = "swiss"
        rounds = 3
        pools = 2
        qualifiers = 1
        [[tournament.open.stages]]
        format = "knockout"
        best_of = 3
        third_place = true
    """
    [tournament] = read(text, tmp_path).tournaments
    request = tournament.request
    assert (request.seeded_by, request.visibility) == (
        "ladders/main",
        tournament_pb2.Tournament.VISIBILITY_LIVE,
    )
    groups, finals = request.parameters.stages
    assert (groups.format, groups.rounds) == (tournament_pb2.Tournament.FORMAT_SWISS, 3)
    assert (groups.pools, groups.qualifiers) == (2, 1)
    assert finals.parameters == tournament_pb2.FormatParameters(best_of=3, third_place=True)
    assert tournament.withdrawn == ("bots/d",)
    assert [(each.key, each.value) for each in tournament.settings] == [("title", "The open")]


def test_anchors_are_points_of_bots_that_play_there(tmp_path: Path) -> None:
    text = f"{LADDER}bots = ['a', 'b']\nanchors = {{ a = 1800, b = 1499.5 }}\nhidden = false\n"
    [ladder] = read(text, tmp_path).ladders
    assert [(each.name, each.bot, each.rating_milli) for each in ladder.anchors] == [
        ("ladders/main", "bots/a", 1_800_000),
        ("ladders/main", "bots/b", 1_499_500),
    ]


def test_a_suite_is_one_of_the_games_or_a_file_beside_the_event_file(tmp_path: Path) -> None:
    seed = "5e" * 32
    (tmp_path / "mine.suite").write_text(f"game caravan\nseats 2\nopen {seed}\n")
    text = f"{TOURNAMENT}suite = 'mine.suite'\n[tournament.autumn]\n{TOURNAMENT[20:]}suite = 'caravan-2'\n"
    own, shipped = read(text, tmp_path).tournaments
    assert own.suite is not None
    assert (own.suite.name, own.request.suite.text) == ("mine", own.suite.text)
    assert shipped.suite is not None
    assert (shipped.suite.name, len(shipped.suite.entries)) == ("caravan-2", 256)


def test_a_season_names_its_divisions_in_order(tmp_path: Path) -> None:
    text = "[season.a]\nlower = ['c', 'ladders/b']\nswap = 2\nkeep = 0\n[season.d]\n"
    [divided, single] = read(text, tmp_path).seasons
    assert divided.divisions == ("ladders/a", "ladders/c", "ladders/b")
    assert (divided.keep_percent, divided.swap) == (0, 2)
    assert (single.divisions, single.keep_percent, single.swap) == (("ladders/d",), None, 0)


LADDER = '[ladder.main]\ngame = "caravan"\n'
TOURNAMENT = '[tournament.spring]\ngame = "caravan"\nbots = ["a", "b"]\n'
STAGES = f"{TOURNAMENT}format = 'stages'\n\n[[tournament.spring.stages]]\n"
LAST = "[[tournament.spring.stages]]\nformat = 'knockout'\n"

WRONG = [
    ("", "no ladder and no tournament"),
    ("[lader.main]\n", "line 1, lader: unknown table 'lader'. Did you mean ladder?"),
    ("[ladder]\nmain = 5\n", "line 2, ladder.main"),
    ("[ladder.main]\nseats = [2]\n", "line 1, ladder.main: it has no game"),
    ('[ladder.main]\ngame = "carvan"\n', "Did you mean caravan?"),
    ('[ladder.Main]\ngame = "caravan"\n', "line 1, ladder.Main"),
    (f"{LADDER}seads = [2]\n", "line 3, ladder.main.seads: unknown key 'seads'. Did you mean seats?"),
    (f"{LADDER}ladder_id = 'other'\n", "unknown key 'ladder_id'"),
    (f"{LADDER}seats = 2\n", "expected a list, not 2: write seats = [2]."),
    (
        f"{LADDER}bots = ['zebra', 3]\n",
        "line 3, ladder.main.bots: expected the names of bots in quotes, not 3.",
    ),
    (f"{LADDER}clock = 'shrt'\n", "unknown clock 'shrt': the file has none."),
    (f"{LADDER}bots = 'al'\n", "unknown list of entrants 'al': the file has none."),
    (
        f"{TOURNAMENT}format = 'stages'\n[tournament.spring.stages]\nformat = 'swiss'\n",
        "line 5, tournament.spring.stages: expected tables in a list: write [[tournament.spring.stages]]",
    ),
    (f"{LADDER}seats = ['two']\n", "line 3, ladder.main.seats.0: expected a whole number"),
    (f"{LADDER}seats = [9]\n", "2 to 4 seats, not 9"),
    (f"{LADDER}forbid_same_owner = 1\n", "expected true or false"),
    (f"{LADDER}seed_policy = 'shard'\n", "Did you mean shared?"),
    (f"{LADDER}state = 'runing'\n", "Did you mean running?"),
    (f"{LADDER}options = {{ camels = 60 }}\n", "line 3, ladder.main.options"),
    (f"{LADDER}options = {{ camles = 6 }}\n", "camles"),
    (f"{LADDER}options = {{ camels = 6.5 }}\n", "line 3, ladder.main.options.camels"),
    (f"{LADDER}clock = 'quick'\n", "unknown clock 'quick'"),
    (f"{LADDER}clock = {{ bank = 5 }}\n", "Did you mean bank_ms?"),
    (f"{LADDER}[ladder.main.clock]\ngrace_ms = 99999\n", "grace_ms is 99999"),
    (f"{LADDER}[clock.unused]\nstrikes = -1\n", "line 4, clock.unused.strikes"),
    (f"{LADDER}bots = 'finalists'\n", "unknown list of entrants 'finalists'"),
    (f"{LADDER}bots = ['Greedy']\n", "'Greedy'"),
    (f"{LADDER}bots = ['a', 'bots/a']\n", "named twice"),
    (f"{LADDER}[entrants]\nall = 5\n[ladder.b]\ngame = 'caravan'\nbots = 'all'\n", "line 4, entrants.all"),
    ('[tournament.spring]\ngame = "caravan"\n', "it has no bots"),
    (f"{TOURNAMENT}format = 'round-robbin'\n", "Did you mean round-robin?"),
    (f"{TOURNAMENT}format = 'challenge'\n", "line 4, tournament.spring.format"),
    (f"{TOURNAMENT}validate_only = true\n", "unknown key 'validate_only'"),
    (f"{TOURNAMENT}rounds = 'two'\n", "expected a whole number"),
    (f"{TOURNAMENT}rounds = true\n", "expected a whole number"),
    (f"{LADDER}title = ' main'\n", "line 3, ladder.main.title"),
    (f"{LADDER}title = 5\n", "expected text in quotes"),
    (f"{LADDER}titel = 'main'\n", "Did you mean title?"),
    (f"{LADDER}hidden = 'yes'\n", "expected true or false"),
    (f"{LADDER}deadline = 5\n", "line 3, ladder.main.deadline: expected a time"),
    (f"{LADDER}freeze = 'soon'\n", "line 3, ladder.main.freeze: expected a time"),
    (f"{LADDER}freeze = 12:00:00\n", "line 3, ladder.main.freeze: expected a time"),
    (f"{LADDER}deadlin = 2026-12-01\n", "Did you mean deadline?"),
    (f"{LADDER}anchors = ['a']\n", "line 3, ladder.main.anchors: expected a table"),
    (f"{LADDER}anchors = {{ a = 1800 }}\n", "line 3, ladder.main.anchors.a: an anchor plays on the ladder"),
    (f"{LADDER}bots = ['a']\nanchors = {{ a = 4001 }}\n", "points from 0 to 4000, not 4001"),
    (f"{LADDER}bots = ['a']\nanchors = {{ a = true }}\n", "points from 0 to 4000, not True"),
    (f"{LADDER}bots = ['a']\nanchors = {{ a = nan }}\n", "points from 0 to 4000, not nan"),
    (f"{LADDER}bots = ['A']\n", "'A'"),
    ('[ladder.one]\ngame = "caravanserai"\nseats = [1]\nbots = ["a"]\nanchors = { a = 5 }\n', "no ratings"),
    (f"{TOURNAMENT}best_of = 3\n", "line 4, tournament.spring.best_of"),
    (f"{TOURNAMENT}format = 'knockout'\nbest_of = 100\n", "line 5, tournament.spring.best_of"),
    (f"{TOURNAMENT}format = 'knockout'\nseats = 3\nadvance = 3\n", "line 6, tournament.spring.advance"),
    (f"{TOURNAMENT}format = 'knockout'\nbestof = 3\n", "Did you mean best_of?"),
    (f"{TOURNAMENT}seeding = 'draw'\n", "Did you mean drawn?"),
    (f"{TOURNAMENT}visibility = 'seald'\n", "Did you mean sealed?"),
    (f"{TOURNAMENT}seeded_by = 5\n", "line 4, tournament.spring.seeded_by: expected the name of a ladder"),
    (f"{TOURNAMENT}seeded_by = 'Main'\n", "line 4, tournament.spring.seeded_by"),
    (f"{TOURNAMENT}withdrawn = ['c']\n", "line 4, tournament.spring.withdrawn: c is not one of its bots"),
    (f"{TOURNAMENT}suite = 2\n", "line 4, tournament.spring.suite: expected the name of a suite"),
    (f"{TOURNAMENT}suite = 'caravan-3'\n", "line 4, tournament.spring.suite: there is no file 'caravan-3'"),
    (f"{TOURNAMENT}suite = 'wasteland-2'\n", "is for wasteland with 2 seats, not for caravan"),
    (
        f"{TOURNAMENT}seats = 3\nsuite = 'caravan-2'\n",
        "line 5, tournament.spring.suite: The suite caravan-2 is",
    ),
    (f"{TOURNAMENT}suite = 'event.toml'\n", "The suite event cannot be read"),
    (f"{LADDER}suite = 'caravan-2'\n", "line 3, ladder.main.suite: ratings count only"),
    (f"{LADDER}site = 'caravan-2'\n", "unknown key 'site'. Did you mean title?"),
    (f"{TOURNAMENT}seeding = 'drawn'\n", "line 4, tournament.spring.seeding: every pairing"),
    (f"{TOURNAMENT}seeded_by = 'main'\n", "line 4, tournament.spring.seeded_by: every pairing"),
    (
        f"{TOURNAMENT}format = 'swiss'\nseeding = 'drawn'\nseeded_by = 'main'\n",
        "line 6, tournament.spring.seeded_by: seeds are drawn or follow ratings",
    ),
    (
        f"{TOURNAMENT}visibility = 'live'\nseed_policy = 'shared'\n",
        "line 4, tournament.spring.visibility: live",
    ),
    (f"{TOURNAMENT}stages = [{{ format = 'swiss', qualifiers = 2 }}]\n", "line 4, tournament.spring.stages"),
    (f"{TOURNAMENT}format = 'stages'\n", "two to 8 stages, not 0"),
    ("[season.a]\nkept = 5\n", "Did you mean keep?"),
    ("[season.A]\n", "line 1, season.A"),
    ("[season.a]\nkeep = 101\n", "from 0 to 100, not 101"),
    ("[season.a]\nkeep = 75.0\n", "from 0 to 100, not 75.0"),
    ("[season.a]\nlower = ['b']\n", "line 1, season.a: with lower it needs swap"),
    ("[season.a]\nlower = ['b']\nswap = 0\n", "from 1 to 100, not 0"),
    ("[season.a]\nswap = 2\n", "line 2, season.a.swap: bots move between divisions"),
    ("[season.a]\nswap = 2\nlower = 'b'\n", "line 3, season.a.lower: expected a list of ladders"),
    ("[season.a]\nswap = 2\nlower = ['b', 'B']\n", "'B'"),
    ("[season.a]\nswap = 2\nlower = ['b', 'a']\n", "line 3, season.a.lower: a is named twice"),
    (f"[season.a]\nswap = 2\nlower = {[f'b{n}' for n in range(21)]}\n", "at most 20"),
    ("[season.a]\nswap = 1\nlower = ['b']\n[season.b]\n", "b is in the season of a already"),
    (f"{STAGES}rounds = 3\nqualifiers = 1\n{LAST}", "line 6, tournament.spring.stages.0: it has no format"),
    (
        f"{STAGES}format = 'stages'\nqualifiers = 1\n{LAST}",
        "line 7, tournament.spring.stages.0.format: a stage has no stages",
    ),
    (f"{STAGES}format = 'swis'\nqualifiers = 1\n{LAST}", "Did you mean swiss?"),
    (
        f"{STAGES}format = 'swiss'\nstages = []\nqualifiers = 1\n{LAST}",
        "line 8, tournament.spring.stages.0.stages: unknown key",
    ),
    (
        f"{STAGES}format = 'swiss'\nbest_of = 3\nqualifiers = 1\n{LAST}",
        "line 8, tournament.spring.stages.0.best_of",
    ),
    (f"{STAGES}format = 'swiss'\n{LAST}", "line 6, tournament.spring.stages.0"),
    (f"{STAGES}format = 'swiss'\nqualifiers = 2\n{LAST}pools = 2\n", "The last stage has one pool"),
]


@pytest.mark.parametrize(("text", "named"), WRONG)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, text: str, named: str) -> None:
    [found] = problems(text, tmp_path)
    assert named in found


def test_all_problems_are_reported_at_once(tmp_path: Path) -> None:
    text = f"{LADDER}seads = [2]\nstate = 'runing'\n{TOURNAMENT}rounds = 'two'\n"
    assert [found.split(",")[0] for found in problems(text, tmp_path)] == ["line 3", "line 4", "line 8"]


def test_all_problems_of_stages_are_reported_at_once_by_line(tmp_path: Path) -> None:
    text = f"""{TOURNAMENT}format = 'stages'
        titel = 'A'
        [[tournament.spring.stages]]
        format = 'round-robin'
        best_of = 3
        challengers = 2
        [[tournament.spring.stages]]
        format = 'swis'
        qualifiers = 2
        [[tournament.spring.stages]]
        format = 'knockout'
        pools = 2
        [clock.bad]
        strikes = -1
    """
    found = [each.split(":")[0] for each in problems(text, tmp_path)]
    stages = "tournament.spring.stages"
    assert found == [
        "line 5, tournament.spring.titel",
        f"line 8, {stages}.0.best_of",
        f"line 9, {stages}.0.challengers",
        f"line 11, {stages}.1.format",
        "line 17, clock.bad.strikes",
    ]
    found = [each.split(":")[0] for each in problems(text.replace("titel", "title"), tmp_path)]
    assert found == [
        f"line 6, {stages}.0.qualifiers",
        f"line 6, {stages}",
        f"line 8, {stages}.0.best_of",
        f"line 9, {stages}.0.challengers",
        f"line 11, {stages}.1.format",
        "line 17, clock.bad.strikes",
    ]


def test_a_problem_of_stages_names_its_path_once(tmp_path: Path) -> None:
    [found] = problems(f"{STAGES}format = 'swiss'\n{LAST}", tmp_path)
    assert found.count("qualifiers") == 1


def test_a_file_that_is_not_toml_or_not_there_is_refused(tmp_path: Path, run: Run) -> None:
    (tmp_path / "broken.toml").write_text("[ladder.main\n")
    broken = run("event", "plan", "broken.toml")
    assert (broken.exit_code, "line 1" in broken.output) == (2, True), broken.output
    missing = run("event", "apply", "missing.toml", "--yes")
    assert (missing.exit_code, "missing.toml" in missing.output) == (1, True), missing.output


def test_the_line_of_a_key_is_found_in_tables_and_inner_tables() -> None:
    text = 'a = 1\n[ladder.main]\nclock = { bank_ms = 1 }\n"quoted key" = 2\nx.y = 3\n'
    text += "[[list]]\nz = 1\n[[list]]\nz = 2\n[list.inner]\ny = 3\n"
    positions = Positions(text)
    assert positions.line(("a",)) == 1
    assert positions.line(("ladder", "main")) == 2
    assert positions.line(("ladder", "main", "clock", "bank_ms")) == 3
    assert positions.line(("ladder", "main", "quoted key")) == 4
    assert positions.line(("ladder", "main", "x", "y")) == 5
    assert positions.line(("list",)) == 6
    assert positions.line(("list", "0", "z")) == 7
    assert positions.line(("list", "1", "z")) == 9
    assert positions.line(("list", "1", "inner", "y")) == 11
    assert positions.line(("nothing",)) is None
