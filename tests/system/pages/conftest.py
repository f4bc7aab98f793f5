"""One arena for all tests of pages: public, sealed, running and waiting matches, with secrets and hostile texts."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from arena.core.seeds import match_seed
from arena.store.store import Store, Transaction
from arena.v1 import match_pb2, play_pb2, token_pb2, tournament_pb2
from tests.system.e2e.playing import play_on
from tests.system.e2e.secret_scanner import SecretScanner
from tests.system.pages.pages_process import PagesProcess, export
from tests.system.play.arena_process import ENDLESS, WAIT_S, ArenaProcess
from tests.system.play.raw_bot import RawBot, begin_match, connect

DEBUG = "debug-4f1c9a27"
FAILED = "failed-5be07d13"
"""In debug lines, and in those of exceptions; their owner alone may see them."""
EXPECTED = "expects-91d0c3ab"
"""In evaluations of matches in play; nobody may see them before the end."""
DESCRIPTION = (
    "=HYPERLINK(\"javascript:alert(1)\") {{7*7}} {% raw %} ${7*7} <script>alert('x')</script>"
    '<svg onload="alert(2)"><img src=x onerror=alert(3)> --> ]]> &lt; مرحبا'
)
VERSION = "=1+1{{7*7}}\"'><svg onload=alert(4)>"
LANGUAGE = "@SUM(1)<b onclick=x>{{7*7}}\"'"
REASON = "<img src=x onerror=alert(5)> {{7*7}} </p></script><script>alert(6)"


@dataclass
class World:
    """The arena, its matches, and what nobody may see in pages."""

    arena: ArenaProcess
    secrets: SecretScanner = field(default_factory=SecretScanner)
    public: str = ""
    """A finished match whose log is public."""
    sealed: str = ""
    """A finished match of a group in play that shares a seed."""
    sealed_running: str = ""
    """Another match of that group, in play."""
    running: str = ""
    """A match in play of a game with hidden hands."""
    waiting: str = ""
    """A match that has not begun, with a bot of alice."""
    void: str = ""
    organiser: str = ""
    """The token of the owner of ant and bee, who is an organiser."""
    alice: str = ""
    """The token of an owner of bots."""
    spectator: str = ""
    olga: str = ""
    """The token of an organiser without bots."""
    reading: str = ""
    """A token of the owner of ant and bee that may only read."""
    decision: play_pb2.Decision = field(default_factory=play_pb2.Decision)
    """An open decision of the running match: what one seat sees of it."""


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Make all that once."""
    with ArenaProcess(tmp_path_factory.mktemp("pages") / "data") as arena:
        made = World(arena)
        made.organiser = (arena.data / "organiser.token").read_text().strip()
        made.alice = arena.tokens.CreateToken(role=token_pb2.ROLE_OWNER, owner="owners/alice").secret
        arena.teams.CreateTeam(team_id="reds")
        made.spectator = arena.tokens.CreateToken(role=token_pb2.ROLE_SPECTATOR, owner="owners/sam").secret
        made.olga = arena.tokens.CreateToken(role=token_pb2.ROLE_ORGANISER, owner="owners/olga").secret
        made.reading = arena.tokens.CreateToken(
            role=token_pb2.ROLE_ORGANISER, scopes=[token_pb2.SCOPE_READ]
        ).secret
        tokens = {bot: arena.bot(bot) for bot in ("ant", "dog", "eel", "fox", "hid")}
        arena.bots.CreateBot(bot_id="bee", description=DESCRIPTION)
        arena.bots.CreateBot(bot_id="cow", owner="owners/alice")
        for bot in ("bee", "cow"):
            tokens[bot] = arena.tokens.CreateToken(role=token_pb2.ROLE_BOT, bot=f"bots/{bot}").secret
        bots = _connected(arena, tokens)
        _play(made, bots)
        arena.bots.SetBotHidden(name="bots/hid", hidden=True)
        people = {"alice": made.alice, "sam": made.spectator, "olga": made.olga, "reading": made.reading}
        for name, token in (tokens | people).items():
            made.secrets.add_token(f"token of {name}", token)
        _add_secrets(made)
        try:
            yield made
        finally:
            for connected in bots.values():
                connected.cut()


def _connected(arena: ArenaProcess, tokens: dict[str, str]) -> dict[str, RawBot]:
    plain = [bot for bot in tokens if bot not in ("bee", "hid", "fox")]
    bots = dict(zip(plain, connect(arena.unix, [tokens[bot] for bot in plain]), strict=True))
    bots["bee"] = RawBot(arena.unix, tokens["bee"])
    bots["bee"].hello(bot_version=VERSION, language=LANGUAGE)
    return bots


