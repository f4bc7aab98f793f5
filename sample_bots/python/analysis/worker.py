"""Judges decisions: reads a request from each line of its input, a JSON document, and writes a line with the answer.

`arena match analyse` runs it; `arena/analysis/judging.py` describes the documents.
"""

import json
import sys

from engine.game import GameError
from sample_bots.python.analysis.evaluation import answer
from sample_bots.python.analysis.judge import NoJudgeError


def main() -> None:
    """Answer until the input ends."""
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line))
        except (NoJudgeError, GameError) as error:
            reply = {"error": str(error)}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
