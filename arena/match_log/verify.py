"""Verification of a match log."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from arena.codecs.codec import Codec, codec_for
from arena.match_log.checks.check import Check, Status, judged, not_checked
from arena.match_log.checks.clock import CLOCK, check_clock
from arena.match_log.checks.continuation import check_continuation
from arena.match_log.checks.proofs import (
    CHAIN,
    DERIVATION,
    SEED,
    SIGNATURE,
    check_chain,
    check_derivation,
    check_seed,
    check_signature,
)
from arena.match_log.checks.replay import REPLAY, replay
from arena.match_log.checks.result import ENDINGS, PLACINGS, check_endings, check_placings
from arena.match_log.keys import PublicKey
from arena.match_log.reader import MatchLog, UnreadableLogError, interpret, read_stored

FORMAT: Final = "format"

_AFTER_FORMAT: Final = (CHAIN, SIGNATURE)
_AFTER_READING: Final = (SEED, DERIVATION, CLOCK, ENDINGS, REPLAY, PLACINGS)


class VerificationExit(IntEnum):
    """The exit code of a program that verifies a log."""

    OK = 0
    FAILED = 1
    NOT_RESIMULATED = 3


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome of all checks."""

    checks: tuple[Check, ...]
    """In the order in which they build on each other."""

    @property
    def first_bad_record(self) -> int | None:
        """The index of the first record that does not fit; None if no check failed."""
        return min((check.record for check in self.checks if check.record is not None), default=None)

    @property
    def exit_code(self) -> VerificationExit:
        """FAILED if any check failed; NOT_RESIMULATED if the match was not played again; else OK."""
        if any(check.status is Status.FAILED for check in self.checks):
            return VerificationExit.FAILED
        resimulated = any(check.name == REPLAY and check.status is Status.OK for check in self.checks)
        return VerificationExit.OK if resimulated else VerificationExit.NOT_RESIMULATED


def verify(
    data: bytes,
    *,
    keys: Sequence[PublicKey],
    secret: bytes | None = None,
    name: str | None = None,
    source: MatchLog | None = None,
    codecs: Callable[[str], Codec] = codec_for,
) -> Verification:
    """Check a log file; never raises, whatever the bytes are.

    `keys`: the arena's public keys, from another source than the log. `secret`: the T that the seed is derived from,
    once revealed. `name`: the log's name, 64 hex digits, where known from another source. `source`: the log of the
    match that this one plays on from. `codecs`: finds the codec, and with it the rules, of a game; raises KeyError for
    an unknown one.
    """
    try:
        stored = read_stored(data)
    except UnreadableLogError as error:
        rest = _all_open((*_AFTER_FORMAT, *_AFTER_READING), "The file could not be read to its end.")
        return Verification((judged(FORMAT, error.flaw, ""), *rest))
    proofs = (check_chain(stored, name), check_signature(stored, keys))
    flaw = None
    try:
        codec = codecs(stored.header.game)
    except KeyError:
        why = f'This software does not know the game "{stored.header.game}".'
        rest = _all_open(_AFTER_READING, why)
    else:
        try:
            rest = _checks_of_content(interpret(stored, codec), codec, secret, source)
        except UnreadableLogError as error:
            # Other rules may read the record that cannot be read here.
            other_rules = _other_rules(stored.header.rules_version, codec)
            flaw = error.flaw if other_rules is None else None
            rest = _all_open(_AFTER_READING, other_rules or "The records could not all be understood.")
    sentence = f"The file holds {len(stored.records)} records and a signature, and nothing else."
    return Verification((judged(FORMAT, flaw, sentence), *proofs, *rest))


def _checks_of_content(
    log: MatchLog, codec: Codec, secret: bytes | None, source: MatchLog | None
) -> tuple[Check, ...]:
    seed, outcome = check_seed(log), None
    other_rules = _other_rules(log.setup.rules_version, codec)
    if seed.status is not Status.OK:
        replayed = not_checked(REPLAY, "Without the right seed there is nothing to compare.")
    elif other_rules is not None:
        replayed = not_checked(REPLAY, other_rules)
    else:
        again = replay(log, codec.game)
        replayed, outcome = again.check, again.outcome
    placings = check_placings(log, outcome)
    continuation = check_continuation(log, source)
    return (
        *(seed, check_derivation(log, secret)),
        *(() if continuation is None else (continuation,)),
        *(check_clock(log), check_endings(log), replayed, placings),
    )


def _other_rules(rules_version: int, codec: Codec) -> str | None:
    """Return why a match of this rules version is not re-simulated; None if it can be."""
    spec = codec.game.spec
    if rules_version == spec.rules_version:
        return None
    return (
        f"The match was not re-simulated: it was played by version {rules_version} of the rules of "
        f"{spec.id}, and this software has version {spec.rules_version}."
    )


def _all_open(names: tuple[str, ...], why: str) -> tuple[Check, ...]:
    return tuple(not_checked(name, why) for name in names)
