"""Limits of one scenario: a bot that floods it fails, and fills no memory."""

from typing import Final

CONNECTIONS: Final = 8
"""Connections of a program at the same time, as for a hosted program: it needs one, and another to come back with."""

CALLS: Final = 200
"""Play calls in one scenario: as many as a bot may begin at once in an arena."""

STREAMS: Final = 4
"""Calls at the same time on one HTTP/2 connection; gRPC holds others back. Each may hold one unfinished message."""

FRAME_MESSAGES: Final = 64
"""Most messages in a frame, as in an arena."""

FRAME_BYTES: Final = 128 * 1024
"""Most bytes in a frame of a bot, as in an arena."""

DECISION_BYTES: Final = 4 << 20
"""Frames on one connection since a decision was asked last, in bytes. As in an arena."""

IDLE_MESSAGES: Final = 256
"""Messages on one connection while no decision is open; pongs do not count. As in an arena."""

UNREAD_MESSAGES: Final = 1_024
"""Most messages on one connection that the script has not received."""

UNREAD_BYTES: Final = 2 * FRAME_BYTES
"""The same in bytes: the largest hello, and as much again."""

SENTENCE_CHARACTERS: Final = 1_000
"""Most characters of a sentence: some repeat the program's output, which may be as long as a frame."""
