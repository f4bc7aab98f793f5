"""The bot that plays what an agent chooses, and has its fallback play when there is no answer in time."""

import time
from collections.abc import Sequence
from typing import Any, ClassVar

import arena.sdk
from arena.sdk.exceptions import describe
from arena.sdk.game_messages import inner
from arena.sdk.llm.answer import one_line
from arena.sdk.llm.fallback import MARGIN_S, latest, sensible_index, too_fast
from arena.sdk.llm.match_texts import MatchTexts
from arena.sdk.mcp.seats import Answer, NewsKind, Seats
from arena.v1 import play_pb2


class AgentBot(arena.sdk.PackedBot[Any, Any, Any]):
    """A bot whose actions an agent chooses. `bot_for` makes the class that plays."""

    seats: ClassVar[Seats]
    margin_s: ClassVar[float] = MARGIN_S

    def __init__(self) -> None:
        """Begin before the match."""
        self._texts: MatchTexts | None = None

    def on_match_started(self, match: arena.sdk.Match) -> None:
        """Tell the agent of the match; after a lost connection it continues."""
        if self._texts is not None:
            return
        self._texts = MatchTexts(match)
        warning = too_fast(match.time_control, self.margin_s)
        self.seats.begin(
            match,
            self._texts,
            f"{'You are back in' if match.comeback else 'A match has begun:'} {match.name}. You play {match.game} on "
            f"seat {match.seat} of {match.seats}.{f' {warning}' if warning else ''}",
        )

    def choose(self, observation: Any, legal_actions: Sequence[int], clock: arena.sdk.Clock) -> Any:
        """Return the agent's action, or the place of the fallback's; never later than the clock allows."""
        assert self._texts is not None
        until = latest(clock, self.margin_s)
        self._texts.happened(self.happened)
        if len(legal_actions) == 1:
            self._texts.chose(legal_actions[0])
            return 0
        try:
            answer = self._ask(observation, legal_actions, until)
        except Exception as error:  # noqa: BLE001 - whatever has failed, the decision must not be lost
            self.debug(f"the agent was not asked: {describe(error, self.choose)}")
            answer = None
        if answer is None:
            index = self._fall_back(observation, legal_actions)
            self._texts.chose(legal_actions[index])
            return index
        if answer.thoughts:
            self.debug(f"thoughts: {one_line(answer.thoughts)}")
        self._texts.chose(answer.action)
        if answer.action in legal_actions:
            return list(legal_actions).index(answer.action)
        return inner(self._texts.message(answer.action))

    def on_decision_closed(self, closed: play_pb2.DecisionClosed) -> None:
        """Tell the agent that the arena has played for its seat."""
        if self._texts is not None:
            self._texts.replaced(closed.played)
        self.seats.tell(NewsKind.ARENA_PLAYED, self.match.name, closed.sentence)
        self.seats.note_last(self.match.name, closed.sentence)

    def on_match_ended(self, match: arena.sdk.Match, result: arena.sdk.Result) -> None:
        """Tell the agent how the match ended."""
        scores = ", ".join(f"seat {seat} {each.score}" for seat, each in enumerate(result.record.seats))
        how = (
            f"you are in place {result.placing} of {match.seats}. Scores: {scores}. Ending: {result.ending}."
            if result.placing
            else "it is void."
        )
        self.seats.end(
            match.name, NewsKind.MATCH_ENDED, f"{match.name} is over: {how} {result.sentence}".strip()
        )

    def on_match_lost(self, match: arena.sdk.Match) -> None:
        """Tell the agent that the match is not its own any more."""
        self.seats.end(
            match.name,
            NewsKind.MATCH_LOST,
            f"{match.name} has ended while this program was not connected, or the arena does not know it any more.",
        )

    def _ask(self, observation: Any, legal_actions: Sequence[int], until: float) -> Answer | None:
        """Return the agent's answer; None if it gives none in time."""
        assert self._texts is not None
        question = self._texts.question(observation, legal_actions)
        if until <= time.monotonic():
            return None
        seen = self._texts.read(observation)
        decision = self.seats.open(self.match, seen, legal_actions, question, until)
        return self.seats.await_answer(decision, self.is_open)

    def _fall_back(self, observation: Any, legal_actions: Sequence[int]) -> int:
        """Return the place of what the fallback plays; tell the agent, unless the arena waits no longer."""
        assert self._texts is not None
        index = sensible_index(self._texts, observation, legal_actions, self.debug)
        if self.is_open():
            self.debug("fallback sensible: the agent has not answered in time")
            told = self._texts.words(observation, legal_actions[index])
            sentence = f"You did not answer in time, so the fallback has played: {told}."
            self.seats.tell(NewsKind.FALLBACK_PLAYED, self.match.name, f"{self.match.name}: {sentence}")
            self.seats.note_last(self.match.name, sentence)
        return index


def bot_for(name: str, seats: Seats, games: tuple[str, ...], matches: int) -> type[AgentBot]:
    """Return the class that plays some games, so many matches at once."""
    values: dict[str, Any] = {
        "name": name,
        "games": games,
        "matches": matches,
        "open_decisions": matches,
        "seats": seats,
    }
    return type("AgentBot", (AgentBot,), values)
