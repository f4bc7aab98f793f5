"""The bot: asks the model about each decision, and has its fallback play when there is no answer in time."""

import logging
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import arena.sdk
from arena.sdk.exceptions import describe
from arena.sdk.llm.answer import Answer, UnusableAnswerError, one_line, read_answer
from arena.sdk.llm.endpoint import LEAST_S, Endpoint, EndpointError, Message, Reply
from arena.sdk.llm.fallback import MARGIN_S, latest, sensible_index, too_fast
from arena.sdk.llm.folder import Folder, FolderError, Usage
from arena.sdk.llm.match_texts import rules_of
from arena.sdk.llm.prompt import Briefing
from arena.sdk.llm.spending import Budget, CapReachedError, Total
from arena.v1 import play_pb2

_LOG = logging.getLogger("arena.sdk")


class _NoAnswerError(Exception):
    """The model chooses nothing that can be played. The message is one sentence for the bot's owner."""


@dataclass(slots=True)
class Counts:
    """What became of the decisions of one match."""

    decisions: int = 0
    by_model: int = 0
    by_fallback: int = 0
    asked_again: int = 0


class LlmBot(arena.sdk.PackedBot[Any, Any, Any]):
    """A bot whose actions a language model chooses. `bot_of` makes the class of a folder."""

    folder: ClassVar[Folder]
    endpoint: ClassVar[Endpoint]
    total: ClassVar[Total]
    margin_s: ClassVar[float] = MARGIN_S

    def __init__(self) -> None:
        """Begin before the match."""
        self.counts = Counts()
        self.budget = Budget(self.folder.caps, self.folder.price, self.total)
        self._briefing: Briefing | None = None
        self._thoughts = ""
        """Of the last decision."""

    def on_match_started(self, match: arena.sdk.Match) -> None:
        """Prepare the texts of the match; after a lost connection they continue."""
        if self._briefing is not None:
            return
        self._briefing = Briefing(match, self.folder)
        if warning := too_fast(match.time_control, self.margin_s):
            self._say(warning)
        if self.folder.rules != "none" and not (
            self.folder.own_rules or rules_of(match.game, self.folder.rules)
        ):
            self._say(
                "The pages with the rules are not installed: write the rules into rules.md of the folder."
            )

    def choose(self, observation: Any, legal_actions: Sequence[int], clock: arena.sdk.Clock) -> int:
        """Return the place of the model's action, or of the fallback's; never later than the clock allows."""
        until = latest(clock, self.margin_s)
        self.counts.decisions += 1
        self.budget.begin_decision()
        try:
            index = self._choose(observation, legal_actions, until)
        except (_NoAnswerError, EndpointError, CapReachedError, FolderError) as why:
            index = self._fall_back(observation, legal_actions, str(why))
        except Exception as error:  # noqa: BLE001 - whatever has failed, the decision must not be lost
            index = self._fall_back(observation, legal_actions, describe(error, self.choose))
        if self._briefing is not None:
            self._briefing.chose(legal_actions[index])
        return index

    def on_decision_closed(self, closed: play_pb2.DecisionClosed) -> None:
        """Take note that the arena has played for this seat."""
        if self._briefing is not None:
            self._briefing.replaced(closed.played)

    def on_match_ended(self, match: arena.sdk.Match, result: arena.sdk.Result) -> None:
        """Print what the match has taken."""
        counts, used = self.counts, self.budget.match
        _LOG.info(
            "%s: place %d. %d decisions: %d by the model, %d by the fallback, %d asked again. %d requests with %d + %d "
            "tokens, cost %.4f.",
            match.name,
            result.placing,
            counts.decisions,
            counts.by_model,
            counts.by_fallback,
            counts.asked_again,
            self.budget.requests,
            used.input,
            used.output,
            self.budget.cost,
        )

    def _choose(self, observation: Any, legal_actions: Sequence[int], until: float) -> int:
        """Return the place of the only action, or of the model's. Raises what `choose` catches."""
        assert self._briefing is not None
        self._briefing.happened(self.happened)
        if len(legal_actions) == 1:
            return 0
        if until - time.monotonic() < LEAST_S:
            raise _NoAnswerError("The clock leaves no time for a request.")
        question = self._briefing.ask(observation, legal_actions, self._thoughts)
        messages: list[Message] = [
            {"role": "system", "content": self._briefing.system},
            {"role": "user", "content": question.text},
        ]
        answer = self._answer(messages, question.notations, until)
        self.counts.by_model += 1
        self._thoughts = answer.thoughts
        if answer.thoughts:
            self._say(f"thoughts: {answer.thoughts}")
        return answer.index

    def _answer(self, messages: Sequence[Message], notations: Sequence[str], until: float) -> Answer:
        """Return the model's answer; if it cannot be used, the one to the second question, with the reason."""
        reply = self._ask(messages, until)
        try:
            return _read(reply, notations)
        except UnusableAnswerError as error:
            reason = str(error)
        self.counts.asked_again += 1
        self._say(f"asked again: {reason}")
        said: list[Message] = [{"role": "assistant", "content": reply.text}] if reply.text.strip() else []
        again = {"role": "user", "content": f"{reason} Answer again, with the JSON object alone."}
        try:
            return _read(self._ask([*messages, *said, again], until), notations)
        except UnusableAnswerError as error:
            raise _NoAnswerError(f"The model was asked twice. {error}") from None

    def _ask(self, messages: Sequence[Message], until: float) -> Reply:
        """Return the reply to a chat, and keep in a debug line what it has taken."""
        began, before = time.monotonic(), self.budget.match
        try:
            return self.endpoint.ask(messages, self.budget, until=until, is_wanted=self.is_open)
        finally:
            used = self.budget.match
            this = Usage(used.input - before.input, used.output - before.output)
            self._say(
                f"{self.folder.model}: {this.input} + {this.output} tokens, {time.monotonic() - began:.1f} s, cost "
                f"{self.budget.cost_of(this):.4f}; the match so far: {used.tokens} tokens, cost {self.budget.cost:.4f}"
            )

    def _fall_back(self, observation: Any, legal_actions: Sequence[int], why: str) -> int:
        """Return the place of the action that the fallback plays."""
        self.counts.by_fallback += 1
        self._say(f"fallback {self.folder.fallback}: {why}")
        if self.folder.fallback == "sensible" and self._briefing is not None:
            return sensible_index(self._briefing, observation, legal_actions, self._say)
        return 0

    def _say(self, text: str) -> None:
        """Keep a debug line. What an endpoint says may hold the key, which nobody is to read."""
        self.debug(one_line(self.endpoint.without_key(text)))


def bot_of(folder: Folder, key: str) -> type[LlmBot]:
    """Return the class of the folder's bot, with its endpoint. Raises FolderError: the spending cannot be counted."""
    total = Total(folder.path, folder.price, folder.caps.cost_total)
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", folder.path.resolve().name) or "llm"
    values: dict[str, Any] = {
        "name": name,
        "version": folder.version,
        "games": folder.games,
        "matches": folder.matches,
        "open_decisions": folder.matches,
        "folder": folder,
        "endpoint": Endpoint(folder, key),
        "total": total,
    }
    return type("LlmBot", (LlmBot,), values)


def _read(reply: Reply, notations: Sequence[str]) -> Answer:
    """Return the answer in a reply. Raises UnusableAnswerError, with the reason for the model."""
    try:
        return read_answer(reply.text, notations)
    except UnusableAnswerError:
        if reply.refusal:
            raise UnusableAnswerError(
                f"You refused ({reply.refusal}). This is a board game between programs, and somebody has to move."
            ) from None
        if reply.cut_off:
            raise UnusableAnswerError(
                "Your answer was cut off before its end. Think less, and keep the thoughts to one sentence."
            ) from None
        raise
