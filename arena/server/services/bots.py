"""BotService: bots and their versions."""
# ruff: noqa: N802 - the methods are named as in the .proto

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from arena.core.errors import ErrorReason, NotFoundError, PermissionDeniedError, invalid_field
from arena.core.unavailability import UnavailableReason
from arena.core.versions import shown_version
from arena.scheduling.unavailability import unavailability_of
from arena.scheduling.walkovers import withdraw
from arena.server.auth.authentication import check_still_valid
from arena.server.auth.permissions import Caller, current_caller
from arena.server.auth.quotas import check_pace, check_quota, quotas_for
from arena.server.context import Context
from arena.server.services.deadlines import check_version_open
from arena.server.services.paging import PageRequest
from arena.server.services.service_context import ArenaRuntime, Service, bots_shown, complete, record_decision
from arena.server.services.user_fields import user_for
from arena.sessions.registry import Presence
from arena.store.accounts.tokens import Role, Scope
from arena.store.audit.entries import AuditKind
from arena.store.bots.bots import BotRow, BotVersionRow
from arena.store.bots.hosting import HostedRow, HostingMode
from arena.store.matches.bot_records import EndingRow, OpponentPlace, OpponentRow
from arena.store.store import Transaction
from arena.v1 import bot_pb2 as pb
from arena.v1 import bot_pb2_grpc, ending_pb2
from arena.wire import resource_names as names
from arena.wire.fields import enum_of, one_line, same, timestamp

VERSIONS_SHOWN: Final = 20
MAX_DESCRIPTION: Final = 200


