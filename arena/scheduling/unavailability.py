"""Why bots get no match at this moment: whatever is to be played, or on a ladder."""

from collections.abc import Set
from typing import Final

from arena.core.unavailability import Unavailability, UnavailableReason, not_connected
from arena.scheduling.availability import Availability
from arena.scheduling.isolation import takes_isolated
from arena.sessions.registry import Presence
from arena.store.ladders.ladders import LadderRow


def unavailability_of(presence: Presence, *, hosted: bool) -> Unavailability | None:
    """Return why a bot gets no match, whatever is to be played; None: it does. `hosted`: the arena runs it."""
    if presence.paused:
        reason = (
            UnavailableReason.HOSTING_UNAVAILABLE
            if presence.hosting_unavailable
            else UnavailableReason.PAUSED
        )
        return Unavailability(reason, presence.paused)
    if hosted:
        return None
    if not presence.connections:
        return not_connected()
    if not presence.capacity:
        return Unavailability(UnavailableReason.NO_CAPACITY, "it asks for no matches")
    if presence.playing >= presence.capacity:
        what = f"it plays {presence.playing} of the {presence.capacity} matches that it takes at once"
        return Unavailability(UnavailableReason.FULL, what)
    return None


def unavailability_in(
    bot: str, ladder: LadderRow, availability: Availability, submitted: Set[str]
) -> Unavailability:
    """Return why a bot that takes no match of a ladder takes none.

    `submitted`: bots whose submissions are on their way.
    """
    if availability.host.hosts(bot):
        return _unavailability_of_hosted(bot, ladder, availability)
    if takes_isolated(ladder):
        why = "the arena does not run it now, and only bots that it runs play here"
        return Unavailability(UnavailableReason.NOT_HOSTED, why)
    sessions = availability.sessions
    unavailability = unavailability_of(sessions.presence(bot), hosted=False)
    if (
        unavailability is not None
        and unavailability.reason is UnavailableReason.NOT_CONNECTED
        and bot in submitted
    ):
        return not_connected(", and its submission is not admitted yet")
    if unavailability is not None:
        return unavailability
    if not sessions.free(bot, ladder.game, ladder.rules_version):
        return _game_not_played(ladder)
    return _RESERVED


def _unavailability_of_hosted(bot: str, ladder: LadderRow, availability: Availability) -> Unavailability:
    host = availability.host
    if not availability.is_there(bot) or host.is_held(bot):
        if suspended := host.why_suspended(bot):
            return Unavailability(UnavailableReason.SUSPENDED, suspended)
        if why := host.why_away(bot):
            return Unavailability(UnavailableReason.HOSTING_UNAVAILABLE, why)
        return Unavailability(UnavailableReason.PAUSED, availability.sessions.presence(bot).paused)
    if not availability.would_take(bot, ladder.game, ladder.rules_version):
        return _game_not_played(ladder)
    if not availability.free(bot, ladder.game, ladder.rules_version):
        return Unavailability(UnavailableReason.FULL, "it plays as many matches as its program takes at once")
    return _RESERVED


def _game_not_played(ladder: LadderRow) -> Unavailability:
    what = f"it does not play {ladder.game} by rules version {ladder.rules_version}"
    return Unavailability(UnavailableReason.GAME_NOT_PLAYED, what)


_RESERVED: Final = Unavailability(
    UnavailableReason.RESERVED, "its room is kept for matches that wait to begin"
)
