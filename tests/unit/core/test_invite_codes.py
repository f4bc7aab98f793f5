"""Codes of invites: read as people type them, with mistakes found, and never shown by accident."""

from hypothesis import given
from hypothesis import strategies as st

from arena.core.invite_codes import InviteCode, new_code, parse_code, redact_codes
from arena.core.tokens import redact

SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
codes = st.binary(min_size=19, max_size=19).map(lambda data: new_code(lambda _size: data))


@given(codes)
def test_a_code_is_read_as_it_is_shown(code: InviteCode) -> None:
    shown = str(code)
    assert [len(group) for group in shown.split("-")] == [4, 5, 5, 5, 5]
    assert parse_code(shown) == code
    assert parse_code(shown).sha256 == code.sha256  # type: ignore[union-attr]


@given(codes, st.randoms(use_true_random=False))
def test_a_code_may_be_typed_in_many_ways(code: InviteCode, random: object) -> None:
    typed = str(code).lower().replace("0", "o").replace("1", "l").replace("join-", "")
    for way in (typed, f"  join-{typed}\n", typed.replace("-", ""), typed.replace("-", " ")):
        assert parse_code(way) == code


@given(codes, st.integers(0, 19), st.sampled_from(SYMBOLS))
def test_most_single_mistakes_are_found_and_none_is_another_code(
    code: InviteCode, place: int, symbol: str
) -> None:
    wrong = code.symbols[:place] + symbol + code.symbols[place + 1 :]
    read = parse_code(wrong)
    assert read is None or read.symbols == wrong
    if place == 19 and symbol != code.symbols[-1]:
        assert read is None


@given(st.text())
def test_other_text_is_no_code(text: str) -> None:
    read = parse_code(text)
    assert read is None or len(read.symbols) == 20


def test_neither_a_traceback_nor_a_log_shows_a_code() -> None:
    code = new_code(lambda size: bytes(range(size)))
    assert code.symbols not in repr(code)
    for written in (str(code), str(code).lower(), f"/join/{code}?next=x"):
        assert redact_codes(written).upper().count(code.symbols[:5]) == 0
        assert code.symbols[5:10] not in redact(written).upper()
    assert redact("join the arena, everybody") == "join the arena, everybody"
