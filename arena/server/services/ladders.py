"""LadderService: ladders, their bots and standings."""
# ruff: noqa: N802 - the methods are named as in the .proto

from collections.abc import Callable, Collection
from typing import Final

from arena.core.clock.clock_fit import clock_warnings
from arena.core.errors import ErrorReason, FailedPreconditionError, PermissionDeniedError, invalid_field
from arena.core.rating.history import thinned
from arena.core.rating.seasons import ANCHOR_RATINGS_MILLI, Anchor
from arena.core.tournaments import NO_RANK
from arena.scheduling.isolation import takes_isolated
from arena.server.auth.permissions import Caller, current_caller
from arena.server.context import Context
from arena.server.services.archiving import check_not_archived, not_empty
from arena.server.services.deadlines import check_entry_open
from arena.server.services.freezes import (
    check_is_frozen,
    check_not_frozen,
    check_not_frozen_yet,
    check_not_revealing,
    freeze,
    frozen_bot_standing,
    frozen_page,
    reveal,
)
from arena.server.services.new_ladders import new_ladder
from arena.server.services.paging import PageRequest
from arena.server.services.rating_fits import RatingFits, refit_message
from arena.server.services.service_context import (
    Service,
    ServiceContext,
    bots_shown,
    check_may_list_hidden,
    complete,
    record_decision,
)
from arena.server.services.standings import bot_standing, check_rated, rated_page, solo_page
from arena.store.accounts.tokens import Scope
from arena.store.audit.entries import AuditKind
from arena.store.ladders.entries import EntryRow
from arena.store.ladders.recompute import recompute
from arena.store.store import Transaction
from arena.v1 import ladder_pb2 as pb
from arena.v1 import ladder_pb2_grpc
from arena.wire.fields import same, time_us, title_of
from arena.wire.messages.ladder import LadderView, ladder_message, queue_messages, rating_points, read_ladder
from arena.wire.resource_names import (
    bot_name,
    ladder_name,
    parse_bot,
    parse_ladder,
    user_name,
)
from arena.wire.wording import format_time

DEFAULT_POINTS: Final = 200
MAX_POINTS: Final = 1000
"""Points of a rating history."""
MAX_RANKS: Final = 1_000
"""Ranks that are revealed at once."""


