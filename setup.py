"""How the distribution is built: as setuptools does it, with engine and play path compiled into the wheel by mypyc.

Where mypyc or a C compiler is missing, or anything fails, the wheel is plain Python, which gives the same results. An
editable install is always plain. `ARENA_PLAIN_ENGINE=1` asks for a plain wheel. The file is the build backend that
pyproject.toml names (PEP 517), so that mypyc is fetched for wheels alone, and the script that this backend runs.
"""

import ast
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from setuptools import Extension, build_meta, setup
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from setuptools.command.build_ext import build_ext

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

ENGINE: Final = Path("engine")

PLAIN: Final = bool(os.environ.get("ARENA_PLAIN_ENGINE"))

OPT_LEVEL: Final = os.environ.get("ARENA_OPT_LEVEL", "3")
"""How much the C compiler optimises, 0 to 3. With 0 it takes a fraction of the time, and the results are the same."""

QUICKER: Final = () if sys.platform == "win32" else ("-Wno-misleading-indentation",)
"""gcc 12 spends 200 of 231 s on this one warning, which is about code that people have written."""

MYPYC: Final = "mypy>=2.4,<3"
"""mypyc comes with mypy."""

MYPY_OPTIONS: Final = (
    "--config-file=",
    "--cache-dir=build/mypy",
    "--ignore-missing-imports",  # where a wheel is built, the libraries of an arena are not installed
    "--follow-imports=silent",
)

NEVER_COMPILED: Final = {"__init__.py", "compiling.py", "registry.py"}

SLOW_BASES: Final = {"Enum", "IntEnum", "NamedTuple", "Event", "Game"}
"""A class of one of these stays a Python class and gains nothing from being compiled."""

PLAY_PATH: Final = (
    "arena/codecs/**/*.py",
    "arena/core/clock/seat_clock.py",
    "arena/core/referee/effects.py",
    "arena/core/ply.py",
    "arena/core/referee/referee.py",
    "arena/core/clock/round_trip.py",
    "arena/core/referee/seat.py",
    "arena/core/clock/stalls.py",
    "arena/core/units.py",
    "arena/match_log/encode.py",
    "arena/match_log/writer.py",
    "arena/sessions/decision_window.py",
    "arena/sessions/seat.py",
    "arena/sessions/session.py",
    "arena/runner/change_signal.py",
    "arena/runner/history.py",
    "arena/runner/match_runner.py",
    "arena/runner/question.py",
    "arena/runner/timers.py",
    "arena/server/metered_log.py",
    "arena/server/play/connection.py",
    "arena/server/play/conversation.py",
    "arena/server/play/encoding_turns.py",
    "arena/server/play/frame_queue.py",
    "arena/wire/play/frames.py",
    "arena/wire/play/incoming.py",
    "arena/wire/play/outgoing.py",
)
"""What every decision goes through, from the answer's frame to the next question's. Data classes in it have no slots,
which mypyc gives them anyway and cannot take, and no field annotated `object`."""


def get_requires_for_build_wheel(config_settings: Mapping[str, Any] | None = None) -> list[str]:
    """Return what has to be installed before a wheel is built."""
    needed = build_meta.get_requires_for_build_wheel(config_settings)
    return needed if PLAIN else [*needed, MYPYC]


def compiled_modules() -> list[str]:
    """Return the paths of the play path, and of the engine but for modules whose classes stay Python classes."""
    engine = sorted(path for path in ENGINE.rglob("*.py") if path.name not in NEVER_COMPILED)
    quick = [path for path in engine if not _has_slow_class(ast.parse(path.read_text(encoding="utf-8")))]
    play = [
        path for part in PLAY_PATH for path in sorted(Path().glob(part)) if path.name not in NEVER_COMPILED
    ]
    return [str(path) for path in (*quick, *play)]


def _has_slow_class(module: ast.Module) -> bool:
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef):
            bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
            if bases & SLOW_BASES or any("dataclass" in ast.unparse(one) for one in node.decorator_list):
                return True
    return False


def extensions() -> list[Extension]:
    """Return the modules in C, made by mypyc; none if no wheel is built, or they are not wanted or not possible."""
    if PLAIN or "bdist_wheel" not in sys.argv:
        return []
    try:
        from mypyc.build import mypycify

        made = mypycify(
            [*MYPY_OPTIONS, *compiled_modules()],
            opt_level=OPT_LEVEL,
            debug_level="0",
            target_dir="build/compiled",
            group_name="caravan_arena",
        )
    except (Exception, SystemExit) as reason:  # noqa: BLE001 - mypyc ends the program over an error of type
        _stay_plain(reason)
        return []
    for extension in made:
        extension.extra_compile_args.extend(QUICKER)
    return made


def _stay_plain(reason: BaseException) -> None:
    sys.stderr.write(f"The arena stays plain Python: {type(reason).__name__}: {reason}\n")


class AllOrNothing(build_ext):
    """Builds every extension; where one fails, none is left, and the wheel is a plain one."""

    def run(self) -> None:
        """Build them."""
        try:
            super().run()
        except Exception as reason:  # noqa: BLE001 - whatever it is, plain Python does
            _stay_plain(reason)
            for path in map(Path, self.get_outputs()):
                path.unlink(missing_ok=True)
            self.extensions: list[Extension] = []
            self.distribution.ext_modules = []
            self.get_finalized_command("bdist_wheel").root_is_pure = True  # the name of a wheel says so


if __name__ == "__main__":
    setup(ext_modules=extensions(), cmdclass={"build_ext": AllOrNothing})
