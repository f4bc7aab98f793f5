"""Is ready for its match, and from then on reads nothing for ever."""

import time

from tests.system.misbehaving.python.by_hand import STREAM, ByHand

if __name__ == "__main__":
    with ByHand(window=0) as bot:
        bot.allow(STREAM, 1_024)  # enough for `welcome` and `assigned`
        bot.take_one_seat()
        time.sleep(86_400)
