"""What an event file changes on an arena: what is missing, once, and nothing that cannot be changed."""

from datetime import UTC, datetime

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given
from hypothesis import strategies as st

from arena.cli.event.changes import Difference
from arena.cli.event.live import Size, Speed, arena_now, measured, size_of
from arena.cli.event.seasons import planned_season
from arena.v1 import match_pb2, tournament_pb2
from tests.unit.cli.event_services import BOTS, Document, Services, wanted_by

LADDER: Document = {"game": "caravan", "seats": [2, 3], "bots": ["ant", "bee"], "state": "running"}
TOURNAMENT: Document = {"game": "caravan", "bots": ["ant", "bee", "cat"], "rounds": 2}

names = st.sampled_from(["main", "side", "spring"])
games = st.sampled_from(["caravan", "wasteland"])
some_bots = st.lists(st.sampled_from(BOTS), min_size=2, unique=True)
clocks = st.fixed_dictionaries({}, optional={"bank_ms": st.integers(0, 9_000), "strikes": st.integers(0, 5)})
policies = st.sampled_from(["shared", "derived"])
states = st.sampled_from(["running", "paused"])
settings = {"title": st.sampled_from(["Spring", ""]), "hidden": st.booleans()}
times = st.integers(4_102_444_800, 4_133_980_800).map(lambda each: datetime.fromtimestamp(each, UTC))
ladders = st.fixed_dictionaries(
    {"game": games},
    optional={
        "seats": st.lists(st.integers(2, 4), min_size=1, unique=True),
        "bots": some_bots,
        "clock": clocks,
        "seed_policy": policies,
        "forbid_same_owner": st.booleans(),
        "state": states,
        **settings,
        "deadline": times,
        "freeze": times,
    },
)
formats = st.sampled_from(
    [
        {},
        {"rounds": 3},
        {"format": "gauntlet", "challengers": 2, "rounds": 2},
        {"format": "swiss", "seeding": "drawn"},
        {"game": "caravan", "suite": "caravan-2"},
        {"format": "knockout", "best_of": 3, "third_place": True},
        {"format": "double-elimination", "visibility": "sealed"},
        {
            "format": "stages",
            "stages": [
                {"format": "swiss", "rounds": 2, "pools": 2, "qualifiers": 1},
                {"format": "knockout", "best_of": 5},
            ],
        },
    ]
)
other_keys = st.fixed_dictionaries(
    {"game": games, "bots": some_bots},
    optional={"seats": st.just(2), "clock": clocks, "state": states, **settings},
)
tournaments = st.builds(lambda form, others: others | form, formats, other_keys)
documents = st.fixed_dictionaries(
    {
        "ladder": st.dictionaries(names, ladders, min_size=1),
        "tournament": st.dictionaries(names, tournaments),
    }
)


@given(documents)
def test_a_file_that_was_applied_changes_nothing_the_second_time(document: Document) -> None:
    services = Services()
    services.apply(document)
    assert services.found(document) == Difference((), ())


@given(documents, st.data())
def test_what_a_part_of_the_file_has_made_is_not_made_again(document: Document, data: st.DataObject) -> None:
    whole, parts = Services(), Services()
    whole.apply(document)
    first = data.draw(st.sampled_from(sorted(document["ladder"])))
    parts.apply({"ladder": {first: document["ladder"][first]}})
    parts.apply(document)
    assert (parts.known, parts.events, parts.entered) == (whole.known, whole.events, whole.entered)


def test_a_change_of_the_file_makes_the_difference_alone() -> None:
    services = Services()
    assert services.apply({"ladder": {"main": LADDER}}) == [
        "create ladders/main caravan, seats 2, 3",
        "enter ladders/main ant",
        "enter ladders/main bee",
        "run ladders/main",
    ]
    more = LADDER | {"bots": ["bee", "cat"], "state": "paused"}
    assert services.apply({"ladder": {"main": more}}) == ["enter ladders/main cat", "pause ladders/main"]
    assert ("ladders/main", "bots/ant") in services.entered, "nobody is withdrawn"


