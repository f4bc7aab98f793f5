"""The public view of a match, live or from its log."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Final
from weakref import WeakKeyDictionary

from arena.codecs.codec import codec_for
from arena.codecs.serialized import embedded
from arena.core.errors import ErrorReason, FailedPreconditionError, invalid_field
from arena.core.match import SeedPolicy
from arena.core.match_record import MatchRecord
from arena.match_log.reader import UnreadableLogError, read_log
from arena.runner.spectator_view import SpectatorFrame, SpectatorView, recorded_view_of
from arena.scheduling.isolation import is_isolated
from arena.server.auth.permissions import Caller
from arena.server.services.freezes import check_match_shown, frozen
from arena.server.services.service_context import ServiceContext, bots_shown
from arena.server.services.stored_logs import StoredLogs, damaged_log, recorded_log
from arena.v1 import match_pb2
from arena.wire.messages.match import match_message
from arena.wire.play.outgoing import happening_bytes
from arena.wire.resource_names import parse_match
from engine.game import GameError

BURST_S: Final = 0.05
"""What may be used ahead of its time, so that few callers never wait."""


class Pacer:
    """Gives turns in order of arrival, at most so many a second."""

    def __init__(self, per_second: float) -> None:
        self._each_s = 1 / per_second
        self._next = 0.0

    def wait_s(self, now: float) -> float:
        """Take a turn; return the seconds from `now` (seconds of a monotonic clock) until it comes."""
        self._next = max(self._next, now - BURST_S) + self._each_s
        return max(0.0, self._next - now)


Response = match_pb2.WatchMatchResponse

AT_ONCE: Final = 16
"""Entries of a match's history whose frames are made in one turn of the event loop: a few milliseconds of work. The
first spectator of a long match has to catch up with hundreds, in which no match may stand still."""

RESPONSES_PER_S: Final = 1_000
"""For all watchers of an arena together; beyond it they fall behind, but matches do not wait."""


class MatchStreams:
    """Shows matches to any number of watchers; each frame is encoded once for all of them."""

    def __init__(self, platform: ServiceContext, stored_logs: StoredLogs) -> None:
        """Start without watchers."""
        self._platform = platform
        self._stored_logs = stored_logs
        self._pace = Pacer(RESPONSES_PER_S)
        self._frames: WeakKeyDictionary[SpectatorView, list[Response]] = WeakKeyDictionary()
        self._one_catches_up = asyncio.Lock()

    async def responses(
        self, request: match_pb2.WatchMatchRequest, caller: Caller
    ) -> AsyncGenerator[Response]:
        """Yield the match after the request's cursor until it ends; the last response says so.

        Raises NotFoundError (MATCH_NOT_FOUND), FailedPreconditionError (WATCH_SEALED; STANDINGS_FROZEN; LOG_MISSING,
        its rules are not those installed), DataLossError (LOG_MISSING), InvalidArgumentError (FIELD_INVALID, a
        cursor).
        """
        match = parse_match("name", request.name)
        own = await self._platform.database.read(lambda tx: bots_shown(tx, caller))
        watcher = _Watcher(request.cursor, from_start=request.from_start, own_bots=own)
        async with aclosing(self._unpaced(match, watcher, caller)) as responses:
            async for response in responses:
                wait_s = self._pace.wait_s(time.monotonic())
                if wait_s:
                    await asyncio.sleep(wait_s)
                yield response

    async def _unpaced(self, match: int, watcher: _Watcher, caller: Caller) -> AsyncGenerator[Response]:
        spectator_view: SpectatorView | None = None
        while True:
            change_signal = self._platform.runtime.matches_changed
            self._platform.freezes.wake(change_signal)
            notified = change_signal.notified
            spectator_view = self._platform.runtime.spectator_view(match) or spectator_view
            row = await self._platform.database.read(lambda tx: tx.matches.get(match))
            check_match_shown(row, caller)
            _check_open(row, organiser=caller.is_organiser)
            if row.ended:
                break
            if spectator_view is None or spectator_view.over:
                spectator_view = None
                for response in watcher.pending(self._message(row, watcher)):
                    yield response
                await change_signal.after(notified)
                continue
            async with aclosing(self._live(spectator_view, watcher, row, caller)) as responses:
                async for response in responses:
                    yield response
        if spectator_view is not None and spectator_view.over:
            shown = await self._frames_so_far(spectator_view, row.terms.game)
            for response in watcher.final(shown, self._message(row, watcher)):
                yield response
            return
        with self._stored_logs.taken(caller.owner):
            async with self._stored_logs.turns:
                frames = await asyncio.to_thread(self._from_log, row)
            watcher.in_order = True
            for response in watcher.final(frames, self._message(row, watcher)):
                yield response

    async def _live(
        self, spectator_view: SpectatorView, watcher: _Watcher, row: MatchRecord, caller: Caller
    ) -> AsyncGenerator[Response]:
        """Yield the frames so far, and those that follow until the match ends."""
        match = row.id
        self._platform.freezes.wake(spectator_view.change_signal)
        while True:
            notified = spectator_view.change_signal.notified
            if not caller.is_organiser and self._platform.freezes.includes(row.terms.ladder):
                raise frozen(row.terms.ladder or "")
            frames = await self._frames_so_far(spectator_view, row.terms.game)
            watcher.check(len(frames))
            if frames:
                if row.started_us is None:  # since it began, it has the versions that play it
                    row = await self._platform.database.read(lambda tx: tx.matches.get(match))
                known = None if watcher.knows_match else self._message(row, watcher)
                for response in watcher.new_responses(frames, known):
                    yield response
            else:
                for response in watcher.pending(self._message(row, watcher)):
                    yield response
            if spectator_view.over:
                return
            await spectator_view.change_signal.after(notified)

    def _message(self, row: MatchRecord, watcher: _Watcher) -> match_pb2.Match:
        return match_message(row, self._platform.catalogue, own_bots=watcher.own_bots)

    async def _frames_so_far(self, spectator_view: SpectatorView, game: str) -> Sequence[Response]:
        """Return the frames so far as responses, with cursors 1, 2, 3 ...

        If there are many new ones, the event loop has its turns in between, and watchers of others wait.
        """
        frames = self._frames.setdefault(spectator_view, [])
        if spectator_view.behind > AT_ONCE:
            async with self._one_catches_up:
                while spectator_view.behind > AT_ONCE:
                    _add_frames(frames, spectator_view, game)
                    await asyncio.sleep(0)
        _add_frames(frames, spectator_view, game)
        return frames

    def _from_log(self, row: MatchRecord) -> Sequence[Response]:
        """Return the frames of an ended match; none of a void one without a log. Blocks."""
        if not row.log:
            return ()
        try:
            log = read_log(recorded_log(self._platform.logs, row))
            return _responses(recorded_view_of(log).frames(), 1, row.terms.game)
        except UnreadableLogError as error:
            raise damaged_log(row.id, error.flaw.sentence) from error
        except GameError as error:
            raise FailedPreconditionError(
                ErrorReason.LOG_MISSING,
                f"Match {row.id} was played by other rules than those installed and cannot be shown again; "
                "its log can be downloaded.",
                match=str(row.id),
            ) from error


class _Watcher:
    """The position of one watcher."""

    def __init__(self, cursor: int, *, from_start: bool, own_bots: frozenset[str] | None) -> None:
        self._cursor = cursor
        self.own_bots = own_bots
        self.in_order = from_start or cursor > 0
        """Whether the next frame is the one after the cursor, not the newest."""
        self._sent_pending = False
        self.knows_match = False
        """Whether it was sent the bots since the match began."""

    def check(self, frames: int) -> None:
        """Raise InvalidArgumentError (FIELD_INVALID) if no response has the cursor."""
        if self._cursor > frames:
            raise invalid_field(
                "cursor",
                f"cursor is {self._cursor}, but the match has come to {frames}: send the last one received.",
            )

    def pending(self, match: match_pb2.Match) -> Sequence[Response]:
        """Return the match that has not begun, the first time."""
        if self._sent_pending:
            return ()
        self._sent_pending = True
        return (Response(cursor=self._cursor, match=match),)

    def new_responses(self, frames: Sequence[Response], match: match_pb2.Match | None) -> list[Response]:
        """Return the responses that are new to the watcher; the first has `match`."""
        if frames and not self.in_order:
            fresh = [Response(cursor=len(frames), view=frames[-1].view)]
        else:
            fresh = list(frames[self._cursor :])
        self.in_order = True
        self._cursor = max(self._cursor, len(frames))
        if fresh and match is not None:
            fresh[0] = _with_match(fresh[0], match)
            self.knows_match = True
        return fresh

    def final(self, frames: Sequence[Response], match: match_pb2.Match) -> list[Response]:
        """Return the rest; the last response has the ended match."""
        fresh = self.new_responses(frames, None if self.knows_match else match) or [
            Response(cursor=self._cursor)
        ]
        fresh[-1] = _with_match(fresh[-1], match)
        fresh[-1].ended = True
        return fresh


def _with_match(response: Response, match: match_pb2.Match) -> Response:
    """Return a copy with the match: the frames themselves are shared."""
    copy = Response.FromString(response.SerializeToString())
    copy.match.CopyFrom(match)
    return copy


def _add_frames(frames: list[Response], spectator_view: SpectatorView, game: str) -> None:
    """Add the frames of a few entries of the history."""
    frames += _responses(spectator_view.frames_of(AT_ONCE)[len(frames) :], len(frames) + 1, game)


def _responses(frames: Sequence[SpectatorFrame], first: int, game: str) -> list[Response]:
    """Return the frames as responses, the first with the cursor `first`."""
    codec, responses = codec_for(game), []
    for cursor, frame in enumerate(frames, start=first):
        view = embedded(Response.VIEW_FIELD_NUMBER, codec.encode_observation(frame.observation))
        happened = [
            embedded(Response.HAPPENED_FIELD_NUMBER, happening_bytes(each, codec)) for each in frame.happened
        ]
        responses.append(Response.FromString(b"".join([view, *happened])))
        responses[-1].cursor = cursor
    return responses


def _check_open(row: MatchRecord, *, organiser: bool) -> None:
    """Raise FailedPreconditionError (WATCH_SEALED) if the match may not be watched yet.

    An organiser may watch where only programs of the arena play: what they see cannot reach these programs.
    """
    if organiser and is_isolated(row.terms.game, row.seed_policy):
        return
    shared = row.seed_policy is SeedPolicy.SHARED and not row.group_complete
    if shared or (row.ended and row.sealed and row.log):
        raise FailedPreconditionError(
            ErrorReason.WATCH_SEALED,
            f"Match {row.id} cannot be watched yet: other matches of its group are played on the same seed. "
            "It can be watched when the whole group has ended. Organisers may watch now if all its bots are hosted.",
            match=str(row.id),
        )
