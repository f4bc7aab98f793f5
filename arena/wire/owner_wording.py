"""Tokens, bots and submissions in words, as commands and web pages show them to their owners."""

from typing import Final

from arena.core.versions import shown_version
from arena.v1 import bot_pb2, errors_pb2, submission_pb2, token_pb2
from arena.wire.wording import enum_word, format_time, short

_Submission = submission_pb2.Submission

DOING: Final = {
    _Submission.STATE_UPLOADING: "waiting for its archive",
    _Submission.STATE_WAITING: "waiting for its turn",
    _Submission.STATE_UNPACKING: "unpacking",
    _Submission.STATE_BUILDING: "building",
    _Submission.STATE_TRYING: "testing",
}
"""What the arena does with a submission that has not ended."""

_HOSTED: Final = {bot_pb2.Hosting.MODE_NEWEST: "the newest", bot_pb2.Hosting.MODE_PINNED: "pinned"}


def format_role(role: token_pb2.Role.ValueType) -> str:
    """Format a role; a number if it is unknown."""
    return enum_word(token_pb2.Role, role)


def format_scopes(token: token_pb2.Token) -> str:
    """Format the scopes of a token."""
    if token.role == token_pb2.ROLE_BOT:
        return "play"
    return ", ".join(enum_word(token_pb2.Scope, scope) for scope in token.scopes) or "all of its role"


def short_version(name: str) -> str:
    """Return the last part of a version's name; of a hash its first digits."""
    return shown_version(short(name))


def format_hosting(hosting: bot_pb2.Hosting) -> str:
    """Return how the arena runs a bot, as part of a sentence."""
    if hosting.mode not in _HOSTED:
        locked = ", and only an organiser can have the arena run it again" if hosting.locked else ""
        return f"not hosted: it connects by itself{locked}"
    return f"hosted: version {short_version(hosting.version)}, {_HOSTED[hosting.mode]}"


def describe_unavailable(bot: bot_pb2.Bot) -> str:
    """Return what keeps matches waiting for the bot, as part of a sentence; empty if nothing does.

    A hosted bot is available even while none of its processes runs.
    """
    hosted = bot.hosting.mode not in (bot_pb2.Hosting.MODE_UNSPECIFIED, bot_pb2.Hosting.MODE_OFF)
    if not bot.paused and (bot.connections or hosted):
        return ""
    why = format_unavailable(bot) or "not connected"
    return f"gets no matches ({why})" if bot.unavailable_reason in _NOUNS else f"is {why}"


_NOUNS: Final = (
    bot_pb2.UNAVAILABLE_REASON_OWNER_INACTIVE,
    bot_pb2.UNAVAILABLE_REASON_HOSTING_UNAVAILABLE,
)
"""Reasons whose words do not fit after "is"."""


def format_unavailable(bot: bot_pb2.Bot) -> str:
    """Return why a bot gets no match: the one word for it, and what more is known; empty if it does."""
    reason, more = bot.unavailable_reason, bot.paused
    if not reason and (bot.hosting.benched or more):  # an arena that does not know the word yet
        reason = (
            bot_pb2.UNAVAILABLE_REASON_SUSPENDED if bot.hosting.benched else bot_pb2.UNAVAILABLE_REASON_PAUSED
        )
    if reason == bot_pb2.UNAVAILABLE_REASON_SUSPENDED:
        more = bot.hosting.benched.rstrip(".")
    return unavailable_words(reason, more)


def unavailable_words(reason: bot_pb2.UnavailableReason.ValueType, sentence: str) -> str:
    """Return the one word for why a bot gets no match, and the sentence part about the case if that says more."""
    if not reason:
        return sentence
    word = enum_word(bot_pb2.UnavailableReason, reason).replace("_", " ")
    if not sentence or sentence.removeprefix("it is ").startswith(word):
        return sentence.removeprefix("it is ") or word
    return f"{word}: {sentence}"


def format_rejection(rejection: submission_pb2.Submission.Rejection) -> str:
    """Return why a submission was rejected: the sentence and the reason code."""
    reason = errors_pb2.ErrorReason.Name(rejection.reason).removeprefix("ERROR_REASON_")
    return f"{rejection.sentence} ({reason})"


def format_outcome(submission: submission_pb2.Submission) -> str:
    """Return how a submission ended and what follows for its bot, in sentences."""
    number, bot = short(submission.name), submission.name.split("/")[1]
    if submission.state != _Submission.STATE_ADMITTED:
        return f"Submission {number} ({bot}) was rejected: {format_rejection(submission.rejection)}"
    what = "is already known as" if submission.known else "was admitted as"
    plays = (
        f"It plays from now on. {next_step(bot)}"
        if submission.plays
        else f"It does not play, because another version is pinned or the bot connects by itself. "
        f"To run it: `arena bot host {bot} --newest`."
    )
    verdict = _Submission.Trial.VERDICT_ADVICE
    advice = [trial.scenario for trial in submission.trials if trial.verdict == verdict]
    hint = f" Scenarios with advice: {', '.join(advice)}." if advice else ""
    return f"Submission {number} ({bot}) {what} version {short_version(submission.version)}. {plays}{hint}"


def next_step(bot: str) -> str:
    """Return what the owner does next: a hosted version alone gets no matches."""
    return f"To enter it in a ladder: `arena ladder join LADDER {bot}`."


def format_readiness(bot: bot_pb2.Bot) -> str:
    """Return whether a bot gets matches at this moment, or why not, as the rest of a sentence about it."""
    if bot.hidden:
        return "is hidden, so it gets no matches"
    if bot.hosting.benched:
        again = f"; it is tested again at {format_time(bot.hosting.retry_time)}"
        return f"is suspended: {bot.hosting.benched.rstrip('.')}{again if bot.hosting.HasField('retry_time') else ''}"
    if reason := describe_unavailable(bot):
        return reason
    if bot.playing:
        return f"is playing {bot.playing}, capacity {bot.capacity}"
    if bot.hosting.version and not bot.connections:
        return "is ready: its program is started when a match needs it"
    return f"is ready, capacity {bot.capacity}" if bot.capacity else "is connected, but takes no match now"
