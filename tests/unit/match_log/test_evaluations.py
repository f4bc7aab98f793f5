"""Evaluations in a log: an optional field of a ply, on which nothing depends."""

import json
from dataclasses import replace
from itertools import count

from arena.core.evaluation import Evaluation
from arena.core.match import Cause
from arena.core.ply import PlyRecord
from arena.match_log.reader import MatchLog, read_log
from arena.match_report.export import export_lines
from arena.match_report.plies import ply_lines
from arena.v1 import match_log_pb2
from tests.unit.match_log.matches import KEY, LoggedMatch, a_match, logged
from tests.unit.match_log.pile import CODEC, codecs
from tests.unit.match_log.tamper import changed, ply_indices
from tests.unit.match_log.verifying import failures, verified

EXPECTED = Evaluation((700, 300), "hopeful\x1b[31m", (5, -2))


def a_troubled_match() -> LoggedMatch:
    """Return a match with actions that were chosen, and defaults."""
    matches = (a_match(source, trouble=0.1) for source in count(1))
    return next(match for match in matches if causes(match) > {Cause.CHOSEN})


def causes(match: LoggedMatch) -> set[Cause]:
    return {record.cause for record in match.records if isinstance(record, PlyRecord)}


def with_evaluations(match: LoggedMatch) -> LoggedMatch:
    """Return the match with an evaluation in each ply that was chosen."""
    records = tuple(
        replace(each, evaluation=EXPECTED)
        if isinstance(each, PlyRecord) and each.cause is Cause.CHOSEN
        else each
        for each in match.records
    )
    log = logged(match.setup, records, match.result, set_up=match.set_up)
    return replace(match, records=records, log=log)


def a_read_log(match: LoggedMatch) -> MatchLog:
    return read_log(match.log.data, codecs)


def test_a_log_with_evaluations_verifies_and_gives_them_back() -> None:
    match = with_evaluations(a_troubled_match())
    assert not failures(verified(match.log.data))
    plies = a_read_log(match).plies
    assert plies == tuple(each for each in match.records if isinstance(each, PlyRecord))
    assert {ply.evaluation for ply in plies} == {EXPECTED, None}


def test_an_evaluation_is_part_of_the_chain() -> None:
    match = a_match(7)
    assert with_evaluations(match).log.name != match.log.name


def test_a_log_whose_evaluation_does_not_fit_its_seats_is_no_log() -> None:
    match = with_evaluations(a_match(7))
    first = ply_indices(match.log.data)[0]

    def too_many(record: match_log_pb2.LogRecord) -> None:
        record.ply.evaluation.scores_per_mille.append(1)

    assert failures(verified(changed(match.log.data, first, too_many, KEY))) == {"format": first}


def test_an_export_has_the_field_only_where_there_is_an_evaluation() -> None:
    match = with_evaluations(a_troubled_match())
    plies = [json.loads(line) for line in export_lines(a_read_log(match), CODEC)]
    plies = [ply for ply in plies if ply["record"] == "ply"]
    document = {"scores_per_mille": [700, 300], "line": "hopeful\x1b[31m", "final_scores": [5, -2]}
    assert {ply["cause"] for ply in plies} > {"CHOSEN"}
    for ply in plies:
        assert ply.get("evaluation", "none") == (document if ply["cause"] == "CHOSEN" else "none")
    old = [json.loads(line) for line in export_lines(a_read_log(a_match(7)), CODEC)]
    assert not [each for each in old if "evaluation" in each]


def test_the_list_of_plies_shows_them_without_what_would_control_a_terminal() -> None:
    drawn = [str(line) for line in ply_lines(a_read_log(with_evaluations(a_match(7))), CODEC)]
    assert "         Expects anna 70 %, bert 30 %; final scores anna 5, bert -2" in drawn
    assert "         hopeful\N{REPLACEMENT CHARACTER}[31m" in drawn
    assert not [line for line in drawn if "\x1b" in line]
