"""Processes that an arena starts, and the pauses before it starts them again."""

import asyncio

import pytest

from arena.server.child_process import RestartPause


async def test_the_pause_doubles_while_a_process_ends_soon_and_begins_anew_when_one_has_run_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    pause = RestartPause(longest_s=30)
    found = []
    with monkeypatch.context() as patched:
        patched.setattr(asyncio.get_running_loop(), "time", lambda: now[0])
        for ran_s in (1, 1, 1, 1, 1, 1, 30, 31, 1):
            pause.note_start()
            now[0] += ran_s
            found.append(pause.after_end())
    assert found == [1, 2, 4, 8, 16, 30, 30, 1, 2]