class BotService(Service, bot_pb2_grpc.BotServiceServicer):
    """Manages bots."""

    async def CreateBot(self, request: pb.CreateBotRequest, _: Context) -> pb.CreateBotResponse:
        """Register a bot."""
        caller = current_caller()
        bot_id, owner = names.check_id("bot_id", request.bot_id), caller.owner
        if request.owner:
            owner = names.parse_owner("owner", request.owner)
            caller.check_owns(owner, request.owner)
        bot = BotRow(
            id=bot_id,
            owner=owner,
            description=one_line("description", request.description, MAX_DESCRIPTION),
            hidden=False,
            created_us=self._platform.now_us(),
        )

        def create(tx: Transaction) -> pb.CreateBotResponse:
            check_still_valid(tx, caller, bot.created_us)
            user_made = tx.users.find(bot.owner) is None
            check_pace(tx, caller, bot.created_us)
            quotas = quotas_for(caller, user_for(tx, caller, bot.owner, Role.OWNER, bot.created_us, "bot"))
            if quotas is not None:
                used = tx.users.count_bots(bot.owner)
                check_quota(quotas.bots, used, f"Bots of {bot.owner}, hidden ones too", "Use one of them")
            tx.bots.add(bot)
            what = f"The bot {bot.id} was registered for {bot.owner}."
            record_decision(
                tx,
                AuditKind.BOT,
                caller,
                bot.created_us,
                what,
                names.bot_name(bot.id),
                names.user_name(bot.owner),
            )
            message = bot_message(bot, (), Presence())
            return pb.CreateBotResponse(bot=message, user_made=user_made)

        return await self._platform.create_once(request, create, pb.CreateBotResponse)

    async def GetBot(self, request: pb.GetBotRequest, _: Context) -> pb.GetBotResponse:
        """Return one bot, hidden or not."""
        caller, name = current_caller(), names.parse_bot("name", request.name)
        messages = await self._platform.database.read(
            lambda tx: self._messages(tx, (tx.bots.get_any(name),), caller)
        )
        return pb.GetBotResponse(bot=messages[0])

    async def ListBots(self, request: pb.ListBotsRequest, _: Context) -> pb.ListBotsResponse:
        """Return bots by name."""
        caller = current_caller()

        def rows(tx: Transaction, wanted: PageRequest) -> list[tuple[str, pb.Bot]]:
            bots = tx.bots.page(show_hidden=request.show_hidden, after=wanted.first, limit=wanted.fetch)
            return list(zip((bot.id for bot in bots), self._messages(tx, bots, caller), strict=True))

        page = await self._platform.page(request, rows, lambda line: line[:1])
        return pb.ListBotsResponse(bots=(bot for _, bot in page.rows), next_page_token=page.next_token)

    async def SetBotHidden(self, request: pb.SetBotHiddenRequest, _: Context) -> pb.SetBotHiddenResponse:
        """Hide the bot, or show it again."""

        def change(tx: Transaction, bot: BotRow) -> str:
            tx.bots.set_hidden(bot.id, request.hidden)
            return f"was {'hidden' if request.hidden else 'shown again'}"

        bot = await self._change(request.name, lambda bot: bot.hidden == request.hidden, change)
        self._platform.runtime.wake_scheduler()
        return pb.SetBotHiddenResponse(bot=bot)

    async def SetBotChallenges(
        self, request: pb.SetBotChallengesRequest, _: Context
    ) -> pb.SetBotChallengesResponse:
        """Refuse or accept challenges of other owners."""

        def change(tx: Transaction, bot: BotRow) -> str:
            tx.bots.set_refuses_challenges(bot.id, request.refused)
            return "refuses challenges of other owners" if request.refused else "takes challenges again"

        bot = await self._change(request.name, lambda bot: bot.refuses_challenges == request.refused, change)
        return pb.SetBotChallengesResponse(bot=bot)

    async def _change(
        self, name: str, is_so: Callable[[BotRow], bool], change: Callable[[Transaction, BotRow], str]
    ) -> pb.Bot:
        """Change the caller's bot and record it, unless it `is_so` already; `change` returns the words for it."""
        caller, bot = current_caller(), names.parse_bot("name", name)

        def work(tx: Transaction) -> pb.Bot:
            before, now_us = tx.bots.get(bot), self._platform.now_us()
            caller.check_owns(before.owner, name)
            if not is_so(before):
                check_pace(tx, caller, now_us)
                what = f"The bot {bot} {change(tx, before)}."
                record_decision(tx, AuditKind.BOT, caller, now_us, what, names.bot_name(bot))
            return self._messages(tx, (tx.bots.get(bot),), caller)[0]

        return await self._platform.database.write(work)

    async def ListVersions(self, request: pb.ListVersionsRequest, _: Context) -> pb.ListVersionsResponse:
        """Return the versions of a bot, newest first."""

        def rows(tx: Transaction, wanted: PageRequest) -> tuple[BotVersionRow, ...]:
            bot = tx.bots.get_any(names.parse_bot("bot", request.bot))
            return tx.bots.versions_page(bot.id, before=wanted.after, limit=wanted.fetch)

        page = await self._platform.page(request, rows, lambda version: (version.created_us, version.label))
        versions = map(version_message, page.rows)
        return pb.ListVersionsResponse(versions=versions, next_page_token=page.next_token)

    async def GetBotRecord(self, request: pb.GetBotRecordRequest, _: Context) -> pb.GetBotRecordResponse:
        """Return totals, endings, and the results against each opponent, the most matches first."""
        pages, bot = self._platform.pages, names.parse_bot("bot", request.bot)
        ladder = names.parse_ladder("ladder", request.ladder) if request.ladder else None
        wanted, public = pages.read(request), not current_caller().is_organiser

        def question(tx: Transaction) -> pb.GetBotRecordResponse:
            tx.bots.get_any(bot)
            if ladder is not None:
                tx.ladders.get(ladder)
            after = None if wanted.after is None else OpponentPlace(*wanted.after)
            rows = tx.bot_records.opponents(
                bot, ladder=ladder, public=public, after=after, limit=wanted.fetch
            )
            page = pages.cut(wanted, rows, lambda row: (row.matches, row.opponent))
            response = pb.GetBotRecordResponse(
                opponents=map(_opponent_message, page.rows), next_page_token=page.next_token
            )
            if after is None:
                endings = tx.bot_records.endings(bot, ladder=ladder, public=public)
                response.endings.extend(map(_ending_count, endings))
                totals = tx.bot_records.totals(bot, ladder=ladder, public=public)
                response.totals.CopyFrom(pb.RecordTotals(**same(totals, "matches", "firsts", "ties")))
            return response

        return await self._platform.database.read(question)

    async def SetHosting(self, request: pb.SetHostingRequest, _: Context) -> pb.SetHostingResponse:
        """Choose the version that the arena runs, or none."""
        caller, bot = current_caller(), names.parse_bot("bot", request.bot)
        mode, beginning = _hosting_mode(request, bot)
        if request.lock:
            caller.check_organiser("Locking the hosting of a bot", Scope.ORGANISE)

        def change(tx: Transaction) -> pb.Bot:
            row = tx.bots.get(bot)
            caller.check_owns(row.owner, request.bot)
            _check_hosting(tx, bot, mode, caller)
            check_version_open(tx, bot, caller, self._platform.now_us())
            pinned = None if beginning is None else tx.bots.submitted_version(bot, beginning).label
            tx.hosting.set_mode(bot, mode, pinned, locked=request.lock)
            of_others = row.owner != caller.owner
            if of_others or request.lock:
                now_us = self._platform.now_us()
                what = f"Of {row.owner}'s bot {bot} the arena runs {_words(mode, pinned)} from then on."
                if request.lock:
                    what += " Only an organiser can change that."
                if of_others and (given_up := withdraw(tx, bot, now_us)):
                    what += f" Matches that waited for it, and are given up: {given_up}."
                record_decision(
                    tx, AuditKind.BOT, caller, now_us, what, names.bot_name(bot), names.user_name(row.owner)
                )
            return self._messages(tx, (row,), caller)[0]

        async def carry_out() -> pb.Bot:
            message = await self._platform.database.write(change)
            self._platform.runtime.hosting_changed()
            self._platform.runtime.matches_changed.notify()  # some may have ended that never began
            return message

        return pb.SetHostingResponse(bot=await complete(carry_out()))

    def _messages(self, tx: Transaction, bots: tuple[BotRow, ...], caller: Caller) -> list[pb.Bot]:
        return bot_messages(tx, self._platform.runtime, bots, caller)


