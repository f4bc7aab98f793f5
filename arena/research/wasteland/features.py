"""The feature list of Wasteland: caravans by Caravan card, piles of cards as counts, what is in force in this turn."""

from typing import Any, Final

from arena.research.features import (
    LARGEST,
    NONE,
    ActionField,
    Bits,
    Feature,
    GameFeatures,
    members,
    one,
    padded,
    per_seat,
)
from engine.wasteland.actions import (
    BUY,
    CARD_SHIFT,
    DELIVER,
    DISCARD,
    DITCH,
    HEAL,
    HIT,
    KIND_NAMES,
    KIND_SHIFT,
    LOAD,
    LOSE,
    PAY,
    PLAY,
    SECOND_SHIFT,
    START_CITY,
    STEP,
)
from engine.wasteland.attack_cards import ATTACKERS, FIRST_DECK
from engine.wasteland.board import SPACES
from engine.wasteland.caravan_cards import CARDS, HEALTH
from engine.wasteland.combat import LAST_ROUND
from engine.wasteland.event_cards import EVENT_COPIES, EVENTS, FIRST_EVENT_DECK, MOST_CARDS, WINDOW_NAMES
from engine.wasteland.location import MOST_ACTIONS
from engine.wasteland.missions import MISSIONS
from engine.wasteland.observation import Observation, TurnView
from engine.wasteland.options import MAX_SEATS, MOST_ROUNDS, Options
from engine.wasteland.position import ASK_COOK, Setup
from engine.wasteland.resources import KINDS

_MOST_STEPS: Final = 11
"""In a Movement (W76)."""
_QUEUE: Final = 2 * (_MOST_STEPS + MAX_SEATS - 1)
"""Attack cards: two for each step into a Wild, and for each Ambush of an opponent (W28, W34)."""
_FACES: Final = 6
_NO_TURN: Final = TurnView(0, 0, 0, False, False, (), (), (), (), False, False, (), False, 0)
"""In the set-up and at the end nothing is in force."""


class WastelandFeatures(GameFeatures):
    """What a seat sees of Wasteland."""

    kinds = KIND_NAMES
    kind_shift = KIND_SHIFT
    fields = (
        ActionField("space", "The space.", {START_CITY: Bits(0, 2), STEP: Bits(0, 5)}),
        ActionField("scout", "1 if the step uses Scout Rig.", {STEP: Bits(8, 1)}),
        ActionField("card", "The Event card.", {PLAY: Bits(CARD_SHIFT, 5), DISCARD: Bits(0, 5)}),
        ActionField(
            "target",
            "What the Event card asks for: a space, a resource, a mission, or Hits as in vehicle + 16 * second_vehicle;"
            " 0 without one.",
            {PLAY: Bits(0, 16)},
        ),
        ActionField("resource", "The resource.", dict.fromkeys((LOSE, LOAD, DITCH), Bits(0, 2))),
        ActionField("payment", "1 + the resource that is paid; 0: what the card says.", {PAY: Bits(0, 3)}),
        ActionField("vehicle", "The Caravan card.", dict.fromkeys((HIT, BUY, HEAL), Bits(0, 4))),
        ActionField(
            "second_vehicle", "1 + that of the second Hit, 0 without one.", {HEAL: Bits(SECOND_SHIFT, 4)}
        ),
        ActionField("mission", "The mission.", {DELIVER: Bits(0, 6)}),
    )

    def features(self, seats: int, options: Options) -> tuple[Feature, ...]:
        """Return the features."""
        face_up = Setup(seats, options).face_up
        return (
            *_of_the_match(seats),
            *_of_the_seats(seats),
            *_of_the_piles(face_up),
            *_of_the_turn(seats),
            *_of_the_window(seats),
            *_of_the_fight(),
        )

    def most_actions(self, seats: int, options: Options) -> int:
        """Return the most in Location and in a window: both have every pair of Hits (W59), and fewer other actions."""
        pairs = CARDS * (CARDS + 1) // 2
        return pairs + 2 * KINDS + (CARDS - 1) + Setup(seats, options).face_up + 1


