"""How fast the replay page is in a browser: `python -m benchmarks.replay_page FILE.arenalog ...`.

Needs Chromium. Each page is written, opened from disk, and scrubbed through step by step. A step is the time from the
movement of the slider until the browser has laid the page out again, without painting.
"""

import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from playwright.sync_api import Browser, sync_playwright
from rich.console import Console
from rich.table import Table

from arena.codecs.codec import codec_for
from arena.match_log.reader import read_log
from arena.viewer.page import replay_page
from benchmarks.measuring.figures import significant

_SCRUB: Final = """() => {
    const scrubber = document.getElementById("scrubber");
    const times = [];
    for (let step = 0; step <= Number(scrubber.max); step += 1) {
        const began = performance.now();
        scrubber.value = step;
        scrubber.dispatchEvent(new Event("input"));
        document.body.getBoundingClientRect();
        times.push(performance.now() - began);
    }
    return times;
}"""
COLUMNS: Final = ("log", "plies", "steps", "file kB", "write s", "open ms", "step ms", "p99 ms", "longest ms")


def measure(files: Annotated[list[Path], typer.Argument(help="Logs.", exists=True, dir_okay=False)]) -> None:
    """Print the size of each page, how long it takes to write and to open, and how long its steps take."""
    table = Table(*COLUMNS, box=None)
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for file in files:
            table.add_row(file.stem, *figures(browser, file, Path(folder) / f"{file.stem}.html"))
        browser.close()
    Console(width=110, highlight=False).print(table)


def figures(browser: Browser, file: Path, target: Path) -> Sequence[str]:
    """Return the row of a log. `target`: where its page is written."""
    log = read_log(file.read_bytes())
    began = time.perf_counter()
    written = replay_page(log, codec_for(log.setup.game)).encode()
    write_s = time.perf_counter() - began
    target.write_bytes(written)
    page = browser.new_page()
    page.goto(target.as_uri())
    open_ms = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    steps = sorted(page.evaluate(_SCRUB))
    page.close()
    return (
        f"{len(log.plies):,}",
        f"{len(steps):,}",
        f"{len(written) / 1000:,.0f}",
        *map(
            significant, (write_s, open_ms, steps[len(steps) // 2], steps[len(steps) * 99 // 100], steps[-1])
        ),
    )


if __name__ == "__main__":
    typer.run(measure)
