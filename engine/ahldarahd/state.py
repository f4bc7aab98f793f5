"""The rules in motion: set-up, auctions, building, the end. Nights are in `night.py`."""

from __future__ import annotations

from typing import Final

from engine.ahldarahd import night
from engine.ahldarahd.actions import (
    ACCEPT_ACTION,
    AVERT,
    BUY_PAYMENT,
    CLAIM,
    COMMODITY_OF,
    DECLINE_ACTION,
    DESTROY,
    DONE,
    DONE_ACTION,
    ITEM_LOT,
    LOSE_ROUTE,
    PASS_ACTION,
    PLEDGE,
    RIGHTS,
    SELL,
    SHAH,
    give_shah,
    gold_of,
    is_offer,
    kind_of,
    lose_route,
    lot_of,
    map_of,
    open_auction,
    payments_of,
    pledge,
    route_of,
    seat_of,
    second_route_of,
    setup_routes,
)
from engine.ahldarahd.board import KINDS
from engine.ahldarahd.digest import digest
from engine.ahldarahd.events import Destroyed, Ended, Ending, Sold, Stall, TurnBegan, paid, won
from engine.ahldarahd.legal import legal_actions, lots
from engine.ahldarahd.notation import format_action, parse_action
from engine.ahldarahd.objections import objection
from engine.ahldarahd.observation import Observation
from engine.ahldarahd.offers import Offer, offer_of
from engine.ahldarahd.placement import place, settle_losses, take_off
from engine.ahldarahd.position import (
    ASK_BID,
    ASK_BUILD,
    ASK_LOSS,
    ASK_NOTHING,
    ASK_OPENING,
    ASK_PLEDGE,
    ASK_REPLY,
    ASK_SETUP,
    ASK_SHAH,
    BIDDING,
    BUILDING,
    NOBODY,
    OFFERS,
    OVER,
    Position,
    changed,
)
from engine.ahldarahd.views import card_of, observe
from engine.game import TERMINAL, IllegalActionError, Outcome, outcome_of

_FREE_ROUTES: Final = setup_routes(1, 2)


