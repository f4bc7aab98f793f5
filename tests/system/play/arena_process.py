"""A real arena in a process of its own, and what an organiser does to it over gRPC."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Self

import grpc
from google.protobuf.message_factory import GetMessageClass

from arena.cli.framework.processes import without_arena
from arena.v1 import (
    announcement_pb2,
    audit_pb2,
    bot_pb2,
    cluster_pb2,
    game_pb2,
    invite_pb2,
    ladder_pb2,
    match_pb2,
    season_pb2,
    submission_pb2,
    team_pb2,
    time_control_pb2,
    token_pb2,
    tournament_pb2,
    user_pb2,
    webhook_pb2,
)
from tests.system.play.cgroups import remove_cgroups
from tests.system.play.fork_server import ForkedArena

WAIT_S = 60.0
OPENS_WITHIN_S = 60.0
"""A new data folder and a busy machine take their time; it says nothing about the arena."""
_OPEN = "arena open"
"""Its service log says so when it listens."""
SLOW = time_control_pb2.TimeControl(
    per_decision_ms=60_000, bank_ms=0, strikes=2, absence_ms=30_000, hold_ms=5_000, seat_limit_ms=86_400_000
)
"""Nobody loses on time in a test that is about something else."""
ENDLESS = time_control_pb2.TimeControl(per_decision_ms=3_600_000, seat_limit_ms=86_400_000)
"""Nothing happens by time alone while a match waits for a decision, however long a test takes."""


Metadata = tuple[tuple[str, str], ...]


class Service:
    """One service: `service.GetBot(name="bots/a")` calls a method with the caller's token, or other `metadata`."""

    def __init__(self, module: ModuleType, channel: grpc.Channel, metadata: Metadata) -> None:
        (self._service,) = module.DESCRIPTOR.services_by_name.values()
        self._channel = channel
        self._metadata = metadata

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = self._service.methods_by_name[name]
        request, response = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
        kinds = [
            "stream" if streams else "unary" for streams in (method.client_streaming, method.server_streaming)
        ]
        call = getattr(self._channel, "_".join(kinds))(
            f"/{self._service.full_name}/{name}", request.SerializeToString, response.FromString
        )

        def invoke(
            given: object = None,
            *,
            metadata: Metadata = self._metadata,
            timeout: float | None = None,
            **fields: Any,
        ) -> Any:
            return call(request(**fields) if given is None else given, metadata=metadata, timeout=timeout)

        return invoke


