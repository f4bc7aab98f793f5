"""A decision of a person on a terminal: the board, the legal actions with numbers, and what they type."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.text import Text

from arena.drawings.drawing import Drawing
from arena.drawings.narration import Paragraph
from arena.human.lines import Lines, Question
from arena.human.listing import LISTED, listed, meant, one_by_one
from arena.human.rules import CLAUSES, Medium, clauses, rules_page, turn_in_short
from arena.human.turn import Advice, Choice, Planned, PlannedTurn
from engine.game import IllegalActionError, UnreadableActionError

_HELP: Final = (
    ("12", "plan action 12 of the list, which is numbered anew after each one"),
    ("camel 44", "list the actions with these words, or plan it if there is only one"),
    ("a", "list all actions one by one"),
    ("Enter", "send what is planned"),
    ("u", "take the last planned action back"),
    ("h", "ask a sample bot for a hint"),
    ("b", "show the board and the list again"),
    ("? words", "show the rules that have these words, for example `? score`"),
    ("r", "show the rules of a turn in short"),
    ("q", "resign"),
)

Read = Callable[[str, Question], str]
"""Shows a prompt and returns a line; raises as `arena.human.lines.Lines.read` does."""


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

    def __init__(self, console: Console, drawing: Drawing, seat: Seat, read: Read | None = None) -> None:
        """`read`: reads a line; by default from standard input."""
        self._console, self._drawing, self._seat = console, drawing, seat
        self._read = Lines(self._write).read if read is None else read
        self._news: list[RenderableType] = []
        """What happened since the board was shown last."""

    def _write(self, text: str) -> None:
        self._console.print(text, end="", markup=False, highlight=False, soft_wrap=True)
        self._console.file.flush()

    def begin(self, sentence: str) -> None:
        """Say who plays, and what a turn is."""
        self._print(Text(sentence, style="bold"))
        self._short_rules()

    def _print(self, *parts: RenderableType) -> None:
        for part in parts:
            self._console.print(part, highlight=False)

    def show(self, parts: Iterable[RenderableType]) -> None:
        """Show what happened; below the next board, so that a terminal with few lines shows it, too."""
        self._news += parts

    def note(self, sentence: str) -> None:
        """Print a sentence."""
        self._print(Paragraph(Text(sentence, style="italic")))

    def show_board(self, observation: object) -> None:
        """Print the position, and what happened since the last one."""
        self._print(Text(), Group(self._drawing.draw(observation, self._seat.names)))
        if self._news:
            self._print(Text(), *self._news)
        self._news = []

    def show_end(self, observation: object, sentence: str) -> None:
        """Print the last position and the result."""
        self.show_board(observation)
        self._print(Text(), Text(sentence, style="bold"))

    def ask(
        self, turn: PlannedTurn, advise: Callable[[PlannedTurn], Advice], question: Question
    ) -> list[Planned]:
        """Return the actions to send, at least one. `advise`: gives a hint.

        Raises Resigned. Raises `arena.human.lines.ClosedError`: the arena waits no longer.
        """
        self._question = question
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
        self, turn: PlannedTurn, choices: list[Choice], advise: Callable[[PlannedTurn], Advice]
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
                    self._hint(turn, choices, advise)
                case "a" | "b" | "r" as which:
                    self._show_again(which, turn, choices)
                case "q":
                    self._confirm_resignation()
                case text if text.startswith("?"):
                    self._help(text[1:].strip(), choices)
                case _:
                    chosen = self._chosen(line, turn, choices)
                    if chosen is not None:
                        turn.plan(chosen)
                        self._position(turn)
                        return False

    def _show_again(self, which: str, turn: PlannedTurn, choices: list[Choice]) -> None:
        match which:
            case "a":
                self._print(one_by_one(choices, choices))
            case "b":
                self._position(turn)
                self._list(choices, choices)
            case "r":
                self._short_rules()

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
            found = meant(choices, line)
            if len(found) != 1:
                self._list(found, choices, line)
                return None
            return found[0]

    def _hint(
        self, turn: PlannedTurn, choices: list[Choice], advise: Callable[[PlannedTurn], Advice]
    ) -> None:
        if not choices:
            self.note("The plan is complete: Enter sends it, u takes it back.")
            return
        advice = advise(turn)
        if advice.choice is None:
            self.note(advice.sentence)
            return
        actions = [choice.action for choice in choices]
        listed_at = advice.choice.action in actions and actions.index(advice.choice.action) + 1
        self.note(f"{advice.sentence} Type {listed_at or advice.choice.notation} to plan it.")

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
            return self._read(prompt, self._question)
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
        self._print(Text())
        for number, planned in enumerate(turn.planned, start=1):
            self._print(Paragraph(Text(f"Planned {number}: {planned.choice.told}.")))
        if turn.outlook:
            self._print(Paragraph(Text(turn.outlook)))

    def _list(self, shown: Sequence[Choice], choices: Sequence[Choice], words: str = "") -> None:
        """Print actions with their numbers in the list of all; if there are too many, their kinds."""
        if not choices:
            return
        if not shown:
            rules = f" `? {words}` shows the rules about it." if clauses(self._seat.game, words) else ""
            self.note(f"You can do nothing now that has the words {words!r}.{rules} a lists what you can do.")
            return
        if len(shown) > LISTED:
            self.note(f"{len(shown)} actions. Type the number of one, or words of it: `{_example(shown)}`.")
        self._print(listed(shown, choices))

    def _short_rules(self) -> None:
        short = (
            turn_in_short(self._seat.game, Medium.TERMINAL) or f"The rules: {rules_page(self._seat.game)}."
        )
        for line in short.splitlines():
            self._print(Paragraph(Text(line)))

    def _help(self, words: str, choices: Sequence[Choice]) -> None:
        if not words:
            for key, meaning in _HELP:
                self._print(Text.assemble("  ", (f"{key:<10}", "bold"), meaning))
            if choices:
                self.note(
                    f"An action as the rules write it, such as {choices[-1].notation}, is planned, too; "
                    "if it is not legal, you see the rule that forbids it."
                )
            self.note(f"The whole rules: {rules_page(self._seat.game)}.")
            return
        found = clauses(self._seat.game, words)
        if not found:
            self.note(f"No rule has the words {words!r}. The whole rules: {rules_page(self._seat.game)}.")
        for each in found[:CLAUSES]:
            self._print(Paragraph(Text(each)))
        if len(found) > CLAUSES:
            self.note(f"{len(found) - CLAUSES} more places have these words: {rules_page(self._seat.game)}.")


def _example(choices: Sequence[Choice]) -> str:
    """Return the first and the last word of an action in the middle of the list."""
    words = choices[len(choices) // 2].words.split()
    return f"{words[0]} {words[-1]}"
