"""What a program prints becomes lines of the match and the decision that it works on, within bounds (row 38)."""

from hypothesis import given
from hypothesis import strategies as st

from arena.core.match import DebugLine, LineSource
from arena.hosting.host.output import WAITING_CUT, LineSplitter, readable
from arena.sandbox.output import Stream
from arena.sessions.seat import DEBUG_CUT, DEBUG_LINE_BYTES, DEBUG_MATCH_BYTES
from arena.sessions.session import Session
from tests.unit.core.causes import a_cause
from tests.unit.hosting.host_fixture import FakeProcess, HostFixture, seat
from tests.unit.runner.fakes import MatchFixture

OUT, ERR = Stream.STDOUT, Stream.STDERR


def split(pieces: list[bytes]) -> list[str]:
    splitter = LineSplitter()
    return [line for piece in pieces for line in splitter.add(piece)] + splitter.rest()


@given(st.lists(st.binary(max_size=40)), st.integers(1, 30))
def test_the_lines_are_the_same_whatever_the_pieces_they_come_in(pieces: list[bytes], size: int) -> None:
    whole = b"\n".join(pieces)
    told = split([whole[at : at + size] for at in range(0, len(whole), size)])
    assert told == split([whole])
    assert all(map(_steers_nothing, told))


def _steers_nothing(line: str) -> bool:
    return not any(ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u2028\u2029\u202e\ufeff" for c in line)


@given(st.binary(min_size=10, max_size=60), st.integers(100, 400))
def test_no_line_is_longer_than_a_debug_line_may_be(data: bytes, times: int) -> None:
    for line in split([data.replace(b"\n", b"") * times]):
        assert len(line.encode()) <= DEBUG_LINE_BYTES


def test_a_long_line_becomes_several_and_no_character_is_cut() -> None:
    lines = split(["é😀".encode() * 2_000])
    assert "".join(lines) == "é😀" * 2_000
    assert [len(line.encode()) for line in lines[:-1]] == [4_094, 4_096]


def test_what_is_no_utf8_and_what_steers_a_terminal_is_shown_for_what_it_is() -> None:
    assert readable(b"\x1b[31mred \xff\xc3 \x07\t|\xe2\x80\xae") == r"\x1b[31mred \xff\xc3 \x07    |\u202e"
    assert split([b"windows\r\n", b"\n", b" \r\n", b"10%\r20%\n"]) == ["windows", "", r"10%\r20%"]


def test_a_line_whose_beginning_was_passed_over_is_passed_over_whole() -> None:
    splitter = LineSplitter()
    splitter.skip(b"many\nlines and a beg")
    assert splitter.add(b"inning\nnext\n") == ["next"]


async def playing(hosting: HostFixture, matches: int = 1) -> tuple[FakeProcess, Session, list[MatchFixture]]:
    """Return a process that plays several matches at once, each at its first decision."""
    session = await hosting.connect("ant guest", capacity=matches)
    fixtures = []
    for _ in range(matches):
        fixtures.append(seat(session))
        hosting.timers.move(10)
    return hosting.started[0], session, fixtures


def kept(fixture: MatchFixture) -> list[DebugLine]:
    return fixture.runner.debug_lines[0]


async def test_lines_belong_to_the_decision_that_is_open(hosting: HostFixture) -> None:
    running, session, [fixture] = await playing(hosting)
    [mine] = session.seats.values()
    running.heard(OUT, b"thinking\nhalf a ")
    running.piped = [(OUT, b"line\n"), (ERR, b"careful\n")]
    mine.answer(1, (fixture.runner.state.legal_actions()[0],), hosting.timers.now())
    while fixture.runner.state.seat_to_act:
        fixture.players[1].answer(0)
    assert mine.asked == 2
    running.heard(OUT, b"next\n")
    assert kept(fixture) == [
        DebugLine(1, "thinking", LineSource.STDOUT),
        DebugLine(1, "half a line", LineSource.STDOUT),
        DebugLine(1, "careful", LineSource.STDERR),
        DebugLine(2, "next", LineSource.STDOUT),
    ]


async def test_what_is_printed_before_a_match_goes_to_it_when_it_begins(hosting: HostFixture) -> None:
    await hosting.prepare("ant guest")
    running = hosting.started[0]
    running.heard(ERR, b"loading\n")
    running.heard(OUT, b"x" * 20_000 + b"\n" + b"never\n" * 10_000)
    session = hosting.hello(0)
    fixture = seat(session)
    lines = kept(fixture)
    assert lines[0] == DebugLine(0, "loading", LineSource.STDERR)
    assert [line.text for line in lines[1:]] == ["x" * 4096] * 3 + [WAITING_CUT]
    assert {line.decision for line in lines} == {0}
    running.heard(OUT, b"again\n")
    assert kept(fixture)[-1] == DebugLine(1, "again", LineSource.STDOUT)


async def test_lines_belong_to_the_oldest_open_decision(hosting: HostFixture) -> None:
    running, session, [first, second] = await playing(hosting, matches=2)
    mine = list(session.seats.values())
    running.heard(OUT, b"a\n")
    first.runner.void(a_cause("a test"))
    running.heard(OUT, b"b\n")
    assert ([line.text for line in kept(first)], [line.text for line in kept(second)]) == (["a"], ["b"])
    assert all(each.started for each in mine)


async def test_a_match_keeps_256_kib_and_then_says_once_that_the_rest_is_cut(hosting: HostFixture) -> None:
    running, session, [fixture] = await playing(hosting)
    for _ in range(100):
        running.heard(OUT, b"y" * 65_535 + b"\n")
        running.heard(ERR, b"\n" * 65_536 + b"z\n")
    lines = kept(fixture)
    assert lines[-1].text == DEBUG_CUT
    assert sum(line.text == DEBUG_CUT for line in lines) == 1
    assert sum(len(line.text.encode()) for line in lines[:-1]) <= DEBUG_MATCH_BYTES
    [mine] = session.seats.values()
    assert mine.keep_debug(1, b"too late") is False
    assert kept(fixture) == lines


async def test_what_is_printed_after_the_result_waits_for_the_next_match(hosting: HostFixture) -> None:
    """The lines of the match that has ended may be on the disk already."""
    running, session, [fixture] = await playing(hosting)
    fixture.runner.void(a_cause("a test"))
    running.heard(OUT, b"well played\n")
    assert kept(fixture) == []
    [ended] = session.seats.values()
    session.drop(ended)
    assert kept(seat(session)) == [DebugLine(0, "well played", LineSource.STDOUT)]


async def test_the_last_output_is_kept_without_an_open_decision(hosting: HostFixture) -> None:
    running, session, [fixture] = await playing(hosting)
    [mine] = session.seats.values()
    while fixture.runner.state.seat_to_act == 0:
        mine.answer(mine.asked, (fixture.runner.state.legal_actions()[0],), hosting.timers.now())
    assert not mine.out
    running.heard(ERR, b"Traceback\nKeyError: 7")
    hosting.host._processes[1]._output.close()
    assert [line.text for line in kept(fixture)] == ["Traceback", "KeyError: 7"]
    assert {line.decision for line in kept(fixture)} == {mine.asked}


async def test_the_last_output_is_kept_where_the_rest_was_cut(hosting: HostFixture) -> None:
    running, _, [fixture] = await playing(hosting)
    for _ in range(3):
        running.heard(OUT, b"y" * 65_536)
    running.heard(OUT, (b"y" * 1_000 + b"\n") * 100 + b"many\n" * 1_000)
    running.heard(ERR, b"Traceback\nKeyError: 7")
    hosting.host._processes[1]._output.close()
    lines = kept(fixture)
    cut = next(place for place, line in enumerate(lines) if line.text == DEBUG_CUT)
    assert [line.text for line in lines[cut + 1 :]] == ["many"] * 20 + ["Traceback", "KeyError: 7"]
    assert lines[-1].source is LineSource.STDERR


async def test_a_match_played_to_its_end_makes_room_for_the_output_of_the_next(hosting: HostFixture) -> None:
    running, session, _ = await playing(hosting)
    hosting.host.note_played(session.identity)
    assert running.forgiven == 1
