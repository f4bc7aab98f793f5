"""The standings of a ladder by page, and of one bot: by rating, or by score if the ladder's matches have one seat."""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Final

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.core.solo.boards import SoloTotals
from arena.core.solo.standings import SoloScore, ranks, solo_scores
from arena.core.tournaments import NO_RANK
from arena.server.services.paging import PageRequest, Pages, Place
from arena.store.ladders.entries import EntryPlace, EntryRow
from arena.store.ladders.ladders import LadderRow
from arena.store.store import Transaction
from arena.v1 import ladder_pb2 as pb
from arena.wire.fields import same
from arena.wire.game_catalogue import GameCatalogue
from arena.wire.resource_names import bot_name, ladder_name, version_name
from engine.game import Game

_MILLI: Final = 1_000
_UINT32_MAX: Final = 2**32 - 1
_ALL: Final = 2**31 - 1
"""More lines than there ever are."""
_TOGETHER: Final = 500
"""Lines that are made together."""
_LADDERS_KEPT: Final = 16
"""Solo ladders whose scores are kept in memory."""


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
    """Return a page, best rating first; bots that have not played come last, without a rank; anchors have none."""
    after = None if wanted.after is None else EntryPlace(*wanted.after)
    rows = tx.entries.standings(ladder.id, after=after, limit=wanted.fetch)
    page = pages.cut(wanted, rows, lambda entry: (entry.rating_milli, entry.bot, int(entry.matches > 0)))
    rank = _ranks(tx, ladder.id, [entry for entry in page.rows if entry.matches and not entry.anchor])
    lines = _rated_lines(tx, ladder.id, page.rows, rank)
    return pb.ListStandingsResponse(standings=lines, next_page_token=page.next_token)


def whole_standings(tx: Transaction, ladder: LadderRow, catalogue: GameCatalogue) -> list[pb.Standing]:
    """Return all lines of a ladder, in the order of its pages."""
    entries: Sequence[EntryRow]
    if ladder.solo:
        scores = _scores_in_force(tx, ladder.id, tx.entries.versions(ladder.id))
        rank = {bot: rank for rank, bot in ranks(scores)}
        of_bots = {entry.bot: entry for entry in tx.entries.of_bots(ladder.id, [*rank])}
        entries = [of_bots[bot] for bot in rank]
        lines = partial(_solo_lines, tx, ladder, rank=rank, scores=scores, catalogue=catalogue)
    else:
        entries = tx.entries.standings(ladder.id, after=None, limit=_ALL)
        has_rank = [each for each in entries if each.matches and not each.anchor]
        lines = partial(_rated_lines, tx, ladder.id, rank=_ranks(tx, ladder.id, has_rank))
    return [
        line
        for start in range(0, len(entries), _TOGETHER)
        for line in lines(entries[start : start + _TOGETHER])
    ]


def solo_page(
    tx: Transaction, ladder: LadderRow, pages: Pages, wanted: PageRequest, catalogue: GameCatalogue
) -> pb.ListStandingsResponse:
    """Return a page, the best adjusted score of the versions in force first; bots without a score come last."""
    scores = _scores_in_force(tx, ladder.id, tx.entries.versions(ladder.id))

    def place(line: tuple[int, str]) -> Place:
        bot = line[1]
        score = scores[bot]
        return (1, 0, bot) if score is None else (0, -score.adjusted_milli, bot)

    lines = [line for line in ranks(scores) if wanted.after is None or place(line) > wanted.after]
    page = pages.cut(wanted, lines[: wanted.fetch], place)
    rank = {bot: rank for rank, bot in page.rows}
    entries = {entry.bot: entry for entry in tx.entries.of_bots(ladder.id, [*rank])}
    shown = _solo_lines(tx, ladder, [entries[bot] for bot in rank], rank, scores, catalogue)
    return pb.ListStandingsResponse(standings=shown, next_page_token=page.next_token)


