"""Simulations: everything follows from the seed, and the sums are right."""

import json

import pytest

from arena.cli.simulate.commands import summarise
from arena.cli.simulate.simulation import Plan, Policy, SimulatedMatch, match_seed, play, play_all
from engine.game import GameError
from engine.registry import GAMES
from tests.unit.cli.screens import words

SEED = bytes(range(32))
PLAN = Plan("caravan", 2, (("goods", "short"),), Policy.SENSIBLE, SEED)


def document(run, *args: str) -> dict[str, object]:
    """Return the JSON document of a simulation, without its speed."""
    result = run("simulate", "caravan", "--seats", "2", "--format", "json", *args)
    assert result.exit_code == 0, result.output
    fields: dict[str, object] = json.loads(result.stdout)
    del fields["seconds"], fields["decisions_per_second"]
    return fields


def test_the_same_seed_gives_the_same_matches_and_another_one_others(run):
    first = document(run, "--matches", "5", "--seed", SEED.hex())

    assert document(run, "--matches", "5", "--seed", SEED.hex()) == first
    assert document(run, "--matches", "5", "--seed", "00" * 32)["seats"] != first["seats"]


def test_without_a_seed_a_new_one_is_drawn_and_shown(run):
    first, second = document(run, "--matches", "1"), document(run, "--matches", "1")

    assert first["seed"] != second["seed"]
    assert document(run, "--matches", "1", "--seed", str(first["seed"])) == first


def test_the_number_of_processes_changes_nothing():
    played = [[one for chunk in play_all(PLAN, 7, jobs=jobs) for one in chunk.played] for jobs in (1, 2)]
    assert played[0] == played[1]
    assert len(played[0]) == 7


def test_matches_of_one_simulation_differ():
    assert len({match_seed(SEED, number) for number in range(100)}) == 100
    assert play(PLAN, 0) != play(PLAN, 1)


def test_options_reach_the_game():
    limited = Plan("caravan", 2, (("turn_limit", "3"),), Policy.RANDOM, SEED)

    assert play(limited, 0).ending == "TURN_LIMIT"


def test_options_that_the_game_does_not_have_are_refused():
    with pytest.raises(GameError):
        play(Plan("caravan", 2, (("camels", "9"),), Policy.SENSIBLE, SEED), 0)


def test_matches_are_summed_up_by_seat_and_ending():
    played = [
        SimulatedMatch("FINAL_DELIVERY", 100, (10, 4), (1, 2)),
        SimulatedMatch("FINAL_DELIVERY", 200, (8, 8), (1, 1)),
        SimulatedMatch("TURN_LIMIT", 60, (0, 6), (2, 1)),
    ]

    summary = summarise(PLAN, played, seconds=2.0)

    assert summary.endings == {"FINAL_DELIVERY": 2, "TURN_LIMIT": 1}
    assert (summary.fewest_plies, summary.mean_plies, summary.most_plies) == (60, 120.0, 200)
    assert summary.decisions_per_second == 180.0
    first, second = summary.seats
    assert (first.mean_score, first.lowest_score, first.highest_score) == (6.0, 0, 10)
    assert (first.first_places, second.first_places) == (2, 2)
    assert (first.mean_placing, second.mean_placing) == (1.3333, 1.3333)
    assert second.deviation == 1.633  # the root of ((4-6)^2 + (8-6)^2 + 0) / 3


def test_people_get_tables_by_seat_and_by_ending(run):
    result = run("simulate", "caravan", "--seats", "3", "--matches", "2", "--seed", SEED.hex())

    shown = words(result.stdout)
    assert f"seed {SEED.hex()} matches 2" in shown
    assert "FINAL_DELIVERY 2 100.0 %" in shown
    assert "\x1b" not in result.output


def test_simulations_of_one_seat_count_levels_instead_of_places(run):
    result = run("simulate", "caravanserai", "--seats", "1", "--matches", "30", "--seed", "00" * 32)
    lines = [words(line) for line in result.stdout.splitlines() if words(line)]

    assert any(line.startswith("scores ") for line in lines)
    assert "first places" not in result.stdout
    rows = lines[lines.index("level matches share") + 1 :]
    assert rows[-1].startswith("none ")
    assert sum(int(row.split()[-3]) for row in rows) == 30


def test_levels_are_counted_the_best_first():
    """S43."""
    plan = Plan("caravanserai", 1, (), Policy.SENSIBLE, bytes(32))
    played = [SimulatedMatch("STUCK", 60, (score,), (1,)) for score in (24, 30, 25, 29, 45)]

    assert list(summarise(plan, played, seconds=1.0).levels.items()) == [
        ("Chief of the 5 tribes", 1),
        ("Great camel driver", 1),
        ("Camel driver", 2),
        ("", 1),
    ]


def test_a_game_without_levels_shows_none(run):
    result = run("simulate", "caravan", "--seats", "2", "--matches", "2", "--format", "json")

    assert json.loads(result.stdout)["levels"] == {}


def test_trajectories_are_the_matches_of_the_simulation(run, tmp_path):
    """Played again from the seeds in the data set: an independent path through the rules."""
    folder = tmp_path / "out"
    shown = document(
        run, "--matches", "9", "--seed", SEED.hex(), "--trajectories", str(folder), "--jobs", "2"
    )

    assert shown == document(run, "--matches", "9", "--seed", SEED.hex())
    matches, seats, decisions = (
        [json.loads(line) for line in (folder / f"{table}.jsonl").read_text().splitlines()]
        for table in ("matches", "seats", "decisions")
    )
    assert [match["match"] for match in matches] == list(range(9))
    game = GAMES["caravan"]
    for match in matches:
        state = game.new_match(2, game.options(2, json.loads(match["options"])), bytes.fromhex(match["seed"]))
        plies = [row for row in decisions if row["match"] == match["match"]]
        assert [row["ply"] for row in plies] == list(range(match["plies"]))
        for row in plies:
            legal = state.legal_actions()
            assert (row["seat"], row["legal_actions"]) == (state.seat_to_act, len(legal))
            assert legal[row["list_place"]] == row["action"] == state.parse_action(row["notation"])
            assert (row["used_ns"], row["cause"]) == (None, "CHOSEN")
            state.apply(row["action"])
        outcome = state.outcome()
        assert outcome is not None
        of_match = [row for row in seats if row["match"] == match["match"]]
        assert [row["score"] for row in of_match] == list(outcome.scores)
        assert [row["final_placing"] for row in of_match] == list(outcome.placings)


def test_trajectories_are_not_written_over_what_is_there(run, tmp_path):
    (tmp_path / "out").mkdir()
    result = run("simulate", "caravan", "--matches", "1", "--trajectories", str(tmp_path / "out"))

    assert result.exit_code == 1
    assert list(tmp_path.iterdir()) == [tmp_path / "out"]
