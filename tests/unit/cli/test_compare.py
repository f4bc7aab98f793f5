"""`arena compare`: what is refused, what its state file promises, and how a standing is shown. No program runs."""

import asyncio
import gc
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.cli.compare.comparison import Comparison, ComparisonRun, verdict_sentence
from arena.cli.compare.faults import FaultTally
from arena.cli.compare.play_matches import Rules, SetUp, program_lines, until_over
from arena.cli.compare.standing import Standing
from arena.cli.compare.state_file import PlayedMatch, opened_state
from arena.cli.explain.seat_summary import exception_lines
from arena.cli.framework.errors import CliError
from arena.cli.play.participants import parse_participants
from arena.cli.program_files import format_line, program_file, read_program_lines
from arena.cli.suites import suite_named
from arena.core.clock.time_control import TimeControl
from arena.core.match import DebugLine, LineSource
from arena.core.pairing.comparison import ComparisonMatch, ComparisonPlan
from arena.core.sequential.sprt import GroupScore, Hypotheses, SequentialTest
from engine.registry import GAMES
from tests.unit.cli.conftest import Run
from tests.unit.cli.screens import check_screen

SEED = "5e" * 32
MATCHES = [
    PlayedMatch(0, 0, (1, 2), ("NORMAL", "NORMAL"), (0, 0), (0, 0)),
    PlayedMatch(0, 1, (2, 1), ("NORMAL", "EXITED"), (0, 2), (1, 0), "x.faults/group-1-match-2.arenalog"),
    PlayedMatch(1, 1, (0, 0), ("EXITED", "TIME_FORFEIT"), (1, 2), (0, 0)),
]
COMPARED = {"game": "caravan", "seats": 2, "seed": SEED}


def written(path: Path, matches: list[PlayedMatch] = MATCHES) -> bytes:
    """Write a state file; return its bytes."""
    with opened_state(path, resume=False) as state:
        state.begin(COMPARED)
        for match in matches:
            state.add(match)
    return path.read_bytes()


OPPONENTS = ("random", "greedy", "mcts", "planner")

REFUSED = {
    "a person": ("me", "random"),
    "an unknown bot": ("gredy", "random"),
    "a game that is not there": ("random", "random", "--game", "chess"),
    "too many seats": ("greedy", "random", "--seats", "9"),
    "more opponents than seats": (
        "greedy",
        "random",
        *(word for bot in OPPONENTS for word in ("--against", bot)),
    ),
    "hypotheses the wrong way round": ("greedy", "random", "--sprt", "20,0"),
    "one hypothesis": ("greedy", "random", "--sprt", "20"),
    "no number": ("greedy", "random", "--sprt", "0,nan"),
    "a large risk": ("greedy", "random", "--beta", "0.5"),
    "less than a group": ("greedy", "random", "--against", "greedy", "--matches", "3"),
    "nothing to resume": ("greedy", "random", "--resume"),
    "a short seed": ("greedy", "random", "--seed", "5e"),
    "a suite and a seed": ("greedy", "random", "--suite", "caravan-2", "--seed", SEED),
}


def test_what_cannot_be_compared_is_refused_before_anything_starts(run: Run, tmp_path: Path) -> None:
    shown = {name: run("compare", *words) for name, words in REFUSED.items()}
    assert {result.exit_code for result in shown.values()} == {2}
    assert not list(tmp_path.iterdir())
    check_screen("compare_refused", {f"arena compare ({name})": result for name, result in shown.items()})


def test_what_is_in_a_state_file_is_read_again(tmp_path: Path) -> None:
    written(tmp_path / "a.jsonl")
    with opened_state(tmp_path / "a.jsonl", resume=True) as state:
        assert state.played == MATCHES
        assert state.seed == bytes.fromhex(SEED)
        state.begin(COMPARED)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(1, 10_000))
