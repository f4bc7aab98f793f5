"""Follows a match that is played in this very process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from arena.cli.output import out
from arena.cli.viewing import Viewer
from arena.drawings.drawing import drawing_for
from arena.drawings.narration import seat_names
from arena.runner.gallery import Gallery


def follower(game: str, bots: Sequence[str], *, pace: float) -> Callable[[Gallery], Awaitable[None]]:
    """What shows every scene of a match, drawn in a thread of its own: the clocks do not wait for the picture."""

    async def follow(gallery: Gallery) -> None:
        with Viewer(out(), drawing_for(game), seat_names(bots), pace=pace) as viewer:
            shown = 0
            while True:
                ring = gallery.bell.next_ring()
                scenes = gallery.scenes()
                over = gallery.over
                for scene in scenes[shown:]:
                    await asyncio.to_thread(viewer.show, scene)
                    shown += 1
                if over:
                    break
                if shown == len(gallery.scenes()):
                    await ring
            viewer.end()

    return follow
