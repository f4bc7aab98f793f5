"""Playthroughs as text that people can read, and as one hash for other processes."""

import sys
from collections.abc import Iterator
from hashlib import sha256

from arena.codecs.codec import codec_for
from arena.drawings.drawing import drawing_for
from engine.game import SPECTATOR, State
from tests.unit.contract.cases import CASES, Case, Step, walk

DRAWN_EVERY = 100
_DIGEST_DIGITS = 16


def playthrough(case: Case) -> str:
    """Return the whole file of the case: its head, its plies, now and then the position, the outcome."""
    lines = [*_head(case)]
    last = case.new_match()
    for step in walk(case):
        lines += _step_lines(case, step)
        last = step.state
    lines += [*_events(case, last), "", *_position(case, last), "", *_outcome(last)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _head(case: Case) -> list[str]:
    options = " ".join(f"{name}={value}" for name, value in case.options.items())
    return [f"seats: {case.seats}", f"options: {options or 'defaults'}", f"seed: {case.seed.hex()}", ""]


def _step_lines(case: Case, step: Step) -> Iterator[str]:
    state = step.state
    yield from _events(case, state)
    if step.ply % DRAWN_EVERY == 0:
        yield from ("", *_position(case, state), "")
    action = state.format_action(step.action)
    yield f"ply {step.ply}: seat {state.seat_to_act}, {len(state.legal_actions())} legal actions: {action}"


def _events(case: Case, state: State) -> list[str]:
    codec = codec_for(case.game)
    return [f"    {codec.describe_event(event)}" for event in state.take_events()]


def _position(case: Case, state: State) -> list[str]:
    drawing = drawing_for(case.game).draw(state.observe(SPECTATOR)).plain
    return [*drawing.splitlines(), f"digest {state.digest().hex()[:_DIGEST_DIGITS]}"]


def _outcome(state: State) -> list[str]:
    outcome = state.outcome()
    assert outcome is not None
    scores, placings = (" ".join(map(str, values)) for values in (outcome.scores, outcome.placings))
    return [f"ending: {outcome.ending}", f"scores: {scores}", f"placings: {placings}"]


def fingerprint(case: Case) -> str:
    """Return a hash of every byte the match makes: legal lists, digests, observations and events on the wire."""
    codec, everything = codec_for(case.game), sha256()
    for step in walk(case):
        everything.update(bytes(memoryview(step.state.legal_actions())))  # type: ignore[arg-type]
        everything.update(step.state.digest())
        everything.update(codec.encode_action(step.action))
        for viewer in case.viewers:
            everything.update(codec.encode_observation(step.state.observe(viewer)))
        for event in step.state.take_events():
            everything.update(codec.encode_event(event))
    return everything.hexdigest()


if __name__ == "__main__":
    for one in CASES:
        sys.stdout.write(f"{one} {fingerprint(one)}\n")