def bot_standing(tx: Transaction, entry: EntryRow, catalogue: GameCatalogue) -> pb.BotStanding:
    """Return the line of one bot on one ladder, without the others; a hidden bot has no rank."""
    ladder = tx.ladders.get(entry.ladder)
    rank: Mapping[str, int]
    if ladder.solo:
        shown = tx.entries.versions(ladder.id)
        scores = _scores_in_force(tx, ladder.id, shown | {entry.bot: entry.version})
        rank = {bot: place for place, bot in ranks({bot: scores[bot] for bot in shown})}
        ranked = sum(place != NO_RANK for place in rank.values())
        (line,) = _solo_lines(tx, ladder, [entry], rank, scores, catalogue)
    else:
        better = EntryPlace(entry.rating_milli, "")
        has_rank = entry.matches and not entry.anchor and not tx.bots.get(entry.bot).hidden
        rank = {entry.bot: tx.entries.count_before(ladder.id, better) + 1} if has_rank else {}
        ranked = tx.entries.count_ranked(ladder.id)
        (line,) = _rated_lines(tx, ladder.id, [entry], rank)
    return standing_message(tx, ladder, entry, line, ranked)


def standing_message(
    tx: Transaction, ladder: LadderRow, entry: EntryRow, line: pb.Standing, ranked: int
) -> pb.BotStanding:
    """Return the standing of a bot on a ladder with its line there. `ranked`: how many lines have a rank."""
    return pb.BotStanding(
        ladder=ladder_name(ladder.id),
        standing=line,
        entries=tx.entries.count_active(ladder.id),
        ranked=ranked,
        game=ladder.game,
        withdrawn=not entry.active,
        locked=entry.locked and not entry.active,
    )


@lru_cache(maxsize=_LADDERS_KEPT)
def _scores(boards: tuple[SoloTotals, ...]) -> Mapping[str, SoloScore]:
    """Return the scores of all versions, kept until a board changes: each page needs them all, and a fit takes long."""
    return solo_scores(boards)


def _scores_in_force(
    tx: Transaction, ladder: str, versions: Mapping[str, str]
) -> Mapping[str, SoloScore | None]:
    """Return the score of each bot's version; None before its first complete board."""
    boards = _scores(tx.solo_boards.all(ladder))
    return {bot: boards.get(f"{bot}/{version}") for bot, version in versions.items()}


def _rated_lines(
    tx: Transaction, ladder: str, entries: Sequence[EntryRow], rank: Mapping[str, int]
) -> list[pb.Standing]:
    """Return lines of a ladder by rating. `rank`: by bot, of those that have one."""
    lines = _lines(tx, ladder, entries, rank)
    for line, entry in zip(lines, entries, strict=True):
        line.rating_milli = entry.rating_milli
        line.uncertainty_milli = entry.rating.uncertainty_milli
        line.mean_placing_milli = _mean(entry.placing_sum * _MILLI, entry.matches)
        line.anchor = entry.anchor
    return lines


def _solo_lines(
    tx: Transaction,
    ladder: LadderRow,
    entries: Sequence[EntryRow],
    rank: Mapping[str, int],
    scores: Mapping[str, SoloScore | None],
    catalogue: GameCatalogue,
) -> list[pb.Standing]:
    """Return lines of a solo ladder. `rank`: by bot, of those that have one."""
    lines, game = _lines(tx, ladder.id, entries, rank), catalogue.known(ladder.game)
    for line, entry in zip(lines, entries, strict=True):
        line.solo.CopyFrom(_solo_standing(entry, scores[entry.bot], game))
    return lines


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


def _lines(
    tx: Transaction, ladder: str, entries: Sequence[EntryRow], rank: Mapping[str, int]
) -> list[pb.Standing]:
    """Return the fields that lines of all ladders share."""
    bots = [entry.bot for entry in entries]
    if not bots:
        return []
    languages = tx.bots.languages(bots)
    pending = tx.tallies.in_open_groups(ladder, bots)
    return [
        pb.Standing(
            rank=rank.get(entry.bot, NO_RANK),
            bot=bot_name(entry.bot),
            **same(entry, "matches", "forfeits", "decisions"),
            mean_think_us=_mean(entry.used_us, entry.decisions),
            max_think_us=min(entry.longest_us, _UINT32_MAX),
            language=languages.get(entry.bot, ""),
            pending_matches=pending.get(entry.bot, 0),
        )
        for entry in entries
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