def test_a_line_that_was_not_written_to_its_end_costs_no_other(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "cut.jsonl"
    path.unlink(missing_ok=True)
    data = written(path)
    header = data.index(b"\n") + 1
    length = header + cut % (len(data) - header + 1)
    path.write_bytes(data[:length])
    whole = data[:length].count(b"\n") - 1
    with opened_state(path, resume=True) as state:
        assert state.played == MATCHES[:whole]
        state.begin(COMPARED)
        for match in MATCHES[whole:]:
            state.add(match)
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    "text", ["", "\n", "[]\n", '{"format":"x","comparison":{}}\n', "no json\n", '{"a":1']
)
def test_another_file_is_no_state_file_and_stays_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.txt"
    path.write_text(text)
    with pytest.raises(CliError), opened_state(path, resume=True):
        pass
    assert path.read_text() == text


@pytest.mark.parametrize(
    "other", [{**COMPARED, "seats": 3}, {"game": "caravan", "seed": SEED}, {**COMPARED, "more": 1}]
)
def test_the_results_of_another_comparison_are_not_continued(
    tmp_path: Path, other: dict[str, object]
) -> None:
    data = written(tmp_path / "a.jsonl")
    with opened_state(tmp_path / "a.jsonl", resume=True) as state, pytest.raises(CliError):
        state.begin(other)
    assert (tmp_path / "a.jsonl").read_bytes() == data


def test_a_state_file_is_neither_overwritten_nor_used_twice_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    written(path)
    with pytest.raises(CliError), opened_state(path, resume=False):
        pass
    with opened_state(path, resume=True), pytest.raises(CliError), opened_state(path, resume=True):
        pass
    with opened_state(path, resume=True) as state:
        assert state.played == MATCHES


def fail_after(path: Path, matches: list[PlayedMatch]) -> None:
    """Write a state file, and fail as if a program did not start."""
    with opened_state(path, resume=False) as state:
        state.begin(COMPARED)
        for match in matches:
            state.add(match)
        raise CliError("a program does not start")


def test_a_file_without_a_match_does_not_stay_after_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    for matches in ([], MATCHES[:1]):
        with pytest.raises(CliError):
            fail_after(path, matches)
        assert path.exists() == bool(matches)
    with pytest.raises(CliError), opened_state(path, resume=True):
        raise CliError("a program does not start")
    assert path.exists()


def comparison(*bots: str, **changes: object) -> Comparison:
    """Return a comparison of bots in Caravan."""
    named = parse_participants(bots, "caravan")
    options = GAMES["caravan"].options(2, {})
    base = Comparison("caravan", options, TimeControl(), named, 2, Hypotheses(0, 20), bytes(32))
    return replace(base, **changes)  # type: ignore[arg-type]


def test_a_changed_program_is_another_comparison(tmp_path: Path) -> None:
    program = tmp_path / "new.py"
    program.write_text("print(1)")
    before = comparison("python new.py", "random").described()
    os.utime(program, (1, 1))
    assert comparison("python new.py", "random").described() == before
    with opened_state(tmp_path / "a.jsonl", resume=False) as state:
        state.begin(before)
    program.write_text("print(2)")
    now = comparison("python new.py", "random").described()
    assert now != before
    with (
        pytest.raises(CliError, match=r": new\.py has changed since\. Start a new comparison"),
        opened_state(tmp_path / "a.jsonl", resume=True) as state,
    ):
        state.begin(now)


@pytest.mark.parametrize(
    "changes",
    [
        {"seats": 3},
        {"time_control": TimeControl(bank_ms=1)},
        {"hypotheses": Hypotheses(0, 10)},
        {"hypotheses": Hypotheses(0, 20, alpha=0.01)},
        {"seed": bytes([1] * 32)},
        {"participants": parse_participants(["random", "greedy"], "caravan")},
        {"participants": parse_participants(["greedy", "random", "greedy"], "caravan")},
    ],
    ids=str,
)
def test_whatever_changes_the_results_changes_the_comparison(changes: dict[str, object]) -> None:
    base = comparison("greedy", "random")
    assert replace(base, **changes).described() != base.described()  # type: ignore[arg-type]
    assert json.loads(json.dumps(base.described())) == base.described()


