"""The bot that plays what a person chooses: a program of the sdk like any other."""

import argparse
import logging
import os
import sys
import threading
import time
import webbrowser
from collections.abc import Sequence
from typing import Any, NoReturn

from rich.console import Console
from rich.text import Text

import arena.sdk
from arena.codecs.codec import codec_for
from arena.drawings.drawing import drawing_for
from arena.drawings.narration import seat_names
from arena.human.browser import Browser
from arena.human.hints import Adviser, HintsMissingError
from arena.human.news import News
from arena.human.terminal import Resigned, Seat, Terminal
from arena.human.turn import Planned, PlannedTurn
from arena.sdk.game_messages import GAMES, inner
from arena.v1 import games_pb2, happening_pb2, play_pb2


class HumanBot(arena.sdk.PackedBot):
    """Asks a person, and plays what they have planned as long as it comes as they expected."""

    name = "me"
    games = GAMES
    hints = ""
    """The sample bot that gives hints; empty: the best there is."""

    in_browser = False
    """Whether to ask in a browser instead of on the terminal."""

    def __init__(self) -> None:
        """Begin before the match."""
        self._plan: list[Planned] = []
        """Planned actions; the first is the one that was sent last."""
        self._untold: list[happening_pb2.Happening] = []
        """What happened since the view that the person was asked about last."""
        self._adviser: Adviser | None = None

    def on_match_started(self, match: arena.sdk.Match) -> None:
        """Say who plays."""
        self._codec = codec_for(match.game)
        self._names = seat_names(each.partition("/")[2] or each for each in match.participants)
        self._screen = self._screen_of(Seat(match.game, match.seat, self._names))
        self._seen = self._read(match.view)
        self._plan, self._untold = [], []
        opponents = ", ".join(name for each, name in enumerate(self._names) if each != match.seat)
        who = f"You are {self._names[match.seat]}, on seat {match.seat}"
        self._screen.show([Text(f"{who}{f', against {opponents}' if opponents else ''}.", style="bold")])

    def _screen_of(self, seat: Seat) -> Terminal | Browser:
        if not self.in_browser:
            return Terminal(Console(highlight=False), drawing_for(seat.game), seat)
        browser = Browser(seat)
        Console(highlight=False, soft_wrap=True).print(f"Play in a browser: {browser.address}")
        if _has_screen():
            webbrowser.open(browser.address)
        return browser

    def choose(self, observation: Any, legal_actions: Sequence[int], clock: arena.sdk.Clock) -> Any:
        """Return the next planned action, or ask."""
        seen = self._read(observation)
        self._untold += self.happened
        expected = self._plan[0].leads_to if self._plan else None
        self._plan = self._plan[1:]
        if expected != seen or not self._plan:
            self._tell(seen)
            if self._plan:
                self._screen.note("It came differently: the rest of your plan was not sent.")
            self._seen = seen
            try:
                self._plan = self._ask(seen)
            except Resigned:
                self.resign()
                return 0
        action = games_pb2.Action.FromString(self._codec.encode_action(self._plan[0].choice.action))
        self._acted(action)
        return inner(action)

    def _ask(self, seen: object) -> list[Planned]:
        return self._screen.ask(PlannedTurn(self.match.game, seen, self._names), self._advise)

    def on_decision_closed(self, closed: play_pb2.DecisionClosed) -> None:
        """Say why the arena has played an action for this seat."""
        self._plan = []
        if self._untold and self._untold[-1].WhichOneof("kind") == "action":
            self._untold.pop()  # what was sent, and not played
        for action in closed.played:
            self._acted(action)
        self._screen.note(closed.sentence)

    def _acted(self, action: games_pb2.Action) -> None:
        """Keep an action of this seat: what happened is sent without it."""
        sent = happening_pb2.SeatAction(seat=self.match.seat, action=action)
        self._untold.append(happening_pb2.Happening(action=sent))

    def on_match_ended(self, match: arena.sdk.Match, result: arena.sdk.Result) -> None:
        """Tell the rest and show the last position."""
        self._untold += self.happened
        last = self._seen if result.view is None else self._read(result.view)
        self._tell(last)
        self._screen.show_end(last)

    def _tell(self, now: object) -> None:
        news = News(self.match.game, self.match.seat, self._seen, self._names)
        self._screen.show(news.tell(self._untold, now))
        self._untold = []

    def _advise(self, turn: PlannedTurn) -> str:
        try:
            if self._adviser is None:
                self._adviser = Adviser(self.match, self.hints)
            choice = turn.choice_of(self._adviser.advise(turn.position()))
        except HintsMissingError as error:
            return str(error)
        except Exception as error:  # noqa: BLE001 - a hint is not worth a decision
            return f"The sample bot has failed: {type(error).__name__}: {error}"
        return f"{self._adviser.name} would play: {choice.words}."

    def _read(self, observation: Any) -> object:
        wire: dict[str, Any] = {self.match.game: observation}
        return self._codec.decode_observation(games_pb2.Observation(**wire))


def _has_screen() -> bool:
    """Return whether a browser can be opened: not one in the terminal, which belongs to the match."""
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def _end_with_parent() -> None:
    """End this program with the match that has started it, even while it waits for a key."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main() -> NoReturn:
    """Play at the arena that the environment names, as bots do. The command line may name the bot that gives hints."""
    parser = argparse.ArgumentParser(prog="python -m arena.human", description="Play matches by hand.")
    parser.add_argument("--hint", default="", metavar="BOT", help="the sample bot that gives hints")
    parser.add_argument("--browser", action="store_true", help="play in a browser instead of the terminal")
    arguments = parser.parse_args()
    HumanBot.hints, HumanBot.in_browser = arguments.hint, arguments.browser
    logging.getLogger("arena.sdk").setLevel(logging.WARNING)
    if os.environ.get("ARENA_DEBUGGED"):
        _end_with_parent()
    arena.sdk.run(HumanBot)
