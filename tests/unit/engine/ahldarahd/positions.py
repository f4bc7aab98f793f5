"""Positions for tests, written as short as they can be read; whatever is played in them is played by `naive`, too."""

from collections import Counter
from collections.abc import Mapping, Sequence

from engine.ahldarahd.actions import ITEM_LOT
from engine.ahldarahd.notation import parse_action
from engine.ahldarahd.position import ASK_BUILD, ASK_OPENING, BIDDING, BUILDING, NOBODY
from engine.ahldarahd.state import AhldarahdState
from engine.game import TERMINAL
from tests.unit.engine.ahldarahd import do
from tests.unit.engine.ahldarahd.choosing import a_match
from tests.unit.engine.ahldarahd.naive import NaiveMatch
from tests.unit.engine.ahldarahd.naive_legal import has_majority
from tests.unit.engine.ahldarahd.state_form import NAMES, consequences, form_of, full_form
from tests.unit.engine.naive import Json, canonical
from tests.unit.engine.playing import check_refused

NIGHT = {"night_of_the_outsider": True}
NEUTRAL = {"neutral_board": True}
TRADING = {"trading": True}


def a_position(
    seats: int = 2,
    *,
    bidding: bool = False,
    options: dict[str, bool] | None = None,
    gold: Sequence[int] | int = 5,
    hands: Sequence[str] = (),
    routes: Mapping[int, Mapping[int, Sequence[int]]] | None = None,
    items: Mapping[str, int | None] | None = None,
    row: str | None = None,
    deck: str | None = None,
    cup: tuple[int, int] = (75, 3),
    flipped: Sequence[int] = (),
    auctioned: str = "",
) -> AhldarahdState:
    """Turn 1, nobody's routes on the maps; the holder of the Shah, seat 0 by default, opens an auction or builds.

    `hands`: a text of commodities by seat, by default those of the seed of zeros; `routes`: by map and owner, who
    controls what follows from them; `row`, `deck`: cards such as "gems-0 salt-1"; `auctioned`: lots.
    """
    state = a_match(seats, options)
    state.turn, state.phase = 1, BIDDING if bidding else BUILDING
    state.gold = [gold] * seats if isinstance(gold, int) else list(gold)
    state.flipped = sum(1 << seat for seat in flipped)
    for name, holder in {"shah": 0, **(items or {})}.items():
        state.holders[_lot(name) - ITEM_LOT] = NOBODY if holder is None else holder
    for seat, text in enumerate(hands):
        _set_hand(state, seat, text)
    _turn_up(state, row, deck)
    _lay(state, routes or {})
    if options and options.get("night_of_the_outsider"):
        state.cup_gold, state.cup_black = cup
    if options and options.get("trading") and not bidding:
        state.offers_left = 2
    state.order, state.at = state.around(state.holders[0]), 0
    state.decision, state.seat_to_act = ASK_OPENING if bidding else ASK_BUILD, state.order[0]
    state.auctioned = tuple(_lot(name) for name in auctioned.split())
    state.take_events()
    return state


def _lot(name: str) -> int:
    return parse_action(canonical(do.opening(name))) >> 21 & 0x7F


def _card(name: str) -> int:
    commodity, colour = name.split("-")
    return 10 * int(colour) + NAMES.index(commodity)


def _set_hand(state: AhldarahdState, seat: int, text: str) -> None:
    counts = Counter(text.split())
    for commodity, name in enumerate(NAMES):
        dealt = state.hands[seat][commodity]
        state.hands[seat][commodity] = counts[name]
        state.gained[seat][commodity] = counts[name] - dealt
        if counts[name] < dealt:
            state.show(seat, commodity)


def _turn_up(state: AhldarahdState, row: str | None, deck: str | None) -> None:
    if row is None:
        state.row = tuple(state.turn_up() for _ in range(state.setup.seats))
    else:
        state.row = tuple(_card(name) for name in row.split())
    if deck is not None:
        left = [_card(name) for name in deck.split()]
        gone = [card for card in state.deck if card not in left]
        state.deck, state.top = [*gone, *left], 0
        for _ in gone:
            state.turn_up()


def _lay(state: AhldarahdState, routes: Mapping[int, Mapping[int, Sequence[int]]]) -> None:
    for map_, by_owner in routes.items():
        owners = {str(route): owner for owner, own in by_owner.items() for route in own}
        for route, owner in owners.items():
            state.owners[map_][int(route)] = owner
            state.placed[owner] += 1
        for number, city in enumerate(NAMES):
            for owner in by_owner:
                if has_majority(owners, city, owner):
                    state.cities[map_][number] = owner


def naive_of(state: AhldarahdState) -> NaiveMatch:
    """Return the same position with the slow rules."""
    options = state.setup.options._asdict()
    naive = NaiveMatch(state.setup.seats, options, state.seed)
    naive.state = full_form(state)
    return naive


def play(state: AhldarahdState, *actions: Json) -> list[Json]:
    """Apply the actions and return the events of A53; engine and slow rules agree on all of it."""
    naive, told = naive_of(state), []
    state.take_events()
    for action in actions:
        state.apply(state.parse_action(canonical(action)))
        events = naive.apply(action)
        assert [form_of(event) for event in state.take_events()] == consequences(events)
        assert full_form(state) == naive.state
        told += events
    return told


def answer(state: AhldarahdState, *answers: tuple[int, Json]) -> None:
    """Play the actions, each of the seat that is asked then."""
    for seat, action in answers:
        assert state.seat_to_act == seat
        play(state, action)


def told(state: AhldarahdState, *actions: Json) -> list[str]:
    """Apply the actions and return the kinds of the events."""
    return [event["event"] for event in play(state, *actions)]


def form(state: AhldarahdState) -> Json:
    """A52."""
    return full_form(state)


def asked(state: AhldarahdState) -> tuple[str | None, int | None]:
    """Return the kind of the decision and the seat."""
    fields = full_form(state)
    return fields["decision"], fields["to_move"]


def may(state: AhldarahdState, action: Json) -> bool:
    """Return whether the action is legal; list, single check and slow rules agree on it."""
    packed = state.parse_action(canonical(action))
    legal_ = state.is_legal(packed)
    assert naive_of(state).is_legal(action) == legal_
    assert action["type"] == "offer" or (packed in list(state.legal_actions())) == legal_
    return legal_


def legal(state: AhldarahdState, kind: str = "", **fields: object) -> list[Json]:
    """Return the legal actions of one kind, or all, in the order of A49, those with these fields."""
    listed = naive_of(state).legal()
    engine = sorted(state.format_action(action) for action in state.legal_actions())
    assert engine == [canonical(action) for action in listed]
    return [
        action
        for action in listed
        if (not kind or action["type"] == kind) and fields.items() <= {**action}.items()
    ]


def refused(state: AhldarahdState, action: Json | int, words: str) -> None:
    """Check that the action is illegal, by the slow rules too, and refused with these words."""
    packed = action if isinstance(action, int) else state.parse_action(canonical(action))
    assert isinstance(action, int) or state.seat_to_act == TERMINAL or not may(state, action)
    check_refused(state, packed, words)


def finish(state: AhldarahdState) -> list[Json]:
    """Play defaults to the end and return the last events."""
    events: list[Json] = []
    while state.seat_to_act != TERMINAL:
        naive = naive_of(state)
        events = play(state, naive.default())
    return events
