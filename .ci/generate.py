"""Generates arena/v1 and arena/games from proto/: `generate.py [FOLDER]`; without a folder, in place."""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"


def main() -> None:
    """Make the folder hold what the .proto files generate, and nothing else that looks generated."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "into", nargs="?", type=Path, default=ROOT, help="where arena/ is (default: this checkout)"
    )
    into: Path = parser.parse_args().into
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        generate(fresh)
        replace(into, fresh)


def generate(into: Path) -> None:
    """Write all generated files into the empty folder; only a .proto with a service has gRPC stubs."""
    files = sorted(path.relative_to(PROTO).as_posix() for path in PROTO.rglob("*.proto"))
    protoc(f"--python_out={into}", f"--mypy_out=quiet:{into}", *files)
    protoc(f"--grpc_python_out={into}", f"--mypy_grpc_out=quiet:{into}", *with_services(files))
    for file in files:
        make_packages(into, Path(file).parent)


def replace(into: Path, fresh: Path) -> None:
    """Replace the generated files of `into` by those of `fresh`; remove those whose .proto is gone."""
    made = {path.relative_to(fresh) for path in fresh.rglob("*") if path.is_file()}
    for pattern in ("arena/v1/**/*_pb2*", "arena/games/**/*_pb2*"):
        for path in into.glob(pattern):
            if path.suffix != ".pyc" and path.relative_to(into) not in made:
                path.unlink()
    for path in sorted(made):
        (into / path).parent.mkdir(parents=True, exist_ok=True)
        (into / path).write_bytes((fresh / path).read_bytes())


def with_services(files: list[str]) -> list[str]:
    """Those of the files that define a service: only they need gRPC stubs."""
    with tempfile.TemporaryDirectory() as folder:
        described = Path(folder) / "descriptors"
        protoc(f"--descriptor_set_out={described}", *files)
        descriptors = FileDescriptorSet.FromString(described.read_bytes())
    return [file.name for file in descriptors.file if file.service]


def make_packages(into: Path, folder: Path) -> None:
    """Make the folder and those above it, below arena/, Python packages."""
    for package in (folder, *folder.parents):
        if package.parts[:1] == ("arena",) and len(package.parts) > 1:
            (into / package / "__init__.py").touch()


def protoc(*arguments: str) -> None:
    """Run the compiler with the plug-ins beside this interpreter; exit if it fails."""
    tools = Path(sys.executable).parent
    plugins = [f"--plugin={name}={tools / name}" for name in ("protoc-gen-mypy", "protoc-gen-mypy_grpc")]
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTO}", *plugins, *arguments]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if finished.returncode:
        raise SystemExit(finished.stderr.strip() or f"protoc ended with {finished.returncode}")


if __name__ == "__main__":
    main()