def test_a_bot_that_has_left_is_entered_again() -> None:
    services = Services()
    services.apply({"ladder": {"main": LADDER}})
    services.left.add(("ladders/main", "bots/ant"))
    assert services.apply({"ladder": {"main": LADDER}}) == ["enter ladders/main ant"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("game", "wasteland"),
        ("seats", [2]),
        ("options", {"camels": 6}),
        ("clock", {"bank_ms": 0}),
        ("forbid_same_owner", True),
        ("seed_policy", "shared"),
    ],
)
def test_what_a_ladder_cannot_change_is_an_obstacle(key: str, value: object) -> None:
    services = Services()
    services.apply({"ladder": {"main": LADDER}})
    found = services.found({"ladder": {"main": LADDER | {key: value}}})
    assert [obstacle.subject for obstacle in found.obstacles] == ["ladders/main"]
    assert found.obstacles[0].sentence.startswith(f"{key} of a ladder")


def test_the_command_that_registers_a_bot_is_named_once() -> None:
    services = Services(registered=("ant", "bee"))
    document = {
        "ladder": {"main": LADDER | {"bots": ["ant", "cat"]}},
        "tournament": {"spring": TOURNAMENT, "autumn": TOURNAMENT | {"bots": ["cat", "dog"]}},
    }
    found = services.found(document)
    assert [each.subject for each in found.obstacles] == [
        "ladders/main",
        "tournaments/spring",
        "tournaments/autumn",
    ]
    sentences = " ".join(each.sentence for each in found.obstacles)
    assert [sentences.count(f"arena bot create {bot}") for bot in BOTS] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("game", "wasteland", "it is caravan, but the file says wasteland"),
        ("seats", [2], "it is 2, 3, but the file says 2"),
        ("seed_policy", "shared", "it is derived, but the file says shared"),
        ("options", {"camels": 6}, "the file says something else"),
    ],
)
def test_an_obstacle_names_both_values_if_they_have_words(key: str, value: object, words: str) -> None:
    services = Services()
    services.apply({"ladder": {"main": LADDER}})
    [obstacle] = services.found({"ladder": {"main": LADDER | {key: value}}}).obstacles
    assert f"and {words}. " in obstacle.sentence


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("game", "wasteland"),
        ("seats", 3),
        ("rounds", 3),
        ("options", {"camels": 6}),
        ("clock", {"bank_ms": 0}),
        ("bots", ["ant", "bee"]),
        ("seed_policy", "shared"),
        ("suite", "caravan-2"),
    ],
)
def test_what_a_tournament_cannot_change_is_an_obstacle(key: str, value: object) -> None:
    services = Services()
    services.apply({"tournament": {"spring": TOURNAMENT}})
    found = services.found({"tournament": {"spring": TOURNAMENT | {key: value}}})
    assert [obstacle.subject for obstacle in found.obstacles] == ["tournaments/spring"]
    assert found.obstacles[0].sentence.startswith(f"{key} of a tournament")


def test_a_bot_that_is_not_registered_is_an_obstacle_of_each_event_that_names_it() -> None:
    services = Services(registered=("ant", "bee"))
    found = services.found({"ladder": {"main": LADDER}, "tournament": {"spring": TOURNAMENT}})
    assert [(each.subject, "arena bot create cat" in each.sentence) for each in found.obstacles] == [
        ("tournaments/spring", True)
    ]


def test_a_tournament_that_has_finished_is_not_run_again() -> None:
    services, document = Services(), {"tournament": {"spring": TOURNAMENT | {"state": "running"}}}
    services.apply(document)
    services.events["tournaments/spring"].state = tournament_pb2.Tournament.STATE_FINISHED
    assert services.found(document).changes == ()


