"""The fair play report as a message."""

from typing import Final, assert_never

from arena.core.fair_play.agreement import Agreement
from arena.core.fair_play.co_activity import CoActivity
from arena.core.fair_play.favours import Favour
from arena.core.fair_play.finding import FairPlayFinding, SharedVersion
from arena.core.fair_play.report import Report
from arena.core.fair_play.trade_totals import TradeTotals
from arena.v1 import fair_play_pb2
from arena.wire.fields import same, timestamp
from arena.wire.resource_names import bot_name, match_name

_LOOKED_AT: Final = 5
"""How many matches are named of each pair that traded."""


def report_message(name: str, report: Report) -> fair_play_pb2.FairPlayReport:
    """Return the report as a message. `name`: the resource name of the ladder or tournament."""
    return fair_play_pb2.FairPlayReport(
        name=name,
        **same(report, "matches", "matches_read", "bots", "limits"),
        first_time=timestamp(report.first_us),
        last_time=timestamp(report.last_us),
        findings=[_finding_message(each) for each in report.findings],
        findings_left_out=report.left_out,
        trades=[_trades_message(each) for each in report.dealings],
        trades_left_out=report.dealings_left_out,
    )


def _trades_message(seen: TradeTotals) -> fair_play_pb2.FairPlayTrades:
    return fair_play_pb2.FairPlayTrades(
        one=bot_name(seen.one),
        other=bot_name(seen.other),
        matches=len(seen.matches),
        **same(seen, "offers", "accepted", "one_gave", "other_gave", "one_gifts", "other_gifts"),
        look_at=[match_name(match) for match in seen.matches[-_LOOKED_AT:]],
    )


def _finding_message(found: FairPlayFinding) -> fair_play_pb2.FairPlayFinding:
    message = fair_play_pb2.FairPlayFinding(
        one=bot_name(found.one),
        other=bot_name(found.other),
        weight=fair_play_pb2.FairPlayFinding.Weight.ValueType(found.weight.value),
        **same(found, "same_owner", "sentence", "innocent_reasons"),
        matches=[match_name(match) for match in found.matches],
    )
    match found.numbers:
        case Agreement() as numbers:
            message.agreement.CopyFrom(_agreement_message(numbers))
        case Favour() as numbers:
            message.giving.CopyFrom(_giving_message(numbers))
        case SharedVersion() as numbers:
            values = same(numbers, "version", "submitted", "language", "bots")
            message.shared_version.CopyFrom(fair_play_pb2.SharedVersion(**values))
        case CoActivity() as numbers:
            message.presence.CopyFrom(_presence_message(numbers))
        case _:
            assert_never(found.numbers)
    return message


def _agreement_message(seen: Agreement) -> fair_play_pb2.AgreementNumbers:
    return fair_play_pb2.AgreementNumbers(
        likeness=fair_play_pb2.AgreementNumbers.Likeness.Value(f"LIKENESS_{seen.likeness.name}"),
        **same(seen, "situations", "choices", "expected"),
        match_groups=seen.groups,
        agreement=_share(seen.agreement, seen.low, seen.high),
        overlap=_share(seen.overlap, seen.overlap_low, seen.overlap_high),
        chance=_chance(seen.chance, seen.adjusted),
    )


def _giving_message(seen: Favour) -> fair_play_pb2.GivingNumbers:
    return fair_play_pb2.GivingNumbers(
        way=fair_play_pb2.GivingNumbers.Way.Value(f"WAY_{seen.kind.name}"),
        match_groups=seen.groups,
        other_match_groups=seen.other_groups,
        observed=_share(seen.observed, seen.low, seen.high),
        expected=seen.expected,
        chance=_chance(seen.chance, seen.adjusted),
    )


def _presence_message(seen: CoActivity) -> fair_play_pb2.PresenceNumbers:
    return fair_play_pb2.PresenceNumbers(
        **same(seen, "matches", "together", "expected"),
        apart=_chance(seen.apart_chance, seen.apart_adjusted),
        at_once=_chance(seen.together_chance, seen.together_adjusted),
    )


def _share(value: float | None, low: float | None, high: float | None) -> fair_play_pb2.FairPlayShare | None:
    if value is None or low is None or high is None:
        return None
    return fair_play_pb2.FairPlayShare(value=value, low=low, high=high)


def _chance(alone: float | None, corrected: float | None) -> fair_play_pb2.FairPlayChance | None:
    if alone is None or corrected is None:
        return None
    return fair_play_pb2.FairPlayChance(alone=alone, corrected=corrected)
