"""What an agent means by an action, why it may not be played, what it leads to, and what the rules say."""

import re
from collections.abc import Sequence
from typing import Final

from arena.drawings.drawing import drawing_for
from arena.human.listing import meant
from arena.human.rules import CLAUSES, clauses
from arena.human.turn import Choice, PlannedTurn
from arena.sdk.llm.answer import UnusableAnswerError, index_of, one_line
from arena.sdk.mcp.errors import Reason, RefusedCallError
from arena.sdk.mcp.seats import OpenDecision
from engine.game import IllegalActionError, UnreadableActionError

_CANDIDATES: Final = 8
_PLANNING: Final = re.compile(r"Send (?:this|it), or take it back\.")
_SHOWN: Final = 200
"""Characters of an unknown action that are repeated."""


def choice_meant(decision: OpenDecision, action: int | str) -> Choice:
    """Return the legal action that is meant by its number in the list, its notation, or its whole sentence.

    An action of the rules that is legal without being listed is found by its notation. Raises RefusedCallError: the
    reason says why it may not be played, or that none or several are meant.
    """
    turn = PlannedTurn(decision.match.game, decision.observation)
    try:
        place = index_of(action, decision.question.notations)
    except UnusableAnswerError as error:
        if isinstance(action, int) or action.strip().removeprefix("-").isdecimal():
            raise RefusedCallError(Reason.ACTION_UNKNOWN, str(error)) from None
        return _choice_in_words(turn, decision, action)
    return turn.choice_of(decision.legal_actions[place])


def what_it_leads_to(decision: OpenDecision, choice: Choice) -> str:
    """Return the position after a legal action, as far as the seat can know it."""
    turn = PlannedTurn(decision.match.game, decision.observation)
    turn.plan(choice)
    if turn.planned[-1].leads_to is None:
        after = "What it leads to depends on chance or on what you cannot see."
    else:
        drawn = drawing_for(decision.match.game).draw(turn.planned[-1].leads_to).plain.rstrip("\n")
        after = f"The position after it:\n\n{drawn}"
    return f"{after}\n\n{_next(turn)}"


def what_the_rules_say(game: str, words: str) -> Sequence[str]:
    """Return the clauses of the rules with all these words, or of this number; empty if there is none."""
    return clauses(game, one_line(words, _SHOWN))[:CLAUSES]


def _choice_in_words(turn: PlannedTurn, decision: OpenDecision, text: str) -> Choice:
    """Return the action of a sentence or of a notation. Raises RefusedCallError."""
    try:
        return turn.read(text.strip())
    except IllegalActionError as error:
        raise RefusedCallError(
            Reason.ACTION_ILLEGAL, f"{one_line(text, _SHOWN)!r} may not be played now: {_short(error)}"
        ) from None
    except UnreadableActionError as error:
        unreadable = _short(error)
    choices = [turn.choice_of(action) for action in decision.legal_actions]
    wanted = text.casefold().strip().rstrip(".")
    same = [each for each in choices if wanted in (each.words.casefold(), each.told.casefold())]
    if len(same) == 1:
        return same[0]
    numbers = {choice.action: number for number, choice in enumerate(choices, start=1)}
    near = same or (meant(choices, text) if wanted else [])
    shown = "; ".join(f"{numbers[each.action]}. {each.told} [{each.notation}]" for each in near[:_CANDIDATES])
    if near:
        raise RefusedCallError(
            Reason.ACTION_AMBIGUOUS,
            f"{one_line(text, _SHOWN)!r} is not the whole sentence of one legal action. {len(near)} have these words"
            f": {shown}{'; ...' if len(near) > _CANDIDATES else ''}. Give the number of one of them.",
        )
    raise RefusedCallError(
        Reason.ACTION_UNKNOWN,
        f"{one_line(text, _SHOWN)!r} is no action of this game. {unreadable} Give the number of a listed action, "
        f"from 1 to {len(decision.legal_actions)}.",
    )


def _short(error: Exception) -> str:
    """Return what the rules say about a text, which they repeat."""
    return one_line(str(error), 2 * _SHOWN)


def _next(turn: PlannedTurn) -> str:
    """Return what comes after the planned action, without what a person may do with the plan."""
    if turn.is_open:
        return "You continue after it."
    return _PLANNING.sub("", turn.outlook).replace("Send this; then you", "You").strip()
