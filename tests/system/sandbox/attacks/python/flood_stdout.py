"""Writes four MiB to its standard output."""

import sys

for number in range(1 << 16):
    sys.stdout.write(f"{number:63}\n")
sys.stdout.write("ESCAPED all of it\n")
