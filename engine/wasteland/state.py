"""The rules in motion: set-up, turns, what follows on what, the end. What a step does is in a module of its own."""

from __future__ import annotations

from typing import Final

from engine.game import TERMINAL, IllegalActionError, Outcome, outcome_of
from engine.wasteland import combat, decks, location, movement, windows
from engine.wasteland.actions import (
    BOOST_ACTION,
    COOK_ACTION,
    DISCARD,
    DONE_ACTION,
    FIGHT_ACTION,
    KEEP_ACTION,
    PASS_ACTION,
    REROLL_ACTION,
    STOP_ACTION,
    card_of,
    field_of,
    hit,
    hits_of,
    kind_of,
    start_city,
    target_of,
)
from engine.wasteland.caravan_cards import COOK_WAGON, HEAD
from engine.wasteland.digest import digest
from engine.wasteland.event_cards import BEFORE_LOCATION, BEFORE_MOVE, ENCOUNTER, END, MOST_CARDS
from engine.wasteland.events import Deck, Ended, Ending, StartDie, event_discarded, shuffled, turn_began
from engine.wasteland.legal import legal_actions
from engine.wasteland.notation import format_action, parse_action
from engine.wasteland.objections import objection
from engine.wasteland.observation import Observation
from engine.wasteland.position import (
    ASK_BOOST,
    ASK_CITY,
    ASK_COOK,
    ASK_DISCARD,
    ASK_DODGE,
    ASK_EVENT,
    ASK_HIT,
    ASK_LOCATION,
    ASK_MOVE,
    ASK_NOTHING,
    ASK_OVERFLOW,
    ASK_REROLL,
    ASK_RESPOND,
    ASK_SPOIL,
    NOBODY,
    Position,
)
from engine.wasteland.resources import RATIONS
from engine.wasteland.views import observe

_DEFAULTS: Final = {
    ASK_CITY: start_city(0),
    ASK_MOVE: STOP_ACTION,
    ASK_DODGE: FIGHT_ACTION,
    ASK_LOCATION: DONE_ACTION,
    ASK_DISCARD: KEEP_ACTION,
}
"""By kind of decision (W74); PASS or the first of the list for the others."""


