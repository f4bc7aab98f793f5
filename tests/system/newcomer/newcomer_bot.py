"""A bot for Caravan written from docs/protocol.md, docs/rules/caravan.md and the .proto files alone, without any sdk.

The code that it needs is generated as docs/protocol.md says, into a folder that is on its PYTHONPATH.

It reads ARENA_ADDRESS and ARENA_TOKEN from the environment. SIGTERM makes it finish its matches and leave; a second
one ends it at once. It returns 0 when it has left, 3 when it was refused.
"""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Coroutine, Iterator, Sequence
from typing import Any

import grpc

from arena.games.caravan.v1 import caravan_pb2 as caravan
from arena.v1 import games_pb2 as games
from arena.v1 import play_pb2 as play
from arena.v1 import play_pb2_grpc as play_grpc

MATCHES = 4
FIRST_WAIT_S, LONGEST_WAIT_S = 0.1, 5.0
LEFT, REFUSED = 0, 3
# Only the connection decides about coming back (no retries), and at most one keepalive ping in 30 s.
CHANNEL_OPTIONS = [
    ("grpc.enable_retries", 0),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 60_000),
]
REFUSALS = {grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.UNIMPLEMENTED}
NEWS = ("withdrawn", "warning", "decision_closed", "answer_ignored", "seat_ended", "draining")


def paths(columns: int, start: int, goal: int) -> Iterator[list[int]]:
    """Yield the two ways from start to goal, both included, that turn once at most."""
    (r0, c0), (r1, c1) = divmod(start, columns), divmod(goal, columns)
    down, across = range(r0, r1, 1 if r1 > r0 else -1), range(c0, c1, 1 if c1 > c0 else -1)
    yield [*(r * columns + c0 for r in down), *(r1 * columns + c for c in across), goal]
    yield [*(r0 * columns + c for c in across), *(r * columns + c1 for r in down), goal]


class Plans:
    """What a seat could do with each good within reach."""

    def __init__(self, view: caravan.Observation, seat: int) -> None:
        """Note where the camels are and what it costs to have one on each square."""
        self.view, self.own = view, view.seats[seat]
        self.empty = {camels.square: camels.count for camels in self.own.empty_camels}
        laden = {camel.square for camel in self.own.laden_camels}
        others = {c.square for s in view.seats for c in s.empty_camels}
        others |= {c.square for s in view.seats for c in s.laden_camels}
        # A shared square costs 2, one with an own camel nothing (C8, C13).
        squares = range(view.board.rows * view.board.columns)
        self.entry = [0 if q in self.empty or q in laden else 1 + (q in others) for q in squares]

    def all(self) -> Iterator[tuple[float, caravan.Action]]:
        """Yield for each good what a point spent on it brings, and the next action on its way to the city."""
        for camel in self.own.laden_camels:
            yield from self.on_the_way(camel)
        if self.own.supply + sum(self.empty.values()) > 1:  # C12
            for square, space in zip(self.view.board.goods_spaces, self.view.goods_spaces, strict=True):
                if space.good:
                    yield from self.on_its_space(square, space)

    def path(self, start: int, good: int) -> list[int]:
        """Return the cheapest way from a square to the city of the good."""
        board = self.view.board
        ways = paths(board.columns, start, board.cities[good - 1])
        return min(ways, key=lambda squares: sum(self.entry[q] for q in squares))

    def missing(self, path: list[int]) -> list[int]:
        """Return the squares of a path that still need a camel, its start left out."""
        return [q for q in path[1:-1] if self.entry[q]] + [path[-1]] * (path[-1] not in self.empty)

    def worth(self, good: int, extra: int, missing: list[int], actions: int) -> float:
        """Return the points a good brings for each action point spent."""
        cost = sum(self.entry[q] or 2 for q in missing) + actions
        return ((3 if good <= caravan.GOOD_HIDES else 6) + extra) / cost

    def bring(self, path: list[int], target: int) -> Iterator[caravan.Action]:
        """Yield how a camel gets to the target: out of the supply, or one that the path does not need."""
        free = [q for q, count in self.empty.items() if q not in path or count > 1]
        if self.own.supply:
            yield caravan.Action(place=caravan.Place(to_square=target))
        elif free:
            yield caravan.Action(move=caravan.Move(from_square=free[0], to_square=target))

    def on_its_space(self, start: int, space: caravan.GoodsSpace) -> Iterator[tuple[float, caravan.Action]]:
        """Yield what is next for a good that nobody carries."""
        path = self.path(start, space.good)
        missing = [start] * (start not in self.empty) + self.missing(path)
        worth = self.worth(space.good, space.demand_markers, missing, 2)
        if start in self.empty:
            yield worth, caravan.Action(pick_up=caravan.PickUp(at_square=start))
            return
        for action in self.bring(path, start):
            yield worth, action

    def on_the_way(self, camel: caravan.LadenCamel) -> Iterator[tuple[float, caravan.Action]]:
        """Yield what is next for a good that this seat carries."""
        start, path = camel.square, self.path(camel.square, camel.good)
        missing = self.missing(path)
        worth = self.worth(camel.good, 1, missing, 1)
        brought = list(self.bring(path, missing[0])) if missing else []
        for action in brought:
            yield worth, action
        if not brought:  # to the city, or as far as the camels reach: those behind are free then
            reach = path if not missing else path[: path.index(missing[0])]
            for target in [q for q in reversed(reach) if q in self.empty and q != start][:1]:
                step = caravan.MoveGood(
                    from_square=start, good=camel.good, is_protected=camel.is_protected, to_square=target
                )
                yield worth, caravan.Action(move_good=step)


