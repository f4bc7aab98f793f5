"""Events by a table, on messages of games that have all kinds of fields."""

from dataclasses import dataclass

import pytest

from arena.codecs.event_table import EventTable
from arena.codecs.record import TUPLE, Convert, one_of
from arena.games.ahldarahd.v1 import ahldarahd_pb2
from arena.games.wasteland.v1 import wasteland_pb2
from engine.game import Event, UnreadableActionError
from engine.wasteland.events import Dodge, Dodged, EventDrawn, Rolled, Side


@dataclass(frozen=True, slots=True)
class Bought(Event):
    """Stands for Paid on the wire, whose gold it calls chips."""

    seat: int
    chips: int | None


@dataclass(frozen=True, slots=True)
class Lost(Event):
    """Its message has a field more, and one is an optional message."""

    seat: int


TABLE = EventTable(
    "Bazaar",
    ahldarahd_pb2.Event,
    {Bought: lambda event: f"Seat {event.seat} pays {event.chips}.", Lost: lambda event: "Lost."},
    {"chips": Convert(name="gold")},
    names={Bought: "paid"},
)
FIGHTS = EventTable(
    "Fights",
    wasteland_pb2.Event,
    dict.fromkeys((Dodged, EventDrawn, Rolled), str),
    {
        "how": one_of(tuple(Dodge)),
        "side": one_of(tuple(Side)),
        "dice": TUPLE,
        "resource": Convert(lambda kind: kind + 1, lambda _field, value: value - 1, optional=True),
        (EventDrawn, "card"): Convert(lambda card: card + 1, lambda _field, card: card - 1, optional=True),
    },
)


def test_members_and_fields_have_the_names_of_classes_and_fields_or_those_that_are_given() -> None:
    assert TABLE.message_of(Bought(1, 7)) == ahldarahd_pb2.Event(paid=ahldarahd_pb2.Paid(seat=1, gold=7))
    assert TABLE.message_of(Lost(0)) == ahldarahd_pb2.Event(lost=ahldarahd_pb2.Lost())
    assert TABLE.message_of(Lost(0)).WhichOneof("kind") == "lost", "empty, and yet there"


@pytest.mark.parametrize(
    "event",
    [
        Dodged(3, Dodge.PAY, None),
        Dodged(3, Dodge.DETER, 0),
        EventDrawn(2, None),
        EventDrawn(2, 0),
        Rolled(Side.REROLL, (1, 6)),
    ],
    ids=str,
)
def test_what_is_written_is_read_again(event: Event) -> None:
    assert FIGHTS.event_of(FIGHTS.message_of(event)) == event


def test_an_event_of_another_game_is_none_of_this() -> None:
    for use in (TABLE.message_of, TABLE.describe):
        with pytest.raises(TypeError, match=r"Rolled .* Bazaar"):
            use(Rolled(Side.ATTACK, (1,)))


def test_a_newer_event_is_refused() -> None:
    with pytest.raises(UnreadableActionError, match="no kind"):
        TABLE.event_of(ahldarahd_pb2.Event())


def test_a_member_of_an_enum_that_is_not_there_is_refused_by_its_name() -> None:
    wire = wasteland_pb2.Event(rolled=wasteland_pb2.Rolled(dice=[1]))
    with pytest.raises(UnreadableActionError, match="The field side is 0"):
        FIGHTS.event_of(wire)
