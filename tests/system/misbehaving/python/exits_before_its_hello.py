"""Exits with 1 before it has said hello, whenever it is started."""

import sys

if __name__ == "__main__":
    sys.exit(1)
