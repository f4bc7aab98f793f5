"""The bot that plays what a person chooses: a program of the sdk like any other."""

import argparse
import logging
import os
import shlex
import sys
import threading
import time
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from rich.console import Console
from rich.text import Text

import arena.sdk
from arena.codecs.codec import codec_for
from arena.core.match import ENDED_BY_FORFEIT
from arena.drawings.drawing import drawing_for
from arena.drawings.narration import Paragraph, seat_names
from arena.human.browser import Browser
from arena.human.hints import Adviser, HintsMissingError
from arena.human.lines import ClosedError, Question
from arena.human.news import News
from arena.human.terminal import Resigned, Seat, Terminal
from arena.human.turn import Advice, Planned, PlannedTurn
from arena.sdk.game_messages import GAMES, inner
from arena.v1 import games_pb2, happening_pb2, play_pb2


class HumanBot(arena.sdk.PackedBot):
    """Asks a person, and plays what they have planned as long as it comes as they expected."""

    name = "me"
    games = GAMES
    hints = ""
    """The sample bot that gives hints; empty: the best there is."""

    browser: ClassVar[Browser | None] = None
    """The page on which to ask; None: on the terminal."""

    has_clock = True
    """Whether the arena limits the time of a decision."""

    def __init__(self) -> None:
        """Begin before the match."""
        self._plan: list[Planned] = []
        """Planned actions; the first is the one that was sent last."""
        self._untold: list[happening_pb2.Happening] = []
        """What happened since the view that the person was asked about last."""
        self._adviser: Adviser | None = None
        self._screen: Terminal | Browser | None = None

    def on_match_started(self, match: arena.sdk.Match) -> None:
        """Say who plays; after a lost connection, that the match continues: what is planned stays planned."""
        if self._screen is not None:
            self._screen.note("Connected again: the match continues.")
            return
        self._codec = codec_for(match.game)
        self._names = seat_names(each.partition("/")[2] or each for each in match.participants)
        seat = Seat(match.game, match.seat, self._names)
        self._seen = self._read(match.view)
        for action in (each for answer in match.answers for each in answer.actions):
            self._acted(action)  # before this program took the seat over
        opponents = ", ".join(name for each, name in enumerate(self._names) if each != match.seat)
        who = f"You are {self._names[match.seat]}, on seat {match.seat}"
        if self.browser is None:
            self._screen = Terminal(Console(highlight=False), drawing_for(seat.game), seat)
            self._screen.begin(f"{who}{f', against {opponents}' if opponents else ''}.")
        else:
            self._screen = self.browser
            self.browser.begin(seat, f"{who}{f', against {opponents}' if opponents else ''}.")
        if self.has_clock:
            self._screen.note(_clock_in_words(match))

    def choose(self, observation: Any, legal_actions: Sequence[int], clock: arena.sdk.Clock) -> Any:
        """Return the next planned action, or ask."""
        seen = self._read(observation)
        self._untold += self.happened
        expected = self._plan[0].leads_to if self._plan else None
        self._plan = self._plan[1:]
        if expected != seen or not self._plan:
            self._tell(seen)
            if self._plan:
                self._asked.note("It came differently: the rest of your plan was not sent.")
            self._seen = seen
            try:
                self._plan = self._ask(seen, clock)
            except Resigned:
                self.resign()
                return 0
            except ClosedError:
                self._plan = []
                return 0  # no answer is sent: the decision is closed
        action = games_pb2.Action.FromString(self._codec.encode_action(self._plan[0].choice.action))
        self._acted(action)
        return inner(action)

    @property
    def _asked(self) -> Terminal | Browser:
        """The screen of the person; from the start of the match on."""
        assert self._screen is not None
        return self._screen

    def _ask(self, seen: object, clock: arena.sdk.Clock) -> list[Planned]:
        question = Question(self.is_open, clock.deadline if self.has_clock else None)
        return self._asked.ask(PlannedTurn(self.match.game, seen, self._names), self._advise, question)

    def on_decision_closed(self, closed: play_pb2.DecisionClosed) -> None:
        """Forget the plan: the arena has played for this seat. The sdk says why."""
        self._plan = []
        if self._untold and self._untold[-1].WhichOneof("kind") == "action":
            self._untold.pop()  # what was sent, and not played
        for action in closed.played:
            self._acted(action)

    def _acted(self, action: games_pb2.Action) -> None:
        """Keep an action of this seat: what happened is sent without it."""
        sent = happening_pb2.SeatAction(seat=self.match.seat, action=action)
        self._untold.append(happening_pb2.Happening(action=sent))

    def on_match_ended(self, match: arena.sdk.Match, result: arena.sdk.Result) -> None:
        """Tell the rest and show the last position."""
        self._untold += self.happened
        last = self._seen if result.view is None else self._read(result.view)
        self._tell(last)
        self._asked.show_end(last, _result_in_words(self.match.game, result, self._names))

    def _tell(self, now: object) -> None:
        news = News(self.match.game, self.match.seat, self._seen, self._names)
        self._asked.show(news.tell(self._untold, now))
        self._untold = []

    def _advise(self, turn: PlannedTurn) -> Advice:
        try:
            if self._adviser is None:
                self._adviser = Adviser(self.match, self.hints)
            choice = turn.choice_of(self._adviser.advise(turn.position()))
        except HintsMissingError as error:
            return Advice(str(error))
        except Exception as error:  # noqa: BLE001 - a hint is not worth a decision
            return Advice(f"The sample bot has failed: {type(error).__name__}: {error}")
        return Advice(f"The sample bot {self._adviser.name} would play: {choice.told}.", choice)

    def _read(self, observation: Any) -> object:
        wire: dict[str, Any] = {self.match.game: observation}
        return self._codec.decode_observation(games_pb2.Observation(**wire))


