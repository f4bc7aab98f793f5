"""A match of any game, at its largest table: played over the wire, shown, explained, verified and exported."""

import json
import re

from typer.testing import CliRunner

from arena.cli.app import app
from engine.game import Game
from tests.unit.cli.programs import finish, start

SEED = "0b" * 32


def read(*command: str) -> str:
    """Return what a command on the log prints."""
    result = CliRunner().invoke(app, ["log", *command])
    assert result.exit_code == 0, result.output
    return result.output


def play_and_read(game: Game) -> None:
    """Play a match in the current folder, by programs over gRPC; read its log with every command."""
    name, seats = game.spec.id, game.spec.max_seats

    bots = ["random"] * seats
    code, out, err = finish(start("play", name, *bots, "--seed", SEED, "--log", "one.arenalog"), within=120)

    assert code == 0, out + err
    assert game.spec.title in out
    assert game.spec.title in read("show", "one.arenalog")
    assert f"Seat {seats - 1}, random" in read("explain", "one.arenalog")
    assert re.search(r"replay +ok", read("verify", "one.arenalog", "--key", "one.pub"))
    exported = [json.loads(line) for line in read("export", "one.arenalog").splitlines()]
    assert (exported[0]["game"], len(exported[0]["seats"])) == (name, seats)


def test_a_match_of_any_game_is_played_and_its_log_read_in_every_way(tmp_path, monkeypatch, game):
    monkeypatch.chdir(tmp_path)
    play_and_read(game)