@pytest.mark.parametrize(
    "damaged", [{"place": 2}, {"group": -1}, {"placings": (1, 2, 3)}, {"endings": ("NORMAL",)}], ids=str
)
def test_a_damaged_line_is_named(tmp_path: Path, damaged: dict[str, Any]) -> None:
    compared = comparison("greedy", "random")
    with opened_state(tmp_path / "a.jsonl", resume=False) as state:
        state.begin(compared.described())
        for match in (MATCHES[0], replace(MATCHES[1], **damaged)):
            state.add(match)
    with opened_state(tmp_path / "a.jsonl", resume=True) as state, pytest.raises(CliError, match="line 3"):
        ComparisonRun(compared, state, matches=100)


def test_the_groups_on_a_suite_are_its_set_ups_in_order_each_once() -> None:
    suite = suite_named("caravan-2")
    on_suite = comparison("greedy", "random", suite=suite)
    entries = [on_suite.set_up_of(group) for group in range(on_suite.groups(10_000))]
    assert [each.seed for each in entries] == [entry.seed for entry in suite.entries]
    assert [each.suite.entry for each in entries if each.suite] == [entry.id for entry in suite.entries]
    assert on_suite.groups(6) == 3
    assert on_suite.described() != comparison("greedy", "random").described()


def test_a_suite_that_is_not_there_or_does_not_fit_is_refused(run: Run) -> None:
    assert run("compare", "greedy", "random", "--seats", "4", "--suite", "caravan-2").exit_code == 1
    assert run("compare", "greedy", "random", "--suite", "nowhere").exit_code == 2


def standing(
    groups: list[GroupScore],
    plan: ComparisonPlan,
    names: tuple[str, ...],
    hypotheses: Hypotheses = Hypotheses(0, 20),  # noqa: B008
) -> Standing:
    """Return the standing after these groups."""
    test = SequentialTest(hypotheses, field=plan.opponents > 0)
    test.extend(groups)
    faults = FaultTally(len(names))
    for match in MATCHES:
        faults.add((0, 1), match)
    return Standing(names, plan, 5_000, test.hypotheses, test.verdict, test.estimate(), faults, 120, 30.0, 60)


def test_a_standing_shows_difference_test_speed_and_faults() -> None:
    met = standing(
        [GroupScore(points, 4 - points, 4) for points in (4, 2, 2, 3, 0) * 12],
        ComparisonPlan(2),
        ("new", "old"),
    )
    field = standing(
        [GroupScore(points, 8 - points, 8) for points in (5, 4, 6, 3) * 10],
        ComparisonPlan(2, 1),
        ("new", "old", "greedy"),
    )
    alike = standing([GroupScore(0, 0, 8)] * 10, ComparisonPlan(2, 1), ("new", "old", "greedy"))
    empty = standing([], ComparisonPlan(2), ("new", "old"))
    assert empty.document()["elo"] == {"difference": None, "low": None, "high": None}
    document = met.document()
    assert document["matches_per_minute"] == 120
    assert document["bots"][1]["forfeits"] == {"EXITED": 1, "TIME_FORFEIT": 1}
    assert document["bots"][1]["logs"] == ["x.faults/group-1-match-2.arenalog"]
    assert document["bots"][0]["exceptions"] == 1
    shown = {}
    for name, each in (("met", met), ("field", field), ("alike", alike), ("empty", empty)):
        shown[f"{name}, as a line"] = each.line()
        shown[f"{name}, as JSON"] = json.dumps(each.document(), indent=1)
    check_screen("compare_standing", shown)


@pytest.mark.parametrize(
    ("bounds", "score", "sentence"),
    [
        (
            (0, 20),
            4,
            "new is better than old. The results fit a difference of 20 Elo clearly better than one of 0;",
        ),
        (
            (0, 20),
            0,
            "new is not better than old. The results fit a difference of 0 Elo clearly better than one of",
        ),
        ((20, 40), 0, "new is not 40 Elo better than old."),
        ((-20, 0), 4, "new is not 20 Elo worse than old."),
        ((-20, 0), 0, "new is worse than old."),
        ((-10, 10), 4, "new is better than old."),
        ((-10, 10), 0, "new is not better than old."),
        ((0, 20), 2, "Undecided: 120 matches do not tell whether new is better than old."),
    ],
)
def test_the_verdict_says_what_was_tested(bounds: tuple[int, int], score: int, sentence: str) -> None:
    plan, names = ComparisonPlan(2), ("new", "old")
    groups = [GroupScore(score, 4 - score, 4)] * (1 if score == 2 else 500)
    found = standing(groups, plan, names, Hypotheses(*bounds, alpha=0.025, beta=0.025))
    said = verdict_sentence(found, *names)
    assert said.startswith(sentence)
    assert ("2.5 %" in said) == (score != 2)


