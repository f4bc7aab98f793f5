"""Keeps what the .proto files promise: `promise.py` adds what is new to it, `promise.py --check` only looks.

The promise is an image of the files, proto/promised.binpb. Bots of any language are built against it, so the files may
add to it and change nothing that is in it: buf's rules FILE, under which also no source that uses a name has to change.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

PROTO = Path(__file__).resolve().parent.parent / "proto"
PROMISE = "promised.binpb"


def main() -> None:
    """Return 1 if the files break the promise, or with --check if they hold more than it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--check", action="store_true", help="change nothing; complain if something is not promised"
    )
    parser.add_argument(
        "proto", nargs="?", type=Path, default=PROTO, help="the folder (default: this checkout's)"
    )
    given = parser.parse_args()
    promise: Path = given.proto / PROMISE
    buf(given.proto, "breaking", "--against", PROMISE)
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder) / PROMISE
        buf(given.proto, "build", "--exclude-source-info", "-o", str(image))
        fresh = image.read_bytes()
    if promise.read_bytes() == fresh:
        return
    if given.check:
        raise SystemExit(
            "The .proto files hold what is not promised yet: run `make promise` and commit what it writes."
        )
    promise.write_bytes(fresh)


def buf(proto: Path, *arguments: str) -> None:
    """Run buf in the folder; exit if it fails."""
    command = [str(Path(sys.executable).parent / "buf"), *arguments]
    finished = subprocess.run(command, cwd=proto, capture_output=True, text=True, check=False)
    if finished.returncode:
        raise SystemExit(finished.stdout + finished.stderr)


if __name__ == "__main__":
    main()
