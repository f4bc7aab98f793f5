"""Every die and every card that a log tells is recomputed from its seed, and told in words; the log is Wasteland's.

The changed logs are chained and signed anew, as only who holds the arena's key could do it: the rules alone tell.
"""

from functools import cache

import pytest

from arena.codecs.codec import codec_for
from arena.match_log.verify import verify
from arena.v1 import match_log_pb2
from tests.unit.match_log.matches import KEY, SECRET, LoggedMatch, a_match, a_setup_of_three
from tests.unit.match_log.tamper import changed, records_of
from tests.unit.match_log.verifying import failures

CODEC = codec_for("wasteland")


@cache
def a_wasteland_match() -> LoggedMatch:
    return a_match(3, setup=a_setup_of_three(CODEC, max_rounds="16"), codec=CODEC)


def place_of(kind: str) -> tuple[int, int]:
    """Return record and place of the last event of a kind, including the set-up's."""
    found = []
    for index, data in enumerate(records_of(a_wasteland_match().log.data)):
        record = match_log_pb2.LogRecord.FromString(data)
        events = record.set_up.events if record.HasField("set_up") else record.ply.events
        found += [
            (index, place)
            for place, each in enumerate(events)
            if each.event.wasteland.WhichOneof("kind") == kind
        ]
    return found[-1]


def test_the_log_as_it_was_written_verifies() -> None:
    assert failures(verify(a_wasteland_match().log.data, keys=[KEY.public], secret=SECRET)) == {}


@pytest.mark.parametrize(
    ("kind", "field", "values"),
    [
        ("rolled", "dice", 6),
        ("start_die", "die", 6),
        ("attack_drawn", "card", 12),
        ("mission_shown", "mission", 36),
        ("event_drawn", "card", 18),
        ("rebuilt", "deck", 3),
    ],
)
def test_a_draw_that_does_not_follow_from_the_seed_is_named(kind: str, field: str, values: int) -> None:
    """W12: each die, each card drawn, each deck that was shuffled."""
    index, place = place_of(kind)

    def flip(record: match_log_pb2.LogRecord) -> None:
        events = record.set_up.events if record.HasField("set_up") else record.ply.events
        drawn = getattr(events[place].event.wasteland, kind)
        if field == "dice":
            drawn.dice[0] = drawn.dice[0] % values + 1
        else:
            setattr(drawn, field, getattr(drawn, field) % values + 1)

    data = changed(a_wasteland_match().log.data, index, flip, KEY)
    assert failures(verify(data, keys=[KEY.public], secret=SECRET)) == {"replay": index}
