"""Verification of logs with the keys of an arena or a key file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import grpc
from rich.console import RenderableType

from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CommandExit, call_of
from arena.cli.framework.output import Columns, Format, print_json, show, table_of
from arena.cli.log.tournament_proof import LoggedMatch, TournamentRecords, prove
from arena.cli.match_data import LogSource
from arena.cli.suites import shipped_suite_with
from arena.core.suites import Suite
from arena.drawings.wording import counted
from arena.match_log.checks.check import Check, Status
from arena.match_log.keys import PublicKey, read_public_key
from arena.match_log.reader import MatchLog, UnreadableLogError, read_log, read_stored
from arena.match_log.verify import FORMAT, Verification, verify
from arena.v1 import ladder_pb2, match_pb2, tournament_pb2
from arena.wire.resource_names import match_name

_WORDS: Final = {
    CommandExit.FAILED: "FAILED",
    CommandExit.NOT_REPLAYED: "not re-simulated",
    CommandExit.OK: "verified",
}
"""The verdicts, the worst first."""


@dataclass(frozen=True, slots=True)
class LogVerdict:
    """The verification of one log."""

    title: str
    verification: Verification

    @property
    def code(self) -> CommandExit:
        """What a program that verifies this log alone exits with."""
        return CommandExit(int(self.verification.exit_code))

    @property
    def word(self) -> str:
        """The verdict in two words at most."""
        return _WORDS[self.code]

    def document(self) -> dict[str, object]:
        """Return the verdict for JSON."""
        return {
            "log": self.title,
            "verdict": self.code.name.lower(),
            "first_bad_record": self.verification.first_bad_record,
            "checks": [
                {"name": check.name, "status": check.status.name.lower(), "sentence": check.sentence}
                for check in self.verification.checks
            ],
        }


@dataclass(slots=True)
class Verifier:
    """Verifies logs with these keys and the secrets that the arena has revealed."""

    keys: tuple[PublicKey, ...]
    arena: ArenaClient | None = None
    source: MatchLog | None = None
    """The log of the match that the verified ones play on from."""
    logged: dict[str, LoggedMatch] = field(default_factory=dict)
    """By match, "matches/{match}": what the logs of tournaments say that were verified."""
    _secrets: dict[str, dict[bytes, bytes]] = field(default_factory=dict)
    """By ladder or tournament: revealed secrets by their commitments."""

    @classmethod
    def of_arena(cls, arena: ArenaClient) -> Verifier:
        """Return a verifier with the keys that the arena publishes."""
        keys = arena.matches.ListLogKeys(match_pb2.ListLogKeysRequest()).keys
        return cls(tuple(PublicKey(key.public_key) for key in keys), arena)

    @classmethod
    def of_file(cls, path: Path) -> Verifier:
        """Return a verifier with the key in a PEM file. Raises InvalidArgumentError."""
        return cls((read_public_key(path),))

    def verify(self, log: LogSource) -> LogVerdict:
        """Verify a log."""
        secret = self._secret(log)
        verification = verify(log.data, keys=self.keys, secret=secret, name=log.name, source=self.source)
        verdict = LogVerdict(log.title, verification)
        if log.drawn_by.startswith("tournaments/") and verdict.code is not CommandExit.FAILED:
            signed = read_log(log.data)
            placings = tuple(
                (holder.bot, seat.placing)
                for holder, seat in zip(signed.setup.seats, signed.result.seats, strict=True)
            )
            match = LoggedMatch(placings, signed.setup.seed, signed.setup.suite)
            self.logged[match_name(signed.setup.match)] = match
        return verdict

    def _secret(self, log: LogSource) -> bytes | None:
        if self.arena is None:
            return None
        try:
            header = read_stored(log.data).header
        except UnreadableLogError:
            return None
        drawn_by = log.drawn_by or header.ladder or header.tournament
        if drawn_by not in self._secrets:
            self._secrets[drawn_by] = _revealed(self.arena, drawn_by) if drawn_by else {}
        return self._secrets[drawn_by].get(header.secret_commitment)


def worst(verdicts: Iterable[LogVerdict]) -> CommandExit:
    """Return the exit code for all logs: failed, else not re-simulated, else OK."""
    codes = {verdict.code for verdict in verdicts}
    return next((code for code in _WORDS if code in codes), CommandExit.OK)


def checks_table(verdict: LogVerdict) -> RenderableType:
    """Return all checks of one log."""
    columns: Columns[Check] = {
        "check": lambda check: check.name,
        "result": lambda check: "FAILED" if check.status is Status.FAILED else check.status.value,
        "found": lambda check: _found(check, verdict),
    }
    return table_of(columns, verdict.verification.checks, f"{verdict.title}: {verdict.word}")


def summarise_verdicts(verdicts: Sequence[LogVerdict]) -> str:
    """Return a summary: "20 logs: 19 verified, 1 FAILED"."""
    words = Counter(verdict.word for verdict in verdicts)
    if not words:
        return "No logs."
    parts = ", ".join(f"{number} {word}" for word, number in words.most_common())
    return f"{counted(len(verdicts), 'log')}: {parts}."


@dataclass(frozen=True, slots=True)
class TournamentVerdict:
    """The proof of a tournament."""

    name: str
    """"tournaments/{tournament}"."""
    checks: tuple[Check, ...]

    @property
    def failed(self) -> bool:
        """Whether it is refuted."""
        return any(check.status is Status.FAILED for check in self.checks)

    @property
    def word(self) -> str:
        """What is shown: "verified so far" if a part could not be checked (yet)."""
        if self.failed:
            return "FAILED"
        unchecked = any(check.status is Status.NOT_CHECKED for check in self.checks)
        return "verified so far" if unchecked else "verified"

    def document(self) -> dict[str, object]:
        """Return the proof for JSON."""
        return {
            "tournament": self.name,
            "verdict": "failed" if self.failed else "ok",
            "checks": [
                {"name": check.name, "status": check.status.name.lower(), "sentence": check.sentence}
                for check in self.checks
            ],
        }

    def table(self) -> RenderableType:
        """Return all checks."""
        columns: Columns[Check] = {
            "check": lambda check: check.name,
            "result": lambda check: "FAILED" if check.status is Status.FAILED else check.status.value,
            "found": lambda check: check.sentence,
        }
        return table_of(columns, self.checks, f"{self.name}: {self.word}")


def _found(check: Check, verdict: LogVerdict) -> str:
    """Return the finding of a check; for a file that cannot be read at all, the cause in brackets."""
    others = (other.status for other in verdict.verification.checks if other.name != FORMAT)
    if check.status is Status.FAILED and all(status is Status.NOT_CHECKED for status in others):
        return f"Not a complete match log. ({check.sentence})"
    return check.sentence


def _failure(verdict: LogVerdict) -> str:
    failed = (check for check in verdict.verification.checks if check.status is Status.FAILED)
    return next((_found(check, verdict) for check in failed), "")


VERDICTS: Final[Columns[LogVerdict]] = {
    "log": lambda verdict: verdict.title,
    "verdict": lambda verdict: verdict.word,
    ">first bad record": lambda verdict: (
        "" if (bad := verdict.verification.first_bad_record) is None else bad
    ),
    "why": _failure,
}


def print_verdicts(
    format_: Format,
    verdicts: Sequence[LogVerdict],
    *,
    complete: bool,
    proof: TournamentVerdict | None = None,
) -> None:
    """Print the verdicts. `complete`: whether no log is missing; `proof`: of a tournament."""
    if format_ is Format.JSON and (verdicts or complete):
        logs = [verdict.document() for verdict in verdicts]
        print_json({"logs": logs} | ({} if proof is None else {"tournament": proof.document()}))
    elif len(verdicts) == 1:
        show(checks_table(verdicts[0]))
    elif verdicts or complete:
        if verdicts:
            show(table_of(VERDICTS, verdicts))
        show(summarise_verdicts(verdicts))
    if proof is not None and format_ is not Format.JSON:
        show(proof.table())


def prove_tournament(verifier: Verifier, name: str, suite: Suite | None = None) -> TournamentVerdict | None:
    """Prove a tournament, "tournaments/{tournament}", with the logs that were verified; None without an arena.

    `suite`: the one that it is played on; None: if it comes with the games, it is found by the hash that is stated.
    """
    if verifier.arena is None:
        return None
    records = TournamentRecords.of(verifier.arena, name)
    if suite is None and records.tournament.HasField("suite"):
        suite = shipped_suite_with(records.tournament.suite.sha256.hex())
    return TournamentVerdict(name, prove(records, verifier.logged, suite))


def _revealed(arena: ArenaClient, drawn_by: str) -> dict[bytes, bytes]:
    """Return the revealed secrets of a ladder or tournament; none if the arena does not know it."""
    try:
        if drawn_by.startswith("tournaments/"):
            request = tournament_pb2.GetTournamentRequest(name=drawn_by)
            tournament = arena.tournaments.GetTournament(request).tournament
            return {tournament.secret_commitment: tournament.secret} if tournament.secret else {}
        ladder = arena.ladders.GetLadder(ladder_pb2.GetLadderRequest(name=drawn_by)).ladder
        return {secret.commitment: secret.secret for secret in ladder.secrets if secret.secret}
    except grpc.RpcError as error:
        if call_of(error).code() is grpc.StatusCode.NOT_FOUND:
            return {}
        raise
