"""Follows a match that is played in this very process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from rich.text import Text

from arena.cli.framework.output import err, out
from arena.cli.viewer import Viewer
from arena.drawings.drawing import drawing_for
from arena.drawings.narration import seat_names
from arena.runner.spectator_view import SpectatorView

_LOOK_SECONDS: Final = 0.1

Follow = Callable[[SpectatorView], Awaitable[None]]
"""Shows a match while it is played; returns when all of it was shown."""


def follower(game: str, bots: Sequence[str], *, pace: float) -> Follow:
    """What shows every scene of a match, drawn in a thread of its own: the clocks do not wait for the picture."""

    async def follow(spectator_view: SpectatorView) -> None:
        with Viewer(out(), drawing_for(game), seat_names(bots), pace=pace) as viewer:
            shown = 0
            while True:
                rings = spectator_view.change_signal.rings
                frames = spectator_view.frames()
                over = spectator_view.over
                for frame in frames[shown:]:
                    await asyncio.to_thread(viewer.show, frame)
                    shown += 1
                if over:
                    break
                if shown == len(spectator_view.frames()):
                    await spectator_view.change_signal.after(rings)
            viewer.end()

    return follow


def progress(game: str, bots: Sequence[str]) -> Follow:
    """What shows, on a terminal, one line that says how it stands."""

    async def follow(spectator_view: SpectatorView) -> None:
        console, drawing, names = err(), drawing_for(game), seat_names(bots)
        if not console.is_terminal:
            return
        with console.status("the match begins") as status:
            while not spectator_view.over:
                rings = spectator_view.change_signal.rings
                for frame in spectator_view.frames()[-1:]:
                    turn = f"turn {drawing.turn(frame.observation)}: "
                    status.update(Text(turn).append_text(drawing.standing(frame.observation, names)))
                await spectator_view.change_signal.after(rings)
                await asyncio.sleep(_LOOK_SECONDS)

    return follow
