"""The load generator says what is wrong with the sizes it is given, and loads a real arena with real bots."""

import sys
from pathlib import Path

import pytest

from arena.scheduling.scheduler import MOST_MATCHES
from benchmarks import calls_beside
from benchmarks.crowded import Size, crowded
from benchmarks.growth import history
from benchmarks.load import told, wrong_with
from benchmarks.processes.arena import arena_on
from benchmarks.processes.crowd import crowd

FILES = 20_000


@pytest.mark.parametrize(
    ("bots", "matches", "seconds", "programs", "wrong", "least"),
    [
        (10, 0, 1.0, 2, "--matches is 0:", " 1 to 1,000 "),
        (9_000, MOST_MATCHES + 1, 1.0, 2, "--matches is 1,001:", " 1 to 1,000 "),
        (199, 100, 1.0, 2, "--bots is 199:", " 200 "),
        (8_001, 1, 1.0, 2, "--bots is 8,001:", " 8,000 "),
        (10, 1, 1.0, 1, "--programs is 1:", " 2, "),
        (10, 1, 1.0, 11, "--programs is 11:", " 2, "),
        (10, 1, 0.0, 2, "--seconds is 0:", " 0."),
        (10, 1, float("nan"), 2, "--seconds is nan:", " 0."),
    ],
)
def test_a_size_that_cannot_be_is_refused_with_what_could_be(
    bots: int, matches: int, seconds: float, programs: int, wrong: str, least: str
) -> None:
    said = wrong_with(Size(bots, matches), seconds, programs, FILES)
    assert said.startswith(wrong)
    assert least in said
    assert wrong_with(Size(5_000, 500), 10.0, 4, FILES) == ""


def test_more_bots_than_a_process_may_have_files_are_refused() -> None:
    assert "768 connections" in wrong_with(Size(1_000, 1), 1.0, 2, 1_024)


KINDS = {"listings", "recomputed ratings", "refits", "standings", "uploads"}
LATER = {"exports", "reports"}
"""Once a match has finished."""


@pytest.mark.parametrize("beside", [False, True])
def test_bots_on_a_real_arena_lose_nothing_and_are_reported_in_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beside: bool
) -> None:
    monkeypatch.setattr(calls_beside, "HISTORY", history.Size(10, 400))
    if beside:
        calls_beside.with_history(tmp_path / "arena")
    # Waits are measured where both bots of a match are in one program: of so many matches on two, some are.
    size = Size(bots=28, matches=12)
    with arena_on(tmp_path / "arena", sys.executable) as arena, crowd(2) as bots:
        went = crowded(arena, bots, size, 3.0, beside=beside)
    assert (went.lost, went.troubles) == (0, ())
    assert went.plies > 0
    assert went.window.rate > 0
    assert 0 < went.window.wait_ms(50) <= went.window.wait_ms(99)
    assert went.window.lag.count > 0
    assert 0 <= went.longest_own_lag_s <= went.longest_lag_s
    assert went.longest_lag_s > 0
    assert went.connected_bytes > 1_000_000
    figures = [figure for _, figure in told(size, 0.2, went)]
    assert "28; 12" in figures
    assert (set(went.beside) - LATER) == (KINDS if beside else set())
    assert "0" in figures, "strikes, void matches, warnings, lost connections"
    assert any(figure.startswith(f"{went.plies:,}; 0; ") for figure in figures)


@pytest.mark.parametrize(("matches", "seconds", "played"), [(500, 10.0, 1_000), (4, 0.2, 8), (50, 12.1, 484)])
def test_matches_do_not_run_out_while_they_are_looked_at(matches: int, seconds: float, played: int) -> None:
    assert Size(2 * matches, matches).played(seconds) == played
