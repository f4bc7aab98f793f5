"""The program that makes one report: `python -m arena.fair_play.worker` reads material and writes the report.

A process of its own, at a low priority: the matches of the arena do not feel it. Both ways it is Python's pickle,
which is unsafe for data of others: only an arena starts it and writes to it.
"""

import os
import pickle
import sys

from arena.fair_play.material import make_report

NICENESS = 10


def main() -> None:
    """Read one Material from the standard input, and write its Report to the standard output."""
    os.nice(NICENESS)
    material = pickle.load(sys.stdin.buffer)
    pickle.dump(make_report(material), sys.stdout.buffer)


if __name__ == "__main__":
    main()
