"""The moves of one decision, tried on the same deals of what the seat could not see."""

import base64
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from typing import Any

from arena.codecs.codec import codec_for
from arena.v1 import games_pb2
from engine.game import Game, State
from engine.randomness import Stream
from sample_bots.python.analysis.judge import Judge, expected_scores, judge_of
from sample_bots.python.search.tree import Move

CONTINUATIONS = 4
"""Ways to complete what was played that are tried."""

_ADVICE = -1
"""The number of the deals that an advice is found with."""


class Evaluation:
    """One decision: what the seat was shown, and what it played. Nothing else of the match is known here.

    So two matches that differ only in what the seat could not see have equal evaluations.
    """

    def __init__(self, game: str, observation: bytes, played: Move, seed: bytes) -> None:
        """`observation`: a serialised `arena.v1.Observation`; `seed`: 32 bytes, from which all chance follows."""
        codec = codec_for(game)
        self._game: Game = codec.game
        self._seen = codec.decode_observation(games_pb2.Observation.FromString(observation))
        self._played, self._seed = played, seed
        self._judge: Judge[Any] = judge_of(game)
        self._seat = self.deal(0).seat_to_act

    def deal(self, number: int, purpose: bytes = b"deal") -> State:
        """Return a position that fits what the seat saw, drawn uniformly; the same one for the same number."""
        return self._game.from_observation(self._seen, self._stream(purpose, number))

    def moves(self, *, advised: bool) -> list[Move]:
        """Return the moves to compare; those that begin with what was played are ways to complete it.

        `advised`: with the move that the sample bot finds with a whole search.
        """
        judge, state = self._judge, self.deal(0)
        found = [tuple(move) for move in judge.moves(state)]
        if advised:
            numbers = count()
            advice = judge.advice(lambda: self.deal(next(numbers), b"advice"), self._of(b"advice", _ADVICE))
            found += [] if advice is None else [tuple(advice)]
        return list(dict.fromkeys([*self._completions(state), *found]))

    def is_played(self, move: Move) -> bool:
        """Return whether the move begins with what was played."""
        return move[: len(self._played)] == self._played

    def scores(self, moves: Sequence[Move], first: int, deals: int) -> Iterator[list[float]]:
        """Yield for each deal from number `first` on the expected score of the seat after each move.

        All moves of a deal have the same hidden cards, and the same chance to come.
        """
        for number in range(first, first + deals):
            root = self.deal(number)
            yield [self._score(root, move, number) for move in moves]

    def _score(self, root: State, move: Move, number: int) -> float:
        state = root.clone()
        _play(state, move, self._seat)
        self._judge.play_on(state, root, self._stream(b"playout", number))
        return expected_scores(self._judge, state)[self._seat]

    def _completions(self, state: State) -> list[Move]:
        """Return the played actions with the best ways to go on, if they are a part of a move only."""
        after = state.clone()
        _play(after, self._played, self._seat)
        if after.seat_to_act != self._seat or not self._judge.continues(state, after):
            return [self._played]
        onwards = list(self._judge.moves(after))[:CONTINUATIONS]
        return [self._played + tuple(move) for move in onwards]

    def _stream(self, purpose: bytes, number: int) -> Stream:
        return Stream(self._of(purpose, number))

    def _of(self, purpose: bytes, number: int) -> bytes:
        return sha256(self._seed + purpose + number.to_bytes(8, "big", signed=True)).digest()


def _play(state: State, move: Move, seat: int) -> None:
    """Play the move as far as this deal allows it."""
    for action in move:
        if state.seat_to_act != seat or not state.is_legal(action):
            return
        state.apply(action)


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Answer a request of `arena.analysis.request`: find the moves if none are given, and try them."""
    evaluation = Evaluation(
        request["game"],
        base64.b64decode(request["observation"]),
        tuple(request["played"]),
        bytes.fromhex(request["seed"]),
    )
    moves = [tuple(move) for move in request["moves"]] or evaluation.moves(advised=request["advised"])
    return {
        "moves": moves,
        "played": [evaluation.is_played(move) for move in moves],
        "scores": list(evaluation.scores(moves, request["first"], request["deals"])),
    }
