"""Rows of what an arena exports."""

from random import Random

from arena.dataset.exported import ExportedMatch, decision_records
from arena.dataset.observations import Observer
from arena.v1 import match_pb2
from engine.ahldarahd.actions import is_offer
from tests.unit.match_log.trading import CODEC, lively, played, read

DATA = played(lively(Random(3)), 400)
LOG = read(DATA)
EXPORTED = ExportedMatch(7, match_pb2.Match(name="matches/17", log=LOG.name), "PRESENT", DATA)


def test_offers_are_too_wide_for_a_number_and_have_their_text() -> None:
    rows = decision_records(EXPORTED, LOG)
    assert [row["ply"] for row in rows] == list(range(len(LOG.plies)))
    offers = [place for place, ply in enumerate(LOG.plies) if is_offer(ply.action)]
    assert offers
    for place, (row, ply) in enumerate(zip(rows, LOG.plies, strict=True)):
        assert row["action"] == (None if place in offers else ply.action)
        assert (row["list_place"] is None) == (place in offers)
        assert (row["match"], row["position"], row["cause"]) == (17, 7, ply.cause.name)
    state = CODEC.game.new_match(3, LOG.setup.options, LOG.setup.seed)
    for row, ply in zip(rows, LOG.plies, strict=True):
        assert state.parse_action(str(row["notation"])) == ply.action
        state.apply(ply.action)


def test_observations_are_what_the_acting_seat_sees() -> None:
    observer = Observer()
    rows = observer.records(EXPORTED, LOG)
    (described,) = observer.features()
    assert (described["game"], described["seats"]) == ("ahldarahd", 3)
    features = described["features"]
    assert isinstance(features, list)
    size = sum(_count(each["shape"]) for each in features)
    assert {len(row["features"]) for row in rows if isinstance(row["features"], list)} == {size}
    assert [row["seat"] for row in rows] == [ply.seat for ply in LOG.plies]


def _count(shape: list[int]) -> int:
    count = 1
    for each in shape:
        count *= each
    return count
