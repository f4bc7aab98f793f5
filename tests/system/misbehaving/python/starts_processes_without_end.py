"""Starts processes until it is refused one, and has not reckoned with that."""

import subprocess

from tests.system.misbehaving.python.by_hand import ByHand

if __name__ == "__main__":
    bot = ByHand()  # the library would start threads of its own, and say that it is refused them
    bot.take_one_seat()
    bot.hear("decision")
    while True:
        subprocess.Popen(("sleep", "86400"))
