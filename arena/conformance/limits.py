"""What one scenario keeps of what a bot sends: a bot that floods it fails it, and fills no memory."""

from __future__ import annotations

from typing import Final

CONNECTIONS: Final = 8
"""Of a program at the same time, as many as a hosted program may have: it needs one, and another to come back with."""

CALLS: Final = 200
"""Play calls in one scenario: so many as a bot may begin at once in an arena."""

STREAMS: Final = 4
"""Calls at the same time on one HTTP/2 connection; gRPC holds others back. Each may hold one unfinished message."""

FRAME_MESSAGES: Final = 64
"""Messages in a frame at most. As in an arena."""

FRAME_BYTES: Final = 128 * 1024
"""A frame of a bot at most. As in an arena."""

DECISION_BYTES: Final = 4 << 20
"""Frames on one connection since a decision was asked last, in bytes. As in an arena."""

IDLE_MESSAGES: Final = 256
"""Messages on one connection while no decision is open; pongs do not count. As in an arena."""

UNREAD_MESSAGES: Final = 1_024
"""Messages on one connection that the script has not asked for."""

UNREAD_BYTES: Final = 2 * FRAME_BYTES
"""The same in bytes: the largest hello, and as much again."""

SENTENCE_CHARACTERS: Final = 1_000
"""Of a sentence: some repeat what the program has said, which may be as long as a frame."""
