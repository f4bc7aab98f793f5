"""The standings of a ladder by page: by rating, or by score if its matches have one seat."""

from collections.abc import Mapping, Sequence
from typing import Final

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.core.solo.standings import SoloScore, ranks, solo_scores
from arena.core.tournaments import NO_RANK
from arena.server.services.paging import PageRequest, Pages, Place
from arena.store.ladders.entries import EntryPlace, EntryRow
from arena.store.ladders.ladders import LadderRow
from arena.store.store import Transaction
from arena.v1 import ladder_pb2 as pb
from arena.wire.fields import same
from arena.wire.game_catalogue import GameCatalogue
from arena.wire.resource_names import bot_name, version_name
from engine.game import Game

_MILLI: Final = 1_000
_UINT32_MAX: Final = 2**32 - 1


def check_rated(ladder: LadderRow) -> None:
    """Raise FailedPreconditionError (LADDER_UNRATED) if the ladder has no ratings."""
    if ladder.solo:
        raise FailedPreconditionError(
            ErrorReason.LADDER_UNRATED,
            f"Nobody is rated on the solo ladder {ladder.id}; `arena ladder standings {ladder.id}` ranks by score.",
            ladder=ladder.id,
        )


def rated_page(
    tx: Transaction, ladder: LadderRow, pages: Pages, wanted: PageRequest
) -> pb.ListStandingsResponse:
    """Return a page, best rating first; bots that have not played come last, without a rank."""
    after = None if wanted.after is None else EntryPlace(*wanted.after)
    rows = tx.entries.standings(ladder.id, after=after, limit=wanted.fetch)
    page = pages.cut(wanted, rows, lambda entry: (entry.rating_milli, entry.bot, int(entry.matches > 0)))
    rated = [entry for entry in page.rows if entry.matches]
    rank = _ranks(tx, ladder.id, rated)
    lines = _lines(tx, ladder.id, [(rank.get(entry.bot, NO_RANK), entry) for entry in page.rows])
    for line, entry in zip(lines, page.rows, strict=True):
        line.rating_milli = entry.rating_milli
        line.uncertainty_milli = entry.rating.uncertainty_milli
        line.mean_placing_milli = _mean(entry.placing_sum * _MILLI, entry.matches)
    return pb.ListStandingsResponse(standings=lines, next_page_token=page.next_token)


def solo_page(
    tx: Transaction, ladder: LadderRow, pages: Pages, wanted: PageRequest, catalogue: GameCatalogue
) -> pb.ListStandingsResponse:
    """Return a page, the best adjusted score of the versions in force first; bots without a score come last."""
    entries = {entry.bot: entry for entry in tx.entries.shown(ladder.id)}
    boards = solo_scores(tx.solo_boards.all(ladder.id))
    scores = {bot: boards.get(f"{bot}/{entry.version}") for bot, entry in entries.items()}

    def place(line: tuple[int, str]) -> Place:
        bot = line[1]
        score = scores[bot]
        return (1, 0, bot) if score is None else (0, -score.adjusted_milli, bot)

    lines = [line for line in ranks(scores) if wanted.after is None or place(line) > wanted.after]
    page = pages.cut(wanted, lines[: wanted.fetch], place)
    shown = _lines(tx, ladder.id, [(rank, entries[bot]) for rank, bot in page.rows])
    game = catalogue.known(ladder.game)
    for line, (_, bot) in zip(shown, page.rows, strict=True):
        line.solo.CopyFrom(_solo_standing(entries[bot], scores[bot], game))
    return pb.ListStandingsResponse(standings=shown, next_page_token=page.next_token)


def _solo_standing(entry: EntryRow, score: SoloScore | None, game: Game | None) -> pb.SoloStanding:
    if score is None:
        return pb.SoloStanding(best_score=entry.best_score)
    return pb.SoloStanding(
        bot_version=version_name(entry.bot, entry.version),
        adjusted_score_milli=score.adjusted_milli,
        mean_score_milli=score.mean_milli,
        **same(score, "uncertainty_milli", "boards"),
        best_score=entry.best_score,
        level="" if game is None else game.level(score.adjusted_milli // _MILLI),
    )


def _lines(tx: Transaction, ladder: str, ranked: Sequence[tuple[int, EntryRow]]) -> list[pb.Standing]:
    """Return the fields that lines of all ladders share."""
    bots = [entry.bot for _, entry in ranked]
    if not bots:
        return []
    languages = tx.bots.languages(bots)
    pending = tx.tallies.in_open_groups(ladder, bots)
    return [
        pb.Standing(
            rank=rank,
            bot=bot_name(entry.bot),
            **same(entry, "matches", "forfeits", "decisions"),
            mean_think_us=_mean(entry.used_us, entry.decisions),
            max_think_us=min(entry.longest_us, _UINT32_MAX),
            language=languages.get(entry.bot, ""),
            pending_matches=pending.get(entry.bot, 0),
        )
        for rank, entry in ranked
    ]


def _ranks(tx: Transaction, ladder: str, entries: Sequence[EntryRow]) -> Mapping[str, int]:
    """Return the rank of each bot: one more than the lines with a better rating; equal ratings share it."""
    if not entries:
        return {}
    first, rating = entries[0], entries[0].rating_milli
    before = tx.entries.count_before(ladder, EntryPlace(rating, first.bot))
    rank = tx.entries.count_before(ladder, EntryPlace(rating, "")) + 1
    found: dict[str, int] = {}
    for place, entry in enumerate(entries, start=before + 1):
        if entry.rating_milli != rating:
            rank, rating = place, entry.rating_milli
        found[entry.bot] = rank
    return found


def _mean(total: int, count: int) -> int:
    """Return the mean, rounded to the nearest integer; 0 of nothing."""
    return min((total + count // 2) // count, _UINT32_MAX) if count else 0
