"""A seat of the bot in a scripted match: the messages about it, and its answers."""

from collections.abc import Sequence

from arena.codecs.codec import Codec
from arena.conformance import requirements
from arena.conformance.bot_connection import BotConnection
from arena.conformance.scripted_match import CLOCK, ScriptedMatch
from arena.conformance.verdict import NotTriedError, Requirement, UnmetError
from arena.drawings.drawing import drawing_for
from arena.v1 import ending_pb2, games_pb2, play_pb2
from engine.game import SPECTATOR, IllegalActionError, State, UnreadableActionError


def actions_of(
    answer: play_pb2.Answer, decision: play_pb2.Decision, state: State, codec: Codec
) -> tuple[int, ...]:
    """Return the legal actions that the answer to this decision stands for: one, or several for a plan.

    `state`: the position of the decision; it is not changed. Raises UnmetError: the rules do not allow it, or it cannot
    be read.
    """

    def unmet(what: str, requirement: Requirement) -> UnmetError:
        which = f"decision {decision.decision} of assignment {decision.assignment}"
        return UnmetError(f"Its answer to {which} {what}", requirement)

    match answer.WhichOneof("choice"):
        case "index":
            listed = len(decision.legal_actions) + len(decision.packed_legal_actions)
            if answer.index >= listed:
                raise unmet(f"is index {answer.index}, but {listed} actions were listed.", requirements.INDEX)
            return (int(state.legal_actions()[answer.index]),)
        case "action":
            try:
                actions = codec.decode_action(answer.action, state)
            except UnreadableActionError as error:
                raise unmet(f"does not count: {error}", requirements.LEGAL) from None
            tried = state.clone()
            for each in actions:
                try:
                    tried.apply(each)
                except IllegalActionError as error:
                    raise unmet(f"does not count: {error}", requirements.LEGAL) from None
            return actions
        case _:
            raise unmet("holds neither `index` nor `action`.", requirements.LEGAL)