def test_the_size_of_a_new_tournament_is_asked_and_of_an_old_one_what_is_left() -> None:
    services = Services()
    wanted = wanted_by({"tournament": {"spring": TOURNAMENT}})
    now = arena_now(services.client, wanted)
    size = size_of(services.client, wanted.tournaments[0], now)
    assert isinstance(size, Size)
    assert (size.rounds, size.matches, size.warnings, services.events) == ((2, 3), (12, 14), ("slow",), {})
    services.apply({"tournament": {"spring": TOURNAMENT}})
    services.events["tournaments/spring"].ended_matches = 5
    left = size_of(services.client, wanted.tournaments[0], arena_now(services.client, wanted))
    assert isinstance(left, Size)
    assert left.matches == (7, 7), "3 pairs of bots, 2 matches each, 2 rounds: 12"
    services.events["tournaments/spring"].matches = 14
    more = size_of(services.client, wanted.tournaments[0], arena_now(services.client, wanted))
    assert isinstance(more, Size)
    assert more.matches == (9, 9), "more were planned than are needed at least"


LEAGUE: Document = {
    "ladder": {
        "first": {"game": "caravan", "bots": ["ant", "bee"]},
        "second": {"game": "caravan", "bots": ["cat"]},
    },
    "season": {"first": {"lower": ["second"], "swap": 1}},
}


def test_bots_that_a_close_has_moved_stay_in_their_division() -> None:
    services = Services()
    services.apply(LEAGUE)
    for bot, old, new in [("ant", "first", "second"), ("cat", "second", "first")]:
        services.left.add((f"ladders/{old}", f"bots/{bot}"))
        services.entered.add((f"ladders/{new}", f"bots/{bot}"))
    services.left.add(("ladders/first", "bots/bee"))
    assert services.apply(LEAGUE) == ["enter ladders/first bee"], "it has left both divisions"


@pytest.mark.parametrize(
    ("ladders", "season", "named"),
    [
        ({"first": {"game": "caravan"}}, {"lower": ["second"], "swap": 1}, "second. Create it"),
        (
            {"first": {"game": "caravan"}, "second": {"game": "wasteland"}},
            {"lower": ["second"], "swap": 1},
            "of one game",
        ),
        (
            {"first": {"game": "caravanserai"}, "second": {"game": "caravanserai", "seats": [1]}},
            {"lower": ["second"], "swap": 1},
            "all solo",
        ),
        ({"first": {"game": "caravanserai", "seats": [1]}}, {"keep": 50}, "leave keep out"),
    ],
)
def test_a_season_that_could_not_be_closed_is_an_obstacle(
    ladders: Document, season: Document, named: str
) -> None:
    document = {"ladder": ladders, "season": {"first": season}}
    [obstacle] = Services().found(document).obstacles
    assert (obstacle.subject, named in obstacle.sentence) == ("ladders/first", True)


def test_a_season_is_planned_with_the_ladders_of_the_arena() -> None:
    services, wanted = Services(), wanted_by({"season": LEAGUE["season"]})
    assert services.found({"season": LEAGUE["season"]}).obstacles
    services.apply({"ladder": LEAGUE["ladder"]})
    assert services.found({"season": LEAGUE["season"]}) == Difference((), ())
    services.known["ladders/second"].season = 4
    now = arena_now(services.client, wanted)
    planned = planned_season(wanted.seasons[0], now.ladders)
    assert (planned.numbers, planned.keep_percent) == ((1, 4), 75)


KNOCKOUT: Document = {"game": "caravan", "format": "knockout", "bots": [*BOTS], "best_of": 3}
STAGES: Document = {
    "game": "caravan",
    "format": "stages",
    "bots": [*BOTS],
    "stages": [{"format": "round-robin", "qualifiers": 2}, {"format": "knockout", "best_of": 3}],
}