def bot_messages(
    tx: Transaction, runtime: ArenaRuntime, bots: tuple[BotRow, ...], caller: Caller
) -> list[pb.Bot]:
    """Return the bots as messages, each with what the caller may see of it."""
    ids = [bot.id for bot in bots]
    versions, hosted = tx.bots.newest_versions(ids, VERSIONS_SHOWN), tx.hosting.of(ids)
    idle, shown = tx.users.idle_bots(), bots_shown(tx, caller)

    def presence(bot: str) -> Presence:
        now = runtime.presence(bot)
        if shown is not None and bot not in shown:
            now = _public(now, hosted=bot in hosted and hosted[bot].version is not None)
        return replace(now, paused=idle[bot]) if bot in idle else now

    return [
        bot_message(
            bot,
            versions.get(bot.id, ()),
            presence(bot.id),
            hosted.get(bot.id),
            is_idle=bot.id in idle,
        )
        for bot in bots
    ]


def bot_message(
    bot: BotRow,
    versions: tuple[BotVersionRow, ...],
    presence: Presence,
    hosted: HostedRow | None = None,
    *,
    is_idle: bool = False,
) -> pb.Bot:
    """Return the bot as a message. `is_idle`: its owner is disabled, or a spectator."""
    reason = _unavailable_reason(bot, presence, hosted, is_idle=is_idle)
    return pb.Bot(
        name=names.bot_name(bot.id),
        owner=names.owner_name(bot.owner),
        **same(bot, "description", "hidden", "refuses_challenges"),
        create_time=timestamp(bot.created_us),
        versions=[version_message(version) for version in versions],
        **same(presence, "connections", "capacity", "playing", "paused"),
        hosting=None if hosted is None else _hosting_message(hosted, presence),
        unavailable_reason=pb.UnavailableReason.ValueType(0 if reason is None else reason.value),
    )


def _unavailable_reason(
    bot: BotRow, presence: Presence, hosted: HostedRow | None, *, is_idle: bool
) -> UnavailableReason | None:
    """Return why the bot gets no match, as far as its presence may show; None if it does."""
    if bot.hidden:
        return UnavailableReason.HIDDEN
    if is_idle:
        return UnavailableReason.OWNER_INACTIVE
    is_hosted = hosted is not None and hosted.version is not None
    if hosted is not None and is_hosted and hosted.suspended:
        return UnavailableReason.SUSPENDED
    unavailability = unavailability_of(presence, hosted=is_hosted)
    return None if unavailability is None else unavailability.reason


