"""What the sandbox itself cannot do; what a program does wrong is an `Ending`."""

from __future__ import annotations


class SandboxError(Exception):
    """A program could not be started at all: the arena's or the machine's fault, not the program's."""

    def __init__(self, sentence: str) -> None:
        """`sentence`: for people; names the thing and what to do."""
        super().__init__(sentence)
        self.sentence = sentence
