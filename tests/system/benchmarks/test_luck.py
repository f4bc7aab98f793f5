"""The command line of the benchmark of luck."""

import pytest

from arena.core.match import SeedPolicy
from benchmarks.luck import main
from benchmarks.luck_groups import SENSIBLE, Series, play_groups

SEED = "11" * 32
QUICK = ("--quick", "--seats", "2", "--groups", "2", "--slips", "0", "--seed", SEED)


def luck(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr("sys.argv", ["luck", *arguments])
    main()


def test_game_options_are_named_and_too_few_groups_get_the_useful_number(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    luck(monkeypatch, "wasteland", "--option", "max_rounds=1", *QUICK)
    told = capfd.readouterr()
    assert "wasteland, 2 seats, max_rounds 1," in told.out
    assert "± 0.49" in told.err
    assert "From --groups 95 on" in told.err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["camels=6"], 'no option "camels"'),
        (["max_rounds"], "expected name=value"),
        (["max_rounds=0"], "max_rounds"),
        (["max_rounds=1", "max_rounds=2"], "duplicate name 'max_rounds'"),
    ],
)
def test_an_option_that_a_game_does_not_have_is_refused_before_anything_is_played(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    sentence: str,
) -> None:
    with pytest.raises(SystemExit, match="2"):
        luck(monkeypatch, "wasteland", *QUICK, *(f"--option={option}" for option in options))
    told = capsys.readouterr()
    assert sentence in told.err
    assert told.out == ""


def test_the_matches_of_a_group_are_played_with_the_options() -> None:
    """With 1 round and with 30 the same seed ends otherwise."""
    played = [
        play_groups(
            Series(
                "wasteland", SENSIBLE, {"a": 0, "b": 0}, SeedPolicy.SHARED, bytes(32), {"max_rounds": rounds}
            ),
            range(6),
        )
        for rounds in ("1", "30")
    ]
    assert played[0] != played[1]
