"""docs/analysis.ipynb runs, with a shorter ladder; UPDATE_NOTEBOOK=1 plays the whole one and stores what cells show."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.checkout import ROOT

NOTEBOOK = ROOT / "docs" / "analysis.ipynb"
MATCHES, FEW = "MATCHES=80 ", "MATCHES=6 "
WITHIN_S = 900

FACTS = """
import json
print(json.dumps({
    "matches": len(set(results.match)),
    "players": table.players,
    "rows": {name: len(rows) for name, rows in (("bot", by_bot), ("seat", by_seat), ("length", by_length))},
    "mean": by_seat["mean"].mean(),
    "mass": float(ranks.mass.sum()),
    "rating": float(split.ratings.sum()),
    "triples": found.triples,
}))
"""


def run(notebook: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Run all cells in the folder as Jupyter does; return the notebook with what they show."""
    path = folder / NOTEBOOK.name
    path.write_text(json.dumps(notebook), encoding="utf-8")
    programs = Path(sys.executable).parent
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    places = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR")
    done = subprocess.run(
        [programs / "jupyter-execute", "--inplace", path],
        env=kept
        | {"PATH": os.pathsep.join([str(programs), kept.get("PATH", os.defpath)]), "PYTHONPATH": str(ROOT)}
        | {name: str(folder / ".jupyter") for name in places},
        capture_output=True,
        text=True,
        check=False,
        timeout=WITHIN_S,
    )
    assert done.returncode == 0, done.stderr
    shown: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return shown


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="the ladder of the notebook needs bash")
def test_every_cell_runs(tmp_path: Path) -> None:
    text = NOTEBOOK.read_text(encoding="utf-8")
    if os.environ.get("UPDATE_NOTEBOOK"):
        shown = run(json.loads(text), tmp_path)
        for cell in shown["cells"]:
            cell["metadata"] = {}  # the times of execution
        shown["metadata"] = json.loads(text)["metadata"]
        NOTEBOOK.write_text(json.dumps(shown, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        pytest.skip("written")
    assert text.count(MATCHES) == 1
    notebook = json.loads(text.replace(MATCHES, FEW))
    last = code_cells(notebook)[-1]
    notebook["cells"].append(last | {"id": "facts", "source": FACTS})
    shown = run(notebook, tmp_path)
    assert all(cell["execution_count"] for cell in code_cells(shown))
    facts = json.loads("".join(code_cells(shown)[-1]["outputs"][0]["text"]))
    assert facts["matches"] == 12
    # So few matches need not have all of them.
    assert 2 <= len(facts["players"]) <= 5
    assert set(facts["players"]) <= {"carrier 1", "carrier 2", "mixed 1", "settler 1", "thief 1"}
    assert 2 <= facts["rows"]["bot"] <= 4
    assert facts["rows"]["seat"] == 2
    assert facts["rows"]["bot"] <= facts["rows"]["length"] <= 3 * facts["rows"]["bot"]
    assert (facts["mean"], facts["mass"]) == pytest.approx((0.5, 1))
    assert facts["rating"] == pytest.approx(0, abs=1e-6)
    assert 0 <= facts["triples"] <= 7  # of ten, three need both versions of carrier


def test_the_stored_outputs_are_those_of_one_run_from_top_to_bottom() -> None:
    cells = code_cells(json.loads(NOTEBOOK.read_text(encoding="utf-8")))
    assert [cell["execution_count"] for cell in cells] == [*range(1, len(cells) + 1)]
    assert all(cell["outputs"] for cell in cells)
    assert not [output for cell in cells for output in cell["outputs"] if output["output_type"] == "error"]
