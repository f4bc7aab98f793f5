"""The rules of Wasteland once more, slowly: positions are the JSON of W71, actions that of W72, the log that of W75."""

from __future__ import annotations

import json

from tests.unit.engine.naive import Json
from tests.unit.engine.wasteland.naive_fights import Fights
from tests.unit.engine.wasteland.naive_legal import me, price
from tests.unit.engine.wasteland.naive_table import new_player
from tests.unit.engine.wasteland.tables import MISSIONS, NEW_DECKS, RESOURCES, WILDS

DEFAULTS: Json = {"check_rule": "engage", "max_rounds": 60}
MOST_ACTIONS = 40


class NaiveMatch(Fights):
    """A match: set-up, turns, Movement, Location, the end."""

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