@pytest.mark.parametrize(
    ("more", "shown"), [({}, 1), ({"withdrawn": ["ant"]}, 0), ({"format": "round-robin", "best_of": 0}, 0)]
)
def test_a_first_round_is_shown_if_it_is_drawn_from_all_bots(more: Document, shown: int) -> None:
    services, wanted = Services(), wanted_by({"tournament": {"cup": KNOCKOUT | more}})
    size = size_of(services.client, wanted.tournaments[0], arena_now(services.client, wanted))
    assert isinstance(size, Size)
    assert len(size.first_round) == shown


@pytest.mark.parametrize(
    ("document", "changed", "named"),
    [
        (KNOCKOUT, {"best_of": 1}, "best_of"),
        (KNOCKOUT, {"third_place": True}, "third_place"),
        (KNOCKOUT, {"seeding": "drawn"}, "seeding"),
        (KNOCKOUT, {"visibility": "sealed"}, "visibility"),
        (KNOCKOUT, {"format": "double-elimination"}, "format"),
        (KNOCKOUT, {"bots": ["bee", "ant", "cat", "dog"]}, "bots"),
        (STAGES, {"stages": [STAGES["stages"][0], {"format": "knockout"}]}, "stages"),
    ],
)
def test_another_value_of_a_format_is_an_obstacle(document: Document, changed: Document, named: str) -> None:
    services = Services()
    services.apply({"tournament": {"cup": document}})
    found = services.found({"tournament": {"cup": document | changed}})
    assert [obstacle.sentence.split(" of ")[0] for obstacle in found.obstacles] == [named]


@pytest.mark.parametrize(
    ("document", "defaults"),
    [
        (KNOCKOUT, {"third_place": False, "seeding": "order", "seats": 2}),
        (STAGES, {"rounds": 0}),
        (TOURNAMENT | {"suite": "caravan-2"}, {}),
    ],
)
def test_a_stated_default_is_what_the_arena_has(document: Document, defaults: Document) -> None:
    services = Services()
    services.apply({"tournament": {"cup": document}})
    assert services.found({"tournament": {"cup": document | defaults}}) == Difference((), ())


@pytest.mark.parametrize("drawn", [KNOCKOUT | {"seeding": "drawn"}, TOURNAMENT])
def test_the_order_of_bots_does_not_matter_where_it_decides_nothing(drawn: Document) -> None:
    services = Services()
    services.apply({"tournament": {"cup": drawn}})
    assert services.found({"tournament": {"cup": drawn | {"bots": drawn["bots"][::-1]}}}).obstacles == ()


def test_a_tournament_is_not_seeded_by_a_ladder_that_the_same_file_creates() -> None:
    services, cup = Services(), KNOCKOUT | {"seeded_by": "main"}
    document = {"ladder": {"main": LADDER}, "tournament": {"cup": cup}}
    [obstacle] = services.found(document).obstacles
    assert (obstacle.subject, obstacle.sentence.split(":")[0]) == ("tournaments/cup", "seeded_by")
    services.apply({"ladder": {"main": LADDER}})
    services.played.add(("ladders/main", "bots/ant"))
    found = services.found(document)
    assert found.obstacles == ()
    [warned] = found.warnings
    assert (warned.subject, "bee, cat, dog." in warned.sentence) == ("tournaments/cup", True)
    services.apply(document)
    assert services.found(document) == Difference((), ())


def test_titles_listings_and_anchors_are_set_once_and_can_be_changed() -> None:
    services = Services()
    ladder = LADDER | {"title": "Spring term", "hidden": True, "anchors": {"ant": 1_800, "bee": 1500.5}}
    assert services.apply({"ladder": {"main": ladder}}) == [
        "create ladders/main caravan, seats 2, 3",
        "hide ladders/main",
        "rename ladders/main Spring term",
        "enter ladders/main ant",
        "enter ladders/main bee",
        "anchor ladders/main ant at 1800 points",
        "anchor ladders/main bee at 1500.5 points",
        "run ladders/main",
    ]
    changed = ladder | {"title": "", "hidden": False, "anchors": {"ant": 1_700}}
    assert services.apply({"ladder": {"main": changed}}) == [
        "show ladders/main",
        "rename ladders/main no title",
        "anchor ladders/main ant at 1700 points",
    ]
    assert services.anchors["ladders/main", "bots/bee"] == 1_500_500, "what a file leaves out stays"


