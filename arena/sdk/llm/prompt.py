"""What a model reads as a bot: the prompt of its folder, the texts of the match, and the form of the answer."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from arena.sdk.llm.answer import EXAMPLE
from arena.sdk.llm.folder import Folder
from arena.sdk.llm.match_texts import MatchTexts, Question, rules_of
from arena.sdk.match import Match

_HOW_TO_ANSWER: Final = f"""\
Answer with one JSON object and nothing else:
{EXAMPLE}
"action" is the number of one action of the list of legal actions. "thoughts" is your reason, in a few sentences; you
read it again at your next decision. An answer cannot be taken back."""


class Briefing(MatchTexts):
    """The texts of one match for the model of a folder."""

    def __init__(self, match: Match, folder: Folder) -> None:
        """Begin with the position in which the seat enters the match."""
        super().__init__(match)
        parts = (folder.prompt, self.about(), _rules(folder, match.game), _HOW_TO_ANSWER)
        self.system = "\n\n".join(part for part in parts if part)

    def ask(self, observation: object, legal_actions: Sequence[int], notes: str) -> Question:
        """Return the question of a decision, with what to do. `notes`: the model's thoughts at its last one."""
        question = self.question(observation, legal_actions, notes)
        return replace(question, text=f"{question.text}\n\nChoose one action. Answer with the JSON object.")


def _rules(folder: Folder, game: str) -> str:
    """Return what the model reads of the rules; empty if nothing."""
    text = folder.own_rules or rules_of(game, folder.rules)
    return f"## The rules\n\n{text}" if text else ""
