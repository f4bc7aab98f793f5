"""What notifications say: ids, results and the path of a page, as any spectator may see them (docs/webhooks.md)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from arena.core.match import MatchResult, MatchState
from arena.core.match_record import MatchRecord
from arena.core.units import US_PER_S
from arena.store.webhooks.outbox import NotificationType

if TYPE_CHECKING:  # the tournaments put notifications of themselves into the outbox
    from arena.store.tournaments.tournaments import TournamentRow

Data = Mapping[str, Any]


def type_of_end(state: MatchState) -> NotificationType:
    """Return the type of a match that has ended in this state and is not played again."""
    if state is MatchState.ABORTED:
        return NotificationType.MATCH_LEFT_TO_ORGANISER
    return NotificationType.MATCH_ENDED


def match_data(match: MatchRecord, result: MatchResult) -> Data:
    """Return the data of a match with its result. `match`: as it was before its end."""
    terms = match.terms
    name = f"matches/{match.id}"
    return {
        "match": name,
        "path": f"/{name}",
        "ladder": "" if terms.ladder is None else f"ladders/{terms.ladder}",
        "tournament": "" if terms.tournament is None else f"tournaments/{terms.tournament}",
        "game": terms.game,
        "rated": terms.rated,
        "state": result.state.name.lower(),
        "ending": result.ending,
        "plies": result.plies,
        "void_reason": result.void_reason,
        "seats": [
            {
                "seat": number,
                "bot": f"bots/{before.bot}",
                "version": before.version or "",
                "placing": after.placing,
                "score": after.score,
                "termination": after.ending.termination.name.lower(),
            }
            for number, (before, after) in enumerate(zip(match.seats, result.seats, strict=True))
        ],
    }


def tournament_data(row: "TournamentRow") -> Data:
    """Return the data of a tournament that has ended."""
    name = f"tournaments/{row.id}"
    return {
        "tournament": name,
        "path": f"/{name}",
        "title": row.title,
        "format": row.format.name.lower(),
        "game": row.game,
        "bots": len(row.bots),
        "matches": row.matches,
        "unplayed_matches": row.unplayed_matches,
    }


def admitted_data(bot: str, submission: int, version: str, *, plays: bool) -> Data:
    """Return the data of a submission that became a version. `plays`: whether that is the one that plays now."""
    return {**_bot(bot), "submission": submission, "version": version, "plays": plays}


def rejected_data(bot: str, submission: int, reason: str) -> Data:
    """Return the data of a submission that was rejected. `reason`: a word of docs/errors.md."""
    return {**_bot(bot), "submission": submission, "reason": reason}


def suspended_data(bot: str, version: str, suspensions: int, retry_us: int) -> Data:
    """Return the data of a version that is suspended. `retry_us`: when it is tried again."""
    return {**_bot(bot), "version": version, "suspensions": suspensions, "retry_time": rfc3339(retry_us)}


def node_data(node: str, why: str) -> Data:
    """Return the data of a match node that is lost. `why`: a sentence."""
    return {"node": f"nodes/{node}", "why": why}


def rfc3339(us: int) -> str:
    """Return microseconds since 1970 UTC as text, for example "2026-11-28T10:00:00.000000Z"."""
    return f"{datetime.fromtimestamp(us // US_PER_S, UTC):%Y-%m-%dT%H:%M:%S}.{us % US_PER_S:06}Z"


def _bot(bot: str) -> dict[str, Any]:
    return {"bot": f"bots/{bot}", "path": f"/bots/{bot}"}