SOON, LATER = "2100-12-01 16:00:00Z", "2100-12-01 18:00:00Z"


def test_a_deadline_and_a_freeze_are_set_once_and_can_be_changed() -> None:
    services = Services()
    times = {"deadline": datetime.fromisoformat("2100-12-01T18:00"), "freeze": "2100-12-01T17:00+01:00"}
    ladder = {"game": "caravan", **times}
    assert services.apply({"ladder": {"main": ladder}})[1:] == [
        f"deadline ladders/main {LATER}",
        f"freeze ladders/main {SOON}",
    ]
    assert services.found({"ladder": {"main": ladder}}) == Difference((), ())
    assert services.apply(
        {"ladder": {"main": ladder | {"deadline": datetime(2100, 12, 1, 16, tzinfo=UTC)}}}
    ) == [f"deadline ladders/main {SOON}"]


def test_a_time_that_has_passed_is_not_set_again_and_frozen_standings_keep_theirs() -> None:
    services = Services()
    past = {"game": "caravan", "deadline": "2020-01-01", "freeze": "2020-01-02"}
    found = services.found({"ladder": {"main": past}})
    assert [each.action for each in found.changes] == ["create"]
    assert [each.sentence.split(":")[0] for each in found.warnings] == ["deadline", "freeze"]
    services.apply({"ladder": {"main": past}})
    live = services.known["ladders/main"]
    live.freeze_time.FromJsonString("2020-01-02T00:00:00Z")
    live.frozen = True
    assert len(services.found({"ladder": {"main": past}}).warnings) == 1, "it is frozen as the file says"
    [obstacle] = services.found({"ladder": {"main": past | {"freeze": "2100-01-02"}}}).obstacles
    assert obstacle.subject == "ladders/main"


def test_a_bot_is_withdrawn_once_and_not_after_the_end() -> None:
    services = Services()
    running = KNOCKOUT | {"state": "running"}
    services.apply({"tournament": {"cup": running}})
    gone = {"tournament": {"cup": running | {"withdrawn": ["ant"]}}}
    assert services.apply(gone) == ["withdraw tournaments/cup ant"]
    assert services.found(gone) == Difference((), ())
    services.events["tournaments/cup"].state = tournament_pb2.Tournament.STATE_FINISHED
    assert services.found(gone).obstacles == ()
    [obstacle] = services.found({"tournament": {"cup": running | {"withdrawn": ["ant", "bee"]}}}).obstacles
    assert obstacle.sentence.endswith("Leave out bee.")


def a_match(game: str, start_s: int, end_s: int) -> match_pb2.Match:
    return match_pb2.Match(
        game=game, start_time=Timestamp(seconds=start_s), end_time=Timestamp(seconds=end_s)
    )


def test_the_speed_of_a_game_is_that_of_its_matches_of_the_last_day() -> None:
    day = 24 * 3_600
    matches = [
        a_match("caravan", 3 * day + 1_800, 3 * day + 3_600),
        a_match("caravan", 3 * day, 3 * day + 900),
        a_match("caravan", 3 * day + 100, 3 * day + 1_800),
        a_match("caravan", day, day + 900),
        a_match("wasteland", 3 * day, 3 * day + 60),
    ]
    found = measured(matches)
    assert found == {"caravan": Speed(3, 3_600.0)}, "one match of a game, or an old one, says nothing"
    assert found["caravan"].per_hour == 3.0
