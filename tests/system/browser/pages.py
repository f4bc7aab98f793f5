"""Pages in a browser, and what every page of the arena must keep."""

from contextlib import ExitStack
from typing import Final, Protocol
from urllib.parse import urldefrag, urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Request

PATIENCE_MS: Final = 120_000
"""How long a page may take on a busy machine until a test gives up."""

Faults = list[str]


class OpenPage(Protocol):
    """The fixture `open_page`."""

    def __call__(
        self,
        url: str,
        *,
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        reduced_motion: bool = False,
        javascript: bool = True,
    ) -> Page:
        """Open a page in a window of its own, whose errors and foreign requests become faults of the test."""
        ...


def open_in(browser: Browser, faults: Faults, opened: ExitStack) -> OpenPage:
    """Return what opens pages. `opened` closes them."""

    def open_page(
        url: str,
        *,
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        reduced_motion: bool = False,
        javascript: bool = True,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if reduced_motion else "no-preference",
            java_script_enabled=javascript,
        )
        opened.callback(context.close)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()

        def said(message: ConsoleMessage) -> None:
            if message.type in {"error", "warning"}:
                faults.append(f"console {message.type}: {message.text}")

        def requested(request: Request) -> None:
            if _place(request.url) != _place(url):
                faults.append(f"request: {request.url}")

        page.on("console", said)
        page.on("pageerror", lambda error: faults.append(f"page error: {error}"))
        page.on("request", requested)
        page.goto(url)
        return page

    return open_page


def _place(url: str) -> str:
    """Return what a page may load from: its server, or nothing but its own file."""
    parts = urlsplit(url)
    return urldefrag(url).url if parts.scheme == "file" else f"{parts.scheme}://{parts.netloc}"


def serious_faults(page: Page) -> list[str]:
    """Return what axe finds on a page that is serious or critical, with the elements."""
    violations = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['html'][:200]}"
        for each in violations
        if each["impact"] in {"serious", "critical"}
        for node in each["nodes"]
    ]


def overflow(page: Page) -> int:
    """Return by how many pixels a page is wider than its window."""
    width: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return max(0, width)