def _public(presence: Presence, *, hosted: bool) -> Presence:
    """Return the part of a presence that everyone may see: nothing that changes when a match is offered or withdrawn.

    The arena starts the process of a `hosted` bot for a match, so even its connection is left out.
    """
    return Presence() if hosted else Presence(presence.connections, presence.capacity)


def _hosting_message(hosted: HostedRow, presence: Presence) -> pb.Hosting:
    return pb.Hosting(
        mode=pb.Hosting.Mode.ValueType(hosted.mode.value),
        version="" if hosted.version is None else names.version_name(hosted.bot, hosted.version),
        benched=hosted.suspended,
        retry_time=timestamp(hosted.retry_us),
        programs=presence.programs,
        locked=hosted.locked,
    )


def version_message(version: BotVersionRow) -> pb.BotVersion:
    """Return the version as a message."""
    return pb.BotVersion(
        name=names.version_name(version.bot, version.label),
        origin=pb.BotVersion.Origin.ValueType(version.origin.value),
        language=version.language,
        create_time=timestamp(version.created_us),
        program=None
        if version.program is None
        else pb.BotVersion.Program(**same(version.program, *_PROGRAM)),
    )


_PROGRAM: Final = ("command", "games", "runtime", "files", "bytes", "memory_mib", "pids", "cores")
"""The fields of a program that everyone may see."""


def _check_hosting(tx: Transaction, bot: str, mode: HostingMode, caller: Caller) -> None:
    """Check that the caller, who may manage the bot, may run versions of it, or none.

    Raises NotFoundError (VERSION_NOT_FOUND), PermissionDeniedError (HOSTING_LOCKED).
    """
    hosted = tx.hosting.get(bot)
    if hosted is None:
        raise NotFoundError(
            ErrorReason.VERSION_NOT_FOUND,
            f"The bot {bot} has no submitted version: `arena bot submit {bot} PATH` makes one.",
            bot=bot,
        )
    if hosted.locked and mode is not HostingMode.OFF and not caller.is_organiser:
        raise PermissionDeniedError(
            ErrorReason.HOSTING_LOCKED,
            f"An organiser has turned off the hosting of the bot {bot}, and only an organiser can turn it on again. "
            "Ask them.",
            bot=bot,
        )


def _hosting_mode(request: pb.SetHostingRequest, bot: str) -> tuple[HostingMode, str | None]:
    """Return the mode, and the first digits of a pinned version's hash. Raises InvalidArgumentError (FIELD_INVALID)."""
    mode = enum_of(HostingMode, "mode", request.mode, "MODE_NEWEST, MODE_PINNED or MODE_OFF")
    if request.lock and mode is not HostingMode.OFF:
        raise invalid_field("lock", "lock is for MODE_OFF alone; leave it out.")
    if mode is not HostingMode.PINNED:
        if request.version:
            raise invalid_field("version", "version is for MODE_PINNED alone; leave it empty.")
        return mode, None
    of_bot, beginning = names.parse_version("version", request.version)
    if of_bot != bot:
        raise invalid_field("version", f"version is of {of_bot}, but must be one of {bot}.")
    return mode, beginning


def _words(mode: HostingMode, pinned: str | None) -> str:
    """Return what is hosted, as a part of a sentence for the audit trail."""
    if pinned is not None:
        return f"the version {shown_version(pinned)}"
    return "no version" if mode is HostingMode.OFF else "the newest version"


_MILLI: Final = 1_000


def _opponent_message(row: OpponentRow) -> pb.OpponentRecord:
    """Return the results against one opponent; scores of several games are not compared."""
    difference = None
    if row.score_difference is not None and row.compared_games == 1:
        difference = round(row.score_difference * _MILLI / row.compared)
    return pb.OpponentRecord(
        bot=names.bot_name(row.opponent),
        **same(row, "matches", "wins", "ties", "losses"),
        mean_score_difference_milli=difference,
        last_match=names.match_name(row.last_match),
        last_match_time=timestamp(row.last_match_us),
    )


def _ending_count(row: EndingRow) -> pb.EndingCount:
    """Return how often seats ended in one way."""
    return pb.EndingCount(
        termination=ending_pb2.Termination.ValueType(row.termination.value),
        fault=ending_pb2.Fault.ValueType(row.fault.value),
        matches=row.matches,
        last_match=names.match_name(row.last_match),
        last_match_time=timestamp(row.last_match_us),
    )
