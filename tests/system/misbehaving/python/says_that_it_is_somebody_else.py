"""Says hello as another version, in another language, with a token that is none, and plays as it should."""

from tests.system.misbehaving.python.hosted import Seat

if __name__ == "__main__":
    seat = Seat("cvn_000000000000_00000000000000000000000000000000")
    seat.hello(bot_version="ab" * 32, language="cobol", software="somebody else's")
    seat.play_on()
    seat.hear_all()
