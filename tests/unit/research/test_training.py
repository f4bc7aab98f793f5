"""The example that learns Caravan: what it sees, how it values, what it learns, and what it refuses."""

import json
import math
import runpy
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.codecs.caravan.codec import CODEC
from arena.research.caravan.training import training_run
from arena.research.caravan.training.bot import (
    Learned,
    Network,
    Route,
    Side,
    best_action,
    candidates,
    features,
    final_value,
    is_camel_move,
    jobs_of,
    read_network,
    side_features,
    side_of,
)
from arena.research.caravan.training.learning import DISCOUNT, LAMBDA, Learner, new_weights, targets, values
from arena.research.caravan.training.training_run import Plan, TrainingError, TrainingRun
from arena.sdk import Clock, caravan
from arena.submissions.manifest import read_manifest
from engine.caravan import CARAVAN
from engine.caravan.actions import PASS_ACTION, move_good
from engine.caravan.goods import GOODS, Good
from engine.caravan.observation import EmptyCamels, LadenCamel
from engine.caravan.state import CaravanState
from engine.game import TERMINAL, Outcome
from engine.randomness import Stream
from tests.checkout import imports

COLUMNS = 7


def a_match(seats: int, seed: int) -> CaravanState:
    return CARAVAN.new_match(seats, CARAVAN.options(seats, {}), bytes([seed]) * 32)


def positions(seats: int, seed: int, plies: int) -> Iterator[CaravanState]:
    """Yield the positions of a match of sensible play, up to so many."""
    state, stream = a_match(seats, seed), Stream(bytes([seed]) * 32)
    for _ in range(plies):
        if state.seat_to_act == TERMINAL:
            return
        yield state
        state.apply(CARAVAN.sensible_action(state, stream))


def shortest_paths(start: int, end: int) -> list[list[int]]:
    """Return all of them, as their squares but the first; of a path of no steps, the square itself."""
    if start == end:
        return [[end]]
    (row, column), (last_row, last_column) = divmod(start, COLUMNS), divmod(end, COLUMNS)
    found: list[list[int]] = []
    if row != last_row:
        found += _onwards(start + (COLUMNS if last_row > row else -COLUMNS), end)
    if column != last_column:
        found += _onwards(start + (1 if last_column > column else -1), end)
    return found


def _onwards(square: int, end: int) -> list[list[int]]:
    return [[square]] if square == end else [[square, *rest] for rest in shortest_paths(square, end)]


@given(st.integers(0, 24), st.integers(0, 24), st.integers(0, 2**49 - 1))
def test_a_route_counts_the_camels_that_are_missing_on_its_best_path(
    start: int, end: int, ready: int
) -> None:
    """All paths of up to eight steps, against the table."""
    missing = [[square for square in path if not ready >> square & 1] for path in shortest_paths(start, end)]
    count, squares = Route(start, end, COLUMNS).missing(ready)
    assert count == min(map(len, missing)) == squares.bit_count()
    assert squares in [sum(1 << square for square in path) for path in missing]


def test_a_good_on_a_chain_that_is_complete_takes_one_action_point() -> None:
    """As in worked example 3 of the rules: ivory on 9, camels on 10 and on its city, 3."""
    state = a_match(2, 0)
    seen = state.observe(0)
    own = seen.seats[0]._replace(
        supply=2,
        empty_camels=(EmptyCamels(3, 1), EmptyCamels(10, 1)),
        laden_camels=(LadenCamel(9, Good.IVORY, False),),
    )
    view = seen._replace(seats=(own, *seen.seats[1:]))
    position = CARAVAN.from_observation(view, Stream(bytes(32)))
    (job,) = jobs_of(side_of(position, 0)).carried
    assert (job.value, job.cost, job.missing) == (6, 1, 0)
    assert best_action(position, zeros(position)) == move_good(9, GOODS.index(Good.IVORY), 3)


def test_a_board_of_any_size_has_features() -> None:
    """A way of 254 steps over the camels of another seat, which costs more than the table of powers has."""
    path = Route(0, 254, 255)
    assert path.missing(0) == (254, sum(1 << square for square in range(1, 255)))
    own = Side((255, (254,) * 8), 1 << 1, (1,), (), 0, 4, (1 << 255) - 1, ((0, 0, 0),), ())
    (job,) = jobs_of(own).free
    assert job.value == 3
    assert side_features(own)


def zeros(state: CaravanState) -> Network:
    """Return a network that expects nothing to come."""
    return Network([[0.0] * len(features(state)[0])], [0.0], [0.0], 0.0)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_candidates_are_legal_and_leave_out_moves_of_camels_alone(seats: int) -> None:
    for state in positions(seats, seats, 60):
        listed, found = list(state.legal_actions()), candidates(state)
        assert set(found) <= set(listed)
        assert PASS_ACTION in found
        assert all(is_camel_move(action) for action in set(listed) - set(found))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_features_depend_on_nothing_that_is_hidden(seats: int) -> None:
    """Another order of the bag changes none of them."""
    for number, state in enumerate(positions(seats, seats, 60)):
        other = CARAVAN.from_observation(state.observe(0), Stream(bytes([number]) * 32))
        assert features(other) == features(state)


