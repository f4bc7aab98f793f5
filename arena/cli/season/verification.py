"""Verification of the final standings of seasons: signature, canonical form, ranks, and the chain of documents."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from arena.core.errors import DataLossError
from arena.core.seasons import document_sha256, read_document, signed_message
from arena.match_log.keys import PublicKey
from arena.v1 import season_pb2
from arena.wire.resource_names import season_name
from arena.wire.wording import format_season

_FIRST: Final = 1


@dataclass(frozen=True, slots=True)
class SeasonVerdict:
    """The verification of one season."""

    title: str
    problem: str
    """A sentence; empty: it is verified."""
    proven: str
    """What was found in order, without a full stop."""

    def document(self) -> dict[str, object]:
        """Return the verdict for JSON."""
        return {"season": self.title, "verified": not self.problem, "problem": self.problem}


def verify_seasons(
    seasons: Iterable[season_pb2.Season], keys: Sequence[PublicKey]
) -> tuple[SeasonVerdict, ...]:
    """Return a verdict for each season. `seasons`: those of a ladder in any order; `keys`: those of its arena.

    A document names the one before by its hash: this is checked where that season is there too.
    """
    ordered = sorted(seasons, key=lambda season: season.number)
    known = {season.name: season for season in ordered}
    return tuple(_verdict(season, known, keys) for season in ordered)


def _verdict(
    season: season_pb2.Season, known: dict[str, season_pb2.Season], keys: Sequence[PublicKey]
) -> SeasonVerdict:
    title = format_season(season.name)
    key = next((key for key in keys if key.key_id == season.key_id), None)
    if key is None:
        return SeasonVerdict(
            title, f"It is signed with the key {season.key_id}, which is none of those given.", ""
        )
    try:
        message = signed_message(season.document)
    except UnicodeEncodeError:
        return SeasonVerdict(title, "Its document is not ASCII, so it is not in canonical form.", "")
    if not key.signed(message, season.signature):
        return SeasonVerdict(title, f"Its signature is not that of the key {season.key_id}.", "")
    try:
        standings = read_document(season.document)
    except DataLossError as error:
        return SeasonVerdict(title, error.sentence, "")
    if season_name(standings.ladder, standings.season) != season.name:
        own = format_season(season_name(standings.ladder, standings.season))
        return SeasonVerdict(title, f"Its document is that of {own}.", "")
    before = known.get(season_name(standings.ladder, standings.season - 1))
    if before is not None and document_sha256(before.document) != standings.previous_sha256:
        return SeasonVerdict(
            title, f"Its document names another one as that of {format_season(before.name)}.", ""
        )
    if standings.season == _FIRST and standings.previous_sha256:
        return SeasonVerdict(title, "Its document names one before it, but it is the first season.", "")
    chain = ", chain" if before is not None else ""
    return SeasonVerdict(title, "", f"signature of key {season.key_id}, canonical form, ranks{chain}")