class AhldarahdState(Position):
    """One position of Caravans of Ahldarahd."""

    __slots__ = ()

    def legal_actions(self) -> memoryview:
        """Return the legal actions but offers (A43), ascending, as a read-only uint32 buffer."""
        if self.legal is None:
            self.legal = legal_actions(self)
        return self.legal

    def is_legal(self, action: int) -> bool:
        """Return whether the action may be played now, offers included."""
        return not objection(self, action)

    def apply(self, action: int) -> None:
        """Play one action of `seat_to_act`.

        Raises IllegalActionError: the action may not be played; the state is untouched.
        """
        why = objection(self, action)
        if why:
            raise IllegalActionError(f"{format_action(action)} is not legal here: {why}.")
        self.legal = None
        seat = self.seat_to_act
        if self.decision == ASK_BUILD:
            self._build(seat, action)
        elif self.decision == ASK_BID:
            self._answer_bid(seat, action)
        elif self.decision == ASK_OPENING:
            self._open(seat, action)
        elif self.decision == ASK_SETUP:
            self._set_up(seat, action)
        elif self.decision == ASK_SHAH:
            self.holders[SHAH] = seat_of(action)
            self._next_auction()
        elif self.decision == ASK_REPLY:
            self._reply(seat, accepted=action == ACCEPT_ACTION)
        else:
            self._in_the_night(seat, action)

    def outcome(self) -> Outcome | None:
        """Return the scores, placings (A33) and ending, or None while the match runs."""
        if self.ending is None:
            return None
        keys = [(self.score(seat), self.gold[seat]) for seat in range(self.setup.seats)]
        return outcome_of(keys, self.ending.name)

    def observe(self, viewer: int) -> Observation:
        """Return everything but the order of the deck and the hands of the other seats (A51)."""
        return observe(self, viewer)

    def clone(self) -> AhldarahdState:
        """Return an independent copy with no events waiting."""
        copy = AhldarahdState(self.setup)
        copy.copy_from(self)
        return copy

    def digest(self) -> bytes:
        """Return the SHA-256 of the full state, the order of the deck included."""
        return digest(self)

    def default_action(self) -> int:
        """Return the default by kind of decision (A48, A50)."""
        decision = self.decision
        if decision == ASK_SETUP:
            return _FREE_ROUTES
        if decision == ASK_OPENING:
            return open_auction(lots(self)[0], 0)
        if decision == ASK_SHAH:
            return give_shah(self.seat_to_act)
        if decision == ASK_BUILD:
            return DONE_ACTION
        if decision == ASK_REPLY:
            return DECLINE_ACTION
        if decision == ASK_PLEDGE:
            return pledge(0)
        if decision == ASK_LOSS:
            map_, route = self.routes_in_reach(self.seat_to_act, self.night_city)[0]
            return lose_route(map_, route)
        return PASS_ACTION

    def format_action(self, action: int) -> str:
        """Return the canonical JSON of A48 and A49."""
        return format_action(action)

    def parse_action(self, text: str) -> int:
        """Parse the text of `format_action`. Raises UnreadableActionError."""
        return parse_action(text)

    # Set-up and turns

    def begin_setup(self, first: int) -> None:
        """Begin the set-up, clockwise from that seat (A8)."""
        self.order = self.around(first)
        self._ask(ASK_SETUP, first)

    def _ask(self, decision: int, seat: int) -> None:
        self.decision, self.seat_to_act = decision, seat

    def _set_up(self, seat: int, action: int) -> None:
        self.gold[seat] += place(self, seat, seat, [route_of(action), second_route_of(action)])
        self.at += 1
        if self.at < self.setup.seats:
            self.seat_to_act = self.order[self.at]
            return
        if self.setup.options.night_of_the_outsider:
            night.fill_cup(self)
        self._begin_turn()

    def _begin_turn(self) -> None:
        """Refresh, and begin the bidding (A9, A10)."""
        self.turn += 1
        self.flipped = 0
        self.auctioned = ()
        revealed: list[int] = []
        while len(self.row) + len(revealed) < self.setup.seats and self.deck_size:
            revealed.append(self.turn_up())
        self.row += tuple(revealed)
        self.events.append(TurnBegan(self.turn, tuple([card_of(card) for card in revealed])))
        self.phase = BIDDING
        self._begin_phase(ASK_OPENING)

    def _begin_phase(self, decision: int) -> None:
        self.order, self.at = self.around(self.holders[SHAH]), 0
        self._ask(decision, self.order[0])

    # Bidding

    def _open(self, seat: int, action: int) -> None:
        self.lot, self.bid, self.high, self.passed = lot_of(action), gold_of(action), seat, 0
        self.auctioned += (self.lot,)
        self._next_bidder(seat)

    def _answer_bid(self, seat: int, action: int) -> None:
        if action == PASS_ACTION:
            self.passed |= 1 << seat
        else:
            self.bid, self.high = gold_of(action), seat
        self._next_bidder(seat)

    def _next_bidder(self, after: int) -> None:
        """Ask the next seat (A13), or end the auction (A15)."""
        live = self.bidders()
        if live:
            seats = self.setup.seats
            seat = (after + 1) % seats
            while not live >> seat & 1:
                seat = (seat + 1) % seats
            self._ask(ASK_BID, seat)
            return
        winner, lot, bid = self.high, self.lot, self.bid
        self.lot, self.bid, self.high, self.passed = 0, 0, NOBODY, 0
        self.pay_bank(winner, bid)
        if bid:
            self.flipped |= 1 << winner
        self.events.append(won(winner, lot, bid))
        if lot < ITEM_LOT:
            self.row = tuple([card for card in self.row if card != lot])
            self.add_cards(winner, lot % KINDS, 1)
        else:
            self.holders[lot - ITEM_LOT] = winner
        if lot == ITEM_LOT + SHAH:
            self._ask(ASK_SHAH, winner)
        else:
            self._next_auction()

    def _next_auction(self) -> None:
        self.at += 1
        if self.at < self.setup.seats:
            self._ask(ASK_OPENING, self.order[self.at])
            return
        self.phase = BUILDING
        self._begin_phase(ASK_BUILD)
        self._begin_chance()

    def lose_cards(self, seat: int, commodity: int, count: int) -> None:
        """Take cards from the hand in the open; more than had come into it show a start card."""
        self.add_cards(seat, commodity, -count)
        if self.gained[seat][commodity] < 0:
            self.show(seat, commodity)

    def show(self, seat: int, commodity: int) -> None:
        """Note that everybody has seen the seat's start card of that commodity."""
        self.shown = changed(self.shown, seat, self.shown[seat] | 1 << commodity)

    def pay_bank(self, seat: int, gold: int) -> None:
        """Pay the bank for the seat, into the cup if there is one (A36)."""
        self.gold[seat] -= gold
        if self.cup_gold >= 0:
            self.cup_gold += gold

    # Building

    def _begin_chance(self) -> None:
        self.offers_left = OFFERS if self.setup.options.trading else 0

    def _build(self, seat: int, action: int) -> None:
        if is_offer(action):
            self._make_offer(seat, action)
            return
        kind = kind_of(action)
        if kind == DONE:
            self._next_chance()
        elif kind == SELL:
            item = RIGHTS + seat_of(action)
            gold = self.controlled(seat_of(action))
            self.holders[item] = NOBODY
            self.events.append(Sold(seat, gold))
            self._receive(seat, gold)
        elif kind == DESTROY:
            self._destroy(seat, action)
        else:
            self._claim_or_buy(seat, action)

    def _make_offer(self, seat: int, action: int) -> None:
        """Note what an offer shows: a seat that offers more cards than came into its hand has a start card (A44)."""
        offer = offer_of(action)
        for commodity in range(KINDS):
            if offer.give.cards[commodity] > self.gained[seat][commodity]:
                self.show(seat, commodity)
        self.offers_left -= 1
        self.offer = action
        self._ask(ASK_REPLY, offer.to)

    def _claim_or_buy(self, seat: int, action: int) -> None:
        map_, route = map_of(action), route_of(action)
        payment = payments_of(action)[1] if kind_of(action) == CLAIM else BUY_PAYMENT
        self.events.append(paid(seat, self._pay(seat, route, payment)))
        self._receive(seat, place(self, seat, map_, [route]))

    def _destroy(self, seat: int, action: int) -> None:
        map_, route = map_of(action), route_of(action)
        owner = self.owners[map_][route]
        gold = sum([self._pay(seat, route, payment) for payment in payments_of(action)])
        take_off(self, map_, route)
        self.events.append(Destroyed(seat, map_, route, owner, gold))
        settle_losses(self, map_)

    def _pay(self, seat: int, route: int, payment: int) -> int:
        """Make one payment and return its gold (A19-A21)."""
        if payment == BUY_PAYMENT:
            gold = self.buy_price(seat, route)
        else:
            gold = self.claim_price(seat, route)
            self.discard(seat, COMMODITY_OF[payment])
        self.pay_bank(seat, gold)
        return gold

    def discard(self, seat: int, commodity: int) -> None:
        """Spend a card of the hand."""
        self.lose_cards(seat, commodity, 1)
        self.spend(commodity)

    def _receive(self, seat: int, gold: int) -> None:
        """Pay the seat from the bank; what is drawn from the cup may bring a Night (A24 (6), (7))."""
        self.gold[seat] += gold
        if gold and self.cup_gold >= 0:
            night.draw(self, seat, gold)

    def _reply(self, seat: int, *, accepted: bool) -> None:
        proposer, offer = self.order[self.at], offer_of(self.offer)
        self.offer = 0
        if accepted:
            self._trade(proposer, seat, offer)
        self._ask(ASK_BUILD, proposer)

    def _trade(self, proposer: int, target: int, offer: Offer) -> None:
        """Exchange both sides of the offer (A45)."""
        for giver, taker, side in ((proposer, target, offer.give), (target, proposer, offer.want)):
            self.gold[giver] -= side.gold
            self.gold[taker] += side.gold
            for commodity in range(KINDS):
                count = side.cards[commodity]
                if count:
                    self.lose_cards(giver, commodity, count)
                    self.add_cards(taker, commodity, count)
            for item in side.items:
                self.holders[item] = taker

    def _next_chance(self) -> None:
        self.at += 1
        if self.at < self.setup.seats:
            self._ask(ASK_BUILD, self.order[self.at])
            self._begin_chance()
            return
        self.offers_left = 0
        if not self.deck_size:
            self._end()
            return
        if not any(lot < ITEM_LOT for lot in self.auctioned):
            card, self.row = self.row[0], self.row[1:]
            self.spend(card % KINDS)
            self.events.append(Stall(card_of(card)))
        self._begin_turn()

    def _end(self) -> None:
        """End the match (A30); everything else stays as it was."""
        self.phase, self.order, self.at = OVER, (), 0
        self._ask(ASK_NOTHING, TERMINAL)
        self.ending = Ending.DECK_EMPTY
        outcome = self.outcome()
        assert outcome is not None
        self.events.append(Ended(self.ending, outcome.scores, tuple(self.gold), outcome.placings))

    # Nights

    def _in_the_night(self, seat: int, action: int) -> None:
        kind = kind_of(action)
        if kind == PLEDGE:
            night.pledge(self, seat, gold_of(action))
        elif kind == LOSE_ROUTE:
            night.lose(self, seat, map_of(action), route_of(action))
        else:
            if kind == AVERT:
                self.discard(seat, self.night_city)
            night.answer_avert(self, averted=kind == AVERT)
