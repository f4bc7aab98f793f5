"""Matches in play, as spectators see them: followed once for all viewers of a page."""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import grpc

from arena.codecs.codec import Codec, codec_for
from arena.drawings.drawing import Step, drawing_for
from arena.drawings.narration import seat_names, told
from arena.pages.links import Links
from arena.pages.reads import ArenaReads, page_error
from arena.pages.templates import render, result
from arena.pictures.picture import Moment, Picture, picture_for
from arena.runner.history import SeatActed, SeatForfeited
from arena.runner.spectator_turns import SpectatorTurns
from arena.runner.spectator_view import SpectatorFrame
from arena.v1 import match_pb2
from arena.wire.happenings import read_happening
from arena.wire.wording import short
from engine.registry import GAMES

TURNS: Final = 200
"""Turns that the page of a match in play shows."""
IDLE_S: Final = 10.0
"""A match that no page has asked for so long is followed no more."""
FOLLOWED: Final = 64
"""Matches followed at the same time."""


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A turn in words."""

    heading: str
    text: str
    events: Sequence[str] = ()


@dataclass(slots=True)
class FollowedMatch:
    """A match that is watched, and what of it is shown."""

    match: match_pb2.Match
    used_at: float
    turns: deque[ShownTurn] = field(default_factory=lambda: deque(maxlen=TURNS))
    words: str = "It has not begun."
    over: bool = False
    last: tuple[object, Moment | None] | None = None
    """The position, and what has led to it."""
    task: asyncio.Task[None] | None = None
    drawn: str = ""
    drawn_of: object = None


class LiveMatches:
    """The matches that pages follow."""

    def __init__(self, reads: ArenaReads) -> None:
        """Follow nothing yet."""
        self._reads = reads
        self._followed: dict[str, FollowedMatch] = {}

    async def part(self, links: Links, name: str) -> str:
        """Return position and turns of a match as they are now. Raises PageError."""
        now = asyncio.get_running_loop().time()
        followed = self._followed.get(name)
        if followed is None:
            request = match_pb2.GetMatchRequest(name=name)
            answer = await self._reads.get(self._reads.matches.GetMatch, request)
            self._forget_unused(now)
            followed = self._followed.setdefault(name, FollowedMatch(answer.match, now))
            if followed.task is None:
                followed.task = asyncio.create_task(self._follow(followed))
        followed.used_at = now
        return render(
            "position",
            links,
            part=True,
            name=name,
            words=followed.words,
            picture=_drawn(followed),
            turns=list(followed.turns),
            over=followed.over,
        )

    def is_over(self, name: str) -> bool:
        """Return whether a followed match has ended."""
        followed = self._followed.get(name)
        return followed is not None and followed.over

    async def close(self) -> None:
        """Follow nothing any more."""
        tasks = [each.task for each in self._followed.values() if each.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._followed.clear()

    def _forget_unused(self, now: float) -> None:
        """Stop to follow what no page has asked for; if there are too many, also the longest unused."""
        order = sorted(self._followed.items(), key=lambda pair: pair[1].used_at)
        too_many = len(order) - FOLLOWED + 1
        for index, (name, each) in enumerate(order):
            if index < too_many or now - each.used_at > IDLE_S:
                if each.task is not None:
                    each.task.cancel()
                del self._followed[name]

    async def _follow(self, followed: FollowedMatch) -> None:
        """Watch a match to its end."""
        name = followed.match.name
        request = match_pb2.WatchMatchRequest(name=name)
        story: _Story | None = None
        try:
            async for response in self._reads.watch(request):
                if response.HasField("match"):
                    followed.match = response.match
                    followed.words = result(response.match)
                    if short(response.match.game) not in GAMES and response.match.game not in GAMES:
                        followed.words = "These pages do not know its game."
                        return
                if response.HasField("view"):
                    story = story or _Story(followed)
                    story.take(response)
                followed.over = response.ended
        except grpc.aio.AioRpcError as error:
            followed.words = page_error(error).sentence
        finally:
            if not followed.over:
                self._followed.pop(name, None)  # the next look tries again


class _Story:
    """Puts the responses of one match together to a position and turns."""

    def __init__(self, followed: FollowedMatch) -> None:
        game = followed.match.game
        self._followed = followed
        self._codec: Codec = codec_for(game)
        self._drawing = drawing_for(game)
        self._names = seat_names(short(seat.bot) for seat in followed.match.seats)
        self._turns = SpectatorTurns(self._drawing)
        self._observation: object = None

    def take(self, response: Any) -> None:
        """Add a response that has a position."""
        before = self._observation
        happened = tuple(read_happening(each, self._codec, before) for each in response.happened)
        seen = self._codec.decode_observation(response.view)
        for each in self._turns.take(SpectatorFrame(happened, seen)):
            self._followed.turns.append(self._shown(each))
        acted = any(isinstance(each, SeatActed) for each in happened)
        step = self._turns.steps[-1] if acted and self._turns.steps else None
        self._followed.last = seen, Moment(step, seen, events=step.events) if step else None
        self._followed.words = (
            f"Turn {self._drawing.turn(seen)}: {self._drawing.standing(seen, self._names).plain}"
        )
        self._observation = seen
        if response.ended:
            for steps in self._turns.rest():
                self._followed.turns.append(self._shown(steps))
            self._followed.words = result(self._followed.match)

    def _shown(self, each: list[Step] | SeatForfeited) -> ShownTurn:
        if isinstance(each, SeatForfeited):
            return ShownTurn(self._names[each.seat], f"forfeits: {each.termination.name}.")
        heading = f"Turn {self._drawing.turn(each[0].before)} · {self._names[each[0].seat]}:"
        words, *events = (paragraph.plain for paragraph in told(self._drawing, each, self._names))
        return ShownTurn(heading, words, events)


def _drawn(followed: FollowedMatch) -> str:
    """Return the picture of the last position, drawn once."""
    if followed.last is not None and followed.drawn_of is not followed.last:
        observation, moment = followed.last
        names = seat_names(short(seat.bot) for seat in followed.match.seats)
        picture: Picture = picture_for(followed.match.game).draw(observation, names, moment)
        followed.drawn, followed.drawn_of = picture.markup(), followed.last
    return followed.drawn