def choose(view: caravan.Observation, seat: int, legal: Sequence[games.Action]) -> int:
    """Return the place of the best action in the list of the legal ones; passing, which is the first, if none is."""
    for _, action in sorted(Plans(view, seat).all(), key=lambda plan: -plan[0]):
        wanted = games.Action(caravan=action)
        if wanted in legal:
            return list(legal).index(wanted)
    return 0


class Bot:
    """What outlives a connection: the resume token, the seats held, the wish to leave."""

    def __init__(self, address: str, token: str) -> None:
        """Take what the environment says; without a token the socket is the identity."""
        self.address = address
        self.metadata = [("authorization", f"Bearer {token}")] if token else []
        self.resume_token = ""
        self.seats: dict[int, int] = {}
        self.leaving = asyncio.Event()
        self.wait_s = FIRST_WAIT_S

    async def run(self) -> int:
        """Play until the arena says that it is over; return the exit code."""
        while True:
            pause = 0.0
            try:
                goodbye = await Connection(self).talk()
            except grpc.aio.AioRpcError as error:
                goodbye = None
                say(f"connection lost: {error.code().name}: {error.details()}")
                if error.code() in REFUSALS:
                    return REFUSED
            if goodbye is not None:
                say(f"goodbye {play.Goodbye.Code.Name(goodbye.code)}: {goodbye.sentence}")
                if not goodbye.come_back:
                    return LEFT if goodbye.code == play.Goodbye.CODE_DONE else REFUSED
                pause = goodbye.come_back_after_ms / 1000
                if goodbye.code == play.Goodbye.CODE_SHUTTING_DOWN:
                    self.seats.clear()
            await self.rest(max(pause, self.wait_s))
            if self.leaving.is_set() and not self.seats:
                return LEFT
            self.wait_s = min(self.wait_s * 2, LONGEST_WAIT_S)

    async def rest(self, seconds: float) -> None:
        """Wait before coming back; not longer than until a wish to leave comes while no seat is held."""
        sleep = asyncio.sleep(seconds) if self.seats else asyncio.wait_for(self.leaving.wait(), seconds)
        with contextlib.suppress(TimeoutError):
            await sleep


