"""Takes four seconds before it says hello, and then plays as it should."""

import time

from tests.system.misbehaving.python.hosted import at_its_first_decision

if __name__ == "__main__":
    time.sleep(4)
    at_its_first_decision(lambda _seat, _asked: None)