def _clock_in_words(match: arena.sdk.Match) -> str:
    """Return what the clock of the match allows."""
    rules = match.time_control
    bank = f" and {rules.bank_ms / 1000:g} s for all decisions together" if rules.bank_ms else ""
    return (
        f"{'Rated' if match.rated else 'Unrated'} match {match.name.partition('/')[2]}. You have "
        f"{rules.per_decision_ms / 1000:g} s for each decision{bank}; the time left is shown. When it is over, the "
        f"arena acts for you, and you get a strike. After more than {rules.strikes} you lose your seat."
    )


def _result_in_words(game: str, result: arena.sdk.Result, names: Sequence[str]) -> str:
    """Return how the match ended for the person."""
    if not result.placing:
        return f"The match is void: {result.sentence}"
    words = drawing_for(game).ending(result.ending)
    why = f" Why it ended: {words}." if words != result.ending else ""
    if result.ending in ENDED_BY_FORFEIT:  # the game did not come to a score
        return f"The match is over: you are in place {result.placing} of {len(names)}. {result.sentence}"
    scores = ", ".join(f"{name} {seat.score}" for name, seat in zip(names, result.record.seats, strict=False))
    return f"The match is over: you are in place {result.placing} of {len(names)}. Scores: {scores}.{why}"


def _files(log: str) -> list[str]:
    """Return where the match is found when it is over."""
    name, page = shlex.quote(log), shlex.quote(str(Path(log).with_suffix(".html")))
    return [
        f"The log of the match: {log}",
        f"A page that plays it again: arena log render {name} -o {page}",
        f"What decided it, and the thinking times: arena log explain {name}",
        "Another match: the same arena play once more",
    ]


def _has_screen() -> bool:
    """Return whether a browser can be opened: not one in the terminal, which belongs to the match."""
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def _end_with_parent() -> None:
    """End this program with the command that has started it, even while it waits for a key."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class _ToPerson(logging.Handler):
    """Shows the person what the sdk has to say, such as a lost connection."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print the sentence, and show it on the page."""
        Console(stderr=True, highlight=False).print(Text(), Paragraph(Text(record.getMessage())))
        if HumanBot.browser is not None:
            HumanBot.browser.note(record.getMessage())


def main() -> NoReturn:
    """Play at the arena that the environment names, as bots do. The command line may name the bot that gives hints."""
    parser = argparse.ArgumentParser(prog="python -m arena.human", description="Play matches by hand.")
    parser.add_argument("--hint", default="", metavar="BOT", help="the sample bot that gives hints")
    parser.add_argument("--browser", action="store_true", help="play in a browser instead of the terminal")
    parser.add_argument(
        "--log", default="", metavar="FILE", help="where the arena writes the log of the match"
    )
    parser.add_argument("--served", action="store_true", help="for web pages of an arena: open no browser")
    arguments = parser.parse_args()
    HumanBot.hints = arguments.hint
    log = logging.getLogger("arena.sdk")
    log.setLevel(logging.WARNING)
    log.addHandler(_ToPerson())
    log.propagate = False
    if os.environ.get("ARENA_DEBUGGED"):
        HumanBot.has_clock = False
    _end_with_parent()
    if arguments.browser:
        HumanBot.browser = Browser(_files(arguments.log) if arguments.log else ())
        Console(highlight=False, soft_wrap=True).print(f"Play in a browser: {HumanBot.browser.address}")
        if _has_screen() and not arguments.served:
            webbrowser.open(HumanBot.browser.address)
    arena.sdk.run(HumanBot)
