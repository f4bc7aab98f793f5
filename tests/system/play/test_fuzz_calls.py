"""Every method that takes one request, with any request: nothing breaks, nothing leaks, a refusal changes nothing."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.invite_codes import TEAM_PREFIX, new_code
from arena.v1 import token_pb2
from tests.any_message import Fuzz, Plausible
from tests.system.play.arena_process import ENDLESS, WAIT_S, ArenaProcess
from tests.system.play.conftest import BotFactory
from tests.system.play.oracle import Watched, check_refusal, faults
from tests.system.play.test_match import SHORT, answer_everything, undisturbed_match
from tests.unit.server.services.harness import METHODS as EVERY_METHOD

NAMES = {
    "AnnouncementService": ["announcements/1", "announcements/2"],
    "BotService": ["bots/ant", "bots/bee"],
    "ClusterService": ["nodes/lab1", "nodes/lab2.example.org"],
    "InviteService": ["invites/0123456789ab", "invites/ba9876543210"],
    "LadderService": ["ladders/quiet", "ladders/another"],
    "WebhookService": ["webhooks/0123456789ab", "webhooks/ba9876543210"],
    "MatchService": ["matches/1", "matches/2"],
    "SeasonService": ["ladders/quiet/seasons/1", "ladders/quiet"],
    "SubmissionService": ["bots/ant/submissions/1", "bots/bee/submissions/1", "bots/ant/submissions/9"],
    "TeamService": ["teams/lions", "teams/tigers", ""],
    "TournamentService": ["tournaments/cup", "tournaments/mug"],
    "UserService": ["users/zoe", "users/yan", ""],
}
PLAUSIBLE = {
    "text": ["The ladder closes at six."],
    "bot": ["bots/ant", "bots/bee", "bots/nobody"],
    "bots": ["bots/ant", "bots/bee", "bots/cow", "bots/nobody"],
    "bot_id": ["ant", "fresh", "fresher"],
    "archive_sha256": ["ab" * 32, "cd" * 32],
    "version": ["bots/ant/versions/abcdef", f"bots/ant/versions/{'ab' * 32}", ""],
    "candidate": ["bots/ant/versions/abcdef", f"bots/ant/versions/{'ab' * 32}", ""],
    "ladder": ["ladders/quiet", "ladders/nothing"],
    "ladder_id": ["quiet", "another", "third"],
    "tournament": ["tournaments/cup"],
    "tournament_id": ["cup", "mug"],
    "owner": ["owners/ada", "owners/organiser", ""],
    "seeded_by": ["ladders/quiet", ""],
    "game": ["caravan", "games/caravan"],
    "key": ["turn_limit", "camels"],
    "value": ["5", "3"],
    "page_token": [""],
    "request_id": ["", "one", "two"],
    "user_id": ["zoe", "yan"],
    "user": ["users/zoe", "users/yan", ""],
    "code": [str(new_code(bytes)), "JOIN-1", str(new_code(bytes, TEAM_PREFIX))],
    "team": ["teams/lions", "teams/tigers", ""],
    "team_id": ["lions", "tigers"],
    "full_name": ["", "Ada Lovelace"],
    "note": ["", "laptop"],
}


def plausible(path: str) -> Plausible:
    """Return plausible values for the text fields of a method's request."""
    service = path.split("/")[1].rpartition(".")[2]
    known = {**PLAUSIBLE, "name": NAMES.get(service, ["caravan"])}
    return lambda field: known.get(field, ["fine"])


CALLERS = [*["organiser"] * 6, *["owner"] * 3, "bot", "garbage", "nobody"]
METHODS = {path: method for path, method in EVERY_METHOD.items() if not method.client_streaming}


def play_a_group(bot_factory: BotFactory) -> None:
    """Two matches of two bots: nothing is left that the arena might settle later, while a call is looked at."""
    bots = bot_factory.table(2, options=SHORT)
    answer_everything(bots)
    seats = [bot.take_seat().seat for bot in bots]
    answer_everything([bots[seats.index(seat)] for seat in range(2)])


class FuzzedArena:
    """An arena with something in it, and callers of every kind."""

    def __init__(self, arena: ArenaProcess, bot_factory: BotFactory) -> None:
        self.arena = arena
        play_a_group(bot_factory)
        bot_factory.close()
        arena.ladders.CreateLadder(ladder_id="quiet", game="caravan", seat_counts=[2])
        for bot in ("bee", "cow"):
            arena.bot(bot)
        owner = token_pb2.CreateTokenRequest(role=token_pb2.ROLE_OWNER, owner="owners/ada")
        organiser = (arena.data / "organiser.token").read_text().strip()
        self._tokens = {
            "nobody": None,
            "garbage": "arn_nonsense",
            "bot": arena.bot("ant"),
            "owner": arena.tokens.CreateToken(owner).secret,
            "organiser": organiser,
        }
        self._watched = Watched(arena.data)

    def ask(self, path: str, data: bytes, caller: str) -> str:
        """OK, or the reason of a refusal that is one and has changed nothing."""
        version, content = self._watched.version(), self._watched.content()
        try:
            self._call(path, data, self._tokens[caller])
        except grpc.RpcError as error:
            reason = check_refusal(error, self.arena.data)
            if self._watched.version() != version:
                assert self._watched.content() == content
            return reason
        return "OK"

    def _call(self, path: str, data: bytes, token: str | None) -> None:
        metadata = () if token is None else (("authorization", f"Bearer {token}"),)
        channel: Any = self.arena.channel
        if not METHODS[path].server_streaming:
            channel.unary_unary(path)(data, metadata=metadata, timeout=WAIT_S)
            return
        call = channel.unary_stream(path)(data, metadata=metadata, timeout=WAIT_S)
        for _ in islice(call, 1):
            pass
        call.cancel()

    def close(self) -> None:
        """Stop watching it."""
        self._watched.close()


@pytest.fixture(scope="module")
def fuzzed(arena: ArenaProcess) -> Iterator[FuzzedArena]:
    """Yield the arena of all examples; check that a match beside them ends as any other."""
    fuzzed = FuzzedArena(arena, BotFactory(arena))
    bystanders = BotFactory(arena)
    with undisturbed_match(bystanders, time_control=ENDLESS):
        yield fuzzed
    bystanders.close()
    fuzzed.close()
    assert not faults(arena.log)


@pytest.mark.parametrize("path", METHODS)
@given(seed=st.integers(0, 2**64))
def test_any_request_is_answered_or_refused_by_the_table(fuzzed: FuzzedArena, path: str, seed: int) -> None:
    random = Random(seed)
    fuzz = Fuzz(random, plausible(path))
    request = fuzz.message(METHODS[path].input_type).SerializeToString()
    if random.random() < 0.1:
        request = fuzz.mutated(request)
    fuzzed.ask(path, request, random.choice(CALLERS))
