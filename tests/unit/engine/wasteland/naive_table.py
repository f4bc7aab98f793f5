"""What lies on the table in the slow rules of Wasteland: the stream, the decks, Cash, the log, the views."""

import json

from tests.unit.engine.naive import Json, Naive, canonical
from tests.unit.engine.wasteland.naive_legal import MOST_CARDS, default_action, legal_actions, me, total
from tests.unit.engine.wasteland.tables import CARAVAN, GOAL, RESOURCES

SECRET_OFFERS = ("event", "respond")
HEAD = "head"
START_CASH = 5


class Table(Naive):
    """The position as W71's full view, and the log of W75."""

    def legal(self) -> list[Json]:
        """W72, W73."""
        return legal_actions(self.state)

    def default(self) -> Json:
        """W74."""
        return default_action(self.state)

    def full(self) -> Json:
        """W71's full view."""
        copy: Json = json.loads(json.dumps(self.state))
        return copy

    def play(self, action: Json) -> None:
        """Play a legal action, and then whatever is not asked (W22)."""
        assert action in self.legal(), canonical(action)
        self._carry_out(action)
        self._settle()

    def _settle(self) -> None:
        while len(listed := self.legal()) == 1:
            self._carry_out(listed[0])

    def _carry_out(self, action: Json) -> None:
        fields = {name: value for name, value in action.items() if name != "type"}
        getattr(self, f"_{self.state['decision']}_{action['type']}")(**fields)

    def view(self, viewer: int | None) -> Json:
        """W71's view of a seat; of a spectator, who holds nothing and is never asked, with None."""
        seen = self.full()
        del seen["rng"]
        for seat, player in enumerate(seen["players"]):
            if seat != viewer:
                player["hand"] = len(player["hand"])
        seen["decks"] = {deck: len(cards) for deck, cards in seen["decks"].items()}
        if seen["decision"] in SECRET_OFFERS and seen["to_move"] != viewer:
            seen |= {"decision": None, "to_move": None, "window": {"name": seen["window"]["name"]}}
        return seen

    def scores(self) -> list[int]:
        """W68."""
        return [
            player["cash"] + sum(CARAVAN[card].cost // 2 for card in player["caravan"])
            for player in self.state["players"]
        ]

    def placings(self) -> list[int]:
        """W69."""
        left = [total(player, "health") - sum(player["caravan"].values()) for player in self.state["players"]]
        ranks = list(zip(self.scores(), left, strict=True))
        return [1 + sum(other > own for other in ranks) for own in ranks]

    # The stream and the decks (section 2)

    @property
    def _rng(self) -> Json:
        rng: Json = self.state["rng"]
        return rng

    def _roll(self, number: int) -> list[int]:
        """W12."""
        return [self._uniform(6) + 1 for _ in range(number)]

    def _draw(self, deck: str) -> str | None:
        """W10."""
        decks, discards = self.state["decks"], self.state["discards"]
        if not decks[deck] and discards[deck]:
            decks[deck], discards[deck] = discards[deck], []
            self._tell("rebuild", deck=deck)
            self._shuffled(decks[deck])
        return decks[deck].pop(0) if decks[deck] else None

    def _put_away(self, deck: str, card: str) -> None:
        self.state["discards"][deck].append(card)

    def _shuffle_back(self, card: str) -> None:
        """W11."""
        self.state["decks"]["attack"].append(card)
        self._shuffled(self.state["decks"]["attack"])

    def _turn_up_mission(self, place: int) -> None:
        """W14, W58."""
        mission = self._draw("mission")
        self.state["missions"][place] = mission
        if mission:
            self._tell("mission", place=place, mission=mission)

    def _replace_mission(self, mission: str) -> None:
        place = self.state["missions"].index(mission)
        self._put_away("mission", mission)
        self._turn_up_mission(place)

    def _draw_event(self) -> None:
        """W63."""
        hand = me(self.state)["hand"]
        card = self._draw("event") if len(hand) < MOST_CARDS else None
        if card:
            hand.append(card)
            hand.sort()
            self._tell("event_card", seat=self.state["current"], card=card)

    # Goods, log, questions

    def _gain_cash(self, seat: int, cash: int) -> None:
        """W65."""
        player = self.state["players"][seat]
        player["cash"] += cash
        if player["cash"] >= GOAL[self.state["seats"]] and not self.state["goal_reached"]:
            self.state["goal_reached"] = True
            self._tell("goal", seat=seat)

    def _lose(self, resource: str, number: int = 1) -> None:
        """Lose units, which the log has as W75 says."""
        me(self.state)["resources"][resource] -= number
        self._tell("lose", seat=self.state["current"], resource=resource, number=number)

    def _spend(self, resource: str, number: int = 1) -> None:
        me(self.state)["resources"][resource] -= number

    def _repair(self, hits: list[str]) -> None:
        for card in hits:
            me(self.state)["caravan"][card] -= 1

    def _ask(self, decision: str, seat: int | None = None) -> None:
        """Ask the seat, by default the current player."""
        super()._ask(decision, self.state["current"] if seat is None else seat)


def new_player() -> Json:
    """W15."""
    return {
        "space": None,
        "cash": START_CASH,
        "caravan": {HEAD: 0},
        "resources": dict.fromkeys(RESOURCES, 0),
        "hand": [],
    }
