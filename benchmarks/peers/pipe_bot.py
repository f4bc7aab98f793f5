"""A bot of a line protocol as chess managers speak it (UCI): it keeps the position itself, and plays at random.

    uci                            uciok
    isready                        readyok
    position SEED moves A B ...    the whole match so far; what is new is played on its own position
    go                             bestmove A

Argument: the game. An action is a number of the engine. Standard library and engine only.
"""

import random
import sys

from engine.registry import GAMES
from engine.state import State


class PipeBot:
    """A bot with its position."""

    def __init__(self, game: str) -> None:
        self._game = GAMES[game]
        self._seed = ""
        self._played = 0
        self._state: State

    def position(self, seed: str, moves: list[str]) -> None:
        """Play what is new; another seed begins another match."""
        if seed != self._seed:
            seats = self._game.spec.min_seats
            self._state = self._game.new_match(seats, self._game.options(seats, {}), bytes.fromhex(seed))
            self._seed, self._played = seed, 0
        for move in moves[self._played :]:
            self._state.apply(int(move))
        self._played = len(moves)

    def answer(self, line: str) -> str:
        """Return the reply to a line; empty if there is none."""
        match line.split():
            case ["uci"]:
                return "uciok"
            case ["isready"]:
                return "readyok"
            case ["position", seed, "moves", *moves]:
                self.position(seed, moves)
                return ""
            case ["go"]:
                legal = self._state.legal_actions()
                return f"bestmove {legal[random.randrange(len(legal))]}"
            case _:
                raise ValueError(f"unknown command: {line}")


def main() -> None:
    """Answer until the input ends."""
    bot = PipeBot(sys.argv[1])
    for line in sys.stdin:
        if reply := bot.answer(line):
            print(reply, flush=True)


if __name__ == "__main__":
    main()
