"""Reads from /sys what the machine is made of."""

import os

from attack import attempt


def look() -> str:
    return "devices " + " ".join(os.listdir("/sys/class/net"))


attempt(look)