class WastelandState(Position):
    """One position of Wasteland. Whoever is to act has at least two legal actions (W22)."""

    __slots__ = ()

    def legal_actions(self) -> memoryview:
        """Return the legal actions, ascending, as a read-only uint32 buffer."""
        if self.legal is None:
            self.legal = legal_actions(self)
        return self.legal

    def apply(self, action: int) -> None:
        """Play one action of `seat_to_act`, and whatever has no choice after it.

        Raises IllegalActionError: the action may not be played; the state is untouched.
        """
        if action not in self.legal_actions():
            why = objection(self, action)
            raise IllegalActionError(f"{format_action(action)} is not legal here: {why}.")
        self._carry_out(action)
        self._settle()

    def outcome(self) -> Outcome | None:
        """Return the scores, placings (W69) and ending, or None while the match runs."""
        if self.ending is None:
            return None
        keys = [(self.score(seat), self.health_left(seat)) for seat in range(self.setup.seats)]
        return outcome_of(keys, self.ending.name)

    def observe(self, viewer: int) -> Observation:
        """Return everything but hands, decks and dice to come, and who is asked in secret (W70)."""
        return observe(self, viewer)

    def action_seen_by(self, action: int, viewer: int) -> int | None:
        """Nobody else sees a pass in `event` or `respond` (W70)."""
        if action == PASS_ACTION and viewer != self.seat_to_act and self.asks_in_secret:
            return None
        return action

    @property
    def asks_in_secret(self) -> bool:
        """In windows, and before the answer to an attack (W70)."""
        return self.decision in (ASK_EVENT, ASK_RESPOND)

    @property
    def secret_offers(self) -> int:
        """Offers of windows and answers to attacks, asked or not (W22, W70)."""
        return self.offers

    def clone(self) -> WastelandState:
        """Return an independent copy with no events waiting."""
        copy = WastelandState(self.setup)
        copy.copy_from(self)
        return copy

    def digest(self) -> bytes:
        """Return the SHA-256 of the full state, hands, decks and the stream's place included."""
        return digest(self)

    def default_action(self) -> int:
        """Return the default by kind of decision (W74)."""
        decision = self.decision
        if decision in _DEFAULTS:
            return _DEFAULTS[decision]
        listed = self.legal_actions()
        if decision == ASK_HIT:
            return listed[1] if listed[0] == hit(HEAD) else listed[0]
        return listed[0]

    def format_action(self, action: int) -> str:
        """Return the canonical JSON of W72."""
        return format_action(action)

    def parse_action(self, text: str) -> int:
        """Parse the text of `format_action`. Raises UnreadableActionError."""
        return parse_action(text)

    # Set-up

    def begin_setup(self) -> None:
        """Shuffle the decks, show the missions, and ask seat 0 for its City (W13-W15)."""
        self.event_deck = decks.shuffled(self, self.event_deck)
        self.attack_deck = decks.shuffled(self, self.attack_deck)
        self.mission_deck = decks.shuffled(self, self.mission_deck)
        for which, deck in (
            (Deck.EVENT, self.event_deck),
            (Deck.ATTACK, self.attack_deck),
            (Deck.MISSION, self.mission_deck),
        ):
            self.events.append(shuffled(which, len(deck)))
        for place in range(self.setup.face_up):
            decks.show_mission(self, place)
        self.decision, self.seat_to_act = ASK_CITY, 0

    def _roll_for_first(self) -> None:
        """Let the highest die begin; ties among the highest roll again (W16)."""
        rolling = list(range(self.setup.seats))
        while len(rolling) > 1:
            dice = decks.roll(self, len(rolling))
            for seat, die in zip(rolling, dice, strict=True):
                self.events.append(StartDie(seat, die))
            rolling = [seat for seat, die in zip(rolling, dice, strict=True) if die == max(dice)]
        self.first = rolling[0]
        self.round = 1
        self._begin_turn(self.first)

    # Turns

    def _begin_turn(self, seat: int) -> None:
        self.current = seat
        self.clear_turn()
        self.events.append(turn_began(self.round, seat))
        windows.open_window(self, BEFORE_MOVE)

    def _end_turn(self) -> None:
        """Begin the turn of the next seat or the next round, or end the match (W24, W66, W67)."""
        seat = (self.current + 1) % self.setup.seats
        if seat == self.first:
            if self.goal_reached:
                self._end(Ending.GOAL)
                return
            if self.round == self.setup.rounds:
                self._end(Ending.ROUND_LIMIT)
                return
            self.round += 1
        self._begin_turn(seat)

    def _end(self, ending: Ending) -> None:
        self.clear_turn()
        self.current = NOBODY
        self.ending = ending
        self.decision, self.seat_to_act = ASK_NOTHING, TERMINAL
        self.events.append(Ended(ending))

    def _settle(self) -> None:
        """Carry out at once what leaves no choice (W22)."""
        while self.seat_to_act != TERMINAL:
            self.legal = None
            if self.decision == ASK_EVENT and not windows.playable(self, self.seat_to_act):
                self._answer_offer(PASS_ACTION)  # what most offers come to, without a list
                continue
            listed = self.legal_actions()
            if len(listed) > 1:
                return
            self._carry_out(listed[0])
        self.legal = None

    def _carry_out(self, action: int) -> None:
        decision = self.decision
        if decision == ASK_EVENT:
            self._answer_offer(action)
        elif decision == ASK_RESPOND:
            self.offers += 1
            windows.respond(self, escorted=action != PASS_ACTION)
        elif decision == ASK_SPOIL:
            windows.spoil(self, field_of(action))
        elif decision == ASK_MOVE:
            if movement.move(self, action):
                windows.open_window(self, ENCOUNTER)
        elif decision == ASK_LOCATION:
            if location.act(self, action):
                windows.open_window(self, END)
        elif decision == ASK_CITY:
            self._choose_city(field_of(action))
        elif decision == ASK_DISCARD:
            self._discard(action)
        elif decision == ASK_COOK:
            self._cook(cooked=action == COOK_ACTION)
        else:
            self._fight(action)

    def _answer_offer(self, action: int) -> None:
        """Carry out a play or a pass, asked for or not."""
        self.offers += 1
        if action != PASS_ACTION:
            target = target_of(action)
            windows.play_card(self, self.seat_to_act, card_of(action), target, hits_of(target))
            return
        window = self.window
        if windows.take_pass(self):
            self._go_on_after(window)

    def _go_on_after(self, window: int) -> None:
        """Continue after the window has closed (W23)."""
        if window == BEFORE_MOVE:
            self.decision, self.seat_to_act = ASK_MOVE, self.current
        elif window == ENCOUNTER:
            for _, required in self.wilds:
                decks.draw_attackers(self, required, surprise=False)
            self._next_fight()
        elif window == BEFORE_LOCATION:
            self.decision, self.seat_to_act = ASK_LOCATION, self.current
        else:
            self.decision, self.seat_to_act = ASK_DISCARD, self.current

    def _next_fight(self) -> None:
        """Fight the next card of the queue, or open the next window (W39)."""
        if self.queue:
            combat.begin(self)
        else:
            windows.open_window(self, BEFORE_LOCATION)

    def _fight(self, action: int) -> None:
        decision = self.decision
        if decision == ASK_HIT:
            came = combat.take_hit(self, field_of(action))
        elif decision == ASK_DODGE:
            came = combat.dodge(self, action)
        elif decision == ASK_BOOST:
            came = combat.answer_boost(self, boosted=action == BOOST_ACTION)
        elif decision == ASK_REROLL:
            came = combat.answer_reroll(self, rerolled=action == REROLL_ACTION)
        else:
            assert decision == ASK_OVERFLOW
            came = combat.give_up(self, field_of(action))
        if came == combat.FOUGHT:
            self._next_fight()

    def _choose_city(self, city: int) -> None:
        """Put the seat into the City, in the set-up (W15) or after a defeat (W53)."""
        seat = self.seat_to_act
        self.spaces[seat] = city
        if self.current != NOBODY:
            windows.open_window(self, END)
        elif seat + 1 < self.setup.seats:
            self.seat_to_act = seat + 1
        else:
            self._roll_for_first()

    def _discard(self, action: int) -> None:
        """Discard an Event card or keep all, and draw one (W62-W64)."""
        seat = self.current
        if kind_of(action) == DISCARD:
            card = field_of(action)
            self.add_events(seat, card, -1)
            self.event_discards += (card,)
            self.events.append(event_discarded(seat, card))
        decks.draw_event(self, seat)
        can_cook = self.has_card(seat, COOK_WAGON) and self.stores[seat][RATIONS] > 0
        if can_cook and self.hand_size(seat) < MOST_CARDS:
            self.decision, self.seat_to_act = ASK_COOK, seat
        else:
            self._end_turn()

    def _cook(self, *, cooked: bool) -> None:
        if cooked:
            self.add_units(self.current, RATIONS, -1)
            decks.draw_event(self, self.current)
        self._end_turn()