class Connection:
    """One call of Play, from hello to goodbye."""

    def __init__(self, bot: Bot) -> None:
        """Prepare the call; talk makes it."""
        self.bot = bot
        self.untold = 0
        self.changed = asyncio.Event()
        self.writing = asyncio.Lock()
        self.tasks: set[asyncio.Task[None]] = set()
        self.call: Any = None

    async def talk(self) -> play.Goodbye | None:
        """Hold the conversation; return the goodbye, or None if the stream ended without one."""
        bot, goodbye = self.bot, None
        async with grpc.aio.insecure_channel(bot.address, CHANNEL_OPTIONS) as channel:
            self.call = play_grpc.PlayServiceStub(channel).Play(metadata=bot.metadata)
            await self.call.initial_metadata()
            try:
                await self.send(hello=self.hello())
                async for frame in self.call:
                    for message in frame.messages:
                        goodbye = await self.handle(message) or goodbye
            except grpc.aio.AioRpcError:
                if goodbye is None:  # after a goodbye the status says the same once more
                    raise
            finally:
                for task in self.tasks:
                    task.cancel()
        return goodbye

    def hello(self) -> play.Hello:
        """Return the first message: with the last token, or a claim if there is none."""
        hello = play.Hello(lowest_protocol=1, highest_protocol=1, bot_version="1", language="python")
        hello.games.add(game="caravan")
        hello.capacity.matches = 0 if self.bot.leaving.is_set() else MATCHES
        hello.capacity.open_decisions = 1
        if self.bot.resume_token:
            hello.resume_token = self.bot.resume_token
        else:
            hello.claim = True
        return hello

    async def send(self, **kind: Any) -> None:
        """Write one message, in a frame of its own; that the call is over already is learnt by reading on."""
        async with self.writing:
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                await self.call.write(play.PlayRequest(messages=[play.ClientMessage(**kind)]))

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something run beside the reading, until the connection ends."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def handle(self, message: play.ServerMessage) -> play.Goodbye | None:
        """Do what one message asks for; return it if it is the goodbye."""
        seats, kind = self.bot.seats, message.WhichOneof("kind")
        body: Any = getattr(message, kind) if kind else None
        if kind == "welcome":
            self.welcome(body)
        elif kind == "ping":
            await self.send(pong=play.Pong(id=body.id))
        elif kind == "assigned":
            seats[body.assignment] = body.seat
            self.untold -= 1
            await self.send(ready=play.Ready(assignment=body.assignment))
        elif kind == "decision":
            self.start(self.answer(body, seats[body.assignment]))
        elif kind == "match_ended":
            self.drop(body.assignment)
            say(
                f"{body.match.name} {body.match.ending} {[(s.bot, s.placing, s.score) for s in body.match.seats]}"
            )
        elif kind == "goodbye":
            return message.goodbye
        elif kind in NEWS:
            say(f"{kind}: {' '.join(str(body).split())}")
            if kind == "withdrawn":
                self.drop(body.assignment)
        # match_started and match_news tell nothing that this bot needs; a kind that it does not know is ignored.
        return None

    def welcome(self, welcome: play.Welcome) -> None:
        """Remember the token; the seats that go on are told anew."""
        self.bot.resume_token, self.bot.wait_s = welcome.resume_token, FIRST_WAIT_S
        self.bot.seats.clear()
        self.untold = welcome.assignments
        say(f"{welcome.bot}, {welcome.session}, resumed: {welcome.resumed}")
        self.start(self.leave())

    def drop(self, assignment: int) -> None:
        """Forget a seat whose match is over, or does not begin."""
        self.bot.seats.pop(assignment, None)
        self.changed.set()

    async def answer(self, decision: play.Decision, seat: int) -> None:
        """Think in a thread, so that pings are answered meanwhile, and answer."""
        index = await asyncio.to_thread(choose, decision.view.caravan, seat, decision.legal_actions)
        await self.send(
            answer=play.Answer(assignment=decision.assignment, decision=decision.decision, index=index)
        )

    async def leave(self) -> None:
        """Once it is wished: take nothing new, play on until nothing is running, half-close."""
        await self.bot.leaving.wait()
        await self.send(capacity=play.Capacity(matches=0, open_decisions=1))
        while self.bot.seats or self.untold > 0:
            self.changed.clear()
            await self.changed.wait()
        # A seat that is just on its way loses the connection by this, and the bot comes back to play it on.
        await self.call.done_writing()


def say(text: str) -> None:
    """Tell the operator."""
    sys.stderr.write(f"{text}\n")


async def main() -> int:
    """Play for the arena that the environment names."""
    bot = Bot(os.environ["ARENA_ADDRESS"], os.environ.get("ARENA_TOKEN", ""))
    loop = asyncio.get_running_loop()

    def leave() -> None:
        """Leave at the first SIGTERM; the next one does what it does by default."""
        bot.leaving.set()
        loop.remove_signal_handler(signal.SIGTERM)

    loop.add_signal_handler(signal.SIGTERM, leave)
    return await bot.run()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
