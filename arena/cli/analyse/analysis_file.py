"""Reading of what `arena match analyse --format json` has written."""

import json
from pathlib import Path
from typing import Any

from arena.cli.framework.errors import CliError
from arena.match_log.reader import MatchLog
from arena.viewer.replay import CostlyDecision


def costly_decisions(path: Path, log: MatchLog) -> list[CostlyDecision]:
    """Return the decisions that the analysis in a file names. Raises CliError: it is none, or one of another match."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CliError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError:
        raise _no_analysis(path, "it is no JSON document") from None
    if not isinstance(document, dict) or "costliest" not in document:
        raise _no_analysis(path, 'it has no field "costliest"')
    if document.get("log") != log.name:
        raise CliError(
            f"{path} is the analysis of another match than {log.setup.match}: the names of the logs differ."
        )
    entries = document["costliest"]
    if not isinstance(entries, list):
        raise _no_analysis(path, '"costliest" is no list')
    return [_costly(path, each, len(log.plies)) for each in entries]


def _costly(path: Path, entry: Any, plies: int) -> CostlyDecision:
    kinds = {"ply": int, "rank": int, "sentence": str}
    if not isinstance(entry, dict) or any(type(entry.get(name)) is not kind for name, kind in kinds.items()):
        raise _no_analysis(path, "an entry lacks one of ply, rank and sentence")
    if not 0 <= entry["ply"] < plies:
        raise _no_analysis(path, f"the match has no ply {entry['ply']}")
    return CostlyDecision(entry["ply"], entry["rank"], entry["sentence"])


def _no_analysis(path: Path, why: str) -> CliError:
    return CliError(f"{path} is no analysis of `arena match analyse --format json`: {why}.")
