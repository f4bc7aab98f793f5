"""The reader of suites: what it takes, and what it refuses."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import ErrorReason, InvalidArgumentError
from arena.core.suites import SuiteEntry, canonical_text, parse_suite
from engine.randomness import SEED_BYTES
from engine.registry import GAMES

ONE, TWO = "5e" * SEED_BYTES, "0f" * SEED_BYTES
SUITE = f"game caravan\nseats 2\nopen {ONE}\nshut {TWO}\n"

ids = st.from_regex("[a-z0-9][a-z0-9-]{0,31}", fullmatch=True)
seeds = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)


def test_a_suite_written_by_hand_is_read() -> None:
    suite = parse_suite("mine", SUITE)
    assert (suite.name, suite.game, suite.seats) == ("mine", "caravan", 2)
    assert suite.entries == (SuiteEntry("open", bytes.fromhex(ONE)), SuiteEntry("shut", bytes.fromhex(TWO)))
    assert suite.entry("shut").seed == bytes.fromhex(TWO)


def test_the_hash_is_that_of_the_text_without_comments_and_layout() -> None:
    plain = parse_suite("mine", SUITE)
    assert plain.sha256 == sha256(SUITE.encode()).hexdigest()
    decorated = f"# mine\n\n  game   caravan\nseats 2\r\n# easy\nopen\t{ONE.upper()}\n\nshut {TWO}"
    assert parse_suite("other", decorated).sha256 == plain.sha256


@given(st.lists(st.tuples(ids, seeds), min_size=1, unique_by=(lambda pair: pair[0], lambda pair: pair[1])))
def test_what_is_written_canonically_is_read_again(pairs: list[tuple[str, bytes]]) -> None:
    entries = tuple(SuiteEntry(*pair) for pair in pairs)
    suite = parse_suite("mine", canonical_text("wasteland", 3, entries))
    assert (suite.game, suite.seats, suite.entries) == ("wasteland", 3, entries)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "`game`"),
        ("# nothing\n", "`game`"),
        ("game caravan\n", "`seats`"),
        (f"seats 2\ngame caravan\nopen {ONE}", "line 1"),
        (f"game chess\nseats 2\nopen {ONE}", "'chess'"),
        (f"game caravan\nseats 5\nopen {ONE}", "2 to 4 seats, not 5"),
        (f"game caravan\nseats two\nopen {ONE}", "not two"),
        (f"game caravan\nseats {'2' * 5_000}\nopen {ONE}", "not 2222"),
        (f"game {'caravan' * 1_000}\nseats 2\nopen {ONE}", "unknown game"),
        (f"game caravan\nplayers 2\nopen {ONE}", "line 2"),
        ("game caravan\nseats 2\n", "no entry"),
        (f"{SUITE}third", "line 5"),
        (f"{SUITE}third {'1a' * 32} well", "line 5"),
        (f"{SUITE}option camels=5 6", "line 5"),
        (f"{SUITE}Third {'1a' * 32}", "'Third'"),
        (f"{SUITE}third {'1a' * 31}", "62 hex digits, not 64"),
        (f"{SUITE}third {'1a' * 33}", "66 hex digits, not 64"),
        (f"{SUITE}third {'1g' * 32}", "not hexadecimal"),
        (f"{SUITE}\nopen {'1a' * 32}", "line 6 repeats the id open of line 3"),
        (f"{SUITE}third {ONE.upper()}", "line 5 repeats the seed of line 3"),
    ],
)
def test_anything_else_is_refused_and_the_line_is_named(text: str, named: str) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        parse_suite("mine", text)
    assert (caught.value.reason, caught.value.metadata["field"]) == (ErrorReason.FIELD_INVALID, "suite")
    assert "mine" in caught.value.sentence
    assert len(caught.value.sentence) < 400, "it has to fit into the status of a call"
    assert named in caught.value.sentence


def test_a_tournament_plays_the_entries_in_order_and_then_again() -> None:
    suite = parse_suite("mine", f"{SUITE}last {'ab' * SEED_BYTES}\n")
    shared = [[suite.entry_of_match(n, slot, shared=True).id for slot in (0, 1)] for n in range(1, 5)]
    assert shared == [["open"] * 2, ["shut"] * 2, ["last"] * 2, ["open"] * 2]
    own = [suite.entry_of_match(n, slot, shared=False).id for n in range(1, 4) for slot in (0, 1)]
    assert own == ["open", "shut", "last"] * 2


def test_an_unknown_entry_is_refused() -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        parse_suite("mine", SUITE).entry("ajar")
    assert caught.value.metadata["field"] == "entry"


@pytest.mark.parametrize(("game", "seats"), [("caravan", 3), ("wasteland", 2)])
def test_a_suite_is_for_one_game_and_number_of_seats(game: str, seats: int) -> None:
    suite = parse_suite("mine", SUITE)
    suite.check_fits("caravan", 2)
    with pytest.raises(InvalidArgumentError):
        suite.check_fits(game, seats)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_and_number_of_seats_can_have_a_suite(game: str) -> None:
    spec = GAMES[game].spec
    for seats in range(spec.min_seats, spec.max_seats + 1):
        assert parse_suite("mine", f"game {game}\nseats {seats}\nopen {ONE}").seats == seats