@pytest.mark.parametrize(
    ("groups", "note"),
    [
        ([GroupScore(0, 0, 8)] * 5, "weaker opponents"),
        ([GroupScore(8, 8, 8)] * 5, "stronger opponents"),
        ([GroupScore(3, 3, 8)] * 5, "other opponents"),
        ([GroupScore(0, 0, 8)] * 4, ""),
        ([GroupScore(0, 0, 8)] * 5 + [GroupScore(1, 0, 8)], ""),
        ([GroupScore(1, 0, 8)] * 5, ""),
    ],
)
def test_opponents_that_tell_nothing_are_named(groups: list[GroupScore], note: str) -> None:
    found = standing(groups, ComparisonPlan(2, 1), ("new", "old", "greedy")).note()
    assert (note in found) if note else not found
    assert not standing([GroupScore(2, 2, 4)] * 50, ComparisonPlan(2), ("new", "old")).note()


def test_a_log_is_worth_keeping_for_a_bot_at_fault_with_few_of_them() -> None:
    faults = FaultTally(2)
    fine, exited, both = MATCHES
    assert not faults.wants_log((0, 1), fine, most=1)
    assert faults.wants_log((0, 1), exited, most=1)
    faults.add((0, 1), exited)
    faults.add((0, 1), replace(both, log="y.arenalog"))
    assert [bot.logs for bot in faults.bots] == [
        ["x.faults/group-1-match-2.arenalog", "y.arenalog"],
        ["x.faults/group-1-match-2.arenalog", "y.arenalog"],
    ]
    assert not faults.wants_log((0, 1), both, most=2)


def test_what_is_kept_of_a_program_at_fault_is_read_by_the_commands_of_logs(tmp_path: Path) -> None:
    log = tmp_path / "group-1-match-1.arenalog"
    raised = DebugLine(2, "no action chosen: ValueError: no plan", LineSource.EXCEPTION)
    kept = program_lines(1, [DebugLine(1, "a\tb\nc"), raised], "last words\nof it\n")
    program_file(log, 1).write_text("".join(map(format_line, kept)))
    read = read_program_lines(log)
    assert not read.trouble
    assert [(line.seat, line.decision) for line in read.lines] == [(1, 1), (1, 2), (1, 0), (1, 0)]
    assert list(exception_lines(read.of(1))) == [f"exception in decision 2: {raised.text}"]
    assert [line.text for line in read.lines[2:]] == ["last words", "of it"]


def test_bots_in_a_log_have_the_names_of_their_programs_each_once(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "new.py").touch()
    new, old = (f"{sys.executable} {tmp_path / folder / 'new.py'}" for folder in ("a", "b"))
    participants = parse_participants([new, old], "caravan")
    rules = Rules("caravan", None, TimeControl(), participants, 3, lambda _: SetUp(bytes(32)), tmp_path)
    assert rules.names(ComparisonMatch(0, 0, (0, 1, 0))) == ("new", "new-2", "new-3")
    assert rules.names(ComparisonMatch(0, 0, (1, 1, 0))) == ("new-2", "new-2-2", "new")


def test_the_same_program_twice_gets_a_warning_before_its_comparison(run: Run) -> None:
    same, other = (run("compare", "greedy", old, "--matches", "1") for old in ("greedy", "random"))
    assert "same program" in same.stderr
    assert "same program" not in other.stderr


async def test_of_matches_that_fail_at_the_same_time_one_error_is_raised_and_none_is_printed() -> None:
    async def fail() -> bool:
        raise CliError("it does not start")

    printed: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: printed.append(context))
    with pytest.raises(CliError):
        await until_over([asyncio.create_task(fail()) for _ in range(3)])
    gc.collect()
    assert printed == []
