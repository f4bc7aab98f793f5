"""The encounter and the fights in the slow rules of Wasteland (sections 8 and 9)."""

from tests.unit.engine.naive import Json
from tests.unit.engine.wasteland.naive_legal import defense, fits, me, total
from tests.unit.engine.wasteland.naive_table import HEAD, START_CASH
from tests.unit.engine.wasteland.naive_windows import Windows
from tests.unit.engine.wasteland.tables import ATTACKS, CARAVAN, RESOURCES

MOST_DRAWS = 3
LAST_ROUND = 50
LOWER_DEFENSE = 3


class Fights(Windows):
    """From the first draw to the last Hit."""

    def _require_attack_card(self, *, surprise: bool = False) -> None:
        """W37, W38."""
        for _ in range(MOST_DRAWS):
            card = self._draw("attack")
            if card is None:
                return
            check = None if self.state["options"]["check_rule"] == "deter" else ATTACKS[card].check
            engages = check is None or total(me(self.state), "health") >= check
            self._tell("attack_card", card=card, engages=engages)
            if engages:
                self.state["queue"].append({"card": card, "surprise": surprise})
                return
            self._put_away("attack", card)

    def _draw_for_wilds(self) -> None:
        """W36."""
        for _space, number in self.state["turn"]["wilds"]:
            for _ in range(number):
                self._require_attack_card()

    def _next_fight(self) -> None:
        """W39, W40."""
        self.state["fight"] = None
        if not self.state["queue"]:
            self._open_window("before_location")
            return
        entry = self.state["queue"].pop(0)
        self.state["fight"] = {
            **entry,
            "defense": ATTACKS[entry["card"]].defense,
            "hits": 0,
            "round": 0,
            "rerolled": False,
            "dice": [],
            "to_assign": 0,
        }
        self._tell("fight", card=entry["card"])
        self._ask("dodge")

    def _fight(self) -> Json:
        fight: Json = self.state["fight"]
        return fight

    # W40: before the first round

    def _dodge_fight(self) -> None:
        self._next_round()

    def _dodge_pay(self, resource: str | None = None) -> None:
        name = self._fight()["card"]
        card = ATTACKS[name]
        named = {"resource": resource} if resource else {}
        self._tell("dodge", card=name, how="pay", **named)
        for what, number in ({resource: 1} if resource else card.price).items():
            if what == "cash":
                me(self.state)["cash"] -= number
            else:
                self._spend(str(what), number)
        match card.paid:
            case "defense":
                self._fight()["defense"] = LOWER_DEFENSE
                self._next_round()
                return
            case "shuffle":
                self._shuffle_back(name)
            case _:
                self._put_away("attack", name)
        if card.paid == "bounty":
            self._gain_cash(self.state["current"], card.bounty)
        self._next_fight()

    def _dodge_deter(self) -> None:
        card = self._fight()["card"]
        self._tell("dodge", card=card, how="deter")
        self._put_away("attack", card)
        self._next_fight()

    # W41-W46: the rolls of a round

    def _next_round(self) -> None:
        fight = self._fight()
        fight["round"] += 1
        fight["dice"] = []
        if fight["surprise"] and fight["round"] == 1:
            self._attack_rolls()
        else:
            self._ask("boost")

    def _boost_pass(self) -> None:
        self._caravan_rolls(total(me(self.state), "attack"))

    def _boost_boost(self) -> None:
        self._spend("munitions")
        self._caravan_rolls(total(me(self.state), "attack") + 2)

    def _caravan_rolls(self, number: int) -> None:
        self._fight()["dice"] = self._roll(number)
        self._tell("roll", side="caravan", dice=[*self._fight()["dice"]])
        self._ask("reroll")

    def _reroll_pass(self) -> None:
        self._attack_rolls()

    def _reroll_reroll(self) -> None:
        self._spend("munitions")
        fight = self._fight()
        fight["rerolled"] = True
        again = [place for place, die in enumerate(fight["dice"]) if die <= fight["defense"]]
        dice = self._roll(len(again))
        for place, die in zip(again, dice, strict=True):
            fight["dice"][place] = die
        self._tell("roll", side="reroll", dice=dice)
        self._attack_rolls()

    def _attack_rolls(self) -> None:
        """W45-W47."""
        fight = self._fight()
        card = ATTACKS[fight["card"]]
        dice = self._roll(card.attack)
        self._tell("roll", side="attack", dice=dice)
        fight["hits"] += sum(die > fight["defense"] for die in fight["dice"])
        fight["to_assign"] = sum(die > defense(me(self.state)) for die in dice)
        if self._beaten():
            self._put_away("attack", fight["card"])
            self._tell("attack_defeated", card=fight["card"], bounty=card.bounty)
            self._gain_cash(self.state["current"], card.bounty)
        self._next_hit()

    def _beaten(self) -> bool:
        return bool(self._fight()["hits"] >= ATTACKS[self._fight()["card"]].health)

    # W47-W53: the Hits of a round

    def _next_hit(self) -> None:
        if not fits(me(self.state), me(self.state)["resources"]):
            self._ask("overflow")
        elif self._fight()["to_assign"]:
            self._ask("assign_hit")
        else:
            self._end_round()

    def _assign_hit_hit(self, card: str) -> None:
        """W48."""
        caravan = me(self.state)["caravan"]
        self._fight()["to_assign"] -= 1
        caravan[card] += 1
        if caravan[card] == CARAVAN[card].health:
            del caravan[card]
            self._tell("destroyed", seat=self.state["current"], card=card)
        if HEAD in caravan:
            self._next_hit()
        else:
            self._fall()

    def _overflow_lose(self, resource: str) -> None:
        """W49."""
        self._lose(resource)
        self._next_hit()

    def _end_round(self) -> None:
        """W50."""
        fight = self._fight()
        if self._beaten():
            self._next_fight()
        elif fight["round"] == LAST_ROUND:
            self._put_away("attack", fight["card"])
            self._tell("attack_gone", card=fight["card"])
            self._next_fight()
        else:
            self._next_round()

    def _fall(self) -> None:
        """W52, W53."""
        if not self._beaten():
            self._put_away("attack", self._fight()["card"])
        for entry in self.state["queue"]:
            self._put_away("attack", entry["card"])
        self.state |= {"fight": None, "queue": []}
        me(self.state).update(
            space=None, cash=START_CASH, caravan={HEAD: 0}, resources=dict.fromkeys(RESOURCES, 0)
        )
        self._tell("defeat", seat=self.state["current"])
        self._ask("start_city")
