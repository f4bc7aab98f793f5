"""A decision of a person on a terminal: the board, the legal actions with numbers, and what they type."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.text import Text

from arena.drawings.drawing import Drawing
from arena.drawings.narration import Paragraph
from arena.human.rules import clauses, rules_page
from arena.human.turn import Choice, Planned, PlannedTurn
from engine.game import IllegalActionError, UnreadableActionError

LISTED: Final = 30
"""Actions in one list; of more only their kinds are listed."""
_KINDS: Final = 24
"""At most so many kinds."""

_HELP: Final = (
    ("12", "plan action 12 of the list"),
    ("camel 44", "list only the actions with these words, at least two letters"),
    ("a", "list all actions again"),
    ("Enter", "send what is planned"),
    ("u", "take the last planned action back"),
    ("h", "ask a sample bot for a hint"),
    ("b", "show the board again"),
    ("? words", "show the rules that have these words, for example `? city`"),
    ("q", "resign"),
)


class Resigned(Exception):  # noqa: N818 - a decision, not an error
    """The person resigns."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who is asked."""

    game: str
    seat: int
    names: Sequence[str]
    """The bots by seat."""


class Terminal:
    """Asks a person on a terminal."""

    def __init__(
        self, console: Console, drawing: Drawing, seat: Seat, read: Callable[[str], str] = input
    ) -> None:
        """`read`: shows a prompt and returns a line; raises EOFError where there is none any more."""
        self._console, self._drawing, self._seat, self._read = console, drawing, seat, read

    def show(self, parts: Iterable[RenderableType]) -> None:
        """Print what happened."""
        for part in parts:
            self._console.print(part, highlight=False)

    def note(self, sentence: str) -> None:
        """Print a sentence."""
        self.show([Paragraph(Text(sentence, style="italic"))])

    def show_board(self, observation: object) -> None:
        """Print the position."""
        board = Group(self._drawing.draw(observation, self._seat.names))
        self.show([Text(), board])

    def show_end(self, observation: object) -> None:
        """Print the last position."""
        self.show_board(observation)

    def ask(self, turn: PlannedTurn, advise: Callable[[PlannedTurn], str]) -> list[Planned]:
        """Return the actions to send, at least one. `advise`: returns a hint as a sentence. Raises Resigned."""
        self._position(turn)
        while True:
            choices = turn.choices()
            if len(choices) == 1 and not turn.planned:
                self.note(f"There is only one action: {choices[0].words}.")
                turn.plan(choices[0])
                continue
            sent = self._ask_once(turn, choices, advise)
            if sent:
                return list(turn.planned)

    def _ask_once(
        self, turn: PlannedTurn, choices: list[Choice], advise: Callable[[PlannedTurn], str]
    ) -> bool:
        """Read commands until the plan changes; return whether to send it."""
        self._list(choices, choices)
        while True:
            line = self._line(turn).strip()
            match line.casefold():
                case "":
                    if turn.planned:
                        return True
                    self.note(
                        "Nothing is planned yet: type the number of an action. ? shows what you can type."
                    )
                case "u":
                    if turn.undo():
                        self._position(turn)
                        return False
                    self.note("Nothing is planned. What was sent cannot be taken back.")
                case "h":
                    self.note(
                        advise(turn) if choices else "The plan is complete: Enter sends it, u takes it back."
                    )
                case "a":
                    self._list(choices, choices)
                case "b":
                    self._position(turn)
                case "q":
                    self._confirm_resignation()
                case text if text.startswith("?"):
                    self._help(text[1:].strip())
                case _:
                    chosen = self._chosen(line, turn, choices)
                    if chosen is not None:
                        turn.plan(chosen)
                        self._position(turn)
                        return False

    def _chosen(self, line: str, turn: PlannedTurn, choices: list[Choice]) -> Choice | None:
        """Return the action that a line names; None if it names none, after saying what it does name."""
        if not turn.is_open:
            self.note("The plan is complete: Enter sends it, u takes the last action back.")
            return None
        if line.isdecimal():
            if 1 <= int(line) <= len(choices):
                return choices[int(line) - 1]
            self.note(f"There is no action {line}: they have the numbers 1 to {len(choices)}.")
            return None
        try:
            return turn.read(line)
        except IllegalActionError as error:
            self.note(f"{line} is not possible now: {error}")
            return None
        except UnreadableActionError:
            self._list(_filtered(choices, line), choices, line)
            return None

    def _line(self, turn: PlannedTurn) -> str:
        if not turn.planned:
            prompt = "Your action (? for help): "
        elif turn.is_open:
            prompt = "Next action, or Enter to send (u: undo): "
        else:
            prompt = "Enter to send (u: undo): "
        return self._read_line(prompt)

    def _read_line(self, prompt: str) -> str:
        """Return a line. Raises Resigned: there is no further one."""
        try:
            return self._read(prompt)
        except EOFError:
            self._console.print()
            raise Resigned from None

    def _confirm_resignation(self) -> None:
        if self._read_line("Resign, which is a forfeit? Type yes: ").strip().casefold() in ("y", "yes"):
            raise Resigned
        self.note("You play on.")

    def _position(self, turn: PlannedTurn) -> None:
        """Print the board as it will be after what is planned, and the plan."""
        self.show_board(turn.observation)
        self.show([Text()])
        for number, planned in enumerate(turn.planned, start=1):
            self.show([Paragraph(Text(f"Planned {number}: {planned.choice.words}."))])
        if turn.planned and turn.planned[-1].leads_to is None:
            self.show([Paragraph(Text("What follows depends on chance or on what you cannot see."))])

    def _list(self, shown: Sequence[Choice], choices: Sequence[Choice], words: str = "") -> None:
        """Print actions with their numbers in the list of all; if there are too many, their kinds."""
        if not choices:
            return
        if not shown:
            self.note(f"No action has the words {words!r}. a lists all, ? shows what you can type.")
            return
        numbers = {choice.action: number for number, choice in enumerate(choices, start=1)}
        if len(shown) > LISTED:
            self.note(f"{len(shown)} actions. Type words of those you want to see, or the number of one.")
            for beginning, members in _kinds(shown).items():
                count = f"{len(members):>5} "
                example = f"{numbers[members[0].action]:>4} {members[0].words}"
                more = f" ... ({beginning})" if len(members) > 1 else ""
                self.show([Text.assemble((count, "dim"), example, (more, "dim"))])
            return
        lines = [Text.assemble((f"{numbers[each.action]:>4} ", "bold"), each.words) for each in shown]
        self.show([Columns(lines, column_first=True, width=None, padding=(0, 2))])

    def _help(self, words: str) -> None:
        if not words:
            for key, meaning in _HELP:
                self.show([Text.assemble("  ", (f"{key:<10}", "bold"), meaning)])
            self.note(f"The whole rules: {rules_page(self._seat.game)}.")
            return
        found = clauses(self._seat.game, words)
        if not found:
            self.note(f"No rule has the words {words!r}. The whole rules: {rules_page(self._seat.game)}.")
        for each in found:
            self.show([Paragraph(Text(each))])


def _kinds(choices: Sequence[Choice]) -> dict[str, list[Choice]]:
    """Return the actions by what their sentences begin with: the longer, the better, but few kinds."""
    kinds: dict[str, list[Choice]] = {"": list(choices)}
    pending = [""]
    while pending:
        beginning = pending.pop()
        parts: dict[str, list[Choice]] = {}
        for choice in kinds[beginning]:
            words = choice.words.split()
            parts.setdefault(" ".join(words[: len(beginning.split()) + 1]), []).append(choice)
        if parts.keys() == {beginning} or len(kinds) - 1 + len(parts) > _KINDS:
            continue
        kinds = {
            key: members
            for each, listed in kinds.items()
            for key, members in (parts.items() if each == beginning else [(each, listed)])
        }
        pending += parts
        pending.sort(key=lambda each: len(kinds[each]))
    return kinds


def _filtered(choices: Iterable[Choice], text: str) -> list[Choice]:
    """Return the actions that have all words, in their sentence or their notation."""
    wanted = text.casefold().split()
    return [
        choice
        for choice in choices
        if all(word in f"{choice.words} {choice.notation}".casefold() for word in wanted)
    ]
