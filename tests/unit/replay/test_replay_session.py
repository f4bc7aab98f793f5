"""When what a bot answers counts as what was played."""

import pytest

from arena.match_log.reader import read_log
from arena.replay.recording import Moment, Recording
from arena.replay.replay_session import Reply
from tests.unit.match_log.matches import a_match
from tests.unit.match_log.pile import CODEC, codecs


@pytest.fixture(scope="module")
def moments() -> tuple[Moment, ...]:
    """Of a match with plans, and with several decisions of a seat in a row."""
    return Recording(read_log(a_match(3).log.data, codecs), CODEC.game, 0).moments


def a_reply(moment: Moment, actions: tuple[int, ...] | None, took_ns: int = 0) -> Reply:
    return Reply(moment, actions, "", took_ns)


def test_the_recorded_answer_is_the_same_whole_or_step_by_step(moments: tuple[Moment, ...]) -> None:
    assert max(len(moment.played) for moment in moments) > 1
    assert any(len(moment.onwards) > len(moment.played) for moment in moments)
    for moment in moments:
        assert moment.onwards[: len(moment.played)] == moment.played
        for length in range(1, len(moment.onwards) + 1):
            assert a_reply(moment, moment.onwards[:length]).is_same


def test_anything_else_is_not(moments: tuple[Moment, ...]) -> None:
    for moment in moments:
        first, *others = moment.played
        assert not a_reply(moment, (first + 1, *others)).is_same
        assert not a_reply(moment, (*moment.onwards, first)).is_same
        assert not a_reply(moment, None).is_same


def test_an_answer_is_late_from_where_the_recorded_clock_had_run_out(moments: tuple[Moment, ...]) -> None:
    for moment in moments:
        assert a_reply(moment, moment.played, moment.allowance_ns).late_ns == 0
        assert a_reply(moment, moment.played, moment.allowance_ns + 7).late_ns == 7