def _play(world: World, bots: dict[str, RawBot]) -> None:
    arena = world.arena
    both = [bots["ant"], bots["bee"]]
    arena.ladder("open", "ant", "bee", matches=2, options={"turn_limit": "12"})
    world.public, world.void = sorted(played(both, 2))
    arena.matches.VoidMatch(name=world.void, reason=REASON)
    arena.ladder("sealed", "ant", "bee", game="caravanserai", matches=2, time_control=ENDLESS)
    (world.sealed,) = played(both, 1)
    world.sealed_running, _ = _begin(both)
    arena.ladder("live", "dog", "eel", "cow", game="ahldarahd", matches=3, time_control=ENDLESS)
    seats = [bots["dog"], bots["eel"], bots["cow"]]
    world.running, world.decision = _begin(seats)
    arena.tournaments.CreateTournament(
        tournament_id="later",
        format=tournament_pb2.Tournament.FORMAT_ROUND_ROBIN,
        game="caravan",
        bots=["bots/cow", "bots/fox"],
        seats=2,
        rounds=1,
        time_control=ENDLESS,
    )
    arena.tournaments.RunTournament(name="tournaments/later")
    pending = arena.matches.ListMatches(ladder="ladders/live", state=match_pb2.MATCH_STATE_PENDING).matches
    world.waiting = pending[0].name


def played(bots: Sequence[RawBot], matches: int) -> set[str]:
    """Play so many matches to their end; return them."""

    def play(bot: RawBot) -> list[match_pb2.Match]:
        def choose(decision: play_pb2.Decision) -> int:
            for text, exception in ((DEBUG, False), (FAILED, True)):
                line = play_pb2.Debug(
                    assignment=decision.assignment, decision=decision.decision, text=text, exception=exception
                )
                bot.say(debug=line)
            return 0

        return play_on(bot, matches, choose=choose)

    with ThreadPoolExecutor(len(bots)) as threads:
        return {match.name for ended in threads.map(play, bots) for match in ended}


def _begin(bots: Sequence[RawBot]) -> tuple[str, play_pb2.Decision]:
    """Let the next match begin, and answer once with an evaluation; return it with its next decision, which is open."""
    seats = begin_match(bots)
    first = _asked(seats)
    assigned = next(each.assigned for each in reversed(first.heard) if each.HasField("assigned"))
    first.answer(first.hear("decision"), evaluation=play_pb2.Evaluation(line=EXPECTED))
    return assigned.match, _asked(seats).hear("decision")


def _asked(seats: Sequence[RawBot]) -> RawBot:
    """Return the bot that is asked next; it is drawn who begins."""
    give_up = time.monotonic() + WAIT_S
    while not (asked := [bot for bot in seats if bot.waits("decision")]):
        assert time.monotonic() < give_up
        time.sleep(0.02)
    return asked[0]


def _add_secrets(world: World) -> None:
    """Add the seeds and secrets that the arena keeps, and what bots wrote for their owners."""
    secrets, data = world.secrets, world.arena.data
    secrets.add_token("token of the organiser", world.organiser)
    secrets.add("debug lines", DEBUG.encode())
    secrets.add("exceptions", FAILED.encode())
    secrets.add("evaluations of matches in play", EXPECTED.encode())
    store = Store(f"sqlite:///{data / 'arena.db'}")
    with closing(store):
        for name in (world.sealed, world.sealed_running, world.running, world.waiting):
            number = int(name.removeprefix("matches/"))
            match = store.read(partial(_match_row, number))
            held = store.read(partial(_secret_row, match.group))
            assert held is not None
            secrets.add(f"secret of {name}", held.secret)
            seed = match_seed(held.secret, match.group, match.seed_group_index, match.seed_attempt)
            secrets.add(f"seed of {name}", seed)


def _match_row(number: int, tx: Transaction) -> Any:
    return tx.matches.get(number)


def _secret_row(group: int, tx: Transaction) -> Any:
    return tx.groups.secret_of(group)


@pytest.fixture(scope="session")
def pages(world: World) -> Iterator[PagesProcess]:
    """Serve pages with the organiser's token."""
    with PagesProcess("--data", str(world.arena.data)) as served:
        yield served


@pytest.fixture(scope="session")
def exported(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Export pages with the organiser's token."""
    folder = tmp_path_factory.mktemp("exported") / "public"
    done = export(folder, "--data", str(world.arena.data), "--format", "json")
    assert done.returncode == 0, done.stderr
    return folder
