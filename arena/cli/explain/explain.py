"""The explanation of a match from its log, as text and JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from arena.cli.explain.seat_summary import (
    OwnerDebug,
    SeatOutcome,
    headline,
    seat_details,
    seat_details_document,
)
from arena.cli.framework.output import Columns, indented, printable, table_of
from arena.codecs.codec import codec_for
from arena.core.clock.time_control import TimeControl
from arena.core.endings.clock_use import STRIKES, limit_of_miss
from arena.core.match import ENDED_BY_FORFEIT, Cause, MatchState
from arena.core.units import NS_PER_MS
from arena.drawings.wording import amounts, counted, duration
from arena.match_log.reader import MatchLog
from arena.match_report.evaluations import evaluation_document, percent
from arena.match_report.explain import Explanation, SeatExplanation, TimedDecision, explain
from arena.match_report.plies import untimed_seats
from arena.match_report.story import names_in
from arena.match_report.trades import PairTrades, SeatTrades, Trade, between, in_all, trades
from arena.wire.wording import format_padding

_NO_LINES: Final = OwnerDebug()


def explanation(
    log: MatchLog, own: OwnerDebug = _NO_LINES, *, file: str | None = None
) -> Iterator[RenderableType]:
    """Yield the explanation of a match for a terminal of 80 columns.

    `own`: the caller's debug lines. `file`: where the log is, if no arena was asked for it; the advice names it.
    """
    explained = explain(log)
    result = log.result
    took = f"after {result.plies} plies in {duration(result.duration_ns)}"
    how = f"ended {took}: {printable(result.ending)}"
    if result.state is not MatchState.FINISHED:
        how = f"has no result {took}: {printable(result.void_reason)}"
    yield Text(f"Match {log.setup.match} {how}", style="bold")
    yield Text(_clock(log.setup.time_control))
    seats = [_facts(explained, seat, file) for seat in explained.seats]
    for seat, outcome in zip(explained.seats, seats, strict=True):
        yield Text(f"\n{headline(outcome, len(seats), state=log.result.state.name)}")
        yield from seat_details(outcome, seats, own, list(_played(seat, log)))
        yield from _moments(explained, seat)
    yield from trade_lines(log)
    if any(seat.decisions for seat in explained.seats):
        yield Text("\nThinking time; limit: free time, bank and grace", style="bold")
        yield table_of(_THINKING, explained.seats)
        yield Text("Credited network time, stalls of the arena, absences and the bank", style="bold")
        yield table_of(_SURROUNDINGS, explained.seats)
        for seat in explained.seats:
            if seat.waits_ns:
                yield Text(
                    f"Seat {seat.seat}: in {len(seat.waits_ns)} of its decisions its program waited for a processor, "
                    f"{duration(sum(seat.waits_ns))} in total. This time is not charged."
                )


def _clock(control: TimeControl) -> str:
    return (
        f"Clock: {duration(control.per_decision_ns)} a decision, bank {duration(control.bank_ns)}, "
        f"increment {duration(control.increment_ns)}, grace {duration(control.grace_ns)}, "
        f"{control.strikes} strikes and {duration(control.absence_ns)} of absence allowed, "
        f"hold {duration(control.hold_ns)}, seat limit {duration(control.seat_limit_ns)}"
        f"{format_padding(control.secret_pad_ms)}"
    )


def _facts(explained: Explanation, seat: SeatExplanation, file: str | None) -> SeatOutcome:
    result, match = seat.result, explained.log.result
    scored = match.state is MatchState.FINISHED and match.ending not in ENDED_BY_FORFEIT
    ending = result.ending
    return SeatOutcome(
        str(explained.log.setup.match),
        seat.seat,
        seat.holder.bot,
        seat.holder.version,
        result.placing,
        result.score if scored else None,
        ending.termination.name,
        ending.fault.name,
        ending.sentence,
        ending.evidence,
        file,
    )


def _played(seat: SeatExplanation, log: MatchLog) -> Iterator[str]:
    """Yield how the seat used its clock, and the decisions that the arena took for it."""
    if not seat.decisions:
        return
    if seat.seat in untimed_seats(log):
        asked = counted(len(seat.decisions), "decision")
        yield f"had no clock in {asked}: it was played by hand, or debugged; its time stands among the stalls"
    else:
        yield from _used_clock(seat, log.setup.time_control)
    if seat.strikes:
        lost = ", ".join(str(each.decision) for each in seat.strikes)
        yield f"the arena played the default in {counted(len(seat.strikes), 'decision')}: {lost}"
    if seat.defaults_after_forfeit:
        yield f"after the forfeit the arena played {counted(seat.defaults_after_forfeit, 'default')}"


def _used_clock(seat: SeatExplanation, control: TimeControl) -> Iterator[str]:
    """Yield how much of the clock the seat used."""
    asked, used_ns = len(seat.decisions), sum(each.used_ns for each in seat.decisions)
    start_ns, low_ns = seat.banks_ns[0], min(seat.banks_ns)
    most = max(each.share for each in seat.decisions)
    bank = f"; lowest bank {duration(low_ns)}" if start_ns or low_ns else ""
    yield (
        f"thought {duration(used_ns)} in {counted(asked, 'decision')}, {duration(used_ns // asked)} each "
        f"on average, at most {most:.0%} of what was allowed{bank}"
    )
    share = used_ns / control.seat_limit_ns
    yield f"used {share:.0%} of the seat limit ({duration(used_ns)} of {duration(control.seat_limit_ns)})"
    if late := [each for each in seat.decisions if each.over_seat_limit]:
        yield (
            f"from decision {late[0].decision} on it had no free time: {duration(late[0].seat_used_ns)} were used, and "
            "seat_limit_ms was passed"
        )


def _moments(explained: Explanation, seat: SeatExplanation) -> Iterator[RenderableType]:
    """Yield the decisions that mattered, one line each: strikes, near misses, the longest."""
    control = explained.log.setup.time_control
    allowed = control.strikes
    for number, lost in enumerate(seat.strikes, start=1):
        what = f"not legal: {printable(lost.why)}" if lost.why else "not legal"
        if lost.cause is Cause.TIME_FORFEIT:
            used, limit = duration(lost.used_ns), duration(lost.allowed_ns)
            what = f"missed: {used} used, {limit} allowed, bank was {duration(lost.bank_before_ns)}"
            if lost.over_seat_limit:
                what += f"; no free time, since seat_limit_ms {control.seat_limit_ms} was used up"
        yield indented(f"{_where(lost)}: {what}; strike {number}, {allowed} allowed", "red")
    for near in seat.near_misses:
        if near.cause is Cause.CHOSEN:
            limit = f"{duration(near.used_ns)} of {duration(near.allowed_ns)} ({near.share:.0%})"
            yield indented(f"{_where(near)}: near miss, {limit}", "yellow")
    for back in seat.absences:
        until = "did not come back" if back.back_ns is None else f"back at {duration(back.back_ns)}"
        yield indented(f"connection lost at {duration(back.lost_ns)}, {until}", "yellow")
    longest = [
        f"{_where(each)} {duration(each.used_ns)}" for each in seat.longest if each.cause is Cause.CHOSEN
    ]
    if longest and seat.seat not in untimed_seats(explained.log):
        yield indented("longest decisions that were not late: " + "; ".join(longest))
    if expected := _expected(seat):
        yield indented(f"expected score of its seat, as it said itself: {expected}")


def _expected(seat: SeatExplanation) -> str:
    """Return the first, the lowest and the last expected score that the bot sent for its seat; empty for none."""
    said = [
        (each, each.evaluation.scores_per_mille[seat.seat])
        for each in seat.decisions
        if each.evaluation is not None and each.evaluation.scores_per_mille
    ]
    if not said:
        return ""
    lowest = min(said, key=lambda pair: pair[1])
    parts = (("first", said[0]), ("lowest", lowest), ("last", said[-1]))
    return ", ".join(f"{what} {percent(score)} in {_where(each)}" for what, (each, score) in parts)


def _where(each: TimedDecision) -> str:
    return f"decision {each.decision} (ply {each.ply})"


_THINKING: Final[Columns[SeatExplanation]] = {
    ">seat": lambda seat: seat.seat,
    ">asked": lambda seat: len(seat.decisions),
    ">p50": lambda seat: duration(seat.think_times.p50_ns) if seat.think_times else "",
    ">p95": lambda seat: duration(seat.think_times.p95_ns) if seat.think_times else "",
    ">p99": lambda seat: duration(seat.think_times.p99_ns) if seat.think_times else "",
    ">max": lambda seat: duration(seat.think_times.most_ns) if seat.think_times else "",
    ">of limit": lambda seat: f"{max((each.share for each in seat.decisions), default=0):.0%}",
    ">near": lambda seat: len(seat.near_misses),
    ">strikes": lambda seat: len(seat.strikes),
}

_SURROUNDINGS: Final[Columns[SeatExplanation]] = {
    ">seat": lambda seat: seat.seat,
    ">credit": lambda seat: duration(seat.credits_ns[0]) if seat.credits_ns else "",
    ">p50": lambda seat: duration(seat.credits_ns[1]) if seat.credits_ns else "",
    ">max": lambda seat: duration(seat.credits_ns[2]) if seat.credits_ns else "",
    ">stalls": lambda seat: len(seat.stalls_ns),
    ">in all": lambda seat: duration(sum(seat.stalls_ns)),
    ">away": lambda seat: len(seat.absences),
    ">bank low": lambda seat: duration(min(seat.banks_ns)),
    ">at end": lambda seat: duration(seat.banks_ns[-1]),
}


def document(log: MatchLog, own: OwnerDebug = _NO_LINES, *, file: str | None = None) -> dict[str, object]:
    """Return the explanation for JSON, with every decision; times in milliseconds. `file`: as for `explanation`."""
    explained = explain(log)
    facts = [_facts(explained, seat, file) for seat in explained.seats]
    result = log.result
    return {
        "match": f"matches/{log.setup.match}",
        "state": result.state.name,
        "ending": result.ending,
        "void_reason": result.void_reason,
        "duration_ms": _ms(result.duration_ns),
        "time_control": asdict(log.setup.time_control),
        "seats": [
            seat_details_document(outcome, facts, own) | _seat_document(seat, log)
            for outcome, seat in zip(facts, explained.seats, strict=True)
        ],
        **trade_document(log),
    }


def _seat_document(seat: SeatExplanation, log: MatchLog) -> dict[str, object]:
    times, credited = seat.think_times, seat.credits_ns
    return {
        "strikes": [each.decision for each in seat.strikes],
        "strikes_allowed": log.setup.time_control.strikes,
        "strike_count": len(seat.strikes),
        "asked": len(seat.decisions),
        "defaults_after_forfeit": seat.defaults_after_forfeit,
        "used_ms": _ms(sum(each.used_ns for each in seat.decisions)),
        "near_misses": [each.decision for each in seat.near_misses],
        "longest": [each.decision for each in seat.longest],
        "think_ms": times
        and {
            "p50": _ms(times.p50_ns),
            "p95": _ms(times.p95_ns),
            "p99": _ms(times.p99_ns),
            "max": _ms(times.most_ns),
        },
        "credit_ms": credited and dict(zip(("min", "p50", "max"), map(_ms, credited), strict=True)),
        "stalls_ms": [_ms(stall) for stall in seat.stalls_ns],
        "waits_ms": [_ms(wait) for wait in seat.waits_ns],
        "absences": [
            {"lost_ms": _ms(each.lost_ns), "back_ms": None if each.back_ns is None else _ms(each.back_ns)}
            for each in seat.absences
        ],
        "decisions": [_decision_document(each, log.setup.time_control) for each in seat.decisions],
    }


def _decision_document(each: TimedDecision, control: TimeControl) -> dict[str, object]:
    limit = None
    if each.cause is Cause.TIME_FORFEIT:
        limit = limit_of_miss(control, over_seat_limit=each.over_seat_limit)
    elif each.cause is Cause.ILLEGAL_ACTION:
        limit = STRIKES
    return {
        "decision": each.decision,
        "ply": each.ply,
        "cause": each.cause.name,
        "used_ms": _ms(each.used_ns),
        "allowed_ms": _ms(each.allowed_ns),
        "near_miss": each.near_miss,
        "credit_ms": _ms(each.credit_ns),
        "stall_ms": _ms(each.stall_ns),
        "wait_ms": _ms(each.wait_ns),
        "bank_before_ms": _ms(each.bank_before_ns),
        "bank_after_ms": _ms(each.bank_after_ns),
        "why": each.why,
        "limit": limit,
        "seat_used_ms": _ms(each.seat_used_ns),
        "over_seat_limit": each.over_seat_limit,
        **({} if each.evaluation is None else {"evaluation": evaluation_document(each.evaluation)}),
    }


def _ms(ns: int) -> float:
    return ns / NS_PER_MS


def trade_lines(log: MatchLog) -> Iterator[RenderableType]:
    """Yield each offer with its answer, then the balance per pair and per seat; nothing without an offer."""
    found = trades(log, codec_for(log.setup.game).game)
    if found is None:
        yield Text("\nTrades are unknown: the log does not fit the installed rules.")
        return
    if not found:
        return
    names = names_in(log)
    accepted = sum(each.exchange.accepted for each in found)
    gifts = counted(sum(each.gift is not None for each in found), "gift")
    yield Text(f"\nTrades: {counted(len(found), 'offer')}, {accepted} accepted, {gifts}", style="bold")
    yield from (indented(_offer(each, names), "yellow" if each.gift else "") for each in found)
    yield Text("Balance of trades", style="bold")
    pairs = between(found)
    yield from (indented(_balance(each, names)) for each in pairs)
    if len(pairs) > 1:
        traders = sorted({seat for each in pairs for seat in each.seats})
        yield from (indented(_sums(in_all(found, seat), names)) for seat in traders)


def _offer(trade: Trade, names: Sequence[str]) -> str:
    each = trade.exchange
    offered = (
        f"{names[each.proposer]} offers {names[each.target]} {amounts(each.gave)} for {amounts(each.got)}"
    )
    answer = "accepted" if each.accepted else "declined"
    if trade.gift:
        answer = f"accepted: a gift of {names[trade.gift[0]]} to {names[trade.gift[1]]}"
    elif trade.cause not in (Cause.CHOSEN, Cause.GIVEN):
        answer += " by the arena, for want of a valid answer"
    return f"turn {each.turn}, ply {trade.ply}: {offered}: {answer}"


def _balance(each: PairTrades, names: Sequence[str]) -> str:
    (a, b), (gave_a, gave_b) = each.seats, each.gave
    gifts = [
        f"{counted(number, 'gift')} of {names[seat]}"
        for seat, number in zip(each.seats, each.gifts, strict=True)
        if number
    ]
    accepted = f"{names[a]} and {names[b]}: {each.accepted} of {counted(each.offers, 'offer')} accepted"
    if not each.accepted:
        return accepted
    flows = f"{names[a]} gave {amounts(gave_a)}, {names[b]} gave {amounts(gave_b)}"
    return "; ".join([accepted, flows, *gifts])


def _sums(each: SeatTrades, names: Sequence[str]) -> str:
    gifts = f"gifts: {each.gifts_given} given, {each.gifts_got} got"
    return f"{names[each.seat]} in total: gave {amounts(each.gave)}, got {amounts(each.got)}; {gifts}"


def trade_document(log: MatchLog) -> dict[str, object]:
    """Return the same for JSON. `trades` is null if the log does not fit the installed rules."""
    found = trades(log, codec_for(log.setup.game).game)
    if found is None:
        return {"trades": None, "trade_balance": None}
    return {
        "trades": [
            {
                "turn": trade.exchange.turn,
                "ply": trade.ply,
                "proposer": trade.exchange.proposer,
                "target": trade.exchange.target,
                "gave": dict(trade.exchange.gave),
                "got": dict(trade.exchange.got),
                "accepted": trade.exchange.accepted,
                "cause": trade.cause.name,
                "gift_of": trade.gift and trade.gift[0],
            }
            for trade in found
        ],
        "trade_balance": {
            "pairs": [_plain(pair) for pair in between(found)],
            "seats": [_plain(in_all(found, seat)) for seat in range(len(log.setup.seats))],
        },
    }


def _plain(balance: PairTrades | SeatTrades) -> dict[str, object]:
    """Return the fields by name, with lists for tuples."""
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in asdict(balance).items()
    }
