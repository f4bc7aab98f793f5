"""The rules of Caravans of Ahldarahd once more, slowly: positions and actions are the dicts of A52 and A48.

Nothing is kept but what A52 lists: who may still bid and where the stream stands follow from it.
"""

from tests.unit.engine.ahldarahd.naive_legal import (
    CITIES,
    ROUTES,
    ROUTES_OF,
    can_raise,
    claim_price,
    default_action,
    has_majority,
    is_offer_legal,
    legal_actions,
    payment_price,
    price,
    routes_touching,
    score,
    value_of_right,
)
from tests.unit.engine.naive import Json, Naive

BLACK = 3
GOLD_OF_THE_CUP = 75
RANSOM = 10


class NaiveMatch(Naive):
    """A match: `state` is A52's full form, `told` are the events of A53, of the last action."""

    def __init__(self, seats: int, options: dict[str, bool], seed: bytes) -> None:
        """Set up the position of A6 and A7."""
        super().__init__({"words": 0, "seed": seed.hex(), "seats": seats, "options": dict(options)})
        first = self._uniform(seats)
        piles = [self._shuffled(list(CITIES)) for _ in range(seats)]
        maps = seats + options["neutral_board"]
        holders: dict[str, int | None] = {"shah": first, "eyes": None, "queen": None}
        holders |= {f"right:{(seat + 1) % seats}": seat for seat in range(seats)}
        self.state |= {
            "turn": 0,
            "phase": "setup",
            "decision": "setup_routes",
            "to_move": first,
            "order": self._clockwise(first),
            "at": 0,
            "gold": [5] * seats,
            "camels": [False] * seats,
            "items": holders,
            "hands": [sorted(pile[:3]) for pile in piles],
            "discards": [],
            "deck": [f"{card}-{colour}" for colour in self._clockwise(first) for card in piles[colour][3:]],
            "row": [],
            "routes": [{} for _ in range(maps)],
            "cities": [{} for _ in range(maps)],
            "auctioned": [],
            "auction": None,
            "offers_left": 0,
            "offer": None,
            "cup": None,
            "night": None,
            "ending": None,
        }

    def legal(self) -> list[Json]:
        """A49."""
        return legal_actions(self.state)

    def default(self) -> Json:
        """A50."""
        return default_action(self.state)

    def is_legal(self, action: Json) -> bool:
        """Offers, which are not listed, included (A43)."""
        if action["type"] == "offer":
            return is_offer_legal(self.state, action)
        return action in self.legal()

    def apply(self, action: Json) -> list[Json]:
        """Play a legal action; return its events."""
        assert self.is_legal(action), action
        self.told = []
        fields = {"map_" if name == "map" else name: value for name, value in action.items()}
        del fields["type"]
        getattr(self, f"_{action['type']}")(self.state["to_move"], **fields)
        return self.told

    def view(self, viewer: int | None) -> Json:
        """A52's view of a seat; of a spectator with None."""
        seen = {name: value for name, value in self.state.items() if name not in ("seed", "words")}
        hands = enumerate(self.state["hands"])
        seen["hands"] = [hand if seat == viewer else len(hand) for seat, hand in hands]
        seen["deck"] = len(self.state["deck"])
        return seen

    def scores(self) -> list[int]:
        """A32."""
        return [score(self.state, seat) for seat in range(self.state["seats"])]

    # The table

    def _clockwise(self, seat: int) -> list[int]:
        return [(seat + step) % self.state["seats"] for step in range(self.state["seats"])]

    # A36, A37: gold from and to the bank

    def _pay(self, seat: int, gold: int) -> None:
        self.state["gold"][seat] -= gold
        if self.state["cup"]:
            self.state["cup"]["gold"] += gold

    def _draw(self, seat: int, gold: int) -> int:
        """Draw, and return the black chips that came out."""
        self.state["gold"][seat] += gold
        cup, black = self.state["cup"], 0
        while cup and gold:
            if cup["gold"] == 0:
                cup["gold"] = GOLD_OF_THE_CUP
            if self._uniform(cup["gold"] + cup["black"]) < cup["gold"]:
                cup["gold"] -= 1
                gold -= 1
            else:
                cup["black"] -= 1
                black += 1
        return black

    def _discard(self, card: str) -> None:
        self.state["discards"] = sorted([*self.state["discards"], card])

    def _spend(self, seat: int, card: str) -> None:
        self.state["hands"][seat].remove(card)
        self._discard(card)

    # A8, A9: set-up and refresh

    def _setup_routes(self, seat: int, routes: list[int]) -> None:
        self._tell("setup_routes", seat=seat, routes=routes)
        self._draw(seat, self._place(seat, seat, routes))
        if not self._next("setup_routes"):
            if self.state["options"]["night_of_the_outsider"]:
                self.state["cup"] = {"gold": GOLD_OF_THE_CUP, "black": BLACK}
            self._refresh()

    def _next(self, decision: str) -> bool:
        """Ask the next seat of the phase's order, if there is one."""
        self.state["at"] += 1
        if self.state["at"] == self.state["seats"]:
            return False
        self._ask(decision, self.state["order"][self.state["at"]])
        return True

    def _begin(self, phase: str, decision: str) -> None:
        """A10, A17: clockwise from the seat that holds the Shah now."""
        order = self._clockwise(self.state["items"]["shah"])
        self.state |= {"phase": phase, "order": order, "at": 0}
        self._ask(decision, order[0])

    def _refresh(self) -> None:
        state = self.state
        revealed = []
        while len(state["row"]) < state["seats"] and state["deck"]:
            revealed.append(state["deck"].pop(0))
            state["row"].append(revealed[-1])
        state |= {"turn": state["turn"] + 1, "camels": [False] * state["seats"], "auctioned": []}
        self._tell("turn", turn=state["turn"], revealed=revealed)
        self._begin("bidding", "open_auction")

    # A10-A16: bidding

    def _open_auction(self, seat: int, lot: str, bid: int) -> None:
        self._tell("open", seat=seat, lot=lot, bid=bid)
        self.state["auctioned"].append(lot)
        live = [other for other in range(self.state["seats"]) if other != seat]
        self.state["auction"] = {"lot": lot, "bid": bid, "high": seat, "live": live}
        self._ask_bid(seat)

    def _bid(self, seat: int, bid: int) -> None:
        self._tell("bid", seat=seat, bid=bid)
        auction = self.state["auction"]
        auction["live"] = sorted({*auction["live"], auction["high"]} - {seat})
        auction["high"], auction["bid"] = seat, bid
        self._ask_bid(seat)

    def _ask_bid(self, after: int) -> None:
        auction = self.state["auction"]
        auction["live"] = [seat for seat in auction["live"] if can_raise(self.state, seat)]
        for seat in self._clockwise(after)[1:]:
            if seat in auction["live"]:
                self._ask("bid", seat)
                return
        self._win(auction["high"], auction["lot"], auction["bid"])

    def _win(self, seat: int, lot: str, bid: int) -> None:
        self._tell("won", seat=seat, lot=lot, bid=bid)
        self.state["auction"] = None
        self._pay(seat, bid)
        if bid > 0:
            self.state["camels"][seat] = True
        if lot.startswith("card:"):
            card = lot.removeprefix("card:")
            self.state["row"].remove(card)
            self.state["hands"][seat] = sorted([*self.state["hands"][seat], card.split("-")[0]])
        else:
            self.state["items"][lot] = seat
        if lot == "shah":
            self._ask("give_shah", seat)
        else:
            self._next_auction()

    def _give_shah(self, seat: int, to: int) -> None:
        self._tell("shah", seat=seat, to=to)
        self.state["items"]["shah"] = to
        self._next_auction()

    def _next_auction(self) -> None:
        if not self._next("open_auction"):
            self._begin("building", "build")
            self._begin_chance()

    def _pass(self, seat: int) -> None:
        self._tell("pass", seat=seat)
        if self.state["decision"] == "avert":
            self.state["night"]["waiting"].pop(0)
            self._ask_avert()
        else:
            self.state["auction"]["live"].remove(seat)
            self._ask_bid(seat)

    # A17-A28: building

    def _begin_chance(self) -> None:
        self.state["offers_left"] = 2 if self.state["options"]["trading"] else 0

    def _done(self, seat: int) -> None:
        self._tell("done", seat=seat)
        if self._next("build"):
            self._begin_chance()
            return
        self.state["offers_left"] = 0
        if not self.state["deck"]:
            self._end()
            return
        if not any(lot.startswith("card:") for lot in self.state["auctioned"]):
            card = self.state["row"].pop(0)
            self._discard(card.split("-")[0])
            self._tell("stall", card=card)
        self._refresh()

    def _claim(self, seat: int, map_: int, route: int, card: str) -> None:
        gold = claim_price(self.state, seat, route)
        self._tell("claim", seat=seat, map=map_, route=route, card=card, gold=gold)
        self._spend(seat, card)
        self._build(seat, map_, route, gold)

    def _buy(self, seat: int, map_: int, route: int) -> None:
        gold = price(self.state, seat, route)
        self._tell("buy", seat=seat, map=map_, route=route, gold=gold)
        self._build(seat, map_, route, gold)

    def _build(self, seat: int, map_: int, route: int, gold: int) -> None:
        self._pay(seat, gold)
        self._night_of(seat, self._draw(seat, self._place(seat, map_, [route])))

    def _place(self, seat: int, map_: int, routes: list[int]) -> int:
        """A24 (2)-(5); the gold of (6)."""
        owners, cities = self.state["routes"][map_], self.state["cities"][map_]
        had = [city for city in CITIES if has_majority(owners, city, seat)]
        owners |= {str(route): seat for route in routes}
        taken = [city for city in CITIES if has_majority(owners, city, seat) and city not in had]
        for city in taken:
            cities[city] = seat
            self._tell("control", seat=seat, map=map_, city=city, gold=len(ROUTES_OF[city]))
        for route, (a, b, _) in ROUTES.items():
            if (a in taken or b in taken) and owners.get(str(route), seat) != seat:
                self._tell("removed", seat=owners.pop(str(route)), map=map_, route=route)
        self._lose_cities(map_)
        return sum(len(ROUTES_OF[city]) for city in taken)

    def _lose_cities(self, map_: int) -> None:
        """A24 (5)."""
        cities = self.state["cities"][map_]
        for city in CITIES:
            if city in cities and not has_majority(self.state["routes"][map_], city, cities[city]):
                self._tell("lost", seat=cities.pop(city), map=map_, city=city)

    def _destroy(self, seat: int, map_: int, route: int, pay: list[str]) -> None:
        gold = sum(payment_price(self.state, seat, route, payment) for payment in pay)
        owner = self.state["routes"][map_].pop(str(route))
        self._tell("destroy", seat=seat, map=map_, route=route, owner=owner, pay=pay, gold=gold)
        for card in pay:
            if card != "buy":
                self._spend(seat, card)
        self._pay(seat, gold)
        self._lose_cities(map_)

    def _sell(self, seat: int, right: int) -> None:
        gold = value_of_right(self.state, right)
        self._tell("sell", seat=seat, right=right, gold=gold)
        self.state["items"][f"right:{right}"] = None
        self._night_of(seat, self._draw(seat, gold))

    # A43-A46: trading

    def _offer(self, seat: int, to: int, give: Json, want: Json) -> None:
        self._tell("offer", seat=seat, to=to, give=give, want=want)
        self.state["offers_left"] -= 1
        self.state["offer"] = {"from": seat, "to": to, "give": give, "want": want}
        self._ask("trade_reply", to)

    def _accept(self, seat: int) -> None:
        offer = self.state["offer"]
        for giver, taker, side in (
            (offer["from"], seat, offer["give"]),
            (seat, offer["from"], offer["want"]),
        ):
            for card in side["cards"]:
                self.state["hands"][giver].remove(card)
            self.state["hands"][taker] = sorted([*self.state["hands"][taker], *side["cards"]])
            self.state["gold"][giver] -= side["gold"]
            self.state["gold"][taker] += side["gold"]
            self.state["items"] |= dict.fromkeys(side["items"], taker)
        self._reply(seat, accept=True)

    def _decline(self, seat: int) -> None:
        self._reply(seat, accept=False)

    def _reply(self, seat: int, *, accept: bool) -> None:
        self._tell("reply", seat=seat, accept=accept)
        proposer = self.state["offer"]["from"]
        self.state["offer"] = None
        self._ask("build", proposer)

    # A38-A42: the Night

    def _night_of(self, drawer: int, black: int) -> None:
        if not black:
            return
        card = self.state["deck"].pop(0) if self.state["deck"] else None
        self._tell("night", seat=drawer, black=black, card=card)
        if card is None:
            return
        city = card.split("-")[0]
        self._discard(city)
        if self._hit(drawer, city):
            waiting = [seat for seat in self._clockwise(drawer) if self.state["hands"][seat]]
            zeros = [0] * self.state["seats"]
            self.state["night"] = {"city": city, "drawer": drawer, "waiting": waiting, "pledged": zeros}
            self._ask_avert()

    def _hit(self, drawer: int, city: str) -> list[int]:
        """A39, clockwise from the seat that drew."""
        safe = self.state["items"]["eyes"]
        return [
            seat
            for seat in self._clockwise(drawer)
            if seat != safe and routes_touching(self.state, seat, city)
        ]

    def _ask_avert(self) -> None:
        night = self.state["night"]
        if night["waiting"]:
            self._ask("avert", night["waiting"][0])
            return
        night["waiting"] = [seat for seat in self._clockwise(night["drawer"]) if self.state["gold"][seat]]
        self._ask_pledge()

    def _avert(self, seat: int) -> None:
        card = self.state["night"]["city"]
        self._tell("avert", seat=seat, card=card)
        self._spend(seat, card)
        self._end_night()

    def _ask_pledge(self) -> None:
        night = self.state["night"]
        if sum(night["pledged"]) == RANSOM:
            self._tell("ransom", paid=night["pledged"])
            for seat, gold in enumerate(night["pledged"]):
                self._pay(seat, gold)
            self._end_night()
        elif sum(night["pledged"]) + sum(self.state["gold"][seat] for seat in night["waiting"]) < RANSOM:
            night["pledged"] = [0] * self.state["seats"]
            night["waiting"] = self._hit(night["drawer"], night["city"])
            self._ask_loss()
        else:
            self._ask("pledge", night["waiting"][0])

    def _pledge(self, seat: int, gold: int) -> None:
        self._tell("pledge", seat=seat, gold=gold)
        self.state["night"]["pledged"][seat] = gold
        self.state["night"]["waiting"].pop(0)
        self._ask_pledge()

    def _ask_loss(self) -> None:
        waiting = self.state["night"]["waiting"]
        while waiting:
            touching = routes_touching(self.state, waiting[0], self.state["night"]["city"])
            if len(touching) > 1:
                self._ask("lose_route", waiting[0])
                return
            self._take_off(waiting.pop(0), *touching[0])
        self._end_night()

    def _lose_route(self, seat: int, map_: int, route: int) -> None:
        self._take_off(seat, map_, route)
        self.state["night"]["waiting"].pop(0)
        self._ask_loss()

    def _take_off(self, seat: int, map_: int, route: int) -> None:
        del self.state["routes"][map_][str(route)]
        self._tell("removed", seat=seat, map=map_, route=route)
        self._lose_cities(map_)

    def _end_night(self) -> None:
        drawer = self.state["night"]["drawer"]
        self.state["night"] = None
        self._ask("build", drawer)

    # A30-A33: the end

    def _end(self) -> None:
        state = self.state
        state |= {"phase": "over", "decision": None, "to_move": None, "order": [], "at": 0}
        state["ending"] = "DECK_EMPTY"
        seats = range(state["seats"])
        scores = self.scores()
        ranks = [(scores[seat], state["gold"][seat]) for seat in seats]
        placings = [1 + sum(other > own for other in ranks) for own in ranks]
        self._tell("end", ending="DECK_EMPTY", scores=scores, gold=list(state["gold"]), placings=placings)