def _of_the_match(seats: int) -> tuple[Feature, ...]:
    return (
        one("viewer", NONE, seats - 1, "The seat that sees this.", lambda view: view.viewer),
        one(
            "to_act",
            NONE,
            seats - 1,
            "The seat that decides; unknown while another seat may be asked in secret.",
            lambda view: view.seat_to_act,
        ),
        one(
            "decision",
            NONE,
            ASK_COOK,
            "What it is asked: 1 start_city, 2 event, 3 respond, 4 spoil, 5 move, 6 dodge, 7 boost, 8 reroll,"
            " 9 assign_hit, 10 overflow, 11 location, 12 end_discard, 13 cook, 0 nothing.",
            lambda view: view.decision,
        ),
        one("round", 0, MOST_ROUNDS, "The round, 0 in the set-up.", lambda view: view.round),
        one("first", NONE, seats - 1, "The first player.", lambda view: view.first),
        one("current", NONE, seats - 1, "The current player.", lambda view: view.current),
        one("goal_reached", 0, 1, "1 if somebody has reached the Cash goal.", lambda view: view.goal_reached),
    )


def _of_the_seats(seats: int) -> tuple[Feature, ...]:
    return (
        per_seat(
            seats, "spaces", NONE, SPACES - 1, "By seat: the space where it is.", lambda seat: seat.space
        ),
        per_seat(seats, "cash", 0, LARGEST, "By seat: Cash.", lambda seat: seat.cash),
        Feature(
            "hits",
            (seats, CARDS),
            NONE,
            max(HEALTH),
            "By seat and Caravan card: Hits on it; not in play.",
            lambda view: [hits for seat in view.seats for hits in seat.hits],
        ),
        Feature(
            "stores",
            (seats, KINDS),
            0,
            LARGEST,
            "By seat and resource: units.",
            lambda view: [units for seat in view.seats for units in seat.stores],
        ),
        per_seat(seats, "cards", 0, MOST_CARDS, "By seat: Event cards in hand.", lambda seat: seat.cards),
        Feature(
            "hand",
            (EVENTS,),
            NONE,
            MOST_CARDS,
            "By Event card: how many are in the viewer's own hand.",
            _own_hand,
        ),
        per_seat(
            seats, "score", 0, LARGEST, "By seat: points if the match ended now.", lambda seat: seat.score
        ),
    )


def _of_the_piles(face_up: int) -> tuple[Feature, ...]:
    return (
        Feature(
            "missions",
            (face_up,),
            NONE,
            MISSIONS - 1,
            "By place: the mission that lies face up.",
            lambda view: padded(view.missions, face_up),
        ),
        Feature(
            "decks",
            (3,),
            0,
            max(len(FIRST_EVENT_DECK), len(FIRST_DECK), MISSIONS),
            "Cards in the Event, Attack and Mission deck.",
            lambda view: view.decks,
        ),
        Feature(
            "event_discards",
            (EVENTS,),
            0,
            max(EVENT_COPIES),
            "By Event card: how many were discarded.",
            lambda view: members(view.discards[0], EVENTS),
        ),
        Feature(
            "attack_discards",
            (ATTACKERS,),
            0,
            len(FIRST_DECK),
            "By Attack card: how many were discarded.",
            lambda view: members(view.discards[1], ATTACKERS),
        ),
        Feature(
            "mission_discards",
            (MISSIONS,),
            0,
            1,
            "By mission: 1 if it was discarded.",
            lambda view: members(view.discards[2], MISSIONS),
        ),
    )


