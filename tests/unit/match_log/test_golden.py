"""What was signed once verifies for ever: the files in tests/data/logs are never written again."""

from pathlib import Path

import pytest

from arena.match_log.checks.check import Status
from arena.match_log.keys import read_public_key
from arena.match_log.verify import VerificationExit, verify
from tests.unit.match_log import make_golden

FOLDER = Path(__file__).parents[2] / "data" / "logs"
KEY = read_public_key(FOLDER / "arena.pub")
SECRET = bytes.fromhex((FOLDER / "secret.hex").read_text())
NAMES = {
    "worked-example": "0ee6a15f6154b24e3322f3a065bb6eb027bbf6b914f576894e0bbf023c9289ae",
    "caravan-2-seats": "fc78b78d2f0d79bff5e2adc92a05bca394c7c744a30578d0376d879710862766",
    "caravan-4-seats-with-forfeits": "84a792359740224b127664a698e8625f9cabe48a71ad3451e3e4cdab78ae6850",
}


def test_every_golden_log_has_its_name_here() -> None:
    assert {path.stem for path in FOLDER.glob("*.arenalog")} == set(NAMES)


@pytest.mark.parametrize("golden", NAMES)
def test_a_golden_log_verifies_in_every_point(golden: str) -> None:
    data = (FOLDER / f"{golden}.arenalog").read_bytes()
    verification = verify(data, keys=[KEY], secret=SECRET, name=NAMES[golden])
    assert [check for check in verification.checks if check.status is not Status.OK] == []
    assert verification.exit_code is VerificationExit.OK


def test_making_golden_logs_again_leaves_them_as_they_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(make_golden, "FOLDER", tmp_path)
    (tmp_path / "caravan-2-seats.arenalog").write_bytes(b"signed long ago")
    make_golden.main()
    assert (tmp_path / "caravan-2-seats.arenalog").read_bytes() == b"signed long ago"
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in FOLDER.iterdir()}
