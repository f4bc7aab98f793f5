"""A program that measures on request: one JSON object a line in, one a line out. Standard library only."""

import json
import sys
from collections.abc import Callable
from typing import Any


def answer_commands(handlers: dict[str, Callable[..., Any]]) -> None:
    """Answer until the input ends. A command is {"do": name, ...}: the handler's name and its keywords.

    What the program prints otherwise goes to its standard error, so that it is never taken for an answer.
    """
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        command = json.loads(line)
        answer = handlers[command.pop("do")](**command)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
