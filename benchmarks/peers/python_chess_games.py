"""Chess of python-chess, timed as our engine is."""

import random
from functools import partial
from typing import Final

import chess

from benchmarks.engines.replay import Replay, timed
from benchmarks.processes.answering import answer_commands

_MATCHES: Final = 10
_MOST_PLIES: Final = 300


def drawn(dice: random.Random) -> list[chess.Move]:
    """Return the moves of a game in which every legal move is as likely; a long one is broken off."""
    board = chess.Board()
    moves: list[chess.Move] = []
    while len(moves) < _MOST_PLIES and (legal := list(board.legal_moves)):
        moves.append(dice.choice(legal))
        board.push(moves[-1])
    return moves


def replay(moves: list[chess.Move]) -> tuple[int, int]:
    """Play it again; only the moves are listed, and nobody looks whether the game has ended."""
    board = chess.Board()
    listed = 0
    for move in moves:
        listed += len(list(board.legal_moves))
        board.push(move)
    return len(moves), listed


def main() -> None:
    """Answer `play`."""
    dice = random.Random(1)
    replays: list[Replay] = [partial(replay, drawn(dice)) for _ in range(_MATCHES)]
    answer_commands({"play": timed(replays)})


if __name__ == "__main__":
    main()