class BotSeat:
    """One assignment. `connection` is the current connection; a comeback brings another."""

    def __init__(
        self, connection: BotConnection, match: ScriptedMatch, *, seat: int, assignment: int
    ) -> None:
        self.connection = connection
        self.match = match
        self.seat = seat
        self.assignment = assignment
        self.decision: play_pb2.Decision | None = None
        """The last one that was asked."""
        self._given: list[play_pb2.GivenAnswer] = []
        self._view: games_pb2.Observation | None = None
        """The last position that was shown."""

    # Messages about the seat

    def assigned(self) -> play_pb2.Assigned:
        """Assign the seat to the bot."""
        return self.match.assigned(self.assignment, self.seat)

    def started(self, *, comeback: bool = False) -> play_pb2.MatchStarted:
        """Begin the match, or announce it again."""
        self._view = self._view or self.match.view(self.seat)
        return play_pb2.MatchStarted(
            assignment=self.assignment,
            participants=self.match.participants(),
            view=self._view,
            comeback=comeback,
            answers=self._given if comeback else (),
        )

    def question(self) -> play_pb2.Decision:
        """Return the next decision, once the seats before it have played.

        Raises NotTriedError: the match is over, or it is another seat of the bot's turn.
        """
        if self.match.next_seat() != self.seat:
            raise NotTriedError(
                "Its match was over before this could be tried: the game's matches are short."
            )
        preferences = self.connection.hello.preferences
        number = 1 if self.decision is None else self.decision.decision + 1
        self._view = self.match.view(self.seat)
        self._given = []
        decision = play_pb2.Decision(
            assignment=self.assignment,
            decision=number,
            happened=self.match.take_happened(self.seat),
            per_decision_ms=CLOCK.per_decision_ms,
            bank_ms=CLOCK.bank_ms,
            increment_ms=CLOCK.increment_ms,
            time_left_ms=CLOCK.per_decision_ms + CLOCK.bank_ms,
        )
        if preferences.view != play_pb2.VIEW_FORM_EVENTS:
            decision.view.CopyFrom(self._view)
        legal = self.match.state.legal_actions()
        if preferences.legal_actions == play_pb2.LEGAL_ACTIONS_FORM_PACKED:
            decision.packed_legal_actions.extend(legal)
        elif preferences.legal_actions != play_pb2.LEGAL_ACTIONS_FORM_NONE:
            decision.legal_actions.extend(self.match.action(action) for action in legal)
        if preferences.text:
            self._add_text(decision)
        self.decision = decision
        return decision

    def _add_text(self, decision: play_pb2.Decision) -> None:
        state = self.match.state
        drawing = drawing_for(self.match.game.spec.id)
        decision.position_text = drawing.draw(state.observe(self.seat)).plain
        if self.connection.hello.preferences.legal_actions != play_pb2.LEGAL_ACTIONS_FORM_NONE:
            listed = state.legal_actions()
            decision.legal_action_notations.extend(state.format_action(action) for action in listed)

    def closed(
        self, cause: play_pb2.DecisionClosed.Cause.ValueType, sentence: str
    ) -> play_pb2.DecisionClosed:
        """Close the open decision and play the default action."""
        default = self.match.state.default_action()
        self._play((default,))
        return play_pb2.DecisionClosed(
            assignment=self.assignment,
            decision=self._open.decision,
            cause=cause,
            played=[self.match.action(default)],
            late_ms=1 if cause == play_pb2.DecisionClosed.CAUSE_TIME_FORFEIT else 0,
            strikes=1,
            strikes_allowed=CLOCK.strikes,
            bank_ms=0,
            sentence=sentence,
        )

    def ignored(
        self, reason: play_pb2.AnswerIgnored.Reason.ValueType, sentence: str
    ) -> play_pb2.AnswerIgnored:
        """Report that an answer to the last decision had no effect."""
        return play_pb2.AnswerIgnored(
            assignment=self.assignment, decision=self._open.decision, reason=reason, sentence=sentence
        )

    def forfeited(self, sentence: str) -> play_pb2.SeatEnded:
        """Forfeit the seat."""
        ending = ending_pb2.SeatEnding(
            termination=ending_pb2.TERMINATION_TIME_FORFEIT, fault=ending_pb2.FAULT_BOT, sentence=sentence
        )
        return play_pb2.SeatEnded(assignment=self.assignment, ending=ending)

    def withdrawn(self, sentence: str) -> play_pb2.Withdrawn:
        """Withdraw the match."""
        return play_pb2.Withdrawn(assignment=self.assignment, sentence=sentence)

    def ended(self) -> play_pb2.MatchEnded:
        """End the match; it is void if it is not played to its end."""
        return play_pb2.MatchEnded(
            assignment=self.assignment,
            match=self.match.record(),
            view=self.match.view(SPECTATOR),
            happened=self.match.take_happened(self.seat),
        )

    # Steps of a script

    async def receive_ready(self, requirement: Requirement = requirements.READY) -> None:
        """Wait until the bot is ready for this seat. Raises UnmetError with the requirement."""
        await self.connection.receive(
            "ready",
            requirement,
            where=lambda ready: ready.assignment == self.assignment,
            what=f"`ready` for assignment {self.assignment}",
        )

    async def begin(self, requirement: Requirement = requirements.READY) -> None:
        """Assign the seat, wait for `ready` and begin the match. Raises UnmetError with the requirement."""
        await self.connection.send(self.assigned())
        await self.receive_ready(requirement)
        await self.connection.send(self.started())

    async def ask(self) -> None:
        """Ask the next decision. Raises NotTriedError if there is none."""
        await self.connection.send(self.question())

    async def receive_answer(self, requirement: Requirement = requirements.ANSWER) -> play_pb2.Answer:
        """Return the bot's answer to the open decision, not played yet. Raises UnmetError with the requirement."""
        number = self._open.decision
        answer: play_pb2.Answer = await self.connection.receive(
            "answer",
            requirement,
            where=lambda answer: (answer.assignment, answer.decision) == (self.assignment, number),
            what=f"its answer to decision {number} of assignment {self.assignment}",
        )
        return answer

    async def answered(self, requirement: Requirement = requirements.ANSWER) -> None:
        """Receive the answer to the open decision and play it. Raises UnmetError."""
        self.take(await self.receive_answer(requirement))

    async def decide(self, requirement: Requirement = requirements.ANSWER) -> None:
        """Ask the next decision and play the answer. Raises as `ask` and `answered`."""
        await self.ask()
        await self.answered(requirement)

    def take(self, answer: play_pb2.Answer) -> None:
        """Play the answer. Raises UnmetError if the rules do not allow it, or it cannot be read."""
        self._play(actions_of(answer, self._open, self.match.state, self.match.codec))

    async def play(self, decisions: int, requirement: Requirement = requirements.ANSWER) -> int:
        """Ask and play so many decisions, fewer if the match ends before; return their number.

        Raises UnmetError: an answer is wrong, or missing; the latter with the requirement.
        """
        for played in range(decisions):
            if self.match.next_seat() != self.seat:
                return played
            await self.decide(requirement)
        return decisions

    async def end(self) -> None:
        """Send the end of the match."""
        await self.connection.send(self.ended())

    # The match

    @property
    def _open(self) -> play_pb2.Decision:
        assert self.decision is not None
        return self.decision

    def _play(self, actions: Sequence[int]) -> None:
        given = play_pb2.GivenAnswer(decision=self._open.decision)
        given.actions.extend(self.match.action(action) for action in actions)
        self._given = [given]
        self.match.act(actions)
