"""The one system test of `make test`: a real match, by real programs, over real gRPC."""

from engine.registry import GAMES
from tests.system.e2e.test_every_game import play_and_read


def test_a_match_is_played_and_its_log_read_in_every_way(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    play_and_read(GAMES["caravan"])