class LadderService(Service, ladder_pb2_grpc.LadderServiceServicer):
    """Manages ladders."""

    def __init__(self, platform: ServiceContext) -> None:
        super().__init__(platform)
        self._refits = RatingFits(platform.database)

    async def CreateLadder(self, request: pb.CreateLadderRequest, _: Context) -> pb.CreateLadderResponse:
        """Create a ladder, paused."""
        row = new_ladder(request, self._platform.catalogue, self._platform.now_us())
        game = self._platform.catalogue.game(row.game)
        options = {seats: game.options(seats, values) for seats, values in row.options.items()}
        warnings = clock_warnings(row.time_control, game, options)
        caller = current_caller()

        def create(tx: Transaction) -> pb.CreateLadderResponse:
            tx.ladders.add(row)
            what = f"The ladder {row.id} was created."
            record_decision(tx, AuditKind.EVENT, caller, row.created_us, what, ladder_name(row.id))
            ladder = self._message(read_ladder(tx, row), None)
            return pb.CreateLadderResponse(ladder=ladder, warnings=warnings)

        return await self._platform.create_once(request, create, pb.CreateLadderResponse)

    async def GetLadder(self, request: pb.GetLadderRequest, _: Context) -> pb.GetLadderResponse:
        """Return one ladder."""
        name = parse_ladder("name", request.name)
        caller = current_caller()
        view, shown = await self._platform.database.read(
            lambda tx: (read_ladder(tx, tx.ladders.get(name)), bots_shown(tx, caller))
        )
        return pb.GetLadderResponse(ladder=self._message(view, shown))

    async def ListLadders(self, request: pb.ListLaddersRequest, _: Context) -> pb.ListLaddersResponse:
        """Return ladders by name."""
        caller = current_caller()
        check_may_list_hidden(request.show_hidden)

        def rows(tx: Transaction, wanted: PageRequest) -> list[tuple[LadderView, frozenset[str] | None]]:
            shown = bots_shown(tx, caller)
            ladders = tx.ladders.page(
                show_hidden=request.show_hidden,
                show_archived=request.show_archived,
                after=wanted.first,
                limit=wanted.fetch,
            )
            return [(read_ladder(tx, row), shown) for row in ladders]

        page = await self._platform.page(request, rows, lambda line: (line[0].row.id,))
        ladders = [self._message(view, shown) for view, shown in page.rows]
        return pb.ListLaddersResponse(ladders=ladders, next_page_token=page.next_token)

    async def JoinLadder(self, request: pb.JoinLadderRequest, _: Context) -> pb.JoinLadderResponse:
        """Enter a bot in the ladder."""
        bot, now_us = parse_bot("bot", request.bot), self._platform.now_us()

        caller = current_caller()

        def join(tx: Transaction, ladder: str) -> None:
            row = tx.ladders.get(ladder)
            check_not_archived("ladder", row)
            check_entry_open(tx, row, bot, caller, now_us)
            check_contained(tx, ladder, bot)
            if not caller.is_organiser:
                _check_not_locked(tx, ladder, bot)
            tx.entries.join(ladder, bot, now_us)

        return pb.JoinLadderResponse(ladder=await self._change(request.name, "entered into", join, bot))

    async def LeaveLadder(self, request: pb.LeaveLadderRequest, _: Context) -> pb.LeaveLadderResponse:
        """Give the bot no new matches of this ladder."""
        bot, lock = parse_bot("bot", request.bot), request.lock
        if lock:
            current_caller().check_organiser("Locking an entry", Scope.ORGANISE)
        how = "taken out for good of" if lock else "taken out of"
        ladder = await self._change(
            request.name,
            how,
            lambda tx, ladder: tx.entries.leave(ladder, bot, locked=lock),
            bot,
            by_rule=lock,
        )
        return pb.LeaveLadderResponse(ladder=ladder)

    async def RunLadder(self, request: pb.RunLadderRequest, _: Context) -> pb.RunLadderResponse:
        """Start matchmaking."""

        def run(tx: Transaction, ladder: str) -> None:
            row = tx.ladders.get(ladder)
            check_not_archived("ladder", row)
            check_not_revealing(row)
            _check_bots(tx, ladder)
            tx.ladders.run(ladder, request.matches or None)

        return pb.RunLadderResponse(ladder=await self._change(request.name, "started", run))

    async def PauseLadder(self, request: pb.PauseLadderRequest, _: Context) -> pb.PauseLadderResponse:
        """Stop matchmaking; running matches are finished."""
        ladder = await self._change(request.name, "paused", lambda tx, ladder: tx.ladders.pause(ladder))
        return pb.PauseLadderResponse(ladder=ladder)

    async def SetLadderAnchor(
        self, request: pb.SetLadderAnchorRequest, _: Context
    ) -> pb.SetLadderAnchorResponse:
        """Fix the rating of a bot, or let it be rated again."""
        bot, now_us = parse_bot("bot", request.bot), self._platform.now_us()
        rating = request.rating_milli if request.HasField("rating_milli") else None
        if rating is not None and rating not in ANCHOR_RATINGS_MILLI:
            raise invalid_field(
                "rating_milli",
                f"rating_milli is {rating}, but must be {ANCHOR_RATINGS_MILLI[0]} to {ANCHOR_RATINGS_MILLI[-1]}.",
            )

        def decide(tx: Transaction, ladder: str) -> None:
            check_rated(tx.ladders.get(ladder))
            tx.anchors.decide(ladder, Anchor(bot, rating), now_us)

        how = (
            "released as an anchor of" if rating is None else f"made an anchor of {rating / 1000:g} points on"
        )
        ladder = await self._change(request.name, how, decide, bot, by_rule=True)
        return pb.SetLadderAnchorResponse(ladder=ladder)

    async def RenameLadder(self, request: pb.RenameLadderRequest, _: Context) -> pb.RenameLadderResponse:
        """Set the title of a ladder."""
        title = title_of(request.title)
        how = f"given the title {title!r}" if title else "left without a title"
        ladder = await self._change(request.name, how, lambda tx, ladder: tx.ladders.set_title(ladder, title))
        return pb.RenameLadderResponse(ladder=ladder)

    async def SetLadderHidden(
        self, request: pb.SetLadderHiddenRequest, _: Context
    ) -> pb.SetLadderHiddenResponse:
        """Hide the ladder, or show it again."""
        how = "hidden" if request.hidden else "shown again"
        ladder = await self._change(
            request.name, how, lambda tx, ladder: tx.ladders.set_hidden(ladder, request.hidden)
        )
        return pb.SetLadderHiddenResponse(ladder=ladder)

    async def SetLadderDeadline(
        self, request: pb.SetLadderDeadlineRequest, _: Context
    ) -> pb.SetLadderDeadlineResponse:
        """Set the deadline of the ladder, or remove it."""
        deadline_us = time_us("deadline", request.deadline) if request.HasField("deadline") else None
        how = (
            "left without a deadline"
            if deadline_us is None
            else f"given the deadline {format_time(request.deadline)}"
        )
        ladder = await self._change(
            request.name, how, lambda tx, ladder: tx.ladders.set_deadline(ladder, deadline_us)
        )
        return pb.SetLadderDeadlineResponse(ladder=ladder)

    async def SetLadderFreeze(
        self, request: pb.SetLadderFreezeRequest, _: Context
    ) -> pb.SetLadderFreezeResponse:
        """Set when the standings freeze, freeze them now, or let them not freeze."""
        freeze_us = time_us("freeze_time", request.freeze_time) if request.HasField("freeze_time") else None
        now_us = self._platform.now_us()
        is_due = freeze_us is not None and freeze_us <= now_us

        def change(tx: Transaction, ladder: str) -> None:
            row = tx.ladders.get(ladder)
            check_not_frozen_yet(row)
            if is_due:
                freeze(tx, row, self._platform.catalogue, now_us)
            else:
                tx.ladders.set_freeze(ladder, freeze_us)

        if freeze_us is None:
            how = "set not to freeze"
        elif is_due:
            how = "frozen: others than organisers see its standings as they are now"
        else:
            how = f"set to freeze at {format_time(request.freeze_time)}"
        return pb.SetLadderFreezeResponse(ladder=await self._change_freeze(request.name, lambda: how, change))

    async def _change_freeze(
        self, name: str, how: Callable[[], str], change: Callable[[Transaction, str], None]
    ) -> pb.Ladder:
        """Change the freeze of the ladder as `_change` does, and what is closed by it, even if the caller leaves."""

        async def carry_out() -> pb.Ladder:
            ladder = await self._change(name, how, change)
            await self._platform.freezes.changed()
            return ladder

        return await complete(carry_out())

    async def RevealLadderRanks(
        self, request: pb.RevealLadderRanksRequest, _: Context
    ) -> pb.RevealLadderRanksResponse:
        """Reveal the last ranks that are hidden, or all."""
        if request.ranks > MAX_RANKS:
            raise invalid_field("ranks", f"ranks is {request.ranks}, but must be at most {MAX_RANKS}.")
        if request.all and request.ranks:
            raise invalid_field("ranks", "ranks and all exclude each other: leave ranks out.")
        response = pb.RevealLadderRanksResponse()

        def change(tx: Transaction, ladder: str) -> None:
            response.Clear()  # a change may be made again, after another one of its transaction has failed
            row = tx.ladders.get(ladder)
            check_is_frozen(row)
            if request.all:
                tx.frozen_standings.end(row)
                return
            lines, left = reveal(tx, row, self._platform.catalogue, request.ranks or 1)
            response.standings.extend(lines)
            response.hidden_ranks = left

        def how() -> str:
            if not response.hidden_ranks:
                return "revealed: its standings are public again"
            ranks = {line.rank for line in response.standings} - {NO_RANK}
            return f"revealed from the last rank up to {min(ranks)}"

        ladder = await self._change_freeze(request.name, how, change)
        response.ladder.CopyFrom(ladder)
        return response

    async def SetLadderArchived(
        self, request: pb.SetLadderArchivedRequest, _: Context
    ) -> pb.SetLadderArchivedResponse:
        """Archive the ladder, which pauses it, or take it out of the archive."""

        def archive(tx: Transaction, ladder: str) -> None:
            tx.ladders.set_archived(ladder, request.archived)
            if request.archived:
                tx.ladders.pause(ladder)

        how = "archived" if request.archived else "taken out of the archive"
        return pb.SetLadderArchivedResponse(ladder=await self._change(request.name, how, archive))

    async def DeleteLadder(self, request: pb.DeleteLadderRequest, _: Context) -> pb.DeleteLadderResponse:
        """Delete a ladder of which no match was made."""
        caller, ladder = current_caller(), parse_ladder("name", request.name)

        def delete(tx: Transaction) -> LadderView:
            row = tx.ladders.get(ladder)
            if row.groups_created or row.season > 1:
                raise not_empty("ladder", ladder, "matches of it were made")
            view = read_ladder(tx, row)
            tx.webhooks.remove_of(ladder)
            tx.ladders.remove(ladder)
            what = f"The ladder {ladder} was deleted."
            record_decision(tx, AuditKind.EVENT, caller, self._platform.now_us(), what, ladder_name(ladder))
            return view

        view = await self._platform.database.write(delete)
        self._platform.runtime.wake_scheduler()
        return pb.DeleteLadderResponse(ladder=self._message(view, None))

    async def ListStandings(self, request: pb.ListStandingsRequest, _: Context) -> pb.ListStandingsResponse:
        """Return the standings, best first."""
        name, pages = parse_ladder("name", request.name), self._platform.pages
        organiser = current_caller().is_organiser

        def question(tx: Transaction) -> pb.ListStandingsResponse:
            ladder = tx.ladders.get(name)
            if ladder.frozen and not organiser:
                return frozen_page(tx, ladder, pages, request)
            wanted = pages.read(request)
            if ladder.solo:
                return solo_page(tx, ladder, pages, wanted, self._platform.catalogue)
            return rated_page(tx, ladder, pages, wanted)

        return await self._platform.database.read(question)

    async def ListBotStandings(
        self, request: pb.ListBotStandingsRequest, _: Context
    ) -> pb.ListBotStandingsResponse:
        """Return the line of a bot on each of its ladders, by ladder."""
        bot, caller = parse_bot("bot", request.bot), current_caller()

        def rows(tx: Transaction, wanted: PageRequest) -> list[tuple[str, pb.BotStanding]]:
            tx.bots.get_any(bot)
            shown = bots_shown(tx, caller)
            show_hidden = shown is None or bot in shown
            entries = tx.entries.of_bot(bot, show_hidden=show_hidden, after=wanted.first, limit=wanted.fetch)
            return [(entry.ladder, self._bot_standing(tx, entry, caller)) for entry in entries]

        page = await self._platform.page(request, rows, lambda line: line[:1])
        standings = (standing for _, standing in page.rows)
        return pb.ListBotStandingsResponse(standings=standings, next_page_token=page.next_token)

    def _bot_standing(self, tx: Transaction, entry: EntryRow, caller: Caller) -> pb.BotStanding:
        ladder = tx.ladders.get(entry.ladder)
        if ladder.frozen and not caller.is_organiser:
            return frozen_bot_standing(tx, ladder, entry)
        return bot_standing(tx, entry, self._platform.catalogue)

    async def GetRatingHistory(
        self, request: pb.GetRatingHistoryRequest, _: Context
    ) -> pb.GetRatingHistoryResponse:
        """Return the ratings that a bot has had, oldest first."""
        name, bot = parse_ladder("name", request.name), parse_bot("bot", request.bot)
        if request.max_points > MAX_POINTS:
            raise invalid_field(
                "max_points", f"max_points is {request.max_points}, but must be at most {MAX_POINTS}."
            )
        organiser = current_caller().is_organiser

        def question(tx: Transaction) -> pb.GetRatingHistoryResponse:
            ladder = tx.ladders.get(name)
            tx.bots.get(bot)
            check_rated(ladder)
            tx.entries.get(name, bot)
            points = tx.ledger.history(name, bot, until=None if organiser else ladder.frozen_seq)
            return pb.GetRatingHistoryResponse(
                ladder=ladder_name(name),
                bot=bot_name(bot),
                points=rating_points(bot, thinned(points, request.max_points or DEFAULT_POINTS)),
                total_points=len(points),
            )

        return await self._platform.database.read(question)

    async def ListQueue(self, request: pb.ListQueueRequest, _: Context) -> pb.ListQueueResponse:
        """Return the waiting bots, next paired first."""
        caller = current_caller()
        places = await self._platform.runtime.queue(parse_ladder("name", request.name))
        shown = await self._platform.database.read(lambda tx: bots_shown(tx, caller))
        return pb.ListQueueResponse(places=queue_messages(places, shown))

    async def RefitRatings(self, request: pb.RefitRatingsRequest, _: Context) -> pb.RefitRatingsResponse:
        """Return ratings fitted to the whole history."""
        name, caller = parse_ladder("name", request.name), current_caller()
        await self._platform.database.read(lambda tx: check_not_frozen(tx.ladders.get(name), caller))
        return refit_message(await self._refits.of(name))

    async def RecomputeLadder(
        self, request: pb.RecomputeLadderRequest, _: Context
    ) -> pb.RecomputeLadderResponse:
        """Replay the ledger and compare with the ratings in force; of a solo ladder, count its boards again."""
        name = parse_ladder("name", request.name)

        def question(tx: Transaction) -> pb.RecomputeLadderResponse:
            found = recompute(tx, name)
            return pb.RecomputeLadderResponse(
                entries=found.entries,
                identical=found.identical,
                differences=[
                    pb.RecomputeLadderResponse.Difference(
                        bot=bot_name(each.bot), **same(each, "stored_milli", "recomputed_milli")
                    )
                    for each in found.differences
                ],
            )

        return await self._platform.database.read(question)

    async def _change(
        self,
        name: str,
        how: str | Callable[[], str],
        change: Callable[[Transaction, str], None],
        bot: str | None = None,
        *,
        by_rule: bool = False,
    ) -> pb.Ladder:
        """Change the ladder or the entry of a bot, which the caller must own; record it, and wake matchmaking.

        `how`: what was done, as part of a sentence, or what returns it after the change. An owner's change of their own
        entries is not recorded unless it is `by_rule`, a decision of an organiser.
        Return the ladder, whose `waiting_for` names no bot.
        """
        caller, ladder = current_caller(), parse_ladder("name", name)

        def work(tx: Transaction) -> LadderView:
            tx.ladders.get(ladder)
            about, owner = [ladder_name(ladder)], None
            if bot is not None:
                owner = tx.bots.get(bot).owner
                caller.check_owns(owner, bot_name(bot))
                about += [bot_name(bot), user_name(owner)]
            change(tx, ladder)
            if by_rule or owner != caller.owner:
                done = how if isinstance(how, str) else how()
                what = f"The ladder {ladder} was {done}."
                if bot is not None:
                    what = f"{owner}'s bot {bot} was {done} the ladder {ladder}."
                record_decision(tx, AuditKind.EVENT, caller, self._platform.now_us(), what, *about)
            return read_ladder(tx, tx.ladders.get(ladder))

        view = await self._platform.database.write(work)
        self._platform.runtime.wake_scheduler()
        return self._message(view, None if caller.is_organiser else ())

    def _message(self, view: LadderView, shown: Collection[str] | None) -> pb.Ladder:
        """Return the ladder as a message. `shown`: see `bots_shown`."""
        waiting_for = self._platform.runtime.waiting_for(view.row.id, shown)
        return ladder_message(view, self._platform.catalogue, waiting_for)