class ArenaProcess:
    """`arena serve` on a data folder."""

    def __init__(
        self,
        data: Path,
        *options: str,
        port: int = 0,
        before: str = "",
        alone: bool = False,
        kill_at: Mapping[str, object] | None = None,
    ) -> None:
        """`before`: Python that runs before the arena does, to make its limits smaller.

        `alone`: a program of its own even without that, for tests of what it inherits or of its command line;
        `kill_at`: see `ForkedArena`.
        """
        self.data = data
        arguments = ["serve", "--data", str(data), "--port", str(port), *options]
        if "--match-workers" not in options:  # or how a test goes would depend on the machine's processors
            arguments += ["--match-workers", "0"]
        environment = without_arena(os.environ)
        self.process: subprocess.Popen[str] | ForkedArena
        if before or alone:
            program = f"{before}\nfrom arena.cli.app import main\nmain()"
            self.process = subprocess.Popen(
                [sys.executable, "-c", program, *arguments],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                env=environment,
            )
        else:
            self.process = ForkedArena(arguments, environment, kill_at)
        self.log: list[str] = []
        self._said = threading.Condition()
        self._opened = threading.Event()
        """It is open, or has ended before."""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as lines:
            for line in lines:
                with self._said:
                    self.log.append(line)
                    self._said.notify_all()
                if _OPEN in line:
                    self._opened.set()
        self._opened.set()

    @property
    def has_opened(self) -> bool:
        """Whether its service log says that it has listened."""
        return any(_OPEN in line for line in self.log)

    def wait_open(self) -> Self:
        """Return when it listens."""
        assert self._opened.wait(OPENS_WITHIN_S), self.log
        assert self.has_opened, f"it ended with {self.process.wait(WAIT_S)}: {''.join(self.log)}"
        return self.connect()

    def __enter__(self) -> Self:
        """Wait until it listens; close it if it does not."""
        try:
            return self.wait_open()
        except BaseException:
            self.close()
            raise

    def __exit__(self, *_: object) -> None:
        self.close()

    def connect(self) -> Self:
        """Make the services, once it listens."""
        fields = json.loads((self.data / "server.json").read_text())
        self.tcp: str = fields["tcp"]
        self.unix: str = fields["unix"]
        token = (self.data / "organiser.token").read_text().strip()
        self.organiser = (("authorization", f"Bearer {token}"),)
        self.channel = grpc.insecure_channel(self.unix)
        self.announcements = self.service(announcement_pb2)
        self.audit = self.service(audit_pb2)
        self.bots = self.service(bot_pb2)
        self.cluster = self.service(cluster_pb2)
        self.games = self.service(game_pb2)
        self.ladders = self.service(ladder_pb2)
        self.matches = self.service(match_pb2)
        self.seasons = self.service(season_pb2)
        self.submissions = self.service(submission_pb2)
        self.invites = self.service(invite_pb2)
        self.teams = self.service(team_pb2)
        self.tokens = self.service(token_pb2)
        self.tournaments = self.service(tournament_pb2)
        self.users = self.service(user_pb2)
        self.webhooks = self.service(webhook_pb2)
        return self

    def service(self, module: ModuleType) -> Service:
        """Return the service of a generated module, called with the organiser's token."""
        return Service(module, self.channel, self.organiser)

    def wait_for(self, words: str, times: int = 1) -> None:
        """Return when its service log has said this so often."""
        self.wait_until(lambda log: sum(words in line for line in log) >= times)

    def wait_until(self, said: Callable[[list[str]], bool], within_s: float = WAIT_S) -> None:
        """Return when this is true of the lines of its service log."""
        with self._said:
            assert self._said.wait_for(lambda: said(self.log), within_s), self.log[-20:]

    def wait_for_line(self, *words: str, within_s: float = WAIT_S) -> None:
        """Return when a line of its service log has held all of these."""
        self.wait_until(lambda log: any(all(word in line for word in words) for line in log), within_s)

    def terminate(self) -> int:
        """SIGTERM; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.ended()

    def kill(self) -> None:
        """SIGKILL: as a power cut."""
        self.process.kill()
        self.ended()

    def ended(self) -> int:
        """Return the exit code, once it has ended."""
        code = self.process.wait(WAIT_S)
        self._reader.join(WAIT_S)
        return code

    def close(self) -> None:
        """No process is left behind, and no cgroup."""
        if self.process.poll() is None:
            self.kill()
        remove_cgroups(self.data, WAIT_S)
        self._reader.join(WAIT_S)
        if hasattr(self, "channel"):
            self.channel.close()

    # What an organiser does

    def bot(self, bot_id: str) -> str:
        """Make a bot; return its token."""
        self.bots.CreateBot(bot_id=bot_id)
        return str(self.tokens.CreateToken(role=token_pb2.ROLE_BOT, bot=f"bots/{bot_id}").secret)

    def ladder(
        self,
        ladder_id: str,
        *bots: str,
        time_control: time_control_pb2.TimeControl = SLOW,
        options: Mapping[str, str] | None = None,
        matches: int = 2,
        game: str = "caravan",
        seat_counts: Sequence[int] = (),
    ) -> None:
        """Run a ladder of these bots; without seat counts each match has a seat for every bot."""
        self.ladders.CreateLadder(
            ladder_id=ladder_id,
            game=game,
            seat_counts=seat_counts or [len(bots)],
            options=options or {},
            time_control=time_control,
        )
        name = f"ladders/{ladder_id}"
        for bot in bots:
            self.ladders.JoinLadder(name=name, bot=f"bots/{bot}")
        self.ladders.RunLadder(name=name, matches=matches)

    def match(self, name: str) -> match_pb2.Match:
        """Return the match as MatchService shows it."""
        match: match_pb2.Match = self.matches.GetMatch(name=name).match
        return match

    def log_bytes(self, match: str) -> bytes:
        """Return the log of a match, once its result is stored."""
        return b"".join(piece.chunk for piece in self.matches.DownloadMatchLog(name=match))
