from __future__ import annotations

import json
from random import Random
from typing import Any

from arena.codecs.codec import codec_for
from arena.core.match import NoteRecord
from arena.match_log.reader import read_log
from arena.match_report.export import export_lines
from engine.randomness import commitment
from tests.unit.match_log import trading
from tests.unit.match_log.matches import SECRET_COMMITMENT, SEED, LoggedMatch, a_match, a_setup, logged
from tests.unit.match_log.pile import CODEC, Piled, PileOptions, codecs
from tests.unit.match_log.test_story import PLIES, RESULT

SET_UP = (Piled(12),)
SETUP = a_setup(options=PileOptions(12))


def exported(match: LoggedMatch) -> list[dict[str, Any]]:
    return [json.loads(line) for line in export_lines(read_log(match.log.data, codecs), CODEC)]


def the_match() -> LoggedMatch:
    return LoggedMatch(SETUP, SET_UP, PLIES, RESULT, logged(SETUP, PLIES, RESULT, set_up=SET_UP))


def test_a_log_is_one_object_a_record_in_the_order_of_the_log() -> None:
    records = exported(the_match())
    kinds = ["note" if isinstance(record, NoteRecord) else "ply" for record in PLIES]
    assert [record["record"] for record in records] == ["header", "set_up", *kinds, "footer"]
    assert {record["schema"] for record in records} == {1}
    assert {record["match"] for record in records} == {"matches/17"}


def test_every_line_stands_alone() -> None:
    lines = list(export_lines(read_log(the_match().log.data, codecs), CODEC))
    assert all("\n" not in line for line in lines)


def test_the_header_names_all_that_was_fixed_before_the_match() -> None:
    match = the_match()
    assert exported(match)[0] == {
        "schema": 1,
        "match": "matches/17",
        "record": "header",
        "log": match.log.name,
        "ladder": "ladders/main",
        "tournament": None,
        "group": "g5",
        "group_index": 1,
        "attempt": 0,
        "place": 0,
        "replay": 0,
        "replay_of": None,
        "game": "pile",
        "rules_version": 3,
        "options": {"tokens": "12"},
        "seats": [
            {"bot": "bots/anna", "bot_version": "bots/anna/versions/v1"},
            {"bot": "bots/bert", "bot_version": "bots/bert/versions/v2"},
        ],
        "time_control": {
            "per_decision_ms": 1_000,
            "bank_ms": 3_000,
            "increment_ms": 40,
            "grace_ms": 5,
            "strikes": 2,
            "absence_ms": 30_000,
            "hold_ms": 5_000,
            "seat_limit_ms": 1_800_000,
            "secret_pad_ms": 0,
        },
        "seed_commitment": commitment(SEED).hex(),
        "seed_policy": "DERIVED",
        "secret_commitment": SECRET_COMMITMENT.hex(),
        "rated": True,
        "start_time_ms": 1_800_000_000_123,
        "software": "caravan-arena test",
        "key_id": "653efecdf90ba33d",
    }


def test_a_ply_has_notation_times_in_milliseconds_and_typed_events() -> None:
    assert exported(the_match())[2] == {
        "schema": 1,
        "match": "matches/17",
        "record": "ply",
        "ply": 0,
        "seat": 0,
        "decision": 1,
        "cause": "CHOSEN",
        "notation": "take:1",
        "action": 1,
        "started_ms": 0.0,
        "used_ms": 0.44,
        "credit_ms": 0.0,
        "stall_ms": 0.0,
        "wait_ms": 0.0,
        "bank_ms": 2_500.0,
        "over_seat_limit": False,
        "events": [
            {
                "text": "Seat 0 drew a token worth 4.",
                "seats": [0],
                "event": {"caravan": {"turn": {"seat": 0, "points": 4}}},
            }
        ],
    }


def test_an_event_that_everybody_saw_names_no_seats() -> None:
    assert exported(the_match())[1] == {
        "schema": 1,
        "match": "matches/17",
        "record": "set_up",
        "events": [
            {
                "text": "12 tokens are piled up.",
                "seats": None,
                "event": {"caravan": {"turn": {"seat": 99, "points": 12}}},
            }
        ],
    }


def test_a_note_and_the_footer_tell_the_rest() -> None:
    records = exported(the_match())
    assert records[5] == {
        "schema": 1,
        "match": "matches/17",
        "record": "note",
        "at_ms": 900.0,
        "seat": 1,
        "what": "illegal_action",
        "text": "5 tokens cannot be taken from 8",
    }
    footer = records[-1]
    seats = footer.pop("seats")
    assert footer == {
        "schema": 1,
        "match": "matches/17",
        "record": "footer",
        "state": "FINISHED",
        "ending": "LAST_STANDING",
        "plies": 6,
        "duration_ms": 5_250.0,
        "void_reason": "",
        "seed": SEED.hex(),
    }
    assert seats[0] == {
        "placing": 2,
        "score": 0,
        "level": "",
        "termination": "RESIGNATION",
        "fault": "BOT",
        "evidence": [["decision", "3"]],
        "sentence": "The bot resigned at decision 3.",
        "decisions": 3,
        "used_ms": 4_100.44,
        "longest_ms": 4_100.0,
        "strikes": 1,
    }


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
    rounding = [
        record
        for record in (
            json.loads(line, parse_int=lambda digits: int(float(digits)))
            for line in export_lines(log, trading.CODEC)
        )
        if record["record"] == "ply"
    ]
    assert [int(record["action"]) for record in rounding] == [ply.action for ply in log.plies]
    kinds = {
        (type(record["action"]), json.loads(record["notation"])["type"] == "offer") for record in rounding
    }
    assert kinds == {(int, False), (str, True)}