def test_features_are_those_of_the_seat() -> None:
    """With two seats, what one has is what the other sees of its opponent."""
    for state in positions(2, 5, 60):
        (own, own_side, rest), (margin, side, others) = (parted(row) for row in features(state))
        assert own == -margin
        assert (own_side, rest) == (others, side)


def parted(row: Sequence[float]) -> tuple[float, list[float], list[float]]:
    """Return margin, own features and those of the others."""
    sides = list(row[5:])
    half = len(sides) // 2
    return row[0], sides[:half], sides[half:]


def test_a_position_is_worth_the_same_in_the_bot_and_in_the_training() -> None:
    dice = np.random.default_rng(3)
    weights = [dice.normal(size=each.shape) for each in new_weights(7, dice)]
    hidden, hidden_bias, output, output_bias = weights
    network = Network(hidden.tolist(), hidden_bias.tolist(), output.tolist(), float(output_bias[0]))
    rows = dice.normal(size=(20, 7))
    assert [network.value(row) for row in rows.tolist()] == pytest.approx(values(weights, rows).tolist())


def test_new_weights_expect_nothing_to_come() -> None:
    rows = np.random.default_rng(3).normal(size=(20, 7))
    assert values(new_weights(7, np.random.default_rng(4)), rows).tolist() == rows[:, 0].tolist()


def test_targets_are_the_weighted_mean_of_all_returns() -> None:
    """The definition: n rewards, then the estimate, weighted by (1 - lambda) lambda^(n - 1), the rest on the end."""
    dice = np.random.default_rng(5)
    estimates, margins, finals = dice.normal(size=(6, 2)), dice.normal(size=(6, 2)), dice.normal(size=2)
    worth = np.vstack([margins[:-1], finals])
    rewards = worth[1:] - worth[:-1]
    for ply, found in enumerate(targets(estimates, margins, finals)[:-1]):
        left = len(rewards) - ply
        returns = [
            sum(DISCOUNT**k * rewards[ply + k] for k in range(n))
            + (DISCOUNT**n * (estimates - margins)[ply + n] if n < left else 0.0)
            for n in range(1, left + 1)
        ]
        shares = [(1 - LAMBDA) * LAMBDA**n for n in range(left - 1)]
        shares.append(1 - sum(shares))
        mean = sum(share * each for share, each in zip(shares, returns, strict=True))
        assert found == pytest.approx(margins[ply] + mean)


def test_learning_goes_down_the_gradient() -> None:
    """The gradients are those of finite differences."""
    dice = np.random.default_rng(6)
    learner = Learner([dice.normal(size=each.shape) for each in new_weights(5, dice)])
    rows, wanted = dice.normal(size=(9, 5)), dice.normal(size=9)
    for weights, gradient in zip(learner.weights, learner.gradients(rows, wanted), strict=True):
        place = tuple(dice.integers(0, size) for size in weights.shape)
        kept, errors = weights[place], []
        for shift in (1e-6, -1e-6):
            weights[place] = kept + shift
            errors.append(np.mean((values(learner.weights, rows) - wanted) ** 2) / 2)
        weights[place] = kept
        assert gradient[place] == pytest.approx((errors[0] - errors[1]) / 2e-6, rel=1e-4)


def test_what_is_learned_is_nearer_to_what_was_wanted() -> None:
    dice = np.random.default_rng(7)
    learner, rows = Learner(new_weights(5, dice)), dice.normal(size=(1000, 5))
    wanted = rows[:, 0] + np.tanh(rows[:, 1])
    errors = [learner.learn(rows, wanted, 1.0, dice) for _ in range(10)]
    assert errors[-1] < errors[0] / 10


@pytest.mark.parametrize(
    ("scores", "placings", "worth"),
    [((41, 31), (1, 2), (1.5, -1.5)), ((30, 30), (1, 1), (0.0, 0.0)), ((30, 30), (1, 2), (0.5, -0.5))],
)
def test_the_end_is_worth_the_margin_and_the_win(
    scores: tuple[int, ...], placings: tuple[int, ...], worth: tuple[float, ...]
) -> None:
    outcome = Outcome(scores, placings, "FINAL_DELIVERY")
    assert tuple(final_value(outcome, seat) for seat in (0, 1)) == worth


def test_the_bot_answers_with_the_place_of_its_best_action() -> None:
    """The order of the bag has no influence, but where a pick-up draws goods: none is legal here."""
    network = read_network(weights_that_come_with_it())
    state = a_match(2, 9)
    message = caravan.Observation.FromString(CODEC.observation_bytes(state.observe(0)))
    clock = Clock(per_decision_ms=1000, bank_ms=0, increment_ms=0, time_left_ms=1000, deadline=0.0)
    place = Learned().choose(message, list(state.legal_actions()), clock)
    assert state.legal_actions()[place] == best_action(state, network)


