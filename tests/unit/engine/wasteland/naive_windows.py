"""The event windows in the slow rules of Wasteland (section 6), and what each Event card does (W8)."""

from abc import abstractmethod
from typing import Any

from tests.unit.engine.wasteland.naive_legal import me
from tests.unit.engine.wasteland.naive_table import Table
from tests.unit.engine.wasteland.tables import ATTACK_TYPE, EVENTS, RESOURCES


class Windows(Table):
    """Offers, plays, passes and answers."""

    @abstractmethod
    def _after_window(self, name: str) -> None:
        """Go on with the turn (W23)."""

    @abstractmethod
    def _require_attack_card(self, *, surprise: bool = False) -> None:
        """W37."""

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