def _of_the_turn(seats: int) -> tuple[Feature, ...]:
    return (
        Feature(
            "turn",
            (8,),
            0,
            max(MOST_ACTIONS, _MOST_STEPS),
            "In this turn: steps made, Tailwinds, Flat Tires, Outrider Bikes used, Sandstorm, Bargain, Bonus Contract,"
            " Field Hospital used.",
            lambda view: _in_force(_turn(view)),
        ),
        one("actions", 0, MOST_ACTIONS, "Actions in Location.", lambda view: _turn(view).actions),
        Feature(
            "road_blocks",
            (SPACES,),
            0,
            1,
            "By space: 1 if it is closed in this turn.",
            lambda view: members(_turn(view).road_blocks, SPACES),
        ),
        Feature(
            "wilds",
            (SPACES,),
            0,
            2 * _MOST_STEPS,
            "By space: Attack cards required for this turn's steps there.",
            lambda view: _required(_turn(view)),
        ),
        Feature(
            "attackers",
            (seats,),
            0,
            1,
            "By seat: 1 if it has played an Attack!-type card in this turn.",
            lambda view: members(_turn(view).attackers, seats),
        ),
        Feature(
            "dry",
            (KINDS,),
            0,
            1,
            "By resource: 1 if Dry Market names it.",
            lambda view: members(_turn(view).dry, KINDS),
        ),
        Feature(
            "ditched",
            (KINDS,),
            0,
            1,
            "By resource: 1 if it was thrown away in this turn.",
            lambda view: members(_turn(view).ditched, KINDS),
        ),
    )


def _of_the_window(seats: int) -> tuple[Feature, ...]:
    return (
        Feature(
            "window",
            (4,),
            NONE,
            max(EVENTS, len(WINDOW_NAMES), seats),
            "The Event window: 0 before_move, 1 encounter, 2 before_location, 3 end; and if they are known the seat"
            " that is asked, passes in a row, and the Event card to respond to.",
            _window,
        ),
    )


def _of_the_fight() -> tuple[Feature, ...]:
    return (
        Feature(
            "queue",
            (_QUEUE, 2),
            NONE,
            ATTACKERS - 1,
            "Attack cards to be fought, the next one first: the card, and 1 if it came by a Surprise Attack!.",
            lambda view: padded([number for entry in view.queue for number in entry], 2 * _QUEUE),
        ),
        Feature(
            "fight",
            (7,),
            NONE,
            max(ATTACKERS, LAST_ROUND),
            "The fight: Attack card, whether by a Surprise Attack!, Defense, Hits on it, round, whether dice were"
            " rolled again, Hits to place.",
            _fight,
        ),
        Feature(
            "dice",
            (_FACES,),
            0,
            LARGEST,
            "By number of eyes from 1: the caravan's dice in this round.",
            lambda view: members(() if view.fight is None else [die - 1 for die in view.fight.dice], _FACES),
        ),
    )


def _own_hand(view: Observation) -> tuple[int, ...]:
    hand = view.seats[view.viewer].hand if view.viewer >= 0 else None
    return (NONE,) * EVENTS if hand is None else hand


def _turn(view: Observation) -> TurnView:
    return view.turn or _NO_TURN


def _in_force(turn: TurnView) -> tuple[int, ...]:
    return (
        turn.steps,
        turn.tailwinds,
        turn.flat_tires,
        turn.outrider,
        turn.sandstorm,
        turn.bargain,
        turn.bonus,
        turn.healed,
    )


def _required(turn: TurnView) -> list[int]:
    required = [0] * SPACES
    for space, cards in turn.wilds:
        required[space] += cards
    return required


def _window(view: Observation) -> list[int]:
    known: tuple[Any, ...] = (None, None, None, None) if view.window is None else view.window
    return [NONE if value is None else value for value in known]


def _fight(view: Observation) -> tuple[int, ...]:
    fight = view.fight
    if fight is None:
        return (NONE,) * 7
    return (
        fight.card,
        fight.surprise,
        fight.defense,
        fight.hits,
        fight.round,
        fight.rerolled,
        fight.to_assign,
    )


FEATURES = WastelandFeatures()