def weights_that_come_with_it() -> Path:
    return Path(training_run.__file__).with_name("weights.json")


def test_the_weights_that_come_with_it_fit_the_features() -> None:
    network = read_network(weights_that_come_with_it())
    state = a_match(2, 1)
    assert {len(row) for row in network.hidden} == {len(features(state)[0])}
    assert math.isfinite(network.value(features(state)[0]))
    about = json.loads(weights_that_come_with_it().read_text(encoding="utf-8"))
    assert about["plan"] == {"seed": 1, "seats": 2, "matches": 8}


def run(monkeypatch: pytest.MonkeyPatch, *words: object) -> str:
    """Run the command; return what it refuses with, empty if it does not."""
    monkeypatch.setattr(sys, "argv", ["training", *map(str, words)])
    try:
        runpy.run_module("arena.research.caravan.training", run_name="__main__")
    except SystemExit as end:
        return str(end.code)
    return ""


def test_without_weights_nothing_is_exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "train first" in run(monkeypatch, "export", tmp_path / "bot", "--from", tmp_path)
    assert not (tmp_path / "bot").exists()


OTHER_FEATURES = '{"hidden": [[1]], "hidden_bias": [1], "output": [1], "output_bias": 0}'


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"hidden": [[1]]}', OTHER_FEATURES, "\udcff"])
def test_a_file_that_holds_no_weights_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    (tmp_path / "weights.json").write_bytes(content.encode(errors="surrogateescape"))
    assert "no weights" in run(monkeypatch, "export", tmp_path / "bot", "--from", tmp_path)
    assert not (tmp_path / "bot").exists()


def test_a_folder_that_is_there_is_not_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "is there already" in run(monkeypatch, "export", tmp_path)
    assert not list(tmp_path.iterdir())


def test_what_is_exported_is_the_bot_with_its_weights_and_a_manifest_that_is_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(monkeypatch, "export", tmp_path / "bot") == ""
    assert {path.name for path in (tmp_path / "bot").iterdir()} == {"bot.py", "bot.toml", "weights.json"}
    manifest = read_manifest((tmp_path / "bot" / "bot.toml").read_bytes())
    assert (manifest.command, manifest.games, manifest.runtime) == (
        ("python", "bot.py"),
        ("caravan",),
        "python",
    )


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 cut off"])
def test_a_file_that_is_no_checkpoint_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / training_run.CHECKPOINT).write_bytes(content)
    with pytest.raises(TrainingError, match="is no checkpoint"):
        TrainingRun(tmp_path, Plan())


def test_an_archive_of_other_arrays_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / training_run.CHECKPOINT, other=np.zeros(3))
    with pytest.raises(TrainingError, match="is no checkpoint"):
        TrainingRun(tmp_path, Plan())


def test_a_checkpoint_of_other_features_is_refused(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path, Plan())
    run.learner = Learner(new_weights(3, np.random.default_rng(1)))
    run.save()
    with pytest.raises(TrainingError, match="other features"):
        TrainingRun(tmp_path, Plan())


def test_a_checkpoint_of_another_plan_is_refused(tmp_path: Path) -> None:
    TrainingRun(tmp_path, Plan()).save()
    with pytest.raises(
        TrainingError, match="--seed 1 --seats 2 --matches 8, not --seed 1 --seats 3 --matches 8"
    ):
        TrainingRun(tmp_path, Plan(seats=3))


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--rounds", "0"), "--rounds"),
        (("--rounds", "many"), "--rounds"),
        (("--matches", "-1"), "--matches"),
        (("--seats", "5"), "--seats"),
        (("--seed", "x"), "--seed"),
        (("--workers", "0"), "--workers"),
    ],
)
def test_numbers_that_are_not_possible_are_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, str],
    named: str,
) -> None:
    assert run(monkeypatch, "train", tmp_path / "learned", *words) == "2"
    assert f"argument {named}: " in capsys.readouterr().err
    assert not (tmp_path / "learned").exists()


def test_a_wrong_number_of_rounds_in_the_environment_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRAINING_ROUNDS", "none")
    assert run(monkeypatch, "train", tmp_path / "learned") == "2"
    assert "--rounds" in capsys.readouterr().err


def test_without_the_extra_it_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.startswith("arena.research.caravan.training.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert "numpy is not installed" in run(monkeypatch, "train", "learned")


def test_the_bot_imports_neither_numpy_nor_anything_that_a_submission_does_not_find() -> None:
    roots = {name.split(".")[0] for name in imports("arena/research/caravan/training/bot.py")}
    assert roots - sys.stdlib_module_names == {"arena", "engine"}
    of_the_arena = {
        name for name in imports("arena/research/caravan/training/bot.py") if name.startswith("arena.")
    }
    assert all(name.startswith(("arena.sdk", "arena.codecs")) for name in of_the_arena)
