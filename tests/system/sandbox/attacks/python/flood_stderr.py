"""Writes four MiB to its standard error, without a line's end."""

import os

for _ in range(64):
    os.write(2, b"x" * (1 << 16))
os.write(2, b"\nESCAPED all of it\n")
