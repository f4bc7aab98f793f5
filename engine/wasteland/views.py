"""From positions to observations, and back to a position that fits one."""

from typing import Final

from engine.game import TERMINAL
from engine.randomness import SEED_BYTES, Stream
from engine.wasteland.attack_cards import FIRST_DECK
from engine.wasteland.event_cards import ATTACK_TYPE, ESCORT, EVENTS, FIRST_EVENT_DECK
from engine.wasteland.missions import MISSIONS
from engine.wasteland.observation import FightView, Observation, SeatView, TurnView, WindowView
from engine.wasteland.position import (
    ASK_EVENT,
    ASK_RESPOND,
    NO_CARD,
    NO_WINDOW,
    NOBODY,
    Position,
)
from engine.wasteland.windows import playable

_TRIES: Final = 1_000_000
"""At finding out who may be asked in secret; far more than a view of a real position ever takes."""


def observe(position: Position, viewer: int) -> Observation:
    """Return the position as the viewer may see it."""
    over = position.seat_to_act == TERMINAL
    hidden = position.asks_in_secret and viewer != position.seat_to_act
    current = position.current
    return Observation(
        options=position.setup.options,
        decision=None if hidden else position.decision,
        seat_to_act=None if hidden or over else position.seat_to_act,
        round=position.round,
        first=None if position.first == NOBODY else position.first,
        current=None if current == NOBODY else current,
        goal_reached=position.goal_reached,
        ending=position.ending,
        seats=tuple([_seat_view(position, seat, viewer) for seat in range(position.setup.seats)]),
        missions=position.missions,
        decks=(len(position.event_deck), len(position.attack_deck), len(position.mission_deck)),
        discards=(
            position.event_discards,
            position.attack_discards,
            position.mission_discards,
        ),
        turn=None if current == NOBODY else _turn_view(position),
        window=_window_view(position, hidden=hidden),
        queue=tuple([(card, surprise == 1) for card, surprise in position.queue]),
        fight=_fight_view(position),
        viewer=viewer,
    )


def _seat_view(position: Position, seat: int, viewer: int) -> SeatView:
    return SeatView(
        space=position.spaces[seat],
        cash=position.cash[seat],
        hits=tuple(position.hits[seat]),
        stores=tuple(position.stores[seat]),
        cards=position.hand_size(seat),
        hand=tuple(position.hands[seat]) if seat == viewer else None,
        score=position.score(seat),
    )


def _turn_view(position: Position) -> TurnView:
    return TurnView(
        position.steps,
        position.tailwinds,
        position.flat_tires,
        position.outrider,
        position.sandstorm,
        position.road_blocks,
        position.wilds,
        position.attackers,
        position.dry,
        position.bargain,
        position.bonus,
        position.ditched,
        position.healed,
        position.actions,
    )


def _window_view(position: Position, *, hidden: bool) -> WindowView | None:
    if position.window == NO_WINDOW:
        return None
    if hidden:
        return WindowView(position.window, None, None, None)
    responding_to = None if position.responding_to == NO_CARD else position.responding_to
    return WindowView(position.window, position.asked, position.passes, responding_to)


def _fight_view(position: Position) -> FightView | None:
    if position.fight == NO_CARD:
        return None
    return FightView(
        position.fight,
        position.fight_surprise,
        position.fight_defense,
        position.fight_hits,
        position.fight_round,
        position.rerolled,
        position.dice,
        position.to_assign,
    )


