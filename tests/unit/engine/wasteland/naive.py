"""The rules of Wasteland once more, slowly: positions are the JSON of W71, actions that of W72, the log that of W75."""

from __future__ import annotations

import json
from typing import Any

from tests.unit.engine.naive import Json
from tests.unit.engine.wasteland.naive_legal import defense, fits, me, price, total
from tests.unit.engine.wasteland.naive_table import HEAD, START_CASH, Table, new_player
from tests.unit.engine.wasteland.tables import (
    ATTACK_TYPE,
    ATTACKS,
    CARAVAN,
    EVENTS,
    MISSIONS,
    NEW_DECKS,
    RESOURCES,
    WILDS,
)

DEFAULTS: Json = {"check_rule": "engage", "max_rounds": 60}
MOST_ACTIONS = 40
MOST_DRAWS = 3
LAST_ROUND = 50
LOWER_DEFENSE = 3


class NaiveMatch(Table):
    """A match: set-up, turns, windows, Movement, fights, Location, the end."""

    @classmethod
    def new(cls, seats: int, options: Json, seed: bytes) -> NaiveMatch:
        """W13-W15: the first seat chooses its City."""
        match = cls(
            {
                "game": "wasteland",
                "seats": seats,
                "options": DEFAULTS | options,
                "rng": {"seed": seed.hex(), "words": 0},
                "decision": "start_city",
                "to_move": 0,
                "round": 0,
                "first": None,
                "current": None,
                "goal_reached": False,
                "ending": None,
                "players": [new_player() for _ in range(seats)],
                "missions": [None] * (seats + 2),
                "decks": {deck: list(cards) for deck, cards in NEW_DECKS.items()},
                "discards": {deck: [] for deck in NEW_DECKS},
                "turn": None,
                "window": None,
                "queue": [],
                "fight": None,
            }
        )
        for deck in ("event", "attack", "mission"):
            match._shuffled(match.state["decks"][deck])
        for place in range(seats + 2):
            match._turn_up_mission(place)
        return match

    @classmethod
    def from_json(cls, full: Json) -> NaiveMatch:
        """Return the position of W71's full view, with an empty log."""
        return cls(json.loads(json.dumps(full)))

    # Set-up and turns (sections 3, 5, 12)

    def _start_city_start_city(self, city: str) -> None:
        """W15, W53."""
        seat = self.state["to_move"]
        self.state["players"][seat]["space"] = city
        if self.state["current"] is not None:
            self._open_window("end")
        elif seat + 1 < self.state["seats"]:
            self._ask("start_city", seat + 1)
        else:
            self.state |= {"first": self._highest(), "round": 1}
            self._begin_turn(self.state["first"])

    def _highest(self) -> int:
        """W16."""
        rolling = list(range(self.state["seats"]))
        while len(rolling) > 1:
            dice = {seat: self._roll(1)[0] for seat in rolling}
            for seat, die in dice.items():
                self._tell("start_die", seat=seat, die=die)
            rolling = [seat for seat in rolling if dice[seat] == max(dice.values())]
        return rolling[0]

    def _begin_turn(self, seat: int) -> None:
        self.state["current"] = seat
        self.state["turn"] = new_turn()
        self._tell("turn", round=self.state["round"], seat=seat)
        self._open_window("before_move")

    def _after_window(self, name: str) -> None:
        """W23."""
        match name:
            case "before_move":
                self._ask("move")
            case "encounter":
                self._draw_for_wilds()
                self._next_fight()
            case "before_location":
                self._ask("location")
            case "end":
                self._ask("end_discard")

    def _end_turn(self) -> None:
        """W24, W66, W67."""
        seat = (self.state["current"] + 1) % self.state["seats"]
        if seat == self.state["first"]:
            if self.state["goal_reached"]:
                self._end("GOAL")
                return
            if self.state["round"] == self.state["options"]["max_rounds"]:
                self._end("ROUND_LIMIT")
                return
            self.state["round"] += 1
        self._begin_turn(seat)

    def _end(self, ending: str) -> None:
        self.state |= {"decision": "over", "to_move": None, "current": None, "turn": None, "ending": ending}
        self._tell("end", ending=ending)

    # The event windows (section 6), and what each Event card does (W8)

    def _open_window(self, name: str) -> None:
        """W25."""
        window = {"name": name, "asked": self.state["current"], "passes": 0, "attack": None}
        self.state["window"] = window
        self._ask("event")

    def _event_pass(self) -> None:
        window = self.state["window"]
        window["passes"] += 1
        window["asked"] = (window["asked"] + 1) % self.state["seats"]
        if window["passes"] == self.state["seats"]:
            self.state["window"] = None
            self._after_window(window["name"])
        else:
            self._ask("event", window["asked"])

    def _event_play(self, card: str, **target: Any) -> None:
        """W27. The cards of an attack wait for the answer (W29)."""
        seat, window = self.state["to_move"], self.state["window"]
        window |= {"passes": 0, "asked": (seat + 1) % self.state["seats"]}
        self._show(seat, card, **target)
        if card in ATTACK_TYPE:
            self.state["turn"]["attackers"].append(seat)
            window["attack"] = card
            self._ask("respond")
        elif card == "spoiled_stores":
            self._ask("spoil")
        else:
            self._take_effect(seat, card, **target)
            self._go_on()

    def _show(self, seat: int, card: str, **target: Any) -> None:
        self.state["players"][seat]["hand"].remove(card)
        self._put_away("event", card)
        self._tell("play", seat=seat, card=card, **target)

    def _go_on(self) -> None:
        self.state["window"]["attack"] = None
        self._ask("event", self.state["window"]["asked"])

    def _respond_pass(self) -> None:
        card = self.state["window"]["attack"]
        for _ in range(2 if card == "ambush" else 1):
            self._require_attack_card(surprise=card == "surprise_attack")
        self._go_on()

    def _respond_play(self, card: str) -> None:
        self._show(self.state["current"], card)
        self._go_on()

    def _spoil_lose(self, resource: str) -> None:
        """W30."""
        self._lose(resource)
        self._go_on()

    def _take_effect(self, seat: int, card: str, **target: Any) -> None:
        he, turn = me(self.state), self.state["turn"]
        match card:
            case "flat_tire":
                turn["flat_tires"] += 1
            case "tailwind":
                turn["tailwinds"] += 1
            case "sandstorm" | "bargain":
                turn[card] = True
            case "bonus_contract":
                turn["bonus"] = True
            case "leaking_tank":
                self._lose("fuel", min(2, he["resources"]["fuel"]))
            case "pickpockets":
                he["cash"] -= 1
                self._gain_cash(seat, 1)
            case "hidden_cache":
                self._gain_cash(seat, 2)
            case _:
                assert EVENTS[card].target
                self._take_effect_on(card, *target.values())

    def _take_effect_on(self, card: str, target: Any) -> None:
        turn = self.state["turn"]
        match card:
            case "road_block":
                turn["road_blocks"] = sorted([*turn["road_blocks"], target])
            case "dry_market":
                turn["dry"] = sorted([*turn["dry"], target], key=RESOURCES.index)
            case "contract_cancelled":
                self._replace_mission(target)
            case "field_repairs":
                self._repair(target)
            case "salvage":
                me(self.state)["resources"][target] += 1
            case _:
                raise AssertionError(card)

    # Movement (section 7)

    def _move_outrider(self) -> None:
        """W33."""
        self._spend("fuel")
        self.state["turn"]["outrider"] = True
        self._ask("move")

    def _move_step(self, to: str, *, scout: bool = False) -> None:
        """W34."""
        turn = self.state["turn"]
        turn["steps"] += 1
        me(self.state)["space"] = to
        if scout:
            self._spend("fuel")
        if to in WILDS:
            turn["wilds"].append([to, 1 if scout else 2])
        self._ask("move")

    def _move_stop(self) -> None:
        turn, space = self.state["turn"], me(self.state)["space"]
        if turn["steps"] == 0 and space in WILDS:
            turn["wilds"].append([space, 2])
        self._open_window("encounter")

    # The encounter and the fights (sections 8 and 9)

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

    # Location (section 10)

    def _location_load(self, resource: str) -> None:
        me(self.state)["resources"][resource] += 1
        self._after_action()

    def _location_ditch(self, resource: str) -> None:
        self._spend(resource)
        ditched = {*self.state["turn"]["ditched"], resource}
        self.state["turn"]["ditched"] = sorted(ditched, key=RESOURCES.index)
        self._after_action()

    def _location_buy(self, card: str) -> None:
        me(self.state)["cash"] -= price(self.state, card)
        me(self.state)["caravan"][card] = 0
        self.state["turn"]["bargain"] = False
        self._after_action()

    def _location_deliver(self, mission: str) -> None:
        seat, row = self.state["current"], MISSIONS[mission]
        for resource, number in row.demand.items():
            self._spend(resource, number)
        cash = row.reward + 2 * self.state["turn"]["bonus"]
        self.state["turn"]["bonus"] = False
        self._tell("deliver", seat=seat, mission=mission, cash=cash)
        self._gain_cash(seat, cash)
        self._replace_mission(mission)
        self._after_action()

    def _location_heal(self, hits: list[str]) -> None:
        """W59."""
        self._spend("medicine")
        self._repair(hits)
        self.state["turn"]["healed"] = True
        self._after_action()

    def _after_action(self) -> None:
        """W60."""
        self.state["turn"]["actions"] += 1
        if self.state["turn"]["actions"] == MOST_ACTIONS:
            self._location_done()
        else:
            self._ask("location")

    def _location_done(self) -> None:
        self._open_window("end")

    # The end of a turn (section 11)

    def _end_discard_keep(self) -> None:
        self._draw_event()
        self._ask("cook")

    def _end_discard_discard(self, card: str) -> None:
        seat = self.state["current"]
        me(self.state)["hand"].remove(card)
        self._put_away("event", card)
        self._tell("event_discard", seat=seat, card=card)
        self._end_discard_keep()

    def _cook_pass(self) -> None:
        self._end_turn()

    def _cook_cook(self) -> None:
        self._spend("rations")
        self._draw_event()
        self._end_turn()


def new_turn() -> Json:
    """W71's `turn`, nothing having happened."""
    return {
        "steps": 0,
        "tailwinds": 0,
        "flat_tires": 0,
        "outrider": False,
        "sandstorm": False,
        "road_blocks": [],
        "wilds": [],
        "attackers": [],
        "dry": [],
        "bargain": False,
        "bonus": False,
        "ditched": [],
        "healed": False,
        "actions": 0,
    }
