"""Asks the kernel for a key, for which the kernel would start a program of the host's."""

import errno

from attack import attempt, call


def request() -> str:
    try:
        call("request_key", b"user", b"nobody has this", None, 0)
    except OSError as error:
        if error.errno != errno.ENOKEY:
            raise
    return "keys searched"


attempt(request)