def fill_from(position: Position, seen: Observation, stream: Stream) -> None:
    """Fill the cleared position to fit what was seen: hidden cards and draws to come are the stream's.

    Every hand and every order of the decks that the view leaves possible is as likely as any other; so is, while
    somebody else is asked in secret, every seat that these hands leave a choice, and any number of passes before it.
    """
    _fill_open(position, seen)
    _fill_turn(position, seen)
    _fill_fight(position, seen)
    position.attack_deck = _deal_attack_deck(position, stream)
    missions = _missing(list(range(MISSIONS)), [*position.missions, *position.mission_discards])
    stream.shuffle(missions)
    position.mission_deck = tuple(missions)
    own = seen.seats[seen.viewer].hand if seen.viewer >= 0 else None
    known = list(position.event_discards)
    if own is not None:
        position.hands[seen.viewer] = list(own)
        known += [card for card in range(EVENTS) for _ in range(own[card])]
    hidden = _missing(FIRST_EVENT_DECK, known)
    _deal_hands(position, seen, hidden, stream)
    if seen.decision is None:
        tries = 0
        while not _ask_somebody(position, seen.viewer, stream):
            tries += 1
            if tries == _TRIES:
                raise ValueError("no seat can be asked in the window that the observation shows")
            _deal_hands(position, seen, hidden, stream)
    position.seed = b"".join([stream.word().to_bytes(8, "big") for _ in range(SEED_BYTES // 8)])


def _missing(every: list[int], known: list[int]) -> list[int]:
    """Return what is left of a whole deck, without the cards whose place is known."""
    left = list(every)
    for card in known:
        left.remove(card)
    return left


def _fill_open(position: Position, seen: Observation) -> None:
    position.decision = ASK_EVENT if seen.decision is None else seen.decision
    position.seat_to_act = TERMINAL if seen.seat_to_act is None else seen.seat_to_act
    position.round = seen.round
    position.first = NOBODY if seen.first is None else seen.first
    position.current = NOBODY if seen.current is None else seen.current
    position.goal_reached, position.ending = seen.goal_reached, seen.ending
    position.spaces = [view.space for view in seen.seats]
    position.cash = [view.cash for view in seen.seats]
    position.hits = [list(view.hits) for view in seen.seats]
    position.stores = [list(view.stores) for view in seen.seats]
    position.missions = tuple(seen.missions)
    event, attack, mission = seen.discards
    position.event_discards, position.attack_discards = tuple(event), tuple(attack)
    position.mission_discards = tuple(mission)


def _fill_turn(position: Position, seen: Observation) -> None:
    turn, window = seen.turn, seen.window
    if turn is not None:
        position.steps, position.tailwinds, position.flat_tires = turn.steps, turn.tailwinds, turn.flat_tires
        position.outrider, position.sandstorm = turn.outrider, turn.sandstorm
        position.road_blocks, position.wilds = tuple(turn.road_blocks), tuple(turn.wilds)
        position.attackers, position.dry = tuple(turn.attackers), tuple(turn.dry)
        position.bargain, position.bonus = turn.bargain, turn.bonus
        position.ditched, position.healed = tuple(turn.ditched), turn.healed
        position.actions = turn.actions
    if window is not None:
        position.window = window.name
        position.asked = NOBODY if window.asked is None else window.asked
        position.passes = 0 if window.passes is None else window.passes
        position.responding_to = NO_CARD if window.responding_to is None else window.responding_to


def _fill_fight(position: Position, seen: Observation) -> None:
    position.queue = tuple([(card, 1 if surprise else 0) for card, surprise in seen.queue])
    fight = seen.fight
    if fight is not None:
        position.fight, position.fight_surprise = fight.card, fight.surprise
        position.fight_defense, position.fight_hits = fight.defense, fight.hits
        position.fight_round, position.rerolled = fight.round, fight.rerolled
        position.dice, position.to_assign = tuple(fight.dice), fight.to_assign


def _deal_attack_deck(position: Position, stream: Stream) -> tuple[int, ...]:
    """Deal the Attack deck. A card that is fought is on the discard pile already if it is defeated (W71)."""
    known = [*position.attack_discards, *[card for card, _ in position.queue]]
    if position.fight != NO_CARD and not position.is_beaten():
        known.append(position.fight)
    deck = _missing(FIRST_DECK, known)
    stream.shuffle(deck)
    return tuple(deck)


def _deal_hands(position: Position, seen: Observation, hidden: list[int], stream: Stream) -> None:
    """Deal the hidden Event cards into hands and deck."""
    cards = list(hidden)
    stream.shuffle(cards)
    for seat, view in enumerate(seen.seats):
        if seat == seen.viewer:
            continue
        hand = [0] * EVENTS
        for _ in range(view.cards):
            hand[cards.pop()] += 1
        position.hands[seat] = hand
    position.event_deck = tuple(cards)


def _ask_somebody(position: Position, viewer: int, stream: Stream) -> bool:
    """Return one of the offers that the window could stand at; whether it leaves its seat a choice (W22)."""
    seats = position.setup.seats
    chosen = stream.uniform(seats + 1)
    if chosen < seats:
        position.decision, position.seat_to_act, position.asked = ASK_EVENT, chosen, chosen
        position.passes, position.responding_to = stream.uniform(seats), NO_CARD
        return chosen != viewer and bool(playable(position, chosen))
    current = position.current
    discards, attackers = position.event_discards, position.attackers
    if current == viewer or not attackers or not discards or discards[-1] not in ATTACK_TYPE:
        return False
    position.decision, position.seat_to_act = ASK_RESPOND, current
    position.asked, position.passes = (attackers[-1] + 1) % seats, 0
    position.responding_to = discards[-1]
    return position.hands[current][ESCORT] > 0
