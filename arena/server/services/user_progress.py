"""How far a user is, and what prevents their bots from playing: for the overview of a class."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from arena.server.auth.permissions import Caller
from arena.server.services.bots import bot_messages
from arena.server.services.service_context import ArenaRuntime
from arena.server.services.user_fields import user_message
from arena.store.accounts.users import UserRow
from arena.store.bots.submissions import SubmissionRow, SubmissionState
from arena.store.ladders.entries import EntryRow
from arena.store.store import Transaction
from arena.v1 import bot_pb2
from arena.v1 import user_pb2 as pb
from arena.wire.fields import timestamp
from arena.wire.owner_wording import describe_unavailable
from arena.wire.resource_names import bot_name, owner_name

_Problem = pb.UserProgress.Problem

MOST_LADDERS: Final = 100
"""Ladders of one bot that are looked at."""


def user_progress(
    tx: Transaction, runtime: ArenaRuntime, users: Sequence[UserRow], caller: Caller
) -> list[pb.UserProgress]:
    """Return how far each user is, for members of a team by its bots. `caller`: an organiser."""
    owners = {user.team or user.id for user in users}
    rows = [tx.bots.get_any(bot) for owner in sorted(owners) for bot in sorted(tx.bots.of_owner(owner))]
    of_owner: defaultdict[str, list[bot_pb2.Bot]] = defaultdict(list)
    for bot in bot_messages(tx, runtime, tuple(row for row in rows if not row.gate), caller):
        of_owner[bot.owner].append(bot)
    return [_progress(tx, user, of_owner[owner_name(user.team or user.id)]) for user in users]


def _progress(tx: Transaction, user: UserRow, bots: Sequence[bot_pb2.Bot]) -> pb.UserProgress:
    last_use_us = tx.tokens.last_use(user.id)
    made = pb.UserProgress(
        user=user_message(user),
        joined=last_use_us is not None or tx.tokens.has_accepted_invite(user.id),
        last_use_time=timestamp(last_use_us),
        bots=(bot.name for bot in bots),
        playing=sum(bot.playing for bot in bots),
    )
    names = [bot.name.partition("/")[2] for bot in bots]
    of_bots = [tx.entries.of_bot(name, show_hidden=True, after=None, limit=MOST_LADDERS) for name in names]
    on_a_ladder = any(entry.active for entries in of_bots for entry in entries)
    for bot, name, entries in zip(bots, names, of_bots, strict=True):
        newest = next(iter(tx.submissions.page(name, before=None, limit=1)), None)
        origins = {version.origin for version in bot.versions}
        made.connected |= bot_pb2.BotVersion.ORIGIN_DECLARED in origins or (
            bool(bot.connections) and not bot.hosting.programs
        )
        made.submitted |= newest is not None
        made.admitted |= bot_pb2.BotVersion.ORIGIN_SUBMITTED in origins
        made.matches += sum(entry.matches for entry in entries)
        if not bot.hidden:
            made.problems.extend(_problems(bot, newest, entries, spare=on_a_ladder))
    return made


def _problems(
    bot: bot_pb2.Bot, newest: SubmissionRow | None, entries: tuple[EntryRow, ...], *, spare: bool
) -> Iterator[pb.UserProgress.Problem]:
    """Yield what prevents a bot from playing. `spare`: its owner has one on a ladder, so it need not be there."""
    name = bot.name.partition("/")[2]
    entered = any(entry.active for entry in entries)
    if bot.hosting.benched:
        why = f"is suspended: {bot.hosting.benched}"
        yield _problem(name, _Problem.KIND_SUSPENDED, bot_pb2.UNAVAILABLE_REASON_SUSPENDED, why)
    rejected = newest is not None and newest.state is SubmissionState.REJECTED
    if newest is not None and rejected and newest.rejection is not None:
        why = f"{newest.rejection.sentence} ({newest.rejection.reason.value})"
        what = f"had submission {newest.number} rejected: {why}"
        yield _problem(name, _Problem.KIND_REJECTED, bot_pb2.UNAVAILABLE_REASON_REJECTED, what)
    absent = describe_unavailable(bot)
    if bot.paused:
        yield _problem(name, _Problem.KIND_PAUSED, bot.unavailable_reason, absent)
    elif absent and entered:
        yield _problem(
            name, _Problem.KIND_NOT_CONNECTED, bot.unavailable_reason, f"is on a ladder, but {absent}"
        )
    elif any(entry.locked for entry in entries) and not entered:
        what = "was taken off its ladder by an organiser"
        yield _problem(name, _Problem.KIND_LOCKED, bot_pb2.UNAVAILABLE_REASON_LOCKED, what)
    elif entered and bot.unavailable_reason == bot_pb2.UNAVAILABLE_REASON_NO_CAPACITY:
        what = "is on a ladder, and has no capacity: it asks for no matches"
        yield _problem(name, _Problem.KIND_NO_CAPACITY, bot.unavailable_reason, what)
    elif not entered and not (absent and (spare or rejected)):
        what = f"is on no ladder{absent and ', and '}{absent}: `arena ladder join LADDER {name}`"
        yield _problem(name, _Problem.KIND_NOT_ENTERED, bot_pb2.UNAVAILABLE_REASON_NOT_ENTERED, what)


def _problem(
    bot: str,
    kind: pb.UserProgress.Problem.Kind.ValueType,
    reason: bot_pb2.UnavailableReason.ValueType,
    what: str,
) -> pb.UserProgress.Problem:
    return _Problem(bot=bot_name(bot), kind=kind, sentence=f"{bot} {what}", unavailable_reason=reason)
