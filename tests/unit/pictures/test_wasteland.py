"""The picture of Wasteland."""

from itertools import islice

from arena.pictures.wasteland.board import space_at
from arena.pictures.wasteland.picture import PICTURE
from engine.game import SPECTATOR, own
from engine.registry import GAMES
from engine.wasteland import actions as packing
from engine.wasteland.board import LINKED, NOWHERE, SPACE_IDS
from engine.wasteland.caravan_cards import CARD_IDS
from engine.wasteland.event_cards import EVENT_IDS, EVENT_NAMES
from engine.wasteland.events import AttackDrawn, EventDrawn, Rolled
from engine.wasteland.missions import MISSION_IDS
from engine.wasteland.observation import Observation
from engine.wasteland.position import NOT_IN_PLAY
from engine.wasteland.resources import NAMES
from tests.unit.pictures.played import NAMES as BOTS
from tests.unit.pictures.played import check_picture, ids, letters, play

GAME = GAMES["wasteland"]
KINDS = ("piece-", "sign-", "mission-", "store-", "card-", "hand-", "backs-", "dice-")


def _pieces(seen: Observation) -> set[str]:
    """Return the ids of caravans, missions, dice, and all that seats have."""
    found = {f"mission-{MISSION_IDS[mission]}" for mission in seen.missions}
    if seen.turn is not None:
        found |= {f"sign-{SPACE_IDS[space]}" for space in seen.turn.road_blocks}
        found |= {f"sign-{SPACE_IDS[space]}" for space, _ in seen.turn.wilds}
    if seen.fight is not None and seen.fight.dice:
        found |= {f"dice-{number}" for number in range(len(seen.fight.dice))} | {"dice-side"}
    for seat, view in enumerate(seen.seats):
        if view.space != NOWHERE:
            found.add(f"piece-{seat}")
        found |= {f"store-{seat}-{name}" for name in NAMES}
        found |= {
            f"card-{seat}-{CARD_IDS[card]}" for card, hits in enumerate(view.hits) if hits != NOT_IN_PLAY
        }
        if view.hand is None:
            found.add(f"backs-{seat}")
        else:
            found |= {f"hand-{seat}-{EVENT_IDS[card]}" for card, number in enumerate(view.hand) if number}
    return found


def test_every_piece_is_drawn_once() -> None:
    for seats in (2, 4):
        for frames in play(GAME, seats, every=7):
            for frame in frames:
                drawn = ids(PICTURE.draw(frame.step.after, BOTS[:seats]))
                assert {each for each in drawn if each.startswith(KINDS)} == _pieces(
                    own(frame.step.after, Observation)
                )


def test_numbers_of_stores_and_health_are_those_of_the_seat() -> None:
    for spectator, *_ in play(GAME, 3, every=11):
        seen = own(spectator.step.after, Observation)
        drawn = letters(PICTURE.draw(seen))
        for seat, view in enumerate(seen.seats):
            stores = [int(drawn[f"store-{seat}-{name}"].split()[0]) for name in NAMES]
            assert tuple(stores) == view.stores


def test_a_hand_is_drawn_face_up_only_for_who_may_see_it() -> None:
    spectator, first, *_ = next(islice(play(GAME, 3), 60, None))
    hidden = ids(PICTURE.draw(spectator.step.after))
    assert spectator.viewer == SPECTATOR
    assert {"backs-0", "backs-1", "backs-2"} <= hidden
    assert not any(each.startswith("hand-") for each in hidden)
    own_hand = ids(PICTURE.draw(first.step.after))
    assert {each for each in own_hand if each.startswith("backs")} == {"backs-1", "backs-2"}
    known = ids(PICTURE.draw(spectator.step.after, others=spectator.others))
    assert not any(each.startswith("backs") for each in known)
    assert any(each.startswith("hand-0-") for each in known)


def test_all_hands_together_have_as_many_cards_as_each_moment_says() -> None:
    """Also before a card is drawn, and before one that is played has gone."""
    drawn = 0
    for spectator, *_ in islice(play(GAME, 3, whole=True), 120):
        for moment in spectator.moments:
            picture = PICTURE.draw(moment.after, BOTS[:3], moment, spectator.others)
            found = letters(picture)
            drawn += len(spectator.moments) > 1 and any(
                isinstance(each, EventDrawn) for each in moment.events
            )
            for seat, view in enumerate(own(moment.after, Observation).seats):
                hand = [label for each, label in found.items() if each.startswith(f"hand-{seat}-")]
                assert sum(int(label[0]) if label[1:2] == "x" else 1 for label in hand) == view.cards
    assert drawn > 5


def test_event_cards_of_a_hand_have_their_whole_names() -> None:
    for _, first, *_ in islice(play(GAME, 4, every=3), 60):
        found = letters(PICTURE.draw(first.step.after))
        hand = own(first.step.after, Observation).seats[0].hand
        assert hand is not None
        for card, number in enumerate(hand):
            if number:
                assert found[f"hand-0-{EVENT_IDS[card]}"].endswith(EVENT_NAMES[card])


def test_a_step_has_an_arrow_along_a_road() -> None:
    steps = 0
    for spectator, *_ in play(GAME, 3):
        step, moment = spectator.step, spectator.moments[0]
        if packing.kind_of(step.action) != packing.STEP:
            continue
        steps += 1
        found = {part.id: part for part in PICTURE.draw(moment.after, BOTS, moment).parts}
        assert {"actor", f"way-{step.seat}", f"ghost-{step.seat}"} <= found.keys()
        space = packing.space_of(step.action)
        ring = found[f"reached-{SPACE_IDS[space]}-{step.seat}"]
        assert (ring.x, ring.y) == space_at(space)
    assert steps > 20


def test_what_dice_and_decks_bring_is_a_moment_of_its_own_after_the_action() -> None:
    kinds = set()
    for frames in play(GAME, 2):
        for frame in frames:
            chance = [
                each for each in frame.step.events if isinstance(each, AttackDrawn | Rolled | EventDrawn)
            ]
            if not chance:
                continue
            action, brought = frame.moments
            assert not set(map(id, chance)) & set(map(id, action.events))
            kinds |= set(map(type, chance))
            drawn = ids(PICTURE.draw(brought.after, BOTS, brought))
            rolled = any(isinstance(each, Rolled) for each in chance)
            seen = own(brought.after, Observation)
            assert any(each.startswith(("rolled-", "attack-", "dice-")) for each in drawn) == (
                rolled or bool(seen.fight is not None and seen.fight.dice)
            )
    assert kinds == {AttackDrawn, Rolled, EventDrawn}


def test_no_two_spaces_lie_on_each_other_and_roads_join_neighbours() -> None:
    places = [space_at(space) for space in range(len(SPACE_IDS))]
    for space, (x, y) in enumerate(places):
        for other in range(space):
            assert abs(x - places[other][0]) > 104 or abs(y - places[other][1]) > 42
    assert PICTURE.draw(next(play(GAME, 2))[0].step.after).board.count("<line") == sum(map(len, LINKED)) / 2


def test_a_position_looks_like_its_golden_file() -> None:
    _, first, *_ = next(islice(play(GAME, 4), 118, None))
    check_picture("wasteland", PICTURE.draw(first.moments[-1].after, BOTS[:4], first.moments[-1]))
