"""The picture of Caravans of Ahldarahd."""

from itertools import islice

import pytest

from arena.pictures.ahldarahd.picture import PICTURE
from engine.ahldarahd import actions as packing
from engine.ahldarahd.actions import RIGHTS
from engine.ahldarahd.board import KINDS, NAMES
from engine.ahldarahd.events import TurnBegan, Won
from engine.ahldarahd.notation import card_name
from engine.ahldarahd.observation import Observation
from engine.ahldarahd.offers import Side
from engine.game import SPECTATOR, own
from engine.registry import GAMES
from tests.unit.drawings.test_ahldarahd import ACTIONS, a_step, an_offer
from tests.unit.pictures.played import NAMES as BOTS
from tests.unit.pictures.played import check_picture, ids, letters, play

GAME = GAMES["ahldarahd"]


def _pieces(seen: Observation) -> set[str]:
    """Return the ids of all that lies on maps, in the row, in the middle, in hands and with the bank."""
    found = {f"card-{card_name(card.commodity, card.colour)}" for card in seen.row}
    found |= {f"item-{item}" for item in range(3 + len(seen.seats))}
    found |= {f"spent-{NAMES[kind]}" for kind, count in enumerate(seen.discards) if count}
    for number, map_ in enumerate(seen.maps):
        found |= {f"route-{number}-{route}" for route, owner in enumerate(map_.owners, 1) if owner >= 0}
        found |= {f"city-{number}-{NAMES[city]}" for city, owner in enumerate(map_.cities) if owner >= 0}
    for seat, view in enumerate(seen.seats):
        if view.hand is None:
            found.add(f"backs-{seat}")
        else:
            found |= {f"hand-{seat}-{NAMES[kind]}" for kind, count in enumerate(view.hand) if count}
    return found


def test_every_piece_is_drawn_once() -> None:
    kinds = ("card-", "item-", "route-", "city-", "backs-", "hand-", "spent-")
    for seats in (2, 5):
        for frames in play(GAME, seats, every=7):
            for frame in frames:
                drawn = ids(PICTURE.draw(frame.step.after, BOTS[:seats]))
                assert {each for each in drawn if each.startswith(kinds)} == _pieces(
                    own(frame.step.after, Observation)
                )


def test_a_hand_is_drawn_face_up_only_for_who_may_see_it() -> None:
    spectator, first, *_ = next(play(GAME, 3))
    hidden = ids(PICTURE.draw(spectator.step.after))
    assert spectator.viewer == SPECTATOR
    assert {"backs-0", "backs-1", "backs-2"} <= hidden
    assert not any(each.startswith("hand-") for each in hidden)
    assert {"backs-1", "backs-2"} == {
        each for each in ids(PICTURE.draw(first.step.after)) if each.startswith("backs")
    }
    known = letters(PICTURE.draw(spectator.step.after, others=spectator.others))
    assert not any(each.startswith("backs") for each in known)
    assert sum(int(label.split()[0]) for each, label in known.items() if each.startswith("hand-1-")) == 3


def test_an_action_marks_its_seat_its_routes_and_what_was_won() -> None:
    marked = set()
    for spectator, *_ in play(GAME, 3):
        step, moment = spectator.step, spectator.moments[0]
        found = ids(PICTURE.draw(moment.after, BOTS, moment))
        assert "actor" in found
        if packing.kind_of(step.action) in (packing.CLAIM, packing.BUY, packing.DESTROY):
            route = f"{packing.map_of(step.action)}-{packing.route_of(step.action)}"
            assert f"changed-{route}" in found
            marked.add("route")
        for event in step.events:
            if isinstance(event, Won) and event.lot < packing.ITEM_LOT:
                assert any(each.startswith("winner-") for each in found)
                marked.add("card")
    assert marked == {"route", "card"}


def test_cards_are_turned_up_after_the_action() -> None:
    for spectator, *_ in play(GAME, 3):
        turned = [event for event in spectator.step.events if isinstance(event, TurnBegan) and event.revealed]
        if not turned:
            continue
        action, refresh = spectator.moments
        cards = {card_name(card.commodity, card.colour) for card in turned[0].revealed}
        assert not {f"card-{card}" for card in cards} & ids(PICTURE.draw(action.after, BOTS, action))
        shown = ids(PICTURE.draw(refresh.after, BOTS, refresh))
        assert {f"card-{card}" for card in cards} | {f"drawn-{card}" for card in cards} <= shown
        assert own(action.after, Observation).deck == own(refresh.after, Observation).deck + len(cards)


def test_a_position_looks_like_its_golden_file() -> None:
    _, first, *_ = next(islice(play(GAME, 3), 60, None))
    check_picture("ahldarahd", PICTURE.draw(first.moments[-1].after, BOTS[:3], first.moments[-1]))


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_every_kind_of_action_is_drawn(action: dict[str, object]) -> None:
    """Playouts make no offers, so the actions are those of the terminal's test."""
    [moment] = PICTURE.moments(a_step(**action))
    assert ids(PICTURE.draw(moment.after, (), moment))


def test_the_largest_offer_is_drawn() -> None:
    side = Side((5,) * KINDS, 2_000_000, tuple(range(RIGHTS + 5)))
    assert ids(PICTURE.draw(an_offer(side, side), BOTS[:5]))
