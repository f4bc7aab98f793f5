"""The reasons for which a tool refuses a call."""

from enum import StrEnum


class Reason(StrEnum):
    """Why a call was refused; a field of the result, for programs."""

    ARGUMENT_INVALID = "ARGUMENT_INVALID"
    TOOL_UNKNOWN = "TOOL_UNKNOWN"
    NOT_JOINED = "NOT_JOINED"
    """`join` comes first."""
    UNREACHABLE = "UNREACHABLE"
    """No arena answers, or not yet."""
    REFUSED = "REFUSED"
    """The arena refuses the bot: the token is revoked, for example, or another program plays as the bot."""
    GAME_UNKNOWN = "GAME_UNKNOWN"
    LADDER_UNKNOWN = "LADDER_UNKNOWN"
    MATCHES_IN_PROGRESS = "MATCHES_IN_PROGRESS"
    MATCH_UNKNOWN = "MATCH_UNKNOWN"
    NO_DECISION = "NO_DECISION"
    DECISION_UNKNOWN = "DECISION_UNKNOWN"
    DECISION_ANSWERED = "DECISION_ANSWERED"
    DECISION_CLOSED = "DECISION_CLOSED"
    """It is too late: the fallback or the arena has played, or the match is over."""
    ACTION_UNKNOWN = "ACTION_UNKNOWN"
    """Neither a number of the list nor an action of the game."""
    ACTION_AMBIGUOUS = "ACTION_AMBIGUOUS"
    ACTION_ILLEGAL = "ACTION_ILLEGAL"
    """An action of the game that may not be played now."""
    RULES_MISSING = "RULES_MISSING"
    """The pages with the rules are not installed."""
    INTERNAL = "INTERNAL"


class RefusedCallError(Exception):
    """A call of a tool is refused and has changed nothing. The message is for the agent: what is wrong, what to do."""

    def __init__(self, reason: Reason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason
