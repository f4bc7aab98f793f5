"""A host without bots, which tests give the bots that they need."""

from __future__ import annotations

from typing import Any

from arena.hosting.host.host import Host
from tests.unit.runner.fakes import FakeTimers


class NoHostedBots(Host):
    """Every bot connects itself."""

    def __init__(self, slots: int = 0) -> None:
        unused: Any = None
        super().__init__(
            unused,
            unused,
            FakeTimers(),
            launch=unused,
            trial=unused,
            dismiss=unused,
            slots=slots,
            wall_us=unused,
            changed=unused,
        )

    def is_held(self, bot: str) -> bool:
        return False