def _check_not_locked(tx: Transaction, ladder: str, bot: str) -> None:
    """Raise PermissionDeniedError (ENTRY_LOCKED) if an organiser has withdrawn the bot for good."""
    entry = tx.entries.find(ladder, bot)
    if entry is not None and entry.locked:
        raise PermissionDeniedError(
            ErrorReason.ENTRY_LOCKED,
            f"An organiser has withdrawn the bot {bot} from the ladder {ladder}, and only an organiser can enter it "
            "again. Ask them.",
            bot=bot,
            ladder=ladder,
        )


def check_contained(tx: Transaction, ladder: str, bot: str) -> None:
    """Raise FailedPreconditionError (SHARED_SEED_REFUSED) if only hosted bots may play, and this is none."""
    hosted = tx.hosting.get(bot)
    if takes_isolated(tx.ladders.get(ladder)) and (hosted is None or hosted.version is None):
        raise FailedPreconditionError(
            ErrorReason.SHARED_SEED_REFUSED,
            f"The bot {bot} cannot enter the ladder {ladder}: the matches of a group have the same hidden draws there,"
            " so only bots that the arena runs may play, a fresh program for each match. Submit a version of the bot"
            f" (`arena bot submit`), or let the arena run it (`arena bot host {bot} --newest`).",
            ladder=ladder,
            bot=bot,
        )


def _check_bots(tx: Transaction, ladder: str) -> None:
    """Raise FailedPreconditionError (TOO_FEW_BOTS) if the ladder cannot fill a match."""
    bots, seats = tx.entries.count_active(ladder), min(tx.ladders.get(ladder).seat_counts)
    if bots < seats:
        raise FailedPreconditionError(
            ErrorReason.TOO_FEW_BOTS,
            f"The ladder {ladder} has {bots} bots, but its smallest match has {seats} seats; enter more.",
            ladder=ladder,
        )
