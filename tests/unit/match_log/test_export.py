import json
from random import Random
from typing import Any

from arena.codecs.codec import codec_for
from arena.core.match import NoteRecord
from arena.match_log.reader import read_log
from arena.match_report.export import export_lines
from tests.unit.cli.screens import check_screen
from tests.unit.match_log import trading
from tests.unit.match_log.matches import LoggedMatch, a_match, a_setup, logged
from tests.unit.match_log.pile import CODEC, Piled, PileOptions, codecs
from tests.unit.match_log.test_story import PLIES, RESULT

SET_UP = (Piled(12),)
SETUP = a_setup(options=PileOptions(12))


def exported(match: LoggedMatch) -> list[dict[str, Any]]:
    return [json.loads(line) for line in export_lines(read_log(match.log.data, codecs), CODEC)]


def the_match() -> LoggedMatch:
    return LoggedMatch(SETUP, SET_UP, PLIES, RESULT, logged(SETUP, PLIES, RESULT, set_up=SET_UP))


def test_the_records_of_an_export() -> None:
    match = the_match()
    lines = export_lines(read_log(match.log.data, codecs), CODEC)
    pretty = "\n".join(json.dumps(json.loads(line), indent=1, ensure_ascii=False) for line in lines)
    check_screen("export", pretty, NAME=match.log.name)


def test_under_other_rules_there_is_no_notation() -> None:
    match = a_match(setup=a_setup(rules_version=2))
    assert {record["notation"] for record in exported(match)[2:-1]} == {None}


def test_text_in_any_script_stays_readable() -> None:
    note = NoteRecord(0, None, "note", "Käse 駱駝 \n")
    line = list(
        export_lines(read_log(logged(SETUP, (note, *PLIES), RESULT, set_up=SET_UP).data, codecs), CODEC)
    )[2]
    assert "Käse 駱駝" in line
    assert json.loads(line)["text"] == "Käse 駱駝 \n"


def test_the_seat_of_a_match_of_one_has_its_level() -> None:
    """S43."""
    codec = codec_for("caravanserai")
    options = codec.game.options(1, {})
    setup = a_setup(seats=a_setup().seats[:1], game="caravanserai", rules_version=1, options=options)
    log = read_log(a_match(1, setup=setup, codec=codec).log.data)
    *_, footer = map(json.loads, export_lines(log, codec))
    assert footer["seats"][0]["level"] == codec.game.level(log.result.seats[0].score) == "Camel driver"


def test_an_action_is_exact_for_readers_that_round_numbers_to_doubles() -> None:
    """Offers of Ahldarahd have more bits than a double; those that JSON readers round are decimal text."""
    log = read_log(trading.played(trading.lively(Random(1)), 2_000))
    lines = export_lines(log, trading.CODEC)
    records = [json.loads(line, parse_int=lambda digits: int(float(digits))) for line in lines]
    rounding = [record for record in records if record["record"] == "ply"]
    assert [int(record["action"]) for record in rounding] == [ply.action for ply in log.plies]
    kinds = {
        (type(record["action"]), json.loads(record["notation"])["type"] == "offer") for record in rounding
    }
    assert kinds == {(int, False), (str, True)}
